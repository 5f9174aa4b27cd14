"""Every kernel with its indices checked: no array is read or written where it has nothing.

    python -m tests.boundscheck                            # what `make bounds-check` runs
    python -m tests.boundscheck --games five_up blind --decisions 100

Kernels look at no bounds, for that is what makes them fast. Here they are compiled once more so
that they do (`NUMBA_BOUNDSCHECK`), and more strictly than Numba would: -1 is no last element, but
out of bounds. Then every game is played with every set, number of seats, twist and way of calling,
in rounds and in matches, and every call that reaches a kernel is made on the way. What is compiled
is kept apart from what is used otherwise.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

KEPT = Path(tempfile.gettempdir()) / f"domino_env-bounds-{os.getuid()}"
LANES = 3


def check_bounds() -> None:
    """Has all that is compiled look at bounds; comes before the library is imported."""
    os.environ["NUMBA_BOUNDSCHECK"] = "1"
    os.environ["DOMINO_ENV_FROM_SOURCE"] = "1"
    os.environ["NUMBA_CACHE_DIR"] = str(KEPT / _mark())
    from numba.np import arrayobj

    arrayobj.fix_integer_index = _as_it_is


def _mark() -> str:
    """What the kernels are compiled from: other code is other machine code."""
    from hashlib import blake2b

    root = Path(__file__).parent.parent
    loops = ("engine_kernels.py", "lanes.py", "learner_lanes.py")
    ours = ("compiling", "engine", "puzzles", *loops)
    others = ("agents", "train/search_teacher.py", "tests/boundscheck.py")
    places = (*(f"domino_env/{place}" for place in ours), *others)
    files = sorted(file for place in places for file in _files(root / place))
    return blake2b(b"".join(file.read_bytes() for file in files), digest_size=8).hexdigest()


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else [*place.rglob("*.py")]


def _as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index as a signed one, without -1 for the last."""
    from numba.core import types

    return context.cast(builder, index, kind, types.intp)


def every_course(games: list[str], decisions: int) -> int:
    """Plays through all settings of some games; how many there were."""
    from tests.differential import settings

    count = 0
    for game in games:
        for setting in [*settings(game), *settings(game, "match")]:
            try:
                play_through(setting, decisions, count)
            except IndexError as error:
                raise AssertionError(f"{setting}: {error}") from error
            count += 1
    return count


def play_through(setting: Any, decisions: int, seed: int) -> None:
    """Makes every call that reaches a kernel, in games of one setting."""
    import domino_env

    rules = domino_env.rules(setting.variant, **dict(setting.changes))
    if rules.has_opponents:
        rules = replace(rules, set=setting.set)
    options = {"seed": seed, "episode": setting.episode, "calls": setting.calls}
    batch = domino_env.batch(rules, LANES, setting.players, **options)
    otherwise: Any = {"autoreset": False, "threads": 2, "observation_dtype": "uint8"}
    waiting = domino_env.batch(rules, LANES, setting.players, **options, **otherwise)
    batch.reset()
    waiting.reset()
    for number in range(decisions):
        batch.step(batch.sample())
        live = [lane for lane in range(LANES) if waiting.seat[lane] >= 0]
        if not live:
            waiting.reset()
            continue
        waiting.step(waiting.sample_some(live), live)
        if number % 8 == 0:
            look(batch, number)
        if number % 32 == 0:
            ask(batch, number)
    begin_otherwise(batch, waiting)


def look(batch: Any, number: int) -> None:
    """All calls that change nothing, and those that put back what there was."""
    lane = number % LANES
    for seat in range(batch.num_players):
        batch.observe(lane, seat)
    if batch.move_fields:
        batch.move_features()
        batch.histories()
        batch.histories([lane], [number % batch.num_players])
        batch.move_graphs()
        batch.move_graphs([lane])
    twin = batch.clone()
    twin.restore(lane, batch.save(lane))
    twin.restart([lane])
    batch.position(lane)
    batch.boneyard_order(lane)


def ask(batch: Any, number: int) -> None:
    """Beliefs, and every agent that plays the game, but for the slow ones at every time."""
    from domino_env import agents, belief
    from domino_env.errors import BadOption, TooUncertain

    lanes = [number % LANES]
    if batch.num_players > 1:
        for seat in range(batch.num_players):
            try:
                worlds = belief.sample(batch, lanes[0], seat, 4, seed=number)
            except TooUncertain:
                continue
            worlds.step(worlds.sample())
    few = {
        "pimc": {"worlds": 4},
        "search": {"worlds": 2},
        "determinised": {"worlds": 1, "depth": 8},
    }
    for name in agents.names(batch.rules):
        try:
            agents.make_seeded(name, number, **few.get(name, {})).act(batch, lanes)
        except BadOption:  # no policy comes with these rules
            if name not in ("net", "ppo"):
                raise
    if batch.graph_fields:
        play_by_graphs(batch, lanes, number)


def play_by_graphs(batch: Any, lanes: list[int], number: int) -> None:
    """A policy on graphs of moves, and a teacher that searches."""
    import numpy as np

    from domino_env import agents
    from domino_env.train.search_teacher import SearchTeacher
    from tests.test_graph_policies import with_graphs
    from tests.test_net import scorer_for

    policy = with_graphs(scorer_for(batch))
    agents.make("net", policy=policy).act(batch, lanes)
    agents.make_seeded("search", number, policy=policy, worlds=2).act(batch, lanes)
    SearchTeacher(2, number).gains(batch, np.array(lanes))


def begin_otherwise(batch: Any, waiting: Any) -> None:
    """Deals that are given, and opponents that play at random."""
    import numpy as np

    deals = [batch.position(lane).deal for lane in range(LANES)]
    waiting.reset(options={"deals": deals})
    owed = np.zeros(LANES)
    waiting._play_others(np.arange(LANES) % batch.num_players, owed)
    waiting.reset(seed=list(range(LANES)))


def main() -> None:
    """The command."""
    check_bounds()
    import domino_env

    parser = argparse.ArgumentParser(description="plays every game with all indices checked")
    parser.add_argument("--games", nargs="+", default=domino_env.variants())
    parser.add_argument("--decisions", type=int, default=150, help="of each setting")
    options = parser.parse_args()
    for game in options.games:
        count = every_course([game], options.decisions)
        print(f"{game}: {count} settings, every index in bounds", flush=True)


if __name__ == "__main__":
    sys.exit(main())
