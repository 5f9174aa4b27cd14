"""Does a program keep to the protocol? `domino engine check` plays every message at it: greetings,
options, all its games with every number of players, one game and many at once, clocks, ends.

It is played for long enough that every kind of question, end and event comes up.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np

from domino_env.agents.custom.attempts import Attempt
from domino_env.agents.engine import Engine
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.games import rules, variants
from domino_env.protocol.descriptions import VERSION, Description, Option, read_description
from domino_env.protocol.faults import EngineFault
from domino_env.protocol.process import EngineProcess, Limits
from domino_env.protocol.session import ANSWER_BYTES, START_SECONDS, read_line
from domino_env.protocol.states import in_json

IDLE_SECONDS = 0.2  # in which nothing may be written that nobody has asked for
EXIT_SECONDS = 1.0
MOST_SHOWN = 5  # faults of a kind
GROUP = 64


@dataclass
class Finding:
    """What a test has found."""

    what: str
    faults: list[str] = field(default_factory=list)
    note: str = ""

    def __str__(self) -> str:
        if not self.faults:
            return f"ok     {self.what}{f': {self.note}' if self.note else ''}"
        shown = self.faults[:MOST_SHOWN]
        more = len(self.faults) - len(shown)
        rest = [f"and {more} times more"] if more else []
        return "\n".join([f"WRONG  {self.what}", *(f"       it {each}" for each in shown), *rest])


class Checker:
    """Checks one program.

    Args:
        command: the program and its arguments.
        seconds: for a move.
        deals: games of each kind that it plays.
        games: the ids of games; all that the engine plays by default.
    """

    def __init__(
        self,
        command: Sequence[str],
        seconds: float = 1.0,
        deals: int = 8,
        games: Sequence[str] = (),
    ) -> None:
        self._command, self._seconds, self._deals = [*command], seconds, deals
        self._games = [*games] or variants()
        self._description: Description | None = None

    def findings(self) -> Iterator[Finding]:
        """Every test, as soon as it is done; no more of them if the engine does not start."""
        hello = self._tried("it starts and answers hello", self._hello)
        yield hello
        if hello.faults:
            return
        tests: list[tuple[str, Callable[[], str]]] = [
            ("it is ready after setup, and then idle", self._set_up),
            ("it takes its options", self._options),
            ("it ignores what it does not know", self._unknown),
            ("it exits when it is told to quit", self._quit),
            ("it exits when its input ends", self._end_of_input),
        ]
        for what, test in tests:
            yield self._tried(what, test)
        with _seated(self._command, seconds=self._seconds, group=GROUP) as engine:
            for game in self._games:
                if self._described.plays(rules(game)):
                    yield self._played(game, engine)
        yield self._tried("its speed", self._speed)

    @property
    def _described(self) -> Description:
        assert self._description is not None
        return self._description

    def _tried(self, what: str, test: Callable[[], str]) -> Finding:
        try:
            return Finding(what, note=test())
        except (EngineFault, BadOption) as fault:
            return Finding(what, [str(fault)])

    # The first messages -------------------------------------------------------------------------

    def _hello(self) -> str:
        began = monotonic()
        with _Talk(self._command) as talk:
            said = read_description(talk.ask(HELLO))
            talk.must_be_idle("hello")
        self._description = said
        options = ", ".join(said.options) or "no options"
        return f"{said.name} by {said.author or 'nobody'}; {options}; {monotonic() - began:.2f} s"

    def _set_up(self) -> str:
        with _Talk(self._command) as talk:
            talk.ask(HELLO)
            talk.must_be_ready({})
            talk.must_be_idle("setup")
        return ""

    def _options(self) -> str:
        """Sets each of them to its bounds and its choices."""
        tried = 0
        for option in self._described.options.values():
            for value in _values(option):
                with _Talk(self._command) as talk:
                    talk.ask(HELLO)
                    talk.must_be_ready({option.name: value})
                tried += 1
        return f"{tried} values" if tried else "it has none"

    def _unknown(self) -> str:
        with _Talk(self._command) as talk:
            talk.ask({**HELLO, "news": [1, {"a": None}]})
            talk.say({"type": "news", "text": "nothing"})
            talk.must_be_idle("a message of an unknown type")
            talk.must_be_ready({})
        return ""

    def _quit(self) -> str:
        return self._exits(lambda talk: talk.say({"type": "quit"}))

    def _end_of_input(self) -> str:
        return self._exits(lambda talk: talk.process.close_input())

    def _exits(self, end: Callable[[_Talk], None]) -> str:
        with _Talk(self._command) as talk:
            talk.ask(HELLO)
            talk.must_be_ready({})
            began = monotonic()
            end(talk)
            status = talk.process.exit_status(EXIT_SECONDS)
            if status is None:
                raise EngineFault(f"had not exited after {EXIT_SECONDS:g} second")
            if status.get("exit") != 0:
                raise EngineFault(f"did not exit with status 0, but with {status}")
            return f"{monotonic() - began:.2f} s"

    # Games --------------------------------------------------------------------------------------

    def _played(self, game: str, engine: Engine) -> Finding:
        """Plays a game with every number of players, and with the usual one in every way."""
        found, decisions = Finding(game), 0
        played = rules(game)
        for players in played.players:
            for how in _ways(played) if players == played.players[0] else [{}]:
                batch = Batch(played, self._deals, players, 0, autoreset=False, **how)
                decisions += _play(batch, engine, found.faults)
        found.note = f"{decisions:,} decisions"
        return found

    def _speed(self) -> str:
        """Milliseconds a decision, our own work included."""
        game = next(each for each in self._games if self._described.plays(rules(each)))
        told = []
        for group in (1, GROUP):
            with _seated(self._command, seconds=self._seconds, group=group) as engine:
                faults: list[str] = []
                _play(_rounds(game, group), engine, faults)  # it warms up
                engine.seconds_spent = 0.0
                decisions = _play(_rounds(game, 4 * GROUP if group > 1 else 8), engine, faults)
                if faults:
                    raise EngineFault(faults[0])
                each = 1000 * engine.seconds_spent / decisions
            told.append(f"{each:.3f} ms a decision in groups of {group}")
        return ", ".join(told)


HELLO = {"type": "hello", "protocol": VERSION, "host": "domino engine check"}


class _Talk:
    """A conversation by hand."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = EngineProcess(command, Limits())

    def __enter__(self) -> _Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.end()

    def say(self, message: dict[str, Any]) -> None:
        self.process.say(f"{in_json(message)}\n".encode(), monotonic() + START_SECONDS)

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        said = f"{in_json(message)}\n".encode()
        try:
            return read_line(
                next(self.process.exchange(said, monotonic() + START_SECONDS, ANSWER_BYTES))
            )
        except TimeoutError:
            raise EngineFault(
                f"did not answer {message['type']} within {START_SECONDS:g} seconds"
            ) from None

    def must_be_ready(self, options: dict[str, Any]) -> None:
        said = self.ask({"type": "setup", "options": options})
        if said.get("type") != "ready":
            raise EngineFault(f"answered setup with {in_json(said):.80}")

    def must_be_idle(self, after: str) -> None:
        """Refuses lines that nobody has asked for."""
        lines = self.process.exchange(b"", monotonic() + IDLE_SECONDS, ANSWER_BYTES)
        try:
            line = next(lines)
        except TimeoutError:
            return
        raise EngineFault(
            f"wrote more than its answer to {after}: {line[:80].decode(errors='replace')}"
        )


class _seated(Engine):  # noqa: N801  # it reads as what it does
    """An engine at a table, for a while; and the seconds that it has taken."""

    seconds_spent = 0.0

    def attempt(self, batch: Batch, lanes: Any) -> Attempt:
        began = monotonic()
        answer = super().attempt(batch, lanes)
        self.seconds_spent += monotonic() - began
        return answer

    def __enter__(self) -> _seated:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _values(option: Option) -> list[Any]:
    """Values to try of an option."""
    if option.type == "boolean":
        return [False, True]
    if option.type == "choice":
        return [*option.choices]
    found = [each for each in (option.default, option.low, option.high) if each is not None]
    if option.type == "integer":
        found = [int(each) for each in found]
    return found or ([0] if option.type == "integer" else [])


def _ways(played: Any) -> list[dict[str, Any]]:
    """How a game can be played."""
    ways: list[dict[str, Any]] = [{}]
    if played.has_calls:
        ways.append({"calls": "explicit"})
    if played.has_matches:
        ways.append({"episode": "match"})
    return ways


def _rounds(game: str, number: int) -> Batch:
    return Batch(rules(game), number, None, 0, autoreset=False)


MOST_TURNS = 120  # of a batch: all rounds are over by then, and some of a match


def _play(batch: Batch, engine: Engine, faults: list[str]) -> int:
    """Plays games in which the engine has about half of the moves, in all seats, and the others are
    random; how many were the engine's."""
    batch.reset()
    decisions = 0
    live = np.ones(batch.num_games, bool)
    for turn in range(MOST_TURNS):
        going = np.flatnonzero(live & (batch.seat >= 0))
        if not len(going):
            break
        actions = batch.sample()
        asked = going[(batch.seat[going] + turn) % 2 == 0] if turn % 8 else going
        if len(asked):
            found, wrong = engine.attempt(batch, asked)
            decisions += len(asked)
            faults += [f"{why} (seat {batch.seat[lane]} of a game)" for lane, why in wrong.items()]
            actions[asked] = found
            live[[*wrong]] = False
        going = np.flatnonzero(live & (batch.seat >= 0))
        if len(going):
            batch.step(actions[going], going)
            engine.ended(batch, going[batch.seat[going] < 0])
    return decisions


def check(command: Sequence[str], say: Callable[[str], None], **options: Any) -> bool:
    """Checks a program, and tells each finding as it comes; True if there was nothing wrong."""
    say(f"checking {shlex.join(command)}")
    right = True
    for finding in Checker(command, **options).findings():
        say(str(finding))
        right &= not finding.faults
    say("nothing is wrong" if right else "something is wrong: see above")
    return right
