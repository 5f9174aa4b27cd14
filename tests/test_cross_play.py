"""Cross-play: policies that were trained apart, as partners in one team."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.agents.networks.player import WEIGHTS
from domino_env.cli.main import main
from domino_env.config.loader import load
from domino_env.config.shipped import find
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate import play_cross
from domino_env.evaluate.cross_play import CrossPlay, cross_play_of, play, seatings
from domino_env.evaluate.cross_score import as_markdown, score_of
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.forfeits import default_forfeit_cost
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.policy_files import entrants_of
from domino_env.evaluate.statistics import ratio_of_means
from domino_env.train.settings import TrainSettings
from tests.test_mixed_tables import Highest, Lowest, points_of
from tests.test_training import SHORT
from tools import cross_play as tool

TEAMS = "bendomino_teams"
SHIPPED = WEIGHTS / "net" / f"{TEAMS}.npz"


class Raises:
    """Never moves."""

    def act(self, batch: Any, lanes: Any) -> Any:
        raise RuntimeError("no heart")


class Clannish:
    """Plays well only once it has been asked for its partner's seat too: with itself, that is."""

    def __init__(self) -> None:
        self.good, self.bad = agents.make("heuristic"), agents.make_seeded("random", 0)
        self.asked = np.zeros((0, 4), bool)

    def act(self, batch: Any, lanes: Any) -> Any:
        if len(self.asked) != batch.num_games:
            self.asked = np.zeros((batch.num_games, 4), bool)
        seats = batch.seat[lanes]
        self.asked[lanes, seats] = True
        known = self.asked[lanes, (seats + 2) % 4]
        return np.where(known, self.good.act(batch, lanes), self.bad.act(batch, lanes))


def called(agent: Any, name: str) -> dict[str, Any]:
    return {"agent": agent, "name": name}


def played(policies: list[Any], against: Any, deals: int, game: str = TEAMS) -> CrossPlay:
    found = cross_play_of(game, policies, against, seed=5)
    play(found, deals)
    return found


# What is played -----------------------------------------------------------------------------------


def test_every_ordered_pair_makes_up_either_team() -> None:
    seats = seatings(3).reshape(3, 3, 2, 4)
    for first in range(3):
        for second in range(3):
            assert seats[first, second].tolist() == [[first, 3, second, 3], [3, first, 3, second]]


@pytest.mark.parametrize("game", [TEAMS, "fundomino_team_play", "partnership_block"])
def test_with_itself_a_policy_earns_what_it_earns_in_a_tournament(game: str) -> None:
    """The same deals, and the same score on each."""
    names = ["net", "greedy_pip", "heuristic"]
    found = played(names, "heuristic", 60, game)
    for number, name in enumerate(names):
        pairing = Pairing(
            domino_env.rules(game), None, Entrant(name), Entrant("heuristic", "other"), 5
        )
        pairing.play(60)
        assert found.margins[:, number, number] == pytest.approx(pairing.by_deal)
    assert not found.margins[:, 2, 2].any()
    assert found.margins[:, 0, 0].any()


def test_margins_are_what_single_games_add_up_to() -> None:
    """Each game alone, the slow way."""
    found = played([called(Lowest, "lowest"), called(Highest, "too")], Highest, 3)
    names = ["lowest", "too"]
    for deal in range(3):
        for row, first in enumerate(names):
            for column, second in enumerate(names):
                north = points_of(TEAMS, [first, "highest", second, "highest"], 5 + deal)
                east = points_of(TEAMS, ["highest", first, "highest", second], 5 + deal)
                over = (north[0] + north[2] - north[1] - north[3]) / 2
                over += (east[1] + east[3] - east[0] - east[2]) / 2
                assert found.margins[deal, row, column] == pytest.approx(over / 2)


def test_a_partner_who_plays_at_random_costs_points() -> None:
    score = play_cross(TEAMS, ["heuristic", "random"], 1500, against="greedy_pip")
    (alone, first), (second, random) = score.margins
    (_, wide), (wide_too, _) = score.within
    assert alone - max(first, second) > wide + wide_too
    assert min(first, second) > random
    assert score.apart == pytest.approx((first + second) / 2)
    assert score.together == pytest.approx((alone + random) / 2)


def test_copies_of_a_policy_are_as_good_together_as_apart() -> None:
    score = play_cross(
        TEAMS, [called("heuristic", "one"), called("heuristic", "two")], 400, against="greedy_pip"
    )
    assert score.ratio == (1.0, 0.0)
    assert len({margin for row in score.margins for margin in row}) == 1


def test_partners_who_only_know_each_other_are_found_out() -> None:
    one, two = called(Clannish, "one"), called(Clannish, "two")
    score = play_cross(TEAMS, [one, two], 400, against="random")
    assert score.ratio is not None
    assert score.ratio.value + score.ratio.within < tool.WANTED
    assert tool.verdict(score.to_plain()) == "no"
    same = play_cross(TEAMS, ["heuristic", called("heuristic", "too")], 400, "greedy_pip")
    assert tool.verdict(same.to_plain()) == "yes"
    nothing = play_cross(TEAMS, ["heuristic", called("heuristic", "too")], 40)
    assert tool.verdict(nothing.to_plain()) == "not clear"


def test_the_order_of_policies_only_orders_the_matrix() -> None:
    one = played(["net", "greedy_pip", "heuristic"], "heuristic", 40)
    other = played(["heuristic", "net", "greedy_pip"], "heuristic", 40)
    turned = [2, 0, 1]
    assert (one.margins[:, turned][:, :, turned] == other.margins).all()
    assert (one.margins != one.margins.transpose(0, 2, 1)).any(), "who leads the team matters"


def test_some_of_the_policies_score_as_if_they_had_played_alone() -> None:
    whole = played(["net", "greedy_pip", "heuristic"], "heuristic", 40)
    alone = played(["net", "heuristic"], "heuristic", 40)
    assert whole.score([0, 2]) == alone.score()
    assert whole.score().names == ("net", "greedy_pip", "heuristic")


def test_equal_settings_give_equal_bytes_on_any_number_of_threads() -> None:
    policies = [called("random", "one"), called("random", "two"), "heuristic"]
    told = {
        json.dumps(play_cross(TEAMS, policies, 1000, seed=3, threads=threads).to_plain())
        for threads in (1, 1, 2)
    }
    assert len(told) == 1
    assert json.dumps(play_cross(TEAMS, policies, 1000, seed=4).to_plain()) not in told


def test_of_somebody_who_may_take_long_few_games_are_played_at_a_time() -> None:
    assert cross_play_of(TEAMS, ["net", "ppo"], "heuristic").chunk_size == 8192 // 8
    for slow in (called("pimc", "slow"), called(Lowest, "not ours")):
        assert cross_play_of(TEAMS, ["net", slow], "heuristic").chunk_size == 16
        assert cross_play_of(TEAMS, ["net", "ppo"], slow).chunk_size == 16


def test_a_partner_who_fails_forfeits_the_game_for_both() -> None:
    found = played([called(Raises, "fails"), "heuristic"], "heuristic", 2)
    cost = default_forfeit_cost(domino_env.rules(TEAMS), 4)
    assert (found.margins[:, 0] == -cost).all()
    assert (found.margins[:, 1, 0] == -cost).all()
    assert not found.margins[:, 1, 1].any()
    assert found.score().forfeits == 12
    assert "Forfeited games: 12." in as_markdown(found.score())
    other = played(["heuristic", "greedy_pip"], called(Raises, "fails"), 2)
    assert (other.margins == cost).all()


# What it comes to ---------------------------------------------------------------------------------


def test_a_ratio_has_an_interval_that_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        luck = rng.standard_normal(300)
        under = 1 + luck + 0.3 * rng.standard_normal(300)
        over = 0.8 + luck + 0.3 * rng.standard_normal(300)
        found = ratio_of_means(over, under)
        assert found is not None
        held += abs(found.value - 0.8) <= found.within
    assert 0.92 <= held / 400 <= 0.98


def test_nothing_is_no_share_of_what_is_not_clear_of_nothing() -> None:
    luck = np.random.default_rng(1).standard_normal(100)
    assert ratio_of_means(luck + 1, luck - luck.mean()) is None
    assert ratio_of_means(luck + 1, luck - 5) is None
    assert ratio_of_means(luck * 0, luck + 5) == (0, 0)


def test_the_score_is_told_in_words() -> None:
    margins = np.array([[[4.0, 2.0], [3.0, 4.0]], [[2.0, 1.0], [2.0, 2.0]]])
    score = score_of("a game", "others", ["a|b", "c"], margins)
    assert (score.together, score.apart) == (3.0, 2.0)
    assert score.ratio is not None
    assert score.ratio.value == pytest.approx(2 / 3)
    told = as_markdown(score)
    assert "| a\\|b | +3.00 ± 1.96 | +1.50 ± 0.98 |" in told
    assert "trained together +3.00 ± 1.96, trained apart +2.00 ± 0.98; that is 67 ± 11 % of" in told
    even = score_of("a game", "others", ["a", "b"], margins - 3)
    assert even.ratio is None
    assert even.to_plain()["ratio"] is None
    assert "no ratio" in as_markdown(even)


# Policies of files and folders --------------------------------------------------------------------


def folder_with(folder: Path, *seeds: str) -> Path:
    for seed in seeds:
        (folder / seed).mkdir(parents=True)
        shutil.copy(SHIPPED, folder / seed / "policy.npz")
    return folder


def test_a_folder_of_seeds_has_a_policy_of_each(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "five", "seed-10", "seed-2", "seed-0")
    (folder / "seed-3").mkdir()  # a run that is not done
    found = entrants_of(str(folder))
    assert [each.name for each in found] == ["five/seed-0", "five/seed-2", "five/seed-10"]
    assert found[1].options["file"] == str(folder / "seed-2" / "policy.npz")
    (one,) = entrants_of(str(folder / "seed-2"))
    assert one.name == "seed-2"
    (file,) = entrants_of(str(SHIPPED))
    assert file.name == TEAMS
    (agent,) = entrants_of("{agent: net, temperature: 0.5, name: warm}")
    assert (agent.name, agent.options) == ("warm", {"temperature": 0.5})


def test_an_agent_is_not_taken_for_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net").mkdir()
    assert [each.name for each in entrants_of("net")] == ["net"]
    Path("mine").mkdir()
    with pytest.raises(BadOption, match=r"no policy\.npz in mine"):
        entrants_of("mine")


# The command, and errors --------------------------------------------------------------------------


def test_the_command_takes_a_folder_of_seeds(tmp_path: Path, capsys: Any) -> None:
    folder, file = folder_with(tmp_path / "five", "seed-0", "seed-1"), tmp_path / "cross.json"
    words = ["--game", TEAMS, "--deals", "50", "--against", "greedy_pip", "--json", str(file)]
    assert main(["cross-play", str(folder), "heuristic", *words]) == 0
    told = capsys.readouterr().out
    assert f"| first \\ second partner, {TEAMS} | five/seed-0 | five/seed-1 | heuristic |" in told
    assert "over two of greedy_pip, 50 duplicate deals" in told
    found = json.loads(file.read_text())
    assert found["names"] == ["five/seed-0", "five/seed-1", "heuristic"]
    assert found["margins"][0][0] == found["margins"][0][1]
    assert len(found["within"]) == 3
    assert found["deals"] == 50


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["net", "ppo", "--game", "block_draw"], "block_draw has no teams of two"),
        (["net", "ppo", "--game", "elimination"], "for one player"),
        (["net", "ppo", "--game", "bendomino_team"], "did you mean 'bendomino_teams'"),
        (["net", "--game", TEAMS], "two policies or more"),
        (["net", "net", "--game", TEAMS], "two policies are called 'net'"),
        (["net", "optimal", "--game", TEAMS], "optimal does not play bendomino_teams"),
        (["net", "ppo", "--game", TEAMS, "--deals", "1"], "deals must be a whole number of 2"),
        (["net", "ppo", "--game", TEAMS, "--threads", "0"], "threads must be a whole number of 1"),
        (["net", "nobody.npz", "--game", TEAMS], "nobody.npz cannot be read"),
        (["net", str(SHIPPED), "--game", "kozel"], "cannot play kozel: this policy was trained"),
    ],
)
def test_what_cannot_be_played_is_refused(words: list[str], told: str, capsys: Any) -> None:
    assert main(["cross-play", *words]) == 2
    assert told in capsys.readouterr().err


def test_from_python_the_same_is_refused() -> None:
    for deals in ("many", 2.5, True, 0):
        with pytest.raises(DominoError, match="deals must be a whole number"):
            play_cross(TEAMS, ["net", "ppo"], deals)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="two deals or more"):
        cross_play_of(TEAMS, ["net", "ppo"], "heuristic").score()


@pytest.mark.slow
def test_seeds_that_were_trained_apart_play_together(tmp_path: Path, capsys: Any) -> None:
    changes = [word for change in (*SHORT, f"game={TEAMS}") for word in ("--set", change)]
    assert main(["train", *changes, "--seeds", "2", "--out", str(tmp_path / "two")]) == 0
    assert main(["cross-play", str(tmp_path / "two"), "--game", TEAMS, "--deals", "50"]) == 0
    told = capsys.readouterr().out
    assert "| two/seed-0 | two/seed-1 |" in told
    assert len({line.split("|")[2] for line in told.splitlines() if "| two/seed" in line}) > 1


# The tool -----------------------------------------------------------------------------------------


def test_the_tool_knows_the_games_with_teams_that_are_trained_for() -> None:
    chosen = tool.games()
    assert TEAMS in chosen
    assert all(domino_env.rules(name).teams for name in chosen)
    for name in chosen:
        config, ours = load(TrainSettings, find(f"net/{name}", "train")), tool.settings_of(name)
        assert ours.game == name
        assert config.seed not in tool.SEEDS, "the shipped policy is none of them"
        assert 0 < ours.distill.iterations <= tool.MOST_ITERATIONS


def test_the_tool_trains_what_is_missing_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from domino_env.train import seeds

    trained: list[Any] = []
    monkeypatch.setattr(tool, "RUNS", tmp_path)
    monkeypatch.setattr(seeds, "run_seeds", lambda *given, **named: trained.append((given, named)))
    folder_with(tmp_path / TEAMS, "seed-1", "seed-2")
    tool.train(TEAMS)
    ((settings, number, folder), named) = trained.pop()
    assert (settings.game, settings.seed, number) == (TEAMS, 1, 3)
    assert (folder, named) == (tmp_path / TEAMS, {"resumed": False})
    folder_with(tmp_path / TEAMS, "seed-3")
    tool.train(TEAMS)  # the policy of a checkpoint, perhaps
    assert trained.pop()
    (tmp_path / TEAMS / seeds.FIGURES).touch()
    tool.train(TEAMS)
    assert not trained


def test_the_tool_measures_other_partners_beside_the_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "RUNS", tmp_path)
    folder_with(tmp_path / TEAMS, "seed-1", "seed-2", "seed-3")
    found = tool.measured(TEAMS, 300)
    row = tool.row(found)
    assert row["seeds"]["names"] == ["seed 1", "seed 2", "seed 3"]
    assert row["seeds"]["ratio"] == 1.0, "copies of one policy"
    assert row["net"]["margin"] == pytest.approx(row["seeds"]["together"])
    cells = found.score().margins
    partner = np.mean([[cells[seed][4], cells[4][seed]] for seed in range(3)])
    assert row["heuristic"]["margin"] == pytest.approx(partner)
    file = tmp_path / "kept.json"
    tool.keep(TEAMS, row, file)
    assert json.loads(file.read_text())[TEAMS]["seeds"]["deals"] == 300
