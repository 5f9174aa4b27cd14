"""Fundomino and its variations: colours that match, tiles that fit, and action tiles."""

from __future__ import annotations

from collections.abc import Sequence

from ..table import Move, is_double
from .layout import CurvedTile, Half
from .referee import CurvedReferee

STAR = "*"
DRAW = "+"
PLAY_AGAIN = ">"

NUMBERS: list[CurvedTile] = [(str(low), str(high)) for low in range(1, 7) for high in range(low, 7)]
ACTIONS: list[CurvedTile] = [
    (">6", "1"),
    (">5", "2"),
    (">4", "3"),
    (">1", "5"),
    ("+3", "6"),
    ("+2", "4"),
    ("+6", "2"),
    ("+4", "1"),
    ("*", "3"),
    ("*", "5"),
    ("*", "6"),
]
FUNDOMINO_TILES = NUMBERS + ACTIONS  # FN1

# What a player may say to each question, besides a turn.
ANSWERS = {
    "perfect_ten": ("call", "silent"),
    "domino": ("call", "silent"),
    "direction": ("clockwise", "counter"),
    "reverse": ("reverse", "keep"),
    "raise": ("raise", "hold"),
    "accept": ("accept", "refuse"),
}


def is_number(half: Half) -> bool:
    return half[0] not in (STAR, DRAW, PLAY_AGAIN)


def next_ten(points: int) -> int:
    """Up to the next ten; a multiple of ten stays (G10)."""
    return (points + 9) // 10 * 10


class Fundomino(CurvedReferee):
    """The basic game: play goes on until one player has tiles left, and ranks score."""

    rulebook_target = 120
    has_calls = True
    twists_allowed = ("double_back", "double_stakes", "perfect_ten")

    def rulebook_hand_size(self) -> int:
        return {2: 8, 3: 7, 4: 6}[self.players]

    def all_tiles(self, given: Sequence[CurvedTile] | None) -> list[CurvedTile]:
        return [tuple(tile) for tile in (FUNDOMINO_TILES if given is None else given)]

    # -- halves (FN2)

    def asks(self, half: Half) -> Half:
        """A half's colour, named by its number; or a star."""
        return half if half == STAR or is_number(half) else half[1:]

    def matches(self, half: Half, shown: Half) -> bool:
        return STAR in (half, shown) or self.asks(half) == self.asks(shown)

    def may_meet(self, half: Half, shown: Half) -> bool:
        return False  # B5: forbidden here

    def counts(self, half: Half) -> int:
        if half == STAR:
            return 20
        return int(half) if is_number(half) else 10

    # -- seats

    def order_after(self, seat: int) -> list[int]:
        """The other players who are still in, in the order of play after this seat."""
        others = [(seat + step * self.direction) % self.players for step in range(1, self.players)]
        return [other for other in others if self.hands[other]]

    def next_in(self, seat: int) -> int:
        return self.order_after(seat)[0]

    # -- the opening

    def opening_tile(self) -> tuple[int, CurvedTile]:
        """A double of numbers, else two numbers, else any; the highest (FN3)."""
        held = self.held_tiles()
        of_numbers = [(s, t) for s, t in held if is_number(t[0]) and is_number(t[1])]
        doubles = [(s, t) for s, t in of_numbers if is_double(t)]
        return self.highest(doubles or of_numbers or held)

    def open_round(self, starter: int | None) -> None:
        """The opening is placed by the deal (G4)."""
        self.finished: list[int] = []  # who is out, in order
        self.question = ""  # what the player to move is being asked
        self.to_ask: list[int] = []  # who is asked the same question after them
        opener, tile = self.opening_tile()
        self.lay_opening_tile(opener, tile)
        self.after_the_play(opener, tile, opening=True)

    # -- after a play, in the order of FN12

    def after_the_play(
        self, seat: int, tile: CurvedTile, *, far: str = "", opening: bool = False
    ) -> None:
        """Remember the play, then: going out."""
        self.mover = seat
        self.placed = tile
        self.far = far  # the half that has become the open end
        self.opening = opening
        self.note_who_is_out()
        self.look_for_perfect_ten()

    def note_who_is_out(self) -> None:
        """Only one player loses the last tile at a time."""
        for seat in self.seats():
            if not self.hands[seat] and seat not in self.finished:
                self.finished.append(seat)

    def look_for_perfect_ten(self) -> None:
        """Do the two ends make a positive multiple of ten? (FN11)"""
        total = self.total_of_ends()
        if "perfect_ten" not in self.twists or total == 0 or total % 10 != 0:
            self.look_for_domino()
        elif self.calls == "automatic":
            self.gain(self.mover, total)
            self.look_for_domino()
        else:
            # The mover may call even when this was their last tile.
            self.ask("perfect_ten", [self.mover, *self.order_after(self.mover)])

    def look_for_domino(self) -> None:
        """Is "Domino!" owed? Nobody forgets it unless calls are explicit (G12)."""
        if self.calls == "explicit" and len(self.hands[self.mover]) == 1:
            self.ask("domino", [self.mover, *self.order_after(self.mover)])
        else:
            self.look_for_the_end()

    def look_for_the_end(self) -> None:
        """Has the end of the round come? Then nothing more is asked."""
        if self.is_played_out():
            self.played_out()
        elif self.is_blocked():
            self.blocked()
        else:
            self.ask_direction()

    def ask_direction(self) -> None:
        """CLOCKWISE or COUNTER after the opening (FN3), REVERSE or KEEP after a double (FN9)."""
        if self.players == 2:
            self.ask_to_raise()
        elif self.opening:
            self.ask("direction", [self.mover])
        elif "double_back" in self.twists and is_double(self.placed):
            self.ask("reverse", [self.mover])
        else:
            self.ask_to_raise()

    def ask_to_raise(self) -> None:
        """RAISE or HOLD after the double 2 (FN10)."""
        if "double_stakes" in self.twists and self.placed == ("2", "2") and self.stakes == 1:
            self.ask("raise", [self.mover])
        else:
            self.take_effect()

    def ask_to_accept(self) -> None:
        """ACCEPT or REFUSE, for every opponent who is in (FN10, FN12)."""
        rivals = [seat for seat in self.order_after(self.mover) if seat in self.rivals(self.mover)]
        if rivals:
            self.ask("accept", rivals)
        else:
            self.accepted()

    def accepted(self) -> None:
        """All have accepted."""
        self.stakes = 2
        self.take_effect()

    def take_effect(self) -> None:
        """What the half does that has become the open end (FN4)."""
        if self.far.startswith(PLAY_AGAIN) and self.hands[self.mover]:
            self.give_turn(self.mover)
            return
        if self.far.startswith(DRAW):
            self.draw_for_the_plus(self.next_in(self.mover))
            if self.is_played_out():
                self.played_out()
                return
        self.give_turn(self.next_in(self.mover))

    def draw_for_the_plus(self, seat: int) -> None:
        """One tile of the boneyard; if it is empty, of the mover's (FN4)."""
        if self.can_draw():
            self.draw(seat)
        elif self.hands[self.mover]:
            self.take(seat, self.mover)

    def take(self, gainer: int, loser: int) -> None:
        """A random tile out of a hand; who loses the last one so has finished (FN12)."""
        tile = self.pick_tile(loser, gainer, list(self.hands[loser]))
        self.hands[loser].remove(tile)
        self.hands[gainer].append(tile)
        self.events.append(("take", gainer, loser, tile))
        self.note_who_is_out()

    # -- questions and answers

    def ask(self, question: str, seats: list[int]) -> None:
        """Put a question to these players, one after the other."""
        self.question = question
        self.to_move, *self.to_ask = seats

    def answer(self, word: str) -> None:
        """What the player asked has said."""
        seat, question = self.to_move, self.question
        self.events.append((word, seat))
        if word in ("silent", "accept") and self.to_ask:
            self.ask(question, self.to_ask)  # now the next one
            return
        self.question = ""
        if question == "perfect_ten":
            if word == "call":
                self.gain(seat, self.total_of_ends())
            self.look_for_domino()
        elif question == "domino":
            if word == "call" and seat != self.mover:
                self.penalty(seat)
            self.look_for_the_end()
        elif question == "direction":
            self.direction = 1 if word == "clockwise" else -1
            self.ask_to_raise()
        elif question == "reverse":
            if word == "reverse":
                self.direction = -self.direction
            self.ask_to_raise()
        elif question == "raise":
            if word == "raise":
                self.ask_to_accept()
            else:
                self.take_effect()
        elif question == "accept":
            if word == "accept":
                self.accepted()
            else:
                self.blocked()  # FN10: at single stakes

    def penalty(self, caller: int) -> None:
        """The mover forgot "Domino!": a tile of the boneyard, or of the caller's (G12)."""
        if self.can_draw():
            self.draw(self.mover)
        else:
            self.take(self.mover, caller)

    # -- a turn

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat, or to it again; who cannot play draws, then passes."""
        while True:
            if self.is_blocked():
                return self.blocked()
            while not self.can_play(seat) and self.can_draw():
                self.draw(seat)  # FN5
            if self.can_play(seat):
                return self.ask("turn", [seat])
            if self.is_blocked():
                return self.blocked()
            self.events.append(("pass", seat))
            seat = self.next_in(seat)

    def legal(self) -> set[Move]:
        if self.to_move is None:
            return set()
        if self.question != "turn":
            return {(word,) for word in ANSWERS[self.question]}
        moves = self.plays(self.to_move)
        if self.can_draw():
            moves.add(("draw",))  # FN5
        return moves

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        if self.question != "turn":
            self.answer(move[0])
        elif move == ("draw",):
            self.draw(seat)  # and the same player decides again
        else:
            _, tile, end, half = move
            self.lay_tile(seat, tile, end, half)
            self.after_the_play(seat, tile, far=tile[1 - half])

    # -- the end of the round

    def is_played_out(self) -> bool:
        """Only one player has tiles left (FN6)."""
        return len(self.finished) >= self.players - 1

    def rank_points(self) -> list[int]:
        return {2: [40, 0], 3: [40, 20, 0], 4: [40, 20, 10, 0]}[self.players]

    def played_out(self) -> None:
        self.score_ranks()

    def blocked(self) -> None:
        """Blocked, or the stakes refused."""
        self.score_ranks()

    def score_ranks(self) -> None:
        """First those who are out, then by tile total; equal totals share a rank (FN6)."""
        self.ranks = {seat: place for place, seat in enumerate(self.finished, start=1)}
        left = [seat for seat in self.seats() if self.hands[seat]]
        for seat in left:
            better = [other for other in left if self.in_hand(other) < self.in_hand(seat)]
            self.ranks[seat] = len(self.finished) + len(better) + 1
        worth = {seat: self.rank_points()[self.ranks[seat] - 1] for seat in self.seats()}
        for seat in self.seats():
            self.gain(seat, self.stakes * worth[seat])
        self.end_round(self.winners_by_rank(worth))

    def winners_by_rank(self, worth: dict[int, int]) -> set[int]:
        """Who has rank 1, be they several."""
        return {seat for seat in self.seats() if self.ranks[seat] == 1}


class TeamPlay(Fundomino):
    """Ranks score 30, 20, 10, 0 for the team."""

    seats_allowed = (4,)
    in_teams = True

    def rank_points(self) -> list[int]:
        return [30, 20, 10, 0]

    def winners_by_rank(self, worth: dict[int, int]) -> set[int]:
        """The team whose ranks are worth more; if they are worth the same, nobody."""
        ours, theirs = worth[0] + worth[2], worth[1] + worth[3]
        if ours == theirs:
            return set()
        return {0, 2} if ours > theirs else {1, 3}


class Caribbean(TeamPlay):
    """Team play with all the tiles dealt out (FN8)."""

    uses_boneyard = False

    def rulebook_hand_size(self) -> int:
        return 8


class FaceValue(Fundomino):
    """The first player out ends the round and scores the tiles of the others (FN7)."""

    def is_played_out(self) -> bool:
        return bool(self.finished)

    def played_out(self) -> None:
        self.score_tiles(self.finished[0])

    def blocked(self) -> None:
        """The lowest total wins; shared by rivals, nobody."""
        side = self.lowest_side()
        if side:
            self.score_tiles(side[0])
        else:
            self.end_round(set())

    def score_tiles(self, seat: int) -> None:
        """The rivals' tiles, summed, rounded up to ten, and then twice if the stakes are."""
        self.gain(seat, self.stakes * next_ten(self.rivals_in_hand(seat)))
        self.end_round(set(self.side_of(seat)))


class FaceValueTeams(FaceValue):
    """Face value in two teams."""

    seats_allowed = (4,)
    in_teams = True
