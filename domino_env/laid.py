"""What each tile of a round did to the table when it was laid, as plain Python values.

The engine's own layouts say it (`engine.layout.trace`), so whoever draws a table or tells of it
derives no rule of layout again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from domino_env.engine import state
from domino_env.engine.layout.hexes import ORIGIN
from domino_env.engine.layout.trace import trace_round

if TYPE_CHECKING:
    from domino_env.position import Event
    from domino_env.ruleset import Rules

KINDS = {
    state.HALF: "half",
    state.DOUBLE: "double",
    state.LONE: "lone",
    state.SIDE: "side",
}


class Opened(NamedTuple):
    """An end that a tile has opened, on itself or on the tile that it was laid against.

    `kind` says what of its tile the end is: the open "half" of a tile that is no double; the far
    side of a "double"; a "lone" side of an opening double without a neighbour; or an untouched
    "side" of a double that offers several.
    """

    end: int
    kind: str
    opens_sides: bool = False
    """Will a tile on this end open the other two sides of its double, alone (FU1) or together with
    one on the far side (AS2)?"""


class Arc(NamedTuple):
    """How a curved tile lies: in which corner of which cell of the honeycomb (see
    `engine.layout.hexes`), and at which edge of the cell its first half is."""

    q: int
    r: int
    corner: int
    first_edge: int

    @property
    def second_edge(self) -> int:
        """The edge of its second half."""
        after = (self.corner + 1) % 6
        return after if self.first_edge == self.corner else self.corner


class Mouth(NamedTuple):
    """Where a curved end is: the cell that its next tile comes into, and through which edge."""

    q: int
    r: int
    edge: int


class Laid(NamedTuple):
    """A tile that was laid: on which end, by which half, and what that opened."""

    end: int
    half: int
    double: bool
    shows: tuple[Opened, ...]
    """The ends on the tile itself: none of one that has closed two ends (B5)."""
    uncovers: tuple[Opened, ...] = ()
    """Ends on the tile that it was laid against, opened because it is covered now (FU1)."""
    arc: Arc | None = None
    """How it lies, if it is curved."""

    @property
    def opens_sides_later(self) -> bool:
        """Will it have more ends once it is covered? (FU1)"""
        return any(opened.opens_sides for opened in self.shows)


def read_laid(
    rules: Rules, rule_table: Any, game: Any, log: Any, plays: Sequence[Event]
) -> list[Laid]:
    """All tiles on the table of a game, in the order in which they were laid; `plays` are the
    events of its log that laid them, `game` is the dtype of its record."""
    opened, arcs = trace_round(rule_table, game, log, rules.num_tiles)
    shows: list[tuple[Opened, ...]] = [()] * len(plays)
    uncovers = shows.copy()
    for by, end, kind, uncovered, opens_sides in opened.tolist():
        (uncovers if uncovered else shows)[by] += (_opened(end, kind, opens_sides),)
    curved = rules.layout.tiles == "curved"
    lies = [_arc(*each) for each in arcs.tolist()] if curved else [None] * len(plays)
    return [
        Laid(event.end or 0, event.half or 0, event.tile.is_double, own, others, arc)
        for event, own, others, arc in zip(plays, shows, uncovers, lies, strict=True)
        if event.tile is not None
    ]


@cache
def _opened(end: int, kind: int, opens_sides: int) -> Opened:
    return Opened(end, KINDS[kind], bool(opens_sides))


def read_mouths(game: Any) -> dict[int, Mouth]:
    """Where the ends of a table of curved tiles are."""
    if game["opener"] < 0:
        return {}
    kinds = game["end_kind"][: int(game["num_ends"])].tolist()
    return {
        end: Mouth(*_cell(int(game["end_cell"][end])), int(game["end_edge"][end]))
        for end, kind in enumerate(kinds)
        if kind != state.GONE
    }


def _arc(cell: int, corner: int, first_edge: int) -> Arc:
    return Arc(*_cell(cell), corner, first_edge)


def _cell(cell: int) -> tuple[int, int]:
    """The q and r of a cell that the engine has as one number."""
    r, q = divmod(cell - ORIGIN + 128, 256)
    return q - 128, r
