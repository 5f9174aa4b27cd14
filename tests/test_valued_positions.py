"""Positions with values: the files that come with the package, what answers cost, and the benchmark
of moves."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, text
from domino_env.cli.main import main
from domino_env.errors import BadOption, DominoError, IllegalMove, NotAMove
from domino_env.evaluate import score_moves, values_of
from domino_env.evaluate.move_benchmark import total
from domino_env.text import positions_file
from domino_env.text.valued_positions import rules_of_positions
from tools import move_scores
from tools import positions as made

NAMES = text.position_names()
WITHIN = 0.15 + 0.005  # values are kept in hundredths


def test_every_game_in_which_there_is_something_to_decide_has_positions() -> None:
    assert {name for name in NAMES if "-" not in name} == {*domino_env.variants()} - {"elimination"}
    assert len([name for name in NAMES if name.endswith("-double_3")]) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_what_they_were_and_their_values_are_sure(name: str) -> None:
    every = list(text.positions(name))  # which refuses legal moves other than those kept
    assert len({position.prompt(rules=False) for position in every}) == len(every)
    for position in every:
        worths = [move.value for move in position.moves]
        assert worths == sorted(worths, reverse=True)
        assert position.moves[0].error == 0.0
        assert position.moves[1].error <= WITHIN
        assert worths[0] > worths[-1]
        if "-" in name or name == "knock_out":
            assert not any(move.error for move in position.moves)


@pytest.mark.parametrize("name", ["block_draw-double_3", "knock_out", "bergen"])
def test_values_can_be_had_again(name: str) -> None:
    for position in list(text.positions(name))[:12]:
        again = {move.action: move for move in values_of(position.batch, position.lane, seed=123)}
        best = again[position.moves[0].action]
        for move in position.moves[:2]:
            sure = 4.5 * (move.error**2 + again[move.action].error ** 2 + best.error**2) ** 0.5
            behind = best.value - again[move.action].value
            assert abs(position.cost_of(move.action) - behind) <= sure + 0.011


def test_an_answer_costs_what_it_gives_away() -> None:
    position = next(text.positions("block_draw"))
    assert position.cost(position.best) == 0.0
    for name, value in position.values.items():
        assert position.cost(f"I play {name}.") == pytest.approx(position.moves[0].value - value)
    assert [*position.errors] == [*position.values]
    assert f"seat {position.seat} of 2" in position.prompt()
    assert "Legal moves" not in position.prompt(legal=False)
    assert repr(position) == "ValuedPosition('block_draw', 0)"
    with pytest.raises(NotAMove):
        position.cost("hello")
    played = position.batch.position(position.lane).events[0].tile
    with pytest.raises(IllegalMove):
        position.cost(f"I play {played}")
    with pytest.raises(BadOption, match="is not legal in"):
        position.cost_of(10_000)


def test_any_answer_is_judged_and_none_pays_better_by_being_illegal() -> None:
    position = text.position("block_draw", 3)
    assert repr(position) == "ValuedPosition('block_draw', 3)"
    worst = max(map(position.cost, position.values))
    for name in position.values:
        cost = position.cost(name)
        assert position.judge(name) == (cost, cost == 0.0, False, "")
    judged = position.judge("hello")
    assert (judged.given_away, judged.best, judged.illegal) == (worst, False, True)
    assert judged.why
    with pytest.raises(BadOption, match="has positions 0 to"):
        text.position("block_draw", 100_000)


def test_tasks_are_prompts_with_the_costs_of_answers() -> None:
    positions = list(text.positions("matador"))
    tasks = list(text.position_tasks("matador", legal=False, style="json"))
    assert len(tasks) == len(positions)
    for (prompt, cost), position in zip(tasks, positions, strict=True):
        assert prompt == position.prompt(legal=False, style="json")
        assert cost(position.best) == 0.0


def test_positions_are_found_by_rules_too() -> None:
    rules = domino_env.rules("block_draw", set="double_3", players=(2,), hand_size=3)
    assert next(text.positions(rules)).name == "block_draw-double_3"
    assert rules_of_positions("block_draw-double_3") == rules
    assert next(text.positions(domino_env.rules("matador"))).name == "matador"
    assert next(text.positions()).name == NAMES[0]
    with pytest.raises(BadOption, match="no positions of this block_draw"):
        next(text.positions(domino_env.rules("block_draw", hand_size=4)))
    with pytest.raises(BadOption, match="did you mean 'bergen'"):
        next(text.positions("bergn"))


# The files ----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(positions_file, "FOLDER", tmp_path)
    return tmp_path


def changed(content: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    told = json.loads(gzip.decompress(content))
    change(told)
    return gzip.compress(json.dumps(told).encode())


def test_making_positions_goes_on_where_it_stopped(folder: Path) -> None:
    name = "block_draw-double_3"
    assert made.main([name, "--positions", "3"]) == 0
    first = positions_file.collection(name)
    assert made.main([name, "--positions", "6"]) == 0
    both = positions_file.collection(name)
    assert both.entries[:3] == first.entries
    content = positions_file.path_of(name).read_bytes()
    positions_file.path_of(name).unlink()
    assert made.main([name, "--positions", "6"]) == 0
    assert positions_file.path_of(name).read_bytes() == content, "the same bytes again"
    assert positions_file.names() == [name]


def test_time_limits_what_is_made(folder: Path) -> None:
    assert made.main(["bergen", "--seconds", "0"]) == 0
    assert positions_file.names() == []


def test_files_that_have_changed_are_refused(folder: Path) -> None:
    name = "block_draw-double_3"
    made.main([name, "--positions", "2"])
    path = positions_file.path_of(name)
    content = path.read_bytes()
    path.write_bytes(changed(content, lambda told: told.update(version=99)))
    with pytest.raises(DominoError, match="another version"):
        next(text.positions(name))
    path.write_bytes(changed(content, lambda told: told["positions"][0][2].pop()))
    with pytest.raises(DominoError, match=r"position 0 of .* is not what it was"):
        next(text.positions(name))


# The benchmark ------------------------------------------------------------------------------------


def test_agents_are_scored_in_their_order() -> None:
    names = ["pimc", "heuristic", "random"]
    scores = [score_moves(name, "block_draw-double_3") for name in names]
    given = [score.given_away for score in scores]
    assert given == sorted(given)
    assert all(score.illegal == 0 and score.at_random > 0 for score in scores)
    assert scores[2].share == pytest.approx(1.0, abs=0.2)
    assert score_moves("optimal", "knock_out").given_away == 0.0
    assert score_moves("optimal", "knock_out").best == scores_of("knock_out")


def scores_of(name: str) -> int:
    return len(list(text.positions(name)))


class Strange:
    """Answers every third position with a move that is not legal, and fails in every fourth."""

    name = "strange"

    def act(self, batch: Any, lanes: Any) -> Any:
        """For one lane, as somebody else's agent is asked."""
        (lane,) = lanes
        if lane % 4 == 0:
            raise RuntimeError("out of sorts")
        return np.array([10_000 if lane % 3 == 0 else batch._legal_of(lane)[0]])


def test_illegal_answers_are_counted_apart() -> None:
    score = score_moves(Strange, "matador")
    number = scores_of("matador")
    wrong = sum(place % 4 == 0 or place % 3 == 0 for place in range(number))
    assert (score.illegal, score.positions) == (wrong, number - wrong)
    assert score.why == "RuntimeError: out of sorts"
    together = total([score, score_moves("random", "matador")])
    assert (together.illegal, together.positions) == (wrong, 2 * number - wrong)
    assert together.why == score.why
    with pytest.raises(BadOption, match="no scores"):
        total([])


def test_an_agent_is_only_asked_about_games_that_it_plays() -> None:
    with pytest.raises(BadOption, match="optimal does not play block_draw"):
        score_moves("optimal", "block_draw")


def test_the_command_scores_agents(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "scores.json"
    words = ["--agent", "greedy_pip", "--agent", "{agent: pimc, worlds: 8}", "--game", "matador"]
    assert main(["benchmark", "moves", *words, "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "greedy_pip: points given away a decision" in shown
    assert shown.index("The agents in their order") < shown.rindex("pimc worlds=8")
    assert shown.rindex("pimc worlds=8") < shown.rindex("greedy_pip")
    first, second = json.loads(file.read_text())
    assert [score["game"] for score in first] == ["matador", "all games"]
    assert second[0]["given_away"] < first[0]["given_away"]


def test_the_command_takes_all_games_that_an_agent_plays(capsys: Any) -> None:
    assert main(["benchmark", "moves", "--agent", "optimal"]) == 0
    shown = capsys.readouterr().out
    assert "knock_out" in shown
    assert "solitaire" not in shown
    assert main(["benchmark", "moves", "--agent", "optimal", "--game", "matador"]) == 2
    assert main(["benchmark", "moves", "--agent", "{agent"]) == 2
    assert "this is not YAML" in capsys.readouterr().err


def test_our_agents_are_scored_for_the_docs(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(move_scores, "KEPT", tmp_path / "scores.json")
    assert move_scores.main(["knock_out", "bergen", "bergen-double_3"]) == 0
    rows = move_scores.kept()
    assert [score.agent for score in rows["knock_out"]] == ["optimal", "random"]
    assert "net" not in {score.agent for score in rows["bergen-double_3"]}
    order = [score.agent for score in move_scores.totals(rows)]
    assert {*order} == {"pimc", "search", "net", "heuristic", "greedy_pip", "random"}
    assert order.index("heuristic") < order.index("random")
    assert "clairvoyant" not in move_scores.players("block_draw")
    assert {"net", "pimc"} <= {*move_scores.players("block_draw")}
    assert agents.is_ours(agents.found("net"))
