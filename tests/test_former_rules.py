"""Rules as they were spelled before: errors say the new words, and files of then are read.

The marks here were made by the code of then: they stand in records, policies and journals.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env.agents.networks.policy import read_policy
from domino_env.config.game_settings import house_rules
from domino_env.config.yaml_source import BadSetting
from domino_env.errors import BadRules
from domino_env.games import has_mark, mark_of, options_of, rules_in_file
from domino_env.record import parse, read
from domino_env.ruleset import Layout, Opening, former
from tests.games import AT_A_TABLE, TWISTS
from tests.kept_games import FOLDER as RECORDS
from tests.kept_games import small_game

FIRST_MARKS = json.loads((Path(__file__).parent / "first_marks.json").read_text())
"""Of each game at a table, and of some house rules in the words of then, by their marks."""

WEIGHTS = Path(domino_env.__file__).parent.parent / "agents" / "weights" / "ppo"


@pytest.mark.parametrize("mark", FIRST_MARKS)
def test_a_mark_of_before_is_known_again(mark: str) -> None:
    game, changes = FIRST_MARKS[mark]
    assert has_mark(rules_in_file(game, changes), mark)
    others = [name for name in AT_A_TABLE if name != game]
    assert not any(has_mark(domino_env.rules(other), mark) for other in others)


def test_what_could_not_be_said_then_has_no_mark_of_then() -> None:
    for changes in (
        {"plays": {"by": "multiples", "multiples": (5, 3)}},
        {"worths": (("0|0", 50),)},
    ):
        house = domino_env.rules("block_draw", **changes)
        assert former.spelled(house) is None
        assert has_mark(house, mark_of(house))


SAID: list[tuple[dict[str, Any], str]] = [
    ({"scoring": {"win": 1}}, "`scoring.win=1` is now `round.worth='points'`, `round.points=1`"),
    ({"scoring": {"plays": "fives"}}, "`plays.by='multiples'`, `plays.multiples=(5,)`"),
    ({"scoring": {"left": "penalties"}}, "`round.penalties=True`"),
    ({"scoring": {"blocked_to": "no_doubles"}}, "`blocked.to='no_doubles'`"),
    ({"scoring": None}, "`Plays`, `Round` and `Blocked`"),
    ({"layout": {"cross_first": True}}, "`layout.opening_first=4`"),
    ({"double_back": True}, "`turn.reversed_by='double'`"),
    ({"double_stakes": True}, "`turn.raised_by='2|2'`"),
    ({"perfect_ten": True}, "`plays.multiples=(10,)`"),
]


@pytest.mark.parametrize(("changes", "words"), SAID)
def test_a_former_spelling_is_answered_with_the_one_of_now(
    changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadRules) as refusal:
        domino_env.rules("block_draw", **changes)
    assert words in str(refusal.value)
    with pytest.raises(BadSetting) as refused:
        house_rules("block_draw", changes)
    assert words in str(refused.value)


def test_parts_answer_with_the_spelling_of_now_too() -> None:
    with pytest.raises(BadRules, match="opening_first=4"):
        Layout(cross_first=True)  # type: ignore[call-arg]
    with pytest.raises(ImportError, match="`Plays`, `Round` and `Blocked`"):
        from domino_env.ruleset import Scoring  # type: ignore[attr-defined] # noqa: F401
    with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'"):
        Opening(nothing=True)  # type: ignore[call-arg]


def test_a_record_of_before_is_read_and_says_its_rules_in_the_words_of_now() -> None:
    mark, (game, changes) = next(
        (mark, said) for mark, said in FIRST_MARKS.items() if said[1].get("scoring")
    )
    now = small_game(rules_in_file(game, changes))
    before = json.loads(now.text()) | {"rules": changes, "rules_version": mark}
    assert parse(json.dumps(before)) == now


@pytest.mark.parametrize("file", sorted((RECORDS / "first").glob("*.json")), ids=lambda f: f.stem)
def test_the_first_records_are_read(file: Path) -> None:
    assert read(file) == read(RECORDS / file.name)


@pytest.mark.parametrize("file", sorted(WEIGHTS.glob("*.npz")), ids=lambda file: file.stem)
def test_a_policy_of_before_knows_its_game(file: Path) -> None:
    policy = read_policy(file)
    batch = domino_env.batch(policy.game, 1, policy.num_players)
    house = rules_in_file(policy.game, policy.changes)
    assert policy.knows(batch) == (house == batch.rules)
    assert policy.knows(domino_env.batch(house, 1, policy.num_players))


# Options -----------------------------------------------------------------------------------------


def test_an_option_is_a_name_for_some_changes() -> None:
    named = domino_env.rules("fundomino", double_back=True, perfect_ten=False, target=60)
    assert named == domino_env.rules("fundomino", turn={"reversed_by": "double"}, target=60)
    assert house_rules("fundomino", {"double_back": True, "target": 60}) == named
    every = domino_env.rules("fundomino", **dict.fromkeys(TWISTS, True))
    assert (every.turn.reversed_by, every.turn.raised_by) == ("double", "2|2")
    assert every.plays.multiples == (10,)
    assert every.turn.says_domino


@pytest.mark.parametrize("game", domino_env.variants())
def test_every_option_of_a_game_changes_it_and_says_how(game: str) -> None:
    for name, option in options_of(game).items():
        assert option.says
        for value in option.choices or [True]:
            assert domino_env.rules(game, **{name: value}) != domino_env.rules(game)
        assert domino_env.rules(game, **{name: False}) == domino_env.rules(game)
