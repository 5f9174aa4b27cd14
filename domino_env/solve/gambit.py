"""A tree as a file of Gambit's (`.efg`), which other solvers of games read: Gambit, OpenSpiel.

It is the same game history by history, so that solvers can be compared, and their answers checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.files import write_whole
from domino_env.solve.tree import Tree, histories


def write_efg(tree: Tree, file: Path | str) -> None:
    """Writes a tree as an extensive-form game.

    Information states have the numbers of `Side`, from 1 on, for each player; actions are numbered
    in the order of the tree. Payoffs are points. A million histories are some fifty megabytes.
    """
    write_whole(file, "\n".join(_lines(tree)) + "\n", synced=False)


def _lines(tree: Tree) -> Iterator[str]:
    """A line for each node, before those that come after it."""
    kept = histories(tree)
    told = kept.told[: kept.progress[0].histories]
    groups = _Groups(told, _chances(told, float(kept.progress[0].weight)))
    payoffs = iter(_payoffs(tree, told))
    numbers, owners = _numbers(tree)
    actions = kept.infostates["actions"]
    yield f'EFG 2 R "{tree.rules.id}" {{ "1" "2" }}'
    for place, infostate in enumerate(told["infostate"].tolist()):
        if (chance := groups.beginning_at(place)) is not None:
            yield f'c "" {groups.number} "" {_outcomes(chance)} 0'
        if infostate < 0:
            points = next(payoffs)
            yield f't "" {place + 1} "" {{ {points!r}, {-points!r} }}'
        else:
            named = " ".join(f'"{action}"' for action in range(actions[infostate]))
            yield f'p "" {owners[infostate] + 1} {numbers[infostate] + 1} "" {{ {named} }} 0'


class _Groups:
    """Histories that come of the same decision: where there are several, chance has chosen."""

    def __init__(self, told: Any, chances: npt.NDArray[np.float64]) -> None:
        keys = _parents(told).astype(np.int64) << 16 | told["action"]
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=-(1 << 40)))
        self._members = {
            int(some[0]): chances[some]
            for some in np.split(order, starts[1:])
            if len(some) > 1 or told["level"][some[0]] == 1
        }
        self.number = 0

    def beginning_at(self, place: int) -> npt.NDArray[np.float64] | None:
        """The chances of a group, if this is the first of it."""
        found = self._members.get(place)
        self.number += found is not None
        return found


def _parents(told: Any) -> npt.NDArray[np.int64]:
    """The history before each; -1 of a deal."""
    parents, last = np.empty(len(told), np.int64), [-1] * (int(told["level"].max()) + 1)
    for place, level in enumerate(told["level"].tolist()):
        parents[place] = last[level - 1] if level > 1 else -1
        last[level] = place
    return parents


def _chances(told: Any, weight: float) -> npt.NDArray[np.float64]:
    """What chance does between a history and the one before it."""
    parents = _parents(told)
    before = np.where(parents < 0, weight, told["chance"][parents])
    return np.asarray(told["chance"] / before)


def _payoffs(tree: Tree, told: Any) -> list[float]:
    """The points of player 1 over player 2 where each history ends, in their order."""
    leaves = tree.growth.leaves[: tree.num_leaves]
    return list((leaves["value"] / told["chance"][told["infostate"] < 0]).tolist())


def _outcomes(chances: npt.NDArray[np.float64]) -> str:
    named = (f'"{number}" {chance!r}' for number, chance in enumerate(chances.tolist()))
    return f"{{ {' '.join(named)} }}"


def _numbers(tree: Tree) -> tuple[list[int], list[int]]:
    """For each information state its number among those of its side, and its side."""
    numbers, owners = np.zeros((2, tree.num_infostates), np.int64)
    for number, side in enumerate(tree.sides):
        numbers[side.infostates] = np.arange(len(side.infostates))
        owners[side.infostates] = number
    return numbers.tolist(), owners.tolist()
