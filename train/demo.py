"""`domino demo`: one agent against another in every game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from domino_env import agents
from domino_env.errors import BadOption
from domino_env.games import rules, variants
from domino_env.train.meeting import Standing
from domino_env.train.settings import check, setting
from domino_env.train.tournament import stand


@dataclass(frozen=True)
class DemoSettings:
    """Who plays whom, at what, and how often."""

    agent: str = setting("greedy_pip", "who is tested", choices=agents.names)
    opponent: str = setting("random", "who is in the other seats", choices=agents.names)
    deals: int = setting(5000, "of each game, so many that there is an interval", low=2)
    seed: int = setting(0, "of the deals and of the agents", low=0, high=10**15)
    games: tuple[str, ...] | Literal["all"] = setting(
        "all", "the ids of the games, or all that have opponents", choices=variants
    )

    def __post_init__(self) -> None:
        check(self)
        for game in self.all_games:
            if rules(game).alone:
                raise BadOption(f"{game} is for one player: nobody plays against anybody there")

    @property
    def all_games(self) -> list[str]:
        """The ids of the games that are played."""
        if self.games == "all":
            return [name for name in variants() if not rules(name).alone]
        return list(self.games)


def play(settings: DemoSettings) -> Iterator[Standing]:
    """A standing for each game."""
    for game in settings.all_games:
        yield stand(game, settings.agent, settings.opponent, settings.deals, settings.seed)
