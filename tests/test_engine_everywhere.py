"""An engine wherever an agent can be: an opponent, in play, in configs, on a cluster, resumed."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.errors import BadOption
from domino_env.evaluate import TournamentSettings
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.watchdog import CheckedAgent, checked
from domino_env.play.game_host import GameHost, make_player
from domino_env.play.saved_games import SavedGames
from domino_env.record import Recorder
from tests.engines.run import EXAMPLES
from tests.test_engine_process import GREETS, python

ENGINE = str(EXAMPLES / "python" / "engine.py")
COMMAND = [sys.executable, ENGINE]


def test_as_an_opponent_of_an_environment() -> None:
    env = gymnasium.make("domino/block_draw-v0", opponents={"agent": "engine", "command": COMMAND})
    _, info = env.reset(seed=0)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(np.argmax(info["action_mask"])))
    env.close()


def test_in_play() -> None:
    player = make_player(f"engine command=[{sys.executable},{ENGINE}] seconds=2", 0)
    assert isinstance(player, CheckedAgent)
    batch = domino_env.batch("five_up", 1, seed=0)
    batch.reset()
    batch.step(player.act(batch, np.arange(1)))


def test_in_training_its_faults_are_errors() -> None:
    broken = checked(agents.make("engine", command=python("import sys; sys.exit(3)")))
    batch = domino_env.batch("five_up", 1, seed=0)
    batch.reset()
    with pytest.raises(BadOption, match="engine exited with status 3"):
        broken.act(batch, np.arange(1))


def test_it_is_given_its_options_and_a_seed() -> None:
    code = GREETS.replace(
        '"name":"Tiny"}',
        '"name":"Tiny","options":[{"name":"seed","type":"integer"},'
        '{"name":"depth","type":"integer","low":1,"high":9}]}',
    ).replace(
        'print(\'{"type":"ready"}\'',
        'print(\'{"type":"ready"}\' if said["options"] == {"depth": 3, "seed": 7} else "wrong"',
    )
    batch = domino_env.batch("five_up", 1, seed=0)
    batch.reset()
    made = agents.make_seeded("engine", 7, command=python(code), options={"depth": 3})
    made.act(batch, np.arange(1))
    with pytest.raises(BadOption, match=r"depth must be of type integer from 1 to 9, not 10"):
        agents.make("engine", command=python(code), options={"depth": 10}).act(batch, np.arange(1))
    with pytest.raises(BadOption, match="has no option 'width'; did you mean"):
        agents.make("engine", command=python(code), options={"width": 1}).act(batch, np.arange(1))


def test_it_plays_the_games_that_it_says() -> None:
    code = GREETS.replace('"name":"Tiny"}', '"name":"Tiny","games":["five_up"]}')
    engine = agents.make("engine", command=python(code))
    assert agents.plays(engine, "five_up")
    assert agents.plays(engine, domino_env.rules("five_up", target=50))
    assert not agents.plays(engine, "block_draw")
    strict = code.replace('"games"', '"house_rules":false,"games"')
    engine = agents.make("engine", command=python(strict))
    assert agents.plays(engine, "five_up")
    assert not agents.plays(engine, domino_env.rules("five_up", target=50))
    assert not agents.plays(agents.make("engine", command=COMMAND), "solitaire")


def test_a_config_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from domino_env.config.loader import load

    monkeypatch.chdir(EXAMPLES)
    file = tmp_path / "some.yaml"
    file.write_text("agents: [random, {agent: engine, command: [./python/run], seconds: 0.1}]")
    settings = load(TournamentSettings, file, [])
    packed = settings.agents[1].packed
    assert packed.options["command"] == [str(EXAMPLES / "python" / "run")]
    assert pickle.loads(pickle.dumps(packed)).make(0).description.name == "Heaviest in Python"


def test_its_program_is_part_of_a_run(tmp_path: Path) -> None:
    program = tmp_path / "engine.py"
    program.write_text(Path(ENGINE).read_text())
    one = Entrant("engine", "bot", {"command": [sys.executable, str(program)]})
    before = one.code_sum
    program.write_text(program.read_text() + "\n")
    assert before != one.code_sum


def test_it_tells_what_it_thinks() -> None:
    made: Any = agents.make("engine", command=COMMAND, options={"talks": True})
    batch = domino_env.batch("five_up", 2, seed=0)
    batch.reset()
    actions = made.act(batch, np.arange(2)).tolist()
    assert [
        max(info.values, key=info.values.__getitem__) for info in made.infos.values()
    ] == actions
    assert {info.text for info in made.infos.values()} == {"0 tiles have been drawn"}


def test_what_a_saved_game_names_is_not_started(tmp_path: Path) -> None:
    mark = tmp_path / "started"
    host = GameHost()
    host.saved_games = SavedGames(tmp_path)
    batch = domino_env.batch("five_up", 1, 2, seed=0)
    batch.reset()
    names = ("you", f"engine command=[/bin/touch,{mark}]")
    host.saved_games.new_file("five_up").write_text(Recorder(batch, names=names).record.text())
    try:
        with pytest.raises(BadOption, match="to resume it, start domino play with --against"):
            host.resume(host.saved_games.latest()[0])
        assert not mark.exists()
    finally:
        host.close()
