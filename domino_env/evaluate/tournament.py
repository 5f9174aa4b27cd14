"""`domino tournament`: everyone against everyone, on duplicate deals.

    from domino_env.evaluate.tournament import TournamentSettings, play

    settings = TournamentSettings(games=("five_up",), agents=("random", "greedy_pip"), deals=100)
    play(settings).ratings()

`meeting` says what a duplicate deal is and what is measured, `rating` how entrants are rated;
`sheet` cuts a tournament into tasks and counts what comes of them, `crew` has them done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.config.loader import changed, check, setting
from domino_env.config.yaml_source import BadSetting, about
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant, as_entrants
from domino_env.evaluate.forfeits import LIMIT
from domino_env.evaluate.journal import Journal
from domino_env.evaluate.pairing import Meeting, Standing
from domino_env.evaluate.ratings import Rating, ratings
from domino_env.evaluate.scoresheet import Sheet, play_chunk
from domino_env.evaluate.watchdog import Guard
from domino_env.execution.executor import Crew, carry_out, threads
from domino_env.games import Game, rules, rules_of, variants
from domino_env.record import Record

USUAL = ("random", "greedy_pip", "heuristic")


@dataclass(frozen=True)
class TournamentSettings:
    """Who plays, at what, how long, and what is kept."""

    games: tuple[str, ...] | Literal["all"] = setting(
        ("block_draw",), "ids of games, or all that have opponents", choices=variants
    )
    rules: dict[str, Any] = setting({}, "house rules for all games, like {hand_size: 7}")
    num_players: int | None = setting(None, "seats; null: the game's usual number", low=2, high=5)
    agents: tuple[Entrant, ...] = setting(
        USUAL, "who takes part: names, file.py:Class, {agent: pimc, seconds: 0.01, name: mine}"
    )
    deals: int = setting(2000, "duplicate deals for each two agents, at most", low=2)
    width: float | None = setting(
        None, "points: stop when half an interval is under this; null: never", low=0
    )
    chunk: int = setting(500, "deals played side by side, between two looks", low=1, high=100_000)
    seed: int = setting(0, "the first deal has this one, the next the next", low=0, high=10**15)
    threads: int = setting(1, "chunks that are played at once", low=1, high=256)
    records: int = setting(2, "deals of each meeting whose games are written down", low=0)
    limit: float | None = setting(
        LIMIT, "seconds that a call of an agent of your own may take; null: any", low=0.001
    )
    forfeit: float | None = setting(
        None, "points that a game costs which such an agent gives up; null: by the rules", low=0
    )
    out: str | None = setting(None, "the folder for results; null: runs/, by the config's name")

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", as_entrants(self.agents))
        check(self)
        with about("agents"):
            self._check_agents()
        for game in self.all_rules:
            self._check_game(game)

    def _check_agents(self) -> None:
        names = [entrant.name for entrant in self.agents]
        if len(names) < 2:
            raise BadOption("a tournament needs two agents or more")
        for name in names:
            if names.count(name) > 1:
                raise BadOption(f"two agents are called {name!r}: give one another name")

    def _check_game(self, game: Any) -> None:
        with about("games"):
            must_have_opponents(game)
        with about("num_players"):
            must_seat(game, self.num_players)
        with about("agents"):
            for entrant in self.agents:
                entrant.must_play(game)

    @cached_property
    def all_rules(self) -> list[Any]:
        """The rules of the games that are played, house rules included."""
        if not self.games:
            raise BadSetting("games", "games must name one or more")
        names = self.games
        if names == "all":
            names = tuple(name for name in variants() if rules(name).has_opponents)
        return [house_rules(name, self.rules) for name in names]


def house_rules(game: str, changes: dict[str, Any]) -> Any:
    """A game's rules with changes as they are written: parts as mappings, lists for tuples."""
    if "id" in changes:
        raise BadSetting("rules.id", "rules.id cannot be changed: it is the game's name")
    try:
        return changed(rules(game), changes, "rules")
    except BadSetting as error:
        raise BadSetting(error.name, f"{error} (rules of {game})") from error


def must_have_opponents(game: Any) -> None:
    """Refuses games for one player."""
    if not game.has_opponents:
        raise BadOption(f"{game.id} is for one player: nobody plays against anybody there")


def must_seat(game: Any, num_players: int | None) -> None:
    """Refuses numbers of players that a game is not for."""
    if num_players not in (None, *game.players):
        numbers = ", ".join(map(str, game.players))
        raise BadOption(f"{game.id} is for {numbers} players, not {num_players}")


class GivenUp(NamedTuple):
    """How many games of one kind an agent gave up."""

    agent: str
    game: str
    forfeited: int
    games: int
    """That it played, with those."""
    why: str
    """What was wrong the first time."""

    def __str__(self) -> str:
        return (
            f"{self.agent} forfeited {self.forfeited:,} of {self.games:,} games of {self.game}; "
            f"the first time it {self.why}"
        )


@dataclass(frozen=True)
class Results:
    """What a tournament has found."""

    settings: TournamentSettings
    standings: list[Standing]
    """One for each game and two entrants."""
    records: list[Record] = field(repr=False)
    stopped: bool = False
    """By hand, before it was over: meetings may be short, or missing."""

    @property
    def names(self) -> list[str]:
        """Of the entrants."""
        return [entrant.name for entrant in self.settings.agents]

    @property
    def games(self) -> list[str]:
        """The ids of the games."""
        return list(dict.fromkeys(standing.game for standing in self.standings))

    def of(self, game: str) -> list[Standing]:
        """The standings of one game."""
        return [standing for standing in self.standings if standing.game == game]

    def ratings(self, game: str | None = None) -> list[Rating]:
        """The strongest first, in one game or over all of them."""
        standings = self.standings if game is None else self.of(game)
        return ratings(self.names, standings, self.anchor)

    @property
    def forfeits(self) -> list[GivenUp]:
        """Who gave up games of what, if anybody did."""
        found: dict[tuple[str, str], GivenUp] = {}
        for each in self.standings:
            for place, name in enumerate((each.first, each.second)):
                before = found.get((each.game, name), GivenUp(name, each.game, 0, 0, ""))
                found[each.game, name] = before._replace(
                    forfeited=before.forfeited + each.forfeits[place],
                    games=before.games + each.games,
                    why=before.why or each.faults[place],
                )
        return [each for each in found.values() if each.forfeited]

    @property
    def anchor(self) -> str:
        """Whose rating is 0: who plays at random, or else the first."""
        entrants = self.settings.agents
        return next((each.name for each in entrants if each.agent == "random"), entrants[0].name)

    def between(self, game: str, first: str, second: str) -> Standing:
        """How one stands against another."""
        standing = self.met(game, first, second)
        if standing is None:
            raise BadOption(f"{first} and {second} did not meet at {game}")
        return standing

    def met(self, game: str, first: str, second: str) -> Standing | None:
        """The same, or None if they have not met: where a tournament was stopped."""
        for standing in self.of(game):
            if (standing.first, standing.second) == (first, second):
                return standing
            if (standing.first, standing.second) == (second, first):
                return standing.turned
        return None


def meetings(settings: TournamentSettings) -> list[Meeting]:
    """Everyone against everyone, in each game."""
    return [
        Meeting(
            game,
            settings.num_players,
            first,
            second,
            settings.seed,
            settings.limit,
            settings.forfeit,
        )
        for game in settings.all_rules
        for first, second in combinations(settings.agents, 2)
    ]


class StoppedEarly(KeyboardInterrupt):
    """Somebody has stopped a tournament by hand: `results` is what was played so far."""

    def __init__(self, results: Results) -> None:
        super().__init__("stopped early")
        self.results = results


def play(
    settings: TournamentSettings,
    watch: Callable[[Standing], None] = lambda standing: None,
    crew: Crew | None = None,
    journal: Journal | None = None,
) -> Results:
    """Plays it all; `watch` is shown how a meeting stands after each chunk. The crew are threads of
    this process, or whoever is given: what comes out does not depend on who plays. A journal keeps
    what was played, and what it has already is not played again."""
    packed = replace(settings, agents=tuple(entrant.packed for entrant in settings.agents))
    try_agents(packed)
    gather = threads(settings.threads) if crew is None else crew
    sheet = Sheet(settings, meetings(packed), watch)
    try:
        if journal:
            sheet.go_on(journal.known, journal.note)
        with gather(partial(play_chunk, meetings(packed))) as hands:
            carry_out(sheet, hands)
    except KeyboardInterrupt as stop:
        if not sheet.standings:
            raise
        raise StoppedEarly(_results(settings, sheet, stopped=True)) from stop
    return _results(settings, sheet, stopped=False)


def _results(settings: TournamentSettings, sheet: Sheet, stopped: bool) -> Results:
    return Results(settings, sheet.standings, sheet.records, stopped)


def try_agents(settings: TournamentSettings) -> None:
    """Lets every agent choose once in every game, before it is waited for. One of somebody's own
    that fails there may play all the same: that is told, and the games that it gives up counted."""
    for game in settings.all_rules:
        batch = Batch(game, 1, settings.num_players, seed=settings.seed, autoreset=False)
        batch.reset()
        for entrant in settings.agents:
            if not entrant.ours:
                _warn_of_a_fault(entrant, game, batch.clone(), settings.limit)
                continue
            try:
                batch.clone().step(entrant.make(0).act(batch, np.arange(1)))
            except Exception as error:
                raise BadOption(f"{entrant.name} cannot play {game.id}: {error}") from error


def _warn_of_a_fault(entrant: Entrant, game: Any, batch: Batch, limit: float | None) -> None:
    guard = Guard(partial(entrant.make, 0), limit)
    faults = guard.ask(batch, np.arange(1)).faults
    guard.close()
    for why in faults.values():
        told = f"{entrant.name} forfeits its first game of {game.id}, maybe all: {why}"
        print(f"domino: {told}", file=sys.stderr)


# Two agents alone --------------------------------------------------------------------------------


def meet(game: Game, first: str, second: str, deals: int, seed: int) -> Meeting:
    """A meeting of two agents, played."""
    meeting = Meeting(rules_of(game), None, Entrant(first), Entrant(second, "opponent"), seed)
    meeting.play(deals)
    return meeting


def margins_by_deal(
    game: Game, agent: str, opponent: str, deals: int, seed: int
) -> npt.NDArray[np.float64]:
    """An agent's margin on each deal, the mean over its games."""
    return meet(game, agent, opponent, deals, seed).by_deal


def stand(game: Game, agent: str, opponent: str, deals: int, seed: int) -> Standing:
    """How an agent stands against another."""
    return meet(game, agent, opponent, deals, seed).standing
