"""Does each client train on these games? Every client in an environment of its own, since what they
demand of each other's libraries conflicts.

    python -m tests.clients             # all of them
    python -m tests.clients sb3 rllib   # some
    python -m tests.clients --keep      # and put what was found into docs/clients.json

A client is `test_<name>.py`, whose first line says what is trained, and `<name>.txt`, what it
needs, the client itself first; `<name>.sh` installs one that pip alone cannot. What was found is in
`.clients/found.json`, what pytest said in `.clients/<name>.log`: a run changes no file of the
project. With `--keep` it goes into docs/clients.json, of which `make docs` makes the table in the
README.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
KEPT = ROOT / "docs" / "clients.json"
VENVS = ROOT / ".clients"
FOUND = VENVS / "found.json"
EMPTY = VENVS / "empty"  # among environments, their names would be packages to import
BESIDE = ["domino-env", "gymnasium", "pettingzoo", "numpy", "torch"]
SAME_GAME = ROOT / "tests" / "test_same_game.py"  # through every adapter that is there
MINUTES = 20

_ADAPTERS = (
    "domino_env.adapters.",
    "domino_env.execution.ray_executor",
    "domino_env.train.rllib.ray_backend",
)  # modules that a client needs
_ENTRIES = {  # what a test may use of ours that is not a module of its own
    "domino_env": ("aec", "raw_aec"),
    "gymnasium": ("make", "make_vec"),
    "pettingzoo": ("make",),
}
_VERSIONS = """
import json, platform, sys
from importlib.metadata import PackageNotFoundError, version
found = {"python": platform.python_version()}
for name in sys.argv[1:]:
    try:
        found[name] = version(name)
    except PackageNotFoundError:
        pass
print(json.dumps(found))
"""


class Client(NamedTuple):
    """A client by its name, and where what belongs to it is."""

    name: str

    @property
    def test(self) -> Path:
        """What it must pass."""
        return HERE / f"test_{self.name}.py"

    @property
    def needs(self) -> Path:
        """What is installed for it."""
        return HERE / f"{self.name}.txt"

    @property
    def script(self) -> Path:
        """What has to be done beyond that, for clients that pip alone cannot install."""
        return HERE / f"{self.name}.sh"

    @property
    def package(self) -> str:
        """Its own package: the first that it needs, or what its script installs."""
        if self.script.exists():
            return self.name
        for line in self.needs.read_text(encoding="utf-8").splitlines():
            found = re.match(r"[\w.-]+", line)
            if found and not line.startswith("-"):
                return found[0]
        raise ValueError(f"{self.needs.name} names no package")

    @property
    def python(self) -> Path:
        """The Python of its environment."""
        folder = "Scripts" if os.name == "nt" else "bin"
        return VENVS / self.name / folder / "python"

    @property
    def log(self) -> Path:
        """What pip and pytest have said."""
        return VENVS / f"{self.name}.log"

    @property
    def trained(self) -> str:
        """The first line of its test."""
        text = ast.get_docstring(ast.parse(self.test.read_text(encoding="utf-8"))) or ""
        return text.split("\n")[0].rstrip(".")

    @property
    def uses(self) -> str:
        """What it uses of ours: adapters, or else the ways to make an environment."""
        return ", ".join(uses(self.test.read_text(encoding="utf-8")))


def clients() -> list[Client]:
    """All that have a test."""
    return [Client(path.stem.removeprefix("test_")) for path in sorted(HERE.glob("test_*.py"))]


def uses(source: str) -> list[str]:
    """The adapters that a test imports; if none, what it calls to make an environment."""
    nodes = [*ast.walk(ast.parse(source))]
    adapters = {
        node.module or ""
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_ADAPTERS)
    }
    calls = {
        f"{node.value.id}.{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.attr in _ENTRIES.get(node.value.id, ())
    }
    compared = {"domino_env.adapters.single"}  # what others are measured by
    return sorted(adapters - compared) or sorted(adapters) or sorted(calls)


def run(client: Client) -> dict[str, Any]:
    """Installs a client, runs its test, and says what was found."""
    began = time.monotonic()
    found: dict[str, Any] = {"uses": client.uses, "trained": client.trained, "passed": False}
    say(client, "installs")
    if not install(client):
        say(client, f"cannot be installed; the end of {client.log.relative_to(ROOT)}:")
        print(tail(client.log))
        return {**found, "package": client.package, "versions": {}, "figures": {}}
    say(client, "trains")
    passed, figures = test(client)
    seconds = round(time.monotonic() - began)
    say(client, f"{'passes' if passed else 'FAILS'} after {seconds} s")
    if not passed:
        print(tail(client.log))
    found.update(passed=passed, figures=figures, seconds=seconds)
    return {**found, "package": client.package, "versions": versions(client)}


def install(client: Client) -> bool:
    """Makes the environment of a client, with the newest that it allows."""
    VENVS.mkdir(exist_ok=True)
    client.log.write_text("", encoding="utf-8")
    if not client.python.exists():
        command = [sys.executable, "-m", "venv", str(VENVS / client.name)]
        if not logged(client, command):
            return False
    pip = [str(client.python), "-m", "pip", "install", "--upgrade"]
    wanted = ["-e", ".", "-r", str(client.needs.relative_to(ROOT)), "pytest"]
    if not logged(client, [*pip, "-c", "constraints.txt", *wanted]):
        return False
    if not client.script.exists():
        return True
    return logged(client, ["bash", str(client.script), str(client.python)])


def test(client: Client) -> tuple[bool, dict[str, Any]]:
    """Runs a client's test: whether it passes, and the figures that it has recorded."""
    figures = VENVS / f"{client.name}.json"
    figures.unlink(missing_ok=True)
    pytest = [str(client.python), "-m", "pytest", "-p", "no:cacheprovider"]
    pytest += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    quiet = ["-o", "filterwarnings=default"]  # what clients warn of is not for us to mend
    surroundings = {"DOMINO_FIGURES": str(figures), "OMP_NUM_THREADS": "1"}
    tests = [str(client.test), str(SAME_GAME)]
    EMPTY.mkdir(exist_ok=True)
    passed = logged(client, [*pytest, *quiet, *tests], EMPTY, **surroundings)
    return passed, json.loads(figures.read_text(encoding="utf-8")) if figures.exists() else {}


def versions(client: Client) -> dict[str, str]:
    """What was installed of what matters."""
    names = [client.package, *BESIDE]
    command = [str(client.python), "-c", _VERSIONS, *names]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def logged(client: Client, command: list[str], folder: Path = ROOT, **surroundings: str) -> bool:
    """Runs a command in a folder, into the client's log: has it succeeded in time?"""
    with client.log.open("a", encoding="utf-8") as log:
        try:
            done = subprocess.run(
                command,
                check=False,
                cwd=folder,
                env={**os.environ, **surroundings},
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=60 * MINUTES,
            )
        except subprocess.TimeoutExpired:
            log.write(f"\nnot done after {MINUTES} minutes\n")
            return False
    return done.returncode == 0


def tail(log: Path, lines: int = 30) -> str:
    """The end of a log."""
    return "\n".join(log.read_text(encoding="utf-8").splitlines()[-lines:])


def say(client: Client, what: str) -> None:
    """A line of progress."""
    print(f"{client.name}: {what}", flush=True)


def keep(found: dict[str, dict[str, Any]], file: Path) -> None:
    """Puts what was found beside what earlier runs have found; clients that are gone, go."""
    before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    there = {client.name for client in clients()}
    rows = {name: row for name, row in sorted({**before, **found}.items()) if name in there}
    file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def summary(found: dict[str, dict[str, Any]]) -> str:
    """A line for each client."""
    lines = []
    for name, row in found.items():
        version = row["versions"].get(row["package"], "not installed")
        reached = ", ".join(f"{what} {value}" for what, value in row["figures"].items())
        verdict = "passes" if row["passed"] else "FAILS"
        lines.append(f"{verdict:8}{name:12}{row['package']} {version}  {reached}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Runs the clients that are named, or all; 1 if one fails."""
    every = {client.name: client for client in clients()}
    parser = argparse.ArgumentParser(prog="python -m tests.clients", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", nargs="*", help=", ".join(every))
    parser.add_argument("--keep", action="store_true", help=f"in {KEPT.relative_to(ROOT)} too")
    options = parser.parse_args(arguments)
    names = options.name or [*every]
    for name in names:
        if name not in every:
            parser.error(f"there is no client {name!r}; there are {', '.join(every)}")
    found = {}
    for name in names:  # each is kept at once: the others may take an hour
        found[name] = run(every[name])
        for file in (FOUND, KEPT) if options.keep else (FOUND,):
            keep({name: found[name]}, file)
    print(f"\n{summary(found)}")
    if options.keep:
        print(f"kept in {KEPT.relative_to(ROOT)}: run make docs")
    return 0 if all(row["passed"] for row in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
