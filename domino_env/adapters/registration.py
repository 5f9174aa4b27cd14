"""Registers every game: all in PettingZoo and in Gymnasium, as `domino/<id>-v0`.

A library that is not imported yet is not imported for this, which would take longer than the rest
of our own import: the games are registered as soon as somebody imports it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from domino_env.games import variants


def register_all() -> None:
    """Registers the games, now or when the libraries are imported."""
    later = {name: register for name, register in _LIBRARIES.items() if name not in sys.modules}
    for name, register in _LIBRARIES.items():
        if name not in later:
            register()
    if later:
        sys.meta_path.insert(0, _Waiting(later))


def _in_gymnasium() -> None:
    import gymnasium

    for variant in variants():
        name = f"domino/{variant}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="domino_env.adapters.single:SingleEnv",
                vector_entry_point="domino_env.adapters.single:SingleVectorEnv",
                kwargs={"game": variant},
            )


def _in_pettingzoo() -> None:
    import pettingzoo

    register = getattr(pettingzoo, "register", None)
    if register is None:  # it has a registry from 1.26 on
        return
    for variant in variants():
        name = f"domino/{variant}-v0"
        if name not in pettingzoo.aec_registry:
            register("aec", name, "domino_env.adapters.aec:aec", kwargs={"game": variant})


_LIBRARIES: dict[str, Callable[[], None]] = {
    "gymnasium": _in_gymnasium,
    "pettingzoo": _in_pettingzoo,
}


class _Waiting(MetaPathFinder):
    """Stands before the finders of modules, until all the libraries have come by."""

    def __init__(self, libraries: dict[str, Callable[[], None]]) -> None:
        self._libraries = libraries

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the other finders find, with a loader that registers the games after the library's
        code has run. To look for a library is not to import it: that alone registers nothing."""
        if name not in self._libraries:
            return None
        for finder in sys.meta_path:
            found = finder.find_spec(name, path, target) if finder is not self else None
            if found is not None and found.loader is not None:
                found.loader = _AndThen(found.loader, lambda: self._register(name))
                return found
        return None

    def _register(self, name: str) -> None:
        self._libraries.pop(name, lambda: None)()
        if not self._libraries and self in sys.meta_path:
            sys.meta_path.remove(self)


class _AndThen(Loader):
    """A library's own loader, and what is to be done when it has loaded the library."""

    def __init__(self, loader: Any, then: Callable[[], None]) -> None:
        self._loader, self._then = loader, then

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Makes the module as the library's own loader does."""
        created: ModuleType | None = self._loader.create_module(spec)
        return created

    def exec_module(self, module: ModuleType) -> None:
        """Puts the library's own loader back into the module, runs it, and registers the games."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._then()
