"""`Option`: a name for some changes of `Rules`, as players speak of a table's own rules.

A declarative module gives the options of its games in `OPTIONS`, by the ids of the games and the
names of the options; `domino_env.rules("fundomino", double_back=True)` takes them beside changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from domino_env.errors import BadRules


@dataclass(frozen=True)
class Option:
    """What people call some changes of a game.

    Attributes:
        says: what it changes, in a few words.
        changes: of `Rules`, parts as mappings, where the option is simply on.
        choices: ... or by the value that it is given.
    """

    says: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def chosen(self, name: str, value: Any) -> Mapping[str, Any]:
        """The changes for a value; none where the option is off."""
        if isinstance(value, bool) and (self.changes or not value):
            return self.changes if value else {}
        if isinstance(value, str) and value in self.choices:
            return self.choices[value]
        expected = " or ".join(map(repr, self.choices)) or "True or False"
        raise BadRules(f"{name} must be {expected}, not {value!r}")


Options = Mapping[str, Mapping[str, Option]]
"""Of each game, by its id: its options by their names."""
