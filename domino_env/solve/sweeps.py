"""Sweeps over a tree in sequence form: what is expected, and what would be best.

A side's sequences are numbered, 0 before its first decision; a plan says how likely the side plays
each of them, of its own will. Information states stand in an order in which none comes before
those that lead to it, so one pass from the last to the first is a backward induction.
"""

from __future__ import annotations

from typing import Any

from domino_env.compiling import kernel, small


@kernel
def outcomes(starts: Any, others: Any, values: Any, plan: Any, out: Any) -> None:
    """For each sequence what it earns where a history ends, if the other side plays its plan."""
    for sequence in range(len(out)):
        total = 0.0
        for place in range(starts[sequence], starts[sequence + 1]):
            total += values[place] * plan[others[place]]
        out[sequence] = total


@kernel
def write_plan(parents: Any, firsts: Any, actions: Any, policy: Any, plan: Any) -> None:
    """How likely each sequence is, by the policy of a side."""
    plan[0] = 1.0
    for infostate in range(len(parents)):
        reached = plan[parents[infostate]]
        for sequence in range(firsts[infostate], firsts[infostate] + actions[infostate]):
            plan[sequence] = reached * policy[sequence]


@kernel
def write_policy(parents: Any, firsts: Any, actions: Any, plan: Any, policy: Any) -> None:
    """The policy that a plan amounts to; even chances where it never comes."""
    policy[0] = 1.0
    for infostate in range(len(parents)):
        first, number = firsts[infostate], actions[infostate]
        total = 0.0
        for sequence in range(first, first + number):
            total += plan[sequence]
        for sequence in range(first, first + number):
            policy[sequence] = plan[sequence] / total if total > 0 else 1.0 / number


@kernel
def best_response(parents: Any, firsts: Any, actions: Any, worth: Any, policy: Any) -> float:
    """Turns what sequences earn into the most that can be earned from each on; answers with the
    value of the game to this side, and writes the policy that earns it."""
    policy[0] = 1.0
    for infostate in range(len(parents) - 1, -1, -1):
        first, number = firsts[infostate], actions[infostate]
        best = first
        for sequence in range(first, first + number):
            policy[sequence] = 0.0
            if worth[sequence] > worth[best]:
                best = sequence
        policy[best] = 1.0
        worth[parents[infostate]] += worth[best]
    return float(worth[0])


@kernel
def update_regrets(
    parents: Any,
    firsts: Any,
    actions: Any,
    worth: Any,
    policy: Any,
    regrets: Any,
    gained: float,
    lost: float,
    floor: bool,
    predicts: bool,
) -> None:
    """One step of counterfactual regret minimisation for a side, and its next policy by regret
    matching. Regrets of before count `gained` times where they are above 0 and `lost` times below;
    with `floor` they never stay below 0 (CFR+); with `predicts` the last regrets count twice."""
    for infostate in range(len(parents) - 1, -1, -1):
        first, number = firsts[infostate], actions[infostate]
        value = 0.0
        for sequence in range(first, first + number):
            value += policy[sequence] * worth[sequence]
        worth[parents[infostate]] += value
        total = 0.0
        for sequence in range(first, first + number):
            new = worth[sequence] - value
            old = regrets[sequence] * (gained if regrets[sequence] > 0 else lost)
            regret = old + new
            if floor and regret < 0:
                regret = 0.0
            regrets[sequence] = regret
            hoped = regret + new if predicts else regret
            policy[sequence] = hoped if hoped > 0 else 0.0
            total += policy[sequence]
        share_out(policy, first, number, total)


@small
def share_out(policy: Any, first: int, number: int, total: float) -> None:
    """Makes chances of regrets; even ones where there are none."""
    for sequence in range(first, first + number):
        policy[sequence] = policy[sequence] / total if total > 0 else 1.0 / number


@kernel
def add_plan(total: Any, plan: Any, kept: float, weight: float) -> None:
    """Adds a plan to the sum of those before, which counts `kept` times."""
    for sequence in range(len(total)):
        total[sequence] = kept * total[sequence] + weight * plan[sequence]


# From what was grown to what is swept over --------------------------------------------------------


@kernel
def count_rows(rows: Any, starts: Any) -> None:
    """Where the entries of each row begin once they are sorted."""
    for place in range(len(rows)):
        starts[rows[place] + 1] += 1
    for row in range(len(starts) - 1):
        starts[row + 1] += starts[row]


@kernel
def fill_rows(
    rows: Any, others: Any, values: Any, next_of: Any, sorted_others: Any, sorted_values: Any
) -> None:
    """Sorts entries by their rows; `next_of` begins as the starts."""
    for place in range(len(rows)):
        to = next_of[rows[place]]
        sorted_others[to] = others[place]
        sorted_values[to] = values[place]
        next_of[rows[place]] = to + 1
