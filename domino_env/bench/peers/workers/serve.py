"""Times a game of another package, in an environment of that package: `domino bench` starts it.

    python serve.py SCRIPT GAME

It says the versions of what it plays with, as a line of JSON. Then it answers each line
`GAMES SECONDS` with `DECISIONS CPU_SECONDS`, until there are no more lines.

The script has `PACKAGES`, whose versions are said, and `prepare(game, games)`. That gives a
function that plays so many games at once for a while, and says how many decisions that were. Both
files stand alone: they run where domino_env is not.
"""

import json
import os
import platform
import runpy
import sys
import time
from collections.abc import Callable
from importlib.metadata import version


def main() -> None:
    """Serves until its input ends."""
    _, script, game = sys.argv
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer
    plays = runpy.run_path(script)
    versions = {name: version(name) for name in plays["PACKAGES"]}
    print(json.dumps({**versions, "python": platform.python_version()}), file=answers, flush=True)
    prepared: dict[str, Callable[[], int]] = {}
    for line in sys.stdin:
        games, seconds = line.split()
        if games not in prepared:
            prepared[games] = plays["prepare"](game, int(games))
            prepared[games]()  # what happens once only: compiling, filling caches
        print(*timed(prepared[games], float(seconds)), file=answers, flush=True)


def timed(play: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Plays for so long; gives the decisions and the CPU seconds of all threads."""
    decisions, began = 0, time.process_time()
    while True:
        decisions += play()
        spent = time.process_time() - began
        if spent >= seconds:
            return decisions, spent


if __name__ == "__main__":
    main()
