"""The messages of the protocol written a second time, in plain Python, as a referee of the compiled
writer: docs/engine-protocol.md says what they are. Nothing here is fast, and nothing is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.actions import decode
from domino_env.batches import Batch
from domino_env.engine import state
from domino_env.engine.events import END, SEAT, TILE
from domino_env.engine.game_setup import Setup, questions
from domino_env.engine.log import NAMES, unpack
from domino_env.engine.seats import CLOCKWISE
from domino_env.tileset import DRAW_ONE, PLAY_AGAIN

Whole: TypeAlias = npt.NDArray[np.int64]
Words: TypeAlias = npt.NDArray[np.uint32]

ASKED = ("points", "domino", "direction", "reverse", "raise", "accept", "", "lead")
QUESTIONS = ["null", *(f'"{asked}"' for asked in ASKED)]
PENDING = {DRAW_ONE: '"draw"', PLAY_AGAIN: '"play_again"'}
LAID = (state.PLAYED, state.LAID_OUT)
_KIND, _SEAT, _TILE = np.uint32(31), np.uint32(15), np.uint32(255 << TILE)
_WHY = np.uint32(255 << END)


HIDDEN_TILE = 255
TILED = ("play", "start", "draw", "flip", "back", "take")
TURNS = "RL"


class Terms:
    """The texts for the numbers of a game: tiles, moves, events, ends."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.rules = setup, setup.rules
        tile_set = self.rules.tile_set
        self.tiles = [f'"{first}|{second}"' for first, second in tile_set.faces]
        self.shows = [json.dumps(value.face) for value in tile_set.values]
        self._asks = [json.dumps(value.asks) for value in tile_set.values]

    def hand(self, words: list[int]) -> str:
        """A set of tiles, given as words of bits."""
        found = []
        for place, left in enumerate(words):
            while left:
                low = left & -left
                found.append(self.tiles[64 * place + low.bit_length() - 1])
                left ^= low
        return ",".join(found)

    def move(self, action: int) -> str:
        move = decode(self.rules, action, self.setup.calls, self.setup.players)
        if move.kind != "play":
            return f'{{"id":{action},"kind":"{move.kind}"}}'
        return (
            f'{{"id":{action},"kind":"play","tile":"{move.tile}",'
            f'"end":{move.end},"half":{move.half}}}'
        )

    def event(self, word: int) -> str:
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

    def end(self, end: int, value: int, kind: int, host: int, is_offered: int) -> str:
        return f"{self._begun(end, value, kind, host)}{self._closed(end, bool(is_offered))}"

    def curved_end(
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

    def lacks(self, bits: int) -> str:
        """The halves that a seat has shown to be without."""
        places = [place for place in range(bits.bit_length()) if bits >> place & 1]
        if self.rules.is_curved:
            return ",".join(f'"{self._asks[each >> 1]}{TURNS[each & 1]}"' for each in places)
        return ",".join(self._asks[each] for each in places)


def as_seen(words: Words, seats: Whole) -> Words:
    """Events of logs, uint32[N, L], each row as its seat has seen them: the tiles that others drew
    or took are hidden, and why somebody drew."""
    who, kind = seats.astype(np.uint32)[:, None], words & _KIND
    own = (words >> np.uint32(SEAT) & _SEAT) == who
    drawn = kind == state.DREW
    seen = np.where(drawn, words & ~_WHY, words)
    taken = (kind == state.TOOK) & ((words >> np.uint32(END) & np.uint32(255)) != who)
    return np.where((drawn | taken) & ~own, seen | _TILE, seen)


class ReferenceWriter:
    """Writes the states of games of one setup."""

    def __init__(self, setup: Setup) -> None:
        self.terms = Terms(setup)
        self._setup, self._rules = setup, setup.rules
        self._courses = _courses(setup)

    def write(
        self,
        batch: Batch,
        lanes: Whole,
        seats: Whole,
        events: Words,
        heads: Sequence[str],
        told: Sequence[int],
        clocks: Sequence[str],
    ) -> list[str]:
        """The states of some lanes as JSON.

        Args:
            batch: the games.
            lanes: which of them.
            seats: in each the seat that sees it, and that is to move.
            events: the events of each round so far, `as_seen`, behind which a row may have
                anything.
            heads: what comes first in each: `"game":3,"rules":1`.
            told: how many of its events are known already.
            clocks: what is said of each clock; "" if there is none.
        """
        games, terms = batch._games[lanes], self.terms
        hands = self._hands(games, seats)
        ends, courses = self._ends(games), self._course(games, seats)
        public = _public(games, self._setup.players, terms)
        sizes = (games["log_size"] - self._rules.num_tiles).tolist()
        rows, legal = events.tolist(), batch._legal[lanes].tolist()
        counts = batch._num_legal[lanes].tolist()
        found = []
        for at, seat in enumerate(seats.tolist()):
            words, first = rows[at][: sizes[at]], told[at]
            said = terms.event
            table = ",".join([said(word) for word in words if word & 31 in LAID])
            news = ",".join([said(word) for word in words[first:]])
            moves = ",".join([terms.move(action) for action in sorted(legal[at][: counts[at]])])
            before, after = public[at]
            found.append(
                f'{{{heads[at]},"seat":{seat},{before},"hand":[{hands[at]}],{after},'
                f'"ends":[{ends[at]}],"table":[{table}],{courses[at]}{clocks[at]}"first":{first},'
                f'"events":[{news}],"moves":[{moves}]}}'
            )
        return found

    def _hands(self, games: Any, seats: Whole) -> list[str]:
        """The seats' own hands."""
        if self._rules.rows:
            return [""] * len(seats)
        own = games["hands"][np.arange(len(seats)), seats].tolist()
        return [self.terms.hand(words) for words in own]

    def _ends(self, games: Any) -> list[str]:
        numbers = games["num_ends"].tolist()
        most = max(numbers, default=0)
        names = ("end_value", "end_kind", "end_tile")
        each = [games[name][:, :most].tolist() for name in names]
        opened = (games["opener"] >= 0).tolist()
        if self._rules.is_curved:
            turns, meets = games["end_turns"].tolist(), games["end_meets"].tolist()
            return [
                ",".join(
                    self.terms.curved_end(end, value, kind, host, turn, (meet[0], meet[1]))
                    for end, (value, kind, host, turn, meet) in enumerate(
                        zip(*parts, strict=False)  # there is room for more ends than there are
                    )
                    if end < number and kind != state.GONE
                )
                if is_opened
                else ""
                for is_opened, number, *parts in zip(
                    opened, numbers, *each, turns, meets, strict=True
                )
            ]
        offered, end_of = games["offered"].tolist(), self.terms.end
        return [
            ",".join(
                [
                    end_of(end, value, kind, host, bits >> end & 1)
                    for end, (value, kind, host) in enumerate(zip(*parts, strict=True))
                    if end < number and kind != state.GONE
                ]
            )
            if is_opened
            else ""
            for is_opened, number, bits, *parts in zip(opened, numbers, offered, *each, strict=True)
        ]

    def _course(self, games: Any, seats: Whole) -> list[str]:
        """What only some games have."""
        if not self._courses:
            return [""] * len(games)
        columns = [getattr(self, f"_{name}")(games) for name in self._courses]
        said = [f'"{name}":' for name in self._courses]
        return [
            "".join(f"{name}{value}," for name, value in zip(said, row, strict=True))
            for row in zip(*columns, strict=True)
        ]

    # Of each a column ---------------------------------------------------------------------------

    def _due(self, games: Any) -> list[str]:
        pairs = zip(games["due"].tolist(), games["due_left"].tolist(), strict=True)
        return [
            f'{{"tile":{self.terms.tiles[tile]},"left":{left}}}' if tile >= 0 else "null"
            for tile, left in pairs
        ]

    def _markers(self, games: Any) -> list[str]:
        return [
            _list(seat for seat in range(self._setup.players) if bits >> seat & 1)
            for bits in games["markers"].tolist()
        ]

    def _out(self, games: Any) -> list[str]:
        found = []
        for row in games["out_place"][:, : self._setup.players].tolist():
            out = sorted((place, seat) for seat, place in enumerate(row) if place)
            found.append(_list(seat for _, seat in out))
        return found

    def _direction(self, games: Any) -> list[str]:
        words = ('"counterclockwise"', '"clockwise"')
        return [words[each == CLOCKWISE] for each in games["direction"].tolist()]

    def _stakes(self, games: Any) -> list[str]:
        return _numbers(games["stakes"])

    def _claim(self, games: Any) -> list[str]:
        return _numbers(games["claim"])

    def _pending(self, games: Any) -> list[str]:
        """What a symbol will do; while there is nothing to be asked it has been done."""
        pairs = zip(games["effect"].tolist(), games["stage"].tolist(), strict=True)
        return [
            "null" if stage == state.PLAY else PENDING.get(each, "null") for each, stage in pairs
        ]

    def _rows(self, games: Any) -> list[str]:
        """Each seat's row, its top first: of tiles that nobody has seen nothing is said (BL3)."""
        return [self._rows_of(game) for game in games]

    def _rows_of(self, game: Any) -> str:
        size, seen = self._rules.hand_size_for(self._setup.players), game["seen"].tolist()
        rows, flipped = [], int(game["flipped"])
        for seat in range(self._setup.players):
            head, first = int(game["row_head"][seat]), seat * size
            slots = [first + (head + place) % size for place in range(int(game["hand_size"][seat]))]
            tiles = [int(game["deck"][slot]) for slot in slots]
            known = [tile == flipped or seen[tile >> 6] >> (tile & 63) & 1 for tile in tiles]
            pairs = zip(tiles, known, strict=True)
            rows.append(
                _list(self.terms.tiles[tile] if is_known else "null" for tile, is_known in pairs)
            )
        return _list(rows)

    def _spinner(self, games: Any) -> list[str]:
        return [
            self.terms.tiles[each] if each >= 0 else "null" for each in games["spinner"].tolist()
        ]

    def _lead(self, games: Any) -> list[str]:
        return _numbers(games["starter"])

    def _free(self, games: Any) -> list[str]:
        return ["true" if each else "false" for each in games["free_lead"].tolist()]

    def _last(self, games: Any) -> list[str]:
        return [str(each) if each >= 0 else "null" for each in games["laid_by"].tolist()]

    def _won(self, games: Any) -> list[str]:
        return _numbers(games["rounds_won"])


def _public(games: Any, players: int, terms: Terms) -> list[tuple[str, str]]:
    """What every game has: before the hand, and after it."""
    columns = [games[name].tolist() for name in ("round_number", "turn", "stage")]
    left, last = games["next"], games["deck_end"]
    all_left = len(terms.rules.tile_set.tiles) - len(terms.rules.left_out_with(players)) - left
    columns += [all_left.tolist(), (last - left).tolist()]
    names = ("hand_size", "scores", "drawn_since", "drew", "passed", "lacks")
    columns += [games[name][:, :players].tolist() for name in names]
    found = []
    for row in zip(*columns, strict=True):
        number, turn, stage, boneyard, drawable, held, scores, since, drew, passed, lacks = row
        lacked = ",".join([f"[{terms.lacks(bits)}]" for bits in lacks])
        flags = ",".join(["true" if each else "false" for each in passed])
        found.append(
            (
                f'"round":{number},"turn":{turn},"question":{QUESTIONS[stage]}',
                f'"held":{_list(held)},"scores":{_list(scores)},"boneyard":{boneyard},'
                f'"drawable":{max(0, drawable)},"lacks":[{lacked}],"since":{_list(since)},'
                f'"drew":{_list(drew)},"passed":[{flags}]',
            )
        )
    return found


def _courses(setup: Setup) -> list[str]:
    """The fields that only some games have, in the order of the protocol."""
    rules, asked = setup.rules, questions(setup.rules, setup.calls)
    later = rules.opening.later != "as_first" or rules.opening.after_draw != "as_first"
    last = rules.blocked.to == "lowest_team" or rules.bonuses.own_block or rules.bonuses.of_passes
    has = {
        "due": rules.layout.doubles_first or rules.layout.opening_first,
        "markers": rules.layout.arms == "own",
        "out": rules.turn.until != "first_out",
        "direction": rules.opening.direction == "chosen" or rules.turn.reversed_by != "nothing",
        "stakes": rules.turn.raised_by,
        "claim": state.CLAIM in asked,
        "pending": rules.tile_set.has_effects,
        "rows": rules.rows,
        "spinner": rules.layout.doubles == "first_spinner",
        "lead": later or rules.blocked.shared != "nobody" or rules.opening.starter == "in_turn",
        "free": later,
        "last": last,
        "won": rules.bonuses.by_round,
    }
    return [name for name, is_there in has.items() if is_there]


def _numbers(column: Any) -> list[str]:
    return [str(each) for each in column.tolist()]


def _list(values: Any) -> str:
    return f"[{','.join(map(str, values))}]"
