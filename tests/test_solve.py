"""Trees beside OpenSpiel's and exhaustive play; solvers beside OpenSpiel's and each other."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, solve
from domino_env.cli.main import main
from domino_env.errors import BadOption
from domino_env.solve.mini_games import MINI_GAMES, mini_game
from domino_env.solve.plans import seat_value
from tests.beliefs import events_of
from tools.solver_speed import as_ours, blurred

SMALL = [name for name, game in MINI_GAMES.items() if game.infostates <= 12_000]
TINY = {"set": "double_2", "hand_size": 2, "players": (2,)}
DRAWS = domino_env.rules("block_draw", **TINY)


def double_three() -> Any:
    return mini_game("block_3")


@pytest.mark.parametrize("name", MINI_GAMES)
@pytest.mark.slow
def test_a_mini_game_is_as_large_as_is_said(name: str) -> None:
    mini = mini_game(name)
    tree = solve.tree(mini.rules, mini.num_players, calls=mini.calls)
    assert tree.num_infostates == mini.infostates
    assert tree.num_leaves < tree.num_histories
    said = solve.estimate(mini.rules, mini.num_players, calls=mini.calls).megabytes
    assert tree.nbytes < 1e6 * said + 20e6
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


WITH_TAKES = domino_env.rules(
    "fundomino",
    set="listed",
    sets=("listed",),
    tiles=("1|1", "1|2", "+1|2", "+2|1", "*|1"),
    hand_size=2,
    players=(2,),
)


class PlayedOut:
    """Every history of a game, played by the engine from every order of its tiles, and in every way
    in which a tile can be taken out of a hand."""

    def __init__(self, rules: Any) -> None:
        self.infostates: set[Any] = set()
        self.takes = 0
        self.batch = domino_env.batch(rules, 1, 2, seed=0, autoreset=False)
        decks = [*permutations(range(rules.num_tiles))]
        size = rules.hand_size_for(2)
        decks = [
            d
            for d in decks
            if all([*d[s : s + size]] == sorted(d[s : s + size]) for s in (0, size))
        ]
        self.value = sum(self.from_deal(deck, size) for deck in decks) / len(decks)

    def from_deal(self, deck: Any, size: int) -> float:
        hands = [[*deck[:size]], [*deck[size : 2 * size]]]
        self.batch.reset(options={"deal": {"hands": hands, "boneyard": [*deck[2 * size :]]}})
        return self.on(deck, size)

    def on(self, deck: Any, size: int) -> float:
        """What seat 0 earns over seat 1 from here on, if both play at random."""
        batch, seat = self.batch, int(self.batch.seat[0])
        if seat < 0:
            return float(batch.games["gained"][0, 0] - batch.games["gained"][0, 1])
        own = tuple(deck[seat * size : (seat + 1) * size])
        self.infostates.add((seat, own, *events_of(batch, 0, seat)))
        before, legal, total = batch.save(0), batch.legal[0, : batch.num_legal[0]].copy(), 0.0
        for action in legal:
            outcomes = self.outcomes(int(action), before)
            for after in outcomes:
                batch.restore(0, after)
                total += self.on(deck, size) / len(outcomes) / len(legal)
        return total

    def outcomes(self, action: int, before: bytes) -> list[bytes]:
        batch, found = self.batch, {}
        for state in range(24):
            batch.restore(0, before)
            batch._games["rng"][0] = state * 0x1234567
            batch.step_one(action)
            found[str(events_of(batch, 0))] = batch.save(0)
        self.takes += len(found) > 1
        return [*found.values()]


def test_tiles_taken_at_random_are_every_tile_of_the_hand() -> None:
    """A tree beside every order of the tiles, played out."""
    found, tree = PlayedOut(WITH_TAKES), solve.tree(WITH_TAKES)
    assert found.takes
    assert tree.num_infostates == len(found.infostates)
    assert seat_value(tree, solve.uniform(tree)) == pytest.approx(found.value)
    batch = solve.states(tree, np.arange(tree.num_infostates))
    sides = np.zeros(tree.num_infostates, int)
    for number, side in enumerate(tree.sides):
        sides[side.infostates] = number
    assert (batch.seat == sides).all()
    for lane in range(tree.num_infostates):
        seat, size = int(batch.seat[lane]), 2
        own = tuple(sorted(batch.events[lane, seat * size : (seat + 1) * size].tolist()))
        found.infostates.remove((seat, own, *events_of(batch, lane, seat)))
    assert not found.infostates


@pytest.mark.parametrize("rules", [mini_game("block_2").rules, WITH_TAKES, DRAWS])
def test_openspiel_reads_the_same_game_from_a_file(rules: Any, tmp_path: Any) -> None:
    """As many information states, the same value of uniform play, and CFR+ in the same steps."""
    pyspiel = pytest.importorskip("pyspiel")
    tree, file = blurred(solve.tree(rules)), tmp_path / "small.efg"
    solve.write_efg(tree, file)
    game = pyspiel.load_game("efg_game", {"filename": str(file)})
    uniform = pyspiel.UniformRandomPolicy(game)
    ours = solve.exploitability(tree, solve.uniform(tree))
    assert pyspiel.exploitability(game, uniform) == pytest.approx(ours, abs=1e-9)
    solver = pyspiel.CFRPlusSolver(game)
    for iterations in range(1, 5):
        solver.evaluate_and_update_policy()
        theirs = solver.tabular_average_policy().policy_table()
        assert len(theirs) == tree.num_infostates
        for mine, other in zip(
            solve.cfr_plus(tree, iterations), as_ours(tree, theirs), strict=True
        ):
            assert mine == pytest.approx(other, abs=1e-9)


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
