"""A game as strings: actions, chance outcomes, and what each seat has witnessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from domino_env.batches import Batch
from domino_env.text import describe
from domino_env.text.vocabulary import vocabulary_of

if TYPE_CHECKING:
    from domino_env.adapters.openspiel.transitions import Situation


class GameStrings:
    """What OpenSpiel shows of the games of a batch as text."""

    def __init__(self, batch: Batch) -> None:
        rules = batch.rules
        self._batch = batch
        self._vocabulary = vocabulary_of(batch)
        self._tiles = self._vocabulary.tiles
        self._dealt = 0 if rules.rows else rules.hand_size_for(batch.num_players)
        self._start = 1 if rules.opening.tile in ("from_boneyard", "middle") else 0  # dealt first

    def of_action(self, action: int) -> str:
        """A decision, such as "[3|5] by 3 → end 1"."""
        return self._vocabulary.name(action)

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
        began = f"Round {now.round}, begun at {' '.join(map(str, now.points))} points:\n"
        ended = [self.seen(batch, now, seat, True, True, recall=True) for seat in seats]
        return tuple(now.past[seat] + began + ended[seat] + "\n" for seat in seats)

    def witnessed(
        self, batch: Batch, now: Situation, seat: int, public: bool, private: bool
    ) -> str:
        """All that a seat has witnessed, or the public or the private part of it."""
        past = now.past[seat] if public and private else ""
        return past + self.seen(batch, now, seat, public, private, recall=True)

    def seen(
        self,
        batch: Batch,
        now: Situation,
        seat: int,
        public: bool,
        private: bool,
        recall: bool = False,
    ) -> str:
        """What a seat sees in a situation, or the public or the private part of it."""
        if now.is_dealing:
            return self._dealing(now, seat, public, private)
        told = describe(batch, 0, seat, history=recall, public=public, private=private)
        if public and now.action >= 0:
            told += f"\nSeat {int(batch.seat[0])}: {self.of_action(now.action)} ..."
        return told

    def _dealing(self, now: Situation, seat: int, public: bool, private: bool) -> str:
        """What a seat sees while tiles are dealt."""
        told = [f"{self._batch.rules.title}, dealing. You are seat {seat}."]
        if public and self._batch.episode == "match":
            told.append(f"Round {now.round}, at {' '.join(map(str, now.points))} points")
        if public and now.starter >= 0:
            told.append(f"Seat {now.starter} starts.")
        if private:
            told.append(f"Your hand: {self._hand(now, seat)}")
        return "\n".join(told)

    def _hand(self, now: Situation, seat: int) -> str:
        first = self._start + seat * self._dealt
        return self._names(now.dealt[first : first + self._dealt])

    def _names(self, tiles: Iterable[int]) -> str:
        return " ".join(self._tiles[tile] for tile in tiles)
