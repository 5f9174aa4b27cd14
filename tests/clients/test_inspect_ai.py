"""Nothing: `mockllm` plays evaluations of five games, against agents and against itself

The model answers by what it is shown and no more. Scores are the games', every epoch and every
model gets the same deals, and no seat is shown another's conversation.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import inspect_ai
import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.model._providers.mockllm import MockLLM

from domino_env import text
from domino_env.adapters.inspect_ai import domino_moves, dominoes
from domino_env.errors import BadOption
from tests.clients.answering import any_move
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
Say = Callable[[list[Any]], str]
PLAYED = ["block_draw", "five_up", "fundomino", "mexican_train", "fours"]
GAMES = 25  # of each


def any_answer(messages: list[Any]) -> str:
    """A legal move, by the last prompt."""
    return any_move(messages[-1].text)


def model(say: Say = any_answer) -> Any:
    def answer(messages: list[Any], *others: Any) -> ModelOutput:
        told = ModelOutput.from_content("mockllm", say(messages))
        read = sum(len(message.text) for message in messages) // 3
        told.usage = ModelUsage(input_tokens=read, output_tokens=10, total_tokens=read + 10)
        return told

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)


@pytest.fixture
def evaluate(tmp_path: Path) -> Callable[..., EvalLog]:
    def evaluated(task: Any, say: Say = any_answer, **options: Any) -> EvalLog:
        folder = str(tmp_path / "logs")
        (log,) = inspect_ai.eval(task, model(say), log_dir=folder, display="none", **options)
        assert log.status == "success", log.error
        return log

    return evaluated


def scores(log: EvalLog) -> list[dict[str, float]]:
    return [sample.scores["outcome"].value for sample in log.samples]


def metric(log: EvalLog, name: str) -> float:
    (found,) = [score for score in log.results.scores if score.name == name]
    return float(found.metrics["mean"].value)


@pytest.mark.parametrize("game", PLAYED)
def test_scores_are_those_of_the_games_that_the_core_plays(evaluate: Any, game: str) -> None:
    log = evaluate(dominoes(game, games=GAMES, opponents="greedy_pip", seed=5))
    own = text.TextEnv(game, "greedy_pip", reward="win")
    assert len(log.samples) == GAMES
    for sample, told in zip(log.samples, scores(log), strict=True):
        prompt, done = own.reset(sample.metadata["seed"]), False
        while not done:
            prompt, _, done, _ = own.step(any_move(prompt))
        assert told == own.outcome(own.players.answering[0])
        answers = [m for m in own.transcript if m["role"] == "assistant"]
        assert [m.text for m in sample.messages if m.role == "assistant"] == [
            m["content"] for m in answers
        ]
    assert metric(log, "finished") == 1
    assert metric(log, "forfeits") == metric(log, "retries") == 0
    assert metric(log, "won") == sum(told["won"] for told in scores(log)) / GAMES


def test_how_many_were_played(record_figure: Record) -> None:
    record_figure("games", GAMES * len(PLAYED))


def test_every_epoch_has_the_same_deals(evaluate: Any) -> None:
    log = evaluate(dominoes("matador", games=5, num_players=4), epochs=3)
    firsts: dict[str, set[str]] = {}
    for sample in log.samples:
        firsts.setdefault(sample.id, set()).add(sample.messages[0].text)
    assert [len(each) for each in firsts.values()] == [1] * 5
    assert len(set.union(*firsts.values())) == 5


@pytest.mark.parametrize("players", [2, 4])
def test_models_play_each_other_and_see_only_their_own_seats(evaluate: Any, players: int) -> None:
    heard: dict[int, list[list[Any]]] = {seat: [] for seat in range(players)}

    def in_seat(seat: int) -> Say:
        def say(messages: list[Any]) -> str:
            heard[seat].append(messages)
            return f"(thought of {seat})\n{any_answer(messages)}"

        return say

    roles = {f"seat_{seat}": model(in_seat(seat)) for seat in range(1, players)}
    task = dominoes("five_up", games=5, opponents="self", num_players=players)
    log = evaluate(task, in_seat(0), model_roles=roles)
    for seat in range(players):
        assert heard[seat]
        for messages in heard[seat]:
            assert all(f"You are seat {seat} of" in m.text for m in messages if m.role == "user")
            thoughts = "".join(m.text for m in messages if m.role == "assistant")
            others = [other for other in range(players) if other != seat]
            assert not any(f"(thought of {other})" in thoughts for other in others)
    for told in scores(log):
        assert sum(told[f"won_{seat}"] for seat in range(players)) <= 1
        assert all(told[f"finished_{seat}"] == 1 for seat in range(players))


def test_retries_and_forfeits_are_counted_apart(evaluate: Any) -> None:
    log = evaluate(dominoes("block_draw", games=3, retries=1), lambda messages: "I do not know")
    for told in scores(log):
        counted = (told["reward"], told["retries"], told["forfeits"], told["finished"])
        assert counted == (-1, 1, 1, 0)
        assert told["points"] == told["won"] == 0


def test_who_has_used_all_its_tokens_forfeits(evaluate: Any) -> None:
    log = evaluate(dominoes("block_draw", games=3), token_limit=1500)
    for told in scores(log):
        assert (told["reward"], told["forfeits"], told["retries"]) == (-1, 1, 0)


def test_what_cannot_be_played_is_refused_before_a_model_is_asked() -> None:
    with pytest.raises(BadOption):
        dominoes("fours", num_players=3)


def test_inspect_finds_it_by_its_name(evaluate: Any) -> None:
    log = evaluate("domino_env/dominoes", task_args={"game": "blind", "games": 2})
    assert (log.eval.task, log.eval.task_args["game"]) == ("domino_env/dominoes", "blind")
    assert [sample.id for sample in log.samples] == ["blind 0", "blind 1"]


@pytest.mark.parametrize("code", examples("inspect_ai"))
def test_the_example_in_the_docs_runs(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def counted(*given: Any) -> int:
        return 1  # its own way downloads a tokenizer

    monkeypatch.setattr(MockLLM, "count_tokens", counted)
    monkeypatch.chdir(tmp_path)
    assert run(code)["log"].status == "success"


# Single decisions ---------------------------------------------------------------------------------


def test_a_position_is_a_sample_and_its_score_is_what_the_answer_gives_away(evaluate: Any) -> None:
    log = evaluate(domino_moves("bergen-double_3"), limit=50)
    assert len(log.samples) == 50
    for sample in log.samples:
        position = text.position("bergen-double_3", sample.metadata["number"])
        cost = position.cost(any_move(sample.input))
        told = sample.scores["given_away"].value
        assert told["given_away"] == pytest.approx(cost)
        assert (told["best"], told["illegal"]) == (cost == 0, 0)
    costs = [sample.scores["given_away"].value["given_away"] for sample in log.samples]
    assert metric(log, "given_away") == pytest.approx(sum(costs) / 50)


def test_an_answer_that_is_no_move_gives_away_as_much_as_the_worst(evaluate: Any) -> None:
    task = domino_moves("block_draw", legal=False, style="json")
    log = evaluate(task, lambda messages: "I do not know", limit=5)
    for sample in log.samples:
        position = text.position("block_draw", sample.metadata["number"])
        worst = max(map(position.cost, position.values))
        told = sample.scores["given_away"]
        assert told.value["given_away"] == pytest.approx(worst)
        assert (told.value["best"], told.value["illegal"]) == (0, 1)
        assert told.explanation


def test_inspect_finds_the_positions_by_their_name(evaluate: Any) -> None:
    log = evaluate("domino_env/domino_moves", task_args={"game": "knock_out"}, limit=3)
    assert [sample.id for sample in log.samples] == [f"knock_out {each}" for each in range(3)]
