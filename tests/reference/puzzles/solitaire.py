"""Domino Solitaire (Fundex): turn all tiles face up, in seven columns or fewer.

Events: ("move", column, run length, column it went to), ("turn_up", column, tile), ("won",),
and last ("lost",), ("cut_off",) or ("stop", empty columns).
"""

from __future__ import annotations

from .puzzle import Move, Puzzle, Tile

COLUMNS = 7
STOP = ("stop",)


class Solitaire(Puzzle):
    """A tile is written (top half, bottom half), and is never rotated (SO1)."""

    def clear_the_table(self) -> None:
        super().clear_the_table()
        self.columns: list[list[Tile]] = [[] for _ in range(COLUMNS)]  # innermost tile first
        self.face_up = [0] * COLUMNS  # so many of a column's lowest tiles
        self.moves_made = 0

    def lay_deal(self, deal: list[Tile]) -> None:
        """Columns of seven, six and so on to one, the lowest tile of each face up (SO1)."""
        rest = list(deal)
        columns = []
        for length in range(COLUMNS, 0, -1):
            columns.append(rest[:length])
            rest = rest[length:]
        self.lay(columns, [1] * COLUMNS)

    def lay(self, columns: list[list[Tile]], face_up: list[int]) -> None:
        """Lay these columns, with so many of the lowest tiles of each face up."""
        self.clear_the_table()
        self.columns = [[tuple(tile) for tile in column] for column in columns]
        self.face_up = list(face_up)
        self.see_how_it_stands()

    # -- what can be moved

    def legal(self) -> set[Move]:
        """The moves, and to stop once the game is won (SO3)."""
        if self.over:
            return set()
        moves = self.moves()
        if self.won:
            moves.add(STOP)
        return moves

    def moves(self) -> set[Move]:
        """Every lowest part of every face-up run, to everywhere it may go (SO2)."""
        moves: set[Move] = set()
        for column in range(COLUMNS):
            for run_length in range(1, self.face_up[column] + 1):
                for target in self.targets(column, run_length):
                    moves.add(("move", column, run_length, target))
        return moves

    def targets(self, column: int, run_length: int) -> list[int | str]:
        targets: list[int | str] = []
        for other in range(COLUMNS):
            if other != column and self.joins(column, run_length, other):
                targets.append(other)
        is_whole_column = run_length == len(self.columns[column])
        if self.empty_columns() and not is_whole_column:
            targets.append("empty")
        return targets

    def joins(self, column: int, run_length: int, other: int) -> bool:
        """Does the run's top half match the lowest half of the other column?"""
        if not self.columns[other]:
            return False
        top_half = self.columns[column][-run_length][0]
        lowest_half = self.columns[other][-1][1]
        return top_half == lowest_half

    def empty_columns(self) -> list[int]:
        return [column for column in range(COLUMNS) if not self.columns[column]]

    # -- moving

    def carry_out(self, move: Move) -> None:
        if move == STOP:
            return self.stop()
        _, column, run_length, target = move
        if target == "empty":
            target = self.empty_columns()[0]  # all are one move (SO2)
        self.move_run(column, run_length, target)
        self.turn_up(column)
        self.moves_made += 1
        self.see_how_it_stands()
        return None

    def move_run(self, column: int, run_length: int, target: int) -> None:
        run = self.columns[column][-run_length:]
        self.columns[column] = self.columns[column][:-run_length]
        self.columns[target] = self.columns[target] + run
        self.face_up[column] -= run_length
        self.face_up[target] += run_length
        self.events.append(("move", column, run_length, target))

    def turn_up(self, column: int) -> None:
        """The tile uncovered turns up, if one was (SO2)."""
        if self.columns[column] and self.face_up[column] == 0:
            self.face_up[column] = 1
            self.score += 1
            self.events.append(("turn_up", column, self.columns[column][-1]))

    # -- won, lost, cut off

    def see_how_it_stands(self) -> None:
        if not self.won and self.all_are_face_up():
            self.won = True
            self.events.append(("won",))
        if not self.moves():
            if self.won:
                self.stop()  # by itself: nothing is left to decide (G5)
            else:
                self.lose()
        elif self.moves_made == self.move_limit:
            self.cut_off()

    def all_are_face_up(self) -> bool:
        return self.face_up == [len(column) for column in self.columns]

    def stop(self) -> None:
        """1 for each of the seven columns left empty (SO3)."""
        empty = len(self.empty_columns())
        self.score += empty
        self.over = True
        self.events.append(("stop", empty))

    def lose(self) -> None:
        self.over = True
        self.events.append(("lost",))

    def cut_off(self) -> None:
        """No bonus for empty columns, even for a game that is won (SO3)."""
        self.over = True
        self.truncated = True
        self.events.append(("cut_off",))
