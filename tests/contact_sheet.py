"""A contact sheet of the page: every game in a real browser, some way into a round.

python -m tests.contact_sheet            # rewrites docs/images/pages.jpg, to be looked at
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

import domino_env
from domino_env import agents
from domino_env.play.setup import make_setup
from tests.browsing import CHROMIUM, FLAGS, Served
from tools.architecture import ROOT

SHEET = ROOT / "docs" / "images" / "pages.jpg"
SEATS = 3  # at most, where there is a choice
DECISIONS = 6  # of the person, before the picture is taken
WIDE, HIGH, ACROSS, SMALLER = 1200, 800, 4, 2.5


def play_on(served: Served) -> None:
    """Somebody practised plays some of the round, and stops where there is something to decide."""
    host = served.host
    assert host.game is not None
    batch = host.game.session.batch
    names = agents.names(batch.rules)
    player = agents.make_seeded("heuristic" if "heuristic" in names else "random", 0)
    for _ in range(DECISIONS):
        until = time.monotonic() + 20
        while host.game.session.to_move != host.game.session.person:
            if batch.seat[0] < 0 or time.monotonic() > until:
                return
            time.sleep(0.02)
        copy = host.game.session.batch.clone()
        action = int(player.act(copy, np.zeros(1, np.int64))[0])
        copy.step([action])
        if copy.seat[0] < 0:
            return
        host.act(action)


def shot(browser: Any, game: str, folder: Path) -> Image.Image:
    """The page of a game."""
    rules = domino_env.rules(game)
    players = max(count for count in rules.players if count <= max(SEATS, rules.players[0]))
    served = Served(folder)
    try:
        against = ["heuristic"] if rules.has_opponents else []
        served.host.begin(make_setup(game, num_players=players, against=against, seed=4))
        play_on(served)
        page = browser.new_page(viewport={"width": WIDE, "height": HIGH})
        page.goto(served.address)
        page.wait_for_selector("#table svg")
        taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        page.close()
    finally:
        served.stop()
    return taken.resize((int(WIDE / SMALLER), int(HIGH / SMALLER)), Image.Resampling.LANCZOS)


def main() -> int:
    """Takes all pictures, and puts them side by side."""
    games = domino_env.variants()
    with sync_playwright() as tools, tempfile.TemporaryDirectory() as folder:
        browser = tools.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        shots = [shot(browser, game, Path(folder) / game) for game in games]
        browser.close()
    wide, high = shots[0].size
    sheet = Image.new("RGB", (ACROSS * wide, -(-len(shots) // ACROSS) * high), "white")
    for number, each in enumerate(shots):
        sheet.paste(each, (number % ACROSS * wide, number // ACROSS * high))
    sheet.save(SHEET, quality=80, optimize=True)
    print(f"wrote docs/images/{SHEET.name}, {SHEET.stat().st_size // 1024} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
