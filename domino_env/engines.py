"""What a `Batch` needs of the engine that plays its game: there is one for games at a table, and
one for one-player games. The loops over lanes are the same for both: see `lanes`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from domino_env import deals
from domino_env.actions import CODECS, Move
from domino_env.engine import features, log, rule_table, sizes
from domino_env.engine.move_features import move_fields
from domino_env.engine.move_graphs import graph_fields
from domino_env.engine.rounds import NOBODY_OPENS
from domino_env.games import rules_of
from domino_env.position import Position
from domino_env.puzzles import puzzle_table
from domino_env.puzzles.puzzle_state import PUZZLE, TURNED
from domino_env.solo import read_solo
from domino_env.table_reader import read_position

if TYPE_CHECKING:
    from domino_env.batches import Batch
    from domino_env.engine.game_setup import Setup
    from domino_env.engine.move_features.move_fields import MoveField


class Engine(ABC):
    """The state of one game, and how it is read and written. `games` are records of `record`,
    `game` is one of them."""

    name: str
    """As the rules call it: `Rules.engine`."""
    of_last_episode: tuple[str, ...] = ()
    """Fields of the record that tell of the episode before, as long as a new one goes on."""

    @abstractmethod
    def write_rule_table(self, setup: Setup) -> Any:
        """The rules in numbers, as kernels take them."""

    @abstractmethod
    def fields(self, setup: Setup) -> tuple[features.Field, ...]:
        """The fields of an observation."""

    def move_fields(self, setup: Setup) -> tuple[MoveField, ...]:
        """What the features of a move are: none unless the engine describes moves."""
        return ()

    def graph_fields(self, setup: Setup) -> tuple[MoveField, ...]:
        """What the columns of the graphs of moves are: none unless the engine draws them."""
        return ()

    @abstractmethod
    def record_for(self, setup: Setup) -> Any:
        """The dtype of a game's record; it has `rng`, `to_move`, `over`, `scores`, `log_size`."""

    @abstractmethod
    def most_moves(self, rule_table: Any) -> int:
        """The most legal moves that there can be at a time."""

    @abstractmethod
    def log_length(self, setup: Setup) -> int:
        """The most words that the log of a round can need."""

    @abstractmethod
    def read_deal(self, setup: Setup, deal: Any) -> tuple[deals.Deck, int]:
        """An explicit deal as a deck, and the seat that starts (-1: none is named)."""

    @abstractmethod
    def read_position(self, batch: Batch, lane: int) -> Position:
        """A readable snapshot of a lane."""

    @abstractmethod
    def boneyard_order(self, rules: Any, game: Any, events: Any) -> npt.NDArray[np.float32]:
        """For each tile its place among those that are to come: see `Batch.boneyard_order`."""

    def truncated(self, games: Any) -> npt.NDArray[np.bool_]:
        """Which episodes, of those that have just ended, were cut off?"""
        return np.zeros(len(games), np.bool_)

    def round_number(self, game: Any) -> int:
        """Which round of its episode it is, from 1."""
        return 1

    def why_undealt(self, game: Any) -> str:
        """What was wrong with all the deals that were tried."""
        return "nobody had any decision (G5)"

    def describe(self, position: Position) -> str:
        """What an error says of a position where a move is refused."""
        return f"legal: {', '.join(map(str, position.legal))}"

    def size(self, rules: Any, calls: str, players: int) -> int:
        """How many actions a game has."""
        return CODECS[self.name].size(rules, calls, players)

    def decode(self, rules: Any, action: int, calls: str, players: int) -> Move:
        """The move that an action stands for."""
        return CODECS[self.name].decode(rules, action, calls, players)

    def encode(self, rules: Any, move: Move, calls: str, players: int) -> int:
        """The action that stands for a move."""
        return CODECS[self.name].encode(rules, move, calls, players)


class _Table(Engine):
    name = "table"
    record_for = staticmethod(sizes.record_for)
    most_moves = staticmethod(sizes.most_moves)
    write_rule_table = staticmethod(rule_table.write_rule_table)
    fields = staticmethod(features.fields)
    move_fields = staticmethod(move_fields.move_fields)
    graph_fields = staticmethod(graph_fields.graph_fields)
    log_length = staticmethod(log.log_length)
    read_deal = staticmethod(deals.read_deal)
    read_position = staticmethod(read_position)

    def boneyard_order(self, rules: Any, game: Any, events: Any) -> npt.NDArray[np.float32]:
        out = np.zeros(rules.num_tiles, np.float32)
        left = game["deck"][int(game["next"]) : rules.num_tiles]
        out[left] = np.arange(1, len(left) + 1) / rules.num_tiles
        return out

    def round_number(self, game: Any) -> int:
        return int(game["round_number"])

    def why_undealt(self, game: Any) -> str:
        if game["starter"] == NOBODY_OPENS:
            return "nobody held a tile that opens (G3)"
        return super().why_undealt(game)

    def describe(self, position: Position) -> str:
        ends = ", ".join(map(str, position.ends)) or "none"
        return f"open ends: {ends}; {super().describe(position)}"


class _OnePlayer(Engine):
    name = "one_player"
    of_last_episode = ("cut_off",)
    write_rule_table = staticmethod(puzzle_table.write_rule_table)
    fields = staticmethod(puzzle_table.fields)
    log_length = staticmethod(puzzle_table.log_length)
    read_deal = staticmethod(deals.read_row)
    read_position = staticmethod(read_solo)

    def record_for(self, setup: Setup) -> Any:
        return PUZZLE

    def most_moves(self, rule_table: Any) -> int:
        return int(rule_table["actions"][0])

    def boneyard_order(self, rules: Any, game: Any, events: Any) -> npt.NDArray[np.float32]:
        out = np.zeros(rules.num_tiles, np.float32)
        dealt = events[: len(out)]
        turned = np.where(dealt & TURNED, -1, 1)
        out[dealt & (TURNED - 1)] = turned * (np.arange(1, len(out) + 1) / len(out))
        doubles = [first == second for first, second in rules.tile_set.tiles]
        return np.where(doubles, np.abs(out), out)

    def truncated(self, games: Any) -> npt.NDArray[np.bool_]:
        cut_off: npt.NDArray[np.bool_] = games["cut_off"] > 0
        return cut_off


_ENGINES: dict[str, Engine] = {each.name: each for each in (_Table(), _OnePlayer())}


def engine_of(game: Any) -> Engine:
    """The engine that plays a variant, or any rules."""
    return _ENGINES[rules_of(game).engine]
