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

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import AECIterable

from domino_env.adapters.action_space import ActionSpace
from domino_env.adapters.common import (
    ILLEGAL,
    PENALTY,
    RENDER_FPS,
    RENDER_MODES,
    OneGame,
    Screen,
    explained,
    observation_box,
)
from domino_env.adapters.history import History
from domino_env.batches import Batch, check_choice
from domino_env.engine.state import BYTES
from domino_env.errors import BadOption, GameOver, IllegalMove, NotReset
from domino_env.games import Game

OBSERVATIONS = ("features", "history")
MASKS = ("both", "info")


class _Turns(AECIterable[str, Any, Any]):
    """Whose turn it is, again and again, as PettingZoo's own iterator has it, but faster."""

    def __iter__(self) -> Iterator[str]:
        env, left = self.env, self.max_iter
        while env.agents and left > 0:
            left -= 1
            yield env.agent_selection


class _Passed:
    """An attribute of the environment inside. PettingZoo's wrappers look for it in vain first, one
    after the other, which takes longer than a step of the game."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, wrapper: Any, owner: type | None = None) -> Any:
        if wrapper is None or not wrapper._has_reset:
            raise AttributeError(self._name)  # of which the wrapper says what comes first
        return getattr(wrapper.env, self._name)


class WrappedAEC(wrappers.OrderEnforcingWrapper):
    """The AEC environment of a game with PettingZoo's usual checks, as `aec` makes it: what
    `OrderEnforcingWrapper` and `AssertOutOfBoundsWrapper` refuse is refused in the same words, by
    one wrapper instead of two."""

    # For type checkers: what else the environment inside has, PettingZoo passes on unseen.
    metadata: dict[str, Any]
    possible_agents: list[str]

    if TYPE_CHECKING:
        agents: list[str]
        agent_selection: str
        rewards: dict[str, float]
        terminations: dict[str, bool]
        truncations: dict[str, bool]
        infos: dict[str, dict[str, Any]]
    else:
        agents, agent_selection = _Passed(), _Passed()
        rewards, infos = _Passed(), _Passed()
        terminations, truncations = _Passed(), _Passed()

    @property
    def unwrapped(self) -> raw_aec:
        """The environment without wrappers; `unwrapped.batch` is the game."""
        return self.env.unwrapped

    def step(self, action: int | None) -> None:
        """Takes the selected agent's action; None for an agent whose game is over."""
        if self._has_reset and self.env.agents:
            self._has_updated = True
            assert self._may_be(action), "action is not in action space"
        super().step(action)

    def _may_be(self, action: Any) -> bool:
        """Is it one of the selected agent's actions, or None of one whose game is over?"""
        env = self.env
        if action.__class__ is int or action.__class__ is np.int64:
            return bool(0 <= action < env.batch.num_actions)
        mover = env.agent_selection
        if action is None:
            return bool(env.terminations[mover] or env.truncations[mover])
        return bool(env.action_space(mover).contains(action))

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the selected agent sees, what it has earned since it acted last, whether its game is
        over or cut off, and its `info`."""
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def __str__(self) -> str:
        return str(self.env)


def aec(game: Game, **options: Any) -> WrappedAEC:
    """The AEC environment of a game, with PettingZoo's usual checks.

    Args:
        game: the id of a variant, or a `Rules`.
        num_players: number of seats; the game's usual number by default.
        episode: "round", or "match" for rounds to the end of the game.
        reward: "margin" (points minus the mean of the opponents'), "points" or "win".
        calls: "automatic", or "explicit" where a game has something to call.
        observation: "features" (most from 0 to 1) or "history" (the events, with perfect recall).
        observation_dtype: of the features, "float32" or "uint8"; see `Batch.as_floats`.
        render_mode: None, "human" (a window), "ansi" (text) or "rgb_array" (pixels).
        illegal: what an illegal action does: "raise" an `IllegalMove`, or "terminate" the game with
            -1 for the seat that moved, for trainers without masking.
        action_mask: in "both" the observation and `info`, or in "info" only.
    """
    return WrappedAEC(raw_aec(game, **options))


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
        observation_dtype: Any = "float32",
    ) -> None:
        super().__init__()
        check_choice("observation", observation, OBSERVATIONS)
        check_choice("illegal", illegal, ILLEGAL)
        check_choice("action_mask", action_mask, MASKS)
        self._bare = action_mask == "info"
        self._probing = illegal == "terminate"
        self.batch = Batch(
            game,
            1,
            num_players,
            episode=episode,
            reward=reward,
            calls=calls,
            autoreset=False,
            observation_dtype=observation_dtype,
        )
        self.metadata: dict[str, Any] = {
            "name": f"{self.batch.rules.id}_v0",
            "render_modes": RENDER_MODES,
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._game = OneGame(self.batch)
        self._screen = Screen(self.batch, render_mode)
        self._is_watched = render_mode == "human"
        self._nothing = [0.0] * self.batch.num_players
        self.possible_agents = [f"player_{seat}" for seat in range(self.batch.num_players)]
        self.agents: list[str] = []
        self._unpaid = dict.fromkeys(self.possible_agents, 0.0)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        if observation == "history" and not self.batch.rules.has_opponents:
            raise BadOption(
                f"histories are of games at a table: {self.batch.rules.id} has one player, so "
                "leave observation at 'features'"
            )
        if observation == "history" and self.batch.observation_dtype == BYTES:
            raise BadOption("histories are int16: leave observation_dtype out")
        self._history = History(self.batch) if observation == "history" else None
        self._make_spaces()

    def _make_spaces(self) -> None:
        actions = self.batch.num_actions
        seen = observation_box(self.batch) if self._history is None else self._history.space
        mask = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_spaces: dict[str, Any] = {}
        self.action_spaces: dict[str, Any] = {}
        for agent in self.possible_agents:  # each agent has one object, the same whenever asked
            both = spaces.Dict(observation=seen, action_mask=mask)
            self.observation_spaces[agent] = seen if self._bare else both
            self.action_spaces[agent] = ActionSpace(actions)
        self.state_space = self._state_space()

    def _state_space(self) -> spaces.Box:
        """The observations of all seats as floats, and for each tile its place."""
        low, high = map(self.batch.as_floats, self.batch.bounds())
        order = np.ones(self.batch.rules.num_tiles, np.float32)
        least = -order if self.batch.rules.deals_turned else 0 * order  # turned: negative
        return spaces.Box(
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
        try:
            return self._seats[agent]
        except (KeyError, TypeError):  # of what cannot be hashed
            known = ", ".join(self.possible_agents)
            raise BadOption(f"agents are {known}; not {agent!r}") from None

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a new episode; `options={"deal": ...}` plays a given deal.

        Other options are ignored, as PettingZoo's own checker demands.
        """
        if options is not None and not isinstance(options, Mapping):
            raise BadOption(f"options is a dict like {{'deal': ...}}, not {options!r}")
        deal = {"deal": options["deal"]} if options and "deal" in options else None
        self.batch.reset(seed, deal)
        self.agents = self.possible_agents[:]
        self.rewards = self._unpaid.copy()
        self._cumulative_rewards = self._unpaid.copy()
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._no_moves = np.zeros(self.batch.num_actions, np.int8)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._no_moves} for agent in self.agents
        }
        self._skip_agent_selection = None
        seat, mask, _ = self._game.outcome()
        self.agent_selection = mover = self.possible_agents[seat]
        self.infos[mover] = {"action_mask": mask}
        self._screen.refresh()

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
        seat, mask, earned = self._game.outcome()
        self._cumulative_rewards[mover] = 0.0
        if earned != self._nothing or self.rewards != self._unpaid:  # most steps pay nothing
            self._pay(earned)
        infos = self.infos
        infos[mover] = {"action_mask": self._no_moves}
        if seat >= 0:
            self.agent_selection = mover = self.possible_agents[seat]
            infos[mover] = {"action_mask": mask}
        else:
            self._end()
        if self._is_watched:
            self._screen.refresh()

    def _pay(self, earned: list[float]) -> None:
        """Gives all agents what they earned by the step, whoever has moved."""
        self.rewards.update(zip(self.agents, earned, strict=True))
        self._accumulate_rewards()

    def _end(self) -> None:
        """The game is over: from now on each agent's step is None."""
        cut_off = self._game.was_cut_off()
        self.terminations = dict.fromkeys(self.agents, not cut_off)
        self.truncations = dict.fromkeys(self.agents, cut_off)
        self._deads_step_first()

    def _lose(self, mover: str) -> None:
        """Ends the game for an illegal move of the mover."""
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[mover] = PENALTY
        self._cumulative_rewards[mover] = 0.0
        self._accumulate_rewards()
        self.infos[mover] = {"action_mask": self._no_moves, "illegal_action": True}
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """Whose turn it is, for a loop that steps in each iteration."""
        return _Turns(self, max_iter)

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]] | npt.NDArray[Any]:
        """The observation of an agent now; its mask is all zeros unless it is to move."""
        if not self.agents:
            self._must_be_reset()
        see = self._game.seen_by if self._history is None else self._history.of
        seen: npt.NDArray[Any] = see(self._seat_of(agent))
        if self._bare:
            return seen
        info = self.infos.get(agent)  # None: an agent that is gone
        mask = self._no_moves if info is None else info["action_mask"]
        return {"observation": seen, "action_mask": mask}

    def state(self) -> npt.NDArray[np.float32]:
        """The full state, for centralised critics: every seat's features and the boneyard's order;
        floats, whatever observations are."""
        self._must_be_reset()
        seats = [self.batch.observe(0, seat) for seat in range(self.batch.num_players)]
        return np.concatenate([*map(self.batch.as_floats, seats), self.batch.boneyard_order(0)])

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
