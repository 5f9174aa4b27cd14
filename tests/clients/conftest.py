"""What the tests with real clients share. Those whose client is not here are left out."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
collect_ignore = [
    path.name
    for path in HERE.glob("test_*.py")
    if find_spec(path.stem.removeprefix("test_")) is None
]


@pytest.fixture
def record_figure() -> Callable[[str, float | str], None]:
    """Notes a figure for the report of the run."""

    def note(name: str, value: float | str) -> None:
        print(f"{name}: {value}")

    return note
