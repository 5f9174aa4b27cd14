"""No game without its evidence: a variant for which any kind is missing fails here. What is asked
of a game is one list, which `domino new-game` and docs/adding-a-game.md go by too."""

import json
from pathlib import Path

import pytest

import domino_env
from tests import reference
from tests.differential import as_the_referee_says, settings
from tests.games import ALONE, AT_A_TABLE
from tools.game_evidence import EVIDENCE, ROOT, Evidence, unfinished

HERE = Path(__file__).parent
VARIANTS = domino_env.variants()


@pytest.mark.parametrize("evidence", EVIDENCE, ids=lambda evidence: evidence.what)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_has_all_that_is_asked_of_games(variant: str, evidence: Evidence) -> None:
    if evidence.alone or variant in AT_A_TABLE:
        missing = f"{variant} lacks {evidence.what}: {evidence.made_by.format(id=variant)}"
        assert len(evidence.found(variant)) >= evidence.at_least, missing


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_has_nothing_left_to_write(variant: str) -> None:
    assert not [*map(str, unfinished(variant))]


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_a_variant_has_a_reference_game_for_every_setting(variant: str) -> None:
    for setting in settings(variant):
        told = as_the_referee_says(variant, setting.changes)
        how = {"calls": setting.calls, "episode": "match", **told}
        reference.new_game(variant, setting.players, set=setting.set, **how)


@pytest.mark.parametrize("variant", ALONE)
def test_a_game_for_one_player_has_a_reference_game(variant: str) -> None:
    assert reference.puzzles.new_game(variant).legal


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_has_its_decision_trees_counted(variant: str) -> None:
    counts = json.loads((HERE / "perft" / f"{variant}.json").read_text(encoding="utf-8"))
    assert counts


def test_there_is_no_evidence_for_games_that_do_not_exist() -> None:
    for folder, names in (
        ("golden", {path.name for path in (HERE / "golden").iterdir() if path.is_dir()}),
        ("perft", {path.stem for path in (HERE / "perft").glob("*.json")}),
        ("reference", {*reference.GAMES, *reference.puzzles.GAMES}),
        ("pages", {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")} - {"README"}),
        ("pictures", {path.stem for path in (ROOT / "docs" / "images").glob("*.svg")}),
    ):
        assert names == set(VARIANTS), folder
