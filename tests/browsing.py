"""A real browser to play in: Chromium, headless, and servers for it.

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
from domino_env.play.game_host import GameHost
from domino_env.play.saved_games import SavedGames
from domino_env.play.server import Server
from domino_env.play.setup import make_setup
from domino_env.record import read

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
SHOWN = """[document.body.dataset.version, document.querySelectorAll(".held").length,
    document.getElementById("choices").hidden, document.activeElement.outerHTML].join()"""


class Command:
    """`domino play`, as somebody types it: a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "domino_env.cli.main", "play", *words]
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
        self.host = GameHost(SavedGames(folder))
        self._server = Server(self.host)
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


def opened_browser() -> Iterator[Any]:
    """The browser, until it is no longer used."""
    with playwright_of.sync_playwright() as tools:
        opened = tools.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield opened
        opened.close()


class Tab:
    """A tab of the browser; it keeps all that it was served, and every complaint."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        self.context = browser.new_context(**context)
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
        wanted = "#go-on, .tile.fits, #table [data-key], #table .spot.target, #extras button"
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
        if page.locator("#table .spot.target").count():
            page.locator("#table .spot.target .hit-area").first.click(force=True)
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
        if page.locator("#table .spot.target, .tile.fits, #table [data-key]").count():
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
        ready = "document.activeElement.matches('.fits, #table [data-key], .spot.target')"
        for _ in range(60):
            if self.page.evaluate(ready):
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError("the arrow keys do not lead to a tile that fits")


def open_tabs(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a game in a tab of its own, and closes all of them."""
    opened: list[Any] = []

    def open_tab(game: str | None = None, **setup: Any) -> tuple[Served, Tab]:
        context = setup.pop("context", {})
        served = Served(tmp_path)
        opened.append(served.stop)
        if game is not None:
            others = [] if domino_env.rules(game).alone else ["greedy_pip"]
            served.host.begin(make_setup(game, **{"against": others, "seed": 3, **setup}))
        tab = Tab(browser, served.address, **context)
        opened.append(tab.context.close)
        return served, tab

    yield open_tab
    for close in reversed(opened):
        close()
