"""What is said of clients in the README is what `make clients` has found and was told to keep."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients import __main__ as runner
from tests.clients.__main__ import Client, clients, uses


@pytest.mark.parametrize("client", clients(), ids=lambda client: client.name)
def test_a_client_says_what_it_needs_uses_and_trains(client: Client) -> None:
    assert client.package
    assert client.uses
    assert client.trained
    assert not client.trained.endswith(".")


@pytest.mark.parametrize("client", clients(), ids=lambda client: client.name)
def test_a_client_has_passed_with_the_test_that_it_has_now(client: Client) -> None:
    row = json.loads(runner.KEPT.read_text(encoding="utf-8"))[client.name]
    again = f"run python -m tests.clients {client.name} --keep, and make docs"
    assert row["passed"], again
    assert (row["uses"], row["trained"]) == (client.uses, client.trained), again


def test_nothing_lies_about_that_is_no_clients() -> None:
    names = {client.name for client in clients()}
    assert {path.stem for path in runner.HERE.glob("*.txt")} == names


def test_adapters_count_before_ways_to_make_an_environment() -> None:
    assert uses("env = gymnasium.make_vec('domino/fours-v0')") == ["gymnasium.make_vec"]
    assert uses("a = domino_env.aec('fours')\nb = pettingzoo.make('aec', 'c')") == [
        "domino_env.aec",
        "pettingzoo.make",
    ]
    adapter = "from domino_env.adapters.sb3 import SB3VecEnv\nSB3VecEnv('fours')"
    assert uses(f"{adapter}\ndomino_env.aec('fours')") == ["domino_env.adapters.sb3"]


def test_a_run_of_some_keeps_what_was_found_of_others(tmp_path: Path) -> None:
    file = tmp_path / "clients.json"
    three = {"sb3": {"passed": True}, "rllib": {"passed": True}, "gone": {"passed": True}}
    runner.keep(three, file)
    runner.keep({"rllib": {"passed": False}}, file)
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept == {"rllib": {"passed": False}, "sb3": {"passed": True}}


def found(client: Client) -> dict[str, Any]:
    passed = client.name != "rllib"
    return {"package": "it", "versions": {}, "figures": {"margin": 1}, "passed": passed}


def test_a_run_leaves_the_project_as_it_was_unless_it_is_told_to_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "run", found)
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    for name in ("KEPT", "FOUND"):
        monkeypatch.setattr(runner, name, tmp_path / f"{name}.json")
    assert runner.main(["sb3"]) == 0
    assert runner.FOUND.exists()
    assert not runner.KEPT.exists()
    assert runner.main(["sb3", "--keep"]) == 0
    assert runner.KEPT.read_text(encoding="utf-8") == runner.FOUND.read_text(encoding="utf-8")


def test_what_a_run_writes_is_no_part_of_the_project() -> None:
    ignored = (runner.ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert ".clients/" in ignored
    assert runner.FOUND.parent == runner.ROOT / ".clients"


def test_a_client_that_fails_fails_the_run(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(runner, "run", found)
    monkeypatch.setattr(runner, "keep", lambda rows, file: None)
    assert runner.main(["sb3"]) == 0
    assert runner.main(["sb3", "rllib"]) == 1
    assert "FAILS" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        runner.main(["nobody"])
    assert "there is no client 'nobody'" in capsys.readouterr().err
