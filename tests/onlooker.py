"""Somebody who watches a round of trains or feet, and checks every event against the clauses.

The referees look a table over; an onlooker knows only what was said and done, in its order, and
the hands. What both say must be the same at every decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Tile = tuple[int, int]


class Onlooker:
    """Follows the record of one round, from a deal."""

    def __init__(
        self, game: Any, hands: list[list[Tile]], boneyard: list[Tile], starter: int | None
    ) -> None:
        self.game, self.players, self.options = game, game.players, game.options
        self.hands = [list(hand) for hand in hands]
        self.boneyard = list(boneyard)
        self.table: list[Tile] = []
        self.shows: dict[int, int] = {}  # for each end the number that shows
        self.turn = starter  # whose it is
        self.heard = 0
        self.last: tuple[Any, ...] = ()  # the last event
        self.goes_on = self.may_stop = False  # after a play: on with the turn; or stop, if wished
        self.last_play: tuple[int, Tile, int] | None = None  # seat, tile, end

    # -- every game says these for itself

    def lay_middle(self, number: int) -> None:
        raise NotImplementedError

    def lay(self, seat: int, tile: Tile, end: int, half: int) -> None:
        raise NotImplementedError

    def open_to(self, seat: int) -> list[int]:
        raise NotImplementedError

    def passes(self, seat: int) -> None:
        """What comes of a pass."""

    # -- the record

    def listen(self) -> None:
        """Checks all that has happened since the last time, and then what may be decided."""
        news = self.game.events[self.heard :]
        for event in news:
            kind, seat, *rest = event
            getattr(self, f"see_{kind}")(seat, *rest)
            self.last = event
        self.heard += len(news)
        self.look_at_the_table()
        if not self.game.round_over:
            self.look_at_the_choice()

    def see_start(self, seat: None, tile: Tile) -> None:
        assert not self.table
        assert tile == self.boneyard.pop(0)
        self.table.append(tile)
        self.lay_middle(tile[0])

    def see_play(self, seat: int, tile: Tile, end: int, half: int) -> None:
        self.hands[seat].remove(tile)
        self.table.append(tile)
        if not self.shows:
            self.lay_middle(tile[0])  # the middle was dealt
            self.turn = (seat + 1) % self.players
            return
        assert seat == self.turn
        assert end in self.open_to(seat)
        assert self.shows[end] == tile[half]
        self.last_play = (seat, tile, end)
        self.lay(seat, tile, end, half)
        if not self.goes_on:
            self.turn = (seat + 1) % self.players

    def see_draw(self, seat: int, tile: Tile) -> None:
        assert self.is_penalty(seat) or (seat == self.turn and not self.can_play(seat))
        assert "draw_until_playable" in self.options or self.last[:2] != ("draw", seat)  # TR3
        assert tile == self.boneyard.pop(0)
        self.hands[seat].append(tile)

    def see_pass(self, seat: int) -> None:
        assert seat == self.turn
        assert not self.can_play(seat)
        assert not self.is_blocked()  # the round would have ended, without passes (MT7)
        assert not self.boneyard or self.last[:2] == ("draw", seat)
        assert not self.boneyard or "draw_until_playable" not in self.options
        self.turn = (seat + 1) % self.players
        self.passes(seat)

    def see_call(self, seat: int) -> None:
        assert len(self.hands[self.last_play[0]]) == 1

    see_silent = see_call

    def see_take(self, gainer: int, loser: int, tile: Tile) -> None:
        assert not self.boneyard
        self.hands[loser].remove(tile)
        self.hands[gainer].append(tile)

    # -- what must be so

    def is_penalty(self, seat: int) -> bool:
        """Has another player just called for this one's last tile?"""
        return self.last[0] == "call" and self.last[1] != seat

    def plays(self, seat: int) -> Iterator[tuple[Any, ...]]:
        for tile in self.hands[seat]:
            for end in self.open_to(seat):
                for half in (0,) if tile[0] == tile[1] else (0, 1):
                    if tile[half] == self.shows[end]:
                        yield ("play", tile, end, half)

    def can_play(self, seat: int) -> bool:
        return any(self.plays(seat))

    def is_all_on_the_table(self, number: int) -> bool:
        numbers = max(self.game.tiles)[0] + 1  # each number is on so many tiles
        return sum(number in tile for tile in self.table) == numbers

    def look_at_the_table(self) -> None:
        held = [tile for hand in self.hands for tile in hand]
        assert sorted(self.table + held + self.boneyard) == sorted(self.game.tiles)
        assert [sorted(hand) for hand in self.hands] == [sorted(h) for h in self.game.hands]
        assert self.boneyard == self.game.boneyard
        assert {end: seen[0] for end, seen in self.game.ends().items()} == self.shows

    def look_at_the_choice(self) -> None:
        legal, seat = self.game.legal(), self.game.to_move
        assert legal
        if ("call",) in legal:
            assert legal == {("call",), ("silent",)}
            return
        stop = {("end_turn",)} if self.may_stop else set()
        assert seat == self.turn
        assert legal == {*self.plays(seat)} | stop

    def look_at_the_end(self, gained: list[int]) -> None:
        """The charges, and that the round had to end (TR4, TR5)."""
        blank = self.worth_of_double_blank()
        charges = [sum(low + high if high else blank for low, high in hand) for hand in self.hands]
        assert gained == [-charge for charge in charges]
        empty = [seat for seat, hand in enumerate(self.hands) if not hand]
        lowest = [seat for seat, charge in enumerate(charges) if charge == min(charges)]
        winners = empty or (lowest if len(lowest) == 1 else [])
        assert self.game.round_winners == {*winners}
        assert empty or self.is_blocked()
        assert self.last[0] != "pass"

    def worth_of_double_blank(self) -> int:
        raise NotImplementedError

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody could ever lay a tile anywhere (G7)."""
        held = {number for hand in self.hands for tile in hand for number in tile}
        return not self.boneyard and not held & {*self.shows.values()}


class OfTrains(Onlooker):
    """Watches Mexican Train."""

    def lay_middle(self, number: int) -> None:
        self.shows = dict.fromkeys(range(self.players + 1), number)
        self.markers = [False] * self.players
        self.had_a_turn: set[int] = set()
        self.duty: int | None = None

    def lay(self, seat: int, tile: Tile, end: int, half: int) -> None:
        self.shows[end] = tile[1 - half]
        if end == seat + 1:
            self.markers[seat] = False
        is_open = tile[0] == tile[1] and not self.is_all_on_the_table(tile[0])
        self.duty = end if is_open else None
        self.may_stop = self.is_first_line(seat, end)
        self.goes_on = is_open or self.may_stop
        if not self.goes_on:
            self.had_a_turn.add(seat)

    def is_first_line(self, seat: int, end: int) -> bool:
        if "own_line_on_first_turn" not in self.options or seat in self.had_a_turn:
            return False
        held = {number for held in self.hands[seat] for number in held}
        return end == seat + 1 and self.duty is None and self.shows[end] in held

    def open_to(self, seat: int) -> list[int]:
        if self.duty is not None:
            return [self.duty]
        if self.may_stop and seat == self.last_play[0]:
            return [seat + 1]
        return [end for end in self.shows if end in (0, seat + 1) or self.markers[end - 1]]

    def passes(self, seat: int) -> None:
        self.markers[seat] = True
        self.had_a_turn.add(seat)

    def see_end_turn(self, seat: int) -> None:
        assert self.may_stop
        self.may_stop = False
        self.turn = (seat + 1) % self.players
        self.had_a_turn.add(seat)

    def look_at_the_choice(self) -> None:
        super().look_at_the_choice()
        assert self.game.markers == self.markers
        assert self.game.duty == self.duty

    def worth_of_double_blank(self) -> int:
        return 50 if "double_blank_50" in self.options else 0


class OfFeet(Onlooker):
    """Watches Chickenfoot."""

    def lay_middle(self, number: int) -> None:
        sides = 6 if "six_toes_on_middle" in self.options else 4
        self.shows = dict.fromkeys(range(sides), number)
        self.toes, self.foot = [*range(sides)], number

    def lay(self, seat: int, tile: Tile, end: int, half: int) -> None:
        self.shows[end] = tile[1 - half]
        self.toes = self.toes[1:]
        if tile[0] == tile[1]:
            assert not self.toes  # one foot at a time
            new = len(self.shows)
            self.toes, self.foot = [end, new, new + 1], tile[0]
            self.shows |= {new: tile[0], new + 1: tile[0]}

    def open_to(self, seat: int) -> list[int]:
        return self.toes[:1] or [*self.shows]

    def look_at_the_choice(self) -> None:
        super().look_at_the_choice()
        assert self.game.duty == (self.toes[0] if self.toes else None)

    def is_blocked(self) -> bool:
        """Or there is no tile for a foot (CF4)."""
        return super().is_blocked() or (bool(self.toes) and self.is_all_on_the_table(self.foot))

    def worth_of_double_blank(self) -> int:
        return 0 if "double_blank_0" in self.options else 50


ONLOOKERS: dict[str, type[Onlooker]] = {"mexican_train": OfTrains, "chickenfoot": OfFeet}
