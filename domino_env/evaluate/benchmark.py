"""The domino benchmark: a fixed set of games, deals and opponents, and a score that can be cited.

    domino benchmark --agent bots/mine.py:Mine

A version of it never changes: its games with their rules, its deals, its opponents with their
weights are in a file that is part of the package, with hashes of them. Before anything is played
the hashes are compared with what is installed, so that nobody measures something else unawares.

In each game an agent meets every opponent on the same duplicate deals. Its margin there, the mean
over the opponents, makes its score: 0 for the margin of random moves, 100 for that of a strong
reference; both were measured once, and are in the file. The score of all is the mean over the
games. It may be negative, and above 100: the reference is no upper bound.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from domino_env import agents
from domino_env.batches import Batch
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate.entrants import Entrant, as_entrants
from domino_env.evaluate.pairing import Standing, Variance
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.evaluate.tournament import (
    TournamentSettings,
    check_agents,
    pairing_of,
    play_pairings,
)
from domino_env.execution.executor import ExecutorFactory, thread_executor
from domino_env.games import mark_of, rules
from domino_env.ruleset import Rules

FOLDER = Path(__file__).parent / "benchmarks"
LATEST = 1
CHUNK = 250  # deals
_PROBES = 64  # games on which an opponent is asked what it plays

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BenchmarkGame:
    """A game of the benchmark.

    Attributes:
        name: what it is called there.
        game: the id of the game.
        options: how its rules differ from the usual ones.
        num_players: seats.
        opponents: who sits in the others.
        at_random, reference: the margins of random moves and of the reference, 0 and 100 in scores.
        rules_hash, deals_hash: of the rules, and of the tiles in the order in which they are dealt.
        plays_hash: of what each opponent plays, by its name.
    """

    name: str
    game: str
    options: dict[str, Any]
    num_players: int
    opponents: tuple[str, ...]
    at_random: float
    reference: float
    rules_hash: str
    deals_hash: str
    plays_hash: dict[str, str]

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""
        return cast(Rules, rules(self.game, **self.options))

    def score(self, margin: float) -> float:
        """A margin, on the scale from random moves to the reference."""
        return 100.0 * (margin - self.at_random) / (self.reference - self.at_random)

    @property
    def per_point(self) -> float:
        """What a point of margin is worth in scores."""
        return 100.0 / (self.reference - self.at_random)


@dataclass(frozen=True)
class Benchmark:
    """One version of the benchmark.

    Attributes:
        version: its number.
        deals, quick_deals: how many duplicate deals of each game and opponent, and in the short
            form; those of the short form are the first of the others.
        reference: who plays for 100 points.
        games: what is played.
        sha256: the hash of its file, by which it is cited.
    """

    version: int
    deals: int
    quick_deals: int
    reference: str
    games: tuple[BenchmarkGame, ...]
    sha256: str


@cache
def benchmark(version: int = LATEST) -> Benchmark:
    """A version of the benchmark, as it is kept."""
    file = FOLDER / f"v{version}.json"
    if not file.exists():
        raise BadOption(f"there is no version {version!r} of the benchmark; the latest is {LATEST}")
    content = file.read_bytes()
    told = json.loads(content)
    found = [
        BenchmarkGame(**{**each, "opponents": tuple(each["opponents"])})
        for each in told.pop("games")
    ]
    return Benchmark(**told, games=tuple(found), sha256=sha256(content).hexdigest())


# Hashes -------------------------------------------------------------------------------------------


def hash_of_deals(game: Rules, num_players: int, deals: int) -> str:
    """Of the tiles in the order in which they are dealt, deal by deal."""
    batch = Batch(game, deals, num_players, autoreset=False)
    batch.reset(seed=list(range(deals)))
    decks = batch.games["deck"][:, : int(batch.rule_table["tiles"][0])]
    return sha256(np.ascontiguousarray(decks, np.uint8).tobytes()).hexdigest()[:16]


def hash_of_plays(game: Rules, num_players: int, agent: str) -> str:
    """Of what an agent plays against itself on some deals."""
    batch = Batch(game, _PROBES, num_players, autoreset=False)
    batch.reset(seed=list(range(_PROBES)))
    player, found = agents.make_seeded(agent, 0), sha256()
    while (batch.seat >= 0).any():
        lanes = np.flatnonzero(batch.seat >= 0)
        actions = np.asarray(player.act(batch, lanes), np.int64)
        found.update(np.stack([lanes, actions]).astype(np.int32).tobytes())
        batch.step(actions, lanes)
    return found.hexdigest()[:16]


def check_installed(chosen: Benchmark) -> None:
    """Refuses to go on if the games, deals or opponents are not those of the benchmark."""
    for each in chosen.games:
        game = each.rules
        found = {
            "rules": (mark_of(game), each.rules_hash),
            "deals": (hash_of_deals(game, each.num_players, chosen.deals), each.deals_hash),
            **{
                f"moves of {name}": (hash_of_plays(game, each.num_players, name), kept)
                for name, kept in each.plays_hash.items()
            },
        }
        for what, (now, then) in found.items():
            if now != then:
                raise DominoError(
                    f"the {what} in {each.name} are not those of version {chosen.version} of the "
                    f"benchmark ({now} instead of {then}): this package has been changed"
                )


# Playing ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameScore:
    """What an agent has scored in a game.

    Attributes:
        name: of the game in the benchmark.
        score, within: 0 for random moves, 100 for the reference; and half the 95 % interval.
        margin, margin_within: points a round over the opponents, the mean over them.
        standings: against each of them.
        played: False if the agent does not play the game, which then counts 0.
    """

    name: str
    score: float
    within: float
    margin: float
    margin_within: float
    standings: tuple[Standing, ...]
    played: bool = True


@dataclass(frozen=True)
class BenchmarkScore:
    """The score of an agent.

    Attributes:
        benchmark: the version that was played.
        agent: its name.
        quick: the short form?
        variance: see `aivat`.
        games: the score of each game.
    """

    benchmark: Benchmark
    agent: str
    quick: bool
    variance: str
    games: tuple[GameScore, ...]

    @property
    def score(self) -> float:
        """The mean over the games."""
        return sum(each.score for each in self.games) / len(self.games)

    @property
    def within(self) -> float:
        """Half its 95 % interval."""
        return float(sum(each.within**2 for each in self.games) ** 0.5) / len(self.games)


def run_benchmark(
    agent: Any,
    *,
    quick: bool = False,
    version: int = LATEST,
    variance: Variance = "duplicates",
    threads: int = 1,
    executor: ExecutorFactory | None = None,
    watch: Callable[[str], None] = lambda what: None,
    only: tuple[str, ...] = (),
) -> BenchmarkScore:
    """Plays the benchmark.

    Args:
        agent: as tournaments take it.
        quick: the short form, with fewer deals.
        version: of the benchmark.
        variance: "aivat" takes the luck of draws off, see `aivat`.
        threads: on which games are played.
        executor: where else they are played.
        watch: told what is done.
        only: names of games, to look at some of them alone; that is no score to be cited.
    """
    chosen = benchmark(version)
    entrant = agent if isinstance(agent, Entrant) else Entrant.from_plain(agent)
    if only:
        chosen = _some_of(chosen, only)
    watch("comparing rules, deals and opponents with what they were")
    check_installed(chosen)
    deals = chosen.quick_deals if quick else chosen.deals
    scores = []
    for number, game in enumerate(chosen.games, 1):
        watch(f"{number}/{len(chosen.games)} {game.name}")
        if not sits_down(entrant, game.rules, game.num_players):
            scores.append(GameScore(game.name, 0.0, 0.0, game.at_random, 0.0, (), played=False))
            continue
        run = executor or thread_executor(threads)
        margins, standings = play_game(game, entrant, deals, variance, run)
        scores.append(_scored(game, margins, standings))
    return BenchmarkScore(chosen, entrant.name, quick, variance, tuple(scores))


def sits_down(entrant: Entrant, game: Rules, num_players: int) -> bool:
    """Does an agent play a game with so many players? Some have policies for certain seats only."""
    player = entrant.make(0)
    if not agents.plays(player, game):
        return False
    if not entrant.built_in:
        return True  # if it does not, it forfeits
    batch = Batch(game, 1, num_players, 0, autoreset=False)
    batch.reset()
    try:
        player.act(batch, np.zeros(1, np.int64))
    except BadOption:
        return False
    return True


def _some_of(chosen: Benchmark, only: tuple[str, ...]) -> Benchmark:
    known = [each.name for each in chosen.games]
    for name in only:
        if name not in known:
            raise BadOption(f"{name!r} is no game of the benchmark: {', '.join(known)}")
    return replace(chosen, games=tuple(each for each in chosen.games if each.name in only))


def _scored(game: BenchmarkGame, margins: Floats, standings: tuple[Standing, ...]) -> GameScore:
    margin, within = float(margins.mean()), ci95_half_width(margins)
    return GameScore(
        game.name, game.score(margin), within * abs(game.per_point), margin, within, standings
    )


def play_game(
    game: BenchmarkGame, entrant: Entrant, deals: int, variance: Variance, run: ExecutorFactory
) -> tuple[Floats, tuple[Standing, ...]]:
    """The margin on each deal, the mean over the opponents; and the standings against them."""
    settings = TournamentSettings(
        games=(game.game,),
        rules=game.options,
        num_players=game.num_players,
        agents=as_entrants([_renamed(entrant, game.opponents), *game.opponents]),
        deals=deals,
        chunk_size=min(CHUNK, deals),
        records=0,
        variance=variance,
    )
    packed = replace(settings, agents=tuple(each.packed for each in settings.agents))
    check_agents(packed)
    (rules_played,) = packed.all_rules
    first, *others = packed.agents
    against = [pairing_of(packed, rules_played, first, each) for each in others]
    play_pairings(settings, against, run)
    margins = np.mean([pairing.by_deal for pairing in against], axis=0)
    return margins, tuple(pairing.standing for pairing in against)


def _renamed(entrant: Entrant, others: tuple[str, ...]) -> Entrant:
    """An opponent that is measured itself has another name than in its seat of the others."""
    return (
        replace(entrant, name=f"{entrant.name} (measured)") if entrant.name in others else entrant
    )
