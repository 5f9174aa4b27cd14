"""What the benchmark is measured against: OpenSpiel's domino game, and an environment that does
nothing at all."""

from __future__ import annotations

import random
import time
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from domino_env.adapters.aec import raw_aec


def openspiel_decisions(seconds: float) -> float:
    """Decisions a second of OpenSpiel's `python_block_dominoes`, with legal actions, 0/1 mask and
    observation tensor at each decision."""
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401, registers the game

    game = pyspiel.load_game("python_block_dominoes")
    decisions, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(random.choice(outcomes)[0])
                continue
            actions = state.legal_actions()
            state.legal_actions_mask()
            state.observation_tensor(state.current_player())
            state.apply_action(random.choice(actions))
            decisions += 1
    return decisions / (time.perf_counter() - began)


class NoOp(AECEnv[str, Any, Any]):
    """An AEC game with the spaces of another, in which nothing ever happens: what is left is the
    cost of PettingZoo's own loop and wrappers."""

    metadata = {"name": "no_op_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, model: raw_aec, steps: int) -> None:
        super().__init__()
        self.possible_agents = model.possible_agents[:]
        self.observation_spaces = model.observation_spaces
        self.action_spaces = model.action_spaces
        self.render_mode = None
        self._steps = steps
        model.reset(seed=0)
        self._seen = model.observe(model.agent_selection)

    def observation_space(self, agent: str) -> Any:
        """The same as the model's."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same as the model's."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begins again."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._taken = 0
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        """Nothing happens, but for the end after a while."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._taken += 1
        self.agent_selection = self.possible_agents[self._taken % len(self.possible_agents)]
        if self._taken == self._steps:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()

    def observe(self, agent: str) -> Any:
        """Always the same."""
        return self._seen


def wrapped_no_op(model: raw_aec, steps: int) -> Any:
    """The game of nothing in PettingZoo's usual wrappers."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(NoOp(model, steps)))


def gymnasium_steps(seconds: float) -> float:
    """Thousand steps a second of a learner that plays Block & Draw, first legal action first."""
    env = gymnasium.make("domino/block_draw-v0")
    _, info = env.reset(seed=0)
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in range(500):
            _, _, over, _, info = env.step(info["action_mask"].argmax())
            if over:
                _, info = env.reset()
        steps += 500
    return steps / (time.perf_counter() - began) / 1000


def vector_steps(games: int, seconds: float) -> float:
    """Steps a second of learners that play at random in a vector of games."""
    env: Any = gymnasium.make_vec("domino/block_draw-v0", games)
    env.reset(seed=0)
    batch, actions = env.batch, np.zeros(games, np.int64)
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in range(20):
            going = np.flatnonzero(batch.seat >= 0)
            actions[going] = batch.sample_some(going)
            env.step(actions)
            steps += len(going)
    return steps / (time.perf_counter() - began)


def sb3_steps(games: int, seconds: float) -> float:
    """The same in the `VecEnv` for Stable-Baselines3."""
    from domino_env.adapters.sb3 import SB3VecEnv

    env = SB3VecEnv("block_draw", games, seed=0)
    env.reset()
    every = np.arange(games)
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in range(20):
            env.step(env.batch.sample_some(every))
        steps += 20 * games
    return steps / (time.perf_counter() - began)


def aec_decisions(env: Any, seconds: float) -> float:
    """Decisions a second of PettingZoo's whole loop: iterate, look, choose from the mask, step."""
    decisions, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[random.randrange(len(legal))]))
            decisions += 1
    return decisions / (time.perf_counter() - began)
