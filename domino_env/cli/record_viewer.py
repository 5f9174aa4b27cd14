"""What `domino replay` shows: a record in the terminal, as a GIF, or as a page that plays it."""

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
    """A position of the record, and the event that led to it."""

    round: int
    position: Position
    caption: str


def show(record: Record, viewer: Viewer, out: Path | None, seconds: float) -> None:
    """Shows a record as a viewer saw it: printed, or written to a file."""
    painter = _painter_of(out) if out is not None else None
    frames = list(frames_of(record, viewer))
    if out is None or painter is None:
        for frame in frames:
            scene = compose(frame.position, viewer, names=record.names, **ansi.room())
            print(ansi.paint(scene, colour=sys.stdout.isatty()))
            print(f"{frame.caption}\n")
        return
    scenes = list(scenes_of(record, frames, viewer))
    write_whole(out, painter(scenes, [frame.caption for frame in frames], seconds))
    print(f"written: {out}, {len(scenes)} frames")


def chosen(file: Path, number: int) -> Record:
    """The record in a file; from a .jsonl file, with one a line, that of this number, from 1."""
    if file.suffix != ".jsonl":
        return read(file)
    if number < 1:
        raise BadOption(f"records are counted from 1: there is no record {number}")
    found = next(islice(read_all(file), number - 1, None), None)
    if found is None:
        raise BadOption(f"{file} has no record {number}")
    return found


def viewer_of(word: str) -> Viewer:
    """A viewer from the command line: "all", "nobody" or the number of a seat."""
    seat = whole_of(word)
    return word if seat is None else seat


def frames_of(record: Record, viewer: Viewer) -> Iterator[Frame]:
    """The position before every decision of a record, and the last one."""
    for step in replay(record):
        position = step.batch.position(0)
        position.seen_by(viewer)  # refused now if there is no such seat
        events = [str(event.seen_by(viewer)) for event in position.events]
        caption = events[-1] if events else "the tiles are dealt"
        yield Frame(step.round, position, caption)


def scenes_of(record: Record, frames: list[Frame], viewer: Viewer) -> Iterator[Scene]:
    """Scenes in which tiles on the table stay where they are throughout a round."""
    for _, some in groupby(frames, key=lambda frame: frame.round):
        of_round = list(some)
        room = room_of([frame.position for frame in of_round])
        for frame in of_round:
            yield compose(frame.position, viewer, names=record.names, room=room)


def _painter_of(out: Path) -> Callable[[list[Scene], list[str], float], bytes | str]:
    if out.suffix == ".gif":
        return lambda scenes, caption, seconds: gif(scenes, seconds=seconds)
    if out.suffix == ".html":
        return lambda scenes, caption, seconds: html(scenes, caption, seconds=seconds)
    raise BadOption(f"a game can be exported as .gif or .html, not as {out.name!r}")
