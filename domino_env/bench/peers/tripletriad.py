"""PufferLib's game `tripletriad`: its C source as the package has it, compiled with a loop and a
sampler of ours around it (`workers/tripletriad.c`), so that no Python slows it down."""

from __future__ import annotations

import os
import platform
import tarfile
from pathlib import Path

from domino_env.bench.peers.setting_up import CannotMake, logged, python_of

WORKERS = Path(__file__).parent / "workers"
SOURCES = (WORKERS / "tripletriad.c", WORKERS / "raylib.h")
"""Ours: the driver, and what stands for the library that the game draws itself with."""

_HEADER = "pufferlib/ocean/tripletriad/tripletriad.h"

# pip runs the package's setup.py even to download it. That imports torch, for the names of classes,
# and fails unless a name is there that it forgets to define.
_SHIM = """
import builtins, sys, types
builtins.c_extension_paths = []
for name in ("torch", "torch.utils", "torch.utils.cpp_extension"):
    sys.modules[name] = types.ModuleType(name)
extension = sys.modules["torch.utils.cpp_extension"]
extension.CppExtension = extension.CUDAExtension = extension.BuildExtension = object
extension.CUDA_HOME = extension.ROCM_HOME = None
"""


def program(home: Path) -> Path:
    """The worker that is built."""
    return home / ("tripletriad.exe" if os.name == "nt" else "tripletriad")


def build(home: Path, constraints: Path, log: Path) -> None:
    """Builds it from what PyPI has."""
    archive = _download(home, constraints, log)
    version = archive.name.removeprefix("pufferlib-").removesuffix(".tar.gz")
    header = archive.with_name("tripletriad.h")
    header.write_bytes(_header(archive))
    archive.unlink()  # 60 MB, of which one file is needed
    compile_program(header.parent, version, program(home), log)


def compile_program(sources: Path, version: str, out: Path, log: Path) -> None:
    """Compiles the driver with the game that is in a folder, as fast as the compiler can."""
    native = "-mcpu=native" if platform.machine() in ("arm64", "aarch64") else "-march=native"
    includes = [f"-I{WORKERS}", f"-I{sources}", f'-DVERSION="{version}"']
    command = [os.environ.get("CC", "cc"), "-O3", native, "-w", *includes]
    logged([*command, str(WORKERS / "tripletriad.c"), "-o", str(out), "-lm"], log)


def _download(home: Path, constraints: Path, log: Path) -> Path:
    shim, folder = home / "shim", home / "source"
    shim.mkdir(exist_ok=True)
    (shim / "sitecustomize.py").write_text(_SHIM, encoding="utf-8")
    pip = [str(python_of(home)), "-m", "pip", "download", "--constraint", str(constraints)]
    only_source = ["--no-deps", "--no-binary", "pufferlib", "--no-build-isolation"]
    surroundings = {"NO_OCEAN": "1", "NO_TRAIN": "1", "PYTHONPATH": str(shim.resolve())}
    logged([*pip, *only_source, "--dest", str(folder), "pufferlib"], log, **surroundings)
    (archive,) = folder.glob("pufferlib-*.tar.gz")
    return archive


def _header(archive: Path) -> bytes:
    with tarfile.open(archive) as files:
        for member in files:
            if member.name.endswith(_HEADER) and (found := files.extractfile(member)):
                return found.read()
    raise CannotMake(f"{archive.name} has no {_HEADER}")
