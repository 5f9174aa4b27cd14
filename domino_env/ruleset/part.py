"""What all parts of `Rules` have in common: a part checks its own values, and the rows of the table
of needs that speak of it alone; a word that it had before is answered with what is said now."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from domino_env.plain import make_plain
from domino_env.ruleset import former
from domino_env.ruleset.conditions import check_all
from domino_env.ruleset.needs import needs_within
from domino_env.ruleset.values import check_values


class Part:
    """A part of `Rules`; its settings are named with a prefix, like "draw."."""

    prefix: ClassVar[str]

    def __init_subclass__(cls, prefix: str) -> None:
        cls.prefix = prefix

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuses words of before."""
        former.refuse(given, cls.prefix)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        make_plain(self)
        check_values(self, self.prefix)
        check_all(needs_within(self.prefix), self, self.prefix)
