"""Nothing: random agents play a hundred games of every game with two or more seats

`DOMINO_GAMES` says how many of each instead. What an agent is shown is what the core shows, no
answer of one seat reaches another, and rewards are those of the game.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
import textarena
from textarena.wrappers import ClipCharactersActionWrapper

import domino_env
import domino_env.adapters.textarena
from domino_env import text
from domino_env.adapters.textarena import TextArenaEnv
from domino_env.errors import BadOption
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
GAMES = int(os.environ.get("DOMINO_GAMES", "100"))
TOGETHER = [
    variant for variant in domino_env.variants() if max(domino_env.rules(variant).players) > 1
]


def name_of(variant: str) -> str:
    return f"domino/{variant}-v0"


def answer(env: TextArenaEnv, chance: random.Random) -> str:
    return str(chance.choice(env.env.batch.position().legal))


def core(env: Any) -> TextArenaEnv:
    """The environment in its wrappers."""
    while isinstance(env, textarena.Wrapper):
        env = env.env
    return env  # type: ignore[no-any-return]


def play(env: Any, players: int, seed: int) -> tuple[dict[int, float], dict[int, Any]]:
    """A game of random legal moves, by what TextArena's own loop calls."""
    chance, done = random.Random(seed), False
    env.reset(num_players=players, seed=seed)
    while not done:
        player, observation = env.get_observation()
        assert player == core(env).env.to_move
        assert f"You are seat {player} of" in observation
        done, _ = env.step(answer(core(env), chance))
    return env.close()  # type: ignore[no-any-return]


def test_every_game_for_two_or_more_is_registered() -> None:
    registered = {
        name
        for name in textarena.envs.registration.ENV_REGISTRY
        if name.startswith("domino/") and name.endswith("-v0")
    }
    assert registered == {name_of(variant) for variant in TOGETHER}
    assert len(TOGETHER) == len(domino_env.variants()) - 3  # the games for one


@pytest.mark.parametrize("variant", TOGETHER)
def test_agents_play_games_of_it(variant: str) -> None:
    env = textarena.make(name_of(variant))
    every = domino_env.rules(variant).players
    for seed in range(GAMES):
        players = every[seed % len(every)]
        rewards, told = play(env, players, seed)
        game = core(env).env
        assert [*rewards] == [*told] == [*range(players)]
        assert [told[player]["points"] for player in told] == game.points
        won = [told[player]["won"] for player in told]
        expected = [1 if each else -1 for each in won] if any(won) else [0] * players
        assert [*rewards.values()] == expected
        assert not any(told[player]["invalid_move"] for player in told)
        answers = [m for m in game.transcript if m["role"] == "assistant"]
        assert sum(told[player]["turn_count"] for player in told) == len(answers)


def test_how_many_were_played(record_figure: Record) -> None:
    record_figure("games", len(TOGETHER))
    record_figure("rounds of each", GAMES)


def test_an_agent_is_shown_the_rules_and_what_the_core_shows() -> None:
    env = textarena.make("domino/five_up-v0")
    own = text.TextEnv("five_up", "self", num_players=3, reward="win", rules=False)
    env.reset(num_players=3, seed=7)
    prompt, done, chance = own.reset(7), False, random.Random(0)
    while not done:
        _, observation = env.get_observation()
        assert observation == f"{text.rules(own.batch)}\n\n{prompt}"
        said = answer(core(env), chance)
        prompt, _, done, _ = own.step(said)
        assert env.step(said)[0] == done


def test_a_conversation_has_the_own_answers_and_nobody_elses() -> None:
    env = textarena.make("domino/block_draw-v0-chat")
    env.reset(num_players=2, seed=3)
    seen, done, count = {0: "", 1: ""}, False, 0
    while not done:
        player, seen[player] = env.get_observation()
        secret = f"(thought {player} {count})"
        done, _ = env.step(f"{secret}\n{answer(core(env), random.Random(count))}")
        count += 1
    for player, told in seen.items():
        assert f"(thought {player} " in told
        assert f"(thought {1 - player} " not in told


def test_the_same_seed_is_the_same_deal_and_chance_of_others_is_left_alone() -> None:
    random.seed(5)
    expected = random.random()
    random.seed(5)
    firsts = []
    for _ in range(3):
        env = textarena.make("domino/matador-v0")
        env.reset(num_players=4, seed=11)
        firsts.append(env.get_observation())
    assert firsts[0] == firsts[1] == firsts[2]
    assert random.random() == expected


def test_who_cannot_answer_is_asked_again_and_then_loses_the_game() -> None:
    env = textarena.make("domino/block_draw-v0", error_allowance=1)
    env.reset(num_players=2, seed=0)
    player, _ = env.get_observation()
    done, info = env.step("I do not know")
    assert not done
    assert "'I do not know' names no tile" in info["refused"]
    again, observation = env.get_observation()
    assert again == player
    assert "Your answer was refused" in observation
    done, _ = env.step("nor now")
    rewards, told = env.close()
    assert done
    assert rewards == {player: -1, 1 - player: 0}
    assert told[player]["invalid_move"]
    assert not told[1 - player]["invalid_move"]
    assert (told[player]["retries"], told[player]["forfeits"]) == (1, 1)


def test_wrappers_of_textarena_go_around_it() -> None:
    env = ClipCharactersActionWrapper(textarena.make("domino/fours-v0"), max_num_characters=100)
    rewards, _ = play(env, 4, 1)
    assert sorted(rewards.values())[0] == -1


def test_seats_that_a_game_has_not_are_refused() -> None:
    with pytest.raises(BadOption):
        textarena.make("domino/fours-v0").reset(num_players=3)


@pytest.mark.parametrize("code", examples("textarena"))
def test_the_example_in_the_docs_runs(code: str) -> None:
    made = run(code)
    assert sum(made["rewards"].values()) == 0
