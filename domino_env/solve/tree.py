"""`tree`: the whole game of a round in sequence form, as flat arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.games import Game, rules_of
from domino_env.solve import all_deals
from domino_env.solve.growth import Growth
from domino_env.solve.records import SIDES
from domino_env.solve.sweeps import count_rows, fill_rows

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

MOST_DEALS = 30_000_000
_TRIED = 48  # deals from which the size of a tree is estimated
_MOST_TRIED = 2_000_000  # ... and histories
_BYTES = {"history": 70, "infostate": 200}  # arrays grow by doubling


@dataclass(frozen=True)
class Side:
    """What one side can do, and what that earns.

    Attributes:
        parents: int32[I], the sequence that leads to each of its information states.
        firsts: int32[I], the sequence of the first action there; the others follow.
        actions: int32[I], how many actions there are.
        starts, others, values: what each sequence earns where a history ends: entries
            `starts[s]` to `starts[s + 1]` have the other side's sequence, and this side's points
            over the other's times the chance of all deals and draws.
        infostates: int32[I], their numbers in the tree.
    """

    parents: Ints
    firsts: Ints
    actions: Ints
    starts: npt.NDArray[np.int64]
    others: Ints
    values: Floats
    infostates: Ints

    @property
    def num_sequences(self) -> int:
        """How many sequences it has, the empty one among them."""
        return len(self.starts) - 1


@dataclass(frozen=True)
class Tree:
    """A round of a game as a two-player zero-sum game in sequence form.

    Attributes:
        rules: the game.
        num_players: seats.
        num_infostates: information states of both sides, those with one action among them.
        num_histories: histories that can happen, from the deal on: those where somebody decides,
            and ended ones.
        num_leaves: the ended ones.
        num_deals: who can hold what; those that the rules would deal again do not count.
        sides: both sides: of two seats the seats; of four in teams the teams, each of which is one
            player who sees both hands.
    """

    rules: Any
    num_players: int
    num_infostates: int
    num_histories: int
    num_leaves: int
    num_deals: int
    sides: tuple[Side, Side]
    calls: str
    side_of: npt.NDArray[np.int8]
    growth: Growth

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        arrays = [v for side in self.sides for v in vars(side).values()]
        return self.growth.nbytes + sum(array.nbytes for array in arrays)

    def __repr__(self) -> str:
        return (
            f"<Tree of {self.rules.id}: {self.num_infostates:,} information states, "
            f"{self.num_histories:,} histories>"
        )


@dataclass(frozen=True)
class Estimate:
    """How large a tree will be: `deals` exactly, the others from a sample of deals."""

    deals: int
    histories: int
    infostates: int
    megabytes: float

    def __str__(self) -> str:
        return (
            f"{self.deals:,} deals, some {self.histories:,} histories, at most some "
            f"{self.infostates:,} information states, {self.megabytes:,.0f} MB"
        )


def estimate(game: Game, num_players: int = 2, *, calls: str = "automatic") -> Estimate:
    """How large the tree of a game would be, found from a few deals before any memory is taken."""
    return _estimate(*_table(game, num_players, calls))


def _estimate(batch: Batch, sides: npt.NDArray[np.int8]) -> Estimate:
    deals = all_deals.number_of(batch.rule_table[0])
    sample = all_deals.some_of(batch.rule_table[0], min(_TRIED, deals), np.random.default_rng(0))
    growth = Growth(batch, sides)
    grown, tried = growth.progress[0], 0
    for deal in sample:
        tried += 1
        if not growth.run(deal[None], most=_MOST_TRIED):
            break  # there are at least so many
    times = deals / tried
    histories, infostates = int(grown.histories * times), int(grown.infostates * times)
    size = histories * _BYTES["history"] + infostates * _BYTES["infostate"]
    return Estimate(deals, histories, infostates, size / 1e6)


def tree(
    rules: Game,
    num_players: int = 2,
    *,
    calls: str = "automatic",
    max_memory: float = 8e9,
    watch: Callable[[float], None] = lambda done: None,
) -> Tree:
    """The whole tree of a round.

        small = domino_env.rules("block_draw", set="double_3", hand_size=3, players=[2])
        tree = solve.tree(small)

    Args:
        rules: the id of a game, or a `Rules`. Small sets only: see `estimate`.
        num_players: 2, or 4 where two teams play; a team is then one player with two hands.
        calls: "automatic", or "explicit" where a game has something to call.
        max_memory: bytes; a tree that would take more is refused before any is taken.
        watch: told now and then which part of it is done, from 0 to 1.
    """
    batch, side_of = _table(rules, num_players, calls)
    _must_fit(_estimate(batch, side_of), max_memory)
    growth = Growth(batch, side_of)
    growth.run(all_deals.all_of(batch.rule_table[0]), watch)
    grown = growth.progress[0]
    if not grown.weight:
        raise BadOption(f"no deal of {batch.rules.id} can be played")
    return Tree(
        batch.rules,
        batch.num_players,
        int(grown.infostates),
        int(grown.histories),
        int(grown.leaves),
        round(float(grown.weight)),
        sides_of(growth),
        calls,
        side_of,
        growth,
    )


def histories(tree: Tree) -> Growth:
    """The same tree grown again, with every history noted in the order in which it was found."""
    batch, side_of = _table(tree.rules, tree.num_players, tree.calls)
    growth = Growth(batch, side_of, tells_histories=True)
    growth.run(all_deals.all_of(batch.rule_table[0]))
    return growth


def _table(game: Game, num_players: int, calls: str) -> tuple[Batch, npt.NDArray[np.int8]]:
    """A batch of such games, for its sizes, and the side of each seat."""
    rules = rules_of(game)
    if not rules.has_opponents or rules.rows:
        raise BadOption(f"{rules.id} has no tree: its hands are rows, or it has one player")
    batch = Batch(rules, 1, num_players, 0, calls=calls, autoreset=False)
    teams = bool(batch.rule_table["teams"][0])
    if batch.num_players != SIDES and not (teams and batch.num_players == 2 * SIDES):
        raise BadOption(
            f"a tree is of two sides: two players, or two teams of two; not {num_players} players"
            f"{' in teams' if teams else ''}"
        )
    batch.reset()
    return batch, np.arange(batch.num_players, dtype=np.int8) % SIDES


def _must_fit(found: Estimate, max_memory: float) -> None:
    if found.deals > MOST_DEALS or found.megabytes * 1e6 > max_memory:
        raise BadOption(
            f"the tree of this game is too large: {found}, and {max_memory / 1e6:,.0f} MB are "
            "allowed. Take a smaller `set`, smaller hands (`hand_size`), or give it more "
            "with `max_memory`"
        )


def numbered(growth: Growth) -> tuple[npt.NDArray[np.int8], Ints]:
    """The side of each sequence, and its number among those of its side."""
    grown = growth.progress[0]
    infostates = growth.infostates[: grown.infostates]
    owner = np.zeros(grown.sequences, np.int8)
    owner[1] = 1
    owner[SIDES:] = np.repeat(infostates["side"], infostates["actions"])
    number = np.zeros(grown.sequences, np.int32)
    for side in range(SIDES):
        own = owner == side
        number[own] = np.arange(own.sum())
    return owner, number


def sides_of(growth: Growth) -> tuple[Side, Side]:
    """The two sides of what has grown, with sequences of their own."""
    grown = growth.progress[0]
    infostates = growth.infostates[: grown.infostates]
    leaves = growth.leaves[: grown.leaves]
    owner, number = numbered(growth)
    values = leaves["value"] / grown.weight
    ends = [number[leaves["sequence"][:, side]] for side in range(SIDES)]
    first, second = (
        _side(infostates, side, number, ends[side], ends[1 - side], sign * values, owner)
        for side, sign in ((0, 1.0), (1, -1.0))
    )
    return first, second


def _side(
    infostates: Any, side: int, number: Ints, rows: Ints, others: Ints, values: Floats, owner: Any
) -> Side:
    own = np.flatnonzero(infostates["side"] == side)
    starts = np.zeros(int((owner == side).sum()) + 1, np.int64)
    count_rows(rows, starts)
    sorted_others, sorted_values = np.empty_like(others), np.empty_like(values)
    fill_rows(rows, others, values, starts[:-1].copy(), sorted_others, sorted_values)
    return Side(
        number[infostates["parent"][own]],
        number[infostates["first"][own]],
        infostates["actions"][own].astype(np.int32),
        starts,
        sorted_others,
        sorted_values,
        own.astype(np.int32),
    )
