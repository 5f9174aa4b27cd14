"""Playing in a real browser: Chromium, headless, with a server of its own for each test.

What is installed as `chromium` is used. Where there is none the tests are skipped, unless
DOMINO_BROWSER=required says that there must be one.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env.record import read, to_batch
from domino_env.train.browser.plan import make_plan
from domino_env.train.browser.room import Room
from domino_env.train.browser.server import Server
from domino_env.train.browser.shelf import Shelf
from tests.served import TILE, tiles_in

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
REQUIRED = os.environ.get("DOMINO_BROWSER") == "required"
if CHROMIUM is None and not REQUIRED:
    pytest.skip("there is no Chromium: install Debian's chromium", allow_module_level=True)
playwright_of = pytest.importorskip("playwright.sync_api") if not REQUIRED else None
if playwright_of is None:
    import playwright.sync_api as playwright_of

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATIENCE = 20_000  # milliseconds
MOST = 400  # clicks that no game needs
SHOWN = """[document.body.dataset.version, document.querySelectorAll(".held").length,
    document.getElementById("choices").hidden, document.activeElement.outerHTML].join()"""


class Command:
    """`domino play`, as somebody types it: a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "domino_env.train.command", "play", *words]
        command += ["--no-browser", "--pace", "0", "--out", str(folder)]
        self._running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._running.stdout is not None
        lines = iter(self._running.stdout)
        found = (re.search(r"http://127\.0\.0\.1:\d+/#\S+", line) for line in lines)
        self.address = next(each[0] for each in found if each)

    def stop(self, how: int = signal.SIGINT) -> int:
        if self._running.poll() is None:
            self._running.send_signal(how)
        assert self._running.stdout is not None
        self._running.stdout.close()
        return self._running.wait(timeout=60)


class Served:
    """The same in a thread, which begins sooner."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.room = Room(Shelf(folder))
        self._server = Server(self.room)
        self.address = self._server.address
        self._thread = threading.Thread(target=self._server.run, args=[False])
        self._thread.start()

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(timeout=60)
        self._server.close()

    @property
    def record(self) -> Any:
        (file,) = self.folder.glob("*.json")
        return read(file)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright_of.sync_playwright() as tools:
        opened = tools.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield opened
        opened.close()


class Tab:
    """A tab of the browser; it keeps all that it was served, and every complaint."""

    def __init__(self, browser: Any, address: str, **looks: Any) -> None:
        self.context = browser.new_context(**looks)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.served: list[str] = []
        self.complaints: list[str] = []
        self.page.on("response", self._keep)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._listen)
        self.open(address)

    def _keep(self, response: Any) -> None:
        if "/api/" in response.url and response.status == 200:
            try:
                self.served.append(response.text())
            except playwright_of.Error:  # the page has gone on before it could be read
                return

    def _listen(self, message: Any) -> None:
        if message.type == "error" and "409" not in message.text:
            self.complaints.append(message.text)

    def open(self, address: str) -> None:
        self.page.goto("about:blank")
        self.page.goto(address)
        self.page.wait_for_selector("body[data-version]")

    def wait(self) -> str:
        """Until there is something to do: the selector of it."""
        wanted = "#go-on, .tile.fits, #table [data-key], #table .spot.goes, #extras button"
        self.page.wait_for_selector(wanted)
        return wanted

    @property
    def over(self) -> bool:
        return bool(self.page.locator("#go-on").count())

    def changed(self, version: str) -> None:
        self.page.wait_for_function(
            "before => document.body.dataset.version !== before", arg=version
        )

    @property
    def hand(self) -> list[str]:
        return re.findall('data-tile="[^"]*"', str(self.page.locator("#hand").inner_html()))

    @property
    def version(self) -> str:
        return str(self.page.get_attribute("body", "data-version"))

    def play_by_mouse(self) -> None:
        """One decision, with clicks alone."""
        self.wait()
        before, page = self.version, self.page
        if page.locator("#go-on").count():
            return
        tiles = page.locator(".tile.fits, #table [data-key]")
        if not page.locator(".held").count() and tiles.count():
            tiles.first.click()
        if page.locator("#table .spot.goes").count():
            page.locator("#table .spot.goes .room").first.click(force=True)
            if page.locator("#choices button").count():
                page.locator("#choices button").first.click()
        else:
            page.locator("#extras button").first.click()
        self.changed(before)

    def play_by_keys(self) -> None:
        """One decision, with the keyboard alone."""
        self.wait()
        before, page = self.version, self.page
        if page.locator("#go-on").count():
            return
        if page.locator("#table .spot.goes, .tile.fits, #table [data-key]").count():
            if not page.locator(".held").count():
                self._reach_what_fits()
            while self.version == before:  # up with it, to an end, perhaps its turn: each is Enter
                shown = page.evaluate(SHOWN)
                page.keyboard.press("Enter")
                page.wait_for_function(f"before => {SHOWN} !== before", arg=shown)
        else:
            letter = page.locator("#extras button").first.get_attribute("data-letter")
            page.keyboard.press(str(letter).lower())
        self.changed(before)

    def _reach_what_fits(self) -> None:
        """Arrow keys, until the focus is on something that can be picked up or chosen."""
        ready = "document.activeElement.matches('.fits, #table [data-key], .spot.goes')"
        for _ in range(60):
            if self.page.evaluate(ready):
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError("the arrow keys do not lead to a tile that fits")


@pytest.fixture
def table(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a game in a tab of its own, and closes all of them."""
    opened: list[Any] = []

    def open_table(game: str | None = None, **plan: Any) -> tuple[Served, Tab]:
        looks = plan.pop("looks", {})
        served = Served(tmp_path)
        opened.append(served.stop)
        if game is not None:
            others = [] if domino_env.rules(game).alone else ["greedy_pip"]
            served.room.begin(make_plan(game, **{"against": others, "seed": 3, **plan}))
        tab = Tab(browser, served.address, **looks)
        opened.append(tab.context.close)
        return served, tab

    yield open_table
    for close in reversed(opened):
        close()


STRAIGHT, CURVED, BRANCHING, PUZZLE = "block_draw", "fundomino", "five_up", "knock_out"


@pytest.mark.parametrize("how", ["mouse", "keys"])
@pytest.mark.parametrize("game", [STRAIGHT, CURVED, BRANCHING, PUZZLE])
def test_a_whole_game_is_played(game: str, how: str, table: Any) -> None:
    served, tab = table(game)
    for _ in range(MOST):
        if tab.over:
            break
        tab.play_by_mouse() if how == "mouse" else tab.play_by_keys()
        tab.wait()
    assert tab.over
    assert served.record.result.over
    assert not tab.complaints


def test_columns_are_played_by_mouse_and_by_keys(table: Any) -> None:
    served, tab = table("solitaire", seed=5)
    for turn in range(12):
        if tab.over:
            break
        tab.play_by_mouse() if turn % 2 else tab.play_by_keys()
        tab.wait()
    assert served.record.moves >= 4
    assert not tab.complaints


def test_a_hidden_tile_never_reaches_the_page(table: Any) -> None:
    served, tab = table("block_draw", players=3)
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
    browser: Any, table: Any
) -> None:
    served, one = table("block_draw")
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
            const { ask } = await import("/page/net.js");
            return ask("act", { version: 0, action: 0 }).catch((error) => error.status);
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
    tab.page.wait_for_selector("#trouble:not([hidden])")
    again = Command(tmp_path, *words)
    tab.open(again.address)
    tab.wait()
    assert (tab.hand, tab.page.locator("#log").inner_text()) == (hand, log)
    tab.play_by_mouse()
    tab.context.close()
    assert again.stop(signal.SIGINT) == 0


def test_a_game_is_chosen_on_the_start_page_with_hints_undo_and_help(table: Any) -> None:
    _, tab = table()
    page = tab.page
    page.locator(".card").nth(len(domino_env.variants()) - 1).wait_for()
    page.locator("[data-game=all_fives]").click()
    page.locator("[name=players]").select_option("3")
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
    page.wait_for_selector("#kept-games button")
    page.locator("#kept-games button").first.click()
    tab.wait()
    assert not tab.complaints


def test_agents_are_watched_and_a_record_is_stepped_through(table: Any, tmp_path: Path) -> None:
    played, first = table("matador")
    while not first.over:
        first.play_by_mouse()
        first.wait()
    (file,) = tmp_path.glob("*.json")
    served, tab = table()
    served.room.open(read(file))
    page = tab.page
    page.locator("#step-on").click()
    at = "at => document.querySelector('#steps output').textContent.startsWith(at + ' ')"
    page.wait_for_function(at, arg="1")
    assert page.locator(".tiles .open").count()
    page.locator("#viewer").select_option("0")
    page.wait_for_function("() => !document.querySelector('.tiles .open')")
    page.keyboard.press(",")
    page.wait_for_function(at, arg="0")
    _, watched = table("bendomino", seat=None, against=["random", "greedy_pip"])
    watched.page.wait_for_selector("#go-on")
    assert not tab.complaints + watched.complaints
    assert played.record.result.over


@pytest.mark.parametrize(
    "looks",
    [
        {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
        {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    ],
)
def test_everything_can_be_seen_and_nothing_is_too_wide(looks: Any, table: Any) -> None:
    _, tab = table("fundomino", players=4, looks=looks)
    tab.wait()
    page = tab.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in ("#table svg", "#hand", "#status", "#hint"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= looks["viewport"]["height"]
        assert box["x"] + box["width"] <= looks["viewport"]["width"]
    for name in page.locator("#hand button, .spot.goes").all():
        assert name.get_attribute("aria-label")
