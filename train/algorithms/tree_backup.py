"""Returns by the tree backup: what comes after what in a rollout, and what actions are worth."""

from __future__ import annotations

import numpy as np

from domino_env.train.decisions import Decisions, Numbers, Whole
from domino_env.train.self_play import Rollout

NOTHING = -1


def log_probs_of(decisions: Decisions, logits: Numbers) -> Numbers:
    """The log-probability of each row, within its decision."""
    firsts, owners = decisions.firsts, decisions.owners
    shifted = logits - np.maximum.reduceat(logits, firsts)[owners]
    totals = np.add.reduceat(np.exp(shifted), firsts)
    found: Numbers = shifted - np.log(totals)[owners]
    return found


def per_decision(decisions: Decisions, numbers: Numbers) -> Numbers:
    """The sum of numbers of rows in each decision."""
    found: Numbers = np.add.reduceat(numbers, decisions.firsts)
    return found


def best_rows(decisions: Decisions, numbers: Numbers) -> Numbers:
    """1 in the row of each decision with the highest number, the first of several, 0 elsewhere."""
    firsts, owners = decisions.firsts, decisions.owners
    highest = np.flatnonzero(numbers >= np.maximum.reduceat(numbers, firsts)[owners])
    _, first_of = np.unique(owners[highest], return_index=True)
    found = np.zeros(len(numbers), np.float32)
    found[highest[first_of]] = 1
    return found


def ranks(trajectories: Whole) -> tuple[Whole, Whole]:
    """For each decision how many of its trajectory come before it, and which comes next."""
    order = np.argsort(trajectories, kind="stable")
    same = trajectories[order][1:] == trajectories[order][:-1]
    place = np.arange(len(order))
    begins = np.r_[True, ~same]
    rank, following = np.empty(len(order), np.int64), np.full(len(order), NOTHING)
    rank[order] = place - np.maximum.accumulate(np.where(begins, place, 0))
    following[order[:-1][same]] = order[1:][same]
    return rank, following


def tree_backup(rollout: Rollout, values: Numbers, probs: Numbers) -> Numbers:
    """What each chosen action was worth by the tree backup: the rewards of the rest of the round as
    far as a policy would have gone on as was played, and elsewhere what it expects.

    Args:
        rollout: of any behaviour, however it explores.
        values: of each row, as estimated now.
        probs: of each row, by the policy whose values are wanted.
    """
    decisions = rollout.decisions
    rows = decisions.firsts + rollout.chosen
    expected = per_decision(decisions, values * probs)
    rank, following = ranks(rollout.trajectories)
    worth = rollout.rewards.copy()
    for depth in range(int(rank.max()), -1, -1):
        at = np.flatnonzero(rank == depth)
        on = at[following[at] != NOTHING]
        worth[on] += expected[following[on]]
        expected[at] += probs[rows[at]] * (worth[at] - values[rows[at]])
    return worth
