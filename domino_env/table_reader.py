"""Reads the fields of a `Position` from the record and the log of a game at a table.

Each property is the field of `Position` of the same name, and told of there.
"""

# ruff: noqa: D102

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.actions import Move, Tile, decode
from domino_env.engine import state
from domino_env.engine.log import NAMES, unpack
from domino_env.engine.seats import CLOCKWISE
from domino_env.laid import Laid, Mouth, read_laid, read_mouths
from domino_env.lazy import read_by
from domino_env.position import End, Event, Position
from domino_env.tileset import DRAW_ONE, NO_EFFECT, PLAY_AGAIN

if TYPE_CHECKING:
    from domino_env.batches import Batch

FITS = ("dead", "right", "left", "open")
QUESTIONS = (None, "points", "domino", "direction", "reverse", "raise", "accept", None, "lead")
PENDING = {NO_EFFECT: None, DRAW_ONE: "draw", PLAY_AGAIN: "play_again"}


def read_position(batch: Batch, lane: int) -> Position:
    """The position of one lane of a batch."""
    return read_by(Position, TableReader(batch, lane))


class GameReader:
    """What the fields of every kind of position are read from: a copy of a lane's record, of its
    log, and of its legal actions. Each field is a property of the same name."""

    viewer = "all"

    def __init__(self, batch: Batch, lane: int) -> None:
        record = batch._games[lane]
        self._record, self._dtype = record.tobytes(), batch._games.dtype
        self._log = batch._logs[lane, : int(record["log_size"])].copy()
        self._legal = batch._legal_of(lane)
        self._calls, self._rule_table = batch.calls, batch._rule_table
        self.rules, self.num_players = batch.rules, batch.num_players

    @cached_property
    def _game(self) -> Any:
        return np.frombuffer(self._record, self._dtype)[0]

    @cached_property
    def _tiles(self) -> list[Tile]:
        return [Tile(*faces) for faces in self.rules.tile_set.faces]

    @cached_property
    def _words(self) -> list[int]:
        """The numbers of the tiles as dealt, and then the packed events."""
        words: list[int] = self._log.tolist()
        return words

    @property
    def variant(self) -> str:
        return str(self.rules.id)

    @property
    def title(self) -> str:
        return str(self.rules.title)

    @property
    def to_move(self) -> int | None:
        seat = int(self._game["to_move"])
        return None if seat < 0 else seat

    @property
    def legal(self) -> list[Move]:
        how = (self._calls, self.num_players)
        return [decode(self.rules, action, *how) for action in self.legal_actions]

    @property
    def legal_actions(self) -> list[int]:
        return sorted(self._legal)

    @property
    def scores(self) -> list[int]:
        scores: list[int] = self._game["scores"][: self.num_players].tolist()
        return scores

    @property
    def over(self) -> bool:
        return bool(self._game["over"])


class TableReader(GameReader):
    """The same of a game at a table."""

    @cached_property
    def events(self) -> list[Event]:
        return [_event(self._tiles, word) for word in self._words[len(self._tiles) :]]

    @property
    def _dealt(self) -> int:
        """How many tiles are played with: those behind them are left out."""
        return len(self._tiles) - len(self.rules.left_out_with(self.num_players))

    @property
    def _plays(self) -> list[Event]:
        return [event for event in self.events if event.kind in ("play", "start")]

    @property
    def hands(self) -> list[list[Tile]]:
        return [self._hand(seat) for seat in range(self.num_players)]

    def _hand(self, seat: int) -> list[Tile]:
        game, tiles = self._game, self._tiles
        if self.rules.rows:
            size = self.rules.hand_size_for(self.num_players)
            head, first = int(game["row_head"][seat]), seat * size
            slots = [first + (head + place) % size for place in range(int(game["hand_size"][seat]))]
            return [tiles[game["deck"][slot]] for slot in slots]
        bits = sum(int(word) << 64 * w for w, word in enumerate(game["hands"][seat]))
        return [tile for number, tile in enumerate(tiles) if bits >> number & 1]

    @property
    def boneyard(self) -> list[Tile]:
        left = self._game["deck"][int(self._game["next"]) : self._dealt]
        return [self._tiles[number] for number in left]

    @property
    def played(self) -> list[tuple[Tile, int | None]]:
        return [(event.tile, event.seat) for event in self._plays if event.tile is not None]

    @property
    def ends(self) -> list[End]:
        kinds = self._game["end_kind"][: int(self._game["num_ends"])].tolist()
        return [self._end(end) for end, kind in enumerate(kinds) if kind != state.GONE]

    def _end(self, end: int) -> End:
        game, rules = self._game, self.rules
        value, kind = int(game["end_value"][end]), int(game["end_kind"][end])
        offered = bool(int(game["offered"]) >> end & 1)
        if value == state.ANYTHING:
            return End(end, None, None, 0, offered)
        shown = rules.tile_set.values[value]
        counts = {state.SIDE: 0, state.DOUBLE: 2 * shown.pips}.get(kind, shown.pips)
        tile = self._tiles[game["end_tile"][end]]
        if rules.layout.tiles == "curved":
            return End(end, shown.asks, tile, counts, offered, FITS[int(game["end_turns"][end])])
        owner = end - 1 if end and rules.layout.arms == "own" else None
        return End(end, shown.asks, tile, counts, offered, like=_like(game, end), owner=owner)

    @property
    def turn(self) -> int:
        return int(self._game["turn"])

    @property
    def claim(self) -> int:
        return int(self._game["claim"])

    @property
    def question(self) -> str | None:
        return QUESTIONS[int(self._game["stage"])]

    @property
    def direction(self) -> str:
        return "clockwise" if self._game["direction"] == CLOCKWISE else "counterclockwise"

    @property
    def stakes(self) -> int:
        return int(self._game["stakes"])

    @property
    def pending(self) -> str | None:
        asked = self._game["stage"] != state.PLAY
        return PENDING[int(self._game["effect"])] if asked else None

    @property
    def due(self) -> Tile | None:
        return self._tiles[self._game["due"]] if self._game["due"] >= 0 else None

    @property
    def due_left(self) -> int:
        return int(self._game["due_left"]) if self._game["due"] >= 0 else 0

    @property
    def markers(self) -> list[int]:
        markers = int(self._game["markers"])
        return [seat for seat in range(self.num_players) if markers >> seat & 1]

    @property
    def finished(self) -> list[int]:
        places = {int(place): seat for seat, place in enumerate(self._game["out_place"]) if place}
        return [places[place] for place in sorted(places)]

    @property
    def laid(self) -> list[Laid]:
        return read_laid(self.rules, self._rule_table, self._dtype, self._log, self._plays)

    @property
    def mouths(self) -> dict[int, Mouth]:
        return read_mouths(self._game) if self.rules.layout.tiles == "curved" else {}

    @property
    def round(self) -> int:
        return int(self._game["round_number"])

    @property
    def winners(self) -> list[int]:
        bits = int(self._game["winners"])
        return [seat for seat in range(state.SEATS) if self.over and bits >> seat & 1]

    @property
    def deal(self) -> dict[str, Any]:
        size, players = self.rules.hand_size_for(self.num_players), self.num_players
        order = [self._tiles[number] for number in self._words[: len(self._tiles)]]
        dealt: dict[str, Any] = {
            "hands": [order[seat * size : (seat + 1) * size] for seat in range(players)],
            "boneyard": order[size * players : self._dealt],
        }
        if self.rules.opening.starter in ("lot", "in_turn") or self._game["free_lead"]:
            dealt["starter"] = int(self._game["starter"])
        if self.rules.opening.starter == "round_double" and self.round > 1:
            dealt["round"] = self.round
        return dealt


def _event(tiles: list[Tile], word: int) -> Event:
    kind, seat, tile, end, half = unpack(word)
    name = NAMES[kind]
    who = None if seat == state.NOBODY else seat
    if name == "play":
        return Event(name, who, tiles[tile], end, half)
    if name == "take":
        return Event(name, who, tiles[tile], giver=end)
    return Event(name, who, tiles[tile] if name in ("draw", "flip", "back", "start") else None)


def _like(game: Any, end: int) -> int | None:
    """The first untouched side of the same double, if this is another (G19)."""
    kinds, hosts = game["end_kind"].tolist(), game["end_tile"].tolist()
    if kinds[end] not in (state.LONE, state.SIDE):
        return None
    same = (kinds[end], hosts[end])
    first = next(other for other in range(end + 1) if (kinds[other], hosts[other]) == same)
    return None if first == end else first
