"""`domino replay`: a recorded game, in the terminal, as a GIF, or as a page that plays it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from domino_env.errors import BadOption
from domino_env.files import write_whole
from domino_env.plain import whole_of
from domino_env.position import Position
from domino_env.record import Record, read, read_all, replay
from domino_env.render import ansi
from domino_env.render.compose import compose, room_of
from domino_env.render.film import gif, html
from domino_env.render.scene import Scene

Viewer = int | str


class Frame(NamedTuple):
    """What there is to see at a decision, and what is to be said of it."""

    round: int
    position: Position
    said: str


def show(record: Record, viewer: Viewer, out: Path | None, seconds: float) -> None:
    """Shows a record to somebody, in the terminal or as a file."""
    painter = _painter_of(out) if out is not None else None
    frames = list(frames_of(record, viewer))
    if out is None or painter is None:
        for frame in frames:
            scene = compose(frame.position, viewer, names=record.names, **ansi.room())
            print(ansi.paint(scene, colour=sys.stdout.isatty()))
            print(f"{frame.said}\n")
        return
    scenes = list(scenes_of(record, frames, viewer))
    write_whole(out, painter(scenes, [frame.said for frame in frames], seconds))
    print(f"written: {out}, {len(scenes)} pictures")


def chosen(file: Path, number: int) -> Record:
    """The record in a file; of a file with one on each line that of this number, from 1."""
    if file.suffix != ".jsonl":
        return read(file)
    if number < 1:
        raise BadOption(f"records are counted from 1: there is no {number}")
    found = next(islice(read_all(file), number - 1, None), None)
    if found is None:
        raise BadOption(f"{file} has no record {number}")
    return found


def viewer_of(said: str) -> Viewer:
    """A viewer as it is written: "all", "nobody" or the number of a seat."""
    seat = whole_of(said)
    return said if seat is None else seat


def frames_of(record: Record, viewer: Viewer) -> Iterator[Frame]:
    """Every decision of a record, and then how it stands."""
    for step in replay(record):
        position = step.batch.position(0)
        position.seen_by(viewer)  # refused now if there is no such seat
        events = [str(event.seen_by(viewer)) for event in position.events]
        said = events[-1] if events else "the tiles are dealt"
        yield Frame(step.round, position, said)


def scenes_of(record: Record, frames: list[Frame], viewer: Viewer) -> Iterator[Scene]:
    """Scenes in which what lies on the table stays where it is, round by round."""
    for _, some in groupby(frames, key=lambda frame: frame.round):
        of_round = list(some)
        room = room_of([frame.position for frame in of_round])
        for frame in of_round:
            yield compose(frame.position, viewer, names=record.names, room=room)


def _painter_of(out: Path) -> Callable[[list[Scene], list[str], float], bytes | str]:
    if out.suffix == ".gif":
        return lambda scenes, said, seconds: gif(scenes, seconds=seconds)
    if out.suffix == ".html":
        return lambda scenes, said, seconds: html(scenes, said, seconds=seconds)
    raise BadOption(f"a game can be written as .gif or .html, not as {out.name!r}")
