"""Plays a game of pgx's: many at once, in one function that JAX compiles, so that Python slows
nothing down, nor does copying results for it."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

PACKAGES = ("pgx", "jax")
DECISIONS = 20_000  # in a call, about


def prepare(name: str, games: int) -> Callable[[], int]:
    """All observations, masks and rewards are kept in the state; finished games begin again."""
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))
    steps = max(1, DECISIONS // games)

    def decide(_: Any, carried: Any) -> Any:
        state, key = carried
        key, sampling, dealing = jax.random.split(key, 3)
        action = sample(sampling, state.legal_action_mask)
        return step(state, action, jax.random.split(dealing, games)), key

    run = jax.jit(lambda *carried: jax.lax.fori_loop(0, steps, decide, carried))
    key = jax.random.key(0)
    carried = jax.jit(jax.vmap(env.init))(jax.random.split(key, games)), key

    def play() -> int:
        nonlocal carried
        carried = jax.block_until_ready(run(*carried))
        return steps * games

    return play


def sample(key: Any, masks: Any) -> Any:
    """A legal action of each game, uniformly: quicker than `jax.random.categorical`."""
    chosen = jax.random.uniform(key, masks.shape[:1]) * masks.sum(1)
    return (jnp.cumsum(masks, 1) <= chosen.astype(jnp.int32)[:, None]).sum(1)
