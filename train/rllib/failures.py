"""What those on a cluster say when they fail. They answer with it and do not raise it: RLlib takes
what is raised for a death, and asks again.
"""

from __future__ import annotations

import platform
import traceback
from dataclasses import dataclass

from ray.exceptions import RayError

from domino_env.errors import DominoError


@dataclass(frozen=True)
class Failed:
    """What somebody says who could not play or learn."""

    lost: bool
    """Was it for others that are gone? Then it is worth another try."""
    error: Exception


def failure(error: Exception) -> Failed:
    """What has been raised, in a form that can be sent anywhere."""
    lost = isinstance(error, (RayError, ConnectionError))
    if isinstance(error, DominoError):
        return Failed(lost, error)
    told = f"on the node {platform.node()}:\n{traceback.format_exc()}"
    return Failed(lost, RuntimeError(told))
