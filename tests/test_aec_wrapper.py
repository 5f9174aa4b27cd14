"""Our wrapper refuses what PettingZoo's own wrappers refuse, in the same words."""

import copy
import logging
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import domino_env
from domino_env.adapters.aec import WrappedAEC


def both(**options: Any) -> list[Any]:
    """Our environment, and the bare one in PettingZoo's wrappers."""
    raw = domino_env.raw_aec("block_draw", **options)
    theirs = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))
    return [domino_env.aec("block_draw", **options), theirs]


def outcome(call: Callable[[Any], Any], env: Any, caplog: Any) -> tuple[Any, ...]:
    """What a call gives, or what it is refused with, and what is logged meanwhile."""
    caplog.clear()
    try:
        given: Any = call(env)
        given = (
            "an iterator" if hasattr(given, "__iter__") and not isinstance(given, dict) else given
        )
    except BaseException as error:
        given = type(error), str(error)
    return repr(given), [record.getMessage() for record in caplog.records]


def first_legal(env: Any) -> int:
    return int(env.infos[env.agent_selection]["action_mask"].argmax())


def play_out(env: Any) -> None:
    """Plays until the game is over; the agents are still there."""
    while not env.terminations[env.agent_selection]:
        env.step(first_legal(env))


def leave(env: Any) -> None:
    """Plays until every agent has gone."""
    play_out(env)
    while env.agents:
        env.step(None)


CALLS: dict[str, Callable[[Any], Any]] = {
    "agents": lambda env: env.agents,
    "agent_selection": lambda env: env.agent_selection,
    "num_agents": lambda env: env.num_agents,
    "max_num_agents": lambda env: env.max_num_agents,
    "possible_agents": lambda env: env.possible_agents,
    "rewards": lambda env: env.rewards,
    "terminations": lambda env: env.terminations,
    "truncations": lambda env: env.truncations,
    "infos": lambda env: env.infos,
    "cumulative rewards": lambda env: env._cumulative_rewards,
    "something private": lambda env: env._seats,
    "something unknown": lambda env: env.nothing,
    "hasattr": lambda env: hasattr(env, "agents"),
    "getattr": lambda env: getattr(env, "rewards", "none"),
    "last": lambda env: env.last(),
    "last, unseen": lambda env: env.last(observe=False),
    "observe": lambda env: env.observe("player_0"),
    "observe nobody": lambda env: env.observe("player_9"),
    "state": lambda env: env.state().shape,
    "render": lambda env: env.render(),
    "agent_iter": lambda env: env.agent_iter(),
    "two turns without a step": lambda env: [*zip(range(2), env.agent_iter(), strict=False)],
    "no turns": lambda env: [*env.agent_iter(max_iter=0)],
    "str": str,
    "step": lambda env: env.step(first_legal(env)),
    "step, of NumPy": lambda env: env.step(np.int64(first_legal(env))),
    "step, an array": lambda env: env.step(np.array(first_legal(env))),
    "illegal": lambda env: env.step(int(env.infos[env.agent_selection]["action_mask"].argmin())),
    "below": lambda env: env.step(-1),
    "above": lambda env: env.step(112),
    "above, of NumPy": lambda env: env.step(np.int64(112)),
    "a fraction": lambda env: env.step(1.0),
    "a switch": lambda env: env.step(True),
    "a text": lambda env: env.step("1"),
    "a list": lambda env: env.step([1]),
    "None": lambda env: env.step(None),
}
TIMES: dict[str, Callable[[Any], Any]] = {
    "before the reset": lambda env: None,
    "after the reset": lambda env: env.reset(seed=1),
    "when the game is over": lambda env: (env.reset(seed=1), play_out(env)),
    "when all have left": lambda env: (env.reset(seed=1), leave(env)),
}


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("call", CALLS)
def test_a_call_does_what_it_does_in_pettingzoos_wrappers(
    call: str, time: str, caplog: Any
) -> None:
    ours, theirs = both(render_mode="ansi")
    found = []
    with caplog.at_level(logging.WARNING):
        for env in (ours, theirs):
            TIMES[time](env)
            found.append(outcome(CALLS[call], env, caplog))
            found[-1] += (outcome(CALLS["step"], env, caplog),)  # and the call after it
    assert found[0] == found[1]


def test_a_game_goes_as_it_goes_in_pettingzoos_wrappers() -> None:
    told: list[Any] = []
    for env in both():
        env.reset(seed=3)
        told.append([])
        for agent in env.agent_iter():
            observation, reward, over, cut_off, info = env.last()
            told[-1].append((agent, reward, over, cut_off, repr(info), repr(observation)))
            env.step(None if over else first_legal(env))
    assert told[0] == told[1]


def test_it_is_a_wrapper_of_pettingzoos_and_the_game_is_inside() -> None:
    env = domino_env.aec("block_draw")
    assert isinstance(env, wrappers.OrderEnforcingWrapper)
    assert isinstance(env, AECEnv)
    assert isinstance(env.unwrapped, domino_env.raw_aec)
    assert str(env) == "block_draw_v0"


def test_wrappers_of_others_may_stand_around_it() -> None:
    inner = domino_env.aec("block_draw")
    env: Any = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-2)
    env.reset(seed=0)
    mover = env.agent_selection
    env.step(int(env.infos[mover]["action_mask"].argmin()))
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.rewards[mover] == -2
    env.reset(seed=0)
    assert env.rewards == dict.fromkeys(env.possible_agents, 0)


def test_an_attribute_given_to_the_wrapper_hides_the_one_inside() -> None:
    for env in both():
        env.reset(seed=0)
        env.rewards = {"player_0": 7.0}
        assert env.rewards == {"player_0": 7.0}
        assert env.unwrapped.rewards != env.rewards


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_is_a_game_of_its_own(twin_of: Callable[[WrappedAEC], WrappedAEC]) -> None:
    env = domino_env.aec("block_draw")
    env.reset(seed=0)
    env.step(first_legal(env))
    twin = twin_of(env)
    before = env.last()[0]["observation"]
    for _ in range(3):
        twin.step(first_legal(twin))
    assert np.array_equal(env.last()[0]["observation"], before)
    for _ in range(3):
        env.step(first_legal(env))
    assert np.array_equal(env.last()[0]["observation"], twin.last()[0]["observation"])
    assert env.agent_selection == twin.agent_selection


def test_what_was_observed_stays_as_it_was() -> None:
    env = domino_env.aec("block_draw")
    env.reset(seed=0)
    observation, _, _, _, info = env.last()
    kept = {name: value.copy() for name, value in observation.items()}
    env.step(first_legal(env))
    for name, value in kept.items():
        assert np.array_equal(observation[name], value)
    assert np.array_equal(info["action_mask"], kept["action_mask"])


def test_rewards_that_others_have_written_are_gone_after_a_step() -> None:
    env = domino_env.raw_aec("block_draw")
    env.reset(seed=0)
    env.rewards["player_0"] = 5.0
    env.step(first_legal(env))
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
