"""Makes the positions of `text.positions`: decisions of every game with the values of their moves.

    python -m tools.positions                        # goes on with every game; `make positions`
    python -m tools.positions block_draw matador     # with some of them
    python -m tools.positions --seconds 600          # of the processor, for each game

Each seed deals one game, in which everybody plays as `heuristic` would, or now and then at random;
one decision of it is taken by lot. A decision is kept if its moves are not all worth the same, its
information set is new, and its values settle. Whatever is there already stays: a game goes on at
the seed that comes next, until it has its thousand positions or its time is up.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rich.console import Console

import domino_env
from domino_env import agents
from domino_env.batches import Batch
from domino_env.errors import BadRules, did_you_mean
from domino_env.evaluate.move_values import MOST_WORLDS, WITHIN, values_of
from domino_env.files import write_whole
from domino_env.text import prompt
from domino_env.text.positions_file import Collection, Entry, ValuedMove, path_of, unpacked
from domino_env.text.valued_positions import set_up

POSITIONS = 1000
SECONDS = 60.0  # for each game
WORLDS = 20_000  # for one position: with more, a thousand of each game would take days
AT_RANDOM = 0.25  # of the decisions before the position
PLAYERS = ("heuristic", "turn_first", "optimal")  # the first that plays a game plays it
MINI = {"set": "double_3", "players": [2], "hand_size": 3}
SAVED_EVERY = 10.0  # seconds
_LANE = np.zeros(1, np.int64)


def collections() -> dict[str, Collection]:
    """An empty collection for each game in which there is something to decide, and for each that
    can be played with a mini set."""
    found = {}
    for name in domino_env.variants():
        rules = domino_env.rules(name)
        if any(agents.plays(agents.found(player), rules) for player in PLAYERS):
            usual = Collection(name, {}, rules.players[0], WITHIN, WORLDS)
            found[usual.name] = usual
        if rules.has_opponents and _has_mini_set(name):
            mini = Collection(name, dict(MINI), 2, 0.0, MOST_WORLDS)
            found[mini.name] = mini
    return found


def _has_mini_set(name: str) -> bool:
    try:
        domino_env.rules(name, **MINI)
    except BadRules:
        return False
    return True


def kept(empty: Collection) -> Collection:
    """What is there of a collection; nothing, if it has been made in another way."""
    path = path_of(empty.name)
    found = unpacked(path.read_bytes()) if path.exists() else empty
    same = replace(found, tried=0, entries=[]) == empty
    return found if same else empty


@dataclass
class Maker:
    """Adds positions to a collection."""

    made: Collection

    def __post_init__(self) -> None:
        rules = self.made.rules
        self._batch = Batch(rules, 1, self.made.seats, autoreset=False)
        names = [name for name in PLAYERS if agents.plays(agents.found(name), rules)]
        self._player = agents.make_seeded(names[0], 0)
        self._seen = {each.prompt(rules=False) for each in set_up(self.made)}

    def go_on(self, most: int, seconds: float) -> Iterator[None]:
        """Tries one seed after another."""
        end = time.process_time() + seconds
        while len(self.made.entries) < most and time.process_time() < end:
            self._try(self.made.tried)
            self.made.tried += 1
            yield

    def _try(self, seed: int) -> None:
        chance = np.random.default_rng([seed, 20])
        decisions = self._play(seed, chance)
        if not decisions:
            return
        actions = decisions[chance.integers(len(decisions))]
        self._set_up(seed, actions)
        told = prompt(self._batch, rules=False)
        moves = [] if told in self._seen else self._valued(seed)
        if moves and moves[0].value - moves[-1].value >= 0.01:
            self._seen.add(told)
            self.made.entries.append(Entry(seed, actions, tuple(moves)))

    def _valued(self, seed: int) -> list[ValuedMove]:
        within, most = self.made.within or WITHIN, self.made.most
        found = values_of(self._batch, 0, within=within, most=most, seed=seed)
        if self.made.within == 0.0 and any(each.error for each in found):
            return []
        return [ValuedMove(*each) for each in found]

    def _play(self, seed: int, chance: np.random.Generator) -> list[tuple[int, ...]]:
        """Plays a game; what had been done before each decision in it."""
        batch, decisions = self._batch, []
        batch.reset(seed=seed)
        done: list[int] = []
        while batch.seat[0] >= 0:
            legal = batch._legal_of(0)
            if len(legal) > 1:
                decisions.append(tuple(done))
            done.append(self._choose(legal, chance))
            batch.step_one(done[-1])
        return decisions

    def _choose(self, legal: list[int], chance: np.random.Generator) -> int:
        if len(legal) == 1:
            return int(legal[0])
        if chance.random() < AT_RANDOM:
            return int(legal[chance.integers(len(legal))])
        return int(self._player.act(self._batch, _LANE)[0])

    def _set_up(self, seed: int, actions: tuple[int, ...]) -> None:
        self._batch.reset(seed=seed)
        for action in actions:
            self._batch.step_one(action)


def make(collection: Collection, most: int, seconds: float, console: Console) -> None:
    """Makes what is missing of a collection, and writes it every now and then."""
    maker, saved = Maker(collection), time.monotonic()
    began, before = time.process_time(), len(collection.entries)
    for _ in maker.go_on(most, seconds):
        if time.monotonic() - saved > SAVED_EVERY:
            _write(collection)
            saved = time.monotonic()
    _write(collection)
    spent = time.process_time() - began
    console.print(
        f"{collection.name}: {len(collection.entries)} positions of {collection.tried} deals; "
        f"{len(collection.entries) - before} of them now, in {spent:.0f} s",
        highlight=False,
    )


def _write(collection: Collection) -> None:
    if collection.entries:
        path_of(collection.name).parent.mkdir(exist_ok=True)
        write_whole(path_of(collection.name), collection.packed())


def main(arguments: list[str] | None = None) -> int:
    """Goes on with all collections, or with those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="collections; all by default")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each game (1000)")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="of the processor, for each game (60)"
    )
    options = parser.parse_args(arguments)
    known: dict[str, Any] = collections()
    for name in options.names:
        if name not in known:
            parser.error(f"unknown collection {name!r}{did_you_mean(name, known)}")
    for name in options.names or known:
        make(kept(known[name]), options.positions, options.seconds, Console(stderr=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
