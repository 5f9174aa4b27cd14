"""The same functions run as plain Python, and play the same games to the bit."""

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import domino_env.agents.searching
import domino_env.engine
import domino_env.puzzles

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent

PLAY = """
import hashlib
import numpy as np
import domino_env
for variant in domino_env.variants():
    seen = hashlib.sha256()
    episode = "round" if domino_env.rules(variant).players == (1,) else "match"
    batch = domino_env.batch(variant, 3, seed=5, episode=episode)
    batch.reset()
    for _ in range(120):
        batch.step(batch.sample())
        for array in (batch.observation, batch.mask, batch.reward, batch.seat, batch.games):
            seen.update(np.ascontiguousarray(array).tobytes())
    seen.update(repr([batch.position(lane).laid for lane in range(3)]).encode())
    print(variant, seen.hexdigest())
"""

GUESS = """
import hashlib
import numpy as np
import domino_env
from domino_env import belief
for variant in ("block_draw", "five_up", "all_fives", "bendomino", "fundomino_team_play", "bergen"):
    batch = domino_env.batch(variant, 2, seed=6)
    batch.reset()
    for _ in range(14):
        batch.step(batch.sample())
    seen = hashlib.sha256()
    for lane in range(2):
        worlds = belief.sample(batch, lane, int(batch.seat[lane]), 5, seed=1)
        seen.update(np.ascontiguousarray(worlds.games).tobytes())
        seen.update(belief.marginals(batch, lane, int(batch.seat[lane])).round(6).tobytes())
    print(variant, seen.hexdigest())
"""


def played(script: str = PLAY, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    ).stdout


def test_all_ways_of_running_kernels_play_the_same_games_to_the_bit() -> None:
    shipped = played()
    assert shipped.count("\n") >= 11
    assert played(DOMINO_ENV_FROM_SOURCE="1") == shipped
    assert played(NUMBA_DISABLE_JIT="1") == shipped


def test_beliefs_are_the_same_uncompiled() -> None:
    shipped = played(GUESS)
    assert shipped.count("\n") == 6
    assert played(GUESS, NUMBA_DISABLE_JIT="1") == shipped


def test_no_field_hides_behind_what_every_record_has() -> None:
    """In plain Python `record.size` is 1, whatever a field of that name says."""
    modules = [
        importlib.import_module(found.name)
        for package in (domino_env.engine, domino_env.puzzles, domino_env.agents.searching)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    dtypes = [each for module in modules for each in vars(module).values()]
    records = [each for each in dtypes if isinstance(each, np.dtype) and each.names]
    assert len(records) > 10
    names = {name for each in records for name in each.names or ()}
    assert not {name for name in names if hasattr(np.record, name)}
