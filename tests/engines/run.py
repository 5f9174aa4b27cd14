"""Many deals among engines in five languages that misbehave and are killed at random.

Every pairing is played twice: by the engines as they are, and again while each of them makes any of
the faults of `misbehaving` now and then, and its processes are killed from outside. Then every game
must have come out as it did, or have been forfeited for a reason, at its cost; and no process may
be left.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from domino_env import games
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import ChunkResult, Pairing
from domino_env.protocol.keeper import descendants

EXAMPLES = Path(__file__).parents[2] / "examples" / "engines"
MISBEHAVING = Path(__file__).with_name("misbehaving.py")
LANGUAGES = ("c", "java", "javascript", "python", "rust")  # the ones whose play is reproducible
MARK = "987654"  # in the command of every process that a misbehaving engine leaves behind
CHUNK = 250
MANY = 1000  # deals: so many are not played without a kill


@dataclass
class Outcome:
    """What a run has come to."""

    deals: int = 0
    games: int = 0
    forfeits: int = 0
    wrong: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    killed: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        reasons = "\n".join(f"{n:>8,}  {why}" for why, n in self.reasons.most_common())
        wrong = "\n".join(["nothing wrong"] if not self.wrong else ["WRONG:", *self.wrong])
        return (
            f"{self.deals:,} deals, {self.games:,} games, {self.forfeits:,} of them forfeited, "
            f"{self.killed:,} processes killed from outside, {self.seconds:,.0f} s\n"
            f"{reasons}\n{wrong}"
        )


def entrant(language: str, **options: Any) -> Entrant:
    """An example as it is."""
    command = [str(EXAMPLES / language / "run")]
    return Entrant("engine", language, {"command": command, **options})


def misbehaving(language: str, chance: float, **options: Any) -> Entrant:
    """An example that misbehaves in any way at some of its requests."""
    other = [str(EXAMPLES / language / "run")]
    way = [sys.executable, str(MISBEHAVING), "any", "--chance", str(chance), "--", *other]
    return Entrant("engine", language, {"command": way, **options})


def play(
    deals: int,
    chance: float,
    kills_a_second: float,
    languages: Sequence[str] = LANGUAGES,
    game: str = games.DEFAULT_GAME,
    say: Any = lambda text: None,
) -> Outcome:
    """Plays so many deals, shared among all pairings."""
    found, began = Outcome(), time.monotonic()
    pairs = [*combinations(languages, 2)]
    rules, each = games.rules(game), -(-deals // len(pairs))
    kind = {"group": 16, "memory": 512}
    for first, second in pairs:
        clean = [entrant(name, seconds=None, **kind) for name in (first, second)]
        wild = [misbehaving(name, chance, seconds=0.02, **kind) for name in (first, second)]
        for start in range(0, each, CHUNK):
            size = min(CHUNK, each - start)
            plain = Pairing(rules, None, *clean).play_deals(start, size)
            with killing(kills_a_second, found):
                pairing = Pairing(rules, None, *wild)
                come = pairing.play_deals(start, size, recorded=1)
            compare(f"{first} and {second}", start, plain, come, pairing, found)
            found.deals += size
            left = [each for each in descendants(os.getpid()) if alive(each)]
            found.wrong += [f"process {each} is left: {command_of(each)}" for each in left]
        say(f"{first} and {second}: {found.deals:,} deals, {found.forfeits:,} games forfeited")
    found.wrong += [f"left behind: {each}" for each in left_behind()]
    if deals >= MANY and kills_a_second and not found.killed:
        found.wrong.append("no process was killed from outside")
    found.seconds = time.monotonic() - began
    return found


def compare(
    where: str,
    start: int,
    plain: ChunkResult,
    come: ChunkResult,
    pairing: Pairing,
    found: Outcome,
) -> None:
    """Every game came out as it was to, or was forfeited at its cost; `start` is the first deal."""
    expected = plain.margins.copy()
    if plain.forfeits:
        found.wrong.append(f"{where}: forfeits without cause: {plain.forfeits[0]}")
    for each in come.forfeits:
        cost = pairing.forfeit_cost if each.side else -pairing.forfeit_cost
        expected[each.deal - start, each.game] = cost
        found.reasons[short(each.why)] += 1
        if not each.why:
            found.wrong.append(f"{where}: deal {each.deal} was forfeited for no reason")
    if come.margins.shape != expected.shape:
        found.wrong.append(f"{where}: {come.margins.shape} games, not {expected.shape}")
        return
    wrong = np.argwhere(come.margins != expected)
    found.wrong += [f"{where}: deal {start + deal}, game {game}" for deal, game in wrong]
    found.games += come.margins.size
    found.forfeits += len(come.forfeits)


def short(why: str) -> str:
    """A reason without its figures."""
    words = why.partition(";")[0].partition(": ")[0].split()
    return " ".join("n" if any(map(str.isdigit, word)) else word for word in words)[:60]


@contextmanager
def killing(a_second: float, found: Outcome) -> Iterator[None]:
    """Kills a process of an engine now and then: at other times in each part of the deals, however
    short that is."""
    over, draws = threading.Event(), random.Random(found.deals)

    def kill() -> None:
        while a_second and not over.wait(draws.expovariate(a_second)):
            all_of_us = descendants(os.getpid())
            engines = [each for each in all_of_us if "keeper.py" not in command_of(each)]
            if engines:
                with suppress(OSError):
                    os.kill(draws.choice(engines), signal.SIGKILL)
                    found.killed += 1

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    try:
        yield
    finally:
        over.set()
        killer.join()


def command_of(process: int) -> str:
    """The command of a process."""
    try:
        said = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return ""
    return said.replace(b"\0", b" ").decode(errors="replace").strip()


def alive(process: int) -> bool:
    """Is it there, and no zombie?"""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def left_behind() -> list[str]:
    """Processes of misbehaving engines, whoever their parent is now."""
    numbers = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()]
    commands = [command_of(each) for each in numbers if each != os.getpid()]
    ours = (MARK, str(MISBEHAVING), str(EXAMPLES))
    return [each for each in commands if any(word in each for word in ours)]
