"""Worlds (determinizations) sampled from the information set of a seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.engine.hidden.deal_counting import MOST_WAYS
from domino_env.engine.hidden.information_set import (
    CHECK,
    CLASS,
    EVIDENCE,
    MOST_TAKES,
    MOST_UNITS,
    PIECE,
    SLOTS,
    TAKE,
    UNIT,
    Notes,
)
from domino_env.engine.hidden.posterior import DONE, GOES_ON, TOO_UNLIKELY, sample_worlds
from domino_env.engine.state import SEATS, records
from domino_env.errors import BadOption, GameOver, TooUncertain, is_whole

MOST_CASES = 4096


def sample(batch: Batch, lane: int, seat: int, count: int = 1, seed: int | None = None) -> Batch:
    """Samples worlds from the information set of a seat; see `Belief` for many games at once.

    Args:
        batch: a multiplayer game.
        lane: a lane whose game is not over.
        seat: whose information set; it need not be the seat to move.
        count: the number of worlds, sampled independently.
        seed: the same seed samples the same worlds; without one, a seed from the system.
    """
    belief = Belief(batch, seed)
    worlds = belief.new_worlds(count)
    belief.fill(worlds, [lane], [seat])
    return worlds


class Belief:
    """Samples worlds for the lanes of a batch, reusing its memory; for search.

        belief = Belief(batch, seed=0)
        worlds = belief.new_worlds(64 * len(lanes))
        belief.fill(worlds, lanes, batch.seat[lanes])  # worlds 0 to 63 are of the first lane ...

    Args:
        batch: a multiplayer game.
        seed: of the sampling.
    """

    def __init__(self, batch: Batch, seed: int | None = None) -> None:
        if not batch.rules.has_opponents:
            raise BadOption(
                f"beliefs are about what other players hold, and {batch.rules.id} has one player"
            )
        if seed is not None and (not is_whole(seed) or seed < 0):
            raise BadOption(f"seed must be a whole number of 0 or more, not {seed!r}")
        self._batch = batch
        self._notes = new_notes(batch, seed)

    def new_worlds(self, count: int) -> Batch:
        """A batch for this many worlds of the same game, without autoreset."""
        batch = self._batch
        return Batch(
            batch.rules,
            count,
            batch.num_players,
            0,
            episode=batch.episode,
            reward=batch.reward_kind,
            calls=batch.calls,
            autoreset=False,
            observation_dtype=batch.observation_dtype,
        )

    def fill(self, worlds: Batch, lanes: npt.ArrayLike, seats: npt.ArrayLike) -> None:
        """Fills `worlds`, in equal parts, with samples from the information set of a seat in each
        lane."""
        self._check(worlds)
        with worlds._held:
            self._fill(worlds, lanes, seats)
            worlds._show_anew()

    def _fill(self, worlds: Batch, lanes: npt.ArrayLike, seats: npt.ArrayLike) -> None:
        """The same, but only their records and logs are written, and no lists of moves, masks and
        observations: for kernels that play them on themselves."""
        self._batch.must_be_reset("a belief")
        self._check(worlds)
        some = self._batch.some_lanes(lanes)
        viewers = self._batch.some_seats(seats, len(some))
        self._check_lanes(worlds, some)
        with self._batch._held, worlds._held:
            went = self._sample(worlds, some, viewers)
        if went != DONE:
            why = "hardly any deal agrees" if went == TOO_UNLIKELY else "too much went unseen"
            raise TooUncertain(f"worlds cannot be drawn: with what the seat has seen {why}")

    def _sample(self, worlds: Batch, lanes: Any, viewers: Any) -> int:
        """Draws the worlds; between two calls of the kernel Ctrl-C takes effect."""
        evidence = self._notes.evidence[0]
        evidence.place = evidence.step = 0
        went = GOES_ON
        while went == GOES_ON:
            went = sample_worlds(
                self._batch._rule_table,
                self._batch._games,
                self._batch._logs,
                lanes,
                viewers,
                worlds._games,
                worlds._logs,
                worlds.num_games // max(len(lanes), 1),
                self._notes,
            )
        return int(went)

    def _check(self, worlds: Batch) -> None:
        batch = self._batch
        mine = isinstance(worlds, Batch) and worlds is not batch
        if not mine or worlds.setup != batch.setup:
            raise BadOption(f"worlds of {batch!r} cannot be kept in {worlds!r}: see new_worlds")

    def _check_lanes(self, worlds: Batch, lanes: Any) -> None:
        if len(lanes) == 0 or worlds.num_games % len(lanes):
            raise BadOption(
                "every lane needs the same number of worlds: "
                f"{worlds.num_games} for {len(lanes)} lanes"
            )
        over = lanes[self._batch._num_legal[lanes] == 0]
        if len(over):
            raise GameOver(f"lane {over[0]} is over: there is nothing left to sample")


def new_notes(batch: Batch, seed: int | None) -> Notes:
    """Memory for reading and counting."""
    tiles, words = batch.rules.num_tiles, batch._logs.shape[1]
    slots = SEATS + tiles + 2 * MOST_TAKES + words - tiles
    pieces = words
    numbers = np.int64
    ways = MOST_WAYS if tiles > 64 else MOST_WAYS // 4  # 16 MB, and 64 for the largest sets
    return Notes(
        evidence=records(1, EVIDENCE),
        table=records(1, batch._games.dtype),
        pieces=records(pieces, PIECE),
        slots=records(slots, SLOTS),
        checks=records(2 * words, CHECK),
        takes=records(MOST_TAKES, TAKE),
        supposed=records(slots, SLOTS),
        cases=np.zeros((MOST_CASES, MOST_TAKES), numbers),
        log_counts=np.zeros(MOST_CASES, np.float64),
        classes=records(slots + 1, CLASS),
        class_of=np.zeros(slots, numbers),
        settled_in=np.zeros(pieces, numbers),
        units=records(slots + 1, UNIT),
        order=np.zeros(pieces, numbers),
        open_to=np.zeros(pieces, np.uint64),
        rooms=np.zeros(ways // 2, np.uint64),
        ways=np.zeros(ways, np.float64),
        members=np.zeros(max(pieces, tiles), numbers),
        filled=np.zeros(slots + MOST_UNITS, numbers),
        filled_class=np.zeros(slots, numbers),
        laid=np.zeros(pieces, numbers),
        lies_in=np.zeros(max(pieces, tiles), numbers),
        rng=np.array(np.random.SeedSequence(seed).generate_state(1, np.uint64)),
    )
