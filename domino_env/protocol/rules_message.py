"""The rules of a game as data: the message by which an engine is told what is played."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from domino_env.engine.game_setup import Setup
from domino_env.games import changes_of, rules
from domino_env.protocol.states import in_json
from domino_env.text.rulebook import written

NOT_PLAYED = ("id", "title", "summary", "source", "tiles")


@lru_cache(64)
def rules_message(setup: Setup) -> dict[str, Any]:
    """What the message says, but for its type and its number."""
    played, players = setup.rules, setup.players
    settings = asdict(played)
    return {
        "variant": played.id,
        "title": played.title,
        "house_rules": bool(changes_of(played)),
        "players": players,
        "teams": played.teams,
        "match": setup.episode == "match",
        "calls": setup.calls,
        "tiles": [f"{first}|{second}" for first, second in played.tile_set.faces],
        "hand": played.hand_size_for(players),
        "words": written(played, (players,), setup.calls),
        "parameters": {name: settings[name] for name in settings if name not in NOT_PLAYED},
    }


def rules_line(setup: Setup, number: int) -> bytes:
    """The message as it is sent."""
    said = in_json({"type": "rules", "rules": number, **rules_message(setup)})
    return f"{said}\n".encode()


def read_rules(said: dict[str, Any]) -> Any:
    """The rules that a message tells."""
    settings = dict(said["parameters"])
    if settings["set"] == "listed":
        settings["tiles"] = said["tiles"]
    return rules(said["variant"], **settings)
