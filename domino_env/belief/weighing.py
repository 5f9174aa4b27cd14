"""Worlds weighed by a model of the others: how likely they would have done there what they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.belief.sampling import Belief
from domino_env.compiling import kernel
from domino_env.engine.hidden.replays import NO_ACTION, deal_again, lead_takes, logged_action
from domino_env.engine.rounds import begin_round, take_decision
from domino_env.engine.state import Games, Logs, Numbers, RuleTables, records
from domino_env.errors import BadOption, TooUncertain


@dataclass(frozen=True)
class Weighted:
    """Worlds with their weights.

    Attributes:
        worlds: a batch of games, each of which agrees with what the seat has seen.
        log_likelihoods: float64[N], of what the others did in each of them.
        weights: float64[N], in the same proportions as the likelihoods, with the sum 1.
    """

    worlds: Batch
    log_likelihoods: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]

    @property
    def effective_sample_size(self) -> float:
        """How many worlds of equal weights would say as much (Kish)."""
        return float(1 / (self.weights**2).sum())


def weighted(
    batch: Batch,
    lane: int,
    seat: int,
    policy: Any,
    count: int = 1000,
    seed: int | None = None,
    *,
    random_share: float = 0.0,
) -> Weighted:
    """Worlds from the information set of a seat, weighed by how others play.

    Args:
        batch: a multiplayer game.
        lane: a lane whose game is not over.
        seat: whose information set.
        policy: how the others play: an agent, or a list with one for each seat. One with
            `probabilities(batch, lanes)` is taken at its word, any other is asked what it plays.
        count: the number of worlds.
        seed: of the worlds.
        random_share: how often the others play at random instead, from 0 to 1; above 0 no world in
            which they have done something unexpected is ruled out.
    """
    if not (isinstance(random_share, (int, float)) and 0 <= random_share <= 1):
        raise BadOption(f"random_share must be a number from 0 to 1, not {random_share!r}")
    policies = _one_for_each(policy, batch.num_players)
    belief = Belief(batch, seed)
    worlds = belief.new_worlds(count)
    belief.fill(worlds, [lane], [seat])
    likely = np.zeros(worlds.num_games)
    if not batch.rules.rows:  # there nobody chooses by what is hidden
        _weigh(worlds, belief.new_worlds(count), int(seat), policies, random_share, likely)
    highest = likely.max()
    if not isfinite(highest):
        raise TooUncertain(
            f"in none of {count} worlds would the others have done what they did: take more, or "
            "let them play at random now and then (random_share)"
        )
    weights = np.exp(likely - highest)
    return Weighted(worlds, likely, weights / weights.sum())


def _one_for_each(policy: Any, seats: int) -> Sequence[Any]:
    policies = list(policy) if isinstance(policy, (list, tuple)) else [policy] * seats
    if len(policies) != seats or not all(
        hasattr(each, "probabilities") or hasattr(each, "act") for each in policies
    ):
        raise BadOption(
            "policy is an agent, with probabilities(batch, lanes) or act(batch, lanes), or a list "
            f"with one for each of {seats} seats: agents.make('heuristic'), for example"
        )
    return policies


def _weigh(
    worlds: Batch,
    replayed: Batch,
    seat: int,
    policies: Sequence[Any],
    random_share: float,
    likely: npt.NDArray[np.float64],
) -> None:
    """Replays all worlds together, and adds up the log-likelihoods of the others' decisions."""
    spare, actions = records(1, worlds._games.dtype), np.zeros(len(likely), np.int64)
    told = (worlds._rule_table, worlds._games, worlds._logs)
    played = (replayed._games, replayed._logs)
    replayed.reset()
    replay_deals(*told, *played, spare)
    while True:
        replayed._show_anew()
        read_actions(*told, replayed._games, actions)
        lanes = np.flatnonzero(actions >= 0)
        lanes = lanes[replayed.mask[lanes, actions[lanes]] > 0]
        if not len(lanes):
            return
        asked = lanes[(replayed.num_legal[lanes] > 1) & (replayed.seat[lanes] != seat)]
        for other in np.unique(replayed.seat[asked]):
            some = asked[replayed.seat[asked] == other]
            chances = _chances(policies[other], replayed, some, actions[some])
            even = 1 / replayed.num_legal[some]
            with np.errstate(divide="ignore"):
                likely[some] += np.log((1 - random_share) * chances + random_share * even)
        follow_actions(*told, *played, lanes, actions, spare)


def _chances(
    policy: Any, batch: Batch, lanes: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """How likely the policy plays these actions in these lanes."""
    if tells := getattr(policy, "probabilities", None):
        return np.asarray(tells(batch, lanes), float)[np.arange(len(lanes)), actions]
    return (np.asarray(policy.act(batch, lanes)) == actions).astype(float)


@kernel
def replay_deals(
    rule_tables: RuleTables, worlds: Games, told: Logs, games: Games, logs: Logs, spare: Games
) -> None:
    """Takes each world back to its deal, up to the first decision."""
    rules = rule_tables[0]
    for lane in range(len(worlds)):
        games[lane] = worlds[lane]
        deal_again(rules, games[lane], told[lane], logs[lane])
        lead_takes(rules, games[lane], told[lane], int(worlds[lane].log_size), spare[0])
        begin_round(rules, games[lane], logs[lane])


@kernel
def read_actions(
    rule_tables: RuleTables, worlds: Games, told: Logs, games: Games, actions: Numbers
) -> None:
    """The actions that the logs tell of next, or NO_ACTION where there is none."""
    for lane in range(len(worlds)):
        actions[lane] = NO_ACTION
        if games[lane].log_size < worlds[lane].log_size and not games[lane].round_over:
            actions[lane] = logged_action(rule_tables[0], games[lane], told[lane])


@kernel
def follow_actions(
    rule_tables: RuleTables,
    worlds: Games,
    told: Logs,
    games: Games,
    logs: Logs,
    lanes: Numbers,
    actions: Numbers,
    spare: Games,
) -> None:
    """Takes them in some lanes."""
    rules = rule_tables[0]
    for place in range(len(lanes)):
        lane = lanes[place]
        lead_takes(rules, games[lane], told[lane], int(worlds[lane].log_size), spare[0])
        take_decision(rules, games[lane], logs[lane], int(actions[lane]))
