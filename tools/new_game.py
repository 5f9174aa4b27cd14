"""Begins a game: its declaration, its page, its referee and its golden games, as a change of a game
that there is. `domino new-game ID` runs this; docs/adding-a-game.md says how it goes on.

    python -m tools.new_game tavern_draw --like block_draw
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import domino_env
from domino_env.errors import BadOption, DominoError, did_you_mean
from domino_env.files import write_together
from domino_env.games import DEFAULT_GAME
from domino_env.ruleset import Rules
from tools import game_stubs
from tools.game_evidence import PLACEHOLDER, ROOT, unfinished

_IMPORT = re.compile(r"from \.(\w+) import ")
WRITERS = ("tests.test_golden", "tests.test_perft")  # by the referee


class Names(NamedTuple):
    """What a new game is called, and the one it is a change of, in all places."""

    id: str
    title: str
    constant: str
    class_name: str
    like: str
    like_constant: str
    package: str
    like_file: str
    like_class: str
    family: str
    placeholder: str = PLACEHOLDER


def names(game: str, like: str) -> Names:
    """The names of a new game; refuses an id that is none or is taken."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", game):
        raise BadOption(f"the id of a game is words like tavern_draw, not {game!r}")
    if game in domino_env.variants():
        raise BadOption(f"there is a game {game!r} already: give another id")
    rules, referee = _parent(like)
    words = game.split("_")
    family, constant = _declared(rules)
    package, _, module = referee.__module__.rpartition(".")
    return Names(
        id=game,
        title=" ".join(word.capitalize() for word in words),
        constant=game.upper(),
        class_name="".join(word.capitalize() for word in words),
        like=like,
        like_constant=constant,
        package=package.replace(".", "/"),
        like_file=module,
        like_class=referee.__name__,
        family=family,
    )


def _parent(like: str) -> tuple[Rules, type]:
    """The rules and the referee of the game that is changed."""
    from tests import reference

    straight = [game for game in reference.GAMES if game not in reference.curved.GAMES]
    if like not in straight:
        raise BadOption(
            f"--like {like!r} is no game of straight tiles at a table{did_you_mean(like, straight)}"
            "; others share their referees, in tests/reference/curved and puzzles: begin there"
        )
    return domino_env.rules(like), reference.GAMES[like]


def _declared(rules: Rules) -> tuple[str, str]:
    """The module of `domino_env.games` that declares a game, and its name there."""
    for file in sorted((ROOT / "domino_env" / "games").glob("[!_]*.py")):
        module = import_module(f"domino_env.games.{file.stem}")
        for name, value in vars(module).items():
            if value == rules:
                return file.stem, name
    raise BadOption(f"no module of domino_env/games declares {rules.id!r}")


# The files ---------------------------------------------------------------------------------------


def new_files(named: Names) -> dict[Path, str]:
    """The files that are written whole, and what is in them."""
    from tests.test_golden import page

    filled = {
        f"domino_env/games/{named.id}.py": game_stubs.DECLARATION,
        f"docs/rules/{named.id}.md": game_stubs.PAGE,
        f"{named.package}/{named.id}.py": game_stubs.REFEREE,
    }
    found = {ROOT / name: text.format(**named._asdict()) for name, text in filled.items()}
    folder, rules = ROOT / "tests" / "golden" / named.id, domino_env.rules(named.like)
    for name, what in game_stubs.BY_HAND.items():
        game: Any = game_stubs.by_hand(named.id, rules, name, what)
        found[folder / f"{name}.json"] = page(game) + "\n"
    return found


def changed_files(named: Names) -> dict[Path, str]:
    """The files that get a line: the index of pages, and the list of referees."""
    index = ROOT / "docs" / "rules" / "README.md"
    referees = ROOT / named.package / "__init__.py"
    return {
        index: with_row(index.read_text(encoding="utf-8"), named),
        referees: with_referee(referees.read_text(encoding="utf-8"), named),
    }


def with_row(index: str, named: Names) -> str:
    """The index of pages with a row for the game, below that of the game it is a change of."""
    lines = index.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith(f"| [{named.like}]("))
    cells = lines[at].split(" | ")
    cells[0], cells[1] = f"| [{named.id}]({named.id}.md)", named.title
    cells[-1] = f"{named.placeholder}, and what else is not as in {named.like} |\n"
    lines.insert(at + 1, " | ".join(cells))
    return "".join(lines)


def with_referee(listed: str, named: Names) -> str:
    """The list of referees with that of the game."""
    lines = listed.splitlines(keepends=True)
    imported = [(n, m[1]) for n, line in enumerate(lines) if (m := _IMPORT.match(line))]
    after = [n for n, module in imported if module < named.id]
    place = after[-1] + 1 if after else imported[0][0]
    lines.insert(place, f"from .{named.id} import {named.class_name}\n")
    at = next(n for n, line in enumerate(lines) if line.startswith(f'    "{named.like}": '))
    lines.insert(at + 1, f'    "{named.id}": {named.class_name},\n')
    return "".join(lines)


def write(game: str, like: str = DEFAULT_GAME) -> list[Path]:
    """Begins a game; refuses to write over a file that is there."""
    named = names(game, like)
    new = new_files(named)
    there = [file for file in new if file.exists()]
    if there:
        raise BadOption(f"{there[0].relative_to(ROOT)} is there already: nothing was written")
    files = new | changed_files(named)
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
    write_together(files)
    return [*files]


def play(game: str) -> None:
    """Has the referee play whole rounds and count trees: while nothing is different they are those
    of the game that is changed."""
    for module in WRITERS:
        subprocess.run([sys.executable, "-m", module, "--write", game], cwd=ROOT, check=True)


# What is left ------------------------------------------------------------------------------------


def next_steps(game: str) -> str:
    """What a person does now."""
    files = "\n".join(f"   {file.relative_to(ROOT)}" for file in unfinished(game))
    return f"""\
Now:
1. Say what is different, wherever it says "{PLACEHOLDER}". The page of rules and the referee come
   first, from the rulebook; then the declaration; then the games worked by hand:
{files}
2. Let the referee play, and compare it with the engine:
   python -m tests.test_golden --write {game}
   python -m tests.test_perft --write {game}
   python -m tests.differential --variants {game} --decisions 100000
3. Make the pictures and the tables:
   make docs
4. See what is missing:
   python -m pytest tests/test_completeness.py tests/test_golden.py tests/test_perft.py \
tests/test_docs.py -k {game}
docs/adding-a-game.md says more."""


def main(arguments: list[str] | None = None) -> int:
    """Begins a game, and says what is left to do."""
    parser = argparse.ArgumentParser(prog="domino new-game", description=__doc__.split("\n")[0])
    parser.add_argument("id", metavar="ID", help="of the game, like tavern_draw")
    parser.add_argument(
        "--like", default=DEFAULT_GAME, metavar="ID", help=f"a game (default {DEFAULT_GAME})"
    )
    options = parser.parse_args(arguments)
    try:
        written = write(options.id, options.like)
    except DominoError as error:
        print(f"domino: {error}", file=sys.stderr)
        return 2
    for file in written:
        print(f"wrote {file.relative_to(ROOT)}")
    play(options.id)
    print(next_steps(options.id))
    return 0


if __name__ == "__main__":
    sys.exit(main())
