"""Tournaments: what is measured, when they stop, what they write, what they refuse."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.cli.main import main
from domino_env.config.game_settings import house_rules
from domino_env.config.loader import as_dict, load
from domino_env.errors import BadOption
from domino_env.evaluate import report
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.journal import JOURNAL
from domino_env.evaluate.pairing import (
    Pairing,
    Standing,
    equivalent_independent_games,
    margin_per_game,
    seatings,
)
from domino_env.evaluate.ratings import bradley_terry, ratings
from domino_env.evaluate.results import Results
from domino_env.evaluate.tournament import TournamentSettings, play_tournament
from domino_env.record import parse, read_all

SHIPPED = Path(__file__).parent.parent / "configs" / "tournaments" / "block_draw.yaml"


class Lowest:
    """Takes the lowest action."""

    name = "lowest"

    def act(self, batch: Any, lanes: Any) -> Any:
        return batch.mask[lanes].argmax(1)


class Highest:
    """Takes the highest action."""

    name = "highest"

    def act(self, batch: Any, lanes: Any) -> Any:
        return batch.num_actions - 1 - batch.mask[lanes, ::-1].argmax(1)


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Lowest, Highest):
        monkeypatch.setitem(agents._classes(), kind.name, kind)


def points_of_one_game(game: Any, players: int, seed: int, lowest: set[int]) -> list[int]:
    """Plays one game alone, the slow way: some seats take the lowest action, the others the
    highest."""
    batch = domino_env.batch(game, 1, players, seed=seed, autoreset=False, reward="points")
    batch.reset()
    while batch.seat[0] >= 0:
        legal = batch.position(0).legal_actions
        batch.step([min(legal) if int(batch.seat[0]) in lowest else max(legal)])
    return batch.position(0).scores


# What is measured --------------------------------------------------------------------------------


def test_the_crosstable_is_what_single_games_add_up_to(stubs: None) -> None:
    settings = TournamentSettings(agents=("lowest", "highest"), deals=30, seed=5, chunk_size=7)
    results = play_tournament(settings)
    by_deal = []
    for seed in range(5, 35):
        left = points_of_one_game("block_draw", 2, seed, {0})
        right = points_of_one_game("block_draw", 2, seed, {1})
        by_deal.append((left[0] - left[1] + right[1] - right[0]) / 2)
    standing = results.between("block_draw", "lowest", "highest")
    assert standing.margin == pytest.approx(np.mean(by_deal))
    assert standing.within == pytest.approx(1.96 * np.std(by_deal, ddof=1) / 30**0.5)
    signs = np.sign(by_deal).tolist()
    assert [standing.won, standing.tied, standing.lost] == [signs.count(s) for s in (1, 0, -1)]
    heads, rows = report.crosstable(results, "block_draw")
    row = next(row for row in rows if row[0] == "lowest")
    cell = row[heads.index("highest")]
    assert cell == f"{np.mean(by_deal):+.2f} ± {standing.within:.2f}"
    other = next(row for row in rows if row[0] == "highest")
    assert other[heads.index("lowest")] == f"{-np.mean(by_deal):+.2f} ± {standing.within:.2f}"


def test_with_three_players_each_sits_alone_in_every_seat(stubs: None) -> None:
    pairing = Pairing(domino_env.rules("five_up"), 3, Entrant("lowest"), Entrant("highest"), seed=2)
    pairing.play(4)
    for deal, margin in enumerate(pairing.by_deal):
        expected = []
        for seat in range(3):
            alone = points_of_one_game("five_up", 3, 2 + deal, {seat})
            expected.append(alone[seat] - (sum(alone) - alone[seat]) / 2)
            among = points_of_one_game("five_up", 3, 2 + deal, {0, 1, 2} - {seat})
            expected.append((sum(among) - among[seat]) / 2 - among[seat])
        assert margin == pytest.approx(np.mean(expected))


@pytest.mark.parametrize(
    ("game", "players", "expected"),
    [
        ("block_draw", 2, [[0, 1], [1, 0]]),
        ("blind", 3, [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("bendomino_teams", 4, [[0, 1, 0, 1], [1, 0, 1, 0]]),
    ],
)
def test_seats_are_exchanged_in_every_way(game: str, players: int, expected: Any) -> None:
    assert seatings(domino_env.rules(game), players).tolist() == expected


@pytest.mark.parametrize(
    ("game", "players"),
    [("block_draw", 2), ("matador", 3), ("fours", 4), ("blind", 5), ("bendomino_teams", 4)],
)
def test_an_agent_against_itself_is_even_on_every_deal(game: str, players: int) -> None:
    twins = (Entrant("greedy_pip"), Entrant("greedy_pip", "twin"))
    pairing = Pairing(domino_env.rules(game), players, *twins, seed=3)
    pairing.play(20)
    assert pairing.by_deal.tolist() == [0.0] * 20
    assert (pairing.standing.tied, pairing.standing.verdict) == (20, "even")


@pytest.mark.parametrize(("game", "players"), [("five_up", 3), ("bendomino_teams", 4)])
def test_the_margin_is_the_reward_of_who_sits_alone(game: str, players: int) -> None:
    """G14: points over the mean of the opponents."""
    rewards = {}
    for kind in ("margin", "points"):
        batch = domino_env.batch(game, 50, players, seed=1, autoreset=False, reward=kind)
        batch.reset()
        rewards[kind] = np.zeros((50, players))
        while (batch.seat >= 0).any():
            batch.step(np.where(batch.seat >= 0, batch.mask.argmax(1), -1))
            rewards[kind] += batch.reward
    seats = np.tile(seatings(domino_env.rules(game), players)[0], (50, 1))
    assert margin_per_game(rewards["points"], seats) == pytest.approx(
        rewards["margin"][:, 0], abs=1e-4
    )


def test_what_duplicates_are_worth() -> None:
    """Four games of variance 2; the deals' means vary by 1 (by 4/3 if estimated)."""
    margins = np.array([[2.0, 0.0], [0.0, -2.0], [2.0, 0.0], [0.0, -2.0]])
    assert equivalent_independent_games(margins) == pytest.approx(4 * 2 / (4 / 3))
    assert equivalent_independent_games(np.array([[5.0, -5.0]] * 3)) is None


def test_single_games_on_fresh_deals_are_worth_what_they_are() -> None:
    chance = np.random.default_rng(0)
    worth = equivalent_independent_games(chance.normal(size=(20_000, 2)))
    assert worth == pytest.approx(40_000, rel=0.05)


# Ratings -----------------------------------------------------------------------------------------


def test_bradley_terry_finds_known_strengths() -> None:
    strengths = np.array([0.0, 0.5, 1.0, 2.0])
    chance = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))
    wins = 20_000 * chance * (1 - np.eye(4))
    found, spread = bradley_terry(wins)
    assert found - found[0] == pytest.approx(strengths, abs=1e-3)
    assert (np.linalg.eigvalsh(spread) > 0).all()


def test_intervals_of_ratings_hold_the_truth_nineteen_times_in_twenty() -> None:
    chance, truth = np.random.default_rng(1), np.array([0.0, 0.3])
    win = 1 / (1 + np.exp(truth[0] - truth[1]))
    held = 0
    for _ in range(1000):
        won = int(chance.binomial(400, win))
        rated = {r.name: r for r in ratings(["a", "b"], [met("b", "a", won, 0, 400 - won)], "a")}
        points = 400 / np.log(10) * (truth[1] - truth[0])
        held += abs(rated["b"].points - points) <= rated["b"].within
    assert 930 <= held <= 970


def test_a_shut_out_has_a_finite_rating() -> None:
    best, worst = ratings(["a", "b"], [met("a", "b", 500, 0, 0)], "b")
    assert (best.name, worst.points, worst.within) == ("a", 0.0, 0.0)
    assert 500 < best.points < 3000
    assert best.within > 100


def test_ties_are_half_a_win_for_both() -> None:
    even = ratings(["a", "b"], [met("a", "b", 10, 80, 10)], "a")
    assert [rating.points for rating in even] == pytest.approx([0, 0])


def met(first: str, second: str, won: int, tied: int, lost: int) -> Standing:
    deals = won + tied + lost
    return Standing(
        "x", "X", 2, first, second, deals, 2 * deals, 0.0, 1.0, won, tied, lost, float(deals)
    )


# How it is played --------------------------------------------------------------------------------


def test_results_do_not_depend_on_chunks_or_threads() -> None:
    def played(**changes: Any) -> list[Standing]:
        names = ("greedy_pip", "heuristic", {"agent": "heuristic", "weights": {"pips": 1.0}})
        return play_tournament(TournamentSettings(agents=names, deals=60, **changes)).standings

    whole = played()
    assert played(chunk_size=7) == whole
    assert played(threads=3, chunk_size=20) == whole


def test_the_same_settings_give_the_same_results_with_agents_that_toss_coins() -> None:
    settings = TournamentSettings(
        agents=("random", "greedy_pip"), deals=40, chunk_size=10, records=11
    )
    once, again = play_tournament(settings), play_tournament(settings)
    assert once.standings == again.standings
    assert once.records == again.records
    assert len(once.records) == 22  # of eleven deals, the last of them in a chunk of its own


def test_a_pairing_stops_when_its_interval_is_narrow_enough() -> None:
    usual = {"agents": ("random", "greedy_pip"), "deals": 2000, "chunk_size": 100}
    early = play_tournament(TournamentSettings(**usual, target_half_width=3)).standings[0]
    assert 200 <= early.deals < 2000
    assert early.deals % 100 == 0
    assert early.within < 3
    assert (
        play_tournament(TournamentSettings(**usual, target_half_width=1000)).standings[0].deals
        == 200
    )
    assert play_tournament(TournamentSettings(**usual)).standings[0].deals == 2000


def test_a_last_deal_is_not_left_over() -> None:
    assert play_tournament(
        TournamentSettings(agents=("random", "greedy_pip"), deals=11, chunk_size=10)
    ).standings
    assert play_tournament(
        TournamentSettings(agents=("random", "greedy_pip"), deals=3, chunk_size=1)
    ).standings


def test_who_watches_sees_every_pairing_grow() -> None:
    seen: list[Standing] = []
    results = play_tournament(TournamentSettings(deals=30, chunk_size=10), seen.append)
    assert [each.deals for each in seen] == [10, 20, 30] * 3
    assert [seen[2], seen[5], seen[8]] == results.standings


def test_one_of_ours_that_cannot_play_is_refused_before_anything_is_played() -> None:
    """An agent of one's own that fails forfeits: see `test_forfeits`."""
    settings = TournamentSettings(games=("five_up",), num_players=4, agents=("random", "ppo"))
    with pytest.raises(BadOption, match="ppo cannot play five_up: no policy comes with five_up"):
        play_tournament(settings)


# Records -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players", "changes"),
    [
        ("block_draw", 2, {"hand_size": 7}),
        ("blind", 3, {}),
        ("fundomino_team_play", 4, {}),
        ("yourturnmyturn", 2, {}),
        ("bendomino", 4, {"turn": {"again": "after_double"}}),
    ],
)
def test_a_record_can_be_played_again_from_its_seed_or_its_deal(
    game: str, players: int, changes: dict[str, Any]
) -> None:
    settings = TournamentSettings(
        games=(game,),
        num_players=players,
        rules=changes,
        agents=("random", "greedy_pip"),
        deals=5,
        records=3,
        seed=9,
    )
    rules, records = house_rules(game, changes), play_tournament(settings).records
    ways = len(seatings(rules, players))
    assert len(records) == 3 * ways
    for number, record in enumerate(records):
        assert parse(record.line()) == record
        seed = 9 + number // ways  # the first deal has the seed of the settings
        for start in ({"seed": seed}, {"options": {"deal": record.rounds[0].deal}}):
            batch = domino_env.batch(rules, 1, players, autoreset=False, reward="points")
            batch.reset(seed=seed)
            batch.reset(**start)
            points = np.zeros(players)
            for said in record.rounds[0].moves:
                seat, _, move = said.partition(": ")
                assert batch.seat[0] == int(seat)
                legal = {str(each): each for each in batch.position().legal}
                batch.step([domino_env.actions.encode(rules, legal[move])])
                points += batch.reward[0]
            assert batch.seat[0] == -1
            assert tuple(points) == record.rounds[0].points == record.result.scores


def test_records_say_who_sat_where() -> None:
    records = play_tournament(
        TournamentSettings(agents=("random", "greedy_pip"), deals=4, records=2)
    ).records
    assert [record.names for record in records] == [
        ("random", "greedy_pip"),
        ("greedy_pip", "random"),
    ] * 2
    deals = [record.rounds[0].deal for record in records]
    assert deals[0] == deals[1] != deals[2] == deals[3]


# What is written ---------------------------------------------------------------------------------

FILES = ["crosstable.png", "records.jsonl", "results.json", "results.md"]


def small(tmp_path: Path, *more: str) -> list[str]:
    arguments = ["tournament", "--set", "deals=20", "--set", "agents=[random, greedy_pip]"]
    return [*arguments, "--out", str(tmp_path / "out"), *more]


def test_the_command_plays_shows_and_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(small(tmp_path, "--set", "games=[block_draw, bergen]")) == 0
    shown = capsys.readouterr().out
    for said in ("Block & Draw, 2 players", "Bergen", "plain games", "ratings over all games"):
        assert said in shown
    out = tmp_path / "out"
    assert sorted(path.name for path in out.iterdir()) == FILES
    figures = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert figures["settings"]["deals"] == 20
    assert figures["games"]["bergen"]["standings"][0]["games"] == 40
    assert len([*read_all(out / "records.jsonl")]) == 8
    assert (out / "crosstable.png").read_bytes().startswith(b"\x89PNG")
    page = (out / "results.md").read_text(encoding="utf-8")
    assert "| random |" in page
    assert "plain games" in page


def test_settings_in_the_figures_can_be_loaded_again(tmp_path: Path) -> None:
    settings = load(TournamentSettings, SHIPPED, ["deals=20"])
    file = tmp_path / "again.yaml"
    file.write_text(json.dumps(as_dict(settings)), encoding="utf-8")
    assert load(TournamentSettings, file) == settings


def test_odd_names_spoil_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = '{agent: random, name: "a|b [red] $x_$ 骨"}'
    assert main(small(tmp_path, "--set", f"agents=[{odd}, greedy_pip]")) == 0
    assert "a|b [red] $x_$ 骨" in capsys.readouterr().out
    assert "a\\|b [red]" in (tmp_path / "out" / "results.md").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pairing, "play_deals", lambda *_: pytest.fail("it was played"))
    (tmp_path / "out").write_text("a file, not a folder")
    assert main(small(tmp_path)) == 2
    assert "domino: cannot write in" in capsys.readouterr().err
    (tmp_path / "out").unlink()

    def forbidden(*_: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "fsync", forbidden)
    assert main(small(tmp_path)) == 2
    assert "Permission denied" in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []


def test_a_disk_that_fills_up_leaves_what_was_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(small(tmp_path)) == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    written, real = [0], os.fsync

    def full(descriptor: int) -> None:
        written[0] += 1
        if written[0] == 4:  # the trial, then two files, then no more
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    capsys.readouterr()
    monkeypatch.setattr("domino_env.evaluate.console.must_be_writable", lambda folder: None)
    assert main(small(tmp_path, "--set", "seed=7")) == 2
    shown = capsys.readouterr()
    assert "No space left on device" in shown.err
    assert "worth" in shown.out, "what was found is told at least"
    after = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert after.pop(JOURNAL)
    assert after == before
    monkeypatch.undo()  # somebody has made room
    assert main(small(tmp_path, "--set", "seed=7", "--resume")) == 0
    assert not (tmp_path / "out" / JOURNAL).exists()


# What is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("deals: 50\ndels: 5", "x.yaml, line 2: unknown setting 'dels'; did you mean 'deals'?"),
        ("games: [blok_draw]", "did you mean 'block_draw'?"),
        ("games: [solitaire]", "x.yaml, line 1: solitaire is for one player"),
        ("games: []", "x.yaml, line 1: games must name one or more"),
        (
            "target_half_width: 1\nnum_players: 5",
            "x.yaml, line 2: block_draw is for 2, 3, 4 players, not 5",
        ),
        (
            "rules:\n  hand_sise: 7",
            "x.yaml, line 2: unknown setting 'rules.hand_sise'; did you mean 'hand_size'?",
        ),
        ("rules: {hand_size: 99}", "(rules of block_draw)"),
        ("rules:\n  draw:\n    forced: often", "x.yaml, line 3: rules.draw.forced must be one of"),
        ("rules: {id: mine}", "x.yaml, line 1: rules.id cannot be changed"),
        ("agents: [random]", "x.yaml, line 1: a tournament needs two agents or more"),
        ("agents: [random, random]", "two agents are called 'random'"),
        ("agents:\n- random\n- greedy_pipp", "line 3: unknown agent 'greedy_pipp'; did you mean"),
        ("agents:\n- random\n- {name: x}", "x.yaml, line 3: an agent is a name like"),
        ("agents: [random, {agent: pimc, secs: 1}]", "pimc has no option 'secs'"),
        ("agents: [random, {agent: greedy_pip, x: 1}]", "greedy_pip has no option 'x'"),
        ("agents: [random, {agent: pimc, worlds: 0}]", "worlds must be a whole number"),
        ("agents: [random, {agent: random, name: 5}]", "the name of an agent is a text"),
        ("agents: [random, optimal]", "x.yaml, line 1: optimal does not play block_draw"),
        ("deals: 1", "deals must be a whole number of 2 or more, not 1"),
        ("target_half_width: wide", "target_half_width must be a number of 0 or more, not 'wide'"),
    ],
)
def test_a_wrong_config_is_refused(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text, encoding="utf-8")
    assert main(["tournament", str(file), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("domino: ")
    assert error.count("\n") == 1
    assert said in error
    assert not (tmp_path / "out").exists()


def test_the_shipped_config_plays(tmp_path: Path) -> None:
    arguments = ["tournament", str(SHIPPED), "--set", "deals=4", "--out", str(tmp_path)]
    assert main(arguments) == 0
    assert (tmp_path / "results.md").exists()


def test_the_settings_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--settings"]) == 0
    shown = capsys.readouterr().out
    assert "chunk_size" in shown
    assert "house rules" in shown


def test_all_games_are_those_with_opponents() -> None:
    games = [rules.id for rules in TournamentSettings(games="all").all_rules]
    assert games == [name for name in domino_env.variants() if domino_env.rules(name).has_opponents]


def test_strangers_have_no_standing() -> None:
    results = Results(TournamentSettings(), [met("a", "b", 1, 0, 1)], [])
    assert results.between("x", "b", "a").lost == 1
    with pytest.raises(BadOption, match="did not meet"):
        results.between("x", "a", "c")
