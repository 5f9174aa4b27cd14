"""Work that several processes share: each piece is claimed by the one that is at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from domino_env.errors import BadOption
from domino_env.locks import locked


class Taken(BadOption):
    """Another process is at a piece of work."""


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Keeps others from a piece of work, for which a folder of its own stands."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        try:
            held.enter_context(locked(folder))
        except BadOption as error:
            raise Taken("another process is at it") from error
        yield
