"""Trees beside OpenSpiel's and exhaustive play; solvers beside OpenSpiel's and each other."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, solve
from domino_env.cli.main import main
from domino_env.errors import BadOption
from domino_env.solve.mini_games import MINI_GAMES, mini_game

SMALL = [name for name, game in MINI_GAMES.items() if game.infostates <= 12_000]
TINY = {"set": "double_2", "hand_size": 2, "players": (2,)}


def double_three() -> Any:
    return mini_game("block_3")


@pytest.mark.parametrize("name", MINI_GAMES)
@pytest.mark.slow
def test_a_mini_game_is_as_large_as_is_said(name: str) -> None:
    mini = mini_game(name)
    tree = solve.tree(mini.rules, mini.num_players, calls=mini.calls)
    assert tree.num_infostates == mini.infostates
    assert tree.num_leaves < tree.num_histories
    first, second = tree.sides
    assert len(first.parents) + len(second.parents) == tree.num_infostates


@pytest.mark.parametrize("name", SMALL)
def test_two_solvers_find_the_value_that_is_published(name: str) -> None:
    mini = mini_game(name)
    tree = mini.tree
    for variant in (solve.DISCOUNTED_CFR, solve.PREDICTIVE_CFR_PLUS):
        solver = solve.Solver(tree, variant)
        solver.run(1500)
        within = solve.exploitability(tree, solver.policy)
        assert within < 2e-3
        value = solve.game_value(tree, solver.policy)
        assert value == pytest.approx(mini.value, abs=4 * within + 1e-5)


def test_figures_that_were_measured_from_outside() -> None:
    """Double three, hands of three, no drawing."""
    tree = double_three().tree
    assert tree.num_infostates == 6_744
    assert solve.exploitability(tree, "random") == pytest.approx(0.417, abs=5e-4)
    assert solve.exploitability(tree, "greedy_pip") == pytest.approx(0.376, abs=5e-4)
    assert solve.exploitability(tree, "heuristic") == pytest.approx(0.192, abs=5e-4)
    assert solve.exploitability(tree, solve.cfr_plus(tree, 200)) < 2e-4


def test_search_is_about_as_exploitable_as_was_measured_from_outside() -> None:
    tree = double_three().tree
    pimc = agents.make("pimc", worlds=512, seed=0)
    assert solve.exploitability(tree, pimc) == pytest.approx(0.057, abs=0.01)


def test_a_tree_beside_openspiels() -> None:
    """Information states, the value of uniform play, exploitability, and CFR+ step by step."""
    pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr
    from open_spiel.python.algorithms import exploitability as outside

    from domino_env.adapters.openspiel import load

    rules = domino_env.rules("block_draw", **TINY)
    tree = solve.tree(rules)
    game = load(rules, reward="margin")
    states: dict[int, set[str]] = defaultdict(set)
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if state.is_chance_node():
            waiting += [state.child(action) for action, _ in state.chance_outcomes()]
            continue
        states[state.current_player()].add(state.information_state_string())
        waiting += [state.child(action) for action in state.legal_actions()]
    assert [len(states[side]) for side in (0, 1)] == [len(s.parents) for s in tree.sides]
    theirs = outside.exploitability(game, policy.UniformRandomPolicy(game))
    assert solve.exploitability(tree, solve.uniform(tree)) == pytest.approx(theirs, abs=1e-9)
    reference = cfr.CFRPlusSolver(game)
    for iterations in range(1, 6):
        reference.evaluate_and_update_policy()
        expected = outside.exploitability(game, reference.average_policy())
        ours = solve.exploitability(tree, solve.cfr_plus(tree, iterations))
        assert ours == pytest.approx(expected, abs=1e-9)


def test_what_one_earns_over_another_is_what_duplicate_rounds_say() -> None:
    """The exact value of a pair of agents, and the mean of many rounds between them."""
    mini = double_three()
    exact = solve.value(mini.tree, "heuristic", "greedy_pip")
    earned = []
    for seat in (0, 1):
        batch = domino_env.batch(mini.rules, 20_000, 2, seed=5, autoreset=False)
        batch.reset()
        players = [agents.make("greedy_pip"), agents.make("greedy_pip")]
        players[seat] = agents.make("heuristic")
        total = np.zeros(batch.num_games)
        while (batch.seat >= 0).any():
            actions = np.full(batch.num_games, -1)
            for each in (0, 1):
                lanes = np.flatnonzero(batch.seat == each)
                if len(lanes):
                    actions[lanes] = players[each].act(batch, lanes)
            batch.step(actions)
            total += batch.reward[:, seat]
        earned.append(total)
    mean = np.concatenate(earned)
    assert exact == pytest.approx(mean.mean(), abs=4 * mean.std() / len(mean) ** 0.5)


@pytest.mark.parametrize("name", SMALL)
def test_every_information_state_is_met_where_it_is_shown(name: str) -> None:
    """A history of each leads to its seat, and to as many actions as it has."""
    tree = mini_game(name).tree
    for number, side in enumerate(tree.sides):
        batch = solve.states(tree, side.infostates)
        assert (tree.side_of[batch.seat] == number).all()
        assert (batch.num_legal == side.actions).all()


def test_chances_sum_to_one_whoever_is_asked() -> None:
    tree = double_three().tree
    for agent in ("random", "heuristic", agents.make("pimc", worlds=8, seed=1)):
        policy = solve.policy_of(tree, agent, asks=2)
        for side, chances in zip(tree.sides, policy, strict=True):
            assert np.add.reduceat(chances, side.firsts) == pytest.approx(1)


def test_best_responses_earn_what_exploitability_says() -> None:
    tree = double_three().tree
    policy = solve.policy_of(tree, "greedy_pip")
    best = solve.best_response(tree, policy)
    assert solve.value(tree, best, policy) == pytest.approx(solve.exploitability(tree, policy))


def test_what_has_no_tree_is_refused() -> None:
    with pytest.raises(BadOption, match="too large"):
        solve.tree("block_draw")
    with pytest.raises(BadOption, match="two sides"):
        solve.tree("block_draw", 3)
    with pytest.raises(BadOption, match="no tree"):
        solve.tree("blind")
    with pytest.raises(BadOption, match="no tree"):
        solve.tree("knock_out")
    tree = double_three().tree
    with pytest.raises(BadOption, match="chance for each sequence"):
        solve.exploitability(tree, (np.ones(3), np.ones(3)))
    with pytest.raises(BadOption, match="numbered"):
        solve.states(tree, [10**6])
    with pytest.raises(BadOption, match="asks"):
        solve.policy_of(tree, "random", asks=0)
    with pytest.raises(BadOption, match="mini game"):
        mini_game("block_33")


def test_the_command(tmp_path: Any, capsys: Any) -> None:
    file = tmp_path / "found.json"
    assert main(["exploit", "random", "heuristic", "--game", "block_3", "--json", str(file)]) == 0
    rows = json.loads(file.read_text())
    assert [row["agent"] for row in rows] == ["CFR+ 500", "random", "heuristic"]
    assert rows[1]["exploitability"] == pytest.approx(0.417, abs=5e-4)
    assert "0.417" in capsys.readouterr().out
    assert main(["exploit", "--list"]) == 0
    assert "partnership_block" in capsys.readouterr().out
    assert main(["exploit"]) != 0
    assert main(["exploit", "random", "--game", "nothing"]) != 0
