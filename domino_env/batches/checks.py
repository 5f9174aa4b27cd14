"""What a batch is asked to do, checked before a kernel sees it, for kernels trust what they are
given. Lanes, seats, actions, seeds and deals are read into arrays such as kernels take, or refused
in words that say what was expected and what came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import deals
from domino_env.batches.observations import BatchObservations
from domino_env.batches.options import numbers, short, whole
from domino_env.engine.lane_checks import HOLD, first_foreign, first_over, place_actions
from domino_env.engine.rounds import MOST_DEALS
from domino_env.errors import (
    BadAction,
    BadDeal,
    BadOption,
    GameOver,
    IllegalMove,
    NotReset,
    did_you_mean,
    is_whole,
)
from domino_env.position import Position

_MOST = np.uint64(2**63 - 1)


class BatchChecks(BatchObservations):
    """The checks of a batch, and what it says of what it refuses."""

    _seed: int

    def position(self, lane: int = 0) -> Position:
        """A readable snapshot of one game, with everything in it, hidden tiles too."""
        raise NotImplementedError

    def must_be_reset(self, what: str) -> None:
        """Refuses what comes after the first reset."""
        if not self._ready:
            raise NotReset(f"{what} comes after the first reset: call reset() before it")

    # Lanes and seats ----------------------------------------------------------------------------

    def some_lanes(self, lanes: Any) -> npt.NDArray[np.int64]:
        """A copy of lanes as an array; refused if they are none of this batch."""
        some = numbers("lanes", lanes)
        if first_foreign(some, self.num_games) >= 0:
            raise BadOption(f"lanes are 0 to {self.num_games - 1}, not {short(lanes)}")
        return some

    def some_seats(self, seats: Any, wanted: int) -> npt.NDArray[np.int64]:
        """A copy of seats as an array; refused if they are not one for each of so many lanes."""
        some = numbers("seats", seats)
        if len(some) != wanted or first_foreign(some, self.num_players) >= 0:
            raise BadOption(
                f"seats are one for each of {wanted} lanes, from 0 to {self.num_players - 1}; "
                f"not {short(seats)}"
            )
        return some

    def _lane(self, lane: int) -> int:
        if not is_whole(lane):
            raise BadOption(f"a lane is a whole number, not {lane!r}")
        if not 0 <= lane < self.num_games:
            raise BadOption(f"lanes are 0 to {self.num_games - 1}, not {lane}")
        return int(lane)

    def _lanes_to_decide(self, lanes: Any) -> npt.NDArray[np.int64]:
        """Lanes as an array; refused if they are none of this batch, or over."""
        self.must_be_reset("a decision")
        some = self.some_lanes(lanes)
        over = first_over(self._num_legal, some)
        if over >= 0:
            raise GameOver(f"lane {some[over]} is over: nobody decides there until reset()")
        return some

    # Actions ------------------------------------------------------------------------------------

    def whole_numbers(self, actions: npt.ArrayLike, wanted: int) -> npt.NDArray[np.int64]:
        """A copy of actions as an array; refused if they are not one whole number for each game."""
        try:
            taken = np.asarray(actions)
        except (ValueError, TypeError) as error:
            raise BadAction(f"actions are one whole number for each game: {error}") from error
        if taken.shape != (wanted,):
            raise BadAction(
                f"step takes one action for each of {wanted} games, shape "
                f"({wanted},), not shape {taken.shape}"
            )
        kind = taken.dtype.kind
        if kind not in "iu":
            raise BadAction(f"actions are whole numbers, not {taken.dtype}")
        if kind == "u" and (taken > _MOST).any():  # they would come out negative
            lane = int((taken > _MOST).argmax())
            known = f"actions are 0 to {self.num_actions - 1}"
            raise BadAction(f"lane {lane}: {known}, not {taken[lane]}")
        return taken.astype(np.int64, order="C")

    def _placed(self, actions: npt.ArrayLike, some: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """An action for every lane, from those of some lanes: the others hold."""
        given = self.whole_numbers(actions, len(some))
        taken = np.empty(self.num_games, np.int64)
        place = place_actions(some, given, taken)
        if place >= 0 and given[place] == HOLD:
            raise BadAction(f"actions are 0 to {self.num_actions - 1}, not {HOLD}")
        if place >= 0:
            raise BadOption(f"lane {some[place]} comes twice: it takes one action in a step")
        return taken

    def is_illegal(self, lane: int, action: Any) -> bool:
        """Is this an action of the action space that is not legal now?"""
        lane = self._lane(lane)
        known = is_whole(action) and 0 <= action < self.num_actions
        return known and action not in self._legal_of(lane)

    def _legal_of(self, lane: int) -> list[int]:
        return self._legal[lane, : self._num_legal[lane]].tolist()

    def _refusal(self, lane: int, action: int) -> Exception:
        if self._num_legal[lane] == 0:
            return GameOver(f"lane {lane} is over: it takes -1 until reset(), not {action}")
        if not 0 <= action < self.num_actions:
            return BadAction(f"lane {lane}: actions are 0 to {self.num_actions - 1}, not {action}")
        move = self._engine.decode(self.rules, action, self.calls, self.num_players)
        position = self.position(lane)
        return IllegalMove(
            f"lane {lane}: {move} (action {action}) is not legal for seat {position.to_move}; "
            f"{self._engine.describe(position)}"
        )

    # Seeds and deals ----------------------------------------------------------------------------

    def _lane_seeds(self, seed: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """The lanes to seed, and their seeds."""
        every = np.arange(self.num_games)
        if not deals.is_list(seed):
            first = np.uint64(whole("seed", seed, 0) % 2**64)
            return every, first + every.astype(np.uint64)
        if len(seed) != self.num_games:
            raise BadOption(
                f"seed must be one number, or one for each of {self.num_games} lanes; not {seed!r}"
            )
        given = {lane: each for lane, each in enumerate(seed) if each is not None}
        if not self._ready:
            given = {lane: given.get(lane, self._seed + lane) for lane in range(self.num_games)}
        seeds = [whole("seed", each, 0) % 2**64 for each in given.values()]
        return np.array([*given], np.int64), np.array(seeds, np.uint64)

    def _explicit_deals(self, options: Mapping[str, Any] | None) -> tuple[Any, Any] | None:
        if options is None:
            return None
        if not isinstance(options, Mapping):
            raise BadOption(f"options is a dict like {{'deal': ...}}, not {options!r}")
        for key in options:
            if key not in ("deal", "deals"):
                raise BadOption(f"unknown option {key!r}{did_you_mean(key, ('deal', 'deals'))}")
        if not options:
            return None
        if len(options) > 1:
            raise BadOption("give 'deal' (the same for all lanes) or 'deals', not both")
        if "deal" in options:
            read = [self._engine.read_deal(self.setup, options["deal"])] * self.num_games
        else:
            several = options["deals"]
            if not deals.is_list(several):
                raise BadDeal(f"'deals' is a list of deals, one for each lane; not {several!r}")
            read = [self._engine.read_deal(self.setup, deal) for deal in several]
        if len(read) != self.num_games:
            raise BadDeal(
                f"'deals' needs one deal for each of {self.num_games} lanes, not {len(read)}"
            )
        return np.stack([deck for deck, _ in read]), np.array([s for _, s in read], np.int64)

    def _must_be_dealt(self, undealt: list[int]) -> None:
        """Refuses what has left a lane without a deal; `undealt`: each thread's first, or -1."""
        if max(undealt) >= 0:
            raise self._not_dealt(next(lane for lane in undealt if lane >= 0))

    def _not_dealt(self, lane: int) -> BadDeal:
        why = self._engine.why_undealt(self._games[lane])
        return BadDeal(
            f"lane {lane}: dealing {self.rules.id} for {self.num_players} players was given up: in "
            f"{MOST_DEALS} deals {why}. Change its rules (tiles, hand_size, opening or draw); "
            "lanes that were not dealt are over"
        )
