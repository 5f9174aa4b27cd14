"""Nothing: Kaggle's random agents and its harness for language models play the OpenSpiel games

The harness asks a model that is a function here. Agents are given what their seats may know and no
state, and the same seed is the same deal.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pyspiel
import pytest
from kaggle_environments import core_harness

import domino_env
from domino_env.adapters.kaggle import Harness, make
from domino_env.adapters.openspiel import load
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
SOME = ["block_draw", "five_up", "fundomino", "matador", "mexican_train", "fours", "all_fives"]


def begun(env: Any) -> Any:
    """Dealt: Kaggle deals with its first step, for which no agent decides."""
    env.reset()
    env.step([None] * len(env.state))
    return env


def dealt(env: Any) -> list[str]:
    """What each seat is shown first."""
    return [state.observation.observationString for state in begun(env).state]


def final(env: Any) -> list[Any]:
    return env.steps[-1]  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", SOME)
def test_random_agents_play_games_with_every_number_of_players(name: str) -> None:
    for players in domino_env.rules(name).players:
        for seed in range(3):
            env = make(name, num_players=players, seed=seed)
            env.run(["random"] * players)
            rewards = [state.reward for state in final(env)]
            assert [state.status for state in final(env)] == ["DONE"] * players
            assert {*rewards} in ({1, -1}, {0})


def test_how_many_were_played(record_figure: Record) -> None:
    record_figure("games", sum(3 * len(domino_env.rules(name).players) for name in SOME))
    record_figure("games of a model", 2 * len(SOME))


def test_rewards_and_moves_are_those_of_openspiel() -> None:
    env = make("five_up", num_players=3, seed=2, reward="margin")
    env.run(["random"] * 3)
    state = load("five_up", num_players=3, reward="margin").new_initial_state()
    for action in map(int, env.info["actionHistory"]):
        state.apply_action(action)
    assert state.is_terminal()
    assert [each.reward for each in final(env)] == pytest.approx(state.returns())


def test_house_rules_can_be_played() -> None:
    mini = replace(domino_env.rules("block_draw"), set="double_3", hand_size=3, players=(2,))
    env = make(mini, seed=0)
    env.run(["random", "random"])
    assert final(env)[0].status == "DONE"


def test_the_same_seed_is_the_same_deal() -> None:
    hands = [dealt(make("matador", num_players=4, seed=seed)) for seed in (5, 5, 6)]
    assert hands[0] == hands[1] != hands[2]


@pytest.mark.parametrize("name", SOME)
def test_an_agent_is_given_what_its_seat_may_know_and_no_more(name: str) -> None:
    env = begun(make(name, seed=3))
    players = len(env.state)
    hands = [own_hand(state.observation.observationString) for state in env.state]
    for seat, state in enumerate(env.state):
        told = {**state.observation}
        assert not told.get("serializedGameAndState")
        if seat != told["currentPlayer"]:
            assert not told["legalActions"]
        others = {tile for other in range(players) if other != seat for tile in hands[other]}
        assert not any(tile in json.dumps(told) for tile in others - hands[seat])


def own_hand(told: str) -> set[str]:
    (line,) = [line for line in told.splitlines() if line.startswith("Your hand:")]
    return {*line.removeprefix("Your hand: ").split()}


@pytest.mark.parametrize(("name", "losers"), [("partnership_block", 2), ("fours", 1)])
def test_who_forfeits_loses_and_a_partner_too(name: str, losers: int) -> None:
    env = begun(make(name, num_players=4, seed=1))
    mover = env.state[0].observation.currentPlayer
    env.step([{"submission": -1} if seat == mover else None for seat in range(4)])
    lost = {seat for seat in range(4) if env.state[seat].reward < 0}
    assert lost == {mover, (mover + 2) % 4 if losers == 2 else mover}


# Language models ----------------------------------------------------------------------------------


def agent(
    game: str, say: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, players: int
) -> Any:
    """Kaggle's harness with a function for a model."""

    def call(prompt: str, *given: Any) -> tuple[str, dict[str, Any]]:
        counts = dict.fromkeys(("prompt_tokens", "generation_tokens", "total_tokens"), 1)
        return say(prompt), {"finish_reason": "stop", "duration_secs": 0.0, **counts}

    monkeypatch.setattr(core_harness, "_call_llm", call)
    monkeypatch.setattr(core_harness, "_SEND", lambda module, **told: None)
    return core_harness.create_agent_fn(Harness(game, players), model_override=("m", {}))


def any_move(prompt: str) -> str:
    told = prompt.rpartition("Legal moves:\n")[2].splitlines()
    moves = [line.removeprefix("- ") for line in told if line.startswith("- ")]
    return f"I think, and then I think again.\n\n**{random.Random(prompt).choice(moves)}**"


@pytest.mark.parametrize("name", SOME)
def test_the_harness_plays_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    players = domino_env.rules(name).players[0]
    for seed in range(2):
        model = agent(name, any_move, monkeypatch, players)
        env = make(name, seed=seed)
        env.run([model, *["random"] * (players - 1)])
        assert [state.status for state in final(env)] == ["DONE"] * players
        assert not any("INVALID" in str(step) for step in env.steps)


def test_who_names_no_legal_move_is_asked_again_and_then_forfeits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def say(prompt: str) -> str:
        asked.append(prompt)
        return "I do not know"

    env = make("block_draw", seed=0)
    model = agent("block_draw", say, monkeypatch, 2)
    env.run([model, model])
    assert sorted(state.reward for state in final(env)) == [-1, 1]
    assert len(asked) == 2
    assert asked[1].startswith(asked[0].rpartition("\nWhat")[0])
    assert "Your answer was refused: 'I do not know'" in asked[1]


def test_kaggle_has_the_game_that_openspiel_has() -> None:
    env = make("five_up", num_players=4)
    assert env.configuration.openSpielGameName == "domino"
    assert pyspiel.load_game(env.configuration.openSpielGameString).num_players() == 4


def test_the_example_in_the_docs_runs() -> None:
    (code,) = examples("kaggle")
    assert len(run(code)["rewards"]) == 4
