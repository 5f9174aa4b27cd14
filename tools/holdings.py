"""Makes the positions of `belief.holdings`: who holds what, in every game for two or more.

    python -m tools.holdings                        # goes on with every game; `make holdings`
    python -m tools.holdings block_draw matador     # with some of them
    python -m tools.holdings --seconds 600          # of the processor, for each game

Each seed deals one game between agents who are seated by lot (`evaluate.mixed_play`); one decision
of it is taken by lot. It is kept if the seat to move does not know already who holds what, and if
that can be counted exactly. Whatever is there already stays: a game goes on at the seed that comes
next, until it has its positions or its time is up.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from rich.console import Console

import domino_env
from domino_env import belief
from domino_env.batches import Batch
from domino_env.batches.playing_on import play_on
from domino_env.belief.guesses import Shares, hidden_tiles, holders, normalised, places_of
from domino_env.belief.holdings_file import Entry, HoldingsFile, PlayAware, path_of, unpacked
from domino_env.belief.weighing import Weighted
from domino_env.errors import TooUncertain
from domino_env.evaluate.belief_benchmark import log_losses
from domino_env.evaluate.mixed_play import RANDOM_SHARE, MixedPlay, usual_players
from domino_env.games import AnyRules
from tools.collecting import asked_for, decisions_of, kept, make

POSITIONS = 200
WORLDS = 1000  # to weigh in a position
_LANE = np.zeros(1, np.int64)


def collections() -> dict[str, HoldingsFile]:
    """An empty file for each game for two or more."""
    found = {}
    for name in domino_env.variants():
        rules = domino_env.rules(name)
        if rules.has_opponents:
            seats, players = seats_with_secrets(rules), usual_players(rules)
            found[name] = HoldingsFile(name, seats, players, RANDOM_SHARE, WORLDS)
    return found


def seats_with_secrets(rules: AnyRules) -> int:
    """The usual number of players, if then there is something to guess: where two have all tiles,
    each knows the other's."""
    for players in rules.players:
        batch = Batch(rules, 1, players, seed=0)
        batch.reset()
        if (places_of(batch, _LANE, hidden_tiles(batch, _LANE)) > 0).sum() > 1:
            return int(players)
    return int(rules.players[0])


@dataclass
class Maker:
    """Adds positions to a file."""

    made: HoldingsFile

    def __post_init__(self) -> None:
        self._batch = Batch(self.made.rules, 1, self.made.seats, autoreset=False)
        self._play = MixedPlay(self.made.agents, self.made.random_share)

    def try_seed(self, seed: int) -> None:
        """Adds a position of a deal, if there is something in it that cannot be known, and if that
        can be counted."""
        with suppress(TooUncertain):
            self._try(seed)

    def _try(self, seed: int) -> None:
        rng, batch = np.random.default_rng([seed, 22]), self._batch
        batch.reset(seed=seed)
        seating = self._play.seats(batch, rng)
        decisions = decisions_of(batch, lambda: int(self._play.actions(batch, seating, rng)[0]))
        if not decisions:
            return
        actions = decisions[int(rng.integers(len(decisions)))]
        batch.reset(seed=seed)
        play_on(batch, [actions])
        shares = belief.exact(batch, _LANE)[0]
        if shares.max(1)[hidden_tiles(batch, _LANE)[0]].min(initial=1.0) < 1.0:
            self.made.entries.append(self._entry(seed, actions, shares, seating[0].tolist()))

    def _entry(
        self,
        seed: int,
        actions: tuple[int, ...],
        shares: Shares,
        seated: list[int],
    ) -> Entry:
        batch = self._batch
        columns = holders(batch, _LANE)[0]
        tiles = np.flatnonzero(columns >= 0)
        return Entry(
            seed,
            actions,
            tuple(tiles.tolist()),
            tuple(columns[tiles].tolist()),
            shares[tiles],
            belief.log_likelihood(batch, 0, int(batch.seat[0])),
            self._play_aware(seed, seated),
        )

    def _play_aware(self, seed: int, seated: list[int]) -> PlayAware:
        """The log loss of one who knows who the others are, and how often they play at random."""
        batch, policies = self._batch, [self._play.players[number] for number in seated]
        seat, share = int(batch.seat[0]), self.made.random_share
        with suppress(TooUncertain):
            found = belief.weighted(
                batch, 0, seat, policies, self.made.worlds, seed, random_share=share
            )
            loss = float(log_losses(shares_in(found, batch), holders(batch, _LANE))[0])
            return PlayAware(loss, found.effective_sample_size)
        return PlayAware(0.0, 0.0)


def shares_in(found: Weighted, batch: Batch) -> Shares:
    """How likely each hidden tile is where by weighed worlds, which have a world more: one in which
    all is as counting says. So nothing that was merely not drawn is impossible."""
    worlds = found.worlds
    where = holders(worlds, np.arange(worlds.num_games))
    columns = np.arange(batch.num_players + 1)
    weighed = np.einsum("w,wtc->tc", found.weights, where[:, :, None] == columns)
    size = found.effective_sample_size
    return normalised(size * weighed[None] + belief.exact(batch, _LANE))


def main(arguments: list[str] | None = None) -> int:
    """Goes on with all games, or with those that are named."""
    known = collections()
    options = asked_for(__doc__.split("\n")[0], known, POSITIONS, arguments)
    for name in options.names:
        file = kept(known[name], path_of(name), unpacked)
        make(Maker(file), path_of(name), options.positions, options.seconds, Console(stderr=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
