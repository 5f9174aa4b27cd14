"""What a seat may know of a game, as plain Python values: the one source of every prompt.

It is read from the record and the log at once, without a `Position`. Nothing is in it that the
seat has not seen; all of an observation is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from domino_env.engine import state
from domino_env.engine.log import unpack
from domino_env.engine.seats import CLOCKWISE
from domino_env.puzzles.puzzle_state import COLUMNS
from domino_env.text.events import Teller, Told, sentences
from domino_env.text.vocabulary import Vocabulary
from domino_env.tileset import DRAW_ONE, PLAY_AGAIN
from domino_env.words import QUESTIONS

if TYPE_CHECKING:
    from domino_env.batches import Batch

Facts: TypeAlias = dict[str, Any]
NOBODY = "nobody"

MOST_HISTORY = 3000  # characters of what happened before a seat's last decision

_STAGES = {
    state.CLAIM: "points",
    state.LAST_TILE: "domino",
    state.DIRECTION: "direction",
    state.TURNING: "reverse",
    state.STAKES: "raise",
    state.RAISED: "accept",
    state.LEADING: "lead",
}
_PENDING = {DRAW_ONE: "the next player draws one", PLAY_AGAIN: "the mover plays again"}
_TURNS = ("right", "left")


class FactReader:
    """Reads the facts of one lane as a viewer knows them: a seat, "nobody" or "all"."""

    def __init__(
        self, batch: Batch, lane: int, viewer: int | str, words: Vocabulary, teller: Teller
    ) -> None:
        self._batch, self._lane, self.viewer = batch, lane, viewer
        self._words, self._teller = words, teller
        self._games = batch._games
        self.rules, self.players = batch.rules, batch.num_players
        self.over = bool(self._field("over"))
        self._reveals = self._recall = False

    def _field(self, name: str) -> Any:
        """A field of the record as plain Python values."""
        return self._games[name][self._lane].tolist()

    def facts(self, history: bool, legal: bool, recall: bool = False) -> Facts:
        """All that the viewer may know; with `recall` what it has witnessed: all that happened in
        the round, but not the hands that are shown when a game is over."""
        self._reveals, self._recall = self.over and not recall, recall
        found = self._head()
        if self._words.has_table:
            self._at_table(found)
        else:
            self._alone(found)
        if history:
            self._happened(found)
        self._decision(found, legal)
        return found

    def _head(self) -> Facts:
        found: Facts = {"game": self.rules.title}
        if self.players > 1:
            found["you"] = self.viewer
        if self._batch.episode == "match":
            found["round"] = self._field("round_number")
        return found

    # At a table -----------------------------------------------------------------------------------

    def _at_table(self, found: Facts) -> None:
        found["seats"] = self._seats()
        found["table"] = self._table()
        found["ends"] = self._ends()
        if self.rules.rows:
            found["rows"] = self._rows()
        elif isinstance(self.viewer, int):
            found["hand"] = self._tiles(self._field("hands")[self.viewer])
        if self._reveals and not self.rules.rows:
            hands = self._field("hands")
            found["hands"] = [self._tiles(hands[seat]) for seat in range(self.players)]
        found["boneyard"] = self._num_tiles - self._field("next")
        reserved = self._num_tiles - self._field("deck_end")
        if reserved:
            found["not_drawn"] = min(reserved, found["boneyard"])
        self._course(found)

    @property
    def _num_tiles(self) -> int:
        return len(self._words.tiles)

    def _seats(self) -> list[Facts]:
        sizes, scores = self._field("hand_size"), self._field("scores")
        drew, passed = self._field("drew"), self._field("passed")
        lacks, since, out = map(self._field, ("lacks", "drawn_since", "out_place"))
        found = []
        for seat in range(self.players):
            each: Facts = {"seat": seat, "tiles": sizes[seat], "points": scores[seat]}
            if lacks[seat]:
                each["could_not_play_on"] = self._lacked(lacks[seat])
            if since[seat]:
                each["drawn_since"] = since[seat]
            if drew[seat]:
                each["drew"] = drew[seat]
            if passed[seat]:
                each["passed"] = True
            if out[seat]:
                each["out"] = out[seat]
            if self._field("markers") >> seat & 1:
                each["marked"] = True
            found.append(each)
        return found

    def _lacked(self, bits: int) -> list[str]:
        """What a seat has shown that it could not play on; of curved tiles, and turning where."""
        places = [place for place in range(bits.bit_length()) if bits >> place & 1]
        if not self._words.is_curved:
            return [str(self._words.asks[place]) for place in places]
        return [f"{self._words.asks[place >> 1]} turning {_TURNS[place & 1]}" for place in places]

    def _table(self) -> Facts:
        """The tiles that opened the round, and the arms that have grown from them."""
        opened: list[str] = []
        arms: dict[int, list[str]] = {}
        by: dict[int, list[str]] = {}
        is_first = True
        for word in self._events():
            kind, seat, tile, end, half = unpack(word)
            if kind not in (state.PLAYED, state.LAID_OUT):
                continue
            by.setdefault(seat, []).append(self._words.tiles[tile])
            if is_first or kind == state.LAID_OUT:
                opened.append(self._words.tiles[tile])
            else:
                arms.setdefault(end, []).append(self._lying(tile, half))
            is_first = False
        played = {who: tiles for who, tiles in by.items() if who != state.NOBODY}
        return {"opened": opened, "arms": arms, "played_by": played}

    def _lying(self, tile: int, half: int) -> str:
        """A tile with the half first that joins, and of a curved one which way it turns."""
        faces = self._words.faces[tile]
        text = f"[{faces[half]}|{faces[1 - half]}]"
        return f"{text} {_TURNS[half]}" if self._words.is_curved else text

    def _ends(self) -> list[Facts]:
        if self._field("opener") < 0:
            return []
        ends = range(self._field("num_ends"))
        values, kinds = self._field("end_value"), self._field("end_kind")
        hosts, offered = self._field("end_tile"), self._field("offered")
        return [
            self._end(end, values[end], kinds[end], hosts[end], bool(offered >> end & 1))
            for end in ends
            if kinds[end] != state.GONE
        ]

    def _end(self, end: int, value: int, kind: int, host: int, offered: bool) -> Facts:
        shown = self.rules.tile_set.values[value]
        counts = {state.SIDE: 0, state.DOUBLE: 2 * shown.pips}.get(kind, shown.pips)
        found: Facts = {"end": end, "shows": shown.text, "on": self._words.tiles[host]}
        asks = self._words.asked_by(value)
        if asks != shown.text:
            found["asks_for"] = asks
        if self.rules.layout.arms == "own":
            found["train_of"] = "everybody" if end == 0 else f"seat {end - 1}"
        if self.rules.scores_in_play:
            found["counts"] = counts
        if self._words.is_curved:
            found["turns"] = self._turns(end)
        elif not offered:
            like = self._words.first_alike(self._games[self._lane], end)
            found["closed"] = "not now" if like == end else f"the same as end {like}"
        return found

    def _turns(self, end: int) -> list[str]:
        """Which ways the next tile of a curved end may turn, and what it would meet there."""
        bits, meets = self._field("end_turns")[end], self._field("end_meets")[end]
        found = []
        for turn, name in enumerate(_TURNS):
            if bits >> turn & 1:
                met = meets[turn]
                if met == state.NO_MEETING:
                    found.append(name)
                elif self.rules.layout.meeting == "allowed":
                    found.append(f"{name} if it meets {self._words.values[met]} there")
        return found

    def _tiles(self, bits: list[int]) -> list[str]:
        """A set of tiles by their names."""
        found = []
        for word, left in enumerate(bits):
            while left:
                low = left & -left
                found.append(self._words.tiles[64 * word + low.bit_length() - 1])
                left ^= low
        return found

    def _rows(self) -> list[list[str]]:
        """Each seat's row, its top first; tiles that nobody has seen yet are "[?]" (BL3)."""
        size = self.rules.hand_size_for(self.players)
        deck, heads, sizes = map(self._field, ("deck", "row_head", "hand_size"))
        seen, flipped = self._field("seen"), self._field("flipped")
        rows = []
        for seat in range(self.players):
            slots = [seat * size + (heads[seat] + place) % size for place in range(sizes[seat])]
            tiles = [deck[slot] for slot in slots]
            rows.append(
                [
                    self._words.tiles[tile]
                    if self._reveals or tile == flipped or seen[tile >> 6] >> (tile & 63) & 1
                    else "[?]"
                    for tile in tiles
                ]
            )
        return rows

    def _course(self, found: Facts) -> None:
        """What only some games have: the direction, the stakes, what waits."""
        if self._field("due") >= 0:
            double = self._words.tiles[self._field("due")]
            found["due"] = {"double": double, "tiles": self._field("due_left")}
        self._round(found)
        if self._field("direction") != CLOCKWISE:
            found["direction"] = "counterclockwise"
        if self._field("stakes") > 1:
            found["stakes"] = self._field("stakes")
        stage = self._field("stage")
        if stage != state.PLAY:
            found["turn"] = self._field("turn")
            effect = _PENDING.get(self._field("effect"))
            if effect:
                found["then"] = effect

    def _round(self, found: Facts) -> None:
        """Who leads the round and who laid the last tile, where that matters later; its spinner;
        what it pays more."""
        opening = self.rules.opening
        leads = opening.later != "as_first" or opening.after_draw != "as_first"
        if leads or self.rules.blocked.shared != "nobody":
            found["leads"] = self._field("starter")
        if self._field("laid_by") >= 0 and self._rates_last():
            found["laid_last"] = self._field("laid_by")
        if self.rules.layout.doubles == "first_spinner":
            spinner = self._field("spinner")
            found["spinner"] = self._words.tiles[spinner] if spinner >= 0 else None
        bonuses, won = self.rules.bonuses.by_round, self._field("rounds_won")
        if self._batch.episode == "match" and won < len(bonuses) and not self.over:
            found["round_pays"] = bonuses[won]

    def _rates_last(self) -> bool:
        """Does it matter who laid the last tile?"""
        bonuses = self.rules.bonuses
        by_team = self.rules.blocked.to == "lowest_team"
        return by_team or bool(bonuses.own_block or bonuses.of_passes)

    # Alone ----------------------------------------------------------------------------------------

    def _alone(self, found: Facts) -> None:
        found["points"] = self._field("scores")[0]
        if self.rules.play == "turning_up":
            found["columns"] = self._columns()
            if self.rules.moves:
                found["moves_left"] = self.rules.moves - self._field("moves")
            if self._field("won"):
                found["won"] = True
            return
        row, length = self._field("row"), self._field("length")
        if self.rules.play == "counting":
            kept = self._field("kept")
            row = row[:kept] + row[self._field("finger") : length]
            found["counting"] = {"place": kept, "number": self._field("number")}
            found["idle_passes"] = self._field("idle")
        else:
            row = row[:length]
        first, second = self._field("first"), self._field("second")
        found["row"] = [f"[{first[tile]}|{second[tile]}]" for tile in row]

    def _columns(self) -> list[list[str]]:
        """The columns, the lowest tile last; tiles that lie face down are "[?]"."""
        first, second = self._field("first"), self._field("second")
        tiles, heights, up = map(self._field, ("column", "height", "face_up"))
        return [
            [
                f"[{first[tile]}|{second[tile]}]"
                if place >= heights[column] - up[column]
                else "[?]"
                for place, tile in enumerate(tiles[column][: heights[column]])
            ]
            for column in range(COLUMNS)
        ]

    # What happened --------------------------------------------------------------------------------

    def _events(self) -> list[int]:
        """The packed events of the round."""
        words: list[int] = self._batch._logs[
            self._lane, self._num_tiles : self._field("log_size")
        ].tolist()
        return words

    def _happened(self, found: Facts) -> None:
        """What happened up to the viewer's last decision, and since."""
        told = [self._teller.told(word, self.viewer) for word in self._events()]
        last = self._last_own(told)
        before, since = (sentences(part, self.viewer) for part in (told[:last], told[last:]))
        left_out, length = 0, sum(map(len, before))
        while length > MOST_HISTORY and not self._recall:
            length -= len(before[left_out])
            left_out += 1
        if left_out:
            found["earlier_left_out"] = left_out
        if before:
            found["earlier"] = before[left_out:]
        found["since"] = since

    def _last_own(self, told: list[Told]) -> int:
        """How many events had happened when the viewer's last decision had been carried out."""
        for place in range(len(told) - 1, -1, -1):
            event = told[place]
            if event.seat == self.viewer and event.kind not in _WITHOUT_DECISION:
                return place + 1
        return 0

    # What is to be decided ------------------------------------------------------------------------

    def _decision(self, found: Facts, legal: bool) -> None:
        mover = self._field("to_move")
        if self.over:
            found["over"] = True
            if self.players > 1:
                bits = self._field("winners")
                found["winners"] = [seat for seat in range(self.players) if bits >> seat & 1]
            elif self._field("won"):
                found["won"] = True
            return
        found["to_move"] = mover
        question = _STAGES.get(self._field("stage")) if self._words.has_table else None
        if question is not None:
            claim = self._field("claim")
            found["question"] = QUESTIONS[question].format(claim=claim)
        if mover == self.viewer:
            actions = sorted(self._batch._legal_of(self._lane))
            if question is not None:
                found["answers"] = [self._words.name(action) for action in actions]
            elif legal:
                found["legal"] = [self._words.name(action) for action in actions]


_WITHOUT_DECISION = ("draw", "pass", "flip", "back", "take")
