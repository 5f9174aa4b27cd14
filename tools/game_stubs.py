"""The files that `domino new-game` writes, before a person has said what is different."""

from __future__ import annotations

from typing import Any

from tools.game_evidence import PLACEHOLDER

DECLARATION = '''"""{title}."""

from dataclasses import replace

from domino_env.games import {family}

{constant} = replace(
    {family}.{like_constant},
    id="{id}",
    title="{title}",
    summary="{placeholder}: the game in a line",
    source="{placeholder}: the rulebook",
    # What else is different from {like}, like hand_size=7, or draw=Draw(forced="one") with
    # `from domino_env.ruleset import Draw`. domino_env/ruleset/parts.py lists what there is.
)
'''

REFEREE = '''"""{title} ({placeholder}: the rulebook)."""

from __future__ import annotations

from .{like_file} import {like_class}


class {class_name}({like_class}):
    """{placeholder}: what is different from {like}, as the rulebook says it.

    Who writes this looks at the rulebook and the page of rules, and not at the engine."""
'''

PAGE = """# {title}

![{title}, well into a round](../images/{id}.svg)

{placeholder}: the game in two or three sentences, and what makes it different.

| players | set | tiles dealt | match | source |
|---|---|---|---|---|
| {placeholder} | | | | |

## The round

**Deal and opening.** {placeholder}.

**A turn.** {placeholder}.

**Doubles and the layout.** {placeholder}.

**Drawing and passing.** {placeholder}.

**How a round ends.** {placeholder}.

## Points

- **During play:** {placeholder}.
- **Out:** {placeholder}.
- **Blocked:** {placeholder}.
- **Match:** {placeholder}.

## Decisions

{placeholder}: what is a decision and what the game carries out by itself (G5), how actions are
numbered, and which ends there are.

## What everybody can see

{placeholder}: what is public, what a draw or a pass shows, what stays hidden.

## House rules

{placeholder}: the options, and an example that runs.

```python
import domino_env

house = domino_env.rules("{id}", hand_size=6)
```

## Clauses

- {placeholder}: one line for each clause of the rulebook, and of the general rules, that the game
  goes by; and what was decided where the rulebook leaves something open.
"""

BY_HAND = {
    "worked_by_hand_1": "what this shows, by clause",
    "worked_by_hand_2": "what this shows, by clause",
    "match_to_a_target": "a match that its first round decides, by clause",
}
"""The golden games that a person works out: the names of the files, and what to say in each."""

HANDS = [["6|6", "0|6"], ["1|6", "5|5"], ["2|6", "4|4"], ["3|6", "3|3"]]


def by_hand(game: str, rules: Any, name: str, what: str) -> dict[str, Any]:
    """A golden game with a small deal, for a person to go on with: `steps` and `end` are empty."""
    is_match = name.startswith("match")
    hands = HANDS[: min(rules.players)]
    ends_soon = {"rounds": 1} if rules.target is None else {"target": 5}
    changes = {"hand_size": 2, **(ends_soon if is_match else {})}
    options = {"set": rules.set, "players": len(hands), "calls": "automatic"}
    options |= {"episode": "match" if is_match else "round", "rules": changes}
    dealt = [tile for hand in hands for tile in hand]
    written = [f"{low}|{high}" for low, high in rules.tile_set.faces]
    return {
        "variant": game,
        "kind": "hand-worked",
        "options": options,
        "source": f"{PLACEHOLDER}: {what}.",
        "deal": {"hands": hands, "boneyard": [tile for tile in written if tile not in dealt]},
        "opening": [],
        "steps": [],
        "end": {},
    }
