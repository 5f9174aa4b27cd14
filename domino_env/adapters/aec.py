"""The PettingZoo AEC environment: one game with an agent in each seat, one acting at a time.

    env = domino_env.aec("block_draw", num_players=2)
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None
        if not (terminated or truncated):
            action = env.action_space(agent).sample(info["action_mask"])
        env.step(action)

Observations are dicts of `observation` and `action_mask`. The mask is in `info` too, because
libraries differ in where they expect it; for those that do not accept it in the observation,
`action_mask="info"` makes the observation the bare array. The mask of an agent that is not to move
is all zeros. Every agent receives its rewards at every step, whoever has moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from domino_env.adapters.common import (
    ILLEGAL,
    PENALTY,
    RENDER_FPS,
    RENDER_MODES,
    Screen,
    explained,
    observation_box,
)
from domino_env.adapters.history import History
from domino_env.batches import Batch, check_choice
from domino_env.errors import BadOption, GameOver, IllegalMove, NotReset
from domino_env.games import Game

OBSERVATIONS = ("features", "history")
MASKS = ("both", "info")


class WrappedAEC(wrappers.OrderEnforcingWrapper):
    """The AEC environment of a game in PettingZoo's usual wrappers, as `aec` makes it."""

    # What the environment inside has, for type checkers: PettingZoo passes it on unseen.
    metadata: dict[str, Any]
    possible_agents: list[str]
    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    @property
    def unwrapped(self) -> raw_aec:
        """The environment without wrappers; `unwrapped.batch` is the game."""
        return self.env.unwrapped

    def __str__(self) -> str:
        return str(self.env)


def aec(game: Game, **options: Any) -> WrappedAEC:
    """The AEC environment of a game, in PettingZoo's usual wrappers.

    Args:
        game: the id of a variant, or a `Rules`.
        num_players: number of seats; the game's usual number by default.
        episode: "round", or "match" for rounds to the end of the game.
        reward: "margin" (points minus the mean of the opponents'), "points" or "win".
        calls: "automatic", or "explicit" where a game has something to call.
        observation: "features" (float32, most from 0 to 1) or "history" (the events, with perfect
            recall).
        render_mode: None, "human" (a window), "ansi" (text) or "rgb_array" (pixels).
        illegal: what an illegal action does: "raise" an `IllegalMove`, or "terminate" the game with
            -1 for the seat that moved, for trainers without masking.
        action_mask: in "both" the observation and `info`, or in "info" only.
    """
    env = wrappers.AssertOutOfBoundsWrapper(raw_aec(game, **options))
    return WrappedAEC(env)


class raw_aec(AECEnv[str, Any, Any]):  # noqa: N801, a function to its users, as PettingZoo has it
    """The AEC environment of a game without wrappers. See `aec` for the parameters."""

    def __init__(
        self,
        game: Game,
        *,
        num_players: int | None = None,
        episode: str = "round",
        reward: str = "margin",
        calls: str = "automatic",
        observation: str = "features",
        render_mode: str | None = None,
        illegal: str = "raise",
        action_mask: str = "both",
    ) -> None:
        super().__init__()
        check_choice("observation", observation, OBSERVATIONS)
        check_choice("illegal", illegal, ILLEGAL)
        check_choice("action_mask", action_mask, MASKS)
        self._bare = action_mask == "info"
        self._probing = illegal == "terminate"
        self.batch = Batch(
            game, 1, num_players, episode=episode, reward=reward, calls=calls, autoreset=False
        )
        self.metadata: dict[str, Any] = {
            "name": f"{self.batch.rules.id}_v0",
            "render_modes": RENDER_MODES,
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._screen = Screen(self.batch, render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(self.batch.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        if observation == "history" and not self.batch.rules.has_opponents:
            raise BadOption(
                f"histories are of games at a table: {self.batch.rules.id} has one player, so "
                "leave observation at 'features'"
            )
        self._history = History(self.batch) if observation == "history" else None
        self._make_spaces()

    def _make_spaces(self) -> None:
        actions = self.batch.num_actions
        low, high = self.batch.bounds()
        seen = observation_box(self.batch) if self._history is None else self._history.space
        mask = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_spaces: dict[str, Any] = {}
        self.action_spaces: dict[str, Any] = {}
        for agent in self.possible_agents:  # each agent has one object, the same whenever asked
            both = spaces.Dict(observation=seen, action_mask=mask)
            self.observation_spaces[agent] = seen if self._bare else both
            self.action_spaces[agent] = spaces.Discrete(actions)
        order = np.ones(self.batch.rules.num_tiles, np.float32)
        least = -order if self.batch.rules.deals_turned else 0 * order  # turned: negative
        self.state_space = spaces.Box(
            np.concatenate([*[low] * self.batch.num_players, least]),
            np.concatenate([*[high] * self.batch.num_players, order]),
            dtype=np.float32,
        )

    def observation_space(self, agent: str) -> Any:
        """The observation space of an agent: `observation` and `action_mask`."""
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The action space of an agent; see `domino_env.actions`."""
        self._seat_of(agent)
        return self.action_spaces[agent]

    def _seat_of(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self._seats:
            raise BadOption(f"agents are {', '.join(self.possible_agents)}; not {agent!r}")
        return self._seats[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a new episode; `options={"deal": ...}` plays a given deal.

        Other options are ignored, as PettingZoo's own checker demands.
        """
        if options is not None and not isinstance(options, Mapping):
            raise BadOption(f"options is a dict like {{'deal': ...}}, not {options!r}")
        deal = {name: options[name] for name in ("deal",) if options and name in options}
        self.batch.reset(seed, deal)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._no_moves = np.zeros(self.batch.num_actions, np.int8)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._no_moves} for agent in self.agents
        }
        self._skip_agent_selection = None
        self._select()
        self._screen.refresh()

    def _select(self) -> None:
        """Gives the move to the agent whose decision it is, with its mask."""
        self.agent_selection = self.possible_agents[self.batch.seat[0]]
        self.infos[self.agent_selection] = {"action_mask": self.batch.mask[0].copy()}

    def step(self, action: int | None) -> None:
        """Takes the selected agent's action; None for an agent whose game is over."""
        if not self.agents:
            self._must_be_reset()
            raise GameOver("the game is over and every agent has left: call reset()")
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        if self._probing and self.batch.is_illegal(0, action):
            self._lose(mover)
            return
        try:
            self.batch.step_one(action)
        except IllegalMove as error:
            raise explained(error) from None
        self._cumulative_rewards[mover] = 0.0
        for agent, reward in zip(self.agents, self.batch.reward[0].tolist(), strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        self.infos[mover] = {"action_mask": self._no_moves}
        if self.batch.done[0]:
            cut_off = bool(self.batch.truncated[0])
            self.terminations = dict.fromkeys(self.agents, not cut_off)
            self.truncations = dict.fromkeys(self.agents, cut_off)
            self._deads_step_first()
        else:
            self._select()
        self._screen.refresh()

    def _lose(self, mover: str) -> None:
        """Ends the game for an illegal move of the mover."""
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[mover] = PENALTY
        self._cumulative_rewards[mover] = 0.0
        self._accumulate_rewards()
        self.infos[mover] = {"action_mask": self._no_moves, "illegal_action": True}
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]] | npt.NDArray[Any]:
        """The observation of an agent now; its mask is all zeros unless it is to move."""
        self._must_be_reset()
        seat = self._seat_of(agent)
        if self._history is not None:
            seen: npt.NDArray[Any] = self._history.of(seat)
        elif seat == self.batch.seat[0]:
            seen = self.batch.observation[0].copy()
        else:
            seen = self.batch.observe(0, seat)
        if self._bare:
            return seen
        info = self.infos.get(agent)  # None: an agent that is gone
        mask = self._no_moves if info is None else info["action_mask"]
        return {"observation": seen, "action_mask": mask}

    def state(self) -> npt.NDArray[np.float32]:
        """The full state, for centralised critics: every seat's features and the boneyard's
        order."""
        self._must_be_reset()
        seats = [self.batch.observe(0, seat) for seat in range(self.batch.num_players)]
        return np.concatenate([*seats, self.batch.boneyard_order(0)])

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Renders the game with all hands open; a window updates by itself."""
        if self.render_mode is not None:
            self._must_be_reset()
        return self._screen.render()

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._screen.close()

    def _must_be_reset(self) -> None:
        if not hasattr(self, "rewards"):
            raise NotReset("the environment has not been reset: call reset() first")
