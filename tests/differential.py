"""Differential play: the engine beside the reference games, compared at every decision.

    python -m tests.differential --decisions 1000000 --jobs 2      # what `make differential` runs

Both get the same deal. At each decision the seat to move, the legal moves, the open ends, the
points of the step and every new event must be equal; at the end of a round also the hands, the
boneyard, the scores and the winners. The moves are the engine's uniform samples. What a step pays
is compared in each of its kinds, worked out by `witness.paid` from the reference's points and
winners; and games are played with and without autoreset.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, TypeAlias

import numpy as np

import domino_env
from domino_env.batches import REWARDS
from domino_env.engine.log import NAMES, unpack
from domino_env.engine.state import ANYTHING, DOUBLE, GONE, NOBODY, SIDE
from domino_env.games import options_of
from domino_env.ruleset import LISTED
from domino_env.table_reader import FITS
from tests import reference
from tests.picks import Picks
from tests.solo_differential import SoloComparison
from tests.witness import paid

Options: TypeAlias = tuple[tuple[str, Any], ...]

TOGETHER: dict[str, list[Options]] = {
    "dominican": [
        (("bonus_30", True), ("pass_on_lead_50", True), ("no_capicua_with_blank", True)),
    ],
    "puerto_rican": [(("block_bonus", True), ("only_different_ends", True))],
    "jamaican_partner": [(("lead", "team"), ("keep_after_bruk", True))],
}
"""Options of the world's games that are played together."""

SAID = {
    ("partners", True): "teams",
    ("lead", "team"): "team_leads",
}
"""What the referees call some of them."""


@dataclass(frozen=True)
class Setting:
    """What is compared: a game, and how it is played."""

    variant: str
    players: int
    set: str
    calls: str = "automatic"
    episode: str = "round"
    changes: tuple[tuple[str, Any], ...] = ()
    reward: str = "points"
    autoreset: bool = True

    def __str__(self) -> str:
        extra = "-".join(
            name if value is True else f"{name}={value}" for name, value in self.changes
        )
        paid = [] if self.reward == "points" else [self.reward]
        stays = [] if self.autoreset else ["stays"]
        parts = [self.variant, str(self.players), self.set, self.calls, self.episode, extra]
        return "-".join(filter(None, [*parts, *paid, *stays]))


def every_way(setting: Setting) -> list[Setting]:
    """A setting with every kind of reward, with and without autoreset."""
    if domino_env.rules(setting.variant).players == (1,):
        return [setting]
    return [
        replace(setting, reward=reward, autoreset=autoreset)
        for reward, autoreset in product(REWARDS, (True, False))
    ]


def settings(variant: str, episode: str = "round") -> list[Setting]:
    """Every seat count, set, way of calling and choice of twists that a variant supports; choices
    with the usual set, and where many can play with two seat counts."""
    rules = domino_env.rules(variant)
    if rules.players == (1,) and episode == "match":
        return []
    return [
        Setting(variant, players, name, calls, episode, options)
        for options in choices_of_options(variant)
        for name in domino_env.rules(variant, **dict(options)).sets
        for players, calls in product(*_ways(variant, name, options))
    ]


def _ways(variant: str, name: str, options: Options) -> tuple[Sequence[Any], Sequence[str]]:
    """The numbers of players and the ways of calling that there are with a set and options; with
    options two numbers of many are enough."""
    rules = domino_env.rules(variant)
    if rules.has_opponents:  # puzzles have one set, and no options
        rules = domino_env.rules(variant, set=name, **dict(options))
    ways = ("automatic", "explicit") if rules.has_calls else ("automatic",)
    return rules.players[:2] if options and len(rules.players) > 4 else rules.players, ways


def choices_of_options(variant: str) -> list[Options]:
    """None of a game's options, each, and every combination of Fundomino's; of others some."""
    options = options_of(variant)
    if domino_env.rules(variant).set != LISTED:
        single = [
            ((name, value),)
            for name, option in options.items()
            for value in (option.choices or [True])
        ]
        return [(), *single, *TOGETHER.get(variant, [])]
    sets = product((False, True), repeat=len(options))
    return [
        tuple((name, True) for name, on in zip(options, each, strict=True) if on) for each in sets
    ]


def as_the_referee_says(variant: str, changes: Options) -> dict[str, Any]:
    """Changes as `reference.new_game` takes them: there the options of the world have names of
    their own."""
    given = dict(changes)
    if variant not in reference.world.GAMES:
        return {name: value for name, value in changes if name != "players"}
    names = [(name, given.pop(name)) for name in options_of(variant) if name in given]
    said = [SAID.get((name, value), name) for name, value in names]
    given |= {"hand_size": 9 if given.get("players") == 2 else 6} if "league" in said else {}
    given.pop("players", None)
    return {**given, "options": [name for name in said if name and name != "league"]}


class Differs(AssertionError):
    """The engine and the reference disagree."""


class Comparison:
    """A batch of the engine, and a reference game beside each lane."""

    def __init__(self, setting: Setting, seed: int, lanes: int = 32) -> None:
        self.setting = setting
        changes = dict(setting.changes)
        self.rules = domino_env.rules(setting.variant, set=setting.set, **changes)
        self.batch = domino_env.batch(
            self.rules,
            lanes,
            setting.players,
            seed=seed,
            episode=setting.episode,
            reward=setting.reward,
            calls=setting.calls,
            autoreset=setting.autoreset,
        )
        self.tiles = self._tiles_of_the_reference()
        decode = domino_env.actions.decode
        how = (setting.calls, setting.players)
        moves = [decode(self.rules, a, *how) for a in range(self.batch.num_actions)]
        self.moves = [
            ("play", self.tile_of[m.tile], m.end, m.half) if m.tile else (m.kind,) for m in moves
        ]
        # Only where every double has at most two sides is it settled what an end counts.
        layout = self.rules.layout
        self.counted = layout.arms in ("one", "two") and layout.doubles != "fork"
        self.rounds = self.decisions = 0
        self.alone = domino_env.batch(
            self.rules,
            1,
            setting.players,
            episode=setting.episode,
            reward="points",
            calls=setting.calls,
            autoreset=False,
        )
        self.alone.reset(seed=0)
        self.batch.reset()
        self.games = [self._new_game() for _ in range(lanes)]
        self.heard = [0] * lanes  # words of each lane's log that have been compared
        self.resting: dict[int, bytes] = {}  # lanes whose game is over, without autoreset
        for lane in range(lanes):
            self._deal(lane)

    def _tiles_of_the_reference(self) -> list[Any]:
        """For each tile number the tile as the reference has it: symbols and colours are texts."""
        faces = self.rules.tile_set.faces
        if self.rules.set == LISTED:
            found: list[Any] = [(str(first), str(second)) for first, second in faces]
        else:
            found = list(faces)
        self.tile_of = dict(zip(faces, found, strict=True))
        return found

    def _new_game(self) -> Any:
        return reference.new_game(
            self.setting.variant,
            self.setting.players,
            set=self.setting.set,
            calls=self.setting.calls,
            episode=self.setting.episode,
            **as_the_referee_says(
                self.setting.variant, (*self.setting.changes, ("players", self.setting.players))
            ),
        )

    def _deal(self, lane: int) -> None:
        """Gives a lane's fresh deal to its reference game."""
        record = self.batch._games[lane]
        order = [self.tiles[t] for t in self.batch.events[lane, : len(self.tiles)].tolist()]
        size, seats = self.rules.hand_size_for(self.setting.players), self.setting.players
        hands = [order[seat * size : (seat + 1) * size] for seat in range(seats)]
        game, dealt = self.games[lane], len(order) - len(self.rules.left_out_with(seats))
        lots = self.rules.opening.starter in ("lot", "in_turn")
        lots = getattr(game, "draws_lots", lots)  # a later round may be led otherwise
        game.start_round(
            hands, order[size * seats : dealt], int(record["starter"]) if lots else None
        )
        self.heard[lane] = len(self.tiles)
        self._compare(lane)

    def step(self) -> None:
        """One decision in every lane."""
        if len(self.resting) == len(self.games):
            self._wake([*self.resting])
        actions = self.batch.sample()
        before, logs = self.batch.state(), self.batch.events.copy()
        self.batch.step(actions)
        rested = [*self.resting]
        for lane, action in enumerate(actions.tolist()):
            if lane not in rested:
                self._follow(lane, action, before[lane], logs[lane])
        self.decisions += len(actions) - len(rested)
        self._wake(rested)

    def _wake(self, lanes: list[int]) -> None:
        """Lanes that were over have taken a step as they should, and begin anew."""
        for lane in lanes:
            self._equal(lane, "a game that is over", self.batch.save(lane), self.resting.pop(lane))
            self._equal(lane, "seat to move", int(self.batch.seat[lane]), -1)
            self._equal(lane, "mask", self.batch.mask[lane].nonzero()[0].tolist(), [])
            self._equal(lane, "end of episode", bool(self.batch.done[lane]), True)
        if lanes:
            self.batch.restart(np.array(lanes))
        for lane in lanes:
            self._equal(lane, "end of episode", bool(self.batch.done[lane]), False)
            self._equal(lane, "reward", self.batch.reward[lane].tolist(), self._nothing())
            self.games[lane] = self._new_game()
            self._deal(lane)

    def _nothing(self) -> list[float]:
        return [0.0] * self.setting.players

    def _follow(self, lane: int, action: int, before: Any, log: Any) -> None:
        game = self.games[lane]
        game.pick_tile = Picks(int(before["rng"]), self.tiles)
        points = game.apply(self.moves[action])
        theirs = paid(
            self.setting.reward, points, self.rules.teams, game.episode_over, game.winners
        )
        ours = self.batch.reward[lane].astype(float).round(3)  # a float32 is good for that
        self._equal(lane, self.setting.reward, ours.tolist(), theirs)
        self._equal(lane, "end of episode", bool(self.batch.done[lane]), game.episode_over)
        if not game.round_over:
            self._compare(lane)
            return
        self.rounds += 1
        self._compare_end(lane, action, before, log)
        if game.episode_over and not self.setting.autoreset:
            self.resting[lane] = self.batch.save(lane)
            self._compare_hands(lane, self.batch.position(lane))
            return
        if game.episode_over:
            self.games[lane] = self._new_game()
        self._deal(lane)

    def _compare(self, lane: int) -> None:
        game, record, batch = self.games[lane], self.batch._games[lane], self.batch
        self._equal(lane, "seat to move", int(record["to_move"]), game.to_move)
        count = batch.num_legal[lane]
        listed = batch.legal[lane, :count].tolist()
        legal = {self.moves[a] for a in listed}
        self._equal(lane, "legal moves", legal, game.legal())
        self._equal(lane, "mask", batch.mask[lane].nonzero()[0].tolist(), sorted(listed))
        self._equal(lane, "ends", *self._ends(record, game))
        self._events(lane, record)

    def _ends(self, record: Any, game: Any) -> tuple[Any, Any]:
        count = int(record["num_ends"])
        values = record["end_value"][:count].tolist()
        if values[0] == ANYTHING:
            return {}, game.ends()
        if self.rules.layout.tiles == "curved":
            return self._curved_ends(record, count), game.ends()
        on = [self.tiles[t] for t in record["end_tile"][:count].tolist()]
        kinds = record["end_kind"][:count].tolist()
        if not self.counted:
            theirs = {end: seen[:2] for end, seen in game.ends().items()}
            return dict(enumerate(zip(values, on, strict=True))), theirs
        pips = [
            {DOUBLE: 2 * v, SIDE: 0}.get(kind, v) for v, kind in zip(values, kinds, strict=True)
        ]
        return dict(enumerate(zip(values, on, pips, strict=True))), game.ends()

    def _curved_ends(self, record: Any, count: int) -> dict[int, Any]:
        shown = self.rules.tile_set.values
        return {
            end: (
                self.named(shown[record["end_value"][end]].asks),
                self.tiles[record["end_tile"][end]],
                shown[record["end_value"][end]].pips,
                FITS[record["end_turns"][end]],
            )
            for end in range(count)
            if record["end_kind"][end] != GONE
        }

    def named(self, asked: int | str) -> int | str:
        """What an end asks for, as the reference has it."""
        return str(asked) if self.rules.set == LISTED else asked

    def _events(self, lane: int, record: Any) -> None:
        heard, now = self.heard[lane], int(record["log_size"])
        game = self.games[lane]
        ours = [self._event(w) for w in self.batch._logs[lane, heard:now].tolist()]
        self._equal(lane, "events", ours, list(game.events[heard - len(self.tiles) :]))
        self.heard[lane] = now

    def _event(self, word: int) -> tuple[Any, ...]:
        kind, seat, tile, end, half = unpack(word)
        name = NAMES[kind]
        who = None if seat == NOBODY else seat
        if name == "play":
            return (name, who, self.tiles[tile], end, half)
        if name in ("draw", "flip", "back", "start"):
            return (name, who, self.tiles[tile])
        if name == "take":
            return (name, who, end, self.tiles[tile])
        return (name, who)

    def _compare_end(self, lane: int, action: int, before: Any, log: Any) -> None:
        """The engine has dealt again already: the end of the round is played once more alone."""
        game = self.games[lane]
        if self.setting.episode == "match" and not game.episode_over:
            return  # the next round is dealt within the step; its scores are compared as points
        alone = self.alone
        alone._games[0] = before
        alone._logs[0] = log
        alone._show(0)
        alone.step([action])
        self._compare_hands(lane, alone.position(0))

    def _compare_hands(self, lane: int, position: Any) -> None:
        """How a round has ended: what everybody holds and has, and who has won."""
        game = self.games[lane]
        hands = [sorted(self.tile_of[tile] for tile in hand) for hand in position.hands]
        self._equal(lane, "hands", hands, [sorted(map(tuple, hand)) for hand in game.hands])
        boneyard = [self.tile_of[tile] for tile in position.boneyard]
        theirs = list(map(tuple, game.boneyard))
        if self.rules.rows:
            boneyard, theirs = sorted(boneyard), sorted(theirs)
        self._equal(lane, "boneyard", boneyard, theirs)
        self._equal(lane, "scores", position.scores, list(game.scores))
        self._equal(lane, "winners", set(position.winners), set(game.winners))

    def _equal(self, lane: int, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            raise Differs(
                f"{self.setting}: {what} differs\n  engine     {ours}\n  reference  {theirs}\n"
                f"{self.batch.position(lane)}\n" + "\n".join(map(str, self.games[lane].events))
            )


def compare(setting: Setting, seed: int, *, rounds: int = 0, decisions: int = 0) -> Any:
    """Plays until so many rounds and decisions have been compared."""
    alone = domino_env.rules(setting.variant).players == (1,)
    comparison = SoloComparison(setting, seed) if alone else Comparison(setting, seed)
    while comparison.rounds < rounds or comparison.decisions < decisions:
        comparison.step()
    return comparison


def _job(job: tuple[Setting, int, int]) -> dict[str, Any]:
    setting, seed, decisions = job
    began = time.perf_counter()
    done = compare(setting, seed, decisions=decisions)
    return {
        **asdict(setting),
        "rounds": done.rounds,
        "decisions": done.decisions,
        "seconds": round(time.perf_counter() - began, 1),
    }


def main(arguments: list[str] | None = None) -> int:
    """Runs the deep comparison and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--decisions", type=int, default=1_000_000, help="for each variant")
    parser.add_argument("--variants", nargs="*", default=domino_env.variants())
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write the results to this file too")
    options = parser.parse_args(arguments)
    jobs = []
    for variant in options.variants:
        plain = [*settings(variant), *settings(variant, "match")]
        found = [way for setting in plain for way in every_way(setting)]
        share = -(-options.decisions // len(found))
        jobs += [(setting, options.seed, share) for setting in found]
    totals: dict[str, list[int]] = {name: [0, 0] for name in options.variants}
    results = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, result in enumerate(pool.map(_job, jobs), 1):
            results.append(result)
            totals[result["variant"]][0] += result["decisions"]
            totals[result["variant"]][1] += result["rounds"]
            print(f"\r{number} of {len(jobs)} settings compared", end="", file=sys.stderr)
    print(file=sys.stderr)
    for variant, (decisions, rounds) in totals.items():
        print(f"{variant:16} {decisions:>10,} decisions {rounds:>9,} rounds   none different")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
