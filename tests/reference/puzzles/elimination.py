"""Elimination, or Baronet (Fundex): count 0 to 12 along the row, again and again.

Events: ("count", number, tile), ("remove", tile), ("row_end", tiles removed in this pass),
and last ("end", "empty") or ("end", "stuck").
"""

from __future__ import annotations

from .puzzle import Move, Puzzle, Tile, named

NUMBERS = 13  # 0 to 12, then 0 again


class Elimination(Puzzle):
    """A tile touched on its own number is removed."""

    def clear_the_table(self) -> None:
        super().clear_the_table()
        self.table: list[Tile | None] = []  # None is the gap a tile has left
        self.finger = 0  # the place on the table that is touched next
        self.number = 0  # the number that will be said there
        self.removed: list[Tile] = []
        self.removed_this_pass = 0
        self.idle_passes = 0

    def lay_deal(self, deal: list[Tile]) -> None:
        self.lay(deal)

    def lay(self, row: list[Tile]) -> None:
        """Lay this row, from the left. Side by side, which way a tile lies means nothing."""
        self.clear_the_table()
        self.table = [named(tile) for tile in row]
        if not self.table:
            self.end_if_it_can_never_change()

    # -- what lies there

    @property
    def row(self) -> list[Tile]:
        """The tiles that are left, from the left."""
        return [tile for tile in self.table if tile is not None]

    @property
    def place(self) -> int:
        """Which tile of the row is counted next."""
        return len([tile for tile in self.table[: self.finger] if tile is not None])

    # -- counting

    def legal(self) -> set[Move]:
        """Nothing to decide (EL1)."""
        if self.over or not self.table:
            return set()
        return {("go_on",)}

    def carry_out(self, move: Move) -> None:
        """Touch one tile and say the number."""
        self.touch(self.table[self.finger])
        self.finger += 1
        self.number = (self.number + 1) % NUMBERS
        if self.finger == len(self.table):
            self.reach_the_row_end()

    def touch(self, tile: Tile) -> None:
        self.events.append(("count", self.number, tile))
        if sum(tile) == self.number:
            self.remove(tile)

    def remove(self, tile: Tile) -> None:
        # The gap stays open until the row's end.
        self.table[self.finger] = None
        self.removed.append(tile)
        self.removed_this_pass += 1
        self.idle_passes = 0
        self.score += 1
        self.events.append(("remove", tile))

    # -- the row's end

    def reach_the_row_end(self) -> None:
        """Close the gaps and go back to the left; the number just goes on."""
        self.events.append(("row_end", self.removed_this_pass))
        if self.removed_this_pass == 0:
            self.idle_passes += 1
        self.table = self.row
        self.finger = 0
        self.removed_this_pass = 0
        self.end_if_it_can_never_change()

    def end_if_it_can_never_change(self) -> None:
        """Nothing left, or nothing that the count could ever remove (EL2)."""
        if not self.table:
            self.over = True
            self.won = True
            self.events.append(("end", "empty"))
        elif self.idle_passes >= self.idle_passes_that_prove_it():
            self.over = True
            self.events.append(("end", "stuck"))

    def idle_passes_that_prove_it(self) -> int:
        # A row of 13 or 26 meets the same numbers in every pass, so one pass tells all.
        return 1 if len(self.table) % NUMBERS == 0 else NUMBERS
