"""The loops that are timed: uniform play on batches and through the adapters, and drawing worlds.

Each takes the seconds that it may run, and gives a rate, by CPU time. Play is uniform over the
legal moves, with mask, observation, reward and autoreset all written.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import gymnasium
import numpy as np

import domino_env
from domino_env.belief import Belief
from domino_env.bench import baselines


def batch_decisions(
    game: Any, lanes: int, threads: int = 1, clock: Callable[[], float] = time.process_time
) -> Callable[[float], float]:
    """Decisions a second on a batch; of CPU time, unless another clock is given."""
    batch = domino_env.batch(game, lanes, seed=0, threads=threads)
    batch.reset()

    def measure(seconds: float) -> float:
        batch.step(batch.sample())
        turns = max(1, 20_000 // lanes)
        steps, began = 0, clock()
        while clock() - began < seconds:
            for _ in range(turns):
                batch.step(batch.sample())
            steps += turns
        return steps * lanes / (clock() - began)

    return measure


def described_share(game: Any, lanes: int) -> Callable[[float], float]:
    """The rate of play with the features of all legal moves at each decision, over that without.
    Both are of the same steps, so no luck of the deals is in it."""
    batch = domino_env.batch(game, lanes, seed=0)
    batch.reset()
    rows = np.empty((lanes * int(batch.legal.shape[1]), len(batch.move_fields)), np.float32)
    for _ in range(100):  # until games are no longer in step
        batch.step(batch.sample())

    def measure(seconds: float) -> float:
        playing = describing = 0.0
        while playing + describing < seconds:
            began = time.process_time()
            batch.step(batch.sample())
            played = time.process_time()
            batch.move_features(out=rows)
            playing += played - began
            describing += time.process_time() - played
        return playing / (playing + describing)

    return measure


def thread_ratio(seconds: float) -> float:
    """The rate of two threads over that of one, on 16,384 games; measured alternately, so that both
    see the same load of the machine, by the clock on the wall: two threads are paid in CPU time."""
    one = batch_decisions("block_draw", 16_384, clock=time.perf_counter)
    two = batch_decisions("block_draw", 16_384, threads=2, clock=time.perf_counter)
    ratios = [two(seconds / 2) / one(seconds / 2) for _ in range(3)]
    return median(ratios)


def histories_share(game: Any, lanes: int) -> Callable[[float], float]:
    """The rate of histories over that of the features of moves, of the same decisions: both are
    written after each step, into memory of their own."""
    batch = domino_env.batch(game, lanes, seed=0)
    batch.reset()
    rows = np.empty((lanes * batch.legal.shape[1], len(batch.move_fields)), np.float32)
    events = np.empty((lanes * batch.longest_history, 5), np.uint8)

    def measure(seconds: float) -> float:
        batch.histories(out=events)
        described = recalled = 0.0
        began = time.process_time()
        while time.process_time() - began < seconds:
            batch.step(batch.sample())
            before = time.process_time()
            batch.move_features(out=rows)
            between = time.process_time()
            batch.histories(out=events)
            described += between - before
            recalled += time.process_time() - between
        return described / recalled

    return measure


def gymnasium_steps(seconds: float) -> float:
    """Thousand steps a second of the Gymnasium environment; the first legal action is played."""
    env = gymnasium.make("domino/block_draw-v0")
    _, info = env.reset(seed=0)
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(500):
            _, _, over, _, info = env.step(info["action_mask"].argmax())
            if over:
                _, info = env.reset()
        steps += 500
    return steps / (time.process_time() - began) / 1000


def vector_steps(games: int, seconds: float) -> float:
    """Steps a second of the Gymnasium vector environment."""
    env: Any = gymnasium.make_vec("domino/block_draw-v0", games)
    env.reset(seed=0)
    batch = env.batch
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(20):
            steps += int((batch.seat >= 0).sum())  # the others are being reset
            env.step(batch.sample())
    return steps / (time.process_time() - began)


def sb3_steps(games: int, seconds: float) -> float:
    """Steps a second of the `VecEnv` for Stable-Baselines3."""
    from domino_env.adapters.sb3 import SB3VecEnv

    env = SB3VecEnv("block_draw", games, seed=0)
    env.reset()
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(20):
            env.step(env.batch.sample())
        steps += 20 * games
    return steps / (time.process_time() - began)


def aec_decisions(env: Any, seconds: float) -> float:
    """Decisions a second of PettingZoo's whole loop: iterate, observe, sample a move, step."""
    decisions, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            decisions += 1
    return decisions / (time.process_time() - began)


def adapter_share(steps: Callable[[int, float], float]) -> Callable[[float], float]:
    """The rate of an adapter over that of the bare batch, on 1,024 games. All decisions count: the
    learner's seat is drawn, so half of them are the learner's."""
    bare = batch_decisions("block_draw", 1024)
    return lambda seconds: 2 * steps(1024, seconds) / bare(seconds)


def wrapped_share(seconds: float) -> float:
    """The rate of the wrapped AEC environment over that of a no-op one with the same spaces."""
    real = domino_env.aec("block_draw")
    no_op = baselines.wrapped_no_op(domino_env.raw_aec("block_draw"), steps=_mean_length())
    return aec_decisions(real, seconds) / aec_decisions(no_op, seconds)


def _mean_length() -> int:
    """Decisions in an average round of Block & Draw."""
    batch = domino_env.batch("block_draw", 1024, seed=0)
    batch.reset()
    ended = 0
    for _ in range(100):
        batch.step(batch.sample())
        ended += int(batch.done.sum())
    return round(100 * 1024 / ended)


def worlds_drawn(each: int) -> Callable[[float], float]:
    """Thousand worlds a second that a belief samples in mid-game of Block & Draw, so many for each
    position."""
    batch = domino_env.batch("block_draw", 256, seed=0, autoreset=False)
    batch.reset()
    for _ in range(5):
        batch.step(np.where(batch.seat >= 0, batch.sample(), -1))
    live = np.flatnonzero(batch.seat >= 0)
    beliefs = Belief(batch, seed=0)
    worlds = beliefs.new_worlds(each * len(live))

    def measure(seconds: float) -> float:
        beliefs.fill(worlds, live, batch.seat[live])
        rounds, began = 0, time.process_time()
        while time.process_time() - began < seconds:
            beliefs.fill(worlds, live, batch.seat[live])
            rounds += 1
        return rounds * worlds.num_games / (time.process_time() - began) / 1000

    return measure
