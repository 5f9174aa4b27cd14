"""What the page says while it waits: for a hint, for agents, for code to be compiled."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from numba.core import event

import domino_env
from domino_env.agents import Agent
from domino_env.play.compile_watch import Compiling, compiling
from domino_env.play.game_host import GameHost
from tests.browsing import Tab

ASKED = "document.getElementById('waiting').textContent.includes"
SHOWN = "!document.getElementById('waiting').hidden"


def engine_function() -> None:
    """What is compiled, as far as Numba's listeners are told."""


@contextmanager
def being_compiled() -> Iterator[None]:
    """As if a kernel of the package were compiled for as long as this lasts."""
    engine_function.__module__ = "domino_env.train.search"
    told = {"dispatcher": type("Dispatcher", (), {"py_func": staticmethod(engine_function)})()}
    with event.trigger_event("numba:compile", data=told):  # type: ignore[no-untyped-call]
        yield


class Slow:
    """Something that does what it did, once it is let go; it compiles until then."""

    def __init__(self, did: Any) -> None:
        self._did = did
        self.begun = 0
        self.go = threading.Event()

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.begun += 1
        with being_compiled():
            assert self.go.wait(60)
        return self._did(*given, **named)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Makes something of a class wait; all of them are let go in the end."""
    made: list[Slow] = []

    def slowed(owner: type, name: str) -> Slow:
        made.append(Slow(getattr(owner, name)))
        monkeypatch.setattr(owner, name, lambda *given, **named: made[-1](*given, **named))
        return made[-1]

    yield slowed
    for each in made:
        each.go.set()


def said(tab: Tab, text: str) -> None:
    tab.page.wait_for_function(f"text => {SHOWN} && {ASKED}(text)", arg=text)


def nothing_is_said(tab: Tab) -> None:
    tab.page.wait_for_function(f"() => !({SHOWN})")


def test_a_hint_that_must_compile_says_so_and_is_asked_for_once(open_tab: Any, slow: Any) -> None:
    _, tab = open_tab("block_draw")
    tab.wait()
    hints = slow(GameHost, "hint")
    tab.page.locator("#hint").click()
    said(tab, "Thinking about a hint")
    said(tab, "compiled first, once on this machine")
    assert tab.page.locator("#hint").is_disabled()
    for _ in range(3):
        tab.page.keyboard.press("h")
        tab.page.locator("#hint").click(force=True)
    hints.go.set()
    tab.page.wait_for_selector("#advice button")
    nothing_is_said(tab)
    assert tab.page.locator("#hint").is_enabled()
    assert hints.begun == 1
    tab.page.keyboard.press("h")  # once more puts it away
    tab.page.wait_for_selector("#advice", state="hidden")
    assert hints.begun == 1
    assert not tab.complaints


def test_a_hint_that_comes_too_late_is_not_shown(open_tab: Any, slow: Any) -> None:
    _, tab = open_tab("block_draw")
    tab.wait()
    hints = slow(GameHost, "hint")
    tab.page.locator("#hint").click()
    said(tab, "Thinking about a hint")
    tab.play_by_mouse()  # one can play on meanwhile
    hints.go.set()
    nothing_is_said(tab)
    assert tab.page.locator("#advice").is_hidden()


@pytest.mark.parametrize("where", ["start", "deal"])
def test_a_game_that_must_compile_its_agents_says_so_and_begins_once(
    where: str, open_tab: Any, slow: Any
) -> None:
    _, tab = open_tab(None if where == "start" else "block_draw")
    begins = slow(GameHost, "begin")
    if where == "start":
        tab.page.locator("[data-game=block_draw]").click()
        tab.page.locator("#chooser .main").click()
    else:
        tab.wait()
        tab.page.locator("#deal").click()
    said(tab, "Getting the agents ready")
    said(tab, "compiled first, once on this machine")
    for _ in range(3):
        tab.page.keyboard.press("n")
    begins.go.set()
    tab.wait()
    nothing_is_said(tab)
    assert begins.begun == 1


def test_an_agent_that_must_compile_at_its_turn_says_so(
    open_tab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served, tab = open_tab("block_draw", num_players=2)
    tab.wait()
    seated: Agent = served.host.game.agents[1]
    act = Slow(seated.act)
    monkeypatch.setattr(seated, "act", act)
    try:
        while served.host.game.session.to_move == 0:
            tab.play_by_mouse()
        tab.page.wait_for_function(
            "() => document.getElementById('status').textContent === 'greedy_pip is thinking …'"
        )
        said(tab, "compiled first, once on this machine")
    finally:
        act.go.set()
    tab.wait()
    nothing_is_said(tab)


def test_only_what_this_package_compiles_is_counted() -> None:
    counted = Compiling()
    own = type("D", (), {"py_func": staticmethod(domino_env.rules)})()
    other = type("D", (), {"py_func": staticmethod(threading.Timer)})()

    def told(dispatcher: Any) -> Any:
        return event.Event("numba:compile", event.EventStatus.START, {"dispatcher": dispatcher})

    counted.on_start(told(own))
    counted.on_start(told(own))
    counted.on_start(told(other))
    assert counted.now
    counted.on_end(told(own))
    assert counted.now
    counted.on_end(told(other))
    counted.on_end(told(own))
    assert not counted.now


def test_the_server_says_whether_anything_is_compiled(page: Any) -> None:
    assert page.ask("compiling") == {"compiling": False}
    with being_compiled():
        assert compiling.now
        assert page.ask("compiling") == {"compiling": True}
    assert page.ask("compiling") == {"compiling": False}
