"""One-player games as environments of Gymnasium, for tests."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import domino_env
from domino_env.position import Position
from domino_env.render import ansi
from domino_env.render.compose import compose
from tests.games import ALONE

every_variant = pytest.mark.parametrize("variant", ALONE)
with_choices = pytest.mark.parametrize("variant", ["solitaire", "knock_out"])
SOON_CUT_OFF = domino_env.rules("solitaire", moves=5)


def one(variant: Any, **options: Any) -> Any:
    """A game as Gymnasium makes it."""
    name = variant if isinstance(variant, str) else variant.id
    return gymnasium.make(f"domino/{name}-v0", **{"game": variant, **options})


def as_text(position: Position) -> str:
    """What `render_mode="ansi"` shows."""
    return ansi.paint(compose(position, 0), colour=False)


def first(mask: Any) -> int:
    """The first action that a mask allows; 0 if there is none."""
    return int(np.argmax(mask))
