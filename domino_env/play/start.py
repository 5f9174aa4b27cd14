"""What `domino play` does: finds out what is to be played, and opens the room."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing, suppress
from pathlib import Path

from domino_env import agents
from domino_env.config.yaml_source import read as read_settings
from domino_env.errors import BadOption, DominoError
from domino_env.play.room import Room
from domino_env.play.saved_games import Shelf
from domino_env.play.setup import PERSON, Plan, entrant, make_plan
from domino_env.record import read
from domino_env.warming import warm_up


def run(options: Namespace) -> int:
    """Plays in the browser, or in the terminal."""
    if not 0 <= options.pace <= 60:
        raise BadOption(f"the pace is seconds from 0 to 60, not {options.pace:g}")
    agents.import_listed()  # nothing is imported for what a page asks for
    guests = [*options.against, *(options.watch or [])]
    pace = 0.0 if options.terminal else options.pace
    room = Room(Shelf(Path(options.out)), pace=pace, guests=guests)
    try:
        return _in_terminal(room, options) if options.terminal else _in_browser(room, options)
    finally:
        room.close()


def _in_browser(room: Room, options: Namespace) -> int:
    from domino_env.play.server import Server

    _warm_up(options)
    with closing(Server(room, options.port)) as server:
        _sit_down(room, options)
        print(f"playing at {server.address}")
        print("Ctrl-C stops; the game goes on when you come back", flush=True)
        server.run(browser=options.browser)
    return 0


def _warm_up(options: Namespace) -> None:
    """Compiles what will play before anybody waits at the page."""
    if options.game is None:
        if options.record is None and not options.watch:
            warm_up()  # whatever is chosen at the page
        return
    plan = _plan(options)
    warm_up(plan.rules)
    for name in {name for name in plan.names if name != PERSON}:
        with suppress(DominoError):  # with no options it may not know these house rules
            warm_up(plan.rules, agents=[entrant(name).agent])


def _in_terminal(room: Room, options: Namespace) -> int:
    from domino_env.play.terminal import Terminal, step_through

    if options.game is None and options.record is None:
        raise BadOption("in the terminal name the game: domino play block_draw --terminal")
    _sit_down(room, options)
    return step_through(room) if options.record else Terminal(room).run()


def _sit_down(room: Room, options: Namespace) -> None:
    """Opens what is asked for: a record, the game that was left, a new one, or nothing yet."""
    if options.record is not None:
        if options.game is not None or options.watch:
            raise BadOption("a record says what was played: leave out the game and --watch")
        room.open(read(options.record))
        return
    if options.game is None:
        if options.watch:
            raise BadOption("name the game to watch: domino play block_draw --watch pimc heuristic")
        return
    plan = _plan(options)
    shelf = room.shelf
    left = (
        None if options.new or options.seed is not None or shelf is None else shelf.left_off(plan)
    )
    if left is not None:
        print(f"going on with {left.file}; --new deals anew")
        room.go_on(left)
    else:
        room.begin(plan)


def _plan(options: Namespace) -> Plan:
    return make_plan(
        options.game,
        players=options.num_players,
        seat=None if options.watch else options.seat,
        against=options.watch or options.against,
        changes=read_settings(None, options.set).plain,
        match=options.match,
        calls=options.calls,
        seed=options.seed,
    )
