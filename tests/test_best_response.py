"""Opponents that are trained against a frozen agent: what they earn, beside best responses."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from domino_env import solve
from domino_env.cli.main import main
from domino_env.config.game_settings import house_rules
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant
from domino_env.solve.mini_games import mini_game

pytest.importorskip("torch")
from domino_env.train.best_response import Table, chosen, learn_to_exploit

pytestmark = pytest.mark.slow

WITHIN = 0.05  # points a round


@pytest.mark.parametrize("agent", ["heuristic", "greedy_pip", "random"])
def test_what_is_learned_is_nearly_the_best_response(agent: str) -> None:
    """Not more than the best response earns, but for luck, and at most 0.05 points less."""
    mini = mini_game("block_3")
    exact = solve.exploitability(mini.tree, agent)
    changes = {"players": (2,), **mini.changes}
    found = learn_to_exploit(mini.game, Entrant(agent), 15, rules=changes, deals=40_000, worlds=0)
    assert exact - WITHIN < found.margin < exact + 2 * found.within
    assert found.within < 0.02


def test_games_with_calls_are_learned_with_their_calls() -> None:
    """An opponent earns what it earns in the game where points are called, and not in the other:
    `random` often forgets to call."""
    mini = mini_game("all_fives_calls_3")
    changes = {"players": (2,), **mini.changes}
    how: dict[str, Any] = {"rules": changes, "deals": 4000, "worlds": 0}
    called = learn_to_exploit(mini.game, Entrant("random"), 5, calls=mini.calls, **how)
    counted = learn_to_exploit(mini.game, Entrant("random"), 5, **how)
    exact = solve.exploitability(mini.tree, "random")
    assert called.margin < exact + 2 * called.within
    assert called.margin > 0.8 * exact
    assert called.margin > counted.margin + called.within + counted.within


def test_a_search_on_top_finds_more() -> None:
    """It knows how `heuristic` plays, and does not take long to learn it; it is used only if it
    earns more."""
    plain = learn_to_exploit("block_draw", Entrant("heuristic"), 1, deals=300, worlds=0)
    searched = learn_to_exploit("block_draw", Entrant("heuristic"), 1, deals=300, worlds=32)
    assert (plain.worlds, searched.worlds) == (0, 32)
    assert searched.margin > plain.margin + searched.within


def test_an_opponent_searches_only_if_it_earns_more_so() -> None:
    agent, rules = Entrant("random"), house_rules("block_draw", {})
    table = Table(rules, 2, agent, "automatic")
    good, bad = Entrant("heuristic"), Entrant("greedy_pip")
    assert chosen(table, [bad, good]) is good
    assert chosen(table, [good, bad]) is good


def test_more_than_two_players_and_agents_of_ones_own() -> None:
    """The opponent sits alone among copies of the agent, or as a team against one."""
    for game, seats in (("block_draw", 3), ("partnership_block", 4)):
        found = learn_to_exploit(
            game, Entrant("random"), 0.1, num_players=seats, deals=100, worlds=2
        )
        assert found.decisions > 0
        assert found.margin > 0

    class Lowest:
        """Plays the legal action with the lowest number."""

        def act(self, batch: Any, lanes: Any) -> Any:
            return batch.legal[lanes, 0].astype(np.int64)

    found = learn_to_exploit("block_draw", Entrant(Lowest), 0.1, deals=100, worlds=2)
    assert found.agent == "Lowest"
    assert found.to_plain()["seconds"] == 0.1


def test_what_cannot_be_learned_is_refused() -> None:
    for seconds in (0, -1, float("nan"), "long"):
        with pytest.raises(BadOption, match="seconds"):
            learn_to_exploit("block_draw", Entrant("random"), seconds)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="does not play"):
        learn_to_exploit("block_draw", Entrant("turn_first"), 1)


def test_the_command(tmp_path: Any, capsys: Any) -> None:
    file = tmp_path / "found.json"
    words = [
        "--learn",
        "0.1",
        "--deals",
        "100",
        "--worlds",
        "4",
        "--iterations",
        "10",
        "--json",
        str(file),
    ]
    assert main(["exploit", "random", "--game", "block_2", "--game", "block_draw", *words]) == 0
    rows = json.loads(file.read_text())
    assert [(row["game"], "margin" in row) for row in rows] == [
        ("block_2", False),
        ("block_2", False),
        ("block_2", True),
        ("block_draw", True),
    ]
    assert "at least" in capsys.readouterr().out
    assert main(["exploit", "random", "--game", "block_draw"]) != 0
    assert "--learn" in capsys.readouterr().err
    assert main(["exploit", "random", "--game", "nothing", "--learn", "1"]) != 0
    assert main(["exploit", "random", "--learn", "0"]) != 0
    assert main(["exploit", "random", "--learn", "1", "--deals", "1"]) != 0
    assert main(["exploit", "random", "--learn", "1", "--worlds", "-1"]) != 0
    assert "worlds" in capsys.readouterr().err
