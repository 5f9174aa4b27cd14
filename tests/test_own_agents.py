"""Agents of one's own: they go wherever a name goes, and data imports nothing."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.adapters.sb3 import SB3VecEnv
from domino_env.adapters.single import SingleEnv, SingleVectorEnv
from domino_env.agents.custom import loading
from domino_env.cli.main import main
from domino_env.cli.new_agent import write as write_stub
from domino_env.data.generate import DatasetSettings
from domino_env.data.writer import write_dataset
from domino_env.errors import BadAction, BadDataset, BadOption, IllegalMove
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.rollout import play_episodes
from domino_env.evaluate.tournament import TournamentSettings, play_tournament
from domino_env.play.game_host import GameHost
from domino_env.play.saved_games import SavedGames
from domino_env.play.setup import entrant, make_setup
from tests.refusals import refused

BOT = '''
"""What a stranger writes."""

class Last:
    """Takes the last legal move; asked for each decision."""

    def choose(self, position):
        return position.legal[-1]


class Whole:
    """The same for whole batches, with options."""

    name = "whole"

    def __init__(self, from_end=1, seed=None):
        self.from_end, self.seed = from_end, seed

    def act(self, batch, lanes):
        assert self.from_end == 1
        return batch.num_actions - 1 - batch.mask[lanes, ::-1].argmax(1)


class Needs:
    def __init__(self, depth):
        self.depth = depth

    def choose(self, position):
        return position.legal_actions[-1]


class Refuses:
    def __init__(self):
        raise OSError("no weights")

    def choose(self, position):
        pass


class Rows:
    @staticmethod
    def plays(rules):
        return rules.id == "blind"

    def choose(self, position):
        return position.legal[0]


class Thing:
    pass


made = Whole()


def helper():
    pass
'''
MARK = "open('imported', 'w').close()\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's folder, with a file of agents, and nothing else."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(loading, "_folders", [])
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "stranger.py").write_text(BOT, encoding="utf-8")
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("stranger")]:
        del sys.modules[name]


FILE = "bots/stranger.py:Last"


class Mine:
    """As an object, or as a class."""

    def act(self, batch: Any, lanes: Any) -> Any:
        return batch.num_actions - 1 - batch.mask[lanes, ::-1].argmax(1)


def forms(folder: Path) -> dict[str, Any]:
    sys.path.append(str(folder / "bots"))
    return {
        "file": FILE,
        "module": "stranger:Whole",
        "options": {"agent": "bots/stranger.py:Whole", "from_end": 1},
        "made": "stranger:made",
        "class": Mine,
        "object": Mine(),
        "settings of a class": {"agent": Mine},
        "with its code": agents.source(FILE),
    }


# Wherever a name goes ----------------------------------------------------------------------------


def test_make_takes_all_forms(folder: Path) -> None:
    batch = domino_env.batch("block_draw", 16, seed=0)
    batch.reset()
    last = [batch.position(lane).legal_actions[-1] for lane in range(16)]
    for form, given in forms(folder).items():
        options = dict(given) if isinstance(given, dict) else {"agent": given}
        agent = agents.make(options.pop("agent"), **options)
        assert agent.act(batch, np.arange(16)).tolist() == last, form
        assert agents.name_of(agent) in ("Last", "whole", "Mine")


def test_opponents_of_environments_take_all_forms(folder: Path) -> None:
    expected = None
    for form, given in forms(folder).items():
        env: Any = gymnasium.make("domino/five_up-v0", opponents=given)
        vector = SingleVectorEnv("five_up", 2, opponents=[given])
        trainer = SB3VecEnv("five_up", 2, opponents=given, seed=0)
        trainer.reset()
        told = []
        for seed in range(3):
            _, info = env.reset(seed=seed)
            vector.reset(seed=seed)
            over = False
            while not over:
                action = int(np.flatnonzero(info["action_mask"])[0])
                seen, reward, over, _, info = env.step(action)
                told.append((seen.tobytes(), reward))
        expected = expected or told
        assert told == expected, form


def test_tournaments_take_all_forms_and_call_them_by_their_names(folder: Path) -> None:
    expected = None
    for form, given in forms(folder).items():
        settings = TournamentSettings(agents=("greedy_pip", given), deals=20)
        standing = play_tournament(settings).standings[0]
        name = {"file": "Last", "with its code": "Last"}.get(form, "")
        assert not name or standing.second == name
        figures = standing.margin, standing.within, standing.games, standing.forfeits
        expected = expected or figures
        assert figures == expected, form


def test_an_agent_that_is_asked_for_each_move_plays_as_one_for_batches(folder: Path) -> None:
    for game in ("blind", "fundomino", "bendomino_all_five", "cross"):
        ways = ("bots/stranger.py:Last", "bots/stranger.py:Whole")
        assert (
            play_tournament(TournamentSettings((game,), agents=ways, deals=6)).standings[0].tied
            == 6
        ), game


def test_the_command_plays_in_the_folder_where_it_is_begun(folder: Path) -> None:
    """In a process of its own: a module of the current folder, which Python would not look in."""
    (folder / "here.py").write_text(BOT, encoding="utf-8")
    ways = 'agents=[random, here:Whole, {agent: "bots/stranger.py:Last", name: mine}]'
    words = ["tournament", "--set", ways, "--set", "deals=4", "--out", "out"]
    code = f"import sys; from domino_env.cli.main import main; sys.exit(main({words!r}))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads((folder / "out" / "results.json").read_text(encoding="utf-8"))
    assert {each["name"] for each in figures["ratings"]} == {"random", "whole", "mine"}
    written = [each["agent"] for each in figures["settings"]["agents"]]
    assert written == ["random", "here:Whole", "bots/stranger.py:Last"]


def test_a_config_names_them(folder: Path) -> None:
    config = folder / "mine.yaml"
    config.write_text("agents:\n- random\n- bots/stranger.py:Last\ndeals: 4\n", encoding="utf-8")
    assert main(["tournament", str(config), "--out", "out"]) == 0
    config.write_text("agents:\n- random\n- bots/stranger.py:Lost\n", encoding="utf-8")
    assert main(["tournament", str(config), "--out", "out"]) == 2


def test_data_sets_are_made_by_them(folder: Path) -> None:
    settings = DatasetSettings(games=20, agents=(FILE, "greedy_pip"), threads=2, rows=100)
    manifest = json.loads(write_dataset(settings, "data").read_text(encoding="utf-8"))
    assert manifest["agents"] == ["Last", "greedy_pip"]
    assert manifest["complete"]
    (folder / "bots" / "stranger.py").write_text(BOT.replace("-1", "0"), encoding="utf-8")
    with refused(BadDataset, "other code of Last"):
        write_dataset(settings, "data")


def test_training_pools_take_them(folder: Path) -> None:
    changes = [
        *("rounds_per_iteration=64", "hidden_sizes=[8]"),
        *("distill.iterations=0", "ppo.iterations=3"),
        'pool.opponents={"bots/stranger.py:Last": 0.5}',
        'evaluation={every: 1, deals: 4, against: ["bots/stranger.py:Whole"]}',
    ]
    words = [word for change in changes for word in ("--set", change)]
    assert main(["train", *words, "--out", "run"]) == 0
    curve = json.loads((folder / "run" / "curve.json").read_text(encoding="utf-8"))
    assert [*curve[-1]["margins"]] == ["bots/stranger.py:Whole"]


def test_play_takes_them_with_options(folder: Path) -> None:
    (folder / "my bots").mkdir()
    (folder / "my bots" / "stranger.py").write_text(BOT, encoding="utf-8")
    found = entrant("my bots/stranger.py:Whole from_end=1")
    assert (found.agent, found.options) == ("my bots/stranger.py:Whole", {"from_end": 1})
    setup = make_setup("blind", against=["my bots/stranger.py:Whole", "bots/stranger.py:Rows"])
    host = GameHost(SavedGames(folder / "kept"))
    try:
        host.begin(setup)
        assert host.game is not None
        with host.condition:
            assert host.condition.wait_for(lambda: asked(host), timeout=30)
        assert not host.game.error
    finally:
        host.close()
    with refused(BadOption, "Rows does not play block_draw"):
        make_setup("block_draw", against=["bots/stranger.py:Rows"])


def asked(host: GameHost) -> bool:
    """Is it for the person to move, or is it over?"""
    game = host.game
    return game is not None and game.session.to_move in (None, game.session.person)


# Installed packages ------------------------------------------------------------------------------


@pytest.fixture
def installed(folder: Path) -> Path:
    """Packages that declare agents: one is whole, the others are not."""
    about = folder / "strangers-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[domino_env.agents]\nlast = stranger:Last\nrows = stranger:Rows\n"
        "broken = stranger_missing:Last\nrandom = stranger:Needs\n"
    )
    sys.path[:0] = [str(folder), str(folder / "bots")]
    loading.listed.cache_clear()
    loading._tried.cache_clear()
    yield folder
    sys.path[:2] = []
    loading.listed.cache_clear()
    loading._tried.cache_clear()


def test_agents_of_installed_packages_are_listed_and_made(installed: Path) -> None:
    assert {"last", "rows", "broken"} <= {*agents.names()}
    assert "stranger" not in sys.modules, "a list of names imports nothing"
    assert "last" in agents.names("block_draw")
    assert not {"rows", "broken"} & {*agents.names("block_draw")}
    assert "rows" in agents.names("blind")
    assert isinstance(agents.make("random"), agents._classes()["random"]), "ours is ours"
    SingleEnv("block_draw", opponents="last").reset(seed=0)
    results = play_tournament(TournamentSettings(agents=("last", "greedy_pip"), deals=4))
    assert results.names == ["last", "greedy_pip"]
    with refused(BadOption, "'broken' (stranger_missing:Last)", "No module named"):
        agents.make("broken")


# What is refused, in a line ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("bots/stranger.py:Lats", ["bots/stranger.py has no 'Lats'", "did you mean 'Last'"]),
        ("bots/missing.py:Last", ["bots/missing.py cannot be read: No such file"]),
        ("bots/empty.py:Last", ["bots/empty.py has no 'Last', nor any other agent"]),
        ("bots/wrong.py:Last", ["bots/wrong.py cannot be imported: SyntaxError", "line 3"]),
        ("bots/raises.py:Last", ["ZeroDivisionError: division by zero (raises.py, line 2)"]),
        ("bots/leaves.py:Last", ["bots/leaves.py cannot be imported: SystemExit: 3"]),
        ("bots/lacks.py:Last", ["ModuleNotFoundError: No module named 'no_such_thing'"]),
        ("bots/zeros.py:Last", ["bots/zeros.py cannot be imported: "]),
        ("no_such_module:Last", ["there is no module 'no_such_module'"]),
        ("json:Last", ["json (", "has no 'Last', nor any other agent"]),
        (
            "bots/stranger.py:Thing",
            ["'bots/stranger.py:Thing' is no agent", "with act(batch, lanes) or choose(position)"],
        ),
        ("bots/stranger.py:helper", ["with act(batch, lanes) or choose(position)"]),
        ("bots/stranger.py:Needs", ["Needs must be given depth"]),
        ("bots/stranger.py:Refuses", ["Refuses cannot be made: OSError: no weights"]),
        ("bots/stranger.py:", ["file.py:Class or module:Class, not 'bots/stranger.py:'"]),
        ("bots/stranger.py", ["unknown agent 'bots/stranger.py'", "file.py:Class"]),
        ("../x:Last", ["file.py:Class or module:Class"]),
        (".x:Last", ["file.py:Class or module:Class"]),
        ("a b:Last", ["file.py:Class or module:Class"]),
    ],
)
def test_what_is_no_agent_is_refused_in_a_line(
    reference: str, words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents = {
        "empty": "",
        "wrong": "import os\n\ndef choose(:\n",
        "raises": "\n1 / 0\n",
        "leaves": "raise SystemExit(3)",
        "lacks": "import no_such_thing",
        "zeros": "\0",
    }
    for name, text in contents.items():
        (folder / "bots" / f"{name}.py").write_text(text, encoding="utf-8")
    with refused(BadOption, *words):
        agents.make(reference)
    said = ["tournament", "--set", f'agents=[random, "{reference}"]', "--out", "out"]
    assert main(said) == 2
    assert main(["play", "block_draw", "--terminal", "--against", reference, "--out", "k"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 2
    for word in words:
        assert error.count(word) == 2
    assert not (folder / "out").exists()


def test_options_are_those_of_the_class(folder: Path) -> None:
    with refused(BadOption, "whole has no option 'from_start'", "from_end"):
        agents.make("bots/stranger.py:Whole", from_start=1)
    with refused(BadOption, "Mine is an object already"):
        agents.make(Mine(), seed=1)
    with refused(BadOption, "5 is no agent"):
        agents.make(5)
    made = agents.make_seeded("bots/stranger.py:Whole", 7)
    assert getattr(made, "seed") == 7  # noqa: B009
    name = Entrant("bots/stranger.py:Whole", options={"from_end": 1}).name
    assert name == "whole from_end=1"


def test_a_file_may_import_what_stands_beside_it_and_is_read_anew(folder: Path) -> None:
    (folder / "bots" / "stranger_helper.py").write_text("PLACE = -1", encoding="utf-8")
    file = folder / "bots" / "asks.py"
    text = BOT.replace("[-1]", "[PLACE]").replace(
        "class Last", "from stranger_helper import *\nclass Last"
    )
    file.write_text(text, encoding="utf-8")
    first = agents.found("bots/asks.py:Last")
    assert agents.found("bots/asks.py:Last") is first
    file.write_text(text + "\nAGAIN = 1", encoding="utf-8")
    assert agents.found("bots/asks.py:Last") is not first


# What it sees ------------------------------------------------------------------------------------


def test_choose_is_shown_no_tile_that_its_seat_has_not_seen() -> None:
    seen: list[Any] = []

    class Looks:
        def choose(self, position: Any) -> int:
            seen.append(position)
            return int(position.legal_actions[0])

    batch = domino_env.batch("block_draw", 4, 3, seed=0, autoreset=False)
    batch.reset()
    play_episodes(batch, [agents.make(Looks)] * 3)
    for position in seen:
        assert position.viewer == position.to_move
        assert position.deal is None
        for seat, hand in enumerate(position.hands):
            assert all((tile is None) == (seat != position.to_move) for tile in hand)


def test_choose_answers_with_a_legal_move_or_its_action() -> None:
    batch = domino_env.batch("block_draw", 1, seed=0)
    batch.reset()
    shown = batch.position().seen_by(int(batch.seat[0]))

    class Says:
        def __init__(self, answer: Any) -> None:
            self.answer = answer

        def choose(self, position: Any) -> Any:
            return self.answer

    def acts(answer: Any) -> Any:
        return agents.make(Says(answer)).act(batch, np.array([0])).tolist()

    for move, action in zip(shown.legal, shown.legal_actions, strict=True):
        assert acts(move) == acts(action) == acts(np.int64(action)) == [action]
    with refused(IllegalMove, "CALL is not legal; legal: "):
        acts(domino_env.Move("call"))
    for nonsense in (None, "PASS", True, 1.0, [1]):
        with refused(BadAction, "one of position.legal"):
            acts(nonsense)


# Its code goes along -----------------------------------------------------------------------------


@pytest.mark.parametrize("reference", [FILE, "stranger:Whole"])
def test_an_agent_plays_where_its_file_is_not(reference: str, folder: Path, tmp_path: Path) -> None:
    """As on the nodes of a cluster: in another process, in another folder, without the file."""
    sys.path.append(str(folder / "bots"))
    sides = Entrant(reference).packed, Entrant("greedy_pip").packed
    pairing = Pairing(domino_env.rules("five_up"), None, *sides, seed=3)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "pairing").write_bytes(pickle.dumps(pairing))
    (folder / "bots" / "stranger.py").unlink()
    code = (
        "import pickle, sys; pairing = pickle.load(open('pairing', 'rb'));"
        "print(pairing.play_deals(0, 5).margins.tolist())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "elsewhere",
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == pairing.play_deals(0, 5).margins.tolist()


def test_a_tournament_is_played_by_the_code_that_was_there_when_it_began(folder: Path) -> None:
    usual = play_tournament(
        TournamentSettings(agents=("greedy_pip", FILE), deals=8, chunk_size=4)
    ).standings

    def changed(*_: Any) -> None:
        text = BOT.replace("legal[-1]", "legal[0]")
        (folder / "bots" / "stranger.py").write_text(text, encoding="utf-8")

    settings = TournamentSettings(agents=("greedy_pip", FILE), deals=8, chunk_size=4)
    assert play_tournament(settings, changed).standings == usual


# Data imports nothing ----------------------------------------------------------------------------


def test_a_saved_record_imports_nothing_until_its_agent_is_named(folder: Path) -> None:
    saved_games = SavedGames(folder / "kept")
    host = GameHost(saved_games, extra_agents=[FILE])
    host.begin(make_setup("block_draw", against=[FILE], seed=1))
    with host.condition:
        assert host.condition.wait_for(lambda: asked(host), timeout=30)
        assert host.game is not None
        shown = host.game.session.position
        host.act(shown.legal_actions[0])
    host.close()
    (folder / "bots" / "stranger.py").write_text(MARK + BOT, encoding="utf-8")
    kept = saved_games.latest()[0]
    assert FILE in kept.record.names
    later = GameHost(saved_games)
    with refused(BadOption, "was played against", f'--against "{FILE}"'):
        later.resume(kept)
    later.close()
    assert not (folder / "imported").exists()
    again = GameHost(saved_games, extra_agents=[FILE])
    again.resume(kept)
    again.close()
    assert (folder / "imported").exists()


def test_the_page_can_have_nothing_imported(folder: Path) -> None:
    from domino_env.play.server import OPERATIONS

    (folder / "bots" / "stranger.py").write_text(MARK + BOT, encoding="utf-8")
    host = GameHost(None, extra_agents=["heuristic"])
    try:
        with refused(BadOption, "is not offered here"):
            OPERATIONS["begin"](host, {"game": "block_draw", "against": [FILE]})
    finally:
        host.close()
    assert not (folder / "imported").exists()


def test_no_manifest_or_journal_imports_anything(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from domino_env.data.reader import Dataset, read_manifest
    from domino_env.evaluate.journal import JOURNAL, Journal
    from domino_env.record import read_all

    settings = TournamentSettings(agents=("random", FILE), deals=4)
    with closing(Journal(folder, settings, resumed=False)) as journal:
        play_tournament(settings, journal=journal)
    said = ["tournament", "--set", f"agents=[random, {FILE}]", "--set", "deals=4"]
    assert main([*said, "--out", "out"]) == 0
    write_dataset(DatasetSettings(games=4, agents=(FILE,)), "data")
    (folder / "bots" / "stranger.py").write_text(MARK + BOT, encoding="utf-8")
    read_manifest(Path("data"))
    Dataset("data")
    read_all("out/records.jsonl")
    other = TournamentSettings(agents=("random", "greedy_pip"), deals=4)
    with refused(BadOption, "is of a tournament with other"):
        Journal(folder, other, resumed=True)
    assert (folder / JOURNAL).exists()
    assert not (folder / "imported").exists()


# What a person is told ---------------------------------------------------------------------------


def test_an_agent_that_fails_in_play_is_named_and_the_game_stays(folder: Path) -> None:
    (folder / "bots" / "late.py").write_text(
        "class Late:\n    def choose(self, position):\n"
        "        return 10_000 if len(position.events) > 4 else position.legal[0]\n"
        "class Never:\n    def choose(self, position):\n        return None\n",
        encoding="utf-8",
    )
    host = GameHost(None)
    try:
        host.begin(make_setup("block_draw", against=["bots/late.py:Late"], seed=1))
        while not trouble(host):
            with host.condition:
                assert host.condition.wait_for(lambda: asked(host) or trouble(host), timeout=30)
                if host.game is not None and not trouble(host):
                    host.act(host.game.session.position.legal_actions[0])
        said = "bots/late.py:Late moved illegally: action 10000 is none of 0 to"
        assert trouble(host).startswith(said)
        assert host._thinker.is_alive()
        host.undo()  # and the move can be taken back
        assert not trouble(host)
        with refused(BadOption, "Never raised BadAction: choose(position) returns one of"):
            host.begin(make_setup("block_draw", against=["bots/late.py:Never"]))
    finally:
        host.close()


def trouble(host: GameHost) -> str:
    return host.game.error if host.game is not None else ""


def test_a_pool_and_a_data_set_say_who_failed_and_where(folder: Path) -> None:
    (folder / "bots" / "fails.py").write_text(
        "class Fails:\n    def choose(self, position):\n        return [][0]\n", encoding="utf-8"
    )
    with refused(BadOption, "Fails raised IndexError: list index out of range (fails.py, line 3)"):
        write_dataset(DatasetSettings(games=4, agents=("bots/fails.py:Fails",)), "data")


# Shown as they were made -------------------------------------------------------------------------


def test_our_agents_are_shown_as_they_were_made() -> None:
    assert repr(agents.make("pimc", worlds=64, seed=0)) == "pimc(worlds=64, seed=0)"
    assert repr(agents.make("greedy_pip")) == "greedy_pip()"
    assert repr(agents.make_seeded("random", 5)) == "random(seed=5)"
    for name in agents.names():
        made = agents.make(name)
        assert repr(made) == f"{name}()"
        assert repr(pickle.loads(pickle.dumps(made))) == f"{name}()"


# A stub ------------------------------------------------------------------------------------------


def test_a_new_agent_plays_every_game_as_it_is(folder: Path) -> None:
    file = write_stub("MyAgent")
    assert file == Path("my_agent.py")
    for game in domino_env.variants():
        batch = domino_env.batch(game, 3, seed=1, autoreset=False)
        batch.reset()
        agent = agents.make("my_agent.py:MyAgent")
        for _ in range(30):
            lanes = np.flatnonzero(batch.seat >= 0)
            if len(lanes):
                batch.step(agent.act(batch, lanes), lanes)


def test_the_command_writes_a_stub_once_and_says_what_to_type(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-agent", "my_agent"]) == 0
    said = capsys.readouterr().out
    for line in ("my_agent.py:MyAgent]", "--against my_agent.py:MyAgent"):
        assert line in said
    before = Path("my_agent.py").read_bytes()
    assert main(["new-agent", "my-agent"]) == 2
    assert "my_agent.py exists already" in capsys.readouterr().err
    assert Path("my_agent.py").read_bytes() == before
    for name in ("", "1st", "a b", "x.txt", "none/here"):
        assert main(["new-agent", name]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    typed = ["tournament", "--set", "agents=[random, greedy_pip, my_agent.py:MyAgent]"]
    assert main([*typed, "--set", "deals=4", "--out", "out"]) == 0
