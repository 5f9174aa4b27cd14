"""Who sits where: seats are numbered clockwise (G1), and turns go round either way (FN3)."""

from __future__ import annotations

from domino_env.engine.compiling import kernel, small
from domino_env.engine.state import RAISED, Book, Game

CLOCKWISE = 1  # game.direction: one place to the left; counterclockwise is one less than all seats


@small
def seat_after(book: Book, seat: int, steps: int) -> int:
    """The seat so many places to the left, clockwise (G1)."""
    seat += steps
    return seat - book.seats if seat >= book.seats else seat


@small
def mate_of(seat: int) -> int:
    """The partner of a seat, diagonally opposite, where teams play (G1)."""
    return seat ^ 2


@small
def opposed(book: Book, seat: int, other: int) -> bool:
    """Do two seats play against each other?"""
    return seat != other and not (book.teams and seat == mate_of(other))


@small
def next_in(book: Book, game: Game, seat: int) -> int:
    """The next seat in the direction of play that has tiles (FN6)."""
    seat = seat_after(book, seat, int(game.direction))
    while game.hand_size[seat] == 0:
        seat = seat_after(book, seat, int(game.direction))
    return seat


@kernel
def next_asked(book: Book, game: Game, seat: int) -> int:
    """Who is asked the same question after a seat; -1 when it comes back to the mover.

    Only those who are still in are asked, and of raised stakes only opponents (FN12).
    """
    while True:
        seat = seat_after(book, seat, int(game.direction))
        if seat == game.turn:
            return -1
        if game.hand_size[seat] > 0 and (game.stage != RAISED or opposed(book, seat, game.turn)):
            return seat


@kernel
def reverse(book: Book, game: Game) -> None:
    """Turns go round the other way from now on."""
    game.direction = book.seats - game.direction


@small
def note_out(game: Game, seat: int) -> None:
    """Gives a seat without tiles its place among those who are out."""
    if game.hand_size[seat] == 0 and game.out_place[seat] == 0:
        game.num_out += 1
        game.out_place[seat] = game.num_out


@small
def played_out(book: Book, game: Game) -> bool:
    """Are so many out that the round is over? (FN6)"""
    return bool(game.num_out >= book.outs)
