"""How much of a tournament of two engines is ours, and how much the engines'?

    python -m tools.engine_share                           # two engines in C that hardly think
    python -m tools.engine_share --think 1 --game bendomino

`--think` has both engines compute for so many milliseconds over each decision, in a copy of the
example in C. CPU times are compared, which other work on the machine leaves alone: the share is
what is left to gain by a faster host, however many cores there are.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from domino_env.evaluate.tournament import TournamentSettings, play_tournament
from domino_env.games import DEFAULT_GAME
from tools.architecture import ROOT

SOURCE = ROOT / "examples" / "engines" / "c" / "engine.c"
COMPILER = [os.environ.get("CC", "gcc"), "-std=c11", "-O2", "-D_POSIX_C_SOURCE=200809L"]
CALL, DEFINED = "best_move(after(at", "static void answer("
THINKING = """#include <time.h>
static double now(void) {
    struct timespec spent;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return spent.tv_sec + 1e-9 * spent.tv_nsec;
}
static long slow_move(const char *moves) {
    for (double end = now() + %g; now() < end;) {}
    return best_move(moves);
}
"""


class Share(NamedTuple):
    """CPU seconds of a tournament: ours, and those of the engines; and the seconds it took."""

    host: float
    engines: float
    wall: float
    games: int

    @property
    def ours(self) -> float:
        """Our part of all CPU time."""
        return self.host / (self.host + self.engines)


def main(arguments: list[str] | None = None) -> int:
    """Plays, and tells."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default=DEFAULT_GAME)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--think", type=float, default=0.0, help="milliseconds of each decision")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        engine = compiled(Path(folder), options.think / 1000)
        share = measured(options.game, options.deals, [str(engine)])
    Console().print(
        f"{options.game}, engines that think for {options.think:g} ms: {share.games:,} games, "
        f"{share.host:.1f} CPU seconds here and {share.engines:.1f} in the engines, in "
        f"{share.wall:.1f} s: {share.ours:.0%} is ours"
    )
    return 0


def compiled(folder: Path, seconds: float) -> Path:
    """The engine, made to think for so long."""
    source, made = SOURCE.read_text(encoding="utf-8"), folder / "engine"
    if source.count(CALL) != 1 or source.count(DEFINED) != 1:
        raise SystemExit(f"{SOURCE} is not as this tool knows it")
    slow = source.replace(CALL, CALL.replace("best_move", "slow_move"))
    text = slow.replace(DEFINED, THINKING % seconds + DEFINED) if seconds else source
    (folder / "engine.c").write_text(text, encoding="utf-8")
    subprocess.run([*COMPILER, "-o", made, folder / "engine.c"], check=True)
    return made


def measured(game: str, deals: int, command: list[str]) -> Share:
    """A tournament of two of them; a short one before it compiles and loads what is needed."""
    both = tuple({"agent": "engine", "command": command, "name": name} for name in ("one", "other"))
    settings = TournamentSettings(games=(game,), agents=both, deals=deals, records=0)
    play_tournament(TournamentSettings(games=(game,), agents=both, deals=2, records=0))
    began = os.times()
    (standing,) = play_tournament(settings).standings
    ended = os.times()
    if any(standing.forfeits):
        raise SystemExit(f"an engine forfeited: {standing.faults}")
    own = ended.user - began.user + ended.system - began.system
    children = ended.children_user - began.children_user
    children += ended.children_system - began.children_system
    return Share(own, children, ended.elapsed - began.elapsed, standing.games)


if __name__ == "__main__":
    sys.exit(main())
