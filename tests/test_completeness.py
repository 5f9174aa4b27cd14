"""No game without its evidence: a variant for which any kind is missing fails here."""

import json
from pathlib import Path

import pytest

import domino_env
from tests import reference
from tests.differential import settings
from tests.games import ALONE, AT_A_TABLE

HERE = Path(__file__).parent
VARIANTS = domino_env.variants()


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_a_variant_has_a_reference_game_for_every_setting(variant: str) -> None:
    for setting in settings(variant):
        reference.new_game(
            variant, setting.players, set=setting.set, calls=setting.calls, episode="match"
        )


@pytest.mark.parametrize("variant", ALONE)
def test_a_game_for_one_player_has_a_reference_game(variant: str) -> None:
    assert reference.puzzles.new_game(variant).legal


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_has_a_whole_golden_game_and_some_worked_by_hand(variant: str) -> None:
    names = [file.stem for file in (HERE / "golden" / variant).glob("*.json")]
    whole = [name for name in names if name.startswith("whole_round")]
    assert whole
    assert len(names) - len(whole) >= 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_has_its_decision_trees_counted(variant: str) -> None:
    counts = json.loads((HERE / "perft" / f"{variant}.json").read_text(encoding="utf-8"))
    assert counts


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_has_a_page_of_rules_in_the_index(variant: str) -> None:
    index = HERE.parent / "docs" / "rules" / "README.md"
    assert f"{variant}.md" in index.read_text(encoding="utf-8")
    assert (index.parent / f"{variant}.md").exists()


def test_there_is_no_evidence_for_games_that_do_not_exist() -> None:
    for folder, names in (
        ("golden", {path.name for path in (HERE / "golden").iterdir() if path.is_dir()}),
        ("perft", {path.stem for path in (HERE / "perft").glob("*.json")}),
        ("reference", {*reference.GAMES, *reference.puzzles.GAMES}),
    ):
        assert names == set(VARIANTS), folder
