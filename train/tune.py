"""`domino tune`: finds the weights of `heuristic` for a game, by duels on the same deals.

The cross-entropy method: some dozens of rows of weights are drawn around the best guess, all play
the same deals from each seat, in turns against the guess itself and against `greedy_pip`; the mean
of the best is the next guess, with their spread. All candidates play side by side in one batch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from domino_env.agents.features.heuristic_features import FEATURES, Weights
from domino_env.agents.greedy_pip import GreedyPip
from domino_env.agents.heuristic import USUAL, Heuristic, weights_of
from domino_env.batches import Batch
from domino_env.config.game_settings import must_have_opponents
from domino_env.engine.seats import mate_of
from domino_env.errors import BadOption
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.files import write_whole
from domino_env.games import Game, rules_of

SPREAD = 1.0  # of the first candidates, or a third of the weight if that is more
LEAST_SPREAD = 0.03
KEPT = 0.2  # of the candidates


@dataclass(frozen=True)
class Generation:
    """What a generation has found."""

    number: int
    margin: float
    """Points a round that the best candidates were ahead of the guess before."""
    weights: Weights


@dataclass(frozen=True)
class Margins:
    """Points a round over an opponent, and half the 95 % interval."""

    mean: float
    within: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.within:.2f}"


def tune(
    game: Game,
    *,
    generations: int = 30,
    candidates: int = 40,
    deals: int = 2000,
    seed: int = 0,
) -> Iterator[Generation]:
    """Searches for good weights, generation by generation; those of the last are the result."""
    for name, value in (("generations", generations), ("candidates", candidates), ("deals", deals)):
        if value < 2:
            raise BadOption(f"{name} must be 2 or more, not {value}")
    rules = rules_of(game)
    must_have_opponents(rules)
    chance = np.random.default_rng(seed)
    guess = weights_of(USUAL)
    spread = np.maximum(SPREAD, np.abs(guess) / 3)
    for number in range(generations):
        rows = guess + spread * chance.standard_normal((candidates, len(FEATURES)))
        rows[0] = guess
        rival = None if number % 2 else guess
        margins = duel(rules, rows, rival, deals, int(chance.integers(2**40))).mean(1)
        best = np.argsort(-margins)[: max(2, round(KEPT * candidates))]
        guess = rows[best].mean(0)
        calmer = LEAST_SPREAD * (1 - number / generations)
        spread = 0.5 * spread + 0.5 * rows[best].std(0) + calmer
        yield Generation(number + 1, float(margins[best].mean() - margins[0]), guess)


def duel(
    game: Game, rows: Weights, rival: Weights | None, deals: int, seed: int
) -> npt.NDArray[np.float64]:
    """For each row of weights its margin on each of the same deals, the mean over the seats it
    takes; the others play by the rival's weights, or are `greedy_pip`."""
    rules = rules_of(game)
    seats = rules.players[0]
    greedy, heuristic = GreedyPip(), Heuristic()
    both = rows if rival is None else np.vstack([rows, rival])
    owner = np.repeat(np.arange(len(rows)), deals)
    seeds = seed + np.tile(np.arange(deals), len(rows))
    total = np.zeros(len(owner))
    for seat in range(seats):
        batch = Batch(rules, len(owner), seats, autoreset=False)
        batch.reset(seed=seeds)
        while (batch.seat >= 0).any():
            live = np.flatnonzero(batch.seat >= 0)
            mine = batch.seat[live] == seat
            if rules.teams:
                mine |= batch.seat[live] == mate_of(seat)
            actions = np.empty(len(live), np.int64)
            if rival is None:
                actions[~mine] = greedy.act(batch, live[~mine])
                asked = live[mine]
                actions[mine] = heuristic.act_with(batch, asked, both, owner[asked])
            else:
                which = np.where(mine, owner[live], len(rows))
                actions = heuristic.act_with(batch, live, both, which)
            batch.step(actions, live)
            total += batch.reward[:, seat]
    return (total / seats).reshape(len(rows), deals)


def against_greedy(game: Game, weights: Weights, deals: int, seed: int) -> Margins:
    """The margin of some weights over `greedy_pip`."""
    margins = duel(game, weights[None], None, deals, seed)[0]
    return Margins(float(margins.mean()), ci95_half_width(margins))


def keep(file: Path, game: str, weights: Weights) -> None:
    """Writes the weights of a game into a file, beside those of others; whole or not at all."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        rows[game] = {
            name: round(float(weight), 3) for name, weight in zip(FEATURES, weights, strict=True)
        }
    except (json.JSONDecodeError, TypeError) as error:
        raise BadOption(f"{file} holds no weights: {error}") from error
    except OSError as error:
        raise BadOption(f"{file} cannot be read: {error.strerror}") from error
    lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items())]
    write_whole(file, "{\n" + ",\n".join(lines) + "\n}\n")
