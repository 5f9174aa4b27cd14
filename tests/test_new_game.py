"""`domino new-game` begins a game: it writes what is asked of games, over nothing that is there."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env.cli import new_game_command
from domino_env.cli.main import main
from domino_env.errors import BadOption
from tests import reference
from tools import game_evidence, new_game
from tools.game_evidence import DOCS, EVIDENCE, ROOT, YOU, unfinished

FAMILIES = ("tests/reference", "tests/reference/trains", "tests/reference/world")
CHANGED = ("docs/rules/README.md", *(f"{family}/__init__.py" for family in FAMILIES))
LIKE = [game for game in reference.GAMES if game not in reference.curved.GAMES]
LEFT_OUT = (".git", ".venv", ".*_cache", "runs", "dist", ".clients", ".oldest", ".pythons")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with what the command reads."""
    for name in (*CHANGED, "domino_env/games"):
        there = tmp_path / name
        there.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, there)
        else:
            shutil.copy(ROOT / name, there)
    monkeypatch.setattr(new_game, "ROOT", tmp_path)
    return tmp_path


def content(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_all_files_are_written_and_say_what_is_left_to_a_person(checkout: Path) -> None:
    before = content(checkout)
    written = new_game.write("tavern_draw", "five_up")
    after = content(checkout)
    assert {*written} == {path for path, text in after.items() if before.get(path) != text}
    left = {path for path in written if path != checkout / "tests/reference/__init__.py"}
    assert {*unfinished("tavern_draw", checkout)} == left


def test_the_files_are_code_tables_and_games(checkout: Path) -> None:
    new_game.write("tavern_draw", "five_up")
    declared = (checkout / "domino_env/games/tavern_draw.py").read_text(encoding="utf-8")
    assert "TAVERN_DRAW = replace(\n    fundex.FIVE_UP,\n" in declared
    referee = (checkout / "tests/reference/tavern_draw.py").read_text(encoding="utf-8")
    assert "from .five_up import FiveUp\n\n\nclass TavernDraw(FiveUp):\n" in referee
    listed = (checkout / "tests/reference/__init__.py").read_text(encoding="utf-8")
    for code in (declared, referee, listed):
        ast.parse(code)
    assert '    "five_up": FiveUp,\n    "tavern_draw": TavernDraw,\n' in listed
    assert "import DealAgain, Referee, full_set\nfrom .tavern_draw import TavernDraw\n" in listed
    index = (checkout / "docs/rules/README.md").read_text(encoding="utf-8").splitlines()
    row = next(row for row in index if row.startswith("| [tavern_draw](tavern_draw.md) | "))
    assert row.count("|") == index[index.index(row) - 1].count("|")
    games = [*(checkout / "tests/golden/tavern_draw").glob("*.json")]
    assert len([json.loads(game.read_text(encoding="utf-8")) for game in games]) == 3


@pytest.mark.parametrize("like", LIKE)
@pytest.mark.parametrize("game", ["a_first_game", "tavern_draw"])
def test_a_game_can_be_begun_like_any_of_straight_tiles(
    checkout: Path, like: str, game: str
) -> None:
    named, parent = new_game.names(game, like), reference.GAMES[like]
    new_game.write(game, like)
    (referee,) = (checkout / "tests/reference").rglob(f"{game}.py")
    assert f"from .{named.like_file} import {parent.__name__}\n" in referee.read_text()
    assert (ROOT / referee.parent.relative_to(checkout) / f"{named.like_file}.py").exists()
    listed = (referee.parent / "__init__.py").read_text(encoding="utf-8")
    ast.parse(listed)
    assert f"from .{game} import {named.class_name}\n" in listed
    assert f'    "{game}": {named.class_name},\n' in listed
    rules = domino_env.rules(like)
    for file in (checkout / "tests/golden" / game).glob("*.json"):
        begun = json.loads(file.read_text(encoding="utf-8"))
        assert begun["options"]["players"] in rules.players
        assert begun["options"]["players"] == len(begun["deal"]["hands"])
        replace(rules, **begun["options"]["rules"])


def test_nothing_is_written_over(checkout: Path) -> None:
    page = checkout / "docs" / "rules" / "tavern_draw.md"
    page.write_text("mine", encoding="utf-8")
    before = content(checkout)
    with pytest.raises(BadOption, match="is there already: nothing was written"):
        new_game.write("tavern_draw")
    assert content(checkout) == before


@pytest.mark.parametrize(
    ("game", "like", "told"),
    [
        ("Tavern", "block_draw", "the id of a game is words like tavern_draw, not 'Tavern'"),
        ("../tavern", "block_draw", "the id of a game is words"),
        ("tavern-draw", "block_draw", "the id of a game is words"),
        ("five_up", "block_draw", "there is a game 'five_up' already"),
        ("tavern_draw", "fivup", "did you mean 'five_up'"),
        ("tavern_draw", "fundomino", "no game of straight tiles at a table"),
        ("tavern_draw", "solitaire", "no game of straight tiles at a table"),
    ],
)
def test_names_that_will_not_do_are_refused(
    checkout: Path, game: str, like: str, told: str
) -> None:
    before = content(checkout)
    with pytest.raises(BadOption, match=told):
        new_game.write(game, like)
    assert content(checkout) == before


def test_an_installed_package_says_that_it_takes_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(new_game_command, "CHECKOUT", tmp_path)
    assert main(["new-game", "tavern_draw"]) == 2
    assert "clone the project" in capsys.readouterr().err


def test_every_way_to_make_evidence_is_one_that_there_is() -> None:
    by_machine = {f"`python -m {module} --write {{id}}`" for module in new_game.WRITERS}
    ways = {row.made_by for row in EVIDENCE}
    assert ways == {game_evidence.NEW_GAME, YOU, DOCS, *by_machine}


@pytest.mark.slow
def test_a_game_that_was_begun_lacks_only_what_a_person_and_the_docs_add(tmp_path: Path) -> None:
    """In a copy of this checkout, with what has been compiled: the times of files stay."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    command = [sys.executable, "-m", "domino_env", "new-game", "tavern_draw"]
    surroundings = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        command, cwd=copy, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    missing = {
        row.made_by for row in EVIDENCE if len(row.found("tavern_draw", copy)) < row.at_least
    }
    assert missing == {DOCS}
    left = [str(path.relative_to(copy)) for path in unfinished("tavern_draw", copy)]
    assert left
    assert all(path in done.stdout for path in left)
