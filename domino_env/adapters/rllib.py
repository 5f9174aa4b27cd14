"""A multi-agent environment for RLlib's new API stack: an agent in each seat, one acting at a time.

    from domino_env.adapters.rllib import RLlibEnv

    config = PPOConfig().environment(RLlibEnv, env_config={"game": "block_draw", "num_players": 2})

Observations are dicts of `observations` and `action_mask`, as RLlib's `ActionMaskingTorchRLModule`
expects them. Only the agent to move gets one, so RLlib asks nobody else for an action; at the end
of the game every agent gets the final observation, with a mask of zeros.

Every agent receives what it has earned, whoever has moved. RLlib drops rewards that precede an
agent's first decision, so these are paid together with it. An agent that never decided anything is
not in RLlib's episode, and neither is its reward.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from domino_env.adapters.common import (
    ILLEGAL,
    PENALTY,
    PICTURES,
    RENDER_FPS,
    Screen,
    explained,
    observation_box,
)
from domino_env.batches import Batch, check_choice
from domino_env.errors import BadAction, BadOption, GameOver, IllegalMove, NotReset

Told = dict[str, Any]
_APART = 1_000_000


class RLlibEnv(MultiAgentEnv):
    """A game in which every seat is an agent: `player_0`, `player_1` and so on.

    Args:
        config: RLlib's `env_config`: `game`, the id of a variant or its rules; `num_players`,
            `episode`, `reward`, `calls` and `observation_dtype`, as for `Batch`; `render_mode`,
            None, "ansi" or "rgb_array"; and `illegal`: "terminate" the game with -1 for the seat
            that moved, or "raise" an `IllegalMove`.
            RLlib checks every environment with one action sampled without the mask, so "raise"
            needs `disable_env_checking=True`.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        options = dict(config)
        if "game" not in options:
            raise BadOption("env_config needs a 'game': the id of a variant, or its rules")
        illegal = options.pop("illegal", "terminate")
        check_choice("illegal", illegal, ILLEGAL)
        self._probing = illegal == "terminate"
        self.render_mode = options.pop("render_mode", None)
        # Its own: RLlib writes into it.
        self.metadata = {"render_modes": PICTURES, "render_fps": RENDER_FPS}
        self.batch = Batch(options.pop("game"), 1, **options, autoreset=False)
        self._screen = Screen(self.batch, self.render_mode, PICTURES)
        self.possible_agents = [f"player_{seat}" for seat in range(self.batch.num_players)]
        self.agents = self.possible_agents[:]
        super().__init__()
        self._worker = getattr(config, "worker_index", None) or 0
        self._owed = np.zeros(self.batch.num_players, np.float64)
        self._moved = np.zeros(self.batch.num_players, np.bool_)
        self._stopped = False  # by an illegal move
        self._make_spaces()

    def _make_spaces(self) -> None:
        actions = self.batch.num_actions
        mask = spaces.Box(0, 1, (actions,), np.int8)
        seen = spaces.Dict(observations=observation_box(self.batch), action_mask=mask)
        taken = spaces.Discrete(actions)
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, taken)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Told, Told]:
        """Starts a new game; `options={"deal": ...}` plays a given deal.

        RLlib gives game i of worker w the seed s + w + i, so that workers would play each other's
        games: here the seeds of successive workers are a million apart. RLlib also first checks all
        games with the same seed: a game that is reset before its end continues with its own random
        stream.
        """
        if seed is not None:
            seed += _APART * self._worker
        elif not self.batch.done[0]:
            seed = secrets.randbits(64)
        self.batch.reset(seed, options)
        self._owed[:], self._moved[:] = 0, False
        self._stopped = False
        return self._seen_by([self._to_move()]), {}

    def step(self, action_dict: Mapping[str, Any]) -> tuple[Told, Told, Told, Told, Told]:
        """Takes the move of the agent that is to move."""
        seat = self._to_move()
        mover = self.possible_agents[seat]
        if [*action_dict] != [mover]:
            raise BadAction(f"it is {mover}'s move, so step takes one of {mover}: {action_dict!r}")
        action = action_dict[mover]
        if self._probing and self.batch.is_illegal(0, action):
            self._stopped = True
            self._owed[seat] += PENALTY
        else:
            try:
                self.batch.step_one(action)
            except IllegalMove as error:
                raise explained(error) from None
            self._owed += self.batch.reward[0]
        self._moved[seat] = True
        return self._told()

    def render(self) -> Any:
        """The game, all hands open, as `render_mode` says."""
        return self._screen.render()

    def _to_move(self) -> int:
        if self._stopped or self.batch.done[0]:
            raise GameOver("the game is over: call reset()")
        if self.batch.seat[0] < 0:
            raise NotReset("the environment has not been reset: call reset() first")
        return int(self.batch.seat[0])

    def _told(self) -> tuple[Told, Told, Told, Told, Told]:
        """What RLlib is told after a move; of a game's end by "__all__" alone, since it takes a
        game in which each agent is truncated for one that has been played to its end."""
        over = self._stopped or bool(self.batch.done[0])
        cut_off = bool(self.batch.truncated[0])
        seats = range(self.batch.num_players) if over else [self._to_move()]
        terminated, truncated = {"__all__": over and not cut_off}, {"__all__": cut_off}
        return self._seen_by(seats), self._paid(over), terminated, truncated, {}

    def _paid(self, over: bool) -> Told:
        """What every seat that has moved is owed; in the end all are paid."""
        seats = [*range(self.batch.num_players)] if over else np.flatnonzero(self._moved).tolist()
        rewards = {self.possible_agents[seat]: float(self._owed[seat]) for seat in seats}
        self._owed[seats] = 0
        return rewards

    def _seen_by(self, seats: Sequence[int]) -> Told:
        to_move = -1 if self._stopped else self.batch.seat[0]
        none = np.zeros(self.batch.num_actions, np.int8)
        return {
            self.possible_agents[seat]: {
                "observations": self.batch.observe(0, seat),
                "action_mask": self.batch.mask[0].copy() if seat == to_move else none,
            }
            for seat in seats
        }
