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

import sys
from dataclasses import dataclass

import numpy as np
from rich.console import Console

import domino_env
from domino_env import agents
from domino_env.batches import Batch
from domino_env.batches.playing_on import play_on
from domino_env.errors import BadRules
from domino_env.evaluate.move_values import MOST_WORLDS, WITHIN, values_of
from domino_env.text import prompt
from domino_env.text.positions_file import Collection, Entry, ValuedMove, path_of, unpacked
from domino_env.text.valued_positions import set_up
from tools.collecting import asked_for, decisions_of, kept, make

POSITIONS = 1000
WORLDS = 20_000  # for one position: with more, a thousand of each game would take days
AT_RANDOM = 0.25  # of the decisions before the position
PLAYERS = ("heuristic", "turn_first", "optimal")  # the first that plays a game plays it
MINI = {"set": "double_3", "players": [2], "hand_size": 3}
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

    def try_seed(self, seed: int) -> None:
        """Adds a decision of a deal, if its values settle and it is not there yet."""
        chance = np.random.default_rng([seed, 20])
        self._batch.reset(seed=seed)
        decisions = decisions_of(self._batch, lambda: self._choose(chance))
        if not decisions:
            return
        actions = decisions[chance.integers(len(decisions))]
        self._batch.reset(seed=seed)
        play_on(self._batch, [actions])
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

    def _choose(self, chance: np.random.Generator) -> int:
        legal = self._batch._legal_of(0)
        if len(legal) == 1:
            return int(legal[0])
        if chance.random() < AT_RANDOM:
            return int(legal[chance.integers(len(legal))])
        return int(self._player.act(self._batch, _LANE)[0])


def main(arguments: list[str] | None = None) -> int:
    """Goes on with all collections, or with those that are named."""
    known = collections()
    options = asked_for(__doc__.split("\n")[0], known, POSITIONS, arguments)
    for name in options.names:
        collection = kept(known[name], path_of(name), unpacked)
        maker = Maker(collection)
        make(maker, path_of(name), options.positions, options.seconds, Console(stderr=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
