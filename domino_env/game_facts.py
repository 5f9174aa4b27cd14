"""What a table of games says of each: its players, sets, deal and length, read from its rules."""

from __future__ import annotations

from typing import Any

from domino_env.ruleset import LISTED, MINI_SETS, SETS

FEW = 3  # sizes of hands that are all told


def game_row(rules: Any) -> list[str]:
    """Id, rulebook, players, sets, tiles dealt, length of a match, and the game in a line."""
    return [
        rules.id,
        rules.source,
        _range(rules.players),
        _sets(rules),
        _dealt(rules),
        match_length(rules),
        rules.summary,
    ]


def match_length(rules: Any) -> str:
    """How long a match is: "to 100", "10 rounds"."""
    if not rules.has_matches:
        return f"{rules.moves} moves" if rules.moves else "one game"
    parts = []
    if rules.target is not None:
        parts.append(f"{'exactly' if rules.exact else 'to'} {rules.target}")
    if rules.most_rounds is not None:
        parts.append(f"{rules.most_rounds} round{'s' if rules.most_rounds > 1 else ''}")
    return " or ".join(parts)


def _sets(rules: Any) -> str:
    listed = f"{rules.num_tiles} listed"
    known = [name for name in (*SETS, *MINI_SETS, LISTED) if name in rules.sets]
    names = [listed if name == LISTED else name.removeprefix("double_") for name in known]
    return "/".join(names) + (", curved" if rules.is_curved else "")


def _range(players: tuple[int, ...]) -> str:
    return f"{min(players)}–{max(players)}" if len(players) > 1 else str(players[0])


def _dealt(rules: Any) -> str:
    if rules.hand_size == "all":
        return "all"
    sizes = [rules.hand_size_for(players) for players in sorted(rules.players)]
    if len({*sizes}) > FEW:
        return f"{max(sizes)}–{min(sizes)}"
    return "/".join(map(str, dict.fromkeys(sizes)))
