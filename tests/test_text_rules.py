"""The rules in words: short, and a sentence for each thing that a house rule can change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import domino_env
from domino_env import text
from domino_env.errors import BadOption, BadRules
from domino_env.games import options_of
from domino_env.text.rulebook import MOST_WORDS

NAMES = {"id", "title", "summary", "source"}  # they are no rules
# `tiles` are the set that is listed, and are said with it; two come with other changes alone.
NOT_SAID = {"sets", "tiles", "engine", "rows", "round.penalties"}
NUMBERS: dict[str, list[Any]] = {
    "hand_size": [3, 6],
    "target": [33, None],
    "rounds": [3],
    "worths": [(("0|0", 50),), (("1|1", 50),)],
    "plays.multiples": [(3,), (5, 3)],
    "round.points": [7],
    "round.key": [3, 0],
    "plays.out": [2, 0],
    "opening.lowest": [2, 0],
    "bonuses.fits_both_ends": [11, 0],
    "bonuses.double_blank": [11, 0],
    "bonuses.opening_pass": [11, 0],
    "bonuses.opening_pass_no_double": [12],
    "bonuses.round_pass": [11, 0],
    "bonuses.own_block": [11, 0],
    "bonuses.by_round": [(9, 8), ()],
    "tally.least_first": [14, 0],
    "tally.cut_off": [17],
    "left_out": [((2, "1|1"),), ()],
    "round.places": [(9, 2, 1), (9,)],
    "round.nearest": [10],
    "round.rounded_up": [5],
    "round.pips_a_point": [5],
    "round.out_bonus": [9],
    "draw.reserve": [1, 3],
    "layout.opening_first": [2, 4],
    "layout.doubles_first": [0, 1, 2, 3],
    "turn.raised_by": ["3|3", ""],
    "players": [(2,), (3, 2)],
    "set": ["double_9"],
}


def every_rules() -> Iterator[Any]:
    """Every game with each of its sets and options."""
    for name in domino_env.variants():
        usual = domino_env.rules(name)
        yield usual
        if usual.has_opponents:
            yield from (replace(usual, set=each) for each in usual.sets)
        for word, option in options_of(name).items():
            for value in option.choices or [True]:
                yield domino_env.rules(name, **{word: value})


def test_rules_are_at_most_600_words() -> None:
    told = [text.rules(each, calls=how) for each in every_rules() for how in ways(each)]
    assert max(len(each.split()) for each in told) <= MOST_WORDS
    assert len(told) > 60


def ways(rules: Any) -> list[str]:
    return ["automatic", "explicit"] if rules.has_calls else ["automatic"]


def paths(kind: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every field of the rules and of their parts, and what it may hold."""
    for field in fields(kind):
        hint = get_type_hints(kind)[field.name]
        if is_dataclass(hint):
            yield from paths(hint, f"{field.name}.")
        elif not {field.name, f"{prefix}{field.name}"} & (NAMES | NOT_SAID):
            yield f"{prefix}{field.name}", hint


def values(path: str, hint: Any) -> list[Any]:
    if path in NUMBERS:
        return NUMBERS[path]
    if get_origin(hint) is Literal:
        return [*get_args(hint)]
    assert hint is bool, f"say in NUMBERS what to try for {path}"
    return [True, False]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "hint"), [*paths(domino_env.Rules)], ids=lambda each: str(each))
def test_a_house_rule_changes_the_sentences_that_it_changes(path: str, hint: Any) -> None:
    changed = []
    for usual in every_rules():
        for value in values(path, hint) if usual.has_opponents else []:
            house = other(usual, path, value)
            if house is not None and house != usual:
                changed += [differing(usual, house, how) for how in ways(usual)]
    assert changed, "no game can be played so"
    assert any(changed), "no sentence says it"
    assert max(changed) <= 8


def other(usual: Any, path: str, value: Any) -> Any:
    """The rules with a field changed; None if they cannot be played so."""
    part, _, name = path.rpartition(".")
    try:
        if part:
            return replace(usual, **{part: replace(getattr(usual, part), **{name: value})})
        return replace(usual, **{name: value})
    except BadRules:
        return None


def differing(one: Any, two: Any, calls: str) -> int:
    """How many sentences of one rules are not in the other's."""
    before, after = (
        {*re.split(r"(?<=[.:?])\s+", text.rules(each, calls=calls))} for each in (one, two)
    )
    return max(len(before - after), len(after - before))


def test_rules_are_those_of_the_seats_and_calls_that_are_played() -> None:
    batch = domino_env.batch("all_fives", 1, 3, seed=0, calls="explicit")
    batch.reset()
    told = text.rules(batch)
    assert "for 3 players" in told
    assert "Each is dealt 5 tiles;" in told
    assert "CALL or SILENT" in told
    assert told == text.rules("all_fives", num_players=3, calls="explicit")
    assert text.prompt(batch).startswith(told)
    assert "CALL" not in text.rules("all_fives")
    with pytest.raises(BadOption, match="calls must be one of"):
        text.rules("all_fives", calls="muggins")


def test_rules_read_as_a_player_would_say_them() -> None:
    told = text.rules("block_draw", num_players=2)
    assert "Each is dealt 5 tiles; only their owner sees them." in told
    assert "If you cannot play, tiles are drawn for you until one can be played." in told
    assert "reaches 100 points" in told
    assert "The line has two ends: end 0 is its left end, end 1 its right." in told
    assert "7 tiles with 2 players, 5 with 3 or 4" in text.rules("all_fives")
    assert "0|0, 1|6, 2|5, 3|4 are wild" in text.rules("matador")


@pytest.mark.parametrize(
    ("game", "changes", "said"),
    [
        ("dominican", {}, "that is the partner whose hand won it"),
        ("dominican", {"blocked": {"to": "lowest_team"}}, "whoever played the last tile, if"),
        ("jamaican_partner", {}, "one whose turn would have come first"),
        ("fundomino_team_play", {"opening": {"later": "winner"}}, "the lower of its seats"),
    ],
)
def test_which_seat_of_a_team_has_won_a_round_is_said(game: str, changes: Any, said: str) -> None:
    rules = domino_env.rules(game, **changes)
    assert said in text.rules(rules)
    elsewhere = replace(rules, opening=replace(rules.opening, later="as_first"))
    assert said not in text.rules(elsewhere)
