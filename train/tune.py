"""`domino tune`: finds the weights of `heuristic` for a game, by duels on the same deals.

The cross-entropy method: some dozens of rows of weights are drawn around the best guess, all play
the same deals from each seat against the guess itself and against `greedy_pip`, and the best of
them are the next guess, with their spread. All candidates play side by side in one batch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents.greedy_pip import GreedyPip
from domino_env.agents.heuristic import FEATURES, WEIGHTS, Heuristic, Weights, weights_of
from domino_env.batches import Batch
from domino_env.games import Game, rules_of

SPREAD = 1.0  # of the first candidates, for features from 0 to 1
KEPT = 0.2  # of the candidates


@dataclass(frozen=True)
class Generation:
    """What a generation has found."""

    number: int
    margin: float
    """Of the candidates that are kept, over the guess before."""
    weights: Weights


def tune(
    game: Game,
    *,
    generations: int = 12,
    candidates: int = 40,
    deals: int = 150,
    seed: int = 0,
    players: int | None = None,
) -> Iterator[Generation]:
    """Generation by generation; the weights of the last are the result."""
    rules = rules_of(game)
    chance = np.random.default_rng(seed)
    guess = weights_of("")
    spread = np.full(len(FEATURES), SPREAD) * np.maximum(1.0, np.abs(guess) / 3)
    for number in range(generations):
        rows = guess + spread * chance.standard_normal((candidates, len(FEATURES)))
        rows[0] = guess
        rivals = None if number % 2 else guess
        margins = duel(rules, rows, rivals, deals, int(chance.integers(2**40)), players)
        best = np.argsort(-margins)[: max(2, round(KEPT * candidates))]
        old = guess
        guess = rows[best].mean(0)
        noise = 0.3 * (1 - number / generations)
        spread = 0.5 * spread + 0.5 * rows[best].std(0) + noise * 0.1
        yield Generation(number + 1, float(margins[best].mean() - margins[0]), guess)
        del old


def duel(
    game: Any,
    rows: Weights,
    rival: Weights | None,
    deals: int,
    seed: int,
    players: int | None = None,
) -> npt.NDArray[np.float64]:
    """The mean margin of each row of weights, on the same deals, from each seat; the others play by
    the rival's weights, or are `greedy_pip`."""
    rules = rules_of(game)
    seats = players or rules.players[0]
    greedy, heuristic = GreedyPip(), Heuristic()
    both = rows if rival is None else np.vstack([rows, rival])
    owner = np.repeat(np.arange(len(rows)), deals)
    total = np.zeros(len(rows))
    for seat in range(seats):
        batch = Batch(rules, len(owner), seats, autoreset=False)
        batch.reset(seed=[seed + lane % deals for lane in range(len(owner))])
        while (batch.seat >= 0).any():
            live = np.flatnonzero(batch.seat >= 0)
            mine = batch.seat[live] == seat
            actions = np.empty(len(live), np.int64)
            if rival is None:
                actions[~mine] = greedy.act(batch, live[~mine])
                asked = live[mine]
                actions[mine] = heuristic.act_with(batch, asked, both, owner[asked])
            else:
                which = np.where(mine, owner[live], len(rows))
                actions = heuristic.act_with(batch, live, both, which)
            batch.step(actions, live)
            total += np.bincount(owner, batch.reward[:, seat], len(rows))
    return total / (deals * seats)


def keep(game: str, weights: Weights) -> None:
    """Writes the weights of a game beside those of others."""
    rows = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    rows[game] = {
        name: round(float(weight), 3) for name, weight in zip(FEATURES, weights, strict=True)
    }
    lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items())]
    WEIGHTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
