"""Single decisions for verifiers: a taskset of positions whose moves have known values.

    # domino_moves.py: verifiers finds plugins by the names of modules at the top
    from domino_env.adapters.verifiers_moves import (
        DominoHarness, DominoMovesEnv, DominoMovesTaskset,
    )

    __all__ = ["DominoHarness", "DominoMovesEnv", "DominoMovesTaskset"]

    vf-eval domino-moves --env.taskset.game five_up -n 100

A task is one of `domino_env.text.positions`. Its reward is what the answer gives away, as points
below 0: there is no luck in it, and no opponent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import verifiers.v1 as vf

from domino_env.adapters.verifiers import SEAT, DominoHarness
from domino_env.text import position, positions

__all__ = ["DominoHarness", "DominoMovesEnv", "DominoMovesTaskset"]


class DominoMovesTasksetConfig(vf.TasksetConfig):
    """Which positions are asked, and how: see `text.position_names` and `text.prompt`."""

    game: str | None = None
    rules: bool = True
    history: bool = True
    legal: bool = True
    style: Literal["plain", "json"] = "plain"


class DominoMoveData(vf.TaskData):
    """Where a position is found again. Values of moves are not sent along."""

    positions: str
    number: int


class DominoMoveTask(vf.Task[DominoMoveData, vf.State, vf.TaskConfig]):
    """To find the move that is worth most."""

    @vf.reward
    async def points(self, trace: Any) -> float:
        """The points that the answer gives away, below 0; one that names no legal move gives away
        as much as the worst."""
        return -self._judged(trace).given_away

    @vf.metric
    async def best(self, trace: Any) -> float:
        """Is it the best move?"""
        return float(self._judged(trace).best)

    @vf.metric
    async def illegal(self, trace: Any) -> float:
        """Does it name no legal move?"""
        return float(self._judged(trace).illegal)

    def _judged(self, trace: Any) -> Any:
        return position(self.data.positions, self.data.number).judge(trace.last_reply)


class DominoMovesTaskset(vf.Taskset[DominoMoveTask, DominoMovesTasksetConfig]):
    """A task for each position."""

    def load(self) -> Iterator[DominoMoveTask]:
        """In the order of the collections."""
        asked = self.config
        shows: dict[str, Any] = {
            name: getattr(asked, name) for name in ("rules", "history", "legal", "style")
        }
        for each in positions(asked.game):
            data = DominoMoveData(
                name=f"{each.name} {each.number}",
                prompt=each.prompt(**shows),
                positions=each.name,
                number=each.number,
            )
            yield DominoMoveTask(data, asked.task)


class DominoMovesEnvConfig(vf.EnvConfig):
    """The one who is asked."""

    agent: vf.AgentConfig = SEAT


class DominoMovesEnv(vf.Env[DominoMovesEnvConfig]):
    """Asks once."""

    async def run(self, task: Any, agents: Any) -> None:
        """One decision."""
        await agents.agent.run(task)
