"""`engine`: a program in any language that speaks the domino engine protocol.

It is started when it is first needed, and again after a fault; docs/engine-protocol.md says what it
is sent, and which faults forfeit which games. It gets what its seat may know, and nothing else.
"""

from __future__ import annotations

import os
import shlex
import shutil
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Shown, is_against_others, parts
from domino_env.agents.custom.attempts import Attempt
from domino_env.batches import Batch
from domino_env.engine.lane_checks import refuse_unlisted
from domino_env.errors import BadOption, is_whole
from domino_env.protocol import EngineFault, Limits, Recollection, Session
from domino_env.protocol.clocks import Clocks
from domino_env.protocol.descriptions import Description
from domino_env.protocol.session import Info
from domino_env.protocol.states import StateWriter

Whole = npt.NDArray[np.int64]
MOST_GROUP = 4096
_DESCRIBED: dict[tuple[Any, ...], Description] = {}  # so that nobody starts a program to ask again


class Engine(Shown):
    """Asks an engine for moves.

    Args:
        command: the program and its arguments, a list, or a text as a shell has it.
        seconds: that it has for a move; None: as long as it likes, or as its clock has.
        game_seconds: that it has for all its moves of a game; None: there is no such clock.
        increment: seconds that are added to that clock after each move.
        options: of the engine itself, by the names that it gives them.
        memory: megabytes that it may use.
        group: games that it is asked about at a time, at most.
        seed: for its generator, if it has an option `seed`.
    """

    name = "engine"
    searches = True
    may_fail = True  # it depends on a program from outside
    keeps_time = True  # its clock is here, and runs while it thinks and not while it starts

    def __init__(
        self,
        command: str | Sequence[str],
        seconds: float | None = 1.0,
        game_seconds: float | None = None,
        increment: float = 0.0,
        options: Mapping[str, Any] | None = None,
        memory: int = 1024,
        group: int = 64,
        seed: int | None = None,
    ) -> None:
        words = command_words(command)
        _check(seconds, game_seconds, increment, options, memory, group)
        self._limits, self._group = Limits(memory), int(group)
        self._per_move, self._per_game, self._increment = seconds, game_seconds, increment
        self._command, self._options, self._seed = words, dict(options or {}), seed
        self._begin()

    def _begin(self) -> None:
        known = _Games(Clocks(self._per_move, self._per_game, self._increment))
        self._games = known
        self._session = Session(
            self._command, self._limits, self._options, self._seed, known.tell_again
        )
        self._end = weakref.finalize(self, self._session.quit)

    @staticmethod
    def packed(**options: Any) -> dict[str, Any]:
        """The options with the program by its full path, for machines that have it there too."""
        if "command" in options:
            options["command"] = command_words(options["command"])
        return options

    @staticmethod
    def code_sum(command: str | Sequence[str], **_: Any) -> str:
        """A checksum of the files that a command names: the program, or a script of its."""
        found = sha256()
        for word in command_words(command):
            with suppress(OSError):
                found.update(Path(word).read_bytes())
        return found.hexdigest()

    def __getstate__(self) -> dict[str, Any]:
        """All but the process: a copy starts one of its own."""
        left_out = ("_games", "_session", "_end")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    @property
    def description(self) -> Description:
        """What the engine says of itself; it is started to hear it."""
        known = self._session.description or _DESCRIBED.get(self._program)
        if known is not None:
            return known
        try:
            _DESCRIBED[self._program] = self._session.start()
            return _DESCRIBED[self._program]
        except EngineFault as fault:
            raise BadOption(f"the engine {shlex.join(self._command)} {fault}") from fault

    @property
    def _program(self) -> tuple[Any, ...]:
        """The command, and which version of the program it is."""
        try:
            return *self._command, os.stat(self._command[0]).st_mtime_ns
        except OSError:
            return tuple(self._command)

    def plays(self, rules: Any) -> bool:
        """Games against others, of those that the engine says it plays."""
        return is_against_others(rules) and self.description.plays(rules)

    def act(self, batch: Batch, lanes: Whole) -> Whole:
        """The actions; an error where the engine has made a fault."""
        actions, faults = self.attempt(batch, lanes)
        for why in faults.values():
            raise EngineFault(f"the engine {shlex.join(self._command)} {why}")
        return np.asarray(actions)

    def attempt(self, batch: Batch, lanes: Whole) -> Attempt:
        """The actions, and the faults that forfeit a game."""
        with batch._held:
            some = batch._lanes_to_decide(lanes)
        actions, faults = np.full(len(some), -1, np.int64), dict[int, str]()
        for part in parts(len(some), self._group):
            moves, wrong = self._ask(batch, some[part])
            actions[part] = moves
            faults.update(wrong)
        return Attempt(actions, faults)

    def _ask(self, batch: Batch, lanes: Whole) -> tuple[Whole, dict[int, str]]:
        """Asks about a group of games."""
        try:
            self._session.start()
        except EngineFault as fault:
            return np.full(len(lanes), -1), dict.fromkeys(lanes.tolist(), str(fault))
        rules = self._session.rules_number(batch.setup)
        numbers, told = self._games.tell(batch, lanes, rules, self._session)
        clocks = self._games.clocks
        answers = self._session.ask(told, numbers, clocks.for_request(numbers))
        clocks.charge(numbers, answers.seconds)
        self._games.infos = answers.infos
        return _read(batch, lanes, numbers, answers.moves, answers.fault)

    @property
    def infos(self) -> dict[int, Info]:
        """What the engine said about its last decisions, by the numbers of the games."""
        return self._games.infos

    def ended(self, batch: Batch, lanes: Whole) -> None:
        """Tells the engine, with its next request, that games are over, and the final scores."""
        known = self._games.known.get(batch)
        if known is not None and self._session.runs:
            scores = batch._games["scores"][:, : batch.num_players]
            pairs = known.forget(np.asarray(lanes, np.int64))
            self._session.end_games(
                [{"game": number, "scores": scores[lane].tolist()} for number, lane in pairs]
            )
            for number, _ in pairs:
                self._games.clocks.forget(number)

    def close(self) -> None:
        """Ends the process; it is started again if it is asked again."""
        self._session.quit()


@dataclass
class _Games:
    """The games that an engine has been told of."""

    clocks: Clocks
    known: weakref.WeakKeyDictionary[Batch, Recollection] = field(
        default_factory=weakref.WeakKeyDictionary
    )
    infos: dict[int, Info] = field(default_factory=dict)
    _writer: StateWriter = field(default_factory=StateWriter)
    _numbers: int = 0

    def new_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def tell_again(self) -> None:
        """The engine has been started anew."""
        for each in self.known.values():
            each.tell_again()

    def tell(
        self, batch: Batch, lanes: Whole, rules: int, session: Session
    ) -> tuple[list[int], memoryview]:
        """The numbers of some games, and their states as the engine sees them."""
        if batch not in self.known:
            self.known[batch] = Recollection(batch, self.new_number)
        seats = batch._games["to_move"][lanes].astype(np.int64)
        known, gone = self.known[batch].look(batch, lanes, seats)
        session.end_games([{"game": number} for number in gone])
        for number in gone:
            self.clocks.forget(number)
        numbers = known.numbers.tolist()
        clocks = self.clocks.told(numbers)
        told = self._writer.write(batch, lanes, seats, rules, known.numbers, known.told, clocks)
        return numbers, told


def _read(
    batch: Batch, lanes: Whole, numbers: list[int], moves: Mapping[int, int], fault: str
) -> tuple[Whole, dict[int, str]]:
    """The actions of some lanes, and what is wrong in others."""
    chosen = [*map(moves.get, numbers)]
    found = _as_actions(chosen)
    faults = dict[int, str]()
    if refuse_unlisted(batch._legal, batch._num_legal, lanes, found):
        for place in np.flatnonzero(found < 0).tolist():
            lane, move = int(lanes[place]), chosen[place]
            faults[lane] = fault if move is None else _illegal(batch, lane, move)
    return found, faults


def _as_actions(chosen: list[int | None]) -> Whole:
    """Ids as numbers of actions; -1 where there is none, or where it cannot be one."""
    try:
        return np.array(chosen, np.int64)
    except (TypeError, OverflowError):
        most = np.iinfo(np.int16).max
        return np.array([-1 if x is None or not 0 <= x <= most else x for x in chosen], np.int64)


def _illegal(batch: Batch, lane: int, chosen: int) -> str:
    known = sorted(batch._legal[lane, : batch._num_legal[lane]].tolist())
    return f"moved illegally: id {chosen} is none of {', '.join(map(str, known)):.200}"


def command_words(command: Any) -> list[str]:
    """A command as a list, its program by the full path if it is a file."""
    try:
        words = shlex.split(command) if isinstance(command, str) else [*command]
    except (TypeError, ValueError):
        words = []
    if not words or not all(isinstance(word, str) and "\0" not in word for word in words):
        raise BadOption(
            "command is an engine's program and its arguments, like [./bot, --fast]; "
            f"not {command!r:.80}"
        )
    program = Path(words[0]).expanduser()
    if len(program.parts) > 1 or not shutil.which(words[0]):
        words[0] = str(program.absolute())
    return words


def _check(
    seconds: Any, game_seconds: Any, increment: Any, options: Any, memory: Any, group: Any
) -> None:
    for name, value in (("seconds", seconds), ("game_seconds", game_seconds)):
        if value is not None and not (_is_number(value) and value > 0):
            raise BadOption(f"{name} is a number above 0, or None for no limit; not {value!r}")
    if not _is_number(increment) or increment < 0:
        raise BadOption(f"increment is a number of seconds, 0 or more, not {increment!r}")
    if options is not None and not isinstance(options, Mapping):
        raise BadOption(f"options are names and values, like {{depth: 3}}; not {options!r:.80}")
    for name, value, most in (("memory", memory, 1 << 20), ("group", group, MOST_GROUP)):
        if not is_whole(value) or not 1 <= value <= most:
            raise BadOption(f"{name} must be a whole number from 1 to {most}, not {value!r}")


def _is_number(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and isfinite(value)
