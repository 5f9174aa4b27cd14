"""Settings from YAML and the command line: what is read, and how errors say what and where."""

import errno
import json
import os
import re
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

import pytest

from domino_env import files
from domino_env.cli.demo import DemoSettings
from domino_env.config.loader import as_dict, check, load, rows, setting
from domino_env.data.generate import DatasetSettings
from domino_env.errors import BadOption
from domino_env.evaluate.tournament import TournamentSettings
from domino_env.games import variants
from domino_env.ruleset import MAX_SEATS
from domino_env.train.settings import Phase, Pool, TrainSettings


@dataclass(frozen=True)
class Optimiser:
    """A part."""

    learning_rate: float = setting(1e-3, "how fast", low=0, high=1)
    steps: int = setting(10, "how many", low=1)

    def __post_init__(self) -> None:
        if self.steps == 13:
            raise BadOption("nobody takes 13 steps")


@dataclass(frozen=True)
class Drill:
    """Every kind of setting."""

    game: str = setting("block_draw", "what", choices=lambda: ["block_draw", "five_up"])
    lanes: int = setting(64, "side by side", low=1, high=65536)
    rate: float = 0.5
    exact: bool = False
    width: float | None = setting(None, "stop below", low=0)
    sizes: tuple[int, ...] = setting((64, 64), "of layers", low=1)
    pair: tuple[int, str] = (1, "a")
    games: tuple[str, ...] | Literal["all"] = setting("all", choices=["block_draw", "five_up"])
    rules: dict[str, Any] = setting({}, "house rules")
    shares: dict[str, float] = field(default_factory=dict)
    mode: Literal["fast", "slow"] = "fast"
    optimiser: Optimiser = Optimiser(steps=20)
    second: Optimiser | None = None
    who: tuple[str | Optimiser, ...] = ()

    def __post_init__(self) -> None:
        check(self)
        if self.exact and self.lanes > 100:
            raise BadOption("exact needs 100 lanes or fewer")


@dataclass(frozen=True)
class Needy:
    """One that cannot do without."""

    game: str = setting(help="must be given")


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "x.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_without_a_file_settings_are_as_usual() -> None:
    assert load(Drill, None) == Drill()


def test_a_file_and_the_command_line_set_every_kind_of_value(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """\
game: five_up
lanes: 8
rate: 1e-3
exact: true
width: 2
sizes: [1, 2, 3]
pair: [5, b]
games: [five_up]
rules: {hand_size: 7, deep: [1, {a: 2}]}
shares: {a: 1, b: .5e1}
mode: slow
optimiser:
  learning_rate: 3E-4
second: {steps: 2}
who: [me, {steps: 4}]
""",
    )
    found = load(Drill, file, ["lanes=9", "optimiser.steps=7", "rules.set=double_9"])
    assert found == Drill(
        game="five_up",
        lanes=9,
        rate=1e-3,
        exact=True,
        width=2.0,
        sizes=(1, 2, 3),
        pair=(5, "b"),
        games=("five_up",),
        rules={"hand_size": 7, "deep": [1, {"a": 2}], "set": "double_9"},
        shares={"a": 1.0, "b": 5.0},
        mode="slow",
        optimiser=Optimiser(3e-4, 7),
        second=Optimiser(steps=2),
        who=("me", Optimiser(steps=4)),
    )
    assert isinstance(found.width, float)


def test_a_part_keeps_what_is_not_changed() -> None:
    assert load(Drill, None, ["optimiser.learning_rate=0.1"]).optimiser == Optimiser(0.1, 20)
    assert load(Drill, None, ["second.steps=3"]).second == Optimiser(steps=3)


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert load(Drill, written(tmp_path, "# nothing\n")) == Drill()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "optimiser:\n  steps: 2\n  leanring_rate: 1\n",
            "x.yaml, line 3: unknown setting 'optimiser.leanring_rate'; did you mean "
            "'learning_rate'? It takes: learning_rate, steps",
        ),
        (
            "lanes: 2\ngame: blok_draw",
            "x.yaml, line 2: game must be one of block_draw, five_up, not 'blok_draw'; "
            "did you mean 'block_draw'?",
        ),
        (
            "\n\nlanes: many",
            "x.yaml, line 3: lanes must be a whole number from 1 to 65536, not 'many'",
        ),
        ("lanes: 0", "line 1: lanes must be a whole number from 1 to 65536, not 0"),
        ("lanes: true", "lanes must be a whole number from 1 to 65536, not True"),
        ("lanes: 1.0", "not 1.0"),
        ("lanes:", "not null"),
        ("rate: .nan", "rate must be a number, not nan"),
        ("rate: fast", "rate must be a number, not 'fast'"),
        ("exact: 1", "exact must be true or false, not 1"),
        ("game: 5", "game must be one of block_draw, five_up, not 5"),
        ("width: wide", "width must be a number of 0 or more, not 'wide'"),
        ("width: [1]", "width must be a number of 0 or more or null, not [1]"),
        ("width: -1", "width must be a number of 0 or more, not -1"),
        ("sizes: 5", "sizes must be a list like [a, b], not 5"),
        ("sizes:\n- 1\n- x", "line 3: each of sizes must be a whole number of 1 or more, not 'x'"),
        ("pair: [1]", "pair must be a list of 2, not [1]"),
        ("games: five_up", "games must be a list, each one of block_draw, five_up or 'all'"),
        ("games: [five]", "each of games must be one of block_draw, five_up, not 'five'"),
        ("rules: 5", "rules must be a mapping like {name: value}, not 5"),
        ("shares: {a: x}", "shares.a must be a number, not 'x'"),
        ("mode: quick", "mode must be one of fast, slow, not 'quick'"),
        ("optimiser: 5", "optimiser must be a mapping of settings, not 5"),
        ("optimiser: {steps: 13}", "x.yaml, line 1: nobody takes 13 steps"),
        ("who: [{step: 1}]", "unknown setting 'each of who.step'; did you mean 'steps'?"),
        ("exact: true\nlanes: 200", "x.yaml: exact needs 100 lanes or fewer"),
        ("lanes: 1\nlanes: 2", "x.yaml, line 2: 'lanes' is given twice; before: "),
        ("rules: {a: 1, a: 2}", "'a' is given twice"),
        ("? [a]\n: 1", "line 1: a name is a word"),
        ("- 1", "settings are written like 'name: value', not [1]"),
        ("5", "settings are written like 'name: value', not 5"),
        ("lanes: 1\na: [", "x.yaml, line 2: this is not YAML"),
        ("lanes: !!python/name:os.system ''", "x.yaml, line 1: this is not YAML"),
        ("lanes: 1\n---\nlanes: 2", "this is not YAML"),
        ("lanes: \x07", "x.yaml is not YAML"),
        ("rules: &a [*a]", "a value holds itself"),
        ("game: 2020-13-45", "month must be in 1..12"),
    ],
)
def test_an_error_says_where_and_what_is_allowed(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=re.escape(said)):
        load(Drill, written(tmp_path, text))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("lanes=many", "--set lanes: lanes must be a whole number from 1 to 65536, not 'many'"),
        ("lnes=2", "--set lnes: unknown setting 'lnes'; did you mean 'lanes'?"),
        ("optimiser.step=2", "--set optimiser.step: unknown setting 'optimiser.step'"),
        ("game.x=2", "--set game.x: game must be one of"),
        ("zzz=2", "--set zzz: unknown setting 'zzz'. It takes: game, lanes"),
        ("lanes", "--set lanes: write it as name=value"),
        ("=3", "--set =3: write it as name=value"),
        ("a..b=3", "write it as name=value"),
        ("sizes=[1", "--set sizes: this is not YAML"),
        ("optimiser.steps=13", "--set optimiser.steps: nobody takes 13 steps"),
    ],
)
def test_an_error_of_the_command_line_names_the_option(change: str, said: str) -> None:
    with pytest.raises(BadOption, match=re.escape(said)):
        load(Drill, None, [change])


def test_a_check_between_settings_names_the_file_and_the_changes(tmp_path: Path) -> None:
    file = written(tmp_path, "exact: true")
    with pytest.raises(BadOption, match=r"x\.yaml with --set lanes=200: exact needs"):
        load(Drill, file, ["lanes=200"])


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"nothing\.yaml cannot be read: No such file"):
        load(Drill, tmp_path / "nothing.yaml")
    (tmp_path / "x").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(BadOption, match="is not a text in UTF-8"):
        load(Drill, tmp_path / "x")


def test_what_has_no_default_must_be_given(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"x\.yaml: game is missing"):
        load(Needy, written(tmp_path, "{}"))
    assert load(Needy, None, ["game=x"]).game == "x"


def test_settings_made_in_python_are_checked_too() -> None:
    with pytest.raises(BadOption, match=r"^lanes must be a whole number"):
        Drill(lanes=0)
    with pytest.raises(BadOption, match=r"^each of sizes"):
        Drill(sizes=(1, 0))


def test_settings_are_plain_data_for_json() -> None:
    drill = Drill(who=("me", Optimiser()), rules={"a": (1, 2)})
    plain = json.loads(json.dumps(as_dict(drill)))
    assert plain["optimiser"] == {"learning_rate": 1e-3, "steps": 20}
    assert plain["who"] == ["me", {"learning_rate": 1e-3, "steps": 10}]
    assert plain["rules"] == {"a": [1, 2]}


def test_settings_can_be_listed_with_what_they_may_be() -> None:
    listed = {name: rest for name, *rest in rows(Drill)}
    assert listed["lanes"] == ["a whole number from 1 to 65536", "64", "side by side"]
    assert listed["game"] == ["one of block_draw, five_up", "'block_draw'", "what"]
    assert listed["width"] == ["a number of 0 or more or null", "null", "stop below"]
    assert listed["optimiser.steps"] == ["a whole number of 1 or more", "20", "how many"]


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.json"
    files.write_whole(file, "old ±")
    assert file.read_text(encoding="utf-8") == "old ±"

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in ("fsync", "replace"):
        with monkeypatch.context() as broken:
            broken.setattr(os, name, full)
            with pytest.raises(BadOption, match=r"x\.json cannot be written: No space left"):
                files.write_whole(file, b"new")
        assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
        assert file.read_text(encoding="utf-8") == "old ±"


def test_a_folder_is_tried_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files.must_be_writable(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(BadOption, match=r"cannot write in .*file: "):
        files.must_be_writable(tmp_path / "file")

    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(BadOption, match="No space left"):
        files.must_be_writable(tmp_path / "a")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]


@pytest.mark.parametrize("kind", [TrainSettings, TournamentSettings, DatasetSettings])
def test_a_setting_that_was_renamed_is_named(kind: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("seed: 1\nplayers: 3\n", encoding="utf-8")
    with pytest.raises(BadOption, match=r"x.yaml, line 2: `players` is now `num_players`$"):
        load(kind, file)
    with pytest.raises(BadOption, match=r"--set players: `players` is now `num_players`$"):
        load(kind, None, ["players=3"])
    assert load(kind, None, ["num_players=3"]).num_players == 3


FORMER = {
    TrainSettings: {
        "deals": "rounds_per_iteration",
        "widths": "hidden_sizes",
        "lean": "prior_weight",
        "foresee": "distill",
        "reinforce": "ppo",
        "clip": "clip_range",
        "smoothing": "gae_lambda",
        "value_weight": "vf_coef",
        "steepest": "max_grad_norm",
        "pool.rivals": "pool.opponents",
        **{
            f"{phase}.{former}": f"{phase}.{now}"
            for phase in ("imitate", "distill", "ppo")
            for former, now in (
                ("entropy", "ent_coef"),
                ("minibatch", "batch_size"),
                ("epochs", "n_epochs"),
            )
        },
    },
    TournamentSettings: {
        "width": "target_half_width",
        "chunk": "chunk_size",
        "limit": "time_limit",
        "forfeit": "forfeit_cost",
    },
}
"""What settings were called before, by their paths."""


@pytest.mark.parametrize(
    ("kind", "former", "now"),
    [(kind, *pair) for kind, pairs in FORMER.items() for pair in pairs.items()],
    ids=str,
)
def test_every_former_name_is_refused_with_the_present_one(
    kind: Any, former: str, now: str, tmp_path: Path
) -> None:
    part, _, word = former.rpartition(".")
    file = tmp_path / "x.yaml"
    file.write_text(f"{part}: {{{word}: 1}}\n" if part else f"{word}: 1\n", encoding="utf-8")
    with pytest.raises(BadOption, match=f"x.yaml, line 1: `{former}` is now `{now}`$"):
        load(kind, file)
    with pytest.raises(BadOption, match=f"--set {former}: `{former}` is now `{now}`$"):
        load(kind, None, [f"{former}=1"])
    attrgetter(now)(kind())


@pytest.mark.parametrize("kind", [TrainSettings, TournamentSettings, DatasetSettings])
def test_settings_take_as_many_players_as_any_game(kind: Any) -> None:
    game = variants(MAX_SEATS)[0]
    named = f"games=[{game}]" if kind is TournamentSettings else f"game={game}"
    changes = [named, f"num_players={MAX_SEATS}"]
    assert load(kind, None, changes).num_players == MAX_SEATS


def test_no_former_name_is_left_out_above() -> None:
    listed = {path.rpartition(".")[2] for pairs in FORMER.values() for path in pairs}
    kept = [kind.renamed for kind in (TrainSettings, Phase, Pool, TournamentSettings)]
    assert listed == {former for renamed in kept for former in renamed}


def test_a_setting_of_a_part_that_was_renamed_is_named_in_full() -> None:
    with pytest.raises(BadOption, match=r"`train.players` is now `train.num_players`$"):
        load(DemoSettings, None, ["train.players=3"])
    with pytest.raises(BadOption, match=r"unknown setting 'imitate\.players'"):
        load(TrainSettings, None, ["imitate.players=3"])
    assert load(TrainSettings, None, ["rules.players=[2, 3]"]).rules == {"players": [2, 3]}
