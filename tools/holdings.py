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

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from rich.console import Console
from rich.progress import Progress

import domino_env
from domino_env import belief
from domino_env.batches import Batch
from domino_env.batches.playing_on import play_on
from domino_env.belief.guesses import Shares, hidden_tiles, holders, normalised, places_of
from domino_env.belief.holdings_file import Entry, HoldingsFile, PlayAware, path_of, unpacked
from domino_env.belief.weighing import Weighted
from domino_env.errors import TooUncertain, did_you_mean
from domino_env.evaluate.belief_benchmark import log_losses
from domino_env.evaluate.mixed_play import RANDOM_SHARE, MixedPlay, Seating, usual_players
from domino_env.files import write_whole
from domino_env.games import AnyRules

POSITIONS = 200
SECONDS = 60.0  # for each game
WORLDS = 1000  # to weigh in a position
SAVED_EVERY = 10.0  # seconds
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


def kept(empty: HoldingsFile) -> HoldingsFile:
    """What is there of a game; nothing, if it has been made in another way."""
    path = path_of(empty.game)
    found = unpacked(path.read_bytes()) if path.exists() else empty
    same = replace(found, tried=0, entries=[]) == empty
    return found if same else empty


@dataclass
class Maker:
    """Adds positions to a file."""

    made: HoldingsFile

    def __post_init__(self) -> None:
        self._batch = Batch(self.made.rules, 1, self.made.seats, autoreset=False)
        self._play = MixedPlay(self.made.agents, self.made.random_share)

    def go_on(self, most: int, seconds: float) -> Iterator[None]:
        """Tries one seed after another."""
        end = time.process_time() + seconds
        while len(self.made.entries) < most and time.process_time() < end:
            with suppress(TooUncertain):
                self._try(self.made.tried)
            self.made.tried += 1
            yield

    def _try(self, seed: int) -> None:
        """Adds a position of a deal, if there is something in it that cannot be known."""
        rng, batch = np.random.default_rng([seed, 22]), self._batch
        batch.reset(seed=seed)
        seating = self._play.seats(batch, rng)
        decisions = self._decisions(seating, rng)
        if not decisions:
            return
        actions = decisions[int(rng.integers(len(decisions)))]
        batch.reset(seed=seed)
        play_on(batch, [actions])
        shares = belief.exact(batch, _LANE)[0]
        if shares.max(1)[hidden_tiles(batch, _LANE)[0]].min(initial=1.0) < 1.0:
            self.made.entries.append(self._entry(seed, actions, shares, seating[0].tolist()))

    def _decisions(self, seating: Seating, rng: np.random.Generator) -> list[tuple[int, ...]]:
        """Plays a game; what had been done before each decision in it."""
        batch, done, decisions = self._batch, [], []
        while batch.seat[0] >= 0:
            if batch.num_legal[0] > 1:
                decisions.append(tuple(done))
            chosen = self._play.actions(batch, seating, rng)
            done.append(int(chosen[0]))
            batch.step(chosen)
        return decisions

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


def make(file: HoldingsFile, most: int, seconds: float, console: Console) -> None:
    """Makes what is missing of a file, and writes it every now and then."""
    maker, saved, began = Maker(file), time.monotonic(), time.process_time()
    before = len(file.entries)
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task(file.game, total=most, completed=before)
        for _ in maker.go_on(most, seconds):
            progress.update(bar, completed=len(file.entries))
            if time.monotonic() - saved > SAVED_EVERY:
                _write(file)
                saved = time.monotonic()
    _write(file)
    spent = time.process_time() - began
    console.print(
        f"{file.game}: {len(file.entries)} positions of {file.tried} deals; "
        f"{len(file.entries) - before} of them now, in {spent:.0f} s",
        highlight=False,
    )


def _write(file: HoldingsFile) -> None:
    if file.entries:
        path_of(file.game).parent.mkdir(exist_ok=True)
        write_whole(path_of(file.game), file.packed())


def main(arguments: list[str] | None = None) -> int:
    """Goes on with all games, or with those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="games; all by default")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each game (200)")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="of the processor, for each game (60)"
    )
    options = parser.parse_args(arguments)
    known = collections()
    for name in options.names:
        if name not in known:
            parser.error(f"unknown game {name!r}{did_you_mean(name, known)}")
    for name in options.names or known:
        make(kept(known[name]), options.positions, options.seconds, Console(stderr=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
