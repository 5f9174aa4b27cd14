"""Files of positions: gzipped JSON with what is said of all of them, and a list for each.

Of each position they keep the seed of its deal and the actions that lead to it, with whatever is
known of it (`text.positions`, `belief.holdings`). The same positions are the same bytes.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from domino_env.errors import BadOption, DominoError, did_you_mean

VERSION = 1
SUFFIX = ".json.gz"


def packed(head: Mapping[str, Any], positions: Sequence[Any]) -> bytes:
    """The content of a file."""
    told = {"version": VERSION, **head, "positions": positions}
    text = json.dumps(told, separators=(",", ":"))
    return gzip.compress(text.encode(), 9, mtime=0)


def opened(content: bytes) -> dict[str, Any]:
    """What a file says, with its `positions`."""
    told: dict[str, Any] = json.loads(gzip.decompress(content))
    if told.pop("version") != VERSION:
        raise DominoError("these positions were written by another version of domino_env")
    return told


def names_in(folder: Path) -> list[str]:
    """The names of the files in a folder."""
    return sorted(path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}"))


def path_in(folder: Path, name: str) -> Path:
    """Where a file of that name lies."""
    return folder / f"{name}{SUFFIX}"


def content_in(folder: Path, name: str) -> bytes:
    """The content of the file of that name."""
    known = names_in(folder)
    if not isinstance(name, str) or name not in known:
        raise BadOption(f"there are no positions of {name!r:.80}{did_you_mean(str(name), known)}")
    return path_in(folder, name).read_bytes()
