"""One-player games as Gymnasium environments: one at a time, and many as a vector.

    env = gymnasium.make("domino/solitaire-v0")
    observation, info = env.reset(seed=0)
    done = False
    while not done:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated

The mask of legal actions is in `info["action_mask"]`, and `action_masks()` gives it as trainers
with masks ask for it. `gymnasium.make_vec("domino/solitaire-v0", num_envs=64)` is one batch of 64
games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from domino_env.batches import Batch, check_choice
from domino_env.errors import BadOption, GameOver
from domino_env.games import Game

ILLEGAL = ("raise", "terminate")
ILLEGAL_REWARD = -1.0
Observations = npt.NDArray[np.float32]


def _batch(game: Game, num_games: int, reward: str) -> Batch:
    batch = Batch(game, num_games, reward=reward, autoreset=False)
    if batch.num_players != 1:
        raise BadOption(
            f"{batch.rules.id} is for {batch.num_players} players: use domino_env.aec for it"
        )
    return batch


def _check_render_mode(render_mode: str | None) -> None:
    if render_mode not in (None, "ansi"):
        raise BadOption(f"render_mode must be None or 'ansi', not {render_mode!r}")


def _box(batch: Batch) -> Any:
    low, high = batch.bounds()
    return spaces.Box(low, high, dtype=np.float32)


class SingleEnv(gymnasium.Env[Observations, np.int64]):
    """A one-player game.

    Args:
        game: the id of a variant, or its rules.
        reward: "points" or "win" (+1 or -1 at the end); "margin" is points here too.
        render_mode: None or "ansi".
        illegal: "raise" an `IllegalMove`, or "terminate" the game with -1, for trainers that probe
            with unmasked actions.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012, Gymnasium's own declaration

    def __init__(
        self,
        game: Game,
        *,
        reward: str = "points",
        render_mode: str | None = None,
        illegal: str = "raise",
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        _check_render_mode(render_mode)
        self.batch = _batch(game, 1, reward)
        self.render_mode = render_mode
        self._stopped = False
        self._probing = illegal == "terminate"
        self.observation_space = _box(self.batch)
        self.action_space = spaces.Discrete(self.batch.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins a new game; `options={"deal": [...]}` plays an explicit deal."""
        super().reset(seed=seed)
        self.batch.reset(seed, options)
        self._stopped = False
        return self._seen()

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Takes an action."""
        if self._stopped:
            raise GameOver("an illegal action has ended this game: call reset()")
        if self._probing and self.batch.is_illegal(0, action):
            self._stopped = True
            return self.batch.observation[0].copy(), ILLEGAL_REWARD, True, False, self._info()
        self.batch.step_one(action)
        observation, info = self._seen()
        done, cut_off = bool(self.batch.done[0]), bool(self.batch.truncated[0])
        return observation, float(self.batch.reward[0, 0]), done and not cut_off, cut_off, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, as trainers with masks ask for them."""
        return self.batch.mask[0].astype(np.bool_)

    def render(self) -> str | None:
        """The game as text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi', given when the env is made")
            return None
        return str(self.batch.position(0))

    def _seen(self) -> tuple[Observations, dict[str, Any]]:
        return self.batch.observation[0].copy(), self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask[0].copy()}


class SingleVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many one-player games, stepped together. A game that has ended begins anew in the next step,
    whatever its action (Gymnasium's `AutoresetMode.NEXT_STEP`)."""

    metadata = {  # noqa: RUF012, Gymnasium's own declaration
        "render_modes": ["ansi"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        reward: str = "points",
        render_mode: str | None = None,
    ) -> None:
        _check_render_mode(render_mode)
        self.batch = _batch(game, num_envs, reward)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = _box(self.batch)
        self.single_action_space = spaces.Discrete(self.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins a new game in every lane: game i has seed + i, or the i-th seed of a list."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        self.batch.reset(seed, options)
        self._ended[:] = False
        return self._seen()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Takes an action in every game; the action of a game that begins anew is not looked at."""
        anew = np.flatnonzero(self._ended)
        taken = self.batch.whole_numbers(actions)
        taken[anew] = -1
        if len(anew) < self.num_envs:
            self.batch.step(taken)
        rewards = self.batch.reward[:, 0].astype(np.float64)
        truncated = self.batch.truncated & ~self._ended
        terminated = self.batch.done & ~self.batch.truncated & ~self._ended
        rewards[anew] = 0.0
        for lane in anew.tolist():
            self.batch.restart(lane)
        self._ended = terminated | truncated
        observations, infos = self._seen()
        return observations, rewards, terminated, truncated, infos

    def render(self) -> tuple[str, ...] | None:
        """All games as text."""
        if self.render_mode is None:
            return None
        return tuple(str(self.batch.position(lane)) for lane in range(self.num_envs))

    def _seen(self) -> tuple[Observations, dict[str, Any]]:
        masks = self.batch.mask.copy()
        every = np.ones(self.num_envs, np.bool_)
        return self.batch.observation.copy(), {"action_mask": masks, "_action_mask": every}
