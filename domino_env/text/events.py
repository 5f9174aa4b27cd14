"""What has happened in a round, told to one seat: the log in words.

An event is told in two ways, with the tile that only some see and without it; both are made once
for a game and kept. Draws in a row become one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from domino_env.engine.log import NAMES, unpack
from domino_env.engine.state import DREW, FLIPPED, LAID_OUT, NOBODY, PLAYED, PUT_BACK, TOOK
from domino_env.puzzles.puzzle_state import KNOCKED, MOVED, REMOVED, TURNED_UP
from domino_env.text.vocabulary import Vocabulary
from domino_env.words import ALONE, EVENTS, for_you

_SHOWN = (PLAYED, FLIPPED, PUT_BACK, LAID_OUT)  # events whose tile everybody sees
_SECRET = (DREW, TOOK)
_ALONE = dict(zip(range(REMOVED, REMOVED + len(ALONE)), ALONE, strict=True))


class Told(NamedTuple):
    """An event as a viewer was told of it.

    Attributes:
        kind: as `engine.log` names it.
        seat: who did it; None: the deal.
        what: the verb and what follows.
        tile: the tile, if there is one that the viewer saw.
        action: of a play, the action that it was.
        giver: out of whose hand a tile was taken.
    """

    kind: str
    seat: int | None
    what: str
    tile: str | None = None
    action: int | None = None
    giver: int | None = None


class Teller:
    """Tells of the events of one game."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        self._kept: dict[tuple[int, bool], Told] = {}

    def told(self, word: int, viewer: int | str, over: bool = False) -> Told:
        """A packed event as a viewer saw it: a seat, "nobody", or "all"."""
        kind, seat, _, end, _ = unpack(word)
        sees = kind not in _SECRET or viewer in ("all", seat)
        if kind == TOOK and viewer == end:
            sees = True  # it was the viewer's own
        found = self._kept.get((word, sees))
        if found is None:
            found = self._kept[word, sees] = self._tell(word, sees)
        return found

    def _tell(self, word: int, sees: bool) -> Told:
        if not self._words.has_table:
            return self._tell_alone(word)
        kind, seat, tile, end, half = unpack(word)
        who = None if seat == NOBODY else seat
        name = NAMES[kind]
        if kind == PLAYED:
            action = (tile * self._words.ends + end) * 2 + half
            said = self._words.name(action)
            return Told(name, who, f"plays {said}", self._words.tiles[tile], action)
        has_tile = sees and kind in (*_SHOWN, *_SECRET)
        shown = self._words.tiles[tile] if has_tile else None
        giver = end if kind == TOOK else None
        what = EVENTS[name].format(tile=shown or "a tile", end=end, giver=f"seat {giver}")
        return Told(name, who, what, shown, giver=giver)

    def _tell_alone(self, word: int) -> Told:
        kind, _, tile, other, _ = unpack(word)
        name = _ALONE[kind]
        tiles = self._words.tiles
        shown = tiles[tile] if kind in (REMOVED, KNOCKED, MOVED, TURNED_UP) else None
        second = tiles[other] if kind == KNOCKED else ""
        return Told(name, None, ALONE[name].format(tile=shown, other=second, place=other), shown)


def sentences(events: Iterable[Told], viewer: int | str) -> list[str]:
    """Events as sentences, "you" being the viewer; draws in a row are one."""
    found: list[str] = []
    draws: list[Told] = []
    for event in events:
        if draws and (event.kind != "draw" or event.seat != draws[0].seat):
            found.append(_drawn(draws, viewer))
            draws = []
        if event.kind == "draw":
            draws.append(event)
        else:
            found.append(_sentence(event, viewer))
    if draws:
        found.append(_drawn(draws, viewer))
    return found


def _sentence(event: Told, viewer: int | str) -> str:
    what = event.what
    if event.giver is not None and event.giver == viewer:
        what = what.replace(f"seat {event.giver}", "you")
    if event.seat is None:
        return what if event.kind in ALONE else f"the deal {what}"
    if event.seat != viewer:
        return f"seat {event.seat} {what}"
    verb, _, rest = what.partition(" ")
    return f"you {for_you(verb)} {rest}".rstrip()


def _drawn(draws: list[Told], viewer: int | str) -> str:
    who, verb = ("you", "draw") if draws[0].seat == viewer else (f"seat {draws[0].seat}", "draws")
    if draws[0].tile is not None:
        return f"{who} {verb} {' '.join(str(event.tile) for event in draws)}"
    return f"{who} {verb} {'a tile' if len(draws) == 1 else f'{len(draws)} tiles'}"
