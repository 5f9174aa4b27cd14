"""Where built object code is kept, and whether it is still that of the sources.

In a tree it lies where it is loaded from. What was built is also kept in the user's cache by what
it was built from, so that a wheel, or another checkout of the same commit, needs no second build.
This module needs nothing but Python: the build of a wheel asks it.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

NAME = "_object_code.abi3.so"
HERE = Path(__file__).parent
BASELINE = {"x86_64": "x86-64-v3", "AMD64": "x86-64-v3"}
"""The least processor that runs the code; of other machines LLVM's generic one."""
LINKED = ("agents", "train")  # folders at the top that are packages of domino_env
_MOST_KEPT = 4
_OLDEST_LIBC = (2, 17)  # of the wheels called manylinux_2_17


def processor() -> str:
    """The baseline on this kind of machine."""
    return BASELINE.get(platform.machine(), "")


def compiler() -> list[str] | None:
    """The C compiler's command, if there is one. Only systems with ELF libraries are built for."""
    if not sys.platform.startswith("linux"):
        return None
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        if command and shutil.which(command.split()[0]):
            return str(command).split()
    return None


def tag(library: Path) -> str:
    """What a wheel with this library is called: for every Python from 3.11 on, on this platform."""
    found = re.findall(rb"GLIBC_(\d+)\.(\d+)", library.read_bytes())
    needed = max([(int(major), int(minor)) for major, minor in found], default=(0, 0))
    machine = platform.machine()
    old_enough = needed <= _OLDEST_LIBC and machine in ("x86_64", "aarch64")
    return f"cp311-abi3-{'manylinux_2_17' if old_enough else 'linux'}_{machine}"


# What it is made of ------------------------------------------------------------------------------


def mark_of_tools() -> str:
    """What changes with the way in which object code is made."""
    words = [f"{name} {version(name)}" for name in ("numba", "llvmlite")]
    for file in sorted(HERE.iterdir()):
        if file.suffix in (".py", ".c", ".h", ".json"):
            words.append(_mark(file.read_bytes()))
    return _mark("\n".join([*words, processor()]).encode())


def place_of(root: Path) -> Path:
    """Where the object code of a tree is kept among what the user's programs cache."""
    words = [mark_of_tools(), platform.machine(), *(compiler() or ()), version("numpy")]
    for folder in ("domino_env", *LINKED):
        for file in sorted((root / folder).rglob("*.py")):
            name = file.relative_to(root)
            if "__pycache__" not in name.parts and not {*name.parts[1:2]} & {*LINKED}:
                text = file.read_bytes().replace(b"\r\n", b"\n")
                words.append(f"{name} {_mark(text)}")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    mark = _mark("\n".join(words).encode())
    return cache / "domino_env" / "object_code" / f"{mark}.so"


def _mark(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


# Building ----------------------------------------------------------------------------------------


def built(root: Path, anew: bool = False) -> Path:
    """The library of a tree, as it is kept; it is built if it must be."""
    kept = place_of(root)
    if kept.is_file() and not anew:
        os.utime(kept)
        return kept
    began = time.perf_counter()
    print("object code: building, about two minutes on two cores ...", flush=True)
    kept.parent.mkdir(parents=True, exist_ok=True)
    new = kept.with_suffix(f".{os.getpid()}.new")
    try:
        with _whole(root) as tree:
            inside(tree, "build", str(new))
        os.replace(new, kept)
    finally:
        new.unlink(missing_ok=True)
    _forget_old(kept)
    print(f"object code: built in {time.perf_counter() - began:.0f} s", flush=True)
    return kept


def inside(tree: Path, *words: str) -> None:
    """Runs a part of this where Numba compiles for the baseline, with nothing of the user's."""
    settings = {
        "NUMBA_CPU_NAME": processor() or "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_DISABLE_JIT": "0",
        "DOMINO_ENV_FROM_SOURCE": "1",
    }
    path = os.pathsep.join(filter(None, [str(tree), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "tools.object_code.building", *words]
    environment = {**os.environ, **settings, "PYTHONPATH": path}
    subprocess.run(command, env=environment, cwd=tree, check=True)


@contextmanager
def _whole(root: Path) -> Iterator[Path]:
    """A tree in which `domino_env.agents` can be imported: this one, or a copy of one that has no
    links."""
    if all((root / "domino_env" / name / "__init__.py").is_file() for name in LINKED):
        yield root
        return
    with tempfile.TemporaryDirectory() as folder:
        left_out = shutil.ignore_patterns("__pycache__", *LINKED)
        shutil.copytree(root / "domino_env", Path(folder) / "domino_env", ignore=left_out)
        for name in LINKED:
            shutil.copytree(root / name, Path(folder) / "domino_env" / name)
        for name in ("tools", "configs"):
            shutil.copytree(root / name, Path(folder) / name)
        yield Path(folder)


def _forget_old(kept: Path) -> None:
    """Removes all but the latest few."""
    others = sorted(kept.parent.glob("*.so"), key=lambda file: file.stat().st_mtime)
    for file in others[:-_MOST_KEPT]:
        file.unlink(missing_ok=True)
