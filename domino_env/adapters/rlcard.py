"""A game with the interface of an RLCard environment. Importing this does not require RLCard.

    from rlcard.agents import RandomAgent
    from domino_env.adapters.rlcard import RLCardEnv

    env = RLCardEnv("block_draw", seed=0)
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])
    trajectories, payoffs = env.run(is_training=True)

RLCard pays once, at the end of a game: a payoff is everything a seat has earned in it, whoever
moved. Raw actions are `Move`s; raw observations are the features by the names of their fields, so a
state contains nothing that its player may not see. Only `get_perfect_information` does.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.actions import Move, decode, encode
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.games import Game

State = dict[str, Any]


class RLCardEnv:
    """A game with an RLCard agent in each seat.

    Args:
        game: the id of a variant, or its rules.
        seed: the first game has this seed; later ones continue from its generator.
        allow_step_back: save the game before each step, for `step_back`.
        options: `num_players`, `episode`, `reward`, `calls` and `observation_dtype`, as for
            `Batch`.

    Attributes:
        num_players, num_actions: their numbers.
        state_shape, action_shape: a list with an entry for each player; actions have no features.
        timestep: number of steps in all games so far.
        action_recorder: the players and moves of this game, in order.
    """

    def __init__(
        self,
        game: Game,
        *,
        seed: int | None = None,
        allow_step_back: bool = False,
        **options: Any,
    ) -> None:
        self.batch = Batch(game, 1, seed=seed, **options, autoreset=False)
        self.name: str = self.batch.rules.id
        self.allow_step_back = allow_step_back
        self.num_players = self.batch.num_players
        self.num_actions = self.batch.num_actions
        self.state_shape = [[self.batch.num_features] for _ in range(self.num_players)]
        self.action_shape = [None for _ in range(self.num_players)]
        self.agents: list[Any] = []
        self.action_recorder: list[tuple[int, Move]] = []
        self.timestep = 0
        self._payoffs = np.zeros(self.num_players, np.float64)
        self._past: list[tuple[bytes, npt.NDArray[np.float64]]] = []
        self._seed_to_come: int | None = None
        every = range(self.num_actions)
        self._moves = [
            decode(self.batch.rules, action, self.batch.calls, self.batch.num_players)
            for action in every
        ]

    # Playing ------------------------------------------------------------------------------------

    def seed(self, seed: int | None = None) -> int | None:
        """Sets the seed of the next game."""
        self._seed_to_come = seed
        return seed

    def reset(self) -> tuple[State, int]:
        """Starts a game; returns the state of the player to move, and the player."""
        self.batch.reset(self._seed_to_come)
        self._seed_to_come = None
        self._payoffs[:] = 0
        self._past.clear()
        self.action_recorder = []
        return self._turn()

    def step(self, action: Any, raw_action: bool = False) -> tuple[State, int]:
        """Takes an action (or a `Move`, if raw); returns the state of the player to move next, and
        that player. In a finished game it is the player that moved last."""
        taken = (
            encode(self.batch.rules, action, self.batch.calls, self.batch.num_players)
            if raw_action
            else action
        )
        mover, kept = self.get_player_id(), self._kept()
        self.batch.step_one(taken)
        self._past += kept
        self._payoffs += self.batch.reward[0]
        self.timestep += 1
        self.action_recorder.append((mover, self._moves[int(taken)]))
        return self._turn()

    def step_back(self) -> tuple[State, int] | bool:
        """Undoes the last step: the state and the player before it; False at the start."""
        if not self.allow_step_back:
            raise BadOption("step_back needs allow_step_back=True, given when the env is made")
        if not self._past:
            return False
        saved, payoffs = self._past.pop()
        self.batch.restore(0, saved)
        self._payoffs[:] = payoffs
        self.timestep -= 1
        self.action_recorder.pop()
        return self._turn()

    def _kept(self) -> list[tuple[bytes, npt.NDArray[np.float64]]]:
        """What `step_back` needs of the game as it is now."""
        return [(self.batch.save(0), self._payoffs.copy())] if self.allow_step_back else []

    # Whole games --------------------------------------------------------------------------------

    def set_agents(self, agents: Sequence[Any]) -> None:
        """Sets the agents that play in `run`, one for each seat."""
        if len(agents) != self.num_players:
            raise BadOption(f"there are {self.num_players} seats, not {len(agents)}")
        self.agents = list(agents)

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], npt.NDArray[np.float64]]:
        """Plays a whole game; returns for each player its states and actions in turn, with a final
        state at the end, and the payoffs."""
        if not self.agents:
            raise BadOption("nobody sits at the table: call set_agents() before run()")
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, player = self.reset()
        while not self.is_over():
            agent = self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[player] += [state, action]
            state, player = self.step(action, agent.use_raw)
        for player, trajectory in enumerate(trajectories):
            trajectory.append(self.get_state(player))
        return trajectories, self.get_payoffs()

    # Looking ------------------------------------------------------------------------------------

    def is_over(self) -> bool:
        """Is the game over?"""
        return bool(self.batch.seat[0] < 0)

    def get_player_id(self) -> int:
        """The player to move; in a finished game the one that moved last."""
        if self.is_over():
            return self.action_recorder[-1][0] if self.action_recorder else 0
        return int(self.batch.seat[0])

    def get_payoffs(self) -> npt.NDArray[np.float64]:
        """What each player has earned in this game so far.

        An array and not a list: to RLCard's `tournament` a list means the payoffs of several games.
        """
        return self._payoffs.copy()

    def get_state(self, player_id: int) -> State:
        """The state of a player now. Only the player to move has legal actions."""
        seen = self.batch.observe(0, player_id)
        actions: list[int] = []
        if player_id == self.batch.seat[0]:
            actions = np.flatnonzero(self.batch.mask[0]).tolist()
        return {
            "obs": seen,
            "legal_actions": OrderedDict((action, None) for action in actions),
            "raw_obs": self._named(seen),
            "raw_legal_actions": [self._moves[action] for action in actions],
            "action_record": self.action_recorder.copy(),
        }

    def get_perfect_information(self) -> dict[str, Any]:
        """Everything, hidden tiles too: the fields of a `Position` by their names."""
        position = self.batch.position(0)
        return {field.name: getattr(position, field.name) for field in fields(position)}

    def get_action_feature(self, action: int) -> npt.NDArray[np.int8]:
        """An action as one-hot numbers."""
        feature = np.zeros(self.num_actions, np.int8)
        feature[action] = 1
        return feature

    def _turn(self) -> tuple[State, int]:
        player = self.get_player_id()
        return self.get_state(player), player

    def _named(self, seen: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The parts of an observation by the names of their fields."""
        named, start = {}, 0
        for field in self.batch.fields:
            named[field.name] = seen[start : start + field.size]
            start += field.size
        return named
