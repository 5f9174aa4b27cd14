"""Graphs of moves: which rows, and what they say of numbers and tiles."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.actions import Move, Tile, decode
from domino_env.batches import Batch
from domino_env.errors import BadOption, NotReset
from domino_env.position import Position
from tests.games import AT_A_TABLE
from tests.test_move_features import begun, history
from tests.test_observations import every_setting, permute_hidden, random_states
from tests.witness import Face, asks, joins

Columns = dict[str, Any]
ROLES = ("i", "next", "mate", "others")
NUMBERS = range(15)
WIDE = [f"{low}|{high}" for low in ("*", *NUMBERS) for high in NUMBERS if low == "*" or low <= high]
"""More tiles than a byte can count; a star fits all of them."""


def named(batch: Batch, graph: Any) -> Columns:
    """The columns of a graph, by their names; of the edges a table each."""
    names = [field.name for field in batch.graph_fields]
    nodes = sum("[" not in name for name in names)
    found: Columns = {name: graph[:, at] for at, name in enumerate(names[:nodes])}
    numbers = len(graph)
    found["own_to"] = graph[:, nodes : nodes + numbers]
    found["unseen_to"] = graph[:, nodes + numbers :]
    return found


# Which rows -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_each_legal_action_has_a_graph_in_the_order_of_legal(variant: str) -> None:
    batch = begun(variant)
    graphs, numbers = batch.move_graphs(), len(batch.rules.tile_set.values)
    assert graphs.shape == (batch.num_legal.sum(), numbers, len(batch.graph_fields))
    assert graphs.dtype == np.int8
    assert graphs.min() >= 0
    counted = batch.clone()
    for lane in range(batch.num_games):
        assert len(counted.move_graphs([lane])) == batch.num_legal[lane]


def test_some_lanes_have_the_graphs_that_they_have_among_all() -> None:
    batch = begun("five_up")
    graphs = np.split(batch.move_graphs(), np.cumsum(batch.num_legal)[:-1])
    some = np.array([7, 2, 11, 2])
    wanted = np.concatenate([graphs[lane] for lane in some])
    assert np.array_equal(batch.move_graphs(some), wanted)
    assert batch.move_graphs([]).shape == (0, 7, len(batch.graph_fields))


def test_a_lane_that_is_over_has_no_graphs() -> None:
    batch = begun("block_draw", autoreset=False)
    while batch.num_legal.all():
        batch.step(batch.sample())
    assert len(batch.move_graphs()) == batch.num_legal.sum()
    assert len(batch.move_graphs(np.flatnonzero(batch.num_legal == 0))) == 0


def test_graphs_are_written_into_memory_that_is_given() -> None:
    batch = begun("all_fives")
    out = np.full((500, 7, len(batch.graph_fields)), -1, np.int8)
    graphs = batch.move_graphs(out=out)
    assert np.shares_memory(graphs, out)
    assert np.array_equal(graphs, batch.move_graphs())
    assert (out[len(graphs) :] == -1).all()


def test_threads_and_copies_see_the_same() -> None:
    batch, threaded = begun("bendomino"), begun("bendomino", threads=3)
    graphs = batch.move_graphs()
    for other in (threaded, batch.clone(), pickle.loads(pickle.dumps(batch))):
        assert np.array_equal(other.move_graphs(), graphs)


def test_asking_for_graphs_leaves_the_features_alone() -> None:
    """They share their memory."""
    for variant in ("block_draw", "blind"):
        batch = begun(variant)
        features, graphs = batch.move_features(), batch.move_graphs()
        assert np.array_equal(batch.move_features(), features)
        assert np.array_equal(batch.move_graphs(), graphs)


def test_wrong_calls_are_refused() -> None:
    batch = domino_env.batch("block_draw", 4)
    with pytest.raises(NotReset):
        batch.move_graphs()
    batch.reset()
    shape = (7, len(batch.graph_fields))
    read_only = np.zeros((90, *shape), np.int8)
    read_only.flags.writeable = False
    for wrong in (
        np.zeros((90, *shape), np.uint8),
        np.zeros((90, shape[0], shape[1] + 1), np.int8),
        np.zeros((90, shape[1], shape[0]), np.int8),
        np.zeros((1, *shape), np.int8),
        np.zeros((90, *shape[::-1]), np.int8).swapaxes(1, 2),
        np.zeros((180, *shape), np.int8)[::2],
        read_only,
        [[[0] * shape[1]] * 7] * 90,
    ):
        with pytest.raises(BadOption, match=f"int8 array of 7 numbers by {shape[1]} columns"):
            batch.move_graphs(out=wrong)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="lanes are 0 to 3"):
        batch.move_graphs([4])


def test_one_player_games_have_none() -> None:
    batch = domino_env.batch("solitaire", 2, seed=0)
    batch.reset()
    assert batch.graph_fields == ()
    with pytest.raises(BadOption, match="solitaire is for one player"):
        batch.move_graphs()


# What they say ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_hidden_tiles_permuted_leave_the_graphs_alone(variant: str) -> None:
    chance, moved = random.Random(variant), 0
    for setting in every_setting(variant):
        for batch in random_states(setting, 4, looks=6, seed=chance.randrange(2**32)):
            for lane in range(batch.num_games):
                kept = batch._games[lane : lane + 1].copy()
                before = batch.move_graphs([lane])
                moved += permute_hidden(batch, lane, int(batch.seat[lane]), chance)
                after = batch.move_graphs([lane])
                batch._games[lane : lane + 1] = kept
                wrong = np.flatnonzero((before != after).any((0, 1)))
                names = [batch.graph_fields[column].name for column in wrong]
                assert not names, f"{setting}: the mover sees hidden tiles in {names}"
    assert moved > 100


@dataclass
class Case:
    """A legal action in a game: what was before it, its graph, and what really comes of it."""

    batch: Batch
    before: Position
    seen: Any
    move: Move
    graph: Columns
    after: Position

    @property
    def seat(self) -> int:
        """Who is to move."""
        assert self.before.to_move is not None
        return self.before.to_move

    @property
    def laid(self) -> list[Tile]:
        """The tile that the action plays, if it plays one."""
        return [self.move.tile] if self.move.kind == "play" and self.move.tile else []

    @property
    def own(self) -> list[Tile]:
        """The tiles that are left of the own hand; in a game of rows nobody sees any."""
        if self.batch.rules.rows:
            return []
        return [tile for tile in known(self.before.hands[self.seat]) if tile not in self.laid]

    @property
    def unseen(self) -> list[Tile]:
        """The tiles that are neither in the own hand nor on the table."""
        piles = [*self.before.hands, self.before.boneyard]
        tiles = [tile for pile in piles for tile in known(pile)]
        return [tile for tile in tiles if tile not in (*self.own, *self.laid)]

    @property
    def faces(self) -> list[Face]:
        """What the nodes are called."""
        return [value.face for value in self.batch.rules.tile_set.values]

    def fits(self, tile: Tile, face: Face) -> list[Face]:
        """What a tile can leave that is laid on a number: nothing if it does not fit."""
        straight = self.batch.rules.layout.tiles == "straight"
        halves = (0,) if straight and tile.is_double else (0, 1)
        return [tile[1 - half] for half in halves if joins(self.batch, tile, half, asks(face))]

    def role(self, other: int | None) -> str:
        """Who somebody is to the seat."""
        if other == self.seat:
            return "i"
        if other == self._next_opponent():
            return "next"
        return "others" if self._opposed(other) else "mate"

    def _opposed(self, other: int | None) -> bool:
        teams = self.before.num_players == 4 and self.batch.rules.teams
        return other != self.seat and not (teams and other == (self.seat + 2) % 4)

    def _next_opponent(self) -> int | None:
        seats = self.before.num_players
        if seats == 2:
            return 1 - self.seat
        step = 1 if self.before.direction == "clockwise" else -1
        for steps in range(1, seats):
            other = (self.seat + step * steps) % seats
            if self.before.hands[other] and self._opposed(other):
                return other
        return None


def known(pile: Any) -> list[Tile]:
    """The tiles of a position that shows them all."""
    return [tile for tile in pile if tile is not None]


def cases(rules: Any, players: int | None = None, steps: int = 25) -> Iterator[Case]:
    """Some moves of random games."""
    batch = domino_env.batch(rules, 3, players, seed=2, autoreset=False)
    batch.reset()
    chance = np.random.default_rng(0)
    for _ in range(steps):
        live = np.flatnonzero(batch.num_legal)
        for lane in live.tolist():
            before, graphs = batch.position(lane), batch.move_graphs([lane])
            at = int(chance.integers(batch.num_legal[lane]))
            action = int(batch.legal[lane, at])
            ahead = batch.clone()
            ahead.step([action], np.array([lane]))
            move = decode(batch.rules, action, num_players=batch.num_players)
            seen = batch.observe(lane, int(batch.seat[lane]))
            graph = named(batch, graphs[at])
            yield Case(batch, before, seen, move, graph, ahead.position(lane))
        if not len(live):
            return
        batch.step(batch.sample_some(live), live)


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_a_graph_says_what_the_action_leaves(variant: str) -> None:
    plays = 0
    rules = domino_env.rules(variant)
    for players in {rules.players[0], rules.players[-1]}:
        for case in cases(variant, players):
            check_tiles(case)
            check_laid(case)
            check_lacks(case)
            check_ends(case)
            plays += bool(case.laid)
    assert plays > 20


def check_tiles(case: Case) -> None:
    """Counts of tiles, and edges."""
    for whose, tiles in (("own", case.own), ("unseen", case.unseen)):
        edges = np.zeros((len(case.faces), len(case.faces)), np.int64)
        fitting = np.zeros(len(case.faces), np.int64)
        for number, face in enumerate(case.faces):
            for tile in tiles:
                left = case.fits(tile, face)
                fitting[number] += bool(left)
                for other in left:
                    edges[number, case.faces.index(other)] += 1
        assert case.graph[whose].tolist() == fitting.tolist(), f"{whose}: {case.move}"
        assert case.graph[f"{whose}_to"].tolist() == edges.tolist(), f"{whose}: {case.move}"
    pips = [value.pips for value in case.batch.rules.tile_set.values]
    assert case.graph["pips"].tolist() == pips


def check_laid(case: Case) -> None:
    """Who laid the tiles on the table that fit a number."""
    wanted = {role: [0] * len(case.faces) for role in ROLES}
    for tile, who in [*case.before.played, *((tile, case.seat) for tile in case.laid)]:
        for number, face in enumerate(case.faces):
            if who is not None and case.fits(tile, face):
                wanted[case.role(who)][number] += 1
    assert {role: case.graph[f"{role}_laid"].tolist() for role in ROLES} == wanted


def lacks_of(case: Case) -> Iterator[tuple[int, list[bool]]]:
    """For each seat what it showed to be without, by the observation."""
    at, steps = 0, 0
    numbers = len(case.faces)
    for field in case.batch.fields:
        if field.name.endswith(".lacks"):
            shown = case.seen[at : at + field.size].reshape(numbers, -1).any(1)
            values = [asks(face) for face in case.faces]
            lacked = [bool(shown[values.index(value)]) for value in values]
            yield (case.seat + steps) % case.before.num_players, lacked
            steps += 1
        at += field.size


def check_lacks(case: Case) -> None:
    """What the seats showed to be without."""
    wanted = {role: np.zeros(len(case.faces), bool) for role in ROLES}
    every = np.ones(len(case.faces), bool)
    for seat, lacked in lacks_of(case):
        role = case.role(seat)
        wanted[role] |= lacked
        if role in ("next", "others"):
            every &= lacked
    for role in ROLES:
        assert case.graph[f"{role}_lack"].tolist() == wanted[role].tolist(), role
    assert case.graph["all_lack"].tolist() == every.tolist()


def check_ends(case: Case) -> None:
    """The ends, by what they ask for: a position says no more of them."""
    after = case.after if case.laid else case.before
    if not case.laid and not case.before.played:
        assert not case.graph["offered"].any()
        assert not case.graph["closed"].any()
        assert not case.graph["made"].any()
        return
    if case.after.over or case.after.round > case.before.round:
        return
    values = [asks(face) for face in case.faces]
    for value in {*values}:
        nodes = [number for number, other in enumerate(values) if other == value]
        ends = [end for end in after.ends if end.value == value]
        offered = case.graph["offered"][nodes].sum()
        assert offered + case.graph["closed"][nodes].sum() == len(ends)
        if case.batch.rules.layout.arms != "own":  # there it matters whose turn it is
            assert offered == sum(end.offered for end in ends)
        made = [end for end in ends if case.laid and end.number == (case.move.end or 0)]
        assert case.graph["made"][nodes].any() == bool(made)


@pytest.mark.parametrize("variant", ["block_draw", "all_fives", "matador"])
def test_a_graph_says_who_has_made_and_covered_ends_of_a_number(variant: str) -> None:
    compared = 0
    for case in cases(variant):
        for who, name in ((case.seat, "i"), (1 - case.seat, "next")):
            made, covered = history(case.before, who)
            assert case.graph[f"{name}_made"].tolist() == [face in made for face in case.faces]
            if variant != "matador":  # there a tile covers another number than it has
                wanted = [face in covered for face in case.faces]
                assert case.graph[f"{name}_covered"].tolist() == wanted
            compared += len(made)
    assert compared > 50


@pytest.mark.parametrize("variant", ["block_draw", "bendomino_teams", "fundomino"])
def test_a_graph_and_the_features_of_the_move_say_the_same(variant: str) -> None:
    batch, compared = begun(variant), 0
    columns = [field.name for field in batch.move_fields]
    flags = [f"{role}_{done}" for done in ("made", "covered") for role in ROLES]
    for features, graph in zip(batch.move_features(), batch.move_graphs(), strict=True):
        told = named(batch, graph)
        made = np.flatnonzero(told["made"])
        for flag in flags if len(made) else ():
            assert told[flag][made[0]] == features[columns.index(f"end[0].{flag}")]
            compared += 1
    assert compared > 50


@pytest.mark.parametrize("variant", ["block_draw", "blind"])
def test_of_more_tiles_than_a_byte_counts_it_says_as_many_as_it_can(variant: str) -> None:
    usual = domino_env.rules(variant)
    rules = replace(usual, sets=("listed",), set="listed", tiles=("*|*", *WIDE))
    case = next(cases(rules))
    fitting = [sum(bool(case.fits(tile, face)) for tile in case.unseen) for face in case.faces]
    assert max(fitting) > 127
    assert case.graph["unseen"].tolist() == [min(number, 127) for number in fitting]
