"""What asking a language model has cost, and how often it had to be asked again."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields


@dataclass(frozen=True)
class Usage:
    """Counts of one player. They can be added; without any they are false."""

    requests: int = 0
    """Sent to the endpoint, those that failed included."""
    failures: int = 0
    """Requests without an answer: the endpoint's fault and not the model's."""
    retries: int = 0
    """Answers that were refused, after which the model was asked again."""
    forfeits: int = 0
    """Decisions without a legal move after all retries."""
    prompt_tokens: int = 0
    """As the endpoint counts them, if it does."""
    completion_tokens: int = 0
    seconds: float = 0.0
    """Of waiting for answers."""

    def __add__(self, other: Usage) -> Usage:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Usage(*(one + two for one, two in pairs))

    def __bool__(self) -> bool:
        return any(astuple(self))

    def __str__(self) -> str:
        told = (f"{getattr(self, each.name):,} {each.name}" for each in fields(self)[:-1])
        return f"{', '.join(told).replace('_', ' ')}, {self.seconds:,.1f} s"
