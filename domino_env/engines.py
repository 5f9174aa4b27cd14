"""What a `Batch` needs of the engine that plays its game: there is one for games at a table, and
one for one-player games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domino_env import deals, position, solo
from domino_env.engine import features, lanes, log, state
from domino_env.engine import rule_table as table_book
from domino_env.puzzles import lanes as puzzle_lanes
from domino_env.puzzles import puzzle_state as puzzle_state
from domino_env.puzzles import puzzle_table as puzzle_book
from domino_env.puzzles.rules import PuzzleRules


@dataclass(frozen=True)
class Engine:
    """The state of one game, the kernels that work on it, and how it is read and written."""

    record: Any
    """The dtype of a game's record; it has `rng`, `log_size` and `over`."""
    lanes: Any
    """The module of the loops over lanes."""
    write_rule_table: Callable[..., Any]
    fields: Callable[..., Any]
    log_length: Callable[..., int]
    read_deal: Callable[..., Any]
    read_position: Callable[..., position.Position]


_TABLE = Engine(
    state.GAME,
    lanes,
    table_book.write_rule_table,
    features.fields,
    log.log_length,
    deals.read_deal,
    position.read_position,
)
_SOLO = Engine(
    puzzle_state.PUZZLE,
    puzzle_lanes,
    puzzle_book.write_rule_table,
    puzzle_book.fields,
    puzzle_book.log_length,
    deals.read_row,
    solo.read_solo,
)


def engine_of(rules: Any) -> Engine:
    """The engine that plays these rules."""
    return _SOLO if isinstance(rules, PuzzleRules) else _TABLE
