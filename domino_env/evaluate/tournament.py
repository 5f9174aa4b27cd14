"""A round robin on duplicate deals: `domino tournament`.

    from domino_env.evaluate import TournamentSettings, play_tournament

    settings = TournamentSettings(games=("five_up",), agents=("random", "greedy_pip"), deals=100)
    play_tournament(settings).ratings()

`pairing` says what a duplicate deal is and what is measured, `ratings` how entrants are rated;
`scoresheet` cuts a tournament into tasks and counts their outcomes, an executor runs them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.config.game_settings import house_rules, must_have_opponents, must_seat
from domino_env.config.loader import check, setting
from domino_env.config.yaml_source import BadSetting, about
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant, as_entrants
from domino_env.evaluate.forfeits import TIME_LIMIT
from domino_env.evaluate.journal import Journal
from domino_env.evaluate.mixed_tables import (
    FEWEST_SEATS,
    MixedTables,
    TableStanding,
    parts,
    play_mixed_tables,
)
from domino_env.evaluate.pairing import ChunkResult, Pairing, Standing, Variance
from domino_env.evaluate.results import Results
from domino_env.evaluate.scoresheet import Scoresheet, play_chunk
from domino_env.evaluate.table_ratings import must_have_openskill
from domino_env.evaluate.watchdog import Watchdog
from domino_env.execution.executor import ExecutorFactory, run_tasks, thread_executor
from domino_env.games import DEFAULT_GAME, Game, rules, rules_of, variants
from domino_env.ruleset import MAX_SEATS

USUAL = ("random", "greedy_pip", "heuristic")


@dataclass(frozen=True)
class TournamentSettings:
    """Who plays which games, for how many deals, and what is kept."""

    renamed: ClassVar = {
        "width": "target_half_width",
        "chunk": "chunk_size",
        "limit": "time_limit",
        "forfeit": "forfeit_cost",
    }

    games: tuple[str, ...] | Literal["all"] = setting(
        (DEFAULT_GAME,), "ids of games, or all that have opponents", choices=variants
    )
    rules: dict[str, Any] = setting({}, "house rules for all games, like {hand_size: 7}")
    num_players: int | None = setting(
        None, "seats; null: the game's usual number", low=2, high=MAX_SEATS
    )
    agents: tuple[Entrant, ...] = setting(
        USUAL, "who takes part: names, file.py:Class, {agent: pimc, seconds: 0.01, name: mine}"
    )
    deals: int = setting(2000, "duplicate deals for each pairing of two agents, at most", low=2)
    target_half_width: float | None = setting(
        None,
        "points: a pairing stops early when half its 95 % interval is under this; null: never",
        low=0,
    )
    chunk_size: int = setting(
        500, "deals played as one batch, between two looks at the interval", low=1, high=100_000
    )
    seed: int = setting(0, "of the first deal; each next deal has the next", low=0, high=10**15)
    threads: int = setting(1, "chunks that are played at once", low=1, high=256)
    records: int = setting(2, "deals of each pairing whose games are recorded", low=0)
    time_limit: float | None = setting(
        TIME_LIMIT, "seconds for a call of an agent from outside; null: no limit", low=0.001
    )
    forfeit_cost: float | None = setting(
        None, "points that a forfeited game costs; null: the most that a round can bring", low=0
    )
    mixed_deals: int = setting(
        0,
        "deals at mixed tables, in games that are played by three and more: different agents at "
        "one table, rated by openskill",
        low=0,
    )
    variance: Variance = setting(
        "duplicates",
        "aivat: the luck of draws is taken off margins too, for narrower intervals; some "
        "milliseconds a game",
    )
    out: str | None = setting(None, "the folder for results; null: runs/, by the config's name")

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", as_entrants(self.agents))
        check(self)
        with about("agents"):
            self._check_agents()
        for game in self.all_rules:
            self._check_game(game)
        if self.mixed_deals:
            self._check_mixed_tables()

    def _check_mixed_tables(self) -> None:
        must_have_openskill()
        with about("mixed_deals"):
            if not self.games_at_mixed_tables:
                raise BadOption(
                    "mixed tables have three seats or more, and no game here is played by so many: "
                    "give num_players, or other games"
                )

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
        """The rules of the games, house rules included."""
        if not self.games:
            raise BadSetting("games", "games must name one or more")
        names = self.games
        if names == "all":
            names = tuple(name for name in variants() if rules(name).has_opponents)
        return [house_rules(name, self.rules) for name in names]

    @property
    def games_at_mixed_tables(self) -> list[Any]:
        """The rules of those games that are played by three and more."""
        return [
            game for game in self.all_rules if (self.num_players or game.players[0]) >= FEWEST_SEATS
        ]


def pairings(settings: TournamentSettings) -> list[Pairing]:
    """Every pairing of a round robin, in each game."""
    return [
        pairing_of(settings, game, first, second)
        for game in settings.all_rules
        for first, second in combinations(settings.agents, 2)
    ]


def pairing_of(settings: TournamentSettings, game: Any, first: Entrant, second: Entrant) -> Pairing:
    """The pairing of two entrants in a game."""
    return Pairing(
        game,
        settings.num_players,
        first,
        second,
        settings.seed,
        settings.time_limit,
        settings.forfeit_cost,
        settings.variance,
    )


def mixed_tables(settings: TournamentSettings) -> list[MixedTables]:
    """The mixed tables of each game that has any."""
    if not settings.mixed_deals:
        return []
    return [
        MixedTables(
            game,
            settings.num_players,
            settings.agents,
            settings.seed,
            settings.time_limit,
            settings.forfeit_cost,
        )
        for game in settings.games_at_mixed_tables
    ]


class StoppedEarly(KeyboardInterrupt):
    """A tournament was interrupted by hand: `results` is what was played so far."""

    def __init__(self, results: Results) -> None:
        super().__init__("stopped early")
        self.results = results


def play_tournament(
    settings: TournamentSettings,
    on_progress: Callable[[Standing], None] = lambda standing: None,
    executor: ExecutorFactory | None = None,
    journal: Journal | None = None,
    on_tables: Callable[[TableStanding], None] = lambda standing: None,
) -> Results:
    """Plays every pairing, and then the mixed tables, with the same results whatever executes it.

    Args:
        settings: of the tournament.
        on_progress: is called with the standing of a pairing after each chunk of its deals.
        executor: where chunks are played; by default on `settings.threads` threads.
        journal: keeps each chunk, and has those of an earlier run, which are not played again.
        on_tables: is called with how far the mixed tables of a game are, after each chunk.
    """
    packed = replace(settings, agents=tuple(entrant.packed for entrant in settings.agents))
    check_agents(packed)
    make_executor = thread_executor(settings.threads) if executor is None else executor
    scoresheet = Scoresheet(settings, pairings(packed), on_progress)
    tables = mixed_tables(packed)
    try:
        if journal:
            scoresheet.resume(journal.known, journal.append)
        with make_executor(partial(play_chunk, pairings(packed))) as running:
            run_tasks(scoresheet, running)
        _play_mixed_tables(settings, tables, make_executor, journal, on_tables)
    except KeyboardInterrupt as stop:
        if not scoresheet.standings:
            raise
        raise StoppedEarly(_results(settings, scoresheet, tables, stopped=True)) from stop
    return _results(settings, scoresheet, tables, stopped=False)


def _results(
    settings: TournamentSettings, scoresheet: Scoresheet, tables: list[MixedTables], stopped: bool
) -> Results:
    begun = [each for each in tables if each.deals]
    return Results(settings, scoresheet.standings, scoresheet.records, stopped, begun)


def _play_mixed_tables(
    settings: TournamentSettings,
    tables: list[MixedTables],
    executor: ExecutorFactory,
    journal: Journal | None,
    on_tables: Callable[[TableStanding], None],
) -> None:
    """Plays all deals at mixed tables. In the journal they come after the pairings."""
    first = len(pairings(settings))
    known = journal.known.items() if journal else ()

    def keep(number: int, chunk: int, result: ChunkResult) -> None:
        if journal:
            journal.append(first + number, chunk, result)

    play_mixed_tables(
        tables,
        parts(len(tables), settings.mixed_deals, settings.chunk_size),
        executor,
        {(number - first, chunk): result for (number, chunk), result in known},
        keep,
        on_tables,
    )


def check_agents(settings: TournamentSettings) -> None:
    """Asks every agent for one action in every game, before the tournament begins."""
    for game in settings.all_rules:
        check_entrants(
            game, settings.num_players, settings.agents, settings.seed, settings.time_limit
        )


def check_entrants(
    game: Any,
    num_players: int | None,
    entrants: Iterable[Entrant],
    seed: int,
    time_limit: float | None,
) -> None:
    """Asks every agent for one action in a game. One from outside this package that fails plays all
    the same: a warning says so, and its forfeits count."""
    batch = Batch(game, 1, num_players, seed=seed, autoreset=False)
    batch.reset()
    for entrant in entrants:
        if not entrant.built_in:
            _warn_of_a_fault(entrant, game, batch.clone(), time_limit)
            continue
        try:
            batch.clone().step(entrant.make(0).act(batch, np.arange(1)))
        except Exception as error:
            raise BadOption(f"{entrant.name} cannot play {game.id}: {error}") from error


def _warn_of_a_fault(entrant: Entrant, game: Any, batch: Batch, time_limit: float | None) -> None:
    watchdog = Watchdog(partial(entrant.make, 0), entrant.limit_of_calls(time_limit))
    faults = watchdog.ask(batch, np.arange(1)).faults
    watchdog.close()
    for why in faults.values():
        told = f"{entrant.name} forfeits its first game of {game.id}, maybe all: {why}"
        print(f"domino: {told}", file=sys.stderr)


# Head to head ------------------------------------------------------------------------------------


def play_pairing(game: Game, first: str, second: str, deals: int, seed: int) -> Pairing:
    """Plays one pairing of two agents."""
    pairing = Pairing(rules_of(game), None, Entrant(first), Entrant(second, "opponent"), seed)
    pairing.play(deals)
    return pairing


def margins_by_deal(
    game: Game, agent: str, opponent: str, deals: int, seed: int
) -> npt.NDArray[np.float64]:
    """An agent's margin on each duplicate deal, the mean over its games."""
    return play_pairing(game, agent, opponent, deals, seed).by_deal


def head_to_head(game: Game, agent: str, opponent: str, deals: int, seed: int) -> Standing:
    """The standing of an agent against another."""
    return play_pairing(game, agent, opponent, deals, seed).standing
