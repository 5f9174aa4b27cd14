"""Versions of what results depend on: they must be the same wherever one thing is worked on."""

from __future__ import annotations

import platform
from importlib import metadata

import domino_env

PACKAGES = ("numpy", "numba", "pyarrow")
NONE = "none"  # of a package that is not there


def versions() -> dict[str, str]:
    """By name."""
    found = {"domino-env": domino_env.__version__, "python": platform.python_version()}
    return {**found, **{package: _version(package) for package in PACKAGES}}


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return NONE
