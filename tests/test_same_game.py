"""Lane i with seed s is the same game through every adapter.

An adapter whose library is not installed here is left out; `make clients` runs this file for each
client, in an environment where it is. OpenSpiel knows no seeds, but chance; see test_openspiel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import pytest

import domino_env
from domino_env.batches import Batch
from tests.games import AT_A_TABLE

LANES, SEED = 3, 40


class Seen(NamedTuple):
    """What an adapter shows at a decision, and what the mover earns by it."""

    observation: Any
    mask: Any
    earned: float


Trajectory = list[Seen]
Choose = Callable[[Any, int, int], int]
Played = Callable[[str, str], list[Trajectory]]  # of a variant, with observations of a dtype


def choose(mask: Any, lane: int, step: int) -> int:
    """One of the legal actions, not always the first."""
    legal = np.flatnonzero(mask)
    return int(legal[(7 * step + lane) % len(legal)])


def of_batch(variant: str, dtype: str) -> list[Trajectory]:
    """The batch itself: what all others must be."""
    batch = Batch(variant, LANES, seed=SEED, autoreset=False, observation_dtype=dtype)
    batch.reset()
    trajectories: list[Trajectory] = [[] for _ in range(LANES)]
    step = 0
    while (batch.seat >= 0).any():
        movers, seen, masks = batch.seat.copy(), batch.observation.copy(), batch.mask.copy()
        live = np.flatnonzero(movers >= 0)
        batch.step([choose(masks[lane], lane, step) for lane in live], live)
        for lane in live:
            earned = float(batch.reward[lane, movers[lane]])
            trajectories[lane].append(Seen(seen[lane], masks[lane], earned))
        step += 1
    return trajectories


# One game at a time ------------------------------------------------------------------------------


def each_lane(
    play: Callable[[str, str, int, int], Iterator[Seen]], variant: str, dtype: str
) -> list[Trajectory]:
    """The trajectories of games that are played one by one."""
    return [[*play(variant, dtype, lane, SEED + lane)] for lane in range(LANES)]


def of_aec(make: Callable[..., Any]) -> Played:
    """A PettingZoo environment."""

    def play(variant: str, dtype: str, lane: int, seed: int) -> Iterator[Seen]:
        env = make(variant, observation_dtype=dtype)
        env.reset(seed=seed)
        step = 0
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            mover = env.agent_selection
            seen = env.observe(mover)
            env.step(choose(seen["action_mask"], lane, step))
            yield Seen(seen["observation"], seen["action_mask"], env.rewards[mover])
            step += 1

    return lambda variant, dtype: each_lane(play, variant, dtype)


def of_gymnasium(variant: str, dtype: str) -> list[Trajectory]:
    """A Gymnasium environment in which the learner sits in every seat."""
    import gymnasium

    def play(variant: str, dtype: str, lane: int, seed: int) -> Iterator[Seen]:
        env = gymnasium.make(f"domino/{variant}-v0", opponents="self", observation_dtype=dtype)
        seen, info = env.reset(seed=seed)
        done, step = False, 0
        while not done:
            shown, mask = seen, info["action_mask"]
            seen, earned, terminated, truncated, info = env.step(choose(mask, lane, step))
            yield Seen(shown, mask, float(earned))
            done = terminated or truncated
            step += 1

    return each_lane(play, variant, dtype)


def of_rlcard(variant: str, dtype: str) -> list[Trajectory]:
    """An environment as RLCard has them: payoffs come at the end, so they are taken apart."""
    from domino_env.adapters.rlcard import RLCardEnv

    def play(variant: str, dtype: str, lane: int, seed: int) -> Iterator[Seen]:
        env = RLCardEnv(variant, seed=seed, observation_dtype=dtype)
        state, player = env.reset()
        step = 0
        while not env.is_over():
            mask = np.zeros(env.num_actions, np.int8)
            mask[[*state["legal_actions"]]] = 1
            shown, mover, before = state["obs"], player, env.get_payoffs()
            state, player = env.step(choose(mask, lane, step))
            yield Seen(shown, mask, float(env.get_payoffs()[mover] - before[mover]))
            step += 1

    return each_lane(play, variant, dtype)


def of_rllib(variant: str, dtype: str) -> list[Trajectory]:
    """An environment of RLlib: agents that have not moved yet are paid with their first move."""
    from domino_env.adapters.rllib import RLlibEnv

    def play(variant: str, dtype: str, lane: int, seed: int) -> Iterator[Seen]:
        env = RLlibEnv({"game": variant, "observation_dtype": dtype})
        seen, _ = env.reset(seed=seed)
        done, step = False, 0
        while not done:
            (mover,) = seen
            shown = seen[mover]
            action = choose(shown["action_mask"], lane, step)
            seen, _, terminated, truncated, _ = env.step({mover: action})
            earned = float(env.batch.reward[0, int(mover[-1])])
            yield Seen(shown["observations"], shown["action_mask"], earned)
            done = terminated["__all__"] or truncated["__all__"]
            step += 1

    return each_lane(play, variant, dtype)


# Many games at once ------------------------------------------------------------------------------


class Vector(NamedTuple):
    """A vector of games in which the learner sits in every seat."""

    begin: Callable[[], tuple[Any, Any]]
    step: Callable[[Any], tuple[Any, Any, Any, Any]]  # observations, masks, rewards, dones


def of_vector(make: Callable[[str, dict[str, Any]], Vector]) -> Played:
    """The first game of every lane; what comes after it is another."""

    def play(variant: str, dtype: str) -> list[Trajectory]:
        vector = make(variant, {"opponents": "self", "observation_dtype": dtype})
        seen, masks = vector.begin()
        trajectories: list[Trajectory] = [[] for _ in range(LANES)]
        over, step = np.zeros(LANES, bool), 0
        while not over.all():
            shown, legal = np.array(seen), np.array(masks)
            actions = [choose(legal[lane], lane, step) for lane in range(LANES)]
            seen, masks, earned, dones = vector.step(np.array(actions))
            for lane in np.flatnonzero(~over):
                trajectories[lane].append(Seen(shown[lane], legal[lane], float(earned[lane])))
            over |= np.array(dones, bool)
            step += 1
        return trajectories

    return play


def gymnasium_vector(variant: str, options: dict[str, Any]) -> Vector:
    import gymnasium

    # What has ended waits for a step without an action, and then has no legal ones to choose from.
    env = gymnasium.make_vec(f"domino/{variant}-v0", num_envs=LANES, **options)

    def masks(infos: Any) -> Any:
        found = infos["action_mask"]
        found[found.sum(1) == 0] = 1
        return found

    def begin() -> tuple[Any, Any]:
        seen, infos = env.reset(seed=SEED)
        return seen, masks(infos)

    def step(actions: Any) -> tuple[Any, Any, Any, Any]:
        seen, rewards, terminated, truncated, infos = env.step(actions)
        return seen, masks(infos), rewards, terminated | truncated

    return Vector(begin, step)


def sb3_vector(variant: str, options: dict[str, Any]) -> Vector:
    from domino_env.adapters.sb3 import SB3VecEnv

    env = SB3VecEnv(variant, LANES, seed=SEED, **options)

    def step(actions: Any) -> tuple[Any, Any, Any, Any]:
        seen, rewards, dones, _ = env.step(actions)
        return seen, env.action_masks(), rewards, dones

    return Vector(lambda: (env.reset(), env.action_masks()), step)


def torchrl_vector(variant: str, options: dict[str, Any]) -> Vector:
    import torch

    from domino_env.adapters.torchrl import TorchRLEnv

    env = TorchRLEnv(variant, LANES, seed=SEED, **options)
    told = env.reset()

    def step(actions: Any) -> tuple[Any, Any, Any, Any]:
        nonlocal told
        told["action"] = torch.from_numpy(actions)
        after = env.step(told)["next"]
        dones = after["done"][:, 0].numpy().copy()
        told = after.exclude("reward")
        if dones.any():
            told["_reset"] = after["done"]
            told = env.reset(told)
        return told["observation"], told["action_mask"], after["reward"][:, 0], dones

    return Vector(lambda: (told["observation"], told["action_mask"]), step)


def tianshou_vector(variant: str, options: dict[str, Any]) -> Vector:
    from domino_env.adapters.tianshou import TianshouVecEnv

    env = TianshouVecEnv(variant, LANES, seed=SEED, **options)

    def begin() -> tuple[Any, Any]:
        seen, _ = env.reset()
        return seen.obs, seen.mask

    def step(actions: Any) -> tuple[Any, Any, Any, Any]:
        seen, rewards, terminated, truncated, _ = env.step(actions)
        over = np.flatnonzero(terminated | truncated)
        if len(over):
            anew, _ = env.reset(over)
            seen.obs[over], seen.mask[over] = anew.obs, anew.mask
        return seen.obs, seen.mask, rewards, terminated | truncated

    return Vector(begin, step)


def pufferlib_vector(variant: str, options: dict[str, Any]) -> Vector:
    from domino_env.adapters.pufferlib import DominoPufferEnv

    env = DominoPufferEnv(variant, LANES, seed=SEED, **options)
    features = env.batch.num_features

    def begin() -> tuple[Any, Any]:
        seen, _ = env.reset()
        return seen[:, :features], seen[:, features:]

    def step(actions: Any) -> tuple[Any, Any, Any, Any]:
        seen, rewards, terminals, truncations, _ = env.step(actions)
        return seen[:, :features], seen[:, features:], rewards, terminals | truncations

    return Vector(begin, step)


ADAPTERS: dict[str, tuple[str, Played]] = {
    "aec": ("pettingzoo", of_aec(domino_env.aec)),
    "raw_aec": ("pettingzoo", of_aec(domino_env.raw_aec)),
    "gymnasium": ("gymnasium", of_gymnasium),
    "gymnasium_vector": ("gymnasium", of_vector(gymnasium_vector)),
    "rlcard": ("domino_env", of_rlcard),  # it needs no RLCard
    "sb3": ("stable_baselines3", of_vector(sb3_vector)),
    "rllib": ("ray tree", of_rllib),  # Ray alone is not RLlib
    "torchrl": ("torchrl", of_vector(torchrl_vector)),
    "tianshou": ("tianshou", of_vector(tianshou_vector)),
    "pufferlib": ("pufferlib", of_vector(pufferlib_vector)),
}
HERE = [name for name, (needs, _) in ADAPTERS.items() if all(map(find_spec, needs.split()))]


@pytest.mark.parametrize("variant", AT_A_TABLE)
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("adapter", HERE)
def test_a_lane_is_the_same_game_through_every_adapter(
    adapter: str, dtype: str, variant: str
) -> None:
    expected, found = of_batch(variant, dtype), ADAPTERS[adapter][1](variant, dtype)
    for own, other in zip(expected, found, strict=True):
        assert len(own) == len(other)
        for one, same in zip(own, other, strict=True):
            assert np.array_equal(one.observation, np.asarray(same.observation))
            assert np.asarray(same.observation).dtype == dtype
            assert np.array_equal(one.mask, np.asarray(same.mask).astype(np.int8))
            assert same.earned == pytest.approx(one.earned, abs=1e-5)


def test_no_adapter_is_forgotten() -> None:
    """Each module of adapters is played above, or serves one that is."""
    folder = import_module("domino_env.adapters").__path__[0]
    from pathlib import Path

    modules = {path.stem for path in Path(folder).iterdir() if not path.name.startswith("__")}
    serving = {"common", "history", "registration", "learner_seat", "opponents", "single"}
    serving |= {"action_space", "onnx_nodes"}
    kept = {"minari", "onnx_export"}  # they play nothing: they keep games, and policies
    in_words = {"gymnasium_text", "inspect_ai", "kaggle", "openenv", "textarena"}
    in_words |= {"trl", "verifiers", "verifiers_moves"}
    assert modules - serving <= {*ADAPTERS, "openspiel", *in_words, *kept}
