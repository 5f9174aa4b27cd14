"""Games as conversations: the same deal for the same seed, whatever is answered; retries and
forfeits are counted apart from the play."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest

import domino_env
from domino_env import text
from domino_env.actions import encode
from domino_env.adapters.gymnasium_text import GymnasiumText
from domino_env.cli.main import main
from domino_env.errors import BadOption, GameOver, NotReset

Episode = tuple[list[str], list[float], dict[str, Any]]


def moves_of(env: text.TextEnv) -> list[str]:
    return [str(move) for move in env.batch.position().legal]


def play(env: text.TextEnv, seed: int, luck: int = 0, nonsense: float = 0.0) -> Episode:
    """An episode with random answers, some of them nonsense; what was dealt and earned in it."""
    chance = random.Random(luck)
    prompts, rewards, info = [env.reset(seed)], [0.0] * env.batch.num_players, {}
    done = False
    while not done:
        answer = chance.choice(moves_of(env))
        if chance.random() < nonsense:
            prompt, _, done, info = env.step("I do not know")
            prompts.append(prompt)
            rewards = [a + b for a, b in zip(rewards, info["rewards"], strict=True)]
            if done:
                break
        prompt, _, done, info = env.step(answer)
        prompts.append(prompt)
        rewards = [a + b for a, b in zip(rewards, info["rewards"], strict=True)]
    return prompts, rewards, info


@pytest.mark.parametrize("name", domino_env.variants())
@pytest.mark.parametrize("opponents", ["random", "self"])
def test_a_transcript_replays_to_the_same_game(name: str, opponents: str) -> None:
    def new() -> text.TextEnv:
        explicit = domino_env.rules(name).has_calls
        return text.TextEnv(name, opponents, calls="explicit" if explicit else "automatic")

    env = new()
    play(env, seed=4, nonsense=0.2)
    again = new()
    again.reset(env.seed)
    for message in env.transcript:
        if message["role"] == "assistant":
            again.step(message["content"])
    assert again.transcript == env.transcript
    assert again.done
    assert again.batch.save(0) == env.batch.save(0)


def test_the_same_seed_is_the_same_deal_for_all_members_of_a_group() -> None:
    group = [text.TextEnv("block_draw", "greedy_pip", num_players=3, seed=n) for n in range(4)]
    firsts = [env.reset(11) for env in group]
    assert len({*firsts}) == 1
    deals = [env.batch.position().deal for env in group]
    for number, env in enumerate(group):
        play(env, seed=11, luck=number, nonsense=0.1 * number)
        assert env.batch.position().deal == deals[0]
    assert len({env.reset(seed) for seed in range(20) for env in group[:1]}) == 20
    seats = {group[0].reset(seed) and group[0].to_move for seed in range(20)}
    assert len(seats) == 3


def test_retries_change_nothing_but_their_count() -> None:
    for seed in range(10):
        straight = text.TextEnv("all_fives", "random", retries=5)
        _, _, info = play(straight, seed)
        stubborn = text.TextEnv("all_fives", "random", retries=5)
        stubborn.reset(seed)
        answers = [m["content"] for m in straight.transcript if m["role"] == "assistant"]
        for answer in answers:
            refused, reward, done, told = stubborn.step("hm")
            assert (reward, done, told["move"]) == (0.0, False, None)
            assert "refused: 'hm' names no tile" in refused
            last = stubborn.step(answer)
        assert last[3]["points"] == info["points"]
        assert last[3]["retries"] == len(answers)
        assert info["retries"] == last[3]["forfeits"] == info["forfeits"] == 0
        assert stubborn.batch.save(0) == straight.batch.save(0)


@pytest.mark.parametrize(("on_illegal", "answers"), [("retry", 3), ("forfeit", 1)])
def test_a_forfeit_ends_the_game_and_is_no_part_of_the_points(
    on_illegal: str, answers: int
) -> None:
    env = text.TextEnv("block_draw", on_illegal=on_illegal, retries=2, forfeit=7, seed=3)
    env.reset()
    before = env.batch.save(0)
    for number in range(answers):
        prompt, reward, done, info = env.step("[9|9]")
        assert done == (number == answers - 1)
    assert "The game is forfeited." in prompt
    assert (reward, info["forfeits"], info["retries"]) == (-7.0, 1, answers - 1)
    assert info["points"] == [0, 0]
    assert env.batch.save(0) == before
    with pytest.raises(GameOver):
        env.step("pass")


def test_a_seat_that_gives_no_answer_forfeits_without_a_retry() -> None:
    env = text.TextEnv("block_draw", reward="win", seed=3)
    with pytest.raises(NotReset):
        env.forfeit("too late")
    env.reset()
    seat = env.to_move
    prompt, reward, done, info = env.forfeit("it has used all its tokens")
    assert prompt == "No answer came: it has used all its tokens. The game is forfeited."
    assert (reward, done, info["refused"]) == (-1.0, True, "it has used all its tokens")
    assert (info["retries"], info["forfeits"]) == (0, 1)
    assert env.outcome(seat)["forfeits"] == 1
    with pytest.raises(GameOver):
        env.forfeit("again")


@pytest.mark.parametrize("name", ["block_draw", "fundomino", "all_fives"])
def test_the_outcome_of_a_seat_is_what_its_steps_have_told(name: str) -> None:
    env = text.TextEnv(name, "self", on_illegal="random")
    _, rewards, info = play(env, seed=2, nonsense=0.3)
    for seat in range(env.batch.num_players):
        told = env.outcome(seat)
        assert told["reward"] == rewards[seat]
        assert told["points"] == info["points"][seat]
        assert told["won"] == (seat in info["winners"])
        assert told["finished"] == 1
        assert told["random_moves"] == info["by_seat"]["random_moves"][seat]
        assert told["retries"] == told["forfeits"] == 0


def test_chance_moves_for_whoever_cannot_answer() -> None:
    env = text.TextEnv("block_draw", on_illegal="random", seed=3)
    env.reset()
    done, steps = False, 0
    while not done:
        _, _, done, info = env.step("what?")
        steps += 1
        assert info["move"] is not None
    assert info["random_moves"] == steps
    assert info["retries"] == info["forfeits"] == 0


def test_in_self_play_every_seat_is_asked_in_its_turn_and_all_is_paid() -> None:
    for name in ("block_draw", "five_up", "bendomino_teams"):
        env = text.TextEnv(name, "self", episode="match", reward="margin")
        prompts, rewards, _ = play(env, seed=2)
        assert sum(rewards) == pytest.approx(0)
        assert len(prompts) > 5
        for seat in range(env.batch.num_players):
            told = env.messages(seat)
            assert told[0]["role"] == "user"
            assert text.rules(env.batch) in told[0]["content"]
            assert sum(text.rules(env.batch) in each["content"] for each in told) == 1
            assert all(
                f"You are seat {seat} of" in m["content"] for m in told if m["role"] == "user"
            )
        assert "Round 1 is over. Points:" in "".join(prompts)


def test_a_learner_earns_all_that_its_seat_earns() -> None:
    earned = played = 0.0
    for seed in range(30):
        env = text.TextEnv("all_fives", "random", seat=1, num_players=3, reward="points")
        env.reset(seed)
        done = False
        while not done:
            _, reward, done, info = env.step(moves_of(env)[0])
            earned += reward
        played += info["points"][1]
    assert earned == played > 0


def test_some_seats_may_answer_and_agents_sit_in_the_others() -> None:
    env = text.TextEnv("bendomino_teams", ["greedy_pip", "random"], seat=[0, 2])
    env.reset(5)
    asked, done = set(), False
    while not done:
        asked.add(env.to_move)
        _, _, done, _ = env.step(moves_of(env)[0])
    assert asked == {0, 2}
    assert env.players.answering == [0, 2]


def test_illegal_moves_are_not_told_where_legal_ones_are_not_listed() -> None:
    env = text.TextEnv("block_draw", legal=False, seed=1)
    env.reset()
    refused, *_ = env.step("[0|0] on the 9")
    assert "Legal moves" not in refused
    assert not any(f"- {move}" in refused for move in moves_of(env))


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(BadOption, match="on_illegal must be one of retry, forfeit, random"):
        text.TextEnv("block_draw", on_illegal="raise")
    with pytest.raises(BadOption, match="seat is 'random', one of 0 to 1"):
        text.TextEnv("block_draw", seat=2)
    with pytest.raises(BadOption, match="every seat answers"):
        text.TextEnv("block_draw", "self", seat=0)
    with pytest.raises(BadOption, match="a list of 1"):
        text.TextEnv("block_draw", ["random", "random"])
    with pytest.raises(NotReset):
        text.TextEnv("block_draw").step("pass")


def test_gymnasium_has_texts_for_spaces() -> None:
    env = GymnasiumText("fundomino", opponents="random", seed=0)
    prompt, _ = env.reset(seed=4)
    assert prompt in env.observation_space
    terminated = False
    while not terminated:
        answer = moves_of(env.env)[0]
        assert answer in env.action_space
        prompt, _, terminated, truncated, info = env.step(answer)
        assert prompt in env.observation_space
        assert not truncated
    assert info["forfeits"] == 0


def test_a_game_is_played_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    env = text.TextEnv("block_draw", seed=6)
    answers, done = [], False
    env.reset()
    while not done:
        answers.append(moves_of(env)[0])
        *_, done, last = env.step(answers[-1])
    lines = "".join(f"{json.dumps(answer)}\n" for answer in ["hm", *answers])
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    assert main(["text", "block_draw", "--seed", "6", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == len(answers) + 2
    assert told[-1]["done"]
    assert told[-1]["info"]["points"] == last["points"]
    assert told[-1]["info"]["retries"] == 1
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers)))
    assert main(["text", "block_draw", "--seed", "6", "--no-rules"]) == 0
    assert "The game is over" in capsys.readouterr().out


def test_answers_in_words_play_the_same_game_as_actions() -> None:
    env = text.TextEnv("matador", "self", seed=1)
    env.reset()
    twin = domino_env.batch("matador", 1, seed=1, autoreset=False)
    twin.reset()
    done = False
    while not done:
        move = env.batch.position().legal[-1]
        twin.step_one(encode("matador", move))
        *_, done, _ = env.step(f"My move: {move}")
    assert twin.save(0) == env.batch.save(0)
