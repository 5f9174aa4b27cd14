"""The environments that peers live in: made when they are asked for, one for each package.

A package that can be imported here is run here as long as it has none; `constraints.txt` says which
versions it gets there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from domino_env.bench.peers import tripletriad
from domino_env.bench.peers.setting_up import logged, python_of

CONSTRAINTS = Path(__file__).parent / "constraints.txt"
WORKERS = Path(__file__).parent / "workers"


@dataclass(frozen=True)
class Environment:
    """What a package needs in order to play.

    Attributes:
        installs: what pip installs, in the versions of `constraints.txt`.
        script: what plays its game, in `workers/`; "" if a program is built instead.
        imports: the module that the script needs.
        build: builds the program, from the environment's folder, the constraints and the log.
        sources: of ours, of which the program is built.
    """

    name: str
    installs: tuple[str, ...]
    script: str = ""
    imports: str = ""
    build: Callable[[Path, Path, Path], None] | None = None
    sources: tuple[Path, ...] = ()

    def command(self, folder: Path, game: str) -> list[str] | None:
        """What starts its worker; None if it is not there."""
        home = folder / self.name
        if not self._is_made(home):
            here = self.imports and find_spec(self.imports)
            return self._scripted(Path(sys.executable), game) if here else None
        if self.build:
            return [str(tripletriad.program(home)), game]
        return self._scripted(python_of(home), game)

    def make(self, folder: Path) -> None:
        """Makes it, unless what is there is what is wanted. `CannotMake` says what went wrong."""
        home, log = folder / self.name, folder / f"{self.name}.log"
        if self._is_made(home):
            return
        home.mkdir(parents=True, exist_ok=True)
        log.write_text("", encoding="utf-8")
        logged([sys.executable, "-m", "venv", "--clear", str(home)], log)
        pip = [str(python_of(home)), "-m", "pip", "install", "--constraint", str(CONSTRAINTS)]
        logged([*pip, *self.installs], log)
        if self.build:
            self.build(home, CONSTRAINTS, log)
        (home / ".made").write_text(self._wanted(), encoding="utf-8")

    def _scripted(self, python: Path, game: str) -> list[str]:
        return [str(python), str(WORKERS / "serve.py"), str(WORKERS / self.script), game]

    def _is_made(self, home: Path) -> bool:
        made = home / ".made"
        return made.exists() and made.read_text(encoding="utf-8") == self._wanted()

    def _wanted(self) -> str:
        """Of what it is made: if that changes, it is made anew."""
        files = (path.read_text(encoding="utf-8") for path in (CONSTRAINTS, *self.sources))
        return "\n".join([*self.installs, *files])


ENVIRONMENTS = {
    each.name: each
    for each in (
        Environment("open_spiel", ("open_spiel",), "openspiel_game.py", "pyspiel"),
        Environment("dominoes", ("dominoes",), "dominoes_game.py", "dominoes"),
        Environment("pgx", ("pgx", "jax", "jaxlib", "numpy"), "pgx_game.py", "pgx"),
        Environment(
            "pufferlib",
            ("numpy", "setuptools", "wheel"),
            build=tripletriad.build,
            sources=tripletriad.SOURCES,
        ),
    )
}
