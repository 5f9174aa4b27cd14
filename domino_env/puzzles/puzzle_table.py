"""A one-player game in numbers: its rule table, its actions, the fields of its observations."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.engine.features import Field
from domino_env.puzzles.columns import STOP
from domino_env.puzzles.puzzle_state import (
    COLUMNS,
    COUNTING,
    HALVES,
    NUMBERS,
    PAIRS,
    PUZZLE_TABLE,
    TILES,
    TURNING_UP,
)
from domino_env.puzzles.rules import PuzzleRules

if TYPE_CHECKING:
    from domino_env.engine.game_setup import Setup

_PLAYS = {"counting": COUNTING, "pairs": PAIRS, "turning_up": TURNING_UP}
_ACTIONS = {COUNTING: 1, PAIRS: TILES - 1, TURNING_UP: STOP + 1}


def num_actions(rules: PuzzleRules) -> int:
    """How many actions a game has."""
    return _ACTIONS[_PLAYS[rules.play]]


@lru_cache(maxsize=64)
def write_rule_table(setup: Setup) -> Any:
    """The rule table of a game: an array of one record, as kernels take it."""
    rules: Any = setup.rules
    table = np.zeros(1, PUZZLE_TABLE)
    table["play"] = _PLAYS[rules.play]
    table["tiles"] = rules.num_tiles
    table["actions"] = num_actions(rules)
    table["features"] = sum(field.size for field in fields(setup))
    table["most_moves"] = rules.moves or 0
    table["pays_win"] = setup.reward == "win"
    table["share"] = np.arange(TILES + 1, dtype=np.float32) / np.float32(TILES)
    table["half"][0] = np.array(rules.tile_set.tiles).T
    table.flags.writeable = False
    return table


def fields(setup: Setup) -> tuple[Field, ...]:
    """The fields of an observation, in their order."""
    rules: Any = setup.rules
    if rules.play == "turning_up":
        return _columns(rules.moves)
    return _row_to_count() if rules.play == "counting" else _row_of_pairs()


def _row_to_count() -> tuple[Field, ...]:
    pips = "(pips + 1) / 13 of the tile at each place"
    idle = "passes in a row that have removed nothing / 13"
    return (
        Field("row", "row", TILES, f"{pips}; 0: there is none", scale=1.0 / NUMBERS),
        Field("row", "place", TILES, "one-hot: the place that is touched next"),
        Field("row", "number", NUMBERS, "one-hot: the number that will be said there"),
        Field("row", "idle", 1, idle, scale=1.0 / NUMBERS),
        Field("row", "removed", 1, "1: this pass has removed a tile"),
    )


def _row_of_pairs() -> tuple[Field, ...]:
    found = []
    for place in range(TILES):
        found.append(Field("row", f"left[{place}]", HALVES, "one-hot: left half of the tile there"))
        found.append(Field("row", f"right[{place}]", HALVES, "one-hot: its right half"))
    return (*found, _tiles("row", "tiles", "tiles in the row / tiles of the set"))


def _tiles(group: str, name: str, meaning: str) -> Field:
    """A number of tiles."""
    return Field(group, name, 1, meaning, scale=1.0 / TILES)


def _columns(most_moves: int) -> tuple[Field, ...]:
    found = []
    for column in range(COLUMNS):
        found += [
            _tiles("columns", f"column[{column}].down", "tiles face down / tiles of the set"),
            _tiles("columns", f"column[{column}].up", "tiles face up / tiles of the set"),
            Field("columns", f"column[{column}].ends", HALVES, "one-hot: its lowest half"),
        ]
    for tile in double_six_names():
        found += [
            Field("tiles", f"[{tile}].column", COLUMNS, "one-hot, if it is face up"),
            _tiles("tiles", f"[{tile}].depth", "place from the lower end, from 1, / tiles"),
            Field("tiles", f"[{tile}].turned", 1, "1: its higher half is on top"),
        ]
    won = Field("course", "won", 1, "1: all tiles are face up")
    made = "moves made / moves allowed"
    return (*found, won, Field("course", "moves", 1, made, scale=1.0 / most_moves))


def double_six_names() -> list[str]:
    """The tiles in the order of their numbers."""
    return [f"{low}|{high}" for low in range(HALVES) for high in range(low, HALVES)]


def log_length(setup: Setup) -> int:
    """The most words that a log can need: the deal and the events."""
    rules: Any = setup.rules
    most_moves = rules.moves or 0
    return TILES + most_moves + TILES + 4
