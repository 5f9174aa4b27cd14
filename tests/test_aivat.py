"""Less luck: margins without the luck of draws are the same on average, and surer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import solve
from domino_env.cli.main import main
from domino_env.evaluate import TournamentSettings, play_tournament
from domino_env.evaluate.aivat import LuckOf
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.statistics import ci95_half_width, less_luck
from domino_env.games import DEFAULT_GAME

GAMES = (DEFAULT_GAME, "all_fives", "five_up", "fundomino_team_play", "bergen")
PAIRS = (("heuristic", "greedy_pip"), ("random", "greedy_pip"), ("ppo", "heuristic"))


def paired(
    game: Any, first: Any, second: Any, deals: int, variance: Any = "aivat", seed: int = 0
) -> Pairing:
    rules = domino_env.rules(game) if isinstance(game, str) else game
    pairing = Pairing(
        rules, None, Entrant(first), Entrant(second, "other"), seed, variance=variance
    )
    pairing.play(deals)
    return pairing


def cases() -> Iterator[Any]:
    for game in GAMES:
        for first, second in PAIRS:
            yield pytest.param(game, first, second, id=f"{game}-{first}-{second}")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "first", "second"), [*cases()])
def test_the_mean_stays_what_it_was(game: str, first: str, second: str) -> None:
    pairing = paired(game, first, second, 60)
    plain = paired(game, first, second, 60, "duplicates")
    assert (pairing.margins == plain.margins).all()  # the games are the same
    luck = pairing.luck.mean(1)
    assert luck.any()
    assert abs(luck.mean()) <= 2.2 * ci95_half_width(luck)  # 4.3 standard errors
    assert pairing.standing.within <= 1.05 * plain.standing.within


@pytest.mark.slow
@pytest.mark.parametrize("hand_size", [3, 4])
def test_on_a_small_set_it_is_the_margin_over_all_deals(hand_size: int) -> None:
    small = domino_env.rules(DEFAULT_GAME, set="double_3", players=[2], hand_size=hand_size)
    exact = solve.value(solve.tree(small), "heuristic", "greedy_pip")
    pairing = paired(small, "heuristic", "greedy_pip", 1500)
    by_deal = pairing.by_deal
    assert abs(by_deal.mean() - exact) <= 2.2 * ci95_half_width(by_deal)
    assert abs(pairing.luck.mean()) <= 2.2 * ci95_half_width(pairing.luck.mean(1))


@pytest.mark.slow
def test_a_deal_is_worth_more_than_three_plain_games() -> None:
    plain = paired(DEFAULT_GAME, "heuristic", "greedy_pip", 400, "duplicates").standing
    less = paired(DEFAULT_GAME, "heuristic", "greedy_pip", 400).standing
    assert plain.worth is not None
    assert less.worth is not None
    assert less.worth > 2 * plain.worth
    assert less.worth > 2.4 * less.games  # some 3.1 are expected
    assert (less.won, less.tied, less.lost) == (plain.won, plain.tied, plain.lost)


def test_who_searches_has_a_stand_in_and_an_agent_from_outside_too() -> None:
    asked = []

    class Mine:
        def act(self, batch: Any, lanes: Any) -> Any:
            asked.append(len(lanes))
            return batch._legal[lanes, 0].astype(np.int64)

    assert paired(DEFAULT_GAME, Mine, "greedy_pip", 6).luck.any()
    assert max(asked) <= 12
    searching = Pairing(
        domino_env.rules(DEFAULT_GAME),
        None,
        Entrant("pimc", options={"worlds": 4}),
        Entrant("random"),
        variance="aivat",
    )
    searching.play(4)
    assert searching.luck.any()


def test_luck_is_nothing_where_nothing_is_left_to_chance() -> None:
    rules = domino_env.rules(DEFAULT_GAME, draw={"forced": "none"})
    pairing = paired(rules, "heuristic", "greedy_pip", 20)
    assert not pairing.luck.any()
    assert pairing.by_deal.tolist() == pytest.approx(pairing.margins.mean(1).tolist())


def test_the_luck_of_a_deal_does_not_depend_on_which_are_played_with_it() -> None:
    together = paired(DEFAULT_GAME, "heuristic", "greedy_pip", 8)
    apart = paired(DEFAULT_GAME, "heuristic", "greedy_pip", 3)
    apart.play(5)
    assert (together.luck == apart.luck).all()


def test_a_tournament_is_the_same_on_two_threads_and_when_it_is_resumed(tmp_path: Any) -> None:
    settings = {
        "agents": ("heuristic", "random"),
        "deals": 12,
        "chunk_size": 4,
        "variance": "aivat",
    }
    one, two = (
        play_tournament(TournamentSettings(**settings, threads=threads)).standings
        for threads in (1, 2)
    )
    assert one == two
    words = [
        f"--set={name}={value}"
        for name, value in {**settings, "agents": "[heuristic, random]"}.items()
    ]
    assert main(["tournament", *words, "--out", str(tmp_path)]) == 0
    assert "is taken off (AIVAT)" in (tmp_path / "results.md").read_text(encoding="utf-8")


def test_what_is_taken_off_leaves_samples_unbiased_and_narrower() -> None:
    chance = np.random.default_rng(0)
    means, widths = [], []
    for _ in range(400):
        luck = chance.normal(size=20)
        samples = 1.0 + 3.0 * luck + chance.normal(size=20)
        found = less_luck(samples, luck)
        means.append(found.mean())
        widths.append(found.std() / samples.std())
    assert np.mean(means) == pytest.approx(1.0, abs=4 * np.std(means) / 20)
    assert np.mean(widths) < 0.45
    assert less_luck(samples, np.zeros(20)).tolist() == samples.tolist()


def test_a_game_that_nobody_plays_has_no_luck() -> None:
    batch = domino_env.batch(DEFAULT_GAME, 2, seed=0, autoreset=False)
    batch.reset()
    seating = np.array([[0, 1], [1, 0]])
    luck = LuckOf(batch, [], [], seating, np.zeros(1, np.int64), playouts=1)
    assert not luck.total.any()
