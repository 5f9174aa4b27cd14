"""Where things are on the page: all that is needed to play is in the window, and nothing jumps."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.browsing import Served, Tab

WINDOWS = {
    "desktop": (1280, 800),
    "tablet": (820, 1180),
    "phone": (390, 844),
    "small phone": (360, 640),
    "phone on its side": (844, 390),
    "small phone on its side": (667, 375),
}
GAMES: dict[str, dict[str, Any]] = {
    "blind": {"num_players": 5},
    "five_up": {"num_players": 4, "match": True},
    "fundomino": {"num_players": 4},
    "block_draw": {"num_players": 4, "changes": {"set": "double_15"}},
    "knock_out": {},
    "elimination": {},
}
BOXES = """names => Object.fromEntries(names.flatMap((name) => [...document.querySelectorAll(name)]
    .map((found, place) => [`${name} ${place}`, found.getBoundingClientRect().toJSON()])))"""
NEEDED = ["#table", "#status", ".seat", "#hand .tile", "#extras button", "#go-on", "#tools button"]
STILL = ["#table", ".seat"]


def boxes(tab: Tab, names: list[str]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = tab.page.evaluate(BOXES, names)
    return found


def must_fit(tab: Tab) -> None:
    """Fails if one would have to scroll for anything that is needed to play."""
    size = tab.page.viewport_size
    for name, box in boxes(tab, NEEDED).items():
        if box["width"] == 0:
            continue
        assert box["left"] >= 0, name
        assert box["top"] >= 0, name
        assert box["right"] <= size["width"] + 0.5, name
        assert box["bottom"] <= size["height"] + 0.5, name
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def shown(served: Served, tab: Tab) -> None:
    """Until the tab shows what is so."""
    tab.page.wait_for_function(
        "version => document.body.dataset.version === version", arg=str(served.host.version)
    )


def persons_turn(served: Served) -> Any:
    """The game, once the agents have played; None when the round is over."""
    host = served.host
    with host.condition:
        game = host.game
        assert game is not None
        there = host.condition.wait_for(lambda: game.session.to_move in (None, 0), timeout=60)
        assert there, "the agents play"
        return None if game.session.to_move is None else game.session


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("game", GAMES)
def test_all_that_is_needed_is_in_the_window_and_nothing_jumps(
    game: str, window: str, open_tab: Any
) -> None:
    width, height = WINDOWS[window]
    context = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"}
    served, tab = open_tab(game, context=context, **GAMES[game])
    chance, before, decisions = random.Random(1), None, 0
    session = persons_turn(served)
    while session is not None:
        if decisions % 6 == 0:
            shown(served, tab)
            must_fit(tab)
            assert before in (None, boxes(tab, STILL))
            before = boxes(tab, STILL)
        served.host.act(chance.choice(session.position.legal_actions))
        decisions += 1
        session = persons_turn(served)
    shown(served, tab)
    must_fit(tab)
    assert before == boxes(tab, STILL), "tiles are shown, and nothing is larger for it"
    assert tab.page.locator("#go-on").is_visible()
    assert not tab.complaints


@pytest.mark.parametrize("window", WINDOWS)
def test_a_hand_of_many_tiles_is_seen_whole(window: str, open_tab: Any) -> None:
    width, height = WINDOWS[window]
    served, tab = open_tab("fundomino", context={"viewport": {"width": width, "height": height}})
    session = persons_turn(served)
    for _ in range(40):
        draws = [
            action
            for action, move in zip(
                session.position.legal_actions, session.position.legal, strict=True
            )
            if move.kind == "draw"
        ]
        if not draws:
            break
        served.host.act(draws[0])
        session = persons_turn(served)
    shown(served, tab)
    assert tab.page.locator("#hand .tile").count() > 15
    must_fit(tab)
    hand = boxes(tab, ["#hand"])["#hand 0"]
    for box in boxes(tab, ["#hand .tile"]).values():
        assert box["width"] >= 24
        assert hand["top"] <= box["top"] <= box["bottom"] <= hand["bottom"] + 0.5


def test_the_table_is_drawn_for_the_room_that_there_is(open_tab: Any) -> None:
    _, tab = open_tab("five_up", context={"viewport": {"width": 1024, "height": 768}})
    tab.wait()
    for width, height in ((390, 844), (1280, 800)):
        with tab.page.expect_request(lambda request: "aspect=" in request.url) as asked:
            tab.page.set_viewport_size({"width": width, "height": height})
        told = float(asked.value.url.split("aspect=")[1].split("&")[0])
        is_so = tab.page.locator("#table").evaluate("one => one.clientWidth / one.clientHeight")
        assert abs(told - is_so) <= 0.06
    with tab.page.expect_request("**/api/act*") as asked:
        tab.play_by_mouse()
    assert f"aspect={told:g}" in asked.value.url
