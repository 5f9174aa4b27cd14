"""What an engine's faults cost: the games that the page says, at the cost that it says, and nothing
else."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.cli.main import main
from domino_env.errors import BadOption
from domino_env.evaluate import TournamentSettings, play_tournament
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.protocol.faults import EngineFault
from tests.engines import misbehaving
from tests.engines.run import EXAMPLES, LANGUAGES, left_behind, play
from tests.test_engine_process import GREETS, python

RULES = domino_env.rules("block_draw")
MISBEHAVING = str(Path(misbehaving.__file__))

WHY = {
    "exits": "exited with status 3; its last words: that was too much",
    "exits_in_peace": "exited with status 0",
    "crashes": "was killed by SIGSEGV",
    "kills_itself": "was killed by SIGKILL",
    "stops_itself": "gave no answer within ",
    "keeps_silent": "gave no answer within ",
    "loops": "gave no answer within ",
    "writes_no_json": "wrote a line that is no JSON: bestmove 3|5",
    "writes_no_object": "wrote a line that is no JSON object: [1, 2, 3]",
    "writes_no_text": "wrote a line that is no JSON: ",
    "nests_deeply": "wrote a line that is no JSON: [[[[",
    "writes_another_type": "answered move with a message of type 'bestmove'",
    "answers_another_request": "answered request 4 when it was asked 3",
    "answers_another_game": "answered for game 1000000000, which was not asked about",
    "answers_twice": "answered request 3 when it was asked 4",
    "moves_illegally": "moved illegally: id 1000000 is none of ",
    "moves_by_text": "answered with the id '3|5', which is no whole number",
    "answers_half_and_sleeps": "gave no answer within ",
    "answers_half_and_exits": "exited with status 1",
    "writes_half_a_line": "exited with status 1",
    "writes_without_end": "wrote more than ",
    "writes_lines_without_end": "wrote more than ",
    "takes_memory": "MB of memory, more than 100 MB",
    "closes_output": "closed its output",
    "closes_input": "gave no answer within ",
    "leaves_children": "exited with status 1",
    "starts_many": "processes, more than it may",
    "complains_without_end": "exited with status 1; its last words: ",
}


def command(way: str, *words: str) -> list[str]:
    return [sys.executable, MISBEHAVING, way, *words]


def engine(way: str, *words: str, **options: Any) -> Any:
    return agents.make(
        "engine", command=command(way, *words), **{"seconds": 0.3, "memory": 100, **options}
    )


def batch_of(games: int = 4) -> Any:
    batch = domino_env.batch("block_draw", games, 2, seed=1, autoreset=False)
    batch.reset()
    return batch


def test_every_way_is_told() -> None:
    assert {*misbehaving.WAYS} == {*WHY}
    assert len(WHY) > 20


@pytest.mark.slow
@pytest.mark.parametrize("way", WHY)
def test_a_fault_forfeits_the_games_that_are_asked_and_no_others(way: str) -> None:
    # So many processes take their time to start, and memory too: more than the others may have.
    room = {"seconds": 3.0, "memory": 400} if way == "starts_many" else {}
    batch, agent = batch_of(12), engine(way, "--at", "3", group=4, **room)
    actions, faults = agent.attempt(batch, np.arange(12))
    legal = [batch.position(lane).legal_actions for lane in range(12)]
    late = way == "answers_twice"  # which is only noticed with the next request
    if late:
        actions, faults = agent.attempt(batch, np.arange(12))
        lost = {0, 1, 2, 3}
    else:
        half = "half_and" in way
        lost = {10, 11} if half else {8, 9, 10, 11}
    assert {*faults} == lost
    assert all(WHY[way] in why for why in faults.values()), faults
    for lane in range(12):
        assert (actions[lane] == -1) if lane in lost else (actions[lane] in legal[lane])
    again = agent.attempt(batch, np.arange(2))
    assert not again.faults
    starts = agent._session.starts
    assert starts == (1 if way == "moves_illegally" else 2)
    agent.close()
    assert not left_behind()


def test_one_that_does_not_start_is_refused_before_anything_is_played() -> None:
    entrant = Entrant("engine", "ghost", {"command": "./no/such/bot"})
    with pytest.raises(BadOption, match="bot could not be started: No such file"):
        TournamentSettings(agents=("random", entrant), deals=2)


def test_one_that_starts_no_more_forfeits_and_is_given_up(tmp_path: Path) -> None:
    mark = tmp_path / "gone"
    code = f"import os; os.path.exists({str(mark)!r}) and os._exit(7)\n{GREETS}"
    agent, batch = agents.make("engine", command=python(code)), batch_of(2)
    assert not agent.attempt(batch, np.arange(2)).faults
    mark.touch()
    agent.close()
    told = [agent.attempt(batch, np.arange(2)).faults for _ in range(5)]
    assert all({*faults} == {0, 1} for faults in told)
    assert [faults[0] for faults in told[:3]] == ["exited with status 7"] * 3
    assert [faults[0] for faults in told[3:]] == [
        "failed to start 3 times in a row, and is given up"
    ] * 2


def test_a_fault_is_an_error_where_nothing_can_be_forfeited() -> None:
    with pytest.raises(EngineFault, match=r"the engine .* exited with status 3"):
        engine("exits", "--at", "1").act(batch_of(1), np.arange(1))


def test_a_forfeit_costs_what_is_said_and_is_told_in_the_results(
    tmp_path: Path, capsys: Any
) -> None:
    chosen = {"agent": "engine", "command": command("exits", "--at", "5"), "name": "bot"}
    settings = tmp_path / "some.yaml"
    settings.write_text(json.dumps({"agents": ["random", chosen], "deals": 20, "chunk_size": 10}))
    assert main(["tournament", str(settings), "--out", str(tmp_path / "results")]) == 0
    said = "exited with status 3; its last words: that was too much"
    shown = " ".join(capsys.readouterr().out.split())
    assert "FORFEITS: bot forfeited " in shown
    assert said in shown
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    assert said in json.dumps(results)


def test_games_that_are_not_forfeited_are_as_without_the_faults() -> None:
    plain = Entrant("engine", "plain", {"command": python(GREETS)})
    wild = Entrant("engine", "wild", {"command": command("exits", "--at", "4"), "group": 8})
    clean = Pairing(RULES, None, plain, Entrant("greedy_pip")).play_deals(0, 30)
    pairing = Pairing(RULES, None, wild, Entrant("greedy_pip"))
    come = pairing.play_deals(0, 30)
    assert come.forfeits
    expected = clean.margins.copy()
    for each in come.forfeits:
        expected[each.deal, each.game] = -pairing.forfeit_cost
    assert (come.margins == expected).all()


# Clocks ------------------------------------------------------------------------------------------

SLOW = GREETS.replace(
    'elif said["type"] == "move":',
    'elif said["type"] == "move":\n        import time; time.sleep(0.05 * len(said[\'games\']))',
)


def test_a_request_of_some_games_has_the_time_of_all_of_them() -> None:
    batch, slow = batch_of(8), agents.make("engine", command=python(SLOW), seconds=0.06)
    assert not slow.attempt(batch, np.arange(8)).faults
    fast = agents.make("engine", command=python(SLOW), seconds=0.02)
    assert {*fast.attempt(batch, np.arange(8)).faults.values()} == {
        "gave no answer within 0.16 seconds, asked about 8 games"
    }


def test_a_game_has_a_clock_of_its_own() -> None:
    batch = batch_of(2)
    options = {"seconds": None, "game_seconds": 0.3, "increment": 0.01}
    slow = agents.make("engine", command=python(SLOW), **options)
    clocks = slow._games.clocks
    assert not slow.attempt(batch, np.arange(2)).faults
    left = clocks.left(1)
    assert left == clocks.left(2)
    assert left == pytest.approx(0.3 - 0.05 + 0.01, abs=0.02)
    for _ in range(10):
        faults = slow.attempt(batch, np.arange(2)).faults
        if faults:
            break
    assert all(why.startswith("gave no answer within ") for why in faults.values())


# All together ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_many_deals_among_engines_that_misbehave_and_are_killed() -> None:
    tools = {
        "c": "gcc",
        "java": "javac",
        "javascript": "node",
        "python": "python3",
        "rust": "rustc",
    }
    there = [name for name in LANGUAGES if shutil.which(tools[name])]
    for name in there:
        build(name)
    found = play(60, chance=0.02, kills_a_second=2.0, languages=there[:3])
    assert not found.wrong, found
    assert found.forfeits
    assert found.games == 2 * found.deals


def build(language: str) -> None:
    import subprocess

    subprocess.run([str(EXAMPLES / language / "build")], check=True, capture_output=True)


@pytest.mark.slow
def test_tournaments_give_the_same_results_on_two_threads() -> None:
    settings = {
        "agents": ("random", Entrant("engine", "bot", {"command": python(GREETS)})),
        "deals": 40,
        "chunk_size": 10,
    }
    one = play_tournament(TournamentSettings(**settings))
    two = play_tournament(TournamentSettings(**settings, threads=2))
    assert one.standings == two.standings
    assert not one.forfeits
