"""The same functions run as plain Python, and play the same games to the bit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


def played(**environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAY],
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
