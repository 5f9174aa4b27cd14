"""What all tests share."""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.adapters import common

# Tests run side by side: threads of PyTorch that wait for each other by turning in circles would
# make an example of ten seconds take minutes. It reads this when it is first imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session", autouse=True)
def compiled_engine() -> None:
    """Compiles before the first test, so that no test's time limit has to allow for it."""
    batch = domino_env.batch("block_draw", 1, seed=0)
    batch.reset()
    batch.step(batch.sample())


@pytest.fixture(scope="session", autouse=True)
def no_waiting_between_frames() -> None:
    """A window shows four scenes a second, so checkers of environments would mostly sleep."""
    common.RENDER_FPS = 10_000


@pytest.fixture(autouse=True)
def same_games_in_every_run(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is dealt without a seed is dealt alike whenever a test runs: one that depends on the
    deal fails always or never. NumPy asks the system for bits here, and nowhere else."""
    chance = random.Random(request.node.nodeid)
    monkeypatch.setattr(np.random.bit_generator, "randbits", chance.getrandbits)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    """A page that asks a server, without a browser."""
    from tests.pages import opened_page

    yield from opened_page(tmp_path)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; where there is none the test is skipped."""
    from tests.browsing import opened_browser

    yield from opened_browser()


@pytest.fixture
def open_tab(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a game in a tab of the browser."""
    from tests.browsing import open_tabs

    yield from open_tabs(browser, tmp_path)
