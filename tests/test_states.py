"""State machines: whatever is done to a batch of any variant, what must hold of its games holds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

import domino_env
from domino_env.actions import Move, Tile, decode, encode
from domino_env.batches import Batch
from domino_env.position import Event, Position
from tests.differential import Setting
from tests.differential import settings as settings_of

LANES = 3
VARIANTS = domino_env.variants()
# A round can earn more than the target and lose points too, and a match can have any number of
# rounds: the only numbers of an observation that may leave 0 to 1.
UNBOUNDED = ("score", "claim", "round")


def batch_of(setting: Setting, num_games: int, **options: Any) -> Batch:
    """A batch that plays by a setting."""
    rules = domino_env.rules(setting.variant, set=setting.set)
    return domino_env.batch(
        rules,
        num_games,
        setting.players,
        episode=setting.episode,
        calls=setting.calls,
        **options,
    )


def every_setting(variant: str) -> list[Setting]:
    """Every seat count, set, way of calling and episode."""
    return [*settings_of(variant), *settings_of(variant, "match")]


# What a referee would say, from the position alone -----------------------------------------------


def joins(batch: Batch, tile: Tile, half: int, value: int | None) -> bool:
    """Does this half of the tile join an end that asks for the value?"""
    if value is None:  # on the empty table a tile lies one way only
        return half == 0
    if batch.rules.match.by == "same":
        return tile[half] == value
    total = batch.rules.max_pip + 1
    return tile[half] + value == total or tile.pips == total or tile == (0, 0)


def earns_another(batch: Batch, position: Position) -> bool:
    """Has the mover just played a tile that lets the turn go on?"""
    if batch.rules.turn.again == "never" or batch.rules.rows:
        return False
    for event in reversed(position.events):
        if event.kind in ("call", "silent") or (event.kind, event.seat) == (
            "draw",
            position.to_move,
        ):
            continue
        if event.kind != "play" or event.seat != position.to_move or event.tile is None:
            return False
        return batch.rules.turn.again == "after_any" or event.tile.is_double
    return False


def legal_moves(batch: Batch, position: Position) -> set[Move]:
    """The legal moves, worked out from the hands, the ends and the events."""
    if position.to_move is None:
        return set()
    if position.claim:
        return {Move("call"), Move("silent")}
    tiles = position.hands[position.to_move]
    if batch.rules.rows:
        last: Event = position.events[-1]
        assert last.kind == "flip"
        assert last.tile is not None
        assert last.tile == tiles[0]
        tiles = [last.tile]
    found = {
        Move("play", tile, end.number, half)
        for tile in tiles
        for end in position.ends
        if end.offered
        for half in ((0,) if tile.is_double else (0, 1))
        if joins(batch, tile, half, end.value)
    }
    drawable = len(position.boneyard) - batch.rules.draw.reserve
    if batch.rules.draw.voluntary and drawable > 0 and position.played:
        found.add(Move("draw"))
    if earns_another(batch, position):
        found.add(Move("end_turn"))
    return found


def check_tiles(batch: Batch, position: Position) -> None:
    """Hands, boneyard and table are the whole set, and nothing is there twice."""
    everywhere = [tile for hand in position.hands for tile in hand]
    everywhere += position.boneyard
    everywhere += [tile for tile, _ in position.played]
    assert Counter(everywhere) == Counter(Tile(*tile) for tile in batch.rules.tile_set.faces)


def check_mask(batch: Batch, lane: int, position: Position) -> None:
    """Mask, list and names of the legal moves say the same, and it is the right thing."""
    mask, count = batch.mask[lane], int(batch.num_legal[lane])
    listed = batch.legal[lane, :count].tolist()
    assert mask.dtype == np.int8
    assert set(np.unique(mask)) <= {0, 1}
    assert sorted(listed) == mask.nonzero()[0].tolist() == position.legal_actions
    assert len(set(listed)) == count
    assert set(position.legal) == legal_moves(batch, position)
    for action, move in zip(position.legal_actions, position.legal, strict=True):
        assert encode(batch.rules, move, batch.calls) == action
        assert decode(batch.rules, action, batch.calls) == move
    assert (count > 0) == (position.to_move is not None) == (not position.over)


def check_observation(batch: Batch, lane: int) -> None:
    """Every number is finite, and from 0 to 1 unless it is points or rounds."""
    at = 0
    for field in batch.fields:
        numbers = batch.observation[lane, at : at + field.size]
        at += field.size
        assert np.isfinite(numbers).all(), field
        if not field.name.endswith(UNBOUNDED):
            assert ((numbers >= 0) & (numbers <= 1)).all(), (field, numbers)


def shown(batch: Batch, lane: int) -> tuple[bytes, ...]:
    """Everything that a batch says and knows of a lane, but for the reward."""
    count = int(batch.num_legal[lane])
    return (
        batch.save(lane),
        batch.observation[lane].tobytes(),
        batch.mask[lane].tobytes(),
        batch.legal[lane, :count].tobytes(),
        batch.seat[lane].tobytes(),
        batch.done[lane].tobytes(),
    )


def is_over(batch: Batch) -> bool:
    """Has no lane a decision left?"""
    return bool((batch.seat < 0).all())


def play(batch: Batch, steps: int) -> None:
    """Plays at random, until every game is over."""
    for _ in range(steps):
        if not is_over(batch):
            batch.step(batch.sample())


# The machine -------------------------------------------------------------------------------------


class Games(RuleBasedStateMachine):
    """The same games in five batches: rewarded by margin, by points (on two threads), and each lane
    alone, for the win."""

    variant = ""

    @initialize(data=st.data(), seed=st.integers(0, 2**64 - LANES), autoreset=st.booleans())
    def begin(self, data: st.DataObject, seed: int, autoreset: bool) -> None:
        setting = data.draw(st.sampled_from(every_setting(self.variant)))
        self.setting = setting
        self.margin = batch_of(setting, LANES, seed=seed, autoreset=autoreset)
        self.points = batch_of(
            setting, LANES, seed=seed, autoreset=autoreset, reward="points", threads=2
        )
        self.alone = [
            batch_of(setting, 1, seed=seed + lane, autoreset=autoreset, reward="win")
            for lane in range(LANES)
        ]
        self._reset(None)

    @rule(seed=st.none() | st.integers(0, 2**64 - 1))
    def reset(self, seed: int | None) -> None:
        """A new episode: by the next of each lane's own chances, or by a seed."""
        self._reset(seed)

    @precondition(lambda self: not is_over(self.margin))
    @rule(picks=st.lists(st.integers(0, 2**16), min_size=LANES, max_size=LANES))
    def step(self, picks: list[int]) -> None:
        """One chosen decision in each lane."""
        counts = self.margin.num_legal.tolist()
        self._step(
            [
                int(self.margin.legal[lane, picks[lane] % counts[lane]]) if counts[lane] else -1
                for lane in range(LANES)
            ]
        )

    @precondition(lambda self: not is_over(self.margin))
    @rule(steps=st.integers(1, 60))
    def play_on(self, steps: int) -> None:
        """A stretch of random play; all batches draw the same samples."""
        for _ in range(steps):
            if is_over(self.margin):
                return
            actions = self.margin.sample().tolist()
            assert self.points.sample().tolist() == actions
            assert [int(game.sample()[0]) for game in self.alone] == actions
            self._step(actions)

    @rule(steps=st.integers(1, 30))
    def clones_have_the_same_future(self, steps: int) -> None:
        before = [shown(self.margin, lane) for lane in range(LANES)]
        one, two = self.margin.clone(), self.margin.clone()
        for _ in range(steps):
            if is_over(one):
                break
            actions = one.sample()
            assert two.sample().tolist() == actions.tolist()
            one.step(actions)
            two.step(actions)
            assert one.reward.tobytes() == two.reward.tobytes()
            for lane in range(LANES):
                assert shown(one, lane) == shown(two, lane)
        assert [shown(self.margin, lane) for lane in range(LANES)] == before

    @rule(
        lane=st.integers(0, LANES - 1),
        into=st.integers(0, LANES - 1),
        astray=st.integers(0, 20),
        steps=st.integers(1, 30),
    )
    def a_saved_game_goes_on_in_any_lane(
        self, lane: int, into: int, astray: int, steps: int
    ) -> None:
        saved = self.margin.save(lane)
        here, there = self.margin.clone(), self.margin.clone()
        play(there, astray)
        others = [other for other in range(LANES) if other != into]
        before = [shown(there, other) for other in others]
        there.restore(into, saved)
        assert [shown(there, other) for other in others] == before
        assert shown(there, into)[:-1] == shown(here, lane)[:-1]
        for _ in range(steps):
            if here.seat[lane] < 0:
                return
            actions, theirs = here.sample(), there.sample()
            theirs[into] = actions[lane]
            here.step(actions)
            there.step(theirs)
            assert shown(there, into) == shown(here, lane)
            assert there.reward[into].tobytes() == here.reward[lane].tobytes()

    @rule(lane=st.integers(0, LANES - 1))
    def the_deal_of_a_position_can_be_dealt_again(self, lane: int) -> None:
        position = self.margin.position(lane)
        again = batch_of(self.setting, 1, seed=0)
        again.reset(options={"deal": position.deal})
        opening = again.position()
        assert opening.deal == position.deal
        assert opening.events == position.events[: len(opening.events)]

    # What holds after every step ------------------------------------------------------------------

    def _reset(self, seed: int | None) -> None:
        self.margin.reset(seed)
        self.points.reset(seed)
        for lane, game in enumerate(self.alone):
            game.reset(None if seed is None else (seed + lane) % 2**64)
        self.earned = np.zeros((LANES, self.setting.players))
        for batch in (self.margin, self.points, *self.alone):
            assert not batch.reward.any()
            assert not batch.done.any()
        self._check()

    def _step(self, actions: list[int]) -> None:
        lasting = self.margin.seat >= 0
        for batch in (self.margin, self.points):
            batch.step(actions)
        for game, action in zip(self.alone, actions, strict=True):
            if action >= 0:
                game.step([action])
        self._check_rewards(lasting)
        self._check()

    def _check_rewards(self, lasting: Any) -> None:
        points, seats = self.points.reward.astype(float), self.setting.players
        others = (points.sum(1, keepdims=True) - points) / (seats - 1)
        np.testing.assert_allclose(self.margin.reward, points - others, atol=1e-4)
        np.testing.assert_allclose(self.margin.reward.sum(1), 0, atol=1e-4)
        assert not points[~lasting].any()
        self.earned += points
        for lane in lasting.nonzero()[0]:
            self._check_win(int(lane))

    def _check_win(self, lane: int) -> None:
        game = self.alone[lane]
        worth = sorted(game.reward[0].tolist(), reverse=True)
        won = [1.0] + [-1.0] * (self.setting.players - 1)
        if not game.done[0]:
            assert not any(worth)
            return
        assert worth == won or not any(worth)
        if not game.autoreset:
            winners = game.position().winners
            assert [int(seat) for seat in (game.reward[0] > 0).nonzero()[0]] == winners

    def _check(self) -> None:
        for lane in range(LANES):
            assert shown(self.points, lane) == shown(self.margin, lane)
            assert shown(self.alone[lane], 0) == shown(self.margin, lane)
            position = self.margin.position(lane)
            check_tiles(self.margin, position)
            check_mask(self.margin, lane, position)
            check_observation(self.margin, lane)
            self._check_lane(lane, position)

    def _check_lane(self, lane: int, position: Position) -> None:
        batch, record = self.margin, self.margin.state()[lane]
        assert batch.seat[lane] == (-1 if position.to_move is None else position.to_move)
        if position.to_move is not None:
            seen = batch.observe(lane, position.to_move)
            assert seen.tobytes() == batch.observation[lane].tobytes()
        sizes = record["hand_size"][: self.setting.players].tolist()
        assert [len(hand) for hand in position.hands] == sizes
        assert record["num_events"] <= batch._logs.shape[1]
        if batch.done[lane] and batch.autoreset:
            assert position.round == 1
            self.earned[lane] = 0
        # Points of an opening are in the scores, and are paid with the next step (G4).
        waiting = record["gained"][: self.setting.players]
        assert (self.earned[lane] + waiting).tolist() == position.scores


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_is_done_to_a_batch_its_games_stay_sound(variant: str) -> None:
    machine = type(f"Games_{variant}", (Games,), {"variant": variant})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=50,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


# Ends --------------------------------------------------------------------------------------------


def most_decisions(batch: Batch) -> int:
    """More decisions than a round can have: each tile is played, drawn, stopped after and claimed
    by each seat at the most once."""
    return batch.rules.num_tiles * (3 + batch.num_players)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_round_comes_to_an_end(variant: str) -> None:
    for number, setting in enumerate(settings_of(variant)):
        batch = batch_of(setting, 128, seed=1000 * number, autoreset=False)
        batch.reset()
        for _ in range(most_decisions(batch)):
            if is_over(batch):
                break
            batch.step(batch.sample())
        assert is_over(batch), setting
        games = batch.state()
        assert (games["round_over"] == 1).all()
        assert (games["num_events"] <= batch._logs.shape[1]).all(), "a log has run over"
        for lane in range(0, 128, 32):
            check_tiles(batch, batch.position(lane))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_match_comes_to_an_end(variant: str) -> None:
    for number, setting in enumerate(settings_of(variant, "match")):
        batch = batch_of(setting, 8, seed=1000 * number, autoreset=False)
        batch.reset()
        for _ in range(200 * most_decisions(batch)):
            if is_over(batch):
                break
            batch.step(batch.sample())
        assert is_over(batch), setting
        for lane in range(8):
            position = batch.position(lane)
            most = max(position.scores)
            leaders = [seat for seat, score in enumerate(position.scores) if score == most]
            assert position.winners == (leaders if len(leaders) == 1 else [])
            enough = batch.rules.target is not None and most >= batch.rules.target
            assert enough or position.round == batch.rules.rounds
