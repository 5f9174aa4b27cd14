"""No part knows a game by its name: a game is what its rules say, and the engine, the agents, the
training and the page treat them all alike."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import domino_env

ROOT = Path(__file__).parent.parent
# Which packages may name games, and why; no other does, but in what a person reads.
MAY_NAME_GAMES = {
    "domino_env/games": "declares them, and names the one that settings have by default",
    "domino_env/bench": "measures some of them",
    "domino_env/solve/mini_games.py": "lists small versions of some",
}
SHORTEST_PART = 4  # letters of a name by which a game could be told
BY_A_PART = {"startswith", "endswith", "removeprefix", "removesuffix", "find", "index", "count"}
RULES = [domino_env.rules(name) for name in domino_env.variants()]
NAMES = {name for rules in RULES for name in (rules.id, rules.title, rules.source)}


def modules() -> list[Path]:
    """All that are in the wheel, but for those that may name games."""
    found = [
        path.relative_to(ROOT)
        for folder in ("domino_env", "agents", "train")
        for path in (ROOT / folder).rglob("*.py")
        if not any(part.is_symlink() for part in path.parents)
    ]
    return sorted(path for path in found if not path.as_posix().startswith(tuple(MAY_NAME_GAMES)))


def named_games(source: str) -> Iterator[str]:
    """Where a module names a game: as a text by itself, wherever it stands (compared, in a list, a
    key, a `case`, an argument), or by a part of one, in `startswith` and its like."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in NAMES and id(node) not in docstrings:
            yield f"line {node.lineno}: {node.value!r}"
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in BY_A_PART:
            constants = [each for given in node.args for each in ast.walk(given)]
            if any(is_part_of_a_name(getattr(each, "value", None)) for each in constants):
                yield f"line {node.lineno}: {ast.unparse(node)}"


def is_part_of_a_name(text: object) -> bool:
    return (
        isinstance(text, str)
        and len(text) >= SHORTEST_PART
        and any(name.startswith(text) or name.endswith(text) for name in NAMES)
    )


@pytest.mark.parametrize("path", modules(), ids=str)
def test_no_part_knows_a_game_by_its_name(path: Path) -> None:
    assert not [*named_games((ROOT / path).read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    "code",
    [
        "if rules.id == 'fours': pass",
        "if rules.id in ('blind', 'cross'): pass",
        "if rules.id in {'blind'}: pass",
        "match rules.id:\n    case 'fundomino' | 'bergen': pass",
        "WORLDS = {'five_up': 3}",
        "WORLDS['five_up'] = 3",
        "WORLDS.get('five_up')",
        "dict([('bergen', 1)])",
        "rules.id.startswith('bendomino')",
        "rules.id.startswith(('fundo', 'bend'))",
        "rules.id.removesuffix('_caribbean')",
        "rules.title == 'Block & Draw'",
        "rules.source != 'Fundex'",
    ],
)
def test_a_game_that_is_known_by_its_name_is_seen(code: str) -> None:
    assert [*named_games(code)]


@pytest.mark.parametrize(
    "code",
    ["'''Draws fours and blind.'''", "print('domino play block_draw')", "layout.opening_first"],
)
def test_what_a_person_reads_may_name_a_game(code: str) -> None:
    assert not [*named_games(code)]


def test_the_page_to_play_on_knows_no_game_by_its_name() -> None:
    ids = "|".join(domino_env.variants())
    scripts = [*(ROOT / "domino_env").rglob("*.js"), *(ROOT / "domino_env").rglob("*.html")]
    assert scripts
    for path in scripts:
        text = path.read_text(encoding="utf-8")
        assert not re.findall(rf"""["'`]({ids})["'`]""", text), path
