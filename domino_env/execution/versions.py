"""Versions of the packages that results depend on: all machines that share work have the same."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib import metadata

import domino_env
from domino_env.errors import BadOption

PACKAGES = ("numpy", "numba", "pyarrow")
NONE = "none"  # of a package that is not there


def versions(*more: str) -> dict[str, str]:
    """Versions by name: of Python, of this package, of `PACKAGES`, and of more if asked."""
    found = {"domino-env": domino_env.__version__, "python": platform.python_version()}
    return {
        **found,
        **{package: _version(package) for package in (*PACKAGES, *more) if package not in found},
    }


def must_have_same_versions(wanted: Mapping[str, str]) -> None:
    """Refuses to work here with other versions than those of the machine that asks."""
    for name, here in versions(*wanted).items():
        if wanted[name] != here and NONE not in (wanted[name], here):
            raise BadOption(
                f"{name} is {wanted[name]} here and {here} on the node {platform.node()}: results "
                "are only the same with the same versions everywhere"
            )


@cache  # otherwise each task would read it from disk
def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return NONE
