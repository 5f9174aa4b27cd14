"""What all tests share."""

import pytest

import domino_env


@pytest.fixture(scope="session", autouse=True)
def compiled_engine() -> None:
    """Compiles before the first test, so that no test's time limit has to allow for it."""
    batch = domino_env.batch("block_draw", 1, seed=0)
    batch.reset()
    batch.step(batch.sample())
