"""What the referee of a one-player game has at hand: the tiles, the score and the record."""

from __future__ import annotations

Tile = tuple[int, int]
Move = tuple

TILES: list[Tile] = [(low, high) for high in range(7) for low in range(high + 1)]


class DealAgain(Exception):
    """This deal goes back: it leaves the player no decision at all (G5)."""


def named(tile: Tile) -> Tile:
    """The tile's name, lower half first, however it lies."""
    first, second = tile
    return (min(first, second), max(first, second))


def whole_set(deal: list[Tile]) -> list[Tile]:
    """The deal as a list of pairs, as they lie; refused unless it is every tile once."""
    tiles = [tuple(tile) for tile in deal]
    if sorted(named(tile) for tile in tiles) != sorted(TILES):
        raise ValueError("that is not the whole set, each tile once")
    return tiles


class Puzzle:
    """The score and the record. Every game fills in how it is laid out and played."""

    def __init__(self, *, moves: int = 200) -> None:
        self.move_limit = moves  # only Solitaire can go on for ever
        self.clear_the_table()

    def clear_the_table(self) -> None:
        self.score = 0
        self.over = False
        self.won = False
        self.truncated = False
        self.events: list[tuple] = []

    def start(self, deal: list[Tile]) -> None:
        """Take a deal of all 28 tiles. Raises DealAgain if nothing can be done with it."""
        self.lay_deal(whole_set(deal))
        if self.over:
            self.clear_the_table()
            raise DealAgain("nothing can be moved")

    def apply(self, move: Move) -> int:
        """Carry out a move; the points it gained."""
        if move not in self.legal():
            raise ValueError(f"{move} is not legal")
        before = self.score
        self.carry_out(move)
        return self.score - before

    # -- every game says these for itself

    def lay_deal(self, deal: list[Tile]) -> None:
        """Lay out the whole set."""
        raise NotImplementedError

    def legal(self) -> set[Move]:
        """What the player may do; nothing when the game is over."""
        raise NotImplementedError

    def carry_out(self, move: Move) -> None:
        """Do a legal move, and see whether the game is over."""
        raise NotImplementedError
