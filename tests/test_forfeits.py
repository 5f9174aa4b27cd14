"""Games that an agent gives up: by which rule, at what cost, and that everything else goes on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.cli.main import main
from domino_env.errors import BadOption
from domino_env.evaluate import report, watchdog
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.forfeits import default_forfeit_cost
from domino_env.evaluate.journal import JOURNAL, Journal
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.tournament import TournamentSettings, play_tournament
from domino_env.evaluate.watchdog import CheckedAgent, Watchdog
from tests.games import AT_A_TABLE

RULES = domino_env.rules("block_draw")


class Lowest:
    """Takes the lowest action."""

    def act(self, batch: Any, lanes: Any) -> Any:
        return batch.mask[lanes].argmax(1)


class Raises(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        raise RuntimeError("no\nheart")


class Leaves(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        raise SystemExit(1)


class CannotBeMade(Lowest):
    made = 0

    def __init__(self, seed: int = 0) -> None:
        if seed:
            raise OSError("no file")


class Shape(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        return super().act(batch, lanes)[:, None]


class TooFew(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        return super().act(batch, lanes)[:-1]


class Floats(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        return super().act(batch, lanes) * np.nan


class Masks(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        return batch.mask[lanes] > 0


class Nothing(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        return None


class Ragged(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        return [[0]] + [[0, 1]] * len(lanes)


class Errs(Lowest):
    """Plays a tile that it does not have, where it has much choice."""

    def act(self, batch: Any, lanes: Any) -> Any:
        return np.where(batch.num_legal[lanes] > 4, 0, super().act(batch, lanes))


class Beyond(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        return np.full(len(lanes), 2**40)


class Below(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        return np.full(len(lanes), -1)


class Steps(Lowest):
    """Changes the game that it is shown."""

    def act(self, batch: Any, lanes: Any) -> Any:
        actions = super().act(batch, lanes)
        batch.step(actions, lanes)
        return actions


class Begins(Lowest):
    """Begins all games anew, those that are over too."""

    def act(self, batch: Any, lanes: Any) -> Any:
        batch.reset()
        return super().act(batch, lanes)


class Writes(Lowest):
    """Makes everything legal, if it may write at all."""

    def act(self, batch: Any, lanes: Any) -> Any:
        batch.mask[:] = 1
        batch.observation[:] = 0
        return np.zeros(len(lanes), int)


ASLEEP: list[threading.Thread] = []
ENOUGH = threading.Event()


def sleep() -> None:
    """Waits in compiled code, as long as the test goes on."""
    ASLEEP.append(threading.current_thread())
    ENOUGH.wait(3600)


@pytest.fixture
def woken() -> Iterator[None]:
    """Leaves no thread asleep: with one that has not noticed yet that it was abandoned, a profiler
    makes Python 3.11 hang (see `tools.hops`)."""
    ENOUGH.clear()
    yield
    ENOUGH.set()
    while ASLEEP:
        ASLEEP.pop().join(30)


class Sleeps(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        sleep()


class Loops(Lowest):
    def act(self, batch: Any, lanes: Any) -> Any:
        while True:
            pass


class LoopsOnce:
    """Is asked for each decision, and does not come back from one of them."""

    def choose(self, position: Any) -> Any:
        while len(position.legal) > 3:
            pass
        return position.legal[0]


class Picky:
    """Fails in some games only."""

    def choose(self, position: Any) -> Any:
        if len(position.legal) > 2:
            raise ValueError(f"{position.legal[0]} and others")
        return position.legal_actions[0]


def pairing(first: Any, second: Any = "greedy_pip", deals: int = 6, **options: Any) -> Pairing:
    made = Pairing(RULES, None, Entrant(first), Entrant(second), **options)
    made.play(deals)
    return made


# The rule ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (Raises, "raised RuntimeError: no heart (test_forfeits.py, line "),
        (Leaves, "raised SystemExit: 1 (test_forfeits.py, line "),
        (CannotBeMade, "raised BadOption: CannotBeMade cannot be made: OSError: no file"),
        (Shape, "answered with int64 of shape (6, 1), not with a whole number for each of 6 lanes"),
        (TooFew, "answered with int64 of shape (5,), not with a whole number for each of 6 lanes"),
        (Floats, "answered with float64 of shape (6,), not with a whole number"),
        (Masks, "answered with bool of shape (6, "),
        (Nothing, "answered with None, not with a whole number for each of 6 lanes"),
        (Ragged, "answered with float64 of shape (0,), not with a whole number for each"),
        (Beyond, "moved illegally: action 1099511627776 is none of 0 to "),
        (Below, "moved illegally: action -1 is none of 0 to "),
        (Steps, "changed the batch that it was to look at: batch.clone() is its own"),
        (Begins, "changed the batch that it was to look at: batch.clone() is its own"),
    ],
)
@pytest.mark.parametrize("limit", [None, 60.0])
def test_an_agent_that_fails_forfeits_every_game_that_it_fails_in(
    kind: type, why: str, limit: float | None
) -> None:
    found = pairing(kind, time_limit=limit)
    standing = found.standing
    assert standing.forfeits == (12, 0)
    assert standing.faults[0].startswith(why)
    assert standing.faults[1] == ""
    assert standing.margin == -default_forfeit_cost(RULES, 2) == -168
    assert (standing.games, standing.won, standing.lost) == (12, 0, 6)
    assert standing.reversed.forfeits == (0, 12)
    assert standing.reversed.faults == standing.faults[::-1]
    assert pairing("greedy_pip", kind, time_limit=limit).standing.margin == 168


def test_an_illegal_move_ends_the_one_game_and_says_what_was_legal() -> None:
    found = pairing(Errs, Lowest, deals=40)
    given_up = {(each.deal, each.game) for each in found.forfeits}
    for deal in range(40):
        for game in range(2):
            if (deal, game) in given_up:
                assert found.margins[deal, game] == -168
            else:
                assert abs(found.margins[deal, game]) < 168
    assert 0 < len(given_up) < 80
    assert (
        "moved illegally: [0|0] → end 0 (action 0) where these are legal: ["
        in (found.standing.faults[0])
    )


def test_one_that_is_asked_for_each_decision_forfeits_that_game_alone() -> None:
    found = pairing(Picky, deals=40)
    assert 0 < len(found.forfeits) < 80
    sound = pairing(Lowest, deals=40)
    whole = [each for each in np.ndindex(40, 2) if each not in {f[:2] for f in found.forfeits}]
    assert whole
    assert all(found.margins[each] == sound.margins[each] for each in whole)
    assert "and others (test_forfeits.py, line" in found.standing.faults[0]


def test_nobody_is_hurt_by_an_agent_that_writes_into_what_it_is_shown() -> None:
    found = pairing(Writes)
    assert found.standing.forfeits == (12, 0)


def test_with_three_seats_all_of_a_side_pay() -> None:
    rules = domino_env.rules("five_up")
    found = Pairing(rules, 3, Entrant("greedy_pip"), Entrant(Raises), seed=2)
    found.play(2)
    assert found.standing.forfeits == (0, 12)
    assert found.margins.tolist() == [[default_forfeit_cost(rules, 3)] * 6] * 2


def test_whoever_fails_first_in_a_game_has_given_it_up() -> None:
    found = pairing(Raises, Leaves, deals=20)
    assert sum(found.standing.forfeits) == 40
    assert min(found.standing.forfeits) > 0
    assert {*np.abs(found.margins).ravel().tolist()} == {168}


@pytest.mark.parametrize("game", AT_A_TABLE)
def test_a_game_given_up_costs_no_less_than_one_that_is_lost(game: str) -> None:
    rules = domino_env.rules(game)
    for players in rules.players:
        found = Pairing(rules, players, Entrant("greedy_pip"), Entrant("random"), seed=7)
        found.play(100)
        assert np.abs(found.margins).max() <= default_forfeit_cost(rules, players)


def test_what_it_costs_can_be_set() -> None:
    settings = TournamentSettings(agents=("greedy_pip", Raises), deals=4, forfeit_cost=7.5)
    assert play_tournament(settings).standings[0].margin == 7.5
    with pytest.raises(BadOption, match="forfeit_cost must be a number of 0 or more"):
        TournamentSettings(forfeit_cost=-1)


# Time --------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("woken")
@pytest.mark.parametrize("kind", [Sleeps, Loops, LoopsOnce])
def test_an_agent_that_hangs_forfeits_all_unfinished_games_of_its_chunk(kind: type) -> None:
    settings = TournamentSettings(
        agents=("greedy_pip", kind), deals=8, chunk_size=4, time_limit=0.3
    )
    standing = play_tournament(settings).standings[0]
    assert standing.forfeits[0] == 0
    assert 0 < standing.forfeits[1] <= 16
    assert standing.faults[1].startswith("gave no answer within 0.3 seconds, asked for ")
    if kind is not LoopsOnce:
        assert (standing.forfeits[1], standing.margin) == (16, 168)


def test_an_endless_loop_does_not_keep_its_core() -> None:
    batch = domino_env.batch(RULES, 2, seed=0, autoreset=False)
    batch.reset()
    before = {*threading.enumerate()}
    asked = Watchdog(Loops, 0.2)
    assert asked.ask(batch, np.arange(2)).hung
    for thread in {*threading.enumerate()} - before:
        thread.join(timeout=30)
        assert not thread.is_alive()


@pytest.mark.usefixtures("woken")
def test_an_agent_that_has_hung_is_made_anew() -> None:
    made = []

    class Slow(Lowest):
        def __init__(self) -> None:
            made.append(self)

        def act(self, batch: Any, lanes: Any) -> Any:
            return super().act(batch, lanes) if len(made) > 1 else sleep()

    batch = domino_env.batch(RULES, 2, seed=0, autoreset=False)
    batch.reset()
    patient = CheckedAgent(Slow, "slow", 0.2)
    with pytest.raises(BadOption, match="slow gave no answer within"):
        patient.act(batch, np.arange(2))
    assert patient.act(batch, np.arange(2)).tolist() == batch.mask.argmax(1).tolist()


def test_the_limit_is_for_each_decision_of_one_that_is_asked_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock of our own: each decision takes 4 seconds of 10, all of them 40."""

    now = [0.0]

    class Slow:
        def choose(self, position: Any) -> Any:
            now[0] += 4
            return position.legal[0]

    monkeypatch.setattr(watchdog, "monotonic", lambda: now[0])
    batch = domino_env.batch(RULES, 10, seed=0, autoreset=False)
    batch.reset()
    asked = Watchdog(lambda: agents.make(Slow), 10)
    assert not asked.ask(batch, np.arange(10)).faults
    asked.close()


# All else goes on --------------------------------------------------------------------------------


def test_results_with_forfeits_do_not_depend_on_threads() -> None:
    def played(**changes: Any) -> Any:
        found = play_tournament(
            TournamentSettings(agents=("greedy_pip", Picky, Raises), deals=40, **changes)
        )
        return found.standings, found.forfeits

    assert played(chunk_size=10) == played(chunk_size=10, threads=3) == played(chunk_size=7)


def test_our_own_agents_are_asked_without_a_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    def guarded(*_: Any, **__: Any) -> Any:
        raise AssertionError("guarded")

    monkeypatch.setattr(Watchdog, "ask", guarded)
    assert play_tournament(TournamentSettings(deals=4)).forfeits == []


def test_a_sound_agent_plays_the_same_with_and_without_a_limit() -> None:
    plain = pairing(Lowest, "random", deals=20, time_limit=None)
    timed = pairing(Lowest, "random", deals=20, time_limit=60)
    assert plain.standing == timed.standing
    assert plain.standing.forfeits == (0, 0)


def test_a_meeting_with_forfeits_stops_early_too() -> None:
    settings = TournamentSettings(
        agents=("random", Picky), deals=2000, chunk_size=100, target_half_width=1000
    )
    assert play_tournament(settings).standings[0].deals == 200


def test_a_tournament_with_forfeits_goes_on_where_it_was_left(tmp_path: Path) -> None:
    settings = TournamentSettings(agents=("greedy_pip", Picky, "random"), deals=30, chunk_size=5)
    whole = play_tournament(settings)
    with closing(Journal(tmp_path, settings, resumed=False)) as journal:
        play_tournament(settings, journal=journal)
    lines = (tmp_path / JOURNAL).read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / JOURNAL).write_text("".join(lines[:8]), encoding="utf-8")
    with closing(Journal(tmp_path, settings, resumed=True)) as journal:
        assert len(journal.known) == 7
        assert sum(len(each.forfeits) for each in journal.known.values()) > 0
        again = play_tournament(settings, journal=journal)
    assert again.standings == whole.standings
    assert again.records == whole.records


def test_records_end_where_a_game_was_given_up() -> None:
    settings = TournamentSettings(agents=("greedy_pip", Raises), deals=2, records=2)
    records = play_tournament(settings).records
    assert len(records) == 4
    assert not any(record.result.over for record in records)


# It is said --------------------------------------------------------------------------------------

BOTS = """
class Raises:
    def act(self, batch, lanes):
        return 1 / 0

class Sound:
    def choose(self, position):
        return position.legal[0]
"""


def test_the_results_say_who_gave_up_how_many_games_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS, encoding="utf-8")
    ways = "agents=[random, bots.py:Raises, bots.py:Sound]"
    games = "games=[block_draw, five_up]"
    said = ["tournament", "--set", ways, "--set", games, "--set", "deals=4", "--out", "out"]
    assert main(said) == 0
    shown = capsys.readouterr()
    why = "raised ZeroDivisionError: division by zero (bots.py, line 4)"
    for game in ("block_draw", "five_up"):
        line = f"Raises forfeited 16 of 16 games of {game}; the first time it {why}"
        assert line in shown.out
        assert f"Raises forfeits its first game of {game}, maybe all: {why}" in shown.err
    figures = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert figures["forfeits"] == [
        {"agent": "Raises", "game": game, "forfeited": 16, "games": 16, "why": why}
        for game in ("block_draw", "five_up")
    ]
    standing = figures["games"]["five_up"]["standings"][0]
    assert (standing["second"], standing["forfeits"]) == ("Raises", [0, 8])
    page = (tmp_path / "out" / "results.md").read_text(encoding="utf-8")
    assert f"| Raises | five_up | 16 | 16 | {why} |" in page
    assert "what a round can bring" in page


def test_the_cost_is_on_the_page() -> None:
    page = report.markdown(play_tournament(TournamentSettings(agents=("random", Raises), deals=2)))
    assert "Each costs it 168 points" in page
    sound = report.markdown(play_tournament(TournamentSettings(agents=("random", Lowest), deals=2)))
    assert "orfeit" not in sound
