"""Rules of games that could never be dealt, won or ended are refused."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

import domino_env
from domino_env.batches import Batch
from domino_env.errors import BadRules
from domino_env.ruleset import (
    Opening,
    Rules,
    Scoring,
)
from tests.drawn_rules import (
    ANY_TILE,
    HIGHEST_TILE,
    QUIET,
    SEEDS,
    Lot,
    built,
    check_message,
    describe,
    play_out,
    within,
)

# Games that can never be dealt, or never end -----------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "changes"),
    [
        # Nobody can ever hold a double to open with (G3): one of symbols does not open.
        (("1|2", "2|3", "3|4", ">1|>1", "*|*", "+2|2"), {"opening": Opening()}),
        # There is one to open with, but nothing can ever follow it (G5).
        (("6|6", "1|2", "2|3", "3|4", "4|5", "5|1"), {"opening": Opening()}),
        (("1|1", "2|2", "3|3", "4|4"), {"opening": HIGHEST_TILE}),
        (("1|1", "2|3", "4|5", "6|7"), {"opening": Opening(starter="lot", tile="from_boneyard")}),
    ],
)
def test_tiles_that_would_be_dealt_again_for_ever_are_refused(
    tiles: tuple[str, ...], changes: dict[str, Any]
) -> None:
    """Asking is not done here: a deal that never comes cannot be stopped."""
    hands = 1 if changes["opening"].tile == "from_boneyard" else 2
    with pytest.raises(BadRules, match="tiles"):
        domino_env.rules("fundomino", tiles=tiles, players=(2,), hand_size=hands, **changes)


def points_of_rounds(rules: Rules) -> set[int]:
    """All that the end of a round can be worth."""
    scoring, most = rules.scoring, 5 * max(map(rules.tile_set.pips, range(rules.num_tiles)))
    found = {points for points in scoring.places if points}
    if not found and scoring.win:
        found = {scoring.win}
    elif not found:
        rounded = range(0, most + scoring.nearest, scoring.nearest)
        up = scoring.rounded_up
        found = {-(-pips // up) * up // scoring.pips_a_point for pips in rounded} - {0}
    return found | {2 * points for points in found if rules.double_stakes}


def points_of_plays(rules: Rules) -> set[int]:
    """All that a play can be worth."""
    if rules.scoring.plays == "same_ends":
        return {2, 3}
    unit = 10 if rules.perfect_ten else 5 if rules.scoring.plays == "fives" else 0
    return {pips // rules.scoring.pips_a_point for pips in range(unit, 20 * unit, unit or 1)} - {0}


def check_exact(rules: Rules) -> None:
    """Whatever a player has, the least that can be scored leads on to the target."""
    points = points_of_rounds(rules) | points_of_plays(rules)
    assert rules.target is not None
    stuck = {each for each in (*points, rules.target) if each % min(points)}
    assert not stuck, f"by {min(points)} nobody comes to {sorted(stuck)[:5]}: {rules.scoring}"


@pytest.mark.slow
@settings(QUIET, max_examples=200)
@given(seed=SEEDS)
def test_an_exact_target_can_be_reached_from_every_score(seed: int) -> None:
    lot = Lot(seed)
    rules = lot.rules()
    while not rules.exact:
        rules = lot.rules()
    describe(rules)
    check_exact(rules)


@pytest.mark.parametrize("ten", [False, True])
@pytest.mark.parametrize("plays", ["nothing", "fives", "same_ends"])
def test_an_exact_target_that_rounding_can_pass_by_is_refused(plays: Any, ten: bool) -> None:
    """Points are rounded twice over: to the nearest, then up, and then counted by so many pips."""
    for unit, near, up, target in product(
        (1, 2, 4, 5), (1, 2, 4, 5, 10), (1, 2, 3, 5, 10), (6, 60)
    ):
        numbers: Any = {"pips_a_point": unit, "nearest": near, "rounded_up": up}
        rules = built(
            "fundomino" if ten else "block_draw",
            partial(Scoring, plays=plays, **numbers),
            opening=ANY_TILE,
            perfect_ten=ten,
            exact=True,
            target=target,
        )
        if rules is not None:
            check_exact(rules)


# A match that nobody can ever win is no game -----------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"scoring": Scoring(nearest=1000)},  # a round is never worth 500 pips: always rounded to 0
        {"target": 1, "exact": True, "scoring": Scoring(plays="same_ends", win=2)},  # 2s and 3s
        {"target": 7, "exact": True, "scoring": Scoring(plays="fives", nearest=5, win=5)},
        {"target": 8, "exact": True, "scoring": Scoring(plays="fives", win=3)},  # stuck at 5 or 6
    ],
)
def test_a_target_that_no_points_can_reach_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadRules, match="target"):
        domino_env.rules("block_draw", opening=ANY_TILE, **changes)


@pytest.mark.parametrize(
    ("target", "scoring"),
    [
        (5, Scoring(plays="fives", win=5)),
        (10, Scoring(plays="fives", nearest=5)),
        (9, Scoring(plays="same_ends", win=1)),
        (7, Scoring(win=7)),
    ],
)
def test_an_exact_target_that_points_can_add_up_to_is_accepted(
    target: int, scoring: Scoring
) -> None:
    match = domino_env.rules(
        "block_draw", target=target, exact=True, scoring=scoring, opening=ANY_TILE
    )
    batch = Batch(match, 8, seed=0, episode="match", autoreset=False)
    within(20, lambda: play_out(batch, 500))
    assert (batch.state()["scores"].max(1) == target).all()


def test_an_opening_that_hits_an_exact_target_is_not_dealt_again_for_ever() -> None:
    """Every opening double scores 2: a match to exactly 2 has no decision in it, whoever opens."""
    scoring = Scoring(plays="same_ends", win=1)
    try:
        match = domino_env.rules("block_draw", target=2, exact=True, scoring=scoring)
    except BadRules as error:
        check_message(error, {"target": 2, "exact": True})
    else:
        within(5, lambda: Batch(match, 1, seed=0, episode="match").reset())
