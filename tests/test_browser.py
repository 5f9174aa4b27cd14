"""Playing in a real browser, with a server of its own for each test."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env.record import read, to_batch
from tests.browsing import Command, Tab
from tests.served import TILE, tiles_in

pytestmark = pytest.mark.slow

MOST = 400  # clicks that no game needs

STRAIGHT, CURVED, BRANCHING, PUZZLE = "block_draw", "fundomino", "five_up", "knock_out"
TRAINS, FEET, TEAMS = "mexican_train", "chickenfoot", "dominican"


@pytest.mark.parametrize("how", ["mouse", "keys"])
@pytest.mark.parametrize("game", [STRAIGHT, CURVED, BRANCHING, PUZZLE, TRAINS, FEET, TEAMS])
def test_a_whole_game_is_played(game: str, how: str, open_tab: Any) -> None:
    served, tab = open_tab(game)
    for _ in range(MOST):
        if tab.over:
            break
        tab.play_by_mouse() if how == "mouse" else tab.play_by_keys()
        tab.wait()
    assert tab.over
    assert served.record.result.over
    assert not tab.complaints


def test_columns_are_played_by_mouse_and_by_keys(open_tab: Any) -> None:
    served, tab = open_tab("solitaire", seed=5)
    for turn in range(12):
        if tab.over:
            break
        tab.play_by_mouse() if turn % 2 else tab.play_by_keys()
        tab.wait()
    assert served.record.moves >= 4
    assert not tab.complaints


def test_a_hidden_tile_never_reaches_the_page(open_tab: Any) -> None:
    served, tab = open_tab("block_draw", num_players=3)
    for _ in range(4):
        tab.wait()
        if tab.over:
            break
        tab.play_by_mouse()
    tab.wait()
    position = to_batch(served.record).position()
    hidden = {frozenset(map(str, tile)) for tile in position.boneyard}
    if not position.over:
        hidden |= {frozenset(map(str, t)) for seat in (1, 2) for t in position.hands[seat]}
    assert hidden
    assert len(tab.served) > 2
    for text in tab.served:
        assert not tiles_in(text) & hidden
    shown = {frozenset(found) for found in TILE.findall(tab.page.content())}
    assert shown
    assert not shown & hidden


def test_two_tabs_show_the_same_game_and_what_comes_too_late_is_refused(
    browser: Any, open_tab: Any
) -> None:
    served, one = open_tab("block_draw")
    other = Tab(browser, served.address)
    one.wait()
    other.wait()
    before = one.page.locator("#log li").count()
    one.play_by_mouse()
    other.page.wait_for_function(
        "before => document.querySelectorAll('#log li').length > before", arg=before
    )
    one.wait()
    other.page.wait_for_function(
        "version => document.body.dataset.version === version", arg=one.version
    )
    for part in ("#log", "#hand", "#seats"):
        assert one.page.locator(part).inner_text() == other.page.locator(part).inner_text()
    refused = other.page.evaluate(
        """async () => {
            const { request } = await import("/page/net.js");
            return request("act", { version: 0, action: 0 }).catch((error) => error.status);
        }"""
    )
    assert refused == 409
    other.context.close()


def test_a_server_that_was_killed_goes_on_with_the_game(browser: Any, tmp_path: Path) -> None:
    words = ("five_up", "--against", "greedy_pip", "--match")
    served = Command(tmp_path, *words)
    tab = Tab(browser, served.address)
    for _ in range(3):
        tab.play_by_mouse()
        tab.wait()
    hand, log = tab.hand, tab.page.locator("#log").inner_text()
    assert served.stop(signal.SIGKILL) == -signal.SIGKILL
    tab.page.wait_for_selector("#error:not([hidden])")
    again = Command(tmp_path, *words)
    tab.open(again.address)
    tab.wait()
    assert (tab.hand, tab.page.locator("#log").inner_text()) == (hand, log)
    tab.play_by_mouse()
    tab.context.close()
    assert again.stop(signal.SIGINT) == 0


def test_a_game_is_chosen_on_the_start_page_with_hints_undo_and_help(open_tab: Any) -> None:
    _, tab = open_tab()
    page = tab.page
    page.locator(".card").nth(len(domino_env.variants()) - 1).wait_for()
    page.locator("[data-game=all_fives]").click()
    page.locator("[name=num_players]").select_option("3")
    page.locator("[name=agent-0]").select_option("greedy_pip")
    page.locator("[name=agent-1]").select_option("random")
    page.locator("#chooser .main").click()
    tab.wait()
    assert page.locator(".seat").count() == 3
    page.keyboard.press("h")
    page.wait_for_selector("#advice button")
    before = page.locator("#log li").count()
    tab.play_by_mouse()
    tab.wait()
    page.keyboard.press("u")
    page.wait_for_function(
        "before => document.querySelectorAll('#log li').length === before", arg=before
    )
    page.keyboard.press("?")
    assert page.locator("#manual").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.wait_for_selector("#saved-games button")
    page.locator("#saved-games button").first.click()
    tab.wait()
    assert not tab.complaints


def test_agents_are_watched_and_a_record_is_stepped_through(open_tab: Any, tmp_path: Path) -> None:
    played, first = open_tab("matador")
    while not first.over:
        first.play_by_mouse()
        first.wait()
    (file,) = tmp_path.glob("*.json")
    served, tab = open_tab()
    served.host.open(read(file))
    page = tab.page
    page.locator("#step-on").click()
    at = "at => document.querySelector('#steps output').textContent.startsWith(at + ' ')"
    page.wait_for_function(at, arg="1")
    assert page.locator(".tiles .open").count()
    page.locator("#viewer").select_option("0")
    page.wait_for_function("() => !document.querySelector('.tiles .open')")
    page.keyboard.press(",")
    page.wait_for_function(at, arg="0")
    _, watched = open_tab("bendomino", seat=None, against=["random", "greedy_pip"])
    watched.page.wait_for_selector("#go-on")
    assert not tab.complaints + watched.complaints
    assert played.record.result.over
