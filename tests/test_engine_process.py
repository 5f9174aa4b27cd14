"""The process of an engine: its rights, its limits, and its certain end."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.errors import BadOption
from domino_env.protocol.faults import EngineFault
from domino_env.protocol.keeper import descendants
from domino_env.protocol.process import EngineProcess, Limits
from tests.engines.run import alive, command_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
ROOT = Path(__file__).parent.parent
GREETS = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print('{"type":"hello","protocol":1,"name":"Tiny"}', flush=True)
    elif said["type"] == "setup":
        print('{"type":"ready"}', flush=True)
    elif said["type"] == "move":
        moves = [{"game": g["game"], "id": g["moves"][0]["id"]} for g in said["games"]]
        print(json.dumps({"type": "move", "request": said["request"], "moves": moves}), flush=True)
    elif said["type"] == "quit":
        break
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def first_line(command: Sequence[str], said: bytes = b"", **limits: Any) -> bytes:
    process = EngineProcess(command, Limits(**limits))
    try:
        return next(process.exchange(said, monotonic() + 20, 1 << 16))
    finally:
        process.end()


def fault_of(command: Sequence[str], said: bytes = b"", **limits: Any) -> str:
    with pytest.raises(EngineFault) as fault:
        first_line(command, said, **limits)
    return str(fault.value)


def wait_until(true: Any, seconds: float = 10.0) -> None:
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end
        time.sleep(0.01)


# Rights ------------------------------------------------------------------------------------------


def test_it_has_no_open_files_but_its_three(tmp_path: Path) -> None:
    code = "import os; print(sorted(map(int, os.listdir('/proc/self/fd'))))"
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        found = json.loads(first_line(python(code)))
    assert found[:3] == [0, 1, 2]
    assert len(found) <= 4, "the fourth lists the folder itself"


def test_it_sees_little_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "s3cret")
    monkeypatch.setenv("LD_PRELOAD", "")
    found = json.loads(first_line(python("import os, json; print(json.dumps(dict(os.environ)))")))
    assert {*found} <= {"PATH", "HOME", "LANG", "TMPDIR", "LC_CTYPE"}
    assert found["PATH"] == os.environ["PATH"]


def test_it_leads_a_group_and_a_session_of_its_own_and_gains_no_rights() -> None:
    code = (
        "import os, resource; print(os.getpid() == os.getpgid(0) == os.getsid(0), "
        "resource.getrlimit(resource.RLIMIT_CORE), "
        "*[l for l in open('/proc/self/status') if 'NoNewPrivs' in l])"
    )
    assert first_line(python(code)).split(b"\n")[0].replace(b"\t", b"") == (
        b"True (0, 0) NoNewPrivs:1"
    )


# Ends --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import sys; sys.exit(3)", "exited with status 3"),
        ("raise ValueError('no heart')", "exited with status 1; its last words: Traceback"),
        ("import os; os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
        ("import os; os.abort()", "was killed by SIGABRT"),
    ],
)
def test_how_it_ended_is_told(code: str, why: str) -> None:
    assert fault_of(python(code)).startswith(why)


def test_a_program_that_is_not_there_is_told() -> None:
    assert fault_of(["./no/such/bot"]) == "could not be started: No such file or directory"


def test_an_output_that_is_closed_is_told() -> None:
    assert fault_of(["/bin/sh", "-c", "exec 1>&-; sleep 100"]) == "closed its output"


def test_too_much_memory_is_told_and_ends_it() -> None:
    code = "x = bytearray(b'x') * (300 << 20); import time; time.sleep(100)"
    assert "MB of memory, more than 100 MB" in fault_of(python(code), memory=100)


def test_memory_of_its_children_counts() -> None:
    child = "import time; x = bytearray(b'x') * (300 << 20); time.sleep(100)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    assert "MB of memory, more than 100 MB" in fault_of(python(code), memory=100)


def test_too_many_processes_end_it() -> None:
    code = (
        "import subprocess, time\n"
        "for _ in range(30): subprocess.Popen(['sleep', '100'])\n"
        "time.sleep(100)"
    )
    assert "processes, more than it may" in fault_of(python(code), processes=20)


def test_too_much_output_ends_it() -> None:
    assert fault_of(["/bin/sh", "-c", "while :; do printf xxxxxxxxxxxxxxxx; done"]) == (
        "wrote more than 65,536 bytes in answer to a request"
    )


def test_an_answer_may_come_before_all_is_read_and_none_is_lost() -> None:
    code = "import sys\nfor line in sys.stdin: print(len(line) * 'y', flush=True)"
    process = EngineProcess(python(code), Limits())
    said = b"".join(b"x" * 99_999 + b"\n" for _ in range(30))
    lines = process.exchange(said, monotonic() + 30, 1 << 26)
    assert [len(next(lines)) for _ in range(30)] == [100_000] * 30
    lines.close()
    process.end()


def test_nobody_waits_for_one_that_does_not_read() -> None:
    process = EngineProcess(["/bin/sleep", "100"], Limits())
    began = monotonic()
    with pytest.raises(TimeoutError):
        next(process.exchange(b"x" * (4 << 20), monotonic() + 0.3, 1000))
    with pytest.raises(EngineFault, match="did not read"):
        process.say(b"x" * (4 << 20), monotonic() + 0.3)
    process.end()
    assert monotonic() - began < 5


# No process left ---------------------------------------------------------------------------------

FORKS = "sleep 777001 & setsid sleep 777002 & setsid sh -c 'sleep 777003 & sleep 777004' & "


def sleepers() -> list[str]:
    found = [command_of(int(e.name)) for e in Path("/proc").iterdir() if e.name.isdigit()]
    return [each for each in found if each.startswith("sleep 777")]


def test_all_that_it_has_started_ends_with_it() -> None:
    process = EngineProcess(["/bin/sh", "-c", FORKS + "sleep 777005"], Limits())
    wait_until(lambda: len(sleepers()) == 5)
    process.end()
    assert not sleepers()


def test_all_that_it_has_started_ends_when_it_crashes() -> None:
    process = EngineProcess(["/bin/sh", "-c", FORKS + "sleep 0.2; exit 1"], Limits())
    wait_until(lambda: len(sleepers()) == 4)
    with pytest.raises(EngineFault, match="exited with status 1"):
        next(process.exchange(b"", monotonic() + 5, 1000))
    process.end()
    assert not sleepers()


HOST = f"""
import os, sys, time
from time import monotonic
from domino_env.protocol.process import EngineProcess, Limits
process = EngineProcess(["/bin/sh", "-c", {(FORKS + "echo here; sleep 777005")!r}], Limits())
next(process.exchange(b"", monotonic() + 20, 1000))
print("here", flush=True)
"""


@pytest.mark.parametrize(
    ("how", "end"),
    [
        ("killed", "time.sleep(100)"),
        ("at its end", ""),
        ("os._exit", "os._exit(0)"),
        ("an error", "raise ValueError"),
        ("after a fork", "os.fork() or os._exit(0)"),
    ],
)
def test_all_ends_when_the_host_does(how: str, end: str) -> None:
    host = subprocess.Popen(
        [sys.executable, "-c", HOST + end],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    )
    assert host.stdout is not None
    with host.stdout:
        assert host.stdout.readline() == b"here\n"
        if how == "killed":
            wait_until(lambda: len(sleepers()) == 5)
            host.send_signal(signal.SIGKILL)
        host.wait(30)
    wait_until(lambda: not sleepers())


def test_a_process_that_nobody_needs_any_more_ends() -> None:
    agent = agents.make("engine", command=python(GREETS))
    assert agent._session.start().name == "Tiny"
    before = [each for each in descendants(os.getpid()) if alive(each)]
    assert len(before) >= 2
    del agent
    assert not [each for each in before if alive(each)]


def test_an_engine_that_is_forked_or_pickled_starts_a_process_of_its_own() -> None:
    agent = agents.make("engine", command=python(GREETS))
    batch = domino_env.batch("block_draw", 2, seed=0)
    batch.reset()
    actions = agent.act(batch, np.arange(2))
    assert pickle.loads(pickle.dumps(agent)).act(batch, np.arange(2)).tolist() == actions.tolist()
    child = os.fork()
    if child == 0:
        same = agent.act(batch, np.arange(2)).tolist() == actions.tolist()
        agent.close()
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert agent.act(batch, np.arange(2)).tolist() == actions.tolist()
    agent.close()


def test_one_that_does_not_quit_is_killed() -> None:
    code = GREETS.replace("        break", "        import time; time.sleep(100)")
    agent = agents.make("engine", command=python(code))
    assert agent._session.start().name == "Tiny"
    began = monotonic()
    agent.close()
    assert 0.5 < monotonic() - began < 5


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"command": []}, "command is an engine's program"),
        ({"command": "'"}, "command is an engine's program"),
        ({"command": [1]}, "command is an engine's program"),
        ({"command": "x", "seconds": 0}, "seconds is a number above 0"),
        ({"command": "x", "game_seconds": "1"}, "game_seconds is a number above 0"),
        ({"command": "x", "increment": -1}, "increment is a number of seconds"),
        ({"command": "x", "options": [1]}, "options are names and values"),
        ({"command": "x", "memory": 0}, "memory must be a whole number"),
        ({"command": "x", "group": 1.5}, "group must be a whole number"),
        ({}, "engine must be given command"),
    ],
)
def test_options_out_of_their_range_are_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        agents.make("engine", **options)
