"""What the page looks like in a real browser: that all of it is there, and nothing covers it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image

import domino_env
from domino_env.play.setup import make_setup
from tests.browsing import Served, Tab

FOCUS = 0.02  # of the table, that a mark of what has the focus takes at the most


@pytest.fixture(scope="module")
def shared(browser: Any, tmp_path_factory: Any) -> Iterator[tuple[Served, Tab]]:
    """One table for many games; nothing on it moves by itself."""
    served = Served(tmp_path_factory.mktemp("shared"))
    tab = Tab(browser, served.address, reduced_motion="reduce")
    yield served, tab
    tab.context.close()
    served.stop()


def pixels(tab: Tab) -> Any:
    """The table as it is seen, a row of red, green and blue for every pixel."""
    clip = tab.page.locator("#table").bounding_box()
    shot = Image.open(io.BytesIO(tab.page.screenshot(clip=clip)))
    return np.asarray(shot.convert("RGB"), np.int16).reshape(-1, 3)


def must_be_clear(tab: Tab) -> None:
    """Fails if the table is covered by a mark of what has the focus, or by anything black."""
    marked = pixels(tab)
    tab.page.evaluate("document.activeElement.blur()")
    differs = np.abs(marked - pixels(tab)).max(axis=1) > 40
    assert differs.mean() < FOCUS
    assert (marked.max(axis=1) < 24).mean() < 0.001  # pips are lighter than that


def click_really(tab: Tab, what: str) -> None:
    """With the mouse, at a place; the table is looked at while the button is down, and after."""
    box = tab.page.locator(what).first.bounding_box()
    tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.page.mouse.down()
    must_be_clear(tab)
    tab.page.mouse.up()


@pytest.mark.parametrize("game", domino_env.variants())
def test_no_click_covers_the_table(game: str, shared: tuple[Served, Tab]) -> None:
    served, tab = shared
    others = [] if domino_env.rules(game).alone else ["greedy_pip"]
    before = tab.version
    served.host.begin(make_setup(game, against=others, seed=3))
    tab.changed(before)
    tile, end = ".tile.fits, #table [data-key]", "#table .spot.target .hit-area"
    ready = f"{tile}, {end}"
    for _ in range(20):  # draws, calls and passes, until there is a tile to be played
        tab.wait()
        if tab.page.locator(ready).count() or game == "elimination":
            break
        tab.play_by_mouse()
    before = tab.version
    if tab.page.locator(tile).count() and not tab.page.locator(".held").count():
        click_really(tab, tile)
        must_be_clear(tab)
    click_really(tab, end if tab.page.locator(end).count() else "#table .piece")
    if tab.page.locator("#choices button").count():
        tab.page.locator("#choices button").first.click()
    if game != "elimination":  # its tiles are only looked at
        tab.changed(before)
        tab.wait()
    must_be_clear(tab)
    assert not tab.complaints


def test_what_has_the_focus_of_the_keys_is_seen(open_tab: Any) -> None:
    _, tab = open_tab("knock_out", context={"reduced_motion": "reduce"})
    tab.wait()
    tab.page.keyboard.press("ArrowRight")
    marked = pixels(tab)
    tab.page.evaluate("document.activeElement.blur()")
    differs = np.abs(marked - pixels(tab)).max(axis=1) > 40
    assert 0.0005 < differs.mean() < FOCUS


@pytest.mark.parametrize(
    "context",
    [
        {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
        {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    ],
)
def test_everything_can_be_seen_and_nothing_is_too_wide(context: Any, open_tab: Any) -> None:
    _, tab = open_tab("fundomino", num_players=4, context=context)
    tab.wait()
    page = tab.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in ("#table svg", "#hand", "#status", "#hint"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= context["viewport"]["height"]
        assert box["x"] + box["width"] <= context["viewport"]["width"]
    for name in page.locator("#hand button, .spot.target").all():
        assert name.get_attribute("aria-label")
