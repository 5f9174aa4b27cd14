"""Knock-Out (Fundex): knock touching tiles that match out of the line.

Events: ("knock", junction, left tile, right tile), and last ("end", tiles left).
"""

from __future__ import annotations

from .puzzle import Move, Puzzle, Tile


class KnockOut(Puzzle):
    """The tiles lie end to end, each written (left half, right half), and never turn."""

    def clear_the_table(self) -> None:
        super().clear_the_table()
        self.row: list[Tile] = []

    def lay_deal(self, deal: list[Tile]) -> None:
        self.lay(deal)

    def lay(self, row: list[Tile]) -> None:
        """Lay this line, from the left, all face up (KO1)."""
        self.clear_the_table()
        self.row = [tuple(tile) for tile in row]
        self.end_if_no_pair_matches()

    def legal(self) -> set[Move]:
        """Every two neighbours that show the same number where they touch."""
        moves: set[Move] = set()
        for junction in range(len(self.row) - 1):
            left, right = self.row[junction], self.row[junction + 1]
            if left[1] == right[0]:
                moves.add(("knock", junction))
        return moves

    def carry_out(self, move: Move) -> None:
        """Both tiles leave, and the line is pushed together, its order unchanged."""
        _, junction = move
        left, right = self.row[junction], self.row[junction + 1]
        self.row = self.row[:junction] + self.row[junction + 2 :]
        self.score += 2
        self.events.append(("knock", junction, left, right))
        self.end_if_no_pair_matches()

    def end_if_no_pair_matches(self) -> None:
        if not self.legal():
            self.over = True
            self.won = not self.row
            self.events.append(("end", len(self.row)))
