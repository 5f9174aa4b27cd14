"""The shipped configs: found by name, listed, and printed.

In a checkout they are the files of `configs/`; an installed package carries them. The name of a
config is that of its file without the ending, and with its folder where that is ambiguous:
`train/block_draw`.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import domino_env
from domino_env.errors import BadOption, did_you_mean

COMMANDS = {
    "train": "train",
    "train/net": "train",
    "train/sb3": "train",
    "learn": "learn",
    "tournaments": "tournament",
    "datasets": "dataset",
    "": "demo",
}
"""The command that takes the configs of a folder."""


def find(word: str, folder: str) -> Path:
    """The settings file that a path or the name of a shipped config means."""
    path, ours = Path(word), shipped()
    if path.exists() and not path.is_dir():
        return path
    for name in (word, _join(folder, word)):
        if name in ours and COMMANDS[_folder_of(name)] == COMMANDS[folder]:
            return ours[name]
    if path.suffix in (".yaml", ".yml") or path.is_dir():
        known = _join(folder, path.stem)
        hint = f"; the shipped config is called {path.stem!r}" if known in ours else ""
        raise BadOption(f"{word} cannot be read: {_trouble(path)}{hint}")
    others = [name for name in ours if word in (name, Path(name).name)]
    if others:
        command = COMMANDS[_folder_of(others[0])]
        raise BadOption(f"{word!r} is a config for `domino {command}`{_of_this(folder)}")
    these = [Path(name).name for name in ours if _folder_of(name) == folder]
    hint = did_you_mean(path.name, these)
    raise BadOption(f"there is no file {word!r}, and no shipped config of that name{hint}")


def shipped() -> dict[str, Path]:
    """All shipped configs, by name: `train/block_draw`, `demo`."""
    package = Path(domino_env.__file__).parent
    for folder in (package / "configs", package.parent / "configs"):
        if (folder / "demo.yaml").exists():
            return {
                _join(kind, path.stem): path
                for kind in COMMANDS
                for path in sorted((folder / kind).glob("*.yaml"))
            }
    raise BadOption("the shipped configs are missing: the package is incomplete, install it again")


def rows() -> Iterator[tuple[str, str, str]]:
    """For each config the command that takes it, its name, and a line about it."""
    for name, path in shipped().items():
        yield COMMANDS[_folder_of(name)], name, _about(path.read_text(encoding="utf-8"))


def show(word: str) -> None:
    """Prints a config; if several have that name, the first, and says so on stderr."""
    ours = shipped()
    found = [name for name in ours if word in (name, Path(name).name)]
    if not found:
        known = {*ours, *(Path(name).name for name in ours)}
        raise BadOption(f"there is no config {word!r}{did_you_mean(word, known)}")
    if len(found) > 1:
        others = " and ".join(found[1:])
        print(f"domino: this is {found[0]}; there is also {others}", file=sys.stderr)
    print(ours[found[0]].read_text(encoding="utf-8"), end="")


def _about(text: str) -> str:
    """The first sentence of the comment at the top."""
    lines = [line.removeprefix("#").strip() for line in text.splitlines() if line.startswith("#")]
    return re.split(r"[.:](?:\s|$)", " ".join(lines), maxsplit=1)[0]


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _folder_of(name: str) -> str:
    return name.rpartition("/")[0]


def _of_this(folder: str) -> str:
    return f"; `domino configs` lists those for `domino {COMMANDS[folder]}`"


def _trouble(path: Path) -> str:
    return os.strerror(errno.EISDIR if path.is_dir() else errno.ENOENT)
