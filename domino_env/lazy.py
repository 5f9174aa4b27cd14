"""Lazy exports: a package offers names of its modules, and imports a module when one is first used.

    __getattr__, __dir__ = lazy_exports(__name__, {"Dataset": "reader"})

So a package has one place to import from, and whoever imports one of its modules does not load the
libraries that the others need.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_exports(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package that exports some names of its modules.

    Args:
        package: its name.
        modules: for each exported name the module of the package that defines it.
    """

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return get, list_names
