"""`heuristic`: a linear evaluation of each legal action, as an experienced player would judge it.

The features (`heuristic_features`) use the seat's own hand and public information: how heavy the
tile is, what it scores now, how well the remaining hand fits the table, how varied it is, how
likely the others are then stuck, given the numbers that they have shown to lack. The weights are in
`weights/heuristic.json`, a row for each game, found by `domino tune`. It looks at no tile that the
seat to move has not seen.
"""

from __future__ import annotations

import json
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Actions, Lanes, Shown, at_decisions, is_against_others, parts
from domino_env.agents.features.heuristic_features import (
    FEATURES,
    NUM_FEATURES,
    Weights,
    best_action,
)
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.lane_checks import first_foreign
from domino_env.engine.state import Counts, Games, Legal, Numbers, RuleTables, records
from domino_env.errors import BadOption, did_you_mean

AT_ONCE = 1 << 14  # lanes between two looks at the keyboard
COMPILED = ("the agent heuristic", 5)

WEIGHTS = Path(__file__).parent / "weights" / "heuristic.json"
FIRST_WEIGHTS = WEIGHTS.with_name("heuristic@1.json")
USUAL = "usual"  # the row of games that have none


class Heuristic(Shown):
    """Plays the action with the highest weighted sum of features; of equal ones the lowest.

    Args:
        weights: a number for each feature, by name; by default those of the game.
    """

    name = "heuristic"
    weights_file = WEIGHTS

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        self._given = None if weights is None else as_row(weights)

    plays = staticmethod(is_against_others)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        row = self.weights_for(batch)
        return self.act_with(batch, lanes, row[None], np.zeros(len(lanes), np.int64))

    def weights_for(self, batch: Batch) -> Weights:
        """The weights that it plays a batch's game by."""
        given = self._given
        return weights_of(batch.rules.id, self.weights_file) if given is None else given

    def act_with(
        self, batch: Batch, lanes: Lanes, rows: Weights, which: npt.NDArray[np.int64]
    ) -> Actions:
        """The same, with one of several rows of weights for each of the lanes."""
        rows = np.ascontiguousarray(rows, np.float64)
        which = np.array(which, np.int64)
        if rows.shape[1:] != (NUM_FEATURES,) or which.shape != np.shape(lanes):
            raise BadOption(f"a row has {NUM_FEATURES} weights, and every lane has a row")
        if first_foreign(which, len(rows)) >= 0:
            raise BadOption(f"rows are 0 to {len(rows) - 1}, not {which.tolist()}")
        chosen = np.empty(len(which), np.int64)
        table, features = records(1, batch._games.dtype), np.zeros(NUM_FEATURES)
        with batch._held:
            some = batch._lanes_to_decide(lanes)
            for part in parts(len(some), AT_ONCE):
                choose_lanes(
                    batch._rule_table,
                    batch._games,
                    batch._legal,
                    batch._num_legal,
                    some[part],
                    rows,
                    which[part],
                    table,
                    features,
                    chosen[part],
                )
        return chosen


class FirstHeuristic(Heuristic):
    """`heuristic` with the weights that were published first, to be measured against: they stay as
    they are."""

    name = "heuristic@1"
    weights_file = FIRST_WEIGHTS

    def __init__(self) -> None:
        super().__init__()


@cache
def _kept(file: Path) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = json.loads(file.read_text(encoding="utf-8"))
    return rows


@cache
def weights_of(game: str, file: Path = WEIGHTS) -> Weights:
    """The weights of a game, or the usual ones; not to be written to."""
    rows = _kept(file)
    row = as_row(rows.get(game, rows[USUAL]))
    row.flags.writeable = False
    return row


def as_row(weights: dict[str, float]) -> Weights:
    """Weights by name as a row; features that are not named weigh nothing."""
    if not isinstance(weights, dict):
        raise BadOption(f"weights are named, like {{'pips': 1.0}}, not {weights!r}")
    for name, weight in weights.items():
        if name not in FEATURES:
            raise BadOption(f"unknown feature {name!r}{did_you_mean(name, FEATURES)}")
        if not isinstance(weight, (int, float)) or not isfinite(weight):
            raise BadOption(f"the weight of {name!r} must be a number, not {weight!r}")
    return np.array([float(weights.get(name, 0.0)) for name in FEATURES])


@kernel
def choose_lanes(
    rule_tables: RuleTables,
    games: Games,
    legal: Legal,
    num_legal: Counts,
    lanes: Numbers,
    rows: Weights,
    which: Numbers,
    table: Games,
    features: Weights,
    chosen: Numbers,
) -> None:
    """The best action in each of some lanes."""
    for place in range(len(lanes)):
        lane: Any = np.uint64(lanes[place])
        weights = rows[which[place]]
        chosen[place] = best_action(
            rule_tables[0], games[lane], legal[lane], num_legal[lane], weights, table, features
        )
