"""The client: what the server's answers are in types."""

from __future__ import annotations

from typing import Any

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient

from domino_env.adapters.openenv.models import DominoAction, DominoObservation, DominoState


class DominoClient(EnvClient[DominoAction, DominoObservation, DominoState]):
    """A session on a server, with OpenEnv's methods: `reset(seed=…)`, `step(action)`, `state()`."""

    def _step_payload(self, action: DominoAction) -> dict[str, Any]:
        return {"answer": action.answer}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[DominoObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        told = {**payload["observation"], "reward": reward, "done": done}
        return StepResult(DominoObservation(**told), reward, done, payload.get("metadata"))

    def _parse_state(self, payload: dict[str, Any]) -> DominoState:
        return DominoState(**payload)
