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
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np

from domino_env import agents
from domino_env.batches import Batch
from domino_env.errors import BadOption, DominoError
from domino_env.games import mark_of, rules
from domino_env.ruleset import Rules

FOLDER = Path(__file__).parent / "benchmarks"
LATEST = 1
_PROBES = 64  # games on which an opponent is asked what it plays


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
            form at most; those of the short form are the first of the others.
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


def some_of(chosen: Benchmark, only: tuple[str, ...]) -> Benchmark:
    """A version with some of its games alone; that gives no score to be cited."""
    known = [each.name for each in chosen.games]
    for name in only:
        if name not in known:
            raise BadOption(f"{name!r} is no game of the benchmark: {', '.join(known)}")
    return replace(chosen, games=tuple(each for each in chosen.games if each.name in only))
