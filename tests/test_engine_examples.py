"""The examples in six languages: each builds, keeps to the protocol, and plays every game."""

from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env.cli.main import main
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from tests.engines.run import EXAMPLES, left_behind
from tests.games import AT_A_TABLE

TOOLS = {
    "c": "gcc",
    "java": "javac",
    "javascript": "node",
    "perl": "perl",
    "python": "python3",
    "rust": "rustc",
}


def must_have(language: str) -> None:
    if shutil.which(TOOLS[language]) is None:
        pytest.skip(f"no {TOOLS[language]} for the example in {language}")


def build(language: str) -> None:
    subprocess.run([str(EXAMPLES / language / "build")], check=True, capture_output=True)


def test_there_is_an_example_in_every_language() -> None:
    assert {each.name for each in EXAMPLES.iterdir() if each.is_dir()} == {*TOOLS}


@pytest.mark.slow
@pytest.mark.parametrize("language", TOOLS)
def test_an_example_builds_and_keeps_to_the_protocol(language: str, capsys: Any) -> None:
    must_have(language)
    build(language)
    run = str(EXAMPLES / language / "run")
    status = main(["engine", "check", "--deals", "1", "--seconds", "5", "--", run])
    shown = capsys.readouterr().out
    assert status == 0, shown
    for game in AT_A_TABLE:
        assert f"ok     {game}: " in shown
    assert not left_behind()


@pytest.mark.slow
def test_examples_play_each_other() -> None:
    there = [name for name in TOOLS if shutil.which(TOOLS[name])]
    for language in there:
        build(language)
    for first, second in pairwise([*there, there[0]]):
        sides = [
            Entrant("engine", name, {"command": [str(EXAMPLES / name / "run")], "seconds": None})
            for name in (first, second)
        ]
        come = Pairing(domino_env.rules("all_fives"), None, *sides).play_deals(0, 20)
        assert not come.forfeits
        assert come.margins.any()


def test_examples_are_small() -> None:
    for file in EXAMPLES.rglob("[Ee]ngine.*"):
        if file.suffix in (".c", ".rs", ".java", ".js", ".pl", ".py"):
            assert len(file.read_text().splitlines()) < 220, file


BROKEN = {
    "printf 'hello\\n'; sleep 100": "wrote a line that is no JSON: hello",
    "exit 3": "exited with status 3",
    """printf '{"type":"hello","protocol":2,"name":"x"}\\n'; sleep 9""": "speaks version 2",
    """printf '{"type":"hello","protocol":1}\\n'; sleep 9""": "answered hello without a name",
    """printf '{"type":"hello","protocol":1,"name":"x"}\\n{}\\n'; sleep 9""": "wrote more than its",
}


@pytest.mark.parametrize("script", BROKEN)
def test_check_says_what_is_wrong(script: str, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "bot"
    file.write_text(f"#!/bin/sh\nread line\n{script}\n")
    file.chmod(0o755)
    assert main(["engine", "check", "--", str(file)]) == 1
    assert f"it {BROKEN[script]}" in capsys.readouterr().out
