"""`Position`: a readable snapshot of one game, with all hidden tiles unless it is made for a seat.

It consists of plain Python values and never changes. It is for reading, debugging, rendering and
tests; fast agents read the arrays of the `Batch`. A snapshot is a copy of the game's record; what
that says in plain words is worked out when it is first asked for (see `table_reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from domino_env.actions import Move, Tile
from domino_env.errors import BadOption, is_whole
from domino_env.hex_text import draw_hexes
from domino_env.laid import Laid, Mouth
from domino_env.lazy import lazy_fields, read_by
from domino_env.words import EVENTS

HIDDEN = ("hands", "boneyard", "events", "columns")
"""The fields that a viewer may see less of."""


@dataclass(frozen=True)
class End:
    """An open end: what it asks for, the tile that it is on, and how many pips it counts.

    `value` is a number (of a half with a symbol the number that its colour stands for, and "*" of a
    star, which any half matches), and None on the empty table, which takes anything. `offered` is
    False for an end that the seat whose turn it is may not play on now: one that is `like` another
    (G19), one that must wait until a double has its tiles (CR1, CF3), another's train without a
    marker (MT3), or a dead one, which counts all the same (BN5).
    """

    number: int
    value: int | str | None
    tile: Tile | None
    counts: int
    offered: bool
    fit: str = "open"
    """Of curved tiles: "open", "right" or "left" (closed but for that turn), or "dead" (B4)."""
    like: int | None = None
    """The first of the ends that it cannot be told from: moves name that one (G19)."""
    owner: int | None = None
    """Of a train the seat that it belongs to; None: it is everybody's (MT2)."""

    def __str__(self) -> str:
        if self.value is None:
            return f"end {self.number} takes anything"
        shows = f"end {self.number} shows {self.value} (on [{self.tile}], counts {self.counts}"
        return f"{shows}{self.whose}{self.closed})"

    @property
    def whose(self) -> str:
        """What is to be said of an end with an owner."""
        return "" if self.owner is None else f", seat {self.owner}'s"

    @property
    def closed(self) -> str:
        """What is to be said of an end that is not open."""
        if self.fit != "open":
            return ", dead" if self.fit == "dead" else f", {self.fit} only"
        if self.like is not None:
            return f", like end {self.like}"
        return "" if self.offered else ", not now"


@dataclass(frozen=True)
class Event:
    """Something that happened. `kind` is "play", "draw", "pass", "end_turn", an answer like "call"
    or "reverse", "take" (out of the hand of the seat `giver`), "flip" (a tile of a row is turned
    up), "back" (it is put at the bottom of the row) or "start" (a start tile that is nobody's, seat
    None)."""

    kind: str
    seat: int | None
    tile: Tile | None = None
    end: int | None = None
    half: int | None = None
    giver: int | None = None

    def seen_by(self, viewer: int | str) -> Event:
        """The same as a viewer saw it: a tile that others drew or took is None."""
        secret = self.kind in ("draw", "take") and viewer not in ("all", self.seat, self.giver)
        return replace(self, tile=None) if secret else self

    def __str__(self) -> str:
        who = "the deal" if self.seat is None else f"seat {self.seat}"
        tile = "a tile" if self.tile is None else f"[{self.tile}]"
        what = EVENTS[self.kind]
        return f"{who} {what.format(tile=tile, end=self.end, giver=f'seat {self.giver}')}"


@lazy_fields
@dataclass(frozen=True, kw_only=True)
class Position:
    """A snapshot of one game."""

    variant: str
    title: str
    num_players: int
    to_move: int | None
    """The seat that has to decide; None when the game is over."""
    legal: list[Move]
    """The legal moves of the seat to move; empty for every other viewer."""
    legal_actions: list[int]
    scores: list[int]
    events: list[Event]
    """What has happened in this round."""
    round: int
    """1 in the first round of the episode."""
    over: bool
    winners: list[int]
    """When it is over: the winners of the episode; empty for a draw."""
    deal: Any
    """The deal of this round, as `reset(options={"deal": ...})` takes it; None for a viewer."""
    rules: Any = field(repr=False)
    """The rules of the game."""
    viewer: int | str = "all"
    """The point of view: "all" sees everything, a seat what it may know, "nobody" what is public.
    Tiles hidden from the viewer are None."""

    # Of games at a table:
    hands: Sequence[Sequence[Tile | None]] = field(default_factory=list)
    """Tiles held, by seat; in a game of rows in their order, top first."""
    boneyard: Sequence[Tile | None] = field(default_factory=list)
    """In drawing order; reserved tiles and tiles set aside too, but none that are left out."""
    played: list[tuple[Tile, int | None]] = field(default_factory=list)
    """Tiles on the table in the order they were laid, and who laid them."""
    ends: list[End] = field(default_factory=list)
    turn: int = 0
    """The seat whose turn it is; not `to_move` while others are asked whether they call."""
    claim: int = 0
    """Points that wait to be called."""
    question: str | None = None
    """What the seat to move is asked, if not for a move: "points", "domino", "direction",
    "reverse", "raise", "accept" or "lead"."""
    direction: str = "clockwise"
    """Which way turns go: "clockwise" or "counterclockwise"."""
    stakes: int = 1
    """A factor on the scores of the round."""
    pending: str | None = None
    """The symbol that has its effect once the questions are answered: "draw" or "play_again"."""
    due: Tile | None = None
    """The double that must have tiles before anything else may be played (CR1, MT5, CF3)."""
    due_left: int = 0
    """How many tiles it still must have."""
    markers: list[int] = field(default_factory=list)
    """Seats on whose trains everybody may play (MT4)."""
    finished: list[int] = field(default_factory=list)
    """Seats that have gone out, in order."""
    laid: list[Laid] = field(default_factory=list)
    """Of each tile of `played` where it was laid, what ends it opened, and how it lies if it is
    curved: what a drawing of the table needs to know."""
    mouths: dict[int, Mouth] = field(default_factory=dict)
    """Where the next curved tile of each end comes in."""

    painter: ClassVar[Callable[[Position], str]]
    """What draws a position in a notebook. Drawing stands above positions, so it is put here by the
    package itself: see `domino_env/__init__.py`."""

    def seen_by(self, viewer: int | str) -> Position:
        """The position as one seat knows it, or as an onlooker, "nobody" (G13): hidden tiles are
        None, and only the viewer's own legal moves are included. All hands are shown when the
        episode is over."""
        if isinstance(viewer, str) and viewer == "all":
            return self
        seat = is_whole(viewer) and viewer in range(self.num_players)
        if not seat and not (isinstance(viewer, str) and viewer == "nobody"):
            raise BadOption(
                f"a viewer is 'all', 'nobody' or a seat from 0 to {self.num_players - 1}, "
                f"not {viewer!r}"
            )
        return read_by(type(self), _Seen(self, viewer))

    def _hidden_from(self, viewer: int | str) -> dict[str, Any]:
        """What a viewer knows of the tiles."""
        known = {event.tile for event in self.events if event.kind == "flip"}  # BL3

        def shown(seat: int, tile: Tile | None) -> Tile | None:
            own = seat == viewer and not self.rules.rows
            return tile if own or self.over or tile in known else None

        return {
            "hands": [[shown(seat, tile) for tile in hand] for seat, hand in enumerate(self.hands)],
            "boneyard": [None] * len(self.boneyard),
            "events": [event.seen_by(viewer) for event in self.events],
        }

    def __str__(self) -> str:
        lines = [f"{self.title}, round {self.round}"]
        for seat, hand in enumerate(self.hands):
            mark = "→" if seat == self.to_move else " "
            tiles = " ".join(f"[{tile or '   '}]" for tile in hand) or "no tiles"
            lines.append(f"{mark} seat {seat}  {self.scores[seat]:>4} points  {tiles}")
        lines += self._table()
        lines.append(f"  boneyard  {len(self.boneyard)} tiles")
        if self.events:
            lines.append(f"  last      {self.events[-1]}")
        if self.over:
            names = " and ".join(f"seat {seat}" for seat in self.winners)
            lines.append(f"  over      {names + ' won' if names else 'drawn'}")
        elif self.legal:
            lines.append(f"  legal     {', '.join(map(str, self.legal))}")
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        """A drawing, for notebooks."""
        return Position.painter(self)

    def _table(self) -> list[str]:
        """Each end with the tiles that lead to it; of curved tiles a drawing too."""
        opened = f"[{self.played[0][0]}]" if self.played else "nothing yet"
        lines = [f"  opened    {opened}"]
        for end, arm in zip(self.ends, self._arms(), strict=True):
            joined = "".join(f" [{half}|{far}]" for half, far in arm) or " untouched"
            shows = "" if end.value is None else f"  shows {end.value}, counts {end.counts}"
            lines.append(f"  end {end.number:<4} {joined}{shows}{end.whose}{end.closed}")
        arcs = [laid.arc for laid in self.laid if laid.arc is not None]
        if arcs:
            tiles = [tile for tile, _ in self.played]
            lines += ["", *(f"  {line}" for line in draw_hexes(tiles, arcs, self.mouths)), ""]
        if self.due is not None:
            lines.append(f"  due       [{self.due}] must have {self.due_left} more first")
        if self.markers:
            lines.append(f"  marked    trains of seat {', '.join(map(str, self.markers))}")
        if self.direction != "clockwise":
            lines.append(f"  turns     {self.direction}")
        if self.stakes > 1:
            lines.append(f"  stakes    the round counts {self.stakes} times")
        return lines

    def _arms(self) -> list[list[tuple[int | str, int | str]]]:
        """For each end the tiles that have been played on it, as the halves that joined and that
        were left, from the middle outwards."""
        arms: dict[int, list[tuple[int | str, int | str]]] = {e.number: [] for e in self.ends}
        for event in self.events:
            first = not self.played or event.tile == self.played[0][0]
            if event.kind == "play" and event.tile is not None and not first:
                half = event.half or 0
                arm = arms.setdefault(event.end or 0, [])
                arm.append((event.tile[half], event.tile[1 - half]))
        return [arms[end.number] for end in self.ends]


class _Seen:
    """The fields of a position as a viewer sees them."""

    def __init__(self, position: Position, viewer: int | str) -> None:
        self._position, self.viewer, self.deal = position, viewer, None

    def __getattr__(self, name: str) -> Any:
        """All else is what it is in the position, unless it is hidden."""
        hidden = self._hidden if name in HIDDEN else {}
        return hidden[name] if name in hidden else getattr(self._position, name)

    @property
    def legal(self) -> list[Move]:
        return self._position.legal if self._is_to_move else []

    @property
    def legal_actions(self) -> list[int]:
        return self._position.legal_actions if self._is_to_move else []

    @property
    def _is_to_move(self) -> bool:
        return self.viewer == self._position.to_move

    @cached_property
    def _hidden(self) -> dict[str, Any]:
        return self._position._hidden_from(self.viewer)
