"""What PettingZoo itself costs: a no-op environment, with which an adapter is compared."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from domino_env.adapters.aec import raw_aec


class NoOp(AECEnv[str, Any, Any]):
    """An AEC environment with the spaces of another, whose steps do nothing: what remains is the
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
        """Starts an episode."""
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
        """Passes the turn on; the episode ends after a fixed number of steps."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._taken += 1
        self.agent_selection = self.possible_agents[self._taken % len(self.possible_agents)]
        if self._taken == self._steps:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()

    def observe(self, agent: str) -> Any:
        """The same observation every time."""
        return self._seen


def wrapped_no_op(model: raw_aec, steps: int) -> Any:
    """The no-op environment in PettingZoo's usual wrappers."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(NoOp(model, steps)))
