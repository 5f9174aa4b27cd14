"""Rules drawn by lot, and random rounds played by them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import prod
from threading import Thread
from typing import Any, get_args, get_type_hints

import numpy as np
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st

import domino_env
from domino_env.batches import Batch
from domino_env.engine.game_setup import num_ends
from domino_env.engine.state import PLAY
from domino_env.errors import BadRules
from domino_env.ruleset import (
    LISTED,
    SETS,
    Blocked,
    Bonuses,
    Draw,
    Layout,
    Match,
    Opening,
    Plays,
    Round,
    Rules,
    Tally,
    Turn,
)

PARTS: dict[str, type[Any]] = {
    "opening": Opening,
    "layout": Layout,
    "match": Match,
    "draw": Draw,
    "turn": Turn,
    "plays": Plays,
    "round": Round,
    "blocked": Blocked,
    "bonuses": Bonuses,
    "tally": Tally,
}

SOME_VALUES: dict[str, list[Any]] = {
    "draw.reserve": [0, 1, 2, 5, 14],
    "layout.opening_first": [0, 2, 4, 6],
    "layout.doubles_first": [0, 1, 2, 3, 5],
    "opening.lowest": [0, 0, 1, 3],
    "plays.out": [0, 1, 5],
    "round.key": [0, 2],
    "bonuses.fits_both_ends": [0, 25],
    "bonuses.double_blank": [0, 25],
    "bonuses.opening_pass": [0, 25],
    "bonuses.round_pass": [0, 25],
    "bonuses.own_block": [0, 25],
    "bonuses.opening_pass_no_double": [None, 0, 50],
    "bonuses.by_round": [(), (10, 5)],
    "tally.least_first": [0, 2],
    "tally.cut_off": [None, 3, 20],
    "turn.raised_by": ["", "2|2", "1|3"],
    "plays.multiples": [(5,), (10,), (5, 3), (2, 3, 7)],
    "round.points": [1, 40, 0],
    "round.pips_a_point": [1, 2, 5],
    "round.nearest": [1, 2, 5, 10],
    "round.out_bonus": [0, 5],
    "round.rounded_up": [1, 2, 5, 10],
    "round.places": [(), (40, 20, 10), (1,), (3, 3, 1), (5, 0, 2, 0, 9)],
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
    *(players for count in (1, 2, 3, 4) for players in permutations((2, 3, 4, 5), count)),
    *((6,), (7, 2), (8,), (4, 8)),
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

    def rare(self, name: str) -> Any:
        """The same of a part that needs much else: mostly the usual one."""
        return self.part(name) if self.chance.random() < 0.4 else PARTS[name]()

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

    def worths(self, chosen: dict[str, Any]) -> tuple[tuple[str, int], ...]:
        """Mostly none; else a few tiles of the set, or, by an oversight, of another."""
        tiles = [each for each in chosen["tiles"] if isinstance(each, str)] or ["0|0", "1|3", "2|2"]
        if self.chance.random() < 0.8:
            return ()
        some = self.chance.sample(tiles, min(2, len(tiles)))
        return tuple((tile, self.chance.choice([0, 1, 50])) for tile in some)

    def left_out(self, chosen: dict[str, Any], players: tuple[int, ...]) -> Any:
        """Mostly none; else a tile of the set, or by an oversight of another."""
        tiles = chosen["tiles"] or ("0|0", "1|3", "2|2")
        if self.chance.random() < 0.9:
            return ()
        return ((self.chance.choice(players), self.chance.choice(tiles)),)

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
            "plays": self.part("plays"),
            "round": self.part("round"),
            "blocked": self.rare("blocked"),
            "bonuses": self.rare("bonuses"),
            "tally": self.rare("tally"),
            "worths": self.worths(chosen),
            "left_out": self.left_out(chosen, players),
            "target": chance.choice([None, chance.randint(1, 12), chance.randint(1, 120)]),
            "exact": chance.random() < 0.3,
            "rounds": chance.choice([None, chance.randint(1, 10)]),
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
    events, ends = batch.events.shape[1], num_ends(batch.rules, batch.num_players)
    batch.reset()
    check_features(batch)
    for _ in range(rounds * most_decisions(batch)):
        live = batch.seat >= 0
        assert ((batch.num_legal > 0) == live).all(), "a seat to move has no move"
        assert (batch.games["log_size"] <= events).all(), "a log has run over"
        assert (batch.num_legal < batch.legal.shape[1]).all(), "a list of moves has run over"
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
    position, tally = batch.position(lane), batch.rules.tally
    limit = batch.rules.rounds or 0
    enough = not batch.rules.exact and max(position.scores) >= (batch.rules.target or 10**9)
    if tally.cut_off == position.round and not enough and position.round != limit:
        hit = batch.rules.exact and batch.rules.target in position.scores
        assert bool(position.winners) == hit, "a match that is cut off is drawn"
        return
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
        if not field.name.endswith(("score", "claim", "round", "bonus")):
            assert numbers.min() >= 0, field
            assert numbers.max() <= 1, field


def describe(rules: Rules) -> None:
    """Notes what is unusual about a game."""
    usual = {field.name: field.default for field in fields(Rules)}
    usual |= named_values({part: kind() for part, kind in PARTS.items()})
    for name, value in named_values(vars(rules)).items():
        if usual.get(name, MISSING) != value:
            note(f"{name} = {value!r}")


HIGHEST_TILE = Opening(without_double="highest_tile")


ANY_TILE = Opening(starter="lot", tile="any")


# Parts that no variant has together ---------------------------------------------------------------


def built(
    variant: str, parts: Callable[[], dict[str, Any]] | None = None, **changes: Any
) -> Rules | None:
    """A house rule; None if it, or one of its parts, is refused."""
    try:
        return domino_env.rules(variant, **(parts() if parts is not None else {}), **changes)
    except BadRules:
        return None
