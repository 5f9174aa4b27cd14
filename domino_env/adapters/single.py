"""Gymnasium environments with one learner: single, and vectorised as one batch.

    env = gymnasium.make("domino/block_draw-v0", opponents="greedy_pip", seat="random")
    observation, info = env.reset(seed=0)
    done = False
    while not done:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated

A step is a decision of the learner and everything the opponents do until its next one; its reward
is everything the learner earns meanwhile. The mask of legal actions is in `info["action_mask"]`,
and `action_masks()` returns it as maskable trainers expect it; `info["seat"]` is the learner's
seat. `gymnasium.make_vec("domino/block_draw-v0", num_envs=64)` is one batch of 64 games. One-player
games have no opponents.

An illegal action ends the game of the learner that took it, with `info["illegal_action"]` true; see
`adapters.common`. So trainers without masks run, but hardly learn.

With `opponents="self"` each step is the decision of whichever seat is to move: the observation, the
mask and `info["seat"]` are that seat's, the reward is what it earned by the move, and
`info["rewards"]` is what every seat earned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from domino_env.adapters.action_space import ActionSpace
from domino_env.adapters.common import (
    PICTURES,
    RENDER_FPS,
    RENDER_MODES,
    OneGame,
    Screen,
    observation_box,
)
from domino_env.adapters.learner_seat import OneLearnerTable, new_table
from domino_env.arrays import read_only
from domino_env.batches import Batch
from domino_env.games import Game

Observations = npt.NDArray[Any]


class SingleEnv(gymnasium.Env[Observations, np.int64]):
    """A game with one learner.

    Args:
        game: the id of a variant, or its rules.
        opponents: the agents in the other seats: a name, an agent with its options or an object, or
            a list of these, clockwise from the learner's left. See `adapters.learner_seat`.
        seat: the learner's seat: a number, "random" for each episode, or "in_turn".
        render_mode: None, "human" (a window), "ansi" (text) or "rgb_array" (pixels).
        illegal: what an illegal action does: "terminate" the game with -1, or "raise" an
            `IllegalMove`.
        options: `num_players`, `episode`, `reward`, `calls` and `observation_dtype`, as for
            `Batch`.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012, Gymnasium's own declaration

    def __init__(
        self,
        game: Game,
        *,
        opponents: Any = "random",
        seat: int | str = "random",
        render_mode: str | None = None,
        illegal: str = "terminate",
        **options: Any,
    ) -> None:
        self.batch = Batch(game, 1, **options, autoreset=False)
        self.table = OneLearnerTable(self.batch, opponents, seat, illegal)
        self._game = OneGame(self.batch)
        self.render_mode = render_mode
        self._screen = Screen(self.batch, render_mode)
        self.observation_space = observation_box(self.batch)
        self.action_space = ActionSpace(self.batch.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Starts a new game; `options={"deal": [...]}` plays a given deal."""
        super().reset(seed=seed)
        self.table.reset(seed, options)
        self._screen.refresh()
        return self._seen()

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Takes an action."""
        self.table.step_one(action)
        self._screen.refresh()
        observation, info = self._seen()
        over = self._game.is_over()
        cut_off = over and self._game.was_cut_off()
        done = self.table.any_stopped or over
        return observation, self.table.earned.item(), done and not cut_off, cut_off, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions as booleans, for maskable trainers."""
        return self.table.masks()[0].astype(np.bool_)

    def render(self) -> Any:
        """Renders the game with all hands open; a window updates by itself."""
        return self._screen.render()

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._screen.close()

    def _seen(self) -> tuple[Observations, dict[str, Any]]:
        seat = self.table.seat_of_learner()
        return self._game.seen_by(seat), self._info(seat)

    def _info(self, seat: int) -> dict[str, Any]:
        stopped, mask = self.table.any_stopped, self._game.mask()
        if stopped:
            mask[:] = 0
        info: dict[str, Any] = {"action_mask": mask, "seat": seat, "illegal_action": stopped}
        if self.table.is_self_play:
            info["rewards"] = self.table.rewards[0].copy()
        return info


class SingleVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games, each with one learner, stepped together. A game that has ended is reset by the
    next step, whatever its action (Gymnasium's `AutoresetMode.NEXT_STEP`). The parameters are
    those of `SingleEnv`, and `num_envs`, the number of games; there are no windows."""

    metadata = {  # noqa: RUF012, Gymnasium's own declaration
        "render_modes": PICTURES,
        "render_fps": RENDER_FPS,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        opponents: Any = "random",
        seat: int | str = "random",
        render_mode: str | None = None,
        illegal: str = "terminate",
        **options: Any,
    ) -> None:
        self.table = new_table(game, num_envs, opponents, seat, illegal=illegal, **options)
        self.batch = self.table.batch
        self._screen = Screen(self.batch, render_mode, PICTURES)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = observation_box(self.batch)
        self.single_action_space = ActionSpace(self.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, np.bool_)
        self._every = read_only(np.ones(num_envs, np.bool_))  # in which infos there is a value

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Starts a new game in every lane: game i has seed + i, or seed i of a list."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        self.table.reset(seed, options)
        self._ended[:] = False
        return self._seen()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Takes an action in every game; it is ignored in games that are being reset."""
        taken = self.batch.whole_numbers(actions, self.num_envs)
        played = ~self._ended
        going = np.flatnonzero(played)
        self.table.step(taken[going], going, np.flatnonzero(self._ended))
        done, truncated = self.batch.done & played, self.batch.truncated & played
        if self.table.any_stopped:
            done |= self.table.stopped & played
        self._ended = done
        observations, infos = self._seen()
        return observations, self.table.earned.copy(), done & ~truncated, truncated, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every game as booleans, for maskable trainers."""
        return self.table.masks().astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """All games as text or as pixels, as `render_mode` says."""
        if self.render_mode is None:
            return None
        return tuple(self._screen.render(lane) for lane in range(self.num_envs))

    def _seen(self) -> tuple[Observations, dict[str, Any]]:
        info = {
            "action_mask": self.table.masks(),
            "seat": self.table.learner.copy(),
            "illegal_action": self.table.stopped.copy(),
        }
        if self.table.is_self_play:
            info["rewards"] = self.table.rewards.copy()
        return self.table.seen(), {**info, **{f"_{name}": self._every for name in info}}
