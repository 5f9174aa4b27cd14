"""Failures of workers. They are returned and not raised: RLlib takes an exception for a death, and
asks again.
"""

from __future__ import annotations

import platform
import traceback
from dataclasses import dataclass

from ray.exceptions import RayError

from domino_env.errors import DominoError


@dataclass(frozen=True)
class WorkerFailure:
    """What a worker returns when it fails."""

    lost: bool
    """Was another worker lost? Then a retry may succeed."""
    error: Exception


def as_failure(error: Exception) -> WorkerFailure:
    """An exception, in a form that can be sent to any node."""
    lost = isinstance(error, (RayError, ConnectionError))
    if isinstance(error, DominoError):
        return WorkerFailure(lost, error)
    where = f"on the node {platform.node()}:\n{traceback.format_exc()}"
    return WorkerFailure(lost, RuntimeError(where))
