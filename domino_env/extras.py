"""Optional dependencies: named, when missing, by the extra that installs them."""

from __future__ import annotations

from importlib.util import find_spec

from domino_env.errors import DominoError


def must_have(*modules: str, extra: str = "cli") -> None:
    """Refuses to continue without some modules, and names the extra that installs them."""
    for name in modules:
        if find_spec(name) is None:
            raise DominoError(f"{name} is missing: pip install 'domino-env[{extra}]'")
