"""Tournaments as configuration files: YAML, checked when it is loaded."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import yaml

from domino_env import agents
from domino_env.errors import BadOption, did_you_mean, is_whole
from domino_env.games import rules, variants


@dataclass(frozen=True)
class TournamentSettings:
    """Who plays whom, at what, and how often."""

    agent: str = "greedy_pip"
    opponent: str = "random"
    deals: int = 5000
    seed: int = 0
    games: tuple[str, ...] = ()
    """The ids of the games; none: all that have opponents."""

    def __post_init__(self) -> None:
        for name in (self.agent, self.opponent):
            if name not in agents.names():
                raise BadOption(f"unknown agent {name!r}{did_you_mean(name, agents.names())}")
        if not is_whole(self.deals) or self.deals < 2:
            raise BadOption(
                f"deals must be a whole number of 2 or more, so that there is an interval; "
                f"not {self.deals!r}"
            )
        if not is_whole(self.seed) or self.seed < 0:
            raise BadOption(f"seed must be a whole number of 0 or more, not {self.seed!r}")
        for game in self.games:
            if rules(game).alone:
                raise BadOption(f"{game} is for one player: nobody plays against anybody there")

    @property
    def all_games(self) -> list[str]:
        """The ids of the games that are played."""
        return list(self.games) or [name for name in variants() if not rules(name).alone]


def load(file: str | None, **changes: Any) -> TournamentSettings:
    """The settings of a file, or the usual ones, with what the command line changes."""
    settings = TournamentSettings(**_read(Path(file))) if file else TournamentSettings()
    return replace(settings, **{name: v for name, v in changes.items() if v is not None})


def _read(file: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadOption(f"{file} cannot be read: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise BadOption(f"{file} is not YAML: {error}") from error
    if not isinstance(found, dict):
        raise BadOption(f"{file} must hold settings like 'deals: 5000', not {found!r}")
    known = [field.name for field in fields(TournamentSettings)]
    for name in found:
        if name not in known:
            raise BadOption(f"{file}: unknown setting {name!r}{did_you_mean(name, known)}")
    games = found.get("games", "all")
    if games == "all":
        games = ()
    elif not isinstance(games, list):
        raise BadOption(f"{file}: games must be 'all' or a list of ids, not {games!r}")
    return {**found, "games": tuple(games)}
