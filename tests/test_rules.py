"""Rules: what fits together plays to its end, and what does not cannot be built and says why."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields, replace
from functools import cache, partial, reduce
from itertools import combinations_with_replacement, permutations, product
from math import prod
from threading import Thread
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, note, settings
from hypothesis import strategies as st

import domino_env
from domino_env.batches import Batch
from domino_env.engine.game_setup import num_ends
from domino_env.engine.state import PLAY
from domino_env.errors import BadRules, UnknownVariant
from domino_env.ruleset import (
    LISTED,
    MAX_CURVED_TILES,
    SETS,
    TWISTS,
    Draw,
    Layout,
    Match,
    Opening,
    Rules,
    Scoring,
    Turn,
)
from domino_env.ruleset.conditions import Need, check_all, either
from domino_env.ruleset.needs import NEEDS
from tests.witness import Course, legal_moves, whose_turn

PARTS: dict[str, type[Any]] = {
    "opening": Opening,
    "layout": Layout,
    "match": Match,
    "draw": Draw,
    "turn": Turn,
    "scoring": Scoring,
}

SOME_VALUES: dict[str, list[Any]] = {
    "draw.reserve": [0, 1, 2, 5, 14],
    "scoring.pips_a_point": [1, 2, 5],
    "scoring.nearest": [1, 2, 5, 10],
    "scoring.win": [0, 1, 40],
    "scoring.out_bonus": [0, 5],
    "scoring.rounded_up": [1, 2, 5, 10],
    "scoring.places": [(), (40, 20, 10), (1,), (3, 3, 1), (5, 0, 2, 0, 9)],
}
"""Values that are tried for the numbers of the parts; all other fields list their choices."""


# Rules drawn by lot ------------------------------------------------------------------------------


def values_of(part: str, name: str) -> list[Any]:
    """The values of a field of a part: all of them, or a few if it is a number."""
    hint = get_type_hints(PARTS[part])[name]
    if hint is bool:
        return [False, True]
    return SOME_VALUES.get(f"{part}.{name}") or list(get_args(hint))


SEATS: list[tuple[int, ...]] = [
    players for count in (1, 2, 3, 4) for players in permutations((2, 3, 4, 5), count)
]
Refusal = tuple[BadRules, dict[str, Any]]
MOST_PARTS = 20_000


def choices_of(part: str) -> Iterable[tuple[Any, ...]]:
    """Every combination of a part's values, or 20,000 by lot if there are more."""
    values = [values_of(part, field.name) for field in fields(PARTS[part])]
    if prod(map(len, values)) <= MOST_PARTS:
        return product(*values)
    chance = random.Random(part)
    return (tuple(map(chance.choice, values)) for _ in range(MOST_PARTS))


@cache
def all_parts(part: str) -> tuple[list[Any], list[Refusal]]:
    """The combinations of a part's values: those that can be built, and those that are refused."""
    made, refused = [PARTS[part]()], []
    names = [field.name for field in fields(PARTS[part])]
    for values in choices_of(part):
        try:
            made.append(PARTS[part](**dict(zip(names, values, strict=True))))
        except BadRules as error:
            chosen = {f"{part}.{name}": value for name, value in zip(names, values, strict=True)}
            refused.append((error, chosen))
    return made, refused


DIGITS = [str(number) for number in range(8)]
SYMBOLS = ["*", *(f"{sign}{number}" for sign in ">+" for number in range(1, 7))]


class Lot:
    """Draws games by lot; a good part of what it draws fits together."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def part(self, name: str) -> Any:
        """A part with any values that go together; often the usual one."""
        return (
            PARTS[name]() if self.chance.random() < 0.5 else self.chance.choice(all_parts(name)[0])
        )

    def layout(self) -> Layout:
        """Any layout; curved tiles have few, so they come up by themselves."""
        meeting: Any = self.chance.choice(["allowed", "forbidden"])
        return self.chance.choice(
            [self.part("layout"), self.part("layout"), Layout(tiles="curved", meeting=meeting)]
        )

    def tiles(self) -> tuple[str, ...]:
        """The tiles of Fundomino; or a list of any, short or long, with many symbols or few."""
        if self.chance.random() < 0.3:
            return domino_env.rules("fundomino").tiles
        faces = self.chance.sample(DIGITS, self.chance.randint(1, 8))
        faces += self.chance.sample(SYMBOLS, self.chance.choice([0, 0, 1, 3, 13]))
        pairs = list(combinations_with_replacement(faces, 2))
        size = self.chance.choice([self.chance.randint(1, 12), self.chance.randint(2, 70)])
        chosen = self.chance.sample(pairs, min(size, len(pairs)))
        return tuple("|".join(self.chance.sample(pair, 2)) for pair in chosen)

    def players(self, teams: bool) -> tuple[int, ...]:
        """Numbers of players; teams are of four, but for an oversight."""
        return (4,) if teams and self.chance.random() < 0.9 else self.chance.choice(SEATS)

    def hand_size(self, players: int) -> Any:
        """One number, one for each number of players, or all."""
        each = tuple(self.chance.randint(2, 6) for _ in range(players))
        one = self.chance.choice([1, 2, 2, 3, 3, 4, 5, 6, 7, 8])
        return self.chance.choice([one, one, each, "all"])

    def set(self) -> dict[str, Any]:
        """A set, one of some; with tiles where they are listed, but for an oversight."""
        name = self.chance.choice(["double_6", *SETS, *[LISTED] * 12])  # more of these are refused
        right = self.chance.random() < 0.98
        return {
            "set": name,
            "sets": self.chance.choice([(*SETS, LISTED), (name,)]),
            "tiles": self.tiles() if (name == LISTED) == right else (),
        }

    def twists(self, listed: bool) -> dict[str, bool]:
        """Any of them; with a set of numbers only by an oversight."""
        often = 0.4 if listed else 0.01
        return {twist: self.chance.random() < often for twist in TWISTS}

    def game(self) -> dict[str, Any]:
        """All that a game is made of."""
        chance, chosen, opening = self.chance, self.set(), self.part("opening")
        teams = chance.random() < 0.2
        players = self.players(teams)
        rows = (opening.tile == "top_of_row") != (chance.random() < 0.03)
        return {
            **chosen,
            "id": chance.choice(["house", "ours"]),
            "title": "House rules",
            "summary": "drawn by lot",
            "source": chance.choice(["", "nowhere"]),
            "players": players,
            "teams": teams,
            "hand_size": self.hand_size(len(players)),
            "rows": rows,
            "opening": opening,
            "layout": self.layout(),
            "match": Match() if chosen["tiles"] and chance.random() < 0.98 else self.part("match"),
            "draw": Draw(forced="none") if rows and chance.random() < 0.9 else self.part("draw"),
            "turn": self.part("turn"),
            "scoring": self.part("scoring"),
            "target": chance.choice([None, chance.randint(1, 12), chance.randint(1, 120)]),
            "exact": chance.random() < 0.3,
            "rounds": chance.choice([None, chance.randint(1, 10)]),
            **self.twists(chosen["set"] == LISTED),
        }

    def rules(self) -> Rules:
        """Any rules that can be built."""
        while True:
            try:
                return Rules(**self.game())
            except BadRules:
                pass


SEEDS = st.integers(0, 2**32 - 1)


def named_values(chosen: dict[str, Any]) -> dict[str, Any]:
    """The fields of a game and of its parts by their full names: `draw.reserve`."""
    found = {}
    for name, value in chosen.items():
        if isinstance(value, tuple(PARTS.values())):
            found |= {f"{name}.{part.name}": getattr(value, part.name) for part in fields(value)}
        else:
            found[name] = value
    return found


def says(message: str, word: object) -> bool:
    """Is the word in the message, by itself?"""
    return re.search(rf"(?<![\w.]){re.escape(str(word))}(?!\w)", message) is not None


def check_message(error: BadRules, chosen: dict[str, Any]) -> None:
    """A refusal names a field and a value that was given for it."""
    message = str(error)
    named = [name for name in chosen if says(message, name) or says(message, name.split(".")[-1])]
    assert named, f"this names no field: {message}"
    values = [chosen[name] for name in named]
    values += [each for value in values if isinstance(value, tuple) for each in value]
    assert any(value is None or says(message, value) for value in values), (
        f"this does not say what was given for {' or '.join(named)}: {message}"
    )


QUIET = settings(
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking a hang takes for ever
)


# What can be built can be played -----------------------------------------------------------------


def within(seconds: float, work: Callable[[], None]) -> None:
    """Does the work, and fails if it takes longer: a kernel that hangs cannot be stopped, but it
    can be left alone."""
    raised: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = Thread(target=guarded, daemon=True)
    thread.start()
    thread.join(seconds)
    assert not thread.is_alive(), f"not done after {seconds} seconds"
    if raised:
        raise raised[0]


def most_decisions(batch: Batch) -> int:
    """More decisions than a round can have: each tile is played, drawn, passed with and stopped
    after at the most once, and each seat answers at the most three questions about it."""
    return batch.rules.num_tiles * (4 + 3 * batch.num_players)


def play_out(batch: Batch, rounds: int) -> None:
    """Plays at random until every lane is over, which must come in so many rounds."""
    events, ends = batch.events.shape[1], num_ends(batch.rules)
    batch.reset()
    check_features(batch)
    for _ in range(rounds * most_decisions(batch)):
        live = batch.seat >= 0
        assert ((batch.num_legal > 0) == live).all(), "a seat to move has no move"
        assert (batch.games["log_size"] <= events).all(), "a log has run over"
        assert (batch.games["num_ends"] <= ends).all(), "too many ends"
        if not live.any():
            break
        batch.step(batch.sample())
    assert (batch.seat < 0).all(), "it does not end"
    assert batch.done.all()
    assert (batch.games["round_over"] == 1).all(), "the match is over, and the round is not"
    assert (batch.games["stage"] == PLAY).all(), "something is asked when all is over"
    assert not batch.mask.any()
    check_features(batch)
    if batch.episode == "match":
        for lane in range(batch.num_games):
            check_winners(batch, lane)


def check_winners(batch: Batch, lane: int) -> None:
    """The highest total wins a match; a shared one is a draw (G11)."""
    position = batch.position(lane)
    best = [seat for seat, score in enumerate(position.scores) if score == max(position.scores)]
    alone = len(best) == (2 if batch.rules.teams else 1)
    assert position.winners == (best if alone else []), position


def check_features(batch: Batch) -> None:
    """All numbers that are neither points nor rounds are from 0 to 1."""
    at = 0
    for field in batch.fields:
        numbers = batch.observation[:, at : at + field.size]
        at += field.size
        assert np.isfinite(numbers).all(), field
        if not field.name.endswith(("score", "claim", "round")):
            assert numbers.min() >= 0, field
            assert numbers.max() <= 1, field


def watch(batch: Batch) -> None:
    """Plays a round at random, and asks a witness whose turn it is and for the legal moves."""
    batch.reset()
    while batch.seat[0] >= 0:
        position = batch.position()
        course = Course(batch, position)
        assert whose_turn(batch, course) in (None, position.turn), position
        legal, told = {*position.legal}, legal_moves(batch, course)
        assert legal == told, f"{[*map(str, legal ^ told)]} are not, or should be, in\n{position}"
        batch.step(batch.sample())


def play_all(rules: Rules) -> None:
    """A thousand rounds, some short matches and a round with a witness with every number of
    players."""
    calls = ("automatic", "explicit") if rules.has_calls else ("automatic",)
    for players in rules.players:
        for way in calls:
            options: dict[str, Any] = {"seed": players, "calls": way, "autoreset": False}
            play_out(Batch(rules, 1000 // len(calls), players, **options), 1)
            few = replace(rules, rounds=min(rules.rounds or 3, 3))
            play_out(Batch(few, 20, players, episode="match", **options), 3)
        watch(Batch(rules, 1, players, **options))


def describe(rules: Rules) -> None:
    """Notes what is unusual about a game."""
    usual = {field.name: field.default for field in fields(Rules)}
    usual |= named_values({part: kind() for part, kind in PARTS.items()})
    for name, value in named_values(vars(rules)).items():
        if usual.get(name, MISSING) != value:
            note(f"{name} = {value!r}")


@pytest.mark.slow
@settings(QUIET, max_examples=500)
@given(seed=SEEDS)
def test_any_rules_that_can_be_built_finish_a_thousand_random_rounds(seed: int) -> None:
    rules = Lot(seed).rules()
    describe(rules)
    within(30, lambda: play_all(rules))


@pytest.mark.slow
@settings(QUIET, max_examples=40)
@given(seed=SEEDS, target=st.integers(1, 30))
def test_a_match_to_a_target_comes_to_an_end(seed: int, target: int) -> None:
    rules = Lot(seed).rules()
    assume(rules.scoring.left == "winner")
    match = replace(rules, target=target, exact=False, rounds=None)
    describe(match)
    batch = Batch(match, 8, seed=1, episode="match", autoreset=False)
    within(30, lambda: play_out(batch, 500))
    assert (batch.state()["scores"].max(1) >= target).all()


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
    **dict.fromkeys(("teams", "exact", *TWISTS), SWITCHES),
    **{part: [None, "usual", {}, Rules] for part in PARTS},
    "target": [0, 100_001, 10**30, *NUMBERS[1:]],
    "rounds": [0, 100_001, 10**30, *NUMBERS[1:]],
}
"""Values that no game can have, for every field of `Rules`."""


def nonsense_for(part: str, name: str) -> list[Any]:
    """Values that a field of a part cannot have."""
    hint = get_type_hints(PARTS[part])[name]
    if hint is bool:
        return SWITCHES
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


CURVED = Layout(tiles="curved")
HIGHEST_TILE = Opening(without_double="highest_tile")

# Every pair of parts that cannot be together, and what its refusal must speak of.
TOGETHER: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"opening": Opening(starter="lot", tile="top_of_row")},
        ["rows", "opening.tile", "top_of_row"],
    ),
    ({"rows": True}, ["rows", "opening.tile", "that_double"]),
    ({"layout": Layout(arms="four"), "opening": Opening(tile="any")}, ["opening.tile", "any"]),
    ({"draw": Draw(while_crossing="one")}, ["draw.while_crossing", "layout.cross_first"]),
    ({"hand_size": 8, "players": (4,)}, ["hand_size", "8", "28"]),
    ({"hand_size": 7, "draw": Draw(reserve=1)}, ["hand_size", "draw.reserve", "1"]),
    ({"hand_size": 1}, ["hand_size", "1"]),
    ({"set": "double_9", "sets": ("double_6",)}, ["double_6", "double_9"]),
    ({"target": None}, ["target", "rounds"]),
    ({"target": None, "rounds": 3, "exact": True}, ["exact", "target"]),
    ({"scoring": Scoring(left="penalties")}, ["penalties", "rounds"]),
    ({"scoring": Scoring(win=3), "exact": True}, ["target", "exact", "100", "3"]),
    (
        {"scoring": Scoring(plays="fives"), "layout": Layout(arms="one")},
        ["scoring.plays", "fives", "arms"],
    ),
    (
        {"scoring": Scoring(plays="same_ends"), "layout": Layout(doubles="fork")},
        ["scoring.plays", "same_ends", "layout.doubles"],
    ),
    (
        {
            "layout": Layout(arms="four", cross_first=True),
            "draw": {"forced": "one", "then": "end_turn", "while_crossing": "until_playable"},
        },
        ["draw.then", "end_turn", "draw.while_crossing", "until_playable"],
    ),
    ({"teams": True}, ["teams", "players", "(2, 3, 4)"]),
    ({"teams": True, "players": (2, 4)}, ["teams", "players", "(2, 4)"]),
    (
        {"teams": True, "players": (4,), "scoring": Scoring(left="penalties"), "rounds": 4},
        ["teams", "scoring.left", "penalties"],
    ),
    *(({twist: True}, [twist, "listed", "double_6"]) for twist in TWISTS),
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
        {"scoring": Scoring(plays="same_ends"), "layout": CURVED},
        ["scoring.plays", "same_ends", "layout.tiles", "curved"],
    ),
]

# The same for the parts of games of listed tiles.
OF_LISTED_TILES: list[tuple[dict[str, Any], list[str]]] = [
    ({"match": Match(by="sum")}, ["match.by", "sum", "listed"]),
    ({"perfect_ten": True, "layout": Layout()}, ["perfect_ten", "layout.tiles", "straight"]),
    (
        {"perfect_ten": True, "scoring": Scoring(plays="fives")},
        ["perfect_ten", "scoring.plays", "fives"],
    ),
    (
        {"perfect_ten": True, "scoring": Scoring(pips_a_point=4, nearest=4)},
        ["perfect_ten", "scoring.pips_a_point", "10", "4"],
    ),
    (
        {"double_stakes": True, "tiles": ("1|1", "1|3", "3|3", "2|1"), "hand_size": 2},
        ["double_stakes", "2|2", "tiles"],
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
    for chosen in [*games, *(Lot(seed).game() for seed in range(3000))]:
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


# Games that can never be dealt, or never end -----------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "changes"),
    [
        # Nobody can ever hold a double to open with (G3): one of symbols does not open.
        (("1|2", "2|3", "3|4", ">1|>1", "*|*", "+2|2"), {"opening": Opening()}),
        # There is one to open with, but nothing can ever follow it (G5).
        (("6|6", "1|2", "2|3", "3|4", "4|5", "5|1"), {"opening": Opening()}),
        (("1|1", "2|2", "3|3", "4|4"), {"opening": HIGHEST_TILE}),
        (("1|1", "2|3", "4|5", "6|7"), {"opening": Opening(starter="lot", tile="from_boneyard")}),
    ],
)
def test_tiles_that_would_be_dealt_again_for_ever_are_refused(
    tiles: tuple[str, ...], changes: dict[str, Any]
) -> None:
    """Asking is not done here: a deal that never comes cannot be stopped."""
    hands = 1 if changes["opening"].tile == "from_boneyard" else 2
    with pytest.raises(BadRules, match="tiles"):
        domino_env.rules("fundomino", tiles=tiles, players=(2,), hand_size=hands, **changes)


def points_of_rounds(rules: Rules) -> set[int]:
    """All that the end of a round can be worth."""
    scoring, most = rules.scoring, 5 * max(map(rules.tile_set.pips, range(rules.num_tiles)))
    found = {points for points in scoring.places if points}
    if not found and scoring.win:
        found = {scoring.win}
    elif not found:
        rounded = range(0, most + scoring.nearest, scoring.nearest)
        up = scoring.rounded_up
        found = {-(-pips // up) * up // scoring.pips_a_point for pips in rounded} - {0}
    return found | {2 * points for points in found if rules.double_stakes}


def points_of_plays(rules: Rules) -> set[int]:
    """All that a play can be worth."""
    if rules.scoring.plays == "same_ends":
        return {2, 3}
    unit = 10 if rules.perfect_ten else 5 if rules.scoring.plays == "fives" else 0
    return {pips // rules.scoring.pips_a_point for pips in range(unit, 20 * unit, unit or 1)} - {0}


def check_exact(rules: Rules) -> None:
    """Whatever a player has, the least that can be scored leads on to the target."""
    points = points_of_rounds(rules) | points_of_plays(rules)
    assert rules.target is not None
    stuck = {each for each in (*points, rules.target) if each % min(points)}
    assert not stuck, f"by {min(points)} nobody comes to {sorted(stuck)[:5]}: {rules.scoring}"


@pytest.mark.slow
@settings(QUIET, max_examples=200)
@given(seed=SEEDS)
def test_an_exact_target_can_be_reached_from_every_score(seed: int) -> None:
    lot = Lot(seed)
    rules = lot.rules()
    while not rules.exact:
        rules = lot.rules()
    describe(rules)
    check_exact(rules)


@pytest.mark.parametrize("ten", [False, True])
@pytest.mark.parametrize("plays", ["nothing", "fives", "same_ends"])
def test_an_exact_target_that_rounding_can_pass_by_is_refused(plays: Any, ten: bool) -> None:
    """Points are rounded twice over: to the nearest, then up, and then counted by so many pips."""
    for unit, near, up, target in product(
        (1, 2, 4, 5), (1, 2, 4, 5, 10), (1, 2, 3, 5, 10), (6, 60)
    ):
        numbers: Any = {"pips_a_point": unit, "nearest": near, "rounded_up": up}
        rules = built(
            "fundomino" if ten else "block_draw",
            partial(Scoring, plays=plays, **numbers),
            opening=ANY_TILE,
            perfect_ten=ten,
            exact=True,
            target=target,
        )
        if rules is not None:
            check_exact(rules)


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


ANY_TILE = Opening(starter="lot", tile="any")

# A match that nobody can ever win is no game -----------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"scoring": Scoring(nearest=1000)},  # a round is never worth 500 pips: always rounded to 0
        {"target": 1, "exact": True, "scoring": Scoring(plays="same_ends", win=2)},  # 2s and 3s
        {"target": 7, "exact": True, "scoring": Scoring(plays="fives", nearest=5, win=5)},
        {"target": 8, "exact": True, "scoring": Scoring(plays="fives", win=3)},  # stuck at 5 or 6
    ],
)
def test_a_target_that_no_points_can_reach_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadRules, match="target"):
        domino_env.rules("block_draw", opening=ANY_TILE, **changes)


@pytest.mark.parametrize(
    ("target", "scoring"),
    [
        (5, Scoring(plays="fives", win=5)),
        (10, Scoring(plays="fives", nearest=5)),
        (9, Scoring(plays="same_ends", win=1)),
        (7, Scoring(win=7)),
    ],
)
def test_an_exact_target_that_points_can_add_up_to_is_accepted(
    target: int, scoring: Scoring
) -> None:
    match = domino_env.rules(
        "block_draw", target=target, exact=True, scoring=scoring, opening=ANY_TILE
    )
    batch = Batch(match, 8, seed=0, episode="match", autoreset=False)
    within(20, lambda: play_out(batch, 500))
    assert (batch.state()["scores"].max(1) == target).all()


def test_an_opening_that_hits_an_exact_target_is_not_dealt_again_for_ever() -> None:
    """Every opening double scores 2: a match to exactly 2 has no decision in it, whoever opens."""
    scoring = Scoring(plays="same_ends", win=1)
    try:
        match = domino_env.rules("block_draw", target=2, exact=True, scoring=scoring)
    except BadRules as error:
        check_message(error, {"target": 2, "exact": True})
    else:
        within(5, lambda: Batch(match, 1, seed=0, episode="match").reset())


# Parts that no variant has together ---------------------------------------------------------------


def built(
    variant: str, scoring: Callable[[], Scoring] | None = None, **changes: Any
) -> Rules | None:
    """A house rule; None if it, or its scoring, is refused."""
    try:
        if scoring is not None:
            changes["scoring"] = scoring()
        return domino_env.rules(variant, **changes)
    except BadRules:
        return None


def test_a_start_tile_does_not_come_out_of_the_reserve() -> None:
    """Two hands of seven leave fourteen tiles: if all of them are reserve, none can be laid out."""
    rules = built("yourturnmyturn", draw=Draw(reserve=14))
    if rules is not None:
        batch = Batch(rules, 1, seed=0)
        batch.reset()
        assert len(batch.position().boneyard) >= 14
        check_features(batch)


def test_tiles_set_aside_are_not_drawn() -> None:
    """`hand_size="all"` sets the rest aside: one tile of 28 with three players."""
    rules = built("block_draw", hand_size="all", players=(3,))
    if rules is not None:
        batch = Batch(rules, 50, seed=0, autoreset=False)
        play_out(batch, 1)
        events = [event for lane in range(50) for event in batch.position(lane).events]
        assert not [event for event in events if event.kind == "draw"]


def test_the_top_of_a_row_scores_as_any_opening_does() -> None:
    rules = built("blind", lambda: Scoring(plays="fives"), players=(2,))
    if rules is not None:
        tiles = [(low, high) for low in range(7) for high in range(low, 7) if (low, high) != (5, 5)]
        hands = [[(5, 5), *tiles[:13]], tiles[13:]]
        batch = Batch(rules, 1)
        batch.reset(options={"deal": {"hands": hands, "boneyard": [], "starter": 0}})
        assert batch.position().scores == [10, 0]  # G4: a 5-5 opening makes ten


def test_whoever_hits_an_exact_target_wins_whatever_place_the_others_have() -> None:
    rules = built(
        "block_draw",
        lambda: Scoring(places=(20, 10)),
        players=(3,),
        opening=ANY_TILE,
        target=60,
        exact=True,
    )
    if rules is not None:
        play_out(Batch(rules, 200, seed=0, episode="match", autoreset=False), 50)


def test_an_exact_target_hit_with_the_last_tile_but_one_is_the_end() -> None:
    """Nothing is asked any more, not even about "Domino!"."""
    rules = built(
        "five_up",
        lambda: Scoring(plays="fives"),
        target=5,
        turn=Turn(says_domino=True),
        hand_size=3,
    )
    if rules is not None:
        for way in ("automatic", "explicit"):
            play_out(Batch(rules, 200, seed=0, calls=way, autoreset=False), 1)


def test_a_tile_that_was_drawn_may_be_kept_but_not_once_it_has_been_played() -> None:
    rules = built("bendomino", turn=Turn(again="after_any"), hand_size=4, players=(2,))
    if rules is not None:
        for seed in range(50):
            watch(Batch(rules, 1, seed=seed, autoreset=False))


FEW_DOUBLES = ("1|2", "1|1", "2|2", "1|3", "2|3", "3|3", "1|4", "2|4", "3|4")


@pytest.mark.parametrize("doubles", ["spinner", "fork"])
@pytest.mark.parametrize("arms", ["one", "two"])
@pytest.mark.parametrize(
    "opening", [ANY_TILE, Opening(starter="lot", tile="from_boneyard"), HIGHEST_TILE]
)
def test_every_double_may_branch_when_none_of_them_has_opened(
    opening: Opening, arms: Any, doubles: Any
) -> None:
    rules = built(
        "block_draw",
        set=LISTED,
        sets=(LISTED,),
        tiles=FEW_DOUBLES,
        players=(2,),
        hand_size=2,
        layout=Layout(arms=arms, doubles=doubles),
        opening=opening,
    )
    if rules is not None:
        play_out(Batch(rules, 3000, seed=0, autoreset=False), 1)


def test_the_highest_tile_stands_in_for_the_lowest_double_too() -> None:
    opening = Opening(starter="lowest_double", without_double="highest_tile")
    rules = built("block_draw", opening=opening, players=(2,), hand_size=2)
    if rules is not None:
        hands = [[(0, 1), (2, 3)], [(3, 5), (1, 5)]]
        rest = [tile for tile in rules.tile_set.faces if tile not in [*hands[0], *hands[1]]]
        batch = Batch(rules, 1)
        batch.reset(options={"deal": {"hands": hands, "boneyard": rest}})
        assert batch.position().played[0] == ((3, 5), 1)


RAISED = [["2|2", "1|2"], ["2|5", "1|1"]]
"""Seat 0 opens with the 2|2 and raises; 1 plays the 2|5; 0 is out. Seat 1 holds two pips."""


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        (Scoring(), [4, 0]),
        (Scoring(rounded_up=10), [20, 0]),
        (Scoring(places=(40,)), [80, 0]),
        (Scoring(win=3), [6, 0]),
        (Scoring(left="penalties", out_bonus=5), [0, -14]),
    ],
)
def test_accepted_stakes_count_twice_whatever_a_round_is_worth(
    scoring: Scoring, expected: list[int]
) -> None:
    rules = built(
        "fundomino",
        lambda: scoring,
        tiles=(*RAISED[0], *RAISED[1]),
        players=(2,),
        hand_size=2,
        rounds=1,
        double_stakes=True,
    )
    if rules is not None:
        batch = Batch(rules, 1, autoreset=False)
        batch.reset(options={"deal": {"hands": RAISED, "boneyard": []}})
        for word in ("RAISE", "ACCEPT", "[2|5] by 2 → end 0", "[1|2] by 2 → end 1"):
            legal = {str(m): a for m, a in zip(*legal_of(batch), strict=True)}
            batch.step([legal[word]])
        assert batch.position().scores == expected


def legal_of(batch: Batch) -> tuple[list[Any], list[int]]:
    """The legal moves of lane 0, and their actions."""
    position = batch.position()
    return position.legal, position.legal_actions


def test_who_is_out_is_not_charged_for_it_whoever_has_most_points() -> None:
    """Plays earn points and hands cost some: who is out has none to pay for."""
    rules = built(
        "all_fives",
        lambda: Scoring(plays="fives", left="penalties", out_bonus=50, bonus_to="most_points"),
        rounds=1,
        players=(2,),
        hand_size=2,
    )
    if rules is not None:
        batch = Batch(rules, 400, seed=1, autoreset=False)
        play_out(batch, 1)
        scores, left = batch.games["scores"][:, :2], batch.games["hand_size"][:, :2]
        assert (scores[left == 0] >= 0).all()


# House rules by name -----------------------------------------------------------------------------


def test_an_unknown_variant_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownVariant) as refusal:
        domino_env.rules("all_five")
    assert str(refusal.value) == "unknown variant 'all_five'; did you mean 'all_fives'?"


@pytest.mark.parametrize("variant", ["", "xyzzy", None, 5, ["block_draw"], {}])
def test_what_is_near_no_variant_is_answered_with_all_of_them(variant: Any) -> None:
    with pytest.raises(UnknownVariant) as refusal:
        domino_env.rules(variant)
    assert repr(variant) in str(refusal.value)
    assert all(known in str(refusal.value) for known in domino_env.variants())


@pytest.mark.parametrize(
    ("option", "nearest"),
    [("handsize", "hand_size"), ("tagret", "target"), ("Draw", "draw"), ("layouts", "layout")],
)
def test_an_unknown_option_is_answered_with_the_nearest(option: str, nearest: str) -> None:
    with pytest.raises(BadRules) as refusal:
        domino_env.rules("bergen", **{option: 1})
    assert str(refusal.value) == f"bergen has no option {option!r}; did you mean {nearest!r}?"


def test_a_house_rule_cannot_take_the_id_of_another_game() -> None:
    with pytest.raises(BadRules, match="bergen has no option 'id'"):
        domino_env.rules("bergen", id="cross")


def test_a_wrong_choice_is_answered_with_the_nearest() -> None:
    with pytest.raises(BadRules, match="did you mean 'until_playable'"):
        Draw(forced="until_playble")  # type: ignore[arg-type]
    with pytest.raises(BadRules, match="did you mean 'double_12'"):
        domino_env.rules("bergen", set="double12")


def test_a_house_rule_changes_what_it_names_and_nothing_else() -> None:
    usual = domino_env.rules("bergen")
    house = domino_env.rules("bergen", hand_size=4, target=20)
    assert (house.hand_size, house.target) == (4, 20)
    assert replace(house, hand_size=usual.hand_size, target=usual.target) == usual
    assert domino_env.rules("bergen") == usual


@pytest.mark.parametrize("name", ["hand_size", "sets", "tiles"])
def test_lists_as_they_come_from_a_file_do_as_well_as_tuples(name: str) -> None:
    value = getattr(domino_env.rules("fundomino"), name)
    assert isinstance(value, tuple)
    house = domino_env.rules("fundomino", **{name: list(value)})
    assert house == domino_env.rules("fundomino")
    batch = Batch(house, 1, seed=0)
    batch.reset()
    assert batch.mask.any()
