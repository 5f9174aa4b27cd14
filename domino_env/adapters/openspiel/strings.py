"""A game as strings: actions, chance outcomes, and what each seat has witnessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from domino_env.actions import Tile, decode
from domino_env.batches import Batch
from domino_env.engine.log import NAMES, unpack
from domino_env.engine.state import DREW, FLIPPED, LAID_OUT, NOBODY, PLAYED, PUT_BACK, TOOK

if TYPE_CHECKING:
    from domino_env.adapters.openspiel.transitions import Situation

_OPEN = (FLIPPED, PUT_BACK, LAID_OUT)  # events whose tile everybody sees, beside plays


class GameStrings:
    """What OpenSpiel shows of the games of a batch as text."""

    def __init__(self, batch: Batch) -> None:
        rules = batch.rules
        self._batch = batch
        self._tiles = [f"[{Tile(*faces)}]" for faces in rules.tile_set.faces]
        how = (batch.calls, batch.num_players)
        self._actions = [str(decode(rules, a, *how)) for a in range(batch.num_actions)]
        self._dealt = 0 if rules.rows else rules.hand_size_for(batch.num_players)
        self._start = 1 if rules.opening.tile in ("from_boneyard", "middle") else 0  # dealt first
        self._words: dict[int, tuple[str, str]] = {}

    def of_action(self, action: int) -> str:
        """A decision, such as "[3|5] by 3 → end 1"."""
        return self._actions[action]

    def of_outcome(self, now: Situation, outcome: int) -> str:
        """What chance decides."""
        if now.asks == "starter":
            return f"seat {outcome} starts"
        return self._tiles[outcome]

    def of_waiting(self, now: Situation) -> str:
        """A decision that waits for chance, with what chance has brought so far."""
        drawn = [f"then {self._tiles[tile]}" for tile in now.dealt[now.settled :]]
        taken = [f"then tile {place + 1} of {size}" for size, place in now.takes]
        return ", ".join([self.of_action(now.action), *drawn, *taken])

    def of_dealing(self, now: Situation) -> str:
        """All that has been dealt, of a round that has not begun."""
        seats = range(self._batch.num_players)
        hands = [f"  seat {seat}  {self._hand(now, seat)}" for seat in seats]
        beside = len(now.dealt) - self._start - len(hands) * self._dealt
        if now.dealt[: self._start]:
            hands.insert(0, f"  start tile  {self._names(now.dealt[: self._start])}")
        if beside > 0:
            hands.append(f"  boneyard  {self._names(now.dealt[-beside:])}")
        if now.starter >= 0:
            hands.append(f"  seat {now.starter} starts")
        return "\n".join([f"{self._batch.rules.title}, round {now.round}, dealing", *hands])

    def of_round(self, batch: Batch, now: Situation) -> tuple[str, ...]:
        """What each seat has witnessed in this round and before, of a round that has ended."""
        seats, now = range(batch.num_players), replace(now, action=-1)
        return tuple(self.witnessed(batch, now, seat, True, True) + "\n" for seat in seats)

    def witnessed(
        self, batch: Batch, now: Situation, seat: int, public: bool, private: bool
    ) -> str:
        """All that a seat has witnessed, or the public or the private part of it."""
        told = [f"seat {seat}"]
        if public and self._batch.episode == "match":
            told.append(f"round {now.round} at {' '.join(map(str, now.points))}")
        if public and now.starter >= 0:
            told.append(f"seat {now.starter} starts")
        if private:
            told.append(self._hand(now, seat))
        if not now.is_dealing:
            end = int(batch.games["log_size"][0])
            words = batch.events[0, batch.rules.num_tiles : end].tolist()
            events = (self._event(word, seat, public, private) for word in words)
            told += [event for event in events if event]
        if public and now.action >= 0:
            told.append(f"{batch.seat[0]} {self.of_action(now.action)} ...")
        past = now.past[seat] if public and private else ""
        return past + ", ".join(told)

    def _hand(self, now: Situation, seat: int) -> str:
        first = self._start + seat * self._dealt
        return self._names(now.dealt[first : first + self._dealt])

    def _names(self, tiles: Iterable[int]) -> str:
        return " ".join(self._tiles[tile] for tile in tiles)

    def _event(self, word: int, seat: int, public: bool, private: bool) -> str:
        """An event as a seat sees it; of what is not told, nothing."""
        if word not in self._words:
            self._words[word] = self._tell(word)
        hidden, full = self._words[word]
        if hidden != full and private and seat in _who_sees(word):
            return full
        return hidden if public else ""

    def _tell(self, word: int) -> tuple[str, str]:
        """An event without the tile that only some see, and with it."""
        kind, seat, tile, end, half = unpack(word)
        who = "" if seat == NOBODY else f"{seat} "
        if kind == PLAYED:
            ends = self._batch.rule_table["ends"][0]
            told = who + self._actions[(tile * int(ends) + end) * 2 + half]
            return told, told
        told = who + NAMES[kind] + (f" from {end}" if kind == TOOK else "")
        full = f"{told} {self._tiles[tile]}"
        return (full if kind in _OPEN else told), (full if kind in (*_OPEN, DREW, TOOK) else told)


def _who_sees(word: int) -> tuple[int, ...]:
    """The seats that see the tile of a draw, or of a tile taken out of a hand."""
    event = unpack(word)
    return (event.seat, event.end) if event.kind == TOOK else (event.seat,)
