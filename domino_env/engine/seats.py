"""Who sits where: seats are numbered clockwise (G1), and turns go round either way (FN3)."""

from __future__ import annotations

from domino_env.compiling import kernel, small
from domino_env.engine.state import Game, RuleTable

CLOCKWISE = 1  # game.direction: one place to the left; counterclockwise is one less than all seats


@small
def seat_after(rules: RuleTable, seat: int, steps: int) -> int:
    """The seat so many places to the left, clockwise (G1)."""
    seat += steps
    return seat - rules.seats if seat >= rules.seats else seat


@small
def mate_of(seat: int) -> int:
    """The partner of a seat, diagonally opposite, where teams play (G1)."""
    return seat ^ 2


@small
def opposed(rules: RuleTable, seat: int, other: int) -> bool:
    """Do two seats play against each other?"""
    return seat != other and not (rules.teams and seat == mate_of(other))


@small
def next_in(rules: RuleTable, game: Game, seat: int) -> int:
    """The next seat in the direction of play that has tiles (FN6)."""
    seat = seat_after(rules, seat, int(game.direction))
    while game.hand_size[seat] == 0:
        seat = seat_after(rules, seat, int(game.direction))
    return seat


@kernel
def next_asked(rules: RuleTable, game: Game, seat: int, opponents: bool) -> int:
    """Who is asked the same question after a seat; -1 when it comes back to the mover.

    Only those who are still in are asked, and of some questions only the mover's opponents (FN12).
    """
    while True:
        seat = seat_after(rules, seat, int(game.direction))
        if seat == game.turn:
            return -1
        if game.hand_size[seat] > 0 and (not opponents or opposed(rules, seat, game.turn)):
            return seat


@kernel
def reverse(rules: RuleTable, game: Game) -> None:
    """Turns go round the other way from now on."""
    game.direction = rules.seats - game.direction


@small
def note_out(game: Game, seat: int) -> None:
    """Gives a seat without tiles its place among those who are out."""
    if game.hand_size[seat] == 0 and game.out_place[seat] == 0:
        game.num_out += 1
        game.out_place[seat] = game.num_out


@small
def played_out(rules: RuleTable, game: Game) -> bool:
    """Are so many out that the round is over? (FN6, FT3)"""
    if rules.team_out:
        return team_is_out(game, 0) or team_is_out(game, 1)
    return bool(game.num_out >= rules.outs)


@small
def team_is_out(game: Game, seat: int) -> bool:
    """Are both out, a seat and its partner?"""
    return bool(game.out_place[seat] > 0 and game.out_place[mate_of(seat)] > 0)
