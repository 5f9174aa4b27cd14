"""Whatever stands in a file, on the command line or in a query: one line says what is wrong with
it. Damage is done at random to what is right, with odd values in odd places."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

import domino_env
from domino_env.agents.networks.policy import Policy, read_policy
from domino_env.config.loader import load
from domino_env.data.generate import DatasetSettings
from domino_env.data.reader import read_manifest
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate.tournament import TournamentSettings
from domino_env.play.setup import make_setup
from domino_env.record import Recorder, parse
from domino_env.train.settings import TrainSettings
from tests.pages import PORT, TOKEN, Page, begin

TIMES = int(os.environ.get("DOMINO_FUZZ", "150"))
"""How often each reader is tried; `DOMINO_FUZZ=20000` for a long run."""

ODD = [
    *("²", "٣", "9" * 5000, "0x" + "f" * 5000, "1e999", "-1e999", ".nan", ".inf", "~", "null"),
    *("!!timestamp x", "!!int x", "!!float x", "!!binary é", "!!binary x", "!!bool maybe"),
    *("!!python/object:os.system x", "!!set {a}", "2020-01-01", "2020-13-41", "1:1:1", "on"),
    *("&a [*a]", "*a", "<<", "? [a]", "a\0b", "\\ud800", '"\\ud800"', '"\\0"', "'", '"', "-0"),
    *("[" * 3000, "{a: " * 2000, "- " * 3000, "é" * 300, "\U0001f0a1", "True", "NaN", "Infinity"),
    *("1" * 4000, "-" + "1" * 4000, "1.0", "3.5", "-1", str(2**63), str(2**64), str(10**30)),
    *("{}", "[]", "[[]]", "1_000"),
]
TRAIN = (
    "game: block_draw\nseed: 3\nhidden_sizes: [8, 8]\npool: {opponents: {random: 0.1}}\n"
    "rules: {hand_size: 6}\n"
)
PLAYED = (
    "games: [block_draw]\nagents: [random, {agent: pimc, worlds: 2, name: quick}]\n"
    "deals: 4\nrules: {scoring: {win: 2}}\nout: runs/x\n"
)
KEPT = "game: block_draw\ngames: 40\nagents: [heuristic, random]\nkeep: {hands: true}\n"


def damaged(text: str, chance: random.Random) -> str:
    """A text in which something is wrong, now and then."""
    for _ in range(chance.randint(1, 3)):
        at, to = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        to = min(to, at + chance.choice((0, 1, 3, 20)))
        text = (
            text[:at] + chance.choice([*ODD, chance.choice(" ,:[]{}\"'\n\t-#&*!|>%@`")]) + text[to:]
        )
    return text


def try_often(read: Callable[[str], Any], right: str, seed: int = 0) -> None:
    """Reads damaged texts; anything that is refused is refused in one line of ours."""
    chance = random.Random(seed)
    for _ in range(TIMES):
        text = damaged(right, chance)
        try:
            read(text)
        except DominoError as error:
            told = str(error)
            assert "\n" not in told, told
            told.encode("utf-8", "backslashreplace")
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}: {text!r:.500}") from error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "right"),
    [(TrainSettings, TRAIN), (TournamentSettings, PLAYED), (DatasetSettings, KEPT)],
)
def test_files_of_settings(kind: Any, right: str, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"

    def read(text: str) -> None:
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        load(kind, file)

    try_often(read, right)


@pytest.mark.slow
@pytest.mark.parametrize(
    "right",
    ["seed=3", "rules.hand_size=6", "hidden_sizes=[8, 4]", "pool.opponents={random: 0.5}", "out=x"],
)
def test_settings_of_the_command_line(right: str) -> None:
    try_often(lambda text: load(TrainSettings, None, [text]), right)


@pytest.mark.parametrize("game", ["block_draw", "blind", "solitaire"])
def test_records(game: str) -> None:
    batch = domino_env.batch(game, 1, seed=1, autoreset=False)
    batch.reset()
    recorder = Recorder(batch)
    for _ in range(4):
        recorder.note(int(recorder.batch.legal[0, 0]))
    try_often(parse, recorder.record.text())
    try_often(lambda text: swapped(recorder.record.text(), text), "5")


def swapped(text: str, value: str) -> None:
    """The record with one of its values in another's place."""
    chance = random.Random(value)
    said = json.loads(text)
    place: Any = said
    while True:
        keys = list(place) if isinstance(place, dict) else [*range(len(place))]
        key = chance.choice(keys)
        if not isinstance(place[key], (dict, list)) or not place[key] or chance.random() < 0.3:
            break
        place = place[key]
    odd = [None, True, 0, -1, 1.5, "", value, [], {}, [[]], {"a": 1}, {"variant": 1}, 2**70, ["x"]]
    place[key] = chance.choice(odd)
    parse(json.dumps(said))


def test_policy_files(tmp_path: Path) -> None:
    layers = [(np.ones((3, 2), np.float32), np.ones(2, np.float32))]
    content = Policy("block_draw", {}, "mark", 2, layers).to_bytes()
    chance, file = random.Random(0), tmp_path / "x.npz"
    for _ in range(TIMES):
        changed = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        file.write_bytes(
            changed[: chance.randint(0, len(changed))] if chance.random() < 0.1 else changed
        )
        with suppress(BadOption):
            read_policy(file)


def test_manifests(tmp_path: Path) -> None:
    right = json.dumps({"format": "domino dataset 1", "files": [], "columns": ["game"]})

    def read(text: str) -> None:
        (tmp_path / "manifest.json").write_text(text, encoding="utf-8", errors="surrogatepass")
        read_manifest(tmp_path)

    try_often(read, right)


def test_house_rules_of_the_page() -> None:
    def read(text: str) -> None:
        make_setup(text, num_players=None, seat=None, against=[text], changes={"hand_size": text}, match=False, calls=text, seed=None)  # fmt: skip # noqa: E501

    try_often(read, "block_draw")


def test_queries_and_bodies(page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    chance = random.Random(0)
    headers = {"host": f"127.0.0.1:{PORT}", "x-domino-token": TOKEN}
    operations = ["act", "begin", "deal", "open", "leave", "next", "seek", "undo", "watch", "hint"]
    for _ in range(TIMES):
        odd = chance.choice(ODD)
        asked = f"/api/state?viewer={quote(odd, errors='surrogatepass')[:9000]}"
        assert page.client.get(asked, headers=headers).status_code in (200, 400)
        name = chance.choice(
            [
                "version",
                "action",
                "game",
                "against",
                "num_players",
                "seat",
                "set",
                "file",
                "at",
                "how",
            ]
        )
        right = json.dumps({"version": 1, "game": "block_draw", name: odd})
        body = right if chance.random() < 0.4 else damaged(right, chance)
        answer = page.client.post(
            f"/api/{chance.choice(operations)}",
            content=body.encode("utf-8", "surrogatepass"),
            headers={**headers, "content-type": "application/json"},
        )
        assert answer.status_code in (200, 400, 409, 413), body[:500]
        assert answer.status_code == 200 or set(answer.json()) == {"error"}
