"""Rules that cannot be built are refused, and the error says why."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import reduce
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings

import domino_env
from domino_env.errors import BadRules
from domino_env.ruleset import (
    LISTED,
    MAX_CURVED_TILES,
    Draw,
    Layout,
    Match,
    Opening,
    Plays,
    Round,
    Rules,
    Turn,
)
from domino_env.ruleset.conditions import Need, check_all, either
from domino_env.ruleset.needs import NEEDS
from tests.drawn_rules import (
    HIGHEST_TILE,
    PARTS,
    QUIET,
    SEEDS,
    Lot,
    all_parts,
    check_message,
    named_values,
    says,
)

# What cannot be built says why -------------------------------------------------------------------


@settings(QUIET, max_examples=1500)
@given(seed=SEEDS)
def test_rules_that_do_not_fit_together_say_which_and_what(seed: int) -> None:
    chosen = Lot(seed).game()
    assert {*chosen} == {field.name for field in fields(Rules)}
    try:
        Rules(**chosen)
    except BadRules as error:
        check_message(error, named_values(chosen))


@pytest.mark.parametrize("part", PARTS)
def test_parts_whose_values_do_not_fit_together_say_which_and_what(part: str) -> None:
    made, refused = all_parts(part)
    assert PARTS[part]() in made
    for error, chosen in refused:
        check_message(error, chosen)


TEXTS = [None, 5, ["a"]]
SWITCHES = [None, 0, 1, "yes"]
NUMBERS = [None, -1, 1.5, "3", True, [1]]
NONSENSE: dict[str, list[Any]] = {
    "id": [*TEXTS, ""],
    "title": TEXTS,
    "summary": TEXTS,
    "source": TEXTS,
    "set": ["double_7", "Double_6", 6, None, ["double_6"]],
    "sets": ["double_6", None, 6, (), ("double_6", "double_5"), ("double_6", 6), (["double_6"],)],
    "players": [[2, 3], (), 2, None, "23", (1,), (2, 6), (2, 2), (2.0,), (True, 2), ("2",), ([2],)],
    "hand_size": [
        0,
        100,
        *(n for n in NUMBERS if n != [1]),
        "most",
        (),
        (5, 5),
        (5, 5, 0),
        (5, 5, None),
        {5, 6, 7},
    ],
    "rows": [True, *SWITCHES],
    "tiles": [None, 5, "1|5", {"1|5": 2}],
    **dict.fromkeys(("teams", "exact"), SWITCHES),
    **{part: [None, "usual", {}, Rules] for part in PARTS},
    "target": [0, 100_001, 10**30, *NUMBERS[1:]],
    "rounds": [0, 100_001, 10**30, *NUMBERS[1:]],
    "left_out": [
        "0|0",
        {3: "0|0"},
        ((3,),),
        ((3, "7|7"),),
        ((1, "0|0"),),
        (("3", "0|0"),),
        ((2, 5),),
    ],
    "worths": ["0|0", {"0|0": 50}, ("0|0",), (("0|0",),), (("7|7", 5),), (("0|0", -1),), ((0, 5),)],
}
"""Values that no game can have, for every field of `Rules`."""


def nonsense_for(part: str, name: str) -> list[Any]:
    """Values that a field of a part cannot have."""
    hint = get_type_hints(PARTS[part])[name]
    if hint is bool:
        return SWITCHES
    if name in ("cut_off", "opening_pass_no_double"):
        return ["3", 1.5, True, [1], -1, 10**30]
    if name == "by_round":
        return [*NUMBERS, [5], (-1,), (1001,), (1.5,), ("5",), (1,) * 9]
    if name == "multiples":
        return [*NUMBERS, [5], (), (0,), (5, 5), (1.5,), ("5",), (2, 3, 4, 5, 6)]
    if name == "raised_by":
        return TEXTS
    if name == "places":
        values = [*NUMBERS, [40, 20], (0,), (0, 40), (-1,), (40, 1001), (1.5,), (True,), ("40",)]
        return [*values, (40, None), ((40,),), (10**30,)]
    if get_args(hint):
        return ["", "usual", f"{get_args(hint)[0]}s", None, 0, True, [], get_args(hint)]
    return [*NUMBERS, 10**30]


@pytest.mark.parametrize("name", [field.name for field in fields(Rules)])
def test_a_field_refuses_nonsense_and_says_which_and_what(name: str) -> None:
    for value in NONSENSE[name]:
        with pytest.raises(BadRules) as refusal:
            replace(domino_env.rules("block_draw"), **{name: value})
        assert says(str(refusal.value), name), f"{refusal.value} names no {name}"
        assert says(str(refusal.value), value if isinstance(value, str) else repr(value)) or (
            isinstance(value, tuple) and any(says(str(refusal.value), repr(v)) for v in value)
        ), f"{refusal.value} does not say {value!r}"


@pytest.mark.parametrize(
    ("part", "name"), [(part, field.name) for part in PARTS for field in fields(PARTS[part])]
)
def test_a_part_refuses_nonsense_and_says_which_and_what(part: str, name: str) -> None:
    for value in nonsense_for(part, name):
        with pytest.raises(BadRules) as refusal:
            replace(domino_env.rules("block_draw"), **{part: PARTS[part](**{name: value})})
        check_message(refusal.value, {f"{part}.{name}": repr(value)})


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        (("1|5",), ["tiles", "1"]),
        (("1|5", "5|5", "1|5"), ["tiles", "'1|5'", "twice"]),
        (("5|5", "1|5", "5|1"), ["tiles", "'5|1'", "twice"]),
        (("5|5", ">3|5", "5|>3"), ["tiles", "'5|>3'", "twice"]),
        *(
            (("5|5", "1|5", tile), ["tiles", repr(tile)])
            for tile in (
                None,
                5,
                (1, 5),
                "",
                "5",
                "5|",
                "|",
                "1|2|3",
                "a|5",
                "-1|5",
                "1.5|5",
                "1-5",
            )
        ),
        *(
            (("5|5", "1|5", tile), ["tiles", repr(tile)])
            for tile in ("*4|1", "**|1", ">|1", ">*|1", ">>4|1", "+>4|1", "x4|1", "4>|1", ">-4|1")
        ),
        (("5|5", "1|5", "2|5", "3|5", f"{10**30}|1"), ["tiles", str(10**30)]),
        (tuple(f"{n}|{n}" for n in range(65)), ["tiles", f"{MAX_CURVED_TILES}", "65", "curved"]),
        (tuple(f"{n}|{n}" for n in range(32)), ["tiles", "31", "32"]),
    ],
)
def test_tiles_that_are_none_are_refused_by_name(tiles: Any, words: list[str]) -> None:
    with pytest.raises(BadRules) as refusal:
        domino_env.rules("fundomino", tiles=tiles, hand_size=2, players=(2,))
    missing = [word for word in words if word not in str(refusal.value)]
    assert not missing, f"{refusal.value} does not speak of {missing}"


FIVES = Plays(by="multiples")
CURVED = Layout(tiles="curved")

# Every pair of parts that cannot be together, and what its refusal must speak of.
TOGETHER: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"opening": Opening(starter="lot", tile="top_of_row")},
        ["rows", "opening.tile", "top_of_row"],
    ),
    ({"rows": True}, ["rows", "opening.tile", "that_double"]),
    ({"layout": Layout(arms="four"), "opening": Opening(tile="any")}, ["opening.tile", "any"]),
    ({"draw": Draw(while_crossing="one")}, ["draw.while_crossing", "layout.opening_first"]),
    ({"hand_size": 8, "players": (4,)}, ["hand_size", "8", "28"]),
    ({"hand_size": 7, "draw": Draw(reserve=1)}, ["hand_size", "draw.reserve", "1"]),
    ({"hand_size": 1}, ["hand_size", "1"]),
    ({"set": "double_9", "sets": ("double_6",)}, ["double_6", "double_9"]),
    ({"target": None}, ["target", "rounds"]),
    ({"target": None, "rounds": 3, "exact": True}, ["exact", "target"]),
    ({"round": Round(penalties=True)}, ["penalties", "rounds"]),
    ({"round": Round(worth="points", points=3), "exact": True}, ["target", "exact", "100", "3"]),
    (
        {"plays": FIVES, "layout": Layout(arms="one")},
        ["plays.by", "multiples", "arms"],
    ),
    (
        {"plays": Plays(by="same_ends"), "layout": Layout(doubles="fork")},
        ["plays.by", "same_ends", "layout.doubles"],
    ),
    (
        {
            "layout": Layout(arms="four", opening_first=4),
            "draw": {"forced": "one", "then": "end_turn", "while_crossing": "until_playable"},
        },
        ["draw.then", "end_turn", "draw.while_crossing", "until_playable"],
    ),
    ({"teams": True}, ["teams", "players", "(2, 3, 4)"]),
    ({"teams": True, "players": (2, 4)}, ["teams", "players", "(2, 4)"]),
    (
        {"teams": True, "players": (4,), "round": Round(penalties=True), "rounds": 4},
        ["teams", "round.penalties"],
    ),
    ({"turn": Turn(raised_by="7|7")}, ["turn.raised_by", "7|7", "set"]),
    ({"round": Round(worth="all_pips")}, ["round.worth", "all_pips", "blocked.less_own"]),
    ({"round": Round(worth="nothing")}, ["round.worth", "nothing", "plays.by"]),
    ({"worths": (("7|7", 5),)}, ["worths", "7|7"]),
    ({"set": "double_12", "layout": CURVED, "hand_size": 5}, ["double_12", "curved", "91"]),
    ({"set": LISTED, "sets": (LISTED,)}, ["tiles", "listed"]),
    ({"tiles": ("1|5", "5|5")}, ["tiles", "listed", "double_6"]),
    ({"layout": Layout(arms="four"), "opening": HIGHEST_TILE}, ["without_double", "highest_tile"]),
    (
        {"opening": Opening(tile="two_from_boneyard")},
        ["two", "layout.tiles", "curved", "straight"],
    ),
    (
        {"opening": Opening(tile="two_from_boneyard"), "layout": CURVED, "hand_size": 7},
        ["hand_size", "7", "2 tiles to open with"],
    ),
    (
        {"plays": Plays(by="same_ends"), "layout": CURVED},
        ["plays.by", "same_ends", "layout.tiles", "curved"],
    ),
]

# The same for the parts of games of listed tiles.
OF_LISTED_TILES: list[tuple[dict[str, Any], list[str]]] = [
    ({"match": Match(by="sum")}, ["match.by", "sum", "listed"]),
    (
        {"double_stakes": True, "tiles": ("1|1", "1|3", "3|3", "2|1"), "hand_size": 2},
        ["turn.raised_by", "2|2", "set"],
    ),
    (
        {"layout": Layout(doubles="spinner"), "tiles": [f"{n}|{n}" for n in range(17)]},
        ["layout.doubles", "17", "through"],
    ),
]


@pytest.mark.parametrize(("changes", "words"), OF_LISTED_TILES)
def test_what_does_not_fit_listed_tiles_is_refused_by_name(
    changes: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(BadRules) as refusal:
        domino_env.rules("fundomino", **{"players": (2,), "hand_size": 5, **changes})
    missing = [word for word in words if word not in str(refusal.value)]
    assert not missing, f"{refusal.value} does not speak of {missing}"


# The table of what fits together -----------------------------------------------------------------


def test_the_table_of_needs_speaks_of_settings_that_there_are() -> None:
    usual = domino_env.rules("block_draw")
    for row in NEEDS:
        for name in (*row.having, *row.needs):
            if isinstance(name, str):
                reduce(getattr, name.split("."), usual)


def test_every_row_of_the_table_of_needs_refuses_something() -> None:
    said = {str(error) for part in PARTS for error, _ in all_parts(part)[1]}
    listed = [{"players": (2,), "hand_size": 5, **changes} for changes, _ in OF_LISTED_TILES]
    games = [{**vars(domino_env.rules("fundomino")), **changes} for changes in listed]
    # What draws by lot hardly ever come to.
    until_one_is_left = {"turn": Turn(again="to_cover", until="one_left")}
    games.append({**vars(domino_env.rules("mexican_train")), **until_one_is_left})
    for chosen in [*games, *(Lot(seed).game() for seed in range(6000))]:
        try:
            Rules(**chosen)
        except BadRules as error:
            said.add(str(error))
    for row in NEEDS:
        assert any(text.endswith(f": {row.because}") for text in said), row


def test_the_error_of_a_need_is_made_from_its_row() -> None:
    row = Need({"rows": True}, {"draw.forced": either("one", "none")}, "nothing is drawn")
    check_all([row], SimpleNamespace(rows=True, draw=Draw(forced="none")))
    with pytest.raises(BadRules) as refusal:
        check_all([row], SimpleNamespace(rows=True, draw=Draw()))
    assert str(refusal.value) == (
        "rows=True needs draw.forced 'one' or 'none', not 'until_playable': nothing is drawn"
    )


@pytest.mark.parametrize(("changes", "words"), TOGETHER)
def test_what_does_not_fit_together_is_refused_by_name(
    changes: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(BadRules) as refusal:
        domino_env.rules("block_draw", **changes)
    missing = [word for word in words if word not in str(refusal.value)]
    assert not missing, f"{refusal.value} does not speak of {missing}"


@pytest.mark.parametrize("part", [{"draw": Draw(voluntary=True)}, {"draw": Draw()}])
def test_a_game_of_rows_draws_nothing(part: dict[str, Any]) -> None:
    with pytest.raises(BadRules, match=r"rows.*draw\.forced.*draw\.voluntary"):
        domino_env.rules("blind", **part)
