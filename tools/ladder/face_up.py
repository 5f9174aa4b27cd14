"""Rounds with all tiles face up: what a deal is worth, and a player who sees them all.

A deal is worth *double dummy* what the side that leads earns over the other if both see all tiles
and play as well as can be. `DoubleDummy` plays that way. Whoever its opponent is, it never earns
less than the deal is worth; so on duplicate deals, where each side has the good cards once, nobody
whatever can be ahead of it, not on a single deal.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import solve
from domino_env.agents import Actions, Lanes
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.evaluate.statistics import Mean, mean_of
from tools.ladder.figures import change, kept

NAME = "double_dummy"
MOST_NODES = 20_000_000  # of a position: some seconds
BUDGET = 600.0  # CPU seconds for a pairing, or for the values of a game
DEALS, CHUNK = 2000, 50
Values = npt.NDArray[np.float64]


class DoubleDummy:
    """Plays a move that is best with all tiles face up, if the other side plays best as well. What
    a weak opponent may do wrong it does not look for."""

    name = NAME
    cheats = True

    @staticmethod
    def plays(rules: Any) -> bool:
        """It plays games against others; those of two sides, see `has_two_sides`."""
        return bool(rules.has_opponents)

    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """The best action in each of the lanes."""
        chosen = batch._legal[lanes, 0].astype(np.int64)
        for place in np.flatnonzero(batch._num_legal[lanes] > 1):
            lane = int(lanes[place])
            chosen[place] = solve.double_dummy_moves(batch, lane, MOST_NODES)[0][0]
        return chosen


def has_two_sides(batch: Batch) -> bool:
    """Can its rounds be solved, if there is time?"""
    return batch.num_players == 2 or bool(batch.rules.teams)


# What deals are worth ----------------------------------------------------------------------------


def values(rules: Any, num_players: int, seeds: list[int]) -> Values:
    """What the side that leads earns over the other, double dummy: of each deal."""
    batch = Batch(rules, len(seeds), num_players, autoreset=False)
    batch.reset(seed=seeds)
    worth = solve.double_dummy(batch, seat=0, most_nodes=MOST_NODES)
    return np.where(batch.seat % 2 == 0, worth, -worth)  # partners sit opposite


def measure_values(rung: Any, deals: int = DEALS, budget: float = BUDGET) -> None:
    """Solves the deals of a rung, some at a time, on from what is kept; where one of them is too
    large this is kept, and nothing else."""
    found = kept(rung.stem).facts.get(NAME, {})
    while "given_up" not in found and not _is_enough(found, deals, budget):
        first, began = found.get("deals", 0), time.process_time()
        seeds = [rung.seed + first + place for place in range(min(CHUNK, deals - first))]
        try:
            fresh = values(rung.rules, rung.num_players, seeds)
        except BadOption as error:
            found = {"given_up": str(error)}
        else:
            found = _with(found, fresh, time.process_time() - began)
        _keep(rung, found)


def _is_enough(found: Mapping[str, Any], deals: int, budget: float) -> bool:
    """As many deals as were asked for, or as much time as there was?"""
    return found.get("deals", 0) + 1 >= deals or found.get("cpu_seconds", 0.0) >= budget


def _with(before: Mapping[str, Any], fresh: Values, seconds: float) -> dict[str, Any]:
    """The mean value to the leader, and how large a value is on average, whoever has it."""
    leader, size = mean_of(fresh), mean_of(np.abs(fresh))
    if before:
        leader = Mean(*before["leader"], before["deals"]).and_then(leader)
        size = Mean(*before["size"], before["deals"]).and_then(size)
    return {
        "deals": leader.samples,
        "leader": [leader.value, leader.within],
        "size": [size.value, size.within],
        "cpu_seconds": round(before.get("cpu_seconds", 0.0) + seconds, 3),
    }


def is_given_up(rung: Any) -> bool:
    """Was a deal of a rung found to be too large?"""
    return "given_up" in kept(rung.stem).facts.get(NAME, {})


def give_up(rung: Any, why: str) -> None:
    """Notes that a rung has positions that are too large."""
    _keep(rung, {"given_up": why})


def _keep(rung: Any, found: Mapping[str, Any]) -> None:
    change(rung.stem, lambda rows: rows.facts.update({NAME: found}))
