"""OpenSpiel's algorithms beside ours: that they get the same game, that the same algorithms give
the same policies, and what is kept of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from domino_env import solve
from domino_env.solve.mini_games import mini_game

pytest.importorskip("torch")
from tools import tables_of_references
from tools.reference_algorithms import __main__ as command
from tools.reference_algorithms import keeping, measuring
from tools.reference_algorithms.agreement import SAME, apart
from tools.reference_algorithms.door import SEATS, Door, Networks, from_file, shown
from tools.reference_algorithms.keeping import Found, Run
from tools.reference_algorithms.measuring import Marks, curve
from tools.reference_algorithms.ours import FEW, DoubleOracle, InSmallSteps
from tools.reference_algorithms.solvers import SOLVERS
from tools.solver_speed import as_ours

SMALL = "block_2"
UNIFORM = 0.028125  # what uniform play loses in it
PAYS_IN_PLAY = "fives_and_threes_2"


def tree_of(name: str) -> solve.Tree:
    return mini_game(name).tree


# What is ours -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [SMALL, PAYS_IN_PLAY])
def test_exact_best_responses_lead_our_psro_to_an_equilibrium(name: str) -> None:
    """How the pool is mixed leaves nothing over but what its own solver leaves."""
    oracle = DoubleOracle(tree_of(name))
    before = solve.exploitability(tree_of(name), oracle.policy(tree_of(name)))
    for _ in range(30):
        oracle.step()
    after = solve.exploitability(tree_of(name), oracle.policy(tree_of(name)))
    assert after < min(5e-5, before / 100)


def test_ours_in_small_steps_counts_its_rounds() -> None:
    learner = InSmallSteps(SMALL, "nfsp", seed=3)
    for _ in range(3):
        learner.step()
    assert learner.rounds == 3 * FEW
    lost = solve.exploitability(tree_of(SMALL), learner.policy(tree_of(SMALL)))
    assert 0 <= lost < 1


def test_networks_are_asked_for_their_own_seat_and_play_what_is_legal() -> None:
    """What they say of illegal actions counts nothing; where they say nothing of legal ones, those
    are equally likely."""
    tree = tree_of(SMALL)

    def chances(seat: int, seen: Any) -> Any:
        assert (seen[:, seat] == 1).all()
        assert (seen[:, 1 - seat] == 0).all()
        return np.full((len(seen), 500), 1.0 - seat)[:, :batch_actions]

    batch_actions = solve.states(tree, [0]).num_actions
    policy = solve.policy_of(tree, Networks(chances))
    for side, even in zip(policy, solve.uniform(tree), strict=True):
        assert side == pytest.approx(even)


class Halving:
    """Comes half as near with every step: plays by CFR+ of so many iterations."""

    def __init__(self) -> None:
        self.iterations = self.rounds = 0

    def step(self) -> None:
        self.iterations += 1
        self.rounds += 512

    def policy(self, tree: solve.Tree) -> solve.Policy:
        return solve.cfr_plus(tree, self.iterations)


def test_a_run_is_measured_wherever_a_mark_is_behind_it_and_at_its_end() -> None:
    told: list[float] = []
    points = curve(Halving(), tree_of(SMALL), Marks(1e9, 5 * 512), told.append)
    assert [point["rounds"] for point in points] == [1024, 2048, 2560]
    assert [point["iterations"] for point in points] == [2, 4, 5]
    exact = solve.exploitability(tree_of(SMALL), solve.cfr_plus(tree_of(SMALL), 4))
    assert points[1]["exploitability"] == pytest.approx(exact, rel=1e-4)
    assert told == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])


def test_a_run_ends_when_its_time_is_over() -> None:
    points = curve(Halving(), tree_of(SMALL), Marks(1e-9), lambda done: None)
    assert len(points) == points[-1]["iterations"] == 1


# What is kept of it -------------------------------------------------------------------------------


def test_what_is_kept_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "KEPT", tmp_path / "kept.json")
    assert keeping.kept() == Found()
    point = {"seconds": 1.5, "iterations": 2, "rounds": 3, "exploitability": 0.25}
    runs = {Run("a", "ours", "x", 1): [point], Run("a", "open_spiel", "x"): [point, point]}
    found = Found(runs, {("a", "cfr"): 1e-12}, {"machine": "a", "torch": "2"})
    keeping.keep(found)
    assert keeping.kept() == found
    assert found.has(Run("a", "open_spiel", "x", 0))
    assert not found.has(Run("a", "open_spiel", "x", 1))


def test_a_run_that_was_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "KEPT", tmp_path / "kept.json")
    monkeypatch.setattr(keeping, "PACKAGES", ("numpy",))
    monkeypatch.setattr(command, "apart", lambda tree, name: 0.0)
    done: list[Run] = []

    def measured(run: Run, seconds: float, console: Any) -> list[dict[str, Any]]:
        if len(done) == 4:
            raise KeyboardInterrupt
        done.append(run)
        return [{"seconds": seconds, "iterations": 1, "rounds": 0, "exploitability": 0.1}]

    monkeypatch.setattr(command, "measured", measured)
    with pytest.raises(KeyboardInterrupt):
        command.main([])
    first = done.copy()
    done.clear()
    with pytest.raises(KeyboardInterrupt):
        command.main([])
    assert not {*first} & {*done}
    assert {*keeping.kept().runs} == {*first, *done}


def test_every_run_can_be_made_and_no_two_are_the_same() -> None:
    runs = [*command.runs(command.GAMES, 3)]
    assert len({*runs}) == len(runs)
    assert {run.seed for run in runs if run.algorithm in SOLVERS and run.algorithm != "psro"} == {0}
    assert {run.seed for run in runs if run.algorithm == "deep_cfr"} == {0, 1, 2}


def test_tables_are_made_of_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    game = command.GAMES[0]

    def points(lost: float) -> list[dict[str, Any]]:
        return [
            {"seconds": 2.1, "iterations": 9, "rounds": 1030, "exploitability": lost},
            {"seconds": 10.3, "iterations": 40, "rounds": 4600, "exploitability": lost / 2},
        ]

    runs = {Run(game, "open_spiel", "nfsp", seed): points(0.2 + seed / 10) for seed in range(3)}
    runs[Run(game, "ours", "nfsp", 0)] = points(0.08)
    found = Found(runs, {(game, "cfr"): 2e-13}, {"machine": "M", "open_spiel": "9"})
    monkeypatch.setattr(keeping, "kept", lambda: found)
    line = next(line for line in tables_of_references.by_time().splitlines() if "`nfsp`" in line)
    assert "0.300" in line  # of three seeds after two seconds
    assert "0.150" in line  # and after ten
    theirs, ours = tables_of_references.by_rounds().splitlines()[2:]
    assert "OpenSpiel" in theirs
    assert "0.300" in theirs
    assert "0.080" in ours
    assert "2e-13" in tables_of_references.agreement()
    assert "M" in tables_of_references.measured()
    assert "open_spiel 9" in tables_of_references.measured()


# With OpenSpiel -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAME)
def test_the_same_solvers_agree_iteration_by_iteration(name: str) -> None:
    pytest.importorskip("pyspiel")
    assert apart(tree_of(SMALL), name) < 1e-9


def test_another_solver_is_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that to be near says something."""
    pytest.importorskip("pyspiel")
    monkeypatch.setitem(SAME, "cfr", solve.CFR_PLUS)
    assert apart(tree_of(PAYS_IN_PLAY), "cfr") > 0.1


@pytest.mark.parametrize("name", [SMALL, PAYS_IN_PLAY])
@pytest.mark.slow
def test_the_door_shows_what_our_learners_see_and_pays_at_the_end(name: str) -> None:
    pytest.importorskip("pyspiel")
    tree, door = tree_of(name), Door(mini_game(name))
    theirs = {}
    for state in door.visit().values():
        seen = np.array(state.information_state_tensor(), np.float32).tobytes()
        theirs[state.current_player(), seen] = tuple(state.legal_actions())
    ours = {}
    for number, side in enumerate(tree.sides):
        batch = solve.states(tree, side.infostates)
        for lane, seen in enumerate(shown(batch, np.arange(batch.num_games))):
            legal = batch.legal[lane, : side.actions[lane]].tolist()
            ours[number, seen.tobytes()] = tuple(sorted(legal))
    assert ours == theirs
    assert len(door.visit()) == tree.num_infostates
    state = door.new_initial_state()
    while not state.is_terminal():
        assert state.returns() == state.rewards() == [0.0] * SEATS
        state = state.child(state.legal_actions()[0])
    assert sum(state.returns()) == 0


def test_their_uniform_play_is_as_exploitable_as_ours() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = from_file(tree_of(SMALL))
    theirs = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)) / 2
    assert theirs == pytest.approx(UNIFORM)


@pytest.mark.parametrize(("name", "share"), [("xfp", 0.5), ("mmd", 0.75)])
def test_their_solvers_come_nearer_to_an_equilibrium(name: str, share: float) -> None:
    pytest.importorskip("pyspiel")
    tree = tree_of(SMALL)
    solver = SOLVERS[name](from_file(tree))
    for _ in range(8):
        solver.step()
    assert solver.iterations == 8
    assert solve.exploitability(tree, solver.policy(tree)) < share * UNIFORM


def test_a_table_of_theirs_may_name_actions_that_are_not_legal() -> None:
    tree = tree_of(SMALL)
    side = tree.sides[1]
    number = int(np.flatnonzero(side.actions == 1)[0])
    policy = as_ours(tree, {f"1-1-{number + 1}-": [(0, 1.0), (1, 0.25)]})
    assert np.array_equal(policy[1], solve.uniform(tree)[1])


@pytest.mark.slow
def test_their_psro_ends_where_ours_does() -> None:
    """At an equilibrium, by other pools: theirs has one for each seat."""
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    tree = tree_of(SMALL)
    theirs = SOLVERS["psro"](from_file(tree))
    for _ in range(12):
        theirs.step()
    assert solve.exploitability(tree, theirs.policy(tree)) < 1e-4


@pytest.mark.parametrize("name", ["deep_cfr", "nfsp", "escher"])
@pytest.mark.slow
def test_their_learners_learn_through_the_door(name: str) -> None:
    pytest.importorskip("pyspiel")
    pytest.importorskip("tree", reason="dm-tree")
    from tools.reference_algorithms.learners import LEARNERS

    tree = tree_of(PAYS_IN_PLAY)
    learner = LEARNERS[name](Door(mini_game(PAYS_IN_PLAY)), seed=1)
    while learner.rounds < measuring.ROUNDS[1]:
        learner.step()
    lost = solve.exploitability(tree, learner.policy(tree))
    assert 0 < lost < 0.9 * solve.exploitability(tree, solve.uniform(tree))
