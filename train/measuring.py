"""What measuring learners has in common: a budget of seconds, and deals kept out of training."""

from __future__ import annotations

from domino_env.errors import BadOption

MOST_SECONDS = 86_400.0
FIRST_DEAL = 2_000_000_000  # in training no deal has such a seed but by chance


def must_be_seconds(seconds: float) -> None:
    """Refuses what is no time to learn in."""
    if not isinstance(seconds, (int, float)) or not 0 < seconds <= MOST_SECONDS:
        raise BadOption(f"seconds must be above 0, up to {MOST_SECONDS:.0f}, not {seconds!r}")
