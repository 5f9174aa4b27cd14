"""Reference one-player games: plain referees, written from rulebook and rulings alone.

game = new_game("knock_out")
game.start(deal)  # all 28 tiles as they lie; may raise DealAgain (G5)
while not game.over:
    gained = game.apply(some_move_of(game.legal()))

`game.lay(...)` sets up a position by hand, of any size, and is over at once if nothing can be
done in it.
"""

from __future__ import annotations

from .elimination import Elimination
from .knock_out import KnockOut
from .puzzle import TILES, DealAgain, Puzzle
from .solitaire import Solitaire

GAMES: dict[str, type[Puzzle]] = {
    "elimination": Elimination,
    "solitaire": Solitaire,
    "knock_out": KnockOut,
}

__all__ = ["GAMES", "TILES", "DealAgain", "Puzzle", "new_game"]


def new_game(variant: str, *, moves: int = 200) -> Puzzle:
    """A referee for one game, before its deal. `moves` cuts Solitaire off; the others end."""
    return GAMES[variant](moves=moves)
