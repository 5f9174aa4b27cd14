"""A game as settings name it: its id, house rules, a number of players, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domino_env.config.loader import with_changes
from domino_env.config.yaml_source import BadSetting, about
from domino_env.errors import BadOption, BadRules
from domino_env.games import options_of, rules, with_options
from domino_env.ruleset import former


def house_rules(game: str, changes: dict[str, Any]) -> Any:
    """A game's rules with changes as a file has them: parts as mappings, lists for tuples."""
    if "id" in changes:
        raise BadSetting("rules.id", "rules.id cannot be changed: it is the game's name")
    try:
        return changed_rules(game, changes)
    except BadSetting as error:
        raise BadSetting(error.name, f"{error} (rules of {game})") from error


def changed_rules(game: str, changes: Mapping[str, Any]) -> Any:
    """A game's rules with changes and options, as people write them in settings."""
    options = {word: value for word, value in changes.items() if word in options_of(game)}
    others = {word: value for word, value in changes.items() if word not in options}
    usual = rules(game)
    try:
        former.refuse(others)
        return with_options(with_changes(usual, others, "rules"), options)
    except BadRules as error:
        raise BadSetting("rules", f"rules: {error}") from error


def must_be_for(game: Any, num_players: int | None) -> None:
    """Refuses what cannot be trained for: games for one player, and numbers of players that a game
    is not for."""
    with about("game"):
        must_have_opponents(game)
    with about("num_players"):
        must_seat(game, num_players)


def must_have_opponents(game: Any) -> None:
    """Refuses games for one player."""
    if not game.has_opponents:
        raise BadOption(f"{game.id} is for one player: there are no opponents in it")


def must_seat(game: Any, num_players: int | None) -> None:
    """Refuses numbers of players that a game is not for."""
    if num_players not in (None, *game.players):
        numbers = ", ".join(map(str, game.players))
        raise BadOption(f"{game.id} is for {numbers} players, not {num_players}")
