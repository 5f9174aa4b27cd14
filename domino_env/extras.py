"""What does not come with the package by itself: asked for by the name of an extra."""

from __future__ import annotations

from importlib.util import find_spec

from domino_env.errors import DominoError


def must_have(*modules: str, extra: str = "cli") -> None:
    """Refuses to go on without modules, and says what brings them."""
    for name in modules:
        if find_spec(name) is None:
            raise DominoError(f"{name} is missing: pip install 'domino-env[{extra}]'")
