"""The terms of the protocol for the numbers of a game: the JSON of its tiles, moves, events and
ends. Each is written once and kept, so that a state is put together from what is there."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from domino_env.actions import decode
from domino_env.engine import state
from domino_env.engine.game_setup import Setup
from domino_env.engine.log import NAMES, unpack

HIDDEN_TILE = 255
TILED = ("play", "start", "draw", "flip", "back", "take")
TURNS = "RL"
MOST_KEPT = 1 << 15  # of each kind of term


class Terms:
    """The terms of a game as it is set up.

    Attributes:
        tiles: of each tile its text in quotation marks.
        shows: of each value that a half can show its JSON.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup, self.rules = setup, setup.rules
        tile_set = self.rules.tile_set
        self.tiles = [f'"{first}|{second}"' for first, second in tile_set.faces]
        self.shows = [json.dumps(value.face) for value in tile_set.values]
        self._asks = [json.dumps(value.asks) for value in tile_set.values]
        self.moves = _Kept(self._move)
        self.events = _Kept(self._event)
        self.end = lru_cache(MOST_KEPT)(self._end)
        self.curved_end = lru_cache(MOST_KEPT)(self._curved_end)
        self.lacks = lru_cache(MOST_KEPT)(self._lacks)

    def hand(self, words: list[int]) -> str:
        """A set of tiles, given as words of bits."""
        found = []
        for place, left in enumerate(words):
            while left:
                low = left & -left
                found.append(self.tiles[64 * place + low.bit_length() - 1])
                left ^= low
        return ",".join(found)

    def _move(self, action: int) -> str:
        move = decode(self.rules, action, self.setup.calls, self.setup.players)
        if move.kind != "play":
            return f'{{"id":{action},"kind":"{move.kind}"}}'
        return (
            f'{{"id":{action},"kind":"play","tile":"{move.tile}",'
            f'"end":{move.end},"half":{move.half}}}'
        )

    def _event(self, word: int) -> str:
        """An event of a log; one of which the tile was not seen has `HIDDEN_TILE`."""
        kind, seat, tile, end, half = unpack(word)
        name = NAMES[kind]
        said = f'{{"seat":{"null" if seat == state.NOBODY else seat},"kind":"{name}"'
        if name in TILED and tile != HIDDEN_TILE:
            said += f',"tile":{self.tiles[tile]}'
        if name == "play":
            said += f',"end":{end},"half":{half}'
        elif name == "take":
            said += f',"giver":{end}'
        return said + "}"

    def _end(self, end: int, value: int, kind: int, host: int, is_offered: int) -> str:
        return f"{self._begun(end, value, kind, host)}{self._closed(end, bool(is_offered))}"

    def _curved_end(
        self, end: int, value: int, kind: int, host: int, turns: int, meets: tuple[int, int]
    ) -> str:
        allowed = self.rules.layout.meeting == "allowed"
        ways = []
        for half in range(2):
            if turns >> half & 1:
                if meets[half] == state.NO_MEETING:
                    ways.append(f'{{"half":{half}}}')
                elif allowed:
                    ways.append(f'{{"half":{half},"meets":{self.shows[meets[half]]}}}')
        begun = self._begun(end, value, kind, host)
        return f'{begun}{self._closed(end, bool(ways))[:-1]},"turns":[{",".join(ways)}]}}'

    def _begun(self, end: int, value: int, kind: int, host: int) -> str:
        said = f'{{"end":{end},"shows":{self.shows[value]},"tile":{self.tiles[host]}'
        if self.rules.scores_in_play:
            shown = self.rules.tile_set.values[value].pips
            counts = {state.SIDE: 0, state.DOUBLE: 2 * shown}.get(kind, shown)
            said += f',"counts":{counts}'
        return said

    def _closed(self, end: int, is_open: bool) -> str:
        said = f',"open":{"true" if is_open else "false"}'
        if self.rules.layout.arms == "own":
            said += f',"owner":{end - 1 if end else "null"}'
        return said + "}"

    def _lacks(self, bits: int) -> str:
        """The halves that a seat has shown to be without."""
        places = [place for place in range(bits.bit_length()) if bits >> place & 1]
        if self.rules.is_curved:
            return ",".join(f'"{self._asks[each >> 1]}{TURNS[each & 1]}"' for each in places)
        return ",".join(self._asks[each] for each in places)


class _Kept(dict[int, str]):
    """Terms by their numbers, each written when it is first asked for."""

    def __init__(self, write: Any) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, number: int) -> str:
        self[number] = said = self._write(number)
        return str(said)


@lru_cache(64)
def terms_of(setup: Setup) -> Terms:
    """The terms of all batches that play so."""
    return Terms(setup)
