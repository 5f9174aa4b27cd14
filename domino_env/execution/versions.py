"""Versions of what results depend on: they must be the same wherever one thing is worked on."""

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
    """By name; of more packages, if these matter too."""
    found = {"domino-env": domino_env.__version__, "python": platform.python_version()}
    return {
        **found,
        **{package: _version(package) for package in (*PACKAGES, *more) if package not in found},
    }


def must_be_same(wanted: Mapping[str, str]) -> None:
    """Refuses to work here with other versions than those of the machine that asks."""
    for name, here in versions(*wanted).items():
        if wanted[name] != here and NONE not in (wanted[name], here):
            raise BadOption(
                f"{name} is {wanted[name]} here and {here} on the node {platform.node()}: results "
                "are only the same with the same versions everywhere"
            )


@cache  # each time it is read from the disk, and every task asks
def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return NONE
