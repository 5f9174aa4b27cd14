"""A session: a batch in the middle of its games, all that stands on it, and calls upon them."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np

import domino_env
from domino_env import agents, belief
from domino_env.adapters.single import SingleEnv, SingleVectorEnv
from domino_env.errors import DominoError
from domino_env.record import Recorder
from domino_env.render.compose import compose, room_of
from tests.fuzz import doors
from tests.fuzz.bad_values import Values, junk, table_of
from tests.fuzz.doors import Door
from tests.fuzz.writes import write_into

CALLS = 100  # of a session
OTHERS = ("pettingzoo", "gymnasium", "stable_baselines3")  # whose own errors may come out
READY_ERRORS = (MemoryError, ImportError, RecursionError, OSError)
AGENTS = (
    "random",
    "greedy_pip",
    "heuristic",
    "optimal",
    "clairvoyant",
    "determinised",
    "pimc",
    "search",
)

Tell = Callable[[str], None]


class Wrong(Exception):
    """A call that did what it must not."""


class Session:
    """Session `number` of a seed: always the same."""

    def __init__(self, seed: int, number: int) -> None:
        self.chance = Random(f"fuzz {seed} {number}")
        names = domino_env.variants()
        self.variant = names[number % len(names)]
        self.batch = table_of(self.chance, self.variant)
        self.failures: list[str] = []
        self.refused = self.calls = 0
        self._stand()

    def _stand(self) -> None:
        """Everything that stands on the batch, and how it is looked at."""
        batch, chance = self.batch, self.chance
        self.judge = like(batch)
        self.judge.reset()
        position = batch.position(0)
        fresh = domino_env.batch(batch.rules, 1, batch.num_players, seed=chance.getrandbits(20))
        fresh.reset()
        record = Recorder(fresh).record
        self._take_environments()
        self.things: dict[str, Any] = {"position": position}
        others: dict[str, Any] = {
            "batch": batch,
            "setup": batch.setup,
            "rules": batch.rules,
            "room": room_of([position]),
            "position": position,
            "scene": compose(position),
            "record": record,
            "text": record.text(),
            "saved": batch.save(0),
        }
        if batch.rules.has_opponents:
            self.things["belief"] = belief.Belief(batch, 1)
            others["worlds"] = self.things["belief"].new_worlds(4)
        self.values = Values(chance, batch, others)
        self.standing = [
            *doors.of_modules(),
            *(door for _ in range(4) for door in doors.of_object("batch", batch)),
            *(door for name, thing in self.things.items() for door in doors.of_object(name, thing)),
            *self._agents(),
        ]

    @property
    def doors(self) -> list[Door]:
        """All that can be called now."""
        everyone = self.environments.items()
        return self.standing + [
            door for name, thing in everyone for door in doors.of_object(name, thing)
        ]

    def _take_environments(self) -> None:
        """What other libraries play it through."""
        chance, batch = self.chance, self.batch
        game, players = batch.rules, batch.num_players
        illegal = chance.choice(("raise", "terminate"))
        made = {
            "aec": domino_env.raw_aec(game, num_players=players, illegal=illegal),
            "single": SingleEnv(game, num_players=players, illegal=illegal),
            "vector": SingleVectorEnv(game, 3, num_players=players),
            "sb3": _sb3(game, players),
        }
        for env in made.values():
            if env is not None and chance.random() < 0.9:
                env.reset()
        self.environments = {name: env for name, env in made.items() if env is not None}

    def _agents(self) -> list[Door]:
        """Agents that play the game, each with its `act`; those that search, with little to do."""
        found = []
        for name in agents.names(self.batch.rules):
            if name in AGENTS:
                small = {"worlds": 2} if name in ("determinised", "pimc", "search") else {}
                agent = agents.make_seeded(name, 1, **small)
                found.append(Door(f"agents.make({name!r}).act", agent.act))
        return found

    # Calls ---------------------------------------------------------------------------------------

    def run(self, tell: Tell, calls: int = CALLS) -> None:
        """Makes the calls; before each one it is told which."""
        kinds = (self.call, self.write, self.replace, self.play)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for number in range(calls):
                kind = self.chance.choices(kinds, (80, 12, 3, 5))[0]
                tag = f"{number}: {self.batch!r}: "
                self.said = tag + kind.__name__
                tell(self.said)
                try:
                    kind(lambda said, tag=tag: tell(self._saying(tag + said)))
                except Exception as wrong:
                    what = str(wrong) if isinstance(wrong, Wrong) else traceback.format_exc()
                    self.failures.append(f"{self.said}\n      {what}")
                    self.batch = table_of(self.chance, self.variant)  # it may be spoilt
                    self._stand()
                self.calls += 1

    def _saying(self, said: str) -> str:
        self.said = said
        return said

    def call(self, tell: Tell) -> None:
        """One call with arguments of any kind."""
        door = self.chance.choice(self.doors)
        given = door.arguments(self.values, self.chance)
        if given is None:
            return
        tell(f"{door.name}({', '.join(f'{name}={short(value)}' for name, value in given.items())})")
        is_step = door.name == "batch.step"
        before, truth = self.picture(), self.legal_now(self.batch) if is_step else []
        try:
            result = door.function(**given)
        except Exception as error:
            self.refused += 1
            if self.picture() != before:
                raise Wrong(f"it changed something, and raised {oneline(error)}") from error
            if not is_in_order(error):
                raise Wrong(f"{oneline(error)}\n{traceback.format_exc(limit=-4)}") from error
            return
        if is_step:
            must_be_legal(truth, given)
        self.look_at(result)
        if door.name.startswith("batch."):
            self.must_hang_together()

    def look_at(self, result: Any) -> None:
        """What a call has made must be of use."""
        if isinstance(result, domino_env.Batch) and result.num_games <= 64:
            result.reset()
            result.step(result.sample())
        for array in list(doors.arrays_of(result))[:3]:
            if self.chance.random() < 0.2 and array.size:
                before = self.picture()
                how = write_into(array, self.chance)
                if self.picture() != before and not self._is_shown(array):
                    raise Wrong(f"writing into what it returned ({how}) changed something")

    def _is_shown(self, array: Any) -> bool:
        """Is it an array in which the batch shows itself?"""
        shown = doors.arrays_of(self.batch)
        return any(np.may_share_memory(array, each) for each in shown)

    def write(self, tell: Tell) -> None:
        """Writes into an array of a copy of the batch, and plays on with it; or into one of an
        environment, which then makes way for another."""
        name = self.chance.choice(["batch", "batch", "batch", *self.environments])
        thing = self.batch.clone() if name == "batch" else self.environments[name]
        arrays = [*attributes(thing), *attributes(getattr(thing, "table", None))]
        arrays = [(word, array) for word, array in arrays if array.size]
        if not arrays:
            return
        word, array = self.chance.choice(arrays)
        saved = saves(thing) if name == "batch" else []
        tell(f"write into {name}.{word}, {array.dtype}{list(array.shape)}")
        how = write_into(array, self.chance)
        did = f"write into {name}.{word}: {how}; "
        tell(did)
        if name == "batch":
            if saves(thing) != saved:
                raise Wrong("it changed the state of a game")
            self.must_go_on(thing)
        self.use_up(name, thing, lambda said: tell(did + said))

    def must_go_on(self, batch: Any) -> None:
        """Whatever was written: only what is legal can be played, and nothing falls over."""
        truth = self.legal_now(batch)
        sampled = batch.sample()
        must_be_legal(truth, {"actions": sampled})
        if not any(truth):
            return
        lane = self.chance.choice([lane for lane, legal in enumerate(truth) if legal])
        illegal = sorted({*range(batch.num_actions)} - truth[lane])
        if illegal:
            before, wrong = saves(batch), sampled.copy()
            wrong[lane] = self.chance.choice(illegal)
            try:
                batch.step(wrong)
            except DominoError:
                pass
            else:
                raise Wrong(f"lane {lane}: action {wrong[lane]} is illegal, and was taken")
            if saves(batch) != before:
                raise Wrong("a refused step changed the state of a game")
        batch.step(sampled)

    def replace(self, tell: Tell) -> None:
        """Puts something else in the place of an attribute of a copy, and uses that."""
        twin = self.batch.clone()
        names = [name for name in {**vars(twin), **vars(type(twin))} if not name.startswith("_")]
        name, value = self.chance.choice(sorted(names)), junk(self.chance)
        did = f"batch.{name} = {short(value)}; "
        tell(did)
        try:
            setattr(twin, name, value)
        except (AttributeError, DominoError):
            return
        self.use_up("batch", twin, lambda said: tell(did + said))

    def use_up(self, name: str, thing: Any, tell: Tell) -> None:
        """Calls what has been spoilt: any error may come out, but the process lives, and the batch
        that it is a copy of stays as it is."""
        before = self.picture()
        found = doors.of_object(name, thing)
        if name == "batch":
            found += [door for door in self._agents() for _ in range(2)]
        others = {**self.values.others, "batch": thing}
        values = Values(self.chance, self.batch, others)
        for door in self.chance.sample(found, min(6, len(found))):
            given = door.arguments(values, self.chance)
            if given is not None:
                tell(f"{door.name}({', '.join(f'{key}={short(it)}' for key, it in given.items())})")
                with suppress(Exception):
                    door.function(**given)
        if self.picture() != before:
            raise Wrong("it changed the batch that it is a copy of")
        if name in self.environments:
            self._take_environments()

    def play(self, tell: Tell) -> None:
        """Goes on as one should."""
        if not (self.batch.seat >= 0).any():
            self.batch.reset()
        for _ in range(self.chance.randrange(1, 6)):
            if (self.batch.seat >= 0).any():
                self.batch.step(self.batch.sample())

    # Looking -------------------------------------------------------------------------------------

    def picture(self) -> list[Any]:
        """All that the batch is and shows, generators too."""
        batch = self.batch
        shown = [batch.observation, batch.mask, batch.num_legal, batch.seat, batch.reward]
        size = batch.num_legal.tolist()
        legal = [batch.legal[lane, :many].tolist() for lane, many in enumerate(size)]
        rng = batch._samplers.tobytes()
        return [*saves(batch), legal, rng, *(array.tobytes() for array in [*shown, batch.done])]

    def legal_now(self, batch: Any) -> list[set[int]]:
        """What is legal in each lane, by a batch whose arrays nobody has seen."""
        for lane, saved in enumerate(saves(batch)):
            self.judge.restore(lane, saved)
        return [{*mask.nonzero()[0].tolist()} for mask in self.judge.mask]

    def must_hang_together(self) -> None:
        """After a call that was accepted: every tile is there once, and what is shown is true."""
        lane = self.chance.randrange(self.batch.num_games)
        position = self.batch.position(lane)
        if not self.batch.rules.has_opponents:
            return
        tiles = [tile for hand in position.hands for tile in hand]
        tiles += [*position.boneyard, *(tile for tile, _ in position.played)]
        rules, players = self.batch.rules, self.batch.num_players
        dealt = rules.num_tiles - len(rules.left_out_with(players))
        if len({*tiles}) != len(tiles) or len(tiles) != dealt:
            raise Wrong(f"lane {lane} has {len(tiles)} tiles, {len({*tiles})} different")


def saves(batch: Any) -> list[bytes]:
    """The state of every game."""
    return [batch.save(lane) for lane in range(batch.num_games)]


def like(batch: Any) -> Any:
    """A batch of the same kind, in which any of its games can be laid open."""
    return domino_env.batch(
        batch.rules,
        batch.num_games,
        batch.num_players,
        seed=0,
        episode=batch.episode,
        reward=batch.reward_kind,
        calls=batch.calls,
        autoreset=False,
    )


def must_be_legal(truth: list[set[int]], given: dict[str, Any]) -> None:
    """Refuses what a step has let through."""
    every = range(len(truth))
    lanes = given.get("lanes")
    lanes = [*every] if lanes is None else np.atleast_1d(np.asarray(lanes)).tolist()
    taken = np.asarray(given["actions"]).tolist()
    if len({*lanes}) != len(lanes) or len(taken) != len(lanes):
        raise Wrong(f"{len(taken)} actions were taken in the lanes {lanes}")
    for lane, action in zip(lanes, taken, strict=True):
        if action not in truth[lane] and (truth[lane] or action != -1):
            raise Wrong(f"lane {lane}: action {action} is illegal, and went through")


def attributes(thing: Any) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays that an object shows, each by the name of its attribute."""
    for word in dir(thing):
        if not word.startswith("_") and type(thing).__module__.startswith("domino_env"):
            for array in doors.arrays_of(getattr(thing, word, None), 1):
                yield word, array


def is_in_order(error: Exception) -> bool:
    """Is it one of our errors, or Python's for arguments that a function does not have?"""
    if isinstance(error, (DominoError, *READY_ERRORS)):
        return True
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, TypeError) and len(frames) == 1:
        return True
    if isinstance(error, AttributeError) and frames[-1].name in ("get_attr", "has_attr"):
        return True  # as Python and Stable-Baselines3 have it
    return any(f"/{name}/" in frames[-1].filename for name in OTHERS)


def oneline(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def short(value: Any) -> str:
    """A value in a few words, the whole of it where that is not long."""
    if isinstance(value, np.ndarray) and value.size > 8:
        return f"<{value.dtype}{list(value.shape)} {value.reshape(-1)[:4].tolist()}...>"
    return repr(value).replace("\n", " ")[:200]


def _sb3(game: Any, players: int) -> Any:
    try:
        from domino_env.adapters.sb3 import SB3VecEnv
    except ImportError:  # it is an extra
        return None
    return SB3VecEnv(game, 3, num_players=players)
