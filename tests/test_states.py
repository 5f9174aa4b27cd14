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
from domino_env.actions import Tile, decode, encode
from domino_env.batches import Batch
from domino_env.engine.game_setup import num_ends
from domino_env.engine.layout.hexes import ORIGIN
from domino_env.engine.state import GONE, NO_MEETING
from domino_env.position import Position
from tests.differential import Setting
from tests.differential import settings as settings_of
from tests.games import AT_A_TABLE
from tests.witness import Course, Place, legal_moves, whose_turn

pytestmark = pytest.mark.slow

LANES = 3
VARIANTS = AT_A_TABLE
# A round can earn more than the target and lose points too, and a match can have any number of
# rounds: the only numbers of an observation that may leave 0 to 1.
UNBOUNDED = ("score", "claim", "round", "bonus")


def batch_of(setting: Setting, num_games: int, **options: Any) -> Batch:
    """A batch that plays by a setting."""
    rules = domino_env.rules(setting.variant, set=setting.set, **dict(setting.changes))
    return domino_env.batch(
        rules,
        num_games,
        setting.players,
        episode=setting.episode,
        calls=setting.calls,
        **options,
    )


def every_setting(variant: str) -> list[Setting]:
    """Every seat count, set, way of calling, choice of twists and episode."""
    return [*settings_of(variant), *settings_of(variant, "match")]


# What holds of every position ---------------------------------------------------------------------


def check_tiles(batch: Batch, position: Position) -> None:
    """Hands, boneyard and table are the whole set, and nothing is there twice."""
    everywhere = [tile for hand in position.hands for tile in hand]
    everywhere += position.boneyard
    everywhere += [tile for tile, _ in position.played]
    left_out = batch.rules.left_out_with(batch.num_players)
    faces = enumerate(batch.rules.tile_set.faces)
    assert Counter(everywhere) == Counter(Tile(*f) for n, f in faces if n not in left_out)


def check_mask(batch: Batch, lane: int, position: Position, course: Course) -> None:
    """Mask, list and names of the legal moves say the same, and it is the right thing."""
    mask, count = batch.mask[lane], int(batch.num_legal[lane])
    listed = batch.legal[lane, :count].tolist()
    assert mask.dtype == np.int8
    assert set(np.unique(mask)) <= {0, 1}
    assert sorted(listed) == mask.nonzero()[0].tolist() == position.legal_actions
    assert len(set(listed)) == count
    assert set(position.legal) == legal_moves(batch, course)
    for action, move in zip(position.legal_actions, position.legal, strict=True):
        assert encode(batch.rules, move, batch.calls, batch.num_players) == action
        assert decode(batch.rules, action, batch.calls, batch.num_players) == move
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


def check_course(batch: Batch, position: Position, course: Course) -> None:
    """Who is out, which way turns go and what the round counts are what the events say."""
    assert [len(hand) for hand in position.hands] == course.sizes
    assert position.finished == course.out
    clockwise = course.reversals % 2 == 0
    assert position.direction == ("clockwise" if clockwise else "counterclockwise")
    kinds = [event.kind for event in position.events]
    accepted = "raise" in kinds and "refuse" not in kinds and position.question != "accept"
    assert position.stakes == (2 if accepted else 1)
    assert whose_turn(batch, course) in (None, position.turn)


def check_question(batch: Batch, position: Position) -> None:
    """A question is put to somebody who is in it, about the tile that was played last."""
    assert (position.claim > 0) == (position.question == "points")
    if position.question is None or position.to_move is None:
        assert position.to_move in (None, position.turn)
        return
    if position.question == "lead":  # before anything is played (JP1)
        assert not [event for event in position.events if event.kind == "play"]
        return
    last = next(event for event in reversed(position.events) if event.kind == "play")
    assert last.seat == position.turn
    assert last.tile is not None
    opens = last.tile == position.played[0][0]
    holds = {
        "points": batch.calls == "explicit" and batch.rules.scores_in_play,
        "domino": batch.calls == "explicit" and len(position.hands[position.turn]) == 1,
        "direction": opens and batch.num_players > 2,
        "reverse": batch.rules.turn.reversed_by != "nothing" and last.tile.is_double and not opens,
        "raise": bool(batch.rules.turn.raised_by) and last.tile == (2, 2),
        "accept": bool(batch.rules.turn.raised_by) and last.tile == (2, 2),
    }
    assert holds[position.question]
    check_asked(batch, position, position.to_move)


def check_asked(batch: Batch, position: Position, seat: int) -> None:
    """Others are asked only if they have tiles, and of raised stakes only opponents (FN12)."""
    alone = position.question in ("direction", "reverse", "raise")
    if seat == position.turn:
        assert position.question != "accept"
        return
    assert not alone
    assert position.hands[seat]
    partner = batch.rules.teams and seat % 2 == position.turn % 2
    assert position.question != "accept" or not partner


def check_curve(batch: Batch, lane: int, position: Position, course: Course) -> None:
    """Curved tiles lie, and ends wait, where the events have put them; no two are in one place."""
    curve, record = course.curve, batch.games[lane]
    arcs = [laid.arc for laid in position.laid if laid.arc is not None]
    assert [(arc.q, arc.r, arc.corner) for arc in arcs] == curve.taken
    assert {end: tuple(mouth) for end, mouth in position.mouths.items()} == curve.waits
    assert sorted(corners_of(record)) == sorted(curve.taken)
    assert len(curve.taken) == len(position.played) == len({*curve.taken})
    for q, r, corner in curve.taken:  # B1
        assert (q, r, (corner + 1) % 6) not in curve.taken
    assert [end.number for end in position.ends] == sorted(curve.waits)
    for end in position.ends:
        right, left = (curve.fits(end.number, half) for half in (0, 1))
        assert record["end_turns"][end.number] == right + 2 * left
        assert end.fit == {(1, 1): "open", (1, 0): "right", (0, 1): "left"}.get(
            (right, left), "dead"
        )
        assert end.offered == (right or left)
    offered = int(record["offered"])
    assert {end for end in range(4) if offered >> end & 1} <= {*curve.waits}


def corners_of(record: Any) -> list[Place]:
    """The occupied corners that a record of curved tiles lists."""
    found = []
    for place in record["cells"].nonzero()[0].tolist():
        r, q = divmod(int(record["cells"][place]) - ORIGIN + 128, 256)
        corners = int(record["corners"][place])
        found += [(q - 128, r, corner) for corner in range(8) if corners >> corner & 1]
    return found


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


def seats_of(batch: Batch) -> range:
    """The numbers of the seats."""
    return range(batch.num_players)


def is_over(batch: Batch) -> bool:
    """Has no lane a decision left?"""
    return bool((batch.seat < 0).all())


def play(batch: Batch, steps: int) -> None:
    """Plays at random, until every game is over."""
    for _ in range(steps):
        if not is_over(batch):
            batch.step(batch.sample())


# The machine -------------------------------------------------------------------------------------


class Copied(RuleBasedStateMachine):
    """What a machine with a batch `margin` of `LANES` games demands of copies and saves."""

    margin: Batch

    def chosen(self, picks: list[int]) -> list[int]:
        """A legal action of each lane, by any number; -1 where the game is over."""
        counts = self.margin.num_legal.tolist()
        return [
            int(self.margin.legal[lane, picks[lane] % counts[lane]]) if counts[lane] else -1
            for lane in range(LANES)
        ]

    @rule(steps=st.integers(1, 60))
    def clones_have_the_same_future(self, steps: int) -> None:
        before = [shown(self.margin, lane) for lane in range(LANES)]
        one, two = self.margin.clone(), self.margin.clone()
        for _ in range(steps):
            if is_over(one):
                break
            taken = one.sample()
            assert two.sample().tolist() == taken.tolist()
            one.step(taken)
            two.step(taken)
            assert one.reward.tobytes() == two.reward.tobytes()
            assert one.truncated.tolist() == two.truncated.tolist()
            for lane in range(LANES):
                assert shown(one, lane) == shown(two, lane)
        assert [shown(self.margin, lane) for lane in range(LANES)] == before

    @rule(
        lane=st.integers(0, LANES - 1),
        into=st.integers(0, LANES - 1),
        astray=st.integers(0, 20),
        steps=st.integers(1, 60),
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
            taken, theirs = here.sample(), there.sample()
            theirs[into] = taken[lane]
            here.step(taken)
            there.step(theirs)
            assert shown(there, into) == shown(here, lane)
            assert there.reward[into].tobytes() == here.reward[lane].tobytes()
            assert there.truncated[into] == here.truncated[lane]


class Games(Copied):
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
        self._step(self.chosen(picks))

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
        if self.margin.rules.teams:  # both members are credited with all that the team makes
            assert (points[:, :2] == points[:, 2:]).all()
            others = points[:, [1, 0, 1, 0]]
        np.testing.assert_allclose(self.margin.reward, points - others, atol=1e-4)
        np.testing.assert_allclose(self.margin.reward.sum(1), 0, atol=1e-4)
        assert not points[~lasting].any()
        self.earned += points
        for lane in lasting.nonzero()[0]:
            self._check_win(int(lane))

    def _check_win(self, lane: int) -> None:
        game = self.alone[lane]
        paid = game.reward[0].tolist()
        if not game.done[0]:
            assert not any(paid)
            return
        won = [seat for seat, reward in enumerate(paid) if reward > 0]
        assert paid == [float(seat in won) - float(seat not in won) for seat in seats_of(game)] or (
            not any(paid)
        )
        self._check_winners(game, won)
        if not game.autoreset:
            assert game.position().winners == won

    def _check_winners(self, game: Batch, won: list[int]) -> None:
        """One wins, or a team, or nobody; the first place of a round may be shared (FN6)."""
        if game.rules.teams:
            assert won in ([], [0, 2], [1, 3])
        elif game.rules.round.places and game.episode == "round":
            assert won
        else:
            assert len(won) <= 1

    def _check(self) -> None:
        for lane in range(LANES):
            assert shown(self.points, lane) == shown(self.margin, lane)
            assert shown(self.alone[lane], 0) == shown(self.margin, lane)
            position = self.margin.position(lane)
            course = Course(self.margin, position)
            check_tiles(self.margin, position)
            check_mask(self.margin, lane, position, course)
            check_question(self.margin, position)
            check_course(self.margin, position, course)
            if self.margin.rules.layout.tiles == "curved":
                check_curve(self.margin, lane, position, course)
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
        size = batch.rules.num_tiles + len(position.events)  # the deal stands in the log too
        assert record["log_size"] == size <= batch.events.shape[1]
        assert record["num_ends"] <= num_ends(batch.rules, batch.num_players)
        if batch.done[lane] and batch.autoreset:
            assert position.round == 1
            self.earned[lane] = 0
        # Points of an opening are in the scores, and are paid with the next step (G4).
        waiting = record["gained"][: self.setting.players]
        if batch.rules.tally.wiped == "never":  # else scores are lost, and rewards are not
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


CURVED = [name for name in VARIANTS if domino_env.rules(name).layout.tiles == "curved"]


@pytest.mark.parametrize("variant", CURVED)
def test_curved_lines_close_end_and_meet_in_random_play(variant: str) -> None:
    """What is checked above of lines that curl up does come up; and ends that may not meet do not,
    though there are places where they would."""
    players = domino_env.rules(variant).players[-1]
    batch = domino_env.batch(variant, 3000, players, seed=0, autoreset=False)
    batch.reset()
    play(batch, most_decisions(batch))
    ends = num_ends(batch.rules, batch.num_players)
    gone = batch.games["end_kind"][:, :ends] == GONE
    turns = batch.games["end_turns"][:, :ends]
    assert {*np.unique(turns[~gone])} == {0, 1, 2, 3}
    assert (batch.games["end_meets"][:, :ends][turns == 3] != NO_MEETING).any()
    assert gone.any() == (batch.rules.layout.meeting == "allowed")


# Ends --------------------------------------------------------------------------------------------


def most_decisions(batch: Batch) -> int:
    """More decisions than a round can have: each tile is played, drawn, passed with and stopped
    after at the most once, and each seat answers at the most three questions about it."""
    return batch.rules.num_tiles * (4 + 3 * batch.num_players)


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
        assert (games["log_size"] <= batch.events.shape[1]).all(), "a log has run over"
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
            alone = len(leaders) == (2 if batch.rules.teams else 1)
            enough = batch.rules.target is not None and most >= batch.rules.target
            if not enough and position.round == batch.rules.tally.cut_off:
                assert not position.winners
                continue
            assert position.winners == (leaders if alone else [])
            assert enough or position.round == batch.rules.most_rounds
