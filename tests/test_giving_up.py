"""Nothing goes on for ever: dealing is given up, and Ctrl-C takes effect while agents think."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import belief
from domino_env.adapters import learner_seat
from domino_env.adapters.learner_seat import LearnerTable
from domino_env.batches import Batch
from domino_env.belief import sampling
from domino_env.errors import BadDeal, BadRecord
from domino_env.record import Recorder, parse
from domino_env.ruleset import Draw, Rules

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
NO_DRAW = Draw(forced="none")


def listed(tiles: list[str], hand_size: int, **changes: Any) -> Rules:
    """Block & Draw with other tiles, for two players who draw nothing."""
    rules: Rules = domino_env.rules(
        "block_draw",
        set="listed",
        sets=("listed",),
        tiles=tuple(tiles),
        players=(2,),
        hand_size=hand_size,
        draw=NO_DRAW,
        **changes,
    )
    return rules


HIGHER = [f"{number}|{number}" for number in range(3, 17)]
"""Doubles that would open, and that nothing can follow."""
BESIDE = [f"{low}|{high}" for low in range(17, 24) for high in range(low + 1, 24)][:17]
HOPELESS = listed(["1|1", "2|2", "1|2", *HIGHER, *BESIDE], 10)
"""One deal in 1,400 million can be played: the one without any of the higher doubles."""
FITTING_NOTHING = [f"{low}|{high}" for low in (2, 3, 4, 5) for high in range(6, 31)]
HARD = listed(["1|1", "1|2", *FITTING_NOTHING], 2)
"""One deal in a thousand can be played: the double and the one tile that follows it are held."""


DEAL = {"hands": [["1|1", *BESIDE[:9]], ["1|2", "2|2", *BESIDE[9:]]], "boneyard": HIGHER}
"""One of those that can be played."""


def play_on(step: Callable[[], None]) -> None:
    """Plays for longer than a round lasts."""
    for _ in range(50):
        step()


def test_dealing_is_given_up_and_says_why() -> None:
    batch = Batch(HOPELESS, 64, seed=0)
    with pytest.raises(BadDeal, match=r"for 2 players.* 10000 deals nobody had any dec"):
        batch.reset()
    assert (batch.seat == -1).all()
    assert (batch.num_legal == 0).all()
    assert batch.done.all()
    with pytest.raises(BadDeal):
        batch.restart(np.arange(3))
    assert (batch.sample() == -1).all()
    batch.step(batch.sample())  # the lanes rest
    assert (batch.seat == -1).all()


def test_a_deal_that_is_given_can_be_played_where_none_is_ever_dealt() -> None:
    batch = Batch(HOPELESS, 2, seed=0)
    batch.reset(options={"deal": DEAL})
    given = (batch.seat >= 0).all()
    with pytest.raises(BadDeal, match="was given up"):
        play_on(lambda: batch.step(batch.sample()))
    assert given
    assert batch.done.all()
    assert (batch.seat == -1).all()
    assert batch.reward.any(), "the step itself has been taken"
    batch.reset(options={"deal": DEAL})
    assert (batch.seat >= 0).all()


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_match_whose_next_round_is_never_dealt_is_over(autoreset: bool) -> None:
    batch = Batch(HOPELESS, 1, seed=0, episode="match", autoreset=autoreset)
    batch.reset(options={"deal": DEAL})
    with pytest.raises(BadDeal, match="was given up"):
        play_on(lambda: batch.step_one(int(batch.legal[0, 0])))
    assert batch.position(0).over
    assert batch.position(0).winners == []


def test_a_record_by_hopeless_rules_is_refused() -> None:
    """A round by them can be recorded; of a match it is only the first that can be."""
    batch = Batch(HOPELESS, 1, seed=0, autoreset=False)
    batch.reset(options={"deal": DEAL})
    recorder = Recorder(batch)
    while not recorder.over:
        recorder.note(int(recorder.batch.legal[0, 0]))
    parse(recorder.record.text())
    text = recorder.record.text().replace('"episode": "round"', '"episode": "match"')
    with pytest.raises(BadRecord, match="given up"):
        parse(text)


def test_rules_that_are_hard_to_deal_are_still_dealt() -> None:
    batch = Batch(HARD, 4, seed=0)
    batch.reset()
    assert (batch.seat >= 0).all()


def test_a_learner_that_never_decides_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One tile can be played in a round, and the learner always sits where it is not."""
    rules = listed(["1|1", "1|2", "3|4", "5|6", "7|8", "9|10"], 2)
    batch = Batch(rules, 4, seed=0, autoreset=False)
    table = LearnerTable(batch, "random", "random")

    def elsewhere(lanes: Any) -> None:
        table._learner[lanes] = 1 - batch.seat[lanes]

    monkeypatch.setattr(table, "_seat_learner", elsewhere)
    monkeypatch.setattr(learner_seat, "MOST_DEALS", 20)
    with pytest.raises(BadDeal, match="in 20 games the learner had no decision"):
        table.reset()


# Ctrl-C ------------------------------------------------------------------------------------------

LONG = {
    "pimc": """
batch = domino_env.batch("block_draw", 1, 2, seed=1, autoreset=False); batch.reset()
agent = agents.make("pimc", worlds=100_000, seed=0)
warm = lambda: agents.make("pimc", worlds=2).weigh(batch, 0)
think = lambda: agent.weigh(batch, 0)
""",
    "determinised": """
batch = domino_env.batch("solitaire", 1, seed=1, autoreset=False); batch.reset()
agent = agents.make("determinised", arrangements=10_000, worlds=10_000, depth=10_000, seed=0)
warm = lambda: agents.make("determinised", worlds=1).act(batch, np.arange(1))
think = lambda: agent.act(batch, np.arange(1))
""",
    "clairvoyant": """
batch = domino_env.batch("fundomino", 40_000, seed=1, autoreset=False); batch.reset()
agent = agents.make("clairvoyant")
warm = lambda: agent.act(batch, np.arange(1))
think = lambda: agent.act(batch, np.arange(40_000))
""",
    "belief": """
batch = domino_env.batch("block_draw", 1, 2, seed=1, autoreset=False); batch.reset()
beliefs = belief.Belief(batch, seed=0)
worlds = beliefs.new_worlds(60_000)
warm = lambda: belief.sample(batch, 0, 0)
think = lambda: beliefs.fill(worlds, [0], [0])
""",
}
WAITING = """
import sys
import numpy as np
import domino_env
from domino_env import agents, belief
{long}
warm()
try:
    print("ready", flush=True)
    while True:
        think()
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_takes_effect_while_there_is_thinking(name: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING.format(long=LONG[name])],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        assert time.monotonic() - began < 20  # and not minutes; a busy machine takes some time
    finally:
        process.kill()
        process.communicate()


def test_a_belief_looks_up_while_it_draws_many_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = domino_env.batch("block_draw", 1, 2, seed=1, autoreset=False)
    batch.reset()
    calls, imagine = [], sampling.sample_worlds

    def counted(*arguments: Any) -> int:
        went = imagine(*arguments)
        calls.append(went)
        return int(went)

    monkeypatch.setattr(sampling, "sample_worlds", counted)
    worlds = belief.sample(batch, 0, 0, count=40_000, seed=0)
    assert len(calls) > 1
    assert (worlds.games["hand_size"][:, :2].sum(1) == 10).all()
