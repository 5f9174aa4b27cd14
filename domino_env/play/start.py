"""What `domino play` does: sets up the game that the options ask for, and opens the page or the
terminal."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing, suppress
from pathlib import Path

from domino_env import agents
from domino_env.config.yaml_source import read as read_settings
from domino_env.errors import BadOption, DominoError
from domino_env.play.game_host import GameHost
from domino_env.play.saved_games import SavedGames
from domino_env.play.setup import PERSON, GameSetup, entrant, make_setup
from domino_env.record import read
from domino_env.warming import warm_up_games


def run(options: Namespace) -> int:
    """Plays in the browser, or in the terminal."""
    if not 0 <= options.pace <= 60:
        raise BadOption(f"--pace must be from 0 to 60 seconds, not {options.pace:g}")
    agents.import_listed()  # nothing is imported for what a page asks for
    extra_agents = [*options.against, *(options.watch or [])]
    pace = 0.0 if options.terminal else options.pace
    host = GameHost(SavedGames(Path(options.out)), pace=pace, extra_agents=extra_agents)
    try:
        return _in_terminal(host, options) if options.terminal else _in_browser(host, options)
    finally:
        host.close()


def _in_browser(host: GameHost, options: Namespace) -> int:
    from domino_env.play.server import Server

    _warm_up(options)
    with closing(Server(host, options.port)) as server:
        _open_game(host, options)
        print(f"playing at {server.address}")
        print("Ctrl-C stops the server; the game is saved and can be resumed", flush=True)
        server.run(browser=options.browser)
    return 0


def _warm_up(options: Namespace) -> None:
    """Compiles what will play before anybody waits at the page."""
    if options.game is None:
        if options.record is None and not options.watch:
            warm_up_games()  # whatever is chosen at the page
        return
    setup = _setup(options)
    seats = len(setup.names)
    warm_up_games(setup.rules, num_players=seats)
    for name in {name for name in setup.names if name != PERSON}:
        with suppress(DominoError):  # with no options it may not know these house rules
            warm_up_games(setup.rules, agents=[entrant(name).agent], num_players=seats)


def _in_terminal(host: GameHost, options: Namespace) -> int:
    from domino_env.play.terminal import Terminal, step_through

    if options.game is None and options.record is None:
        raise BadOption("name the game to play: domino play block_draw --terminal")
    _open_game(host, options)
    return step_through(host) if options.record else Terminal(host).run()


def _open_game(host: GameHost, options: Namespace) -> None:
    """Opens what is asked for: a record, an unfinished game, a new one, or nothing yet."""
    if options.record is not None:
        if options.game is not None or options.watch:
            raise BadOption("--record already says what is played: leave out the game and --watch")
        host.open(read(options.record))
        return
    if options.game is None:
        if options.watch:
            raise BadOption("name the game to watch: domino play block_draw --watch pimc heuristic")
        return
    setup = _setup(options)
    unfinished = None
    if host.saved_games is not None and not options.new and options.seed is None:
        unfinished = host.saved_games.unfinished(setup)
    if unfinished is not None:
        print(f"resuming {unfinished.file}; --new deals a new game")
        host.resume(unfinished)
    else:
        host.begin(setup)


def _setup(options: Namespace) -> GameSetup:
    return make_setup(
        options.game,
        num_players=options.num_players,
        seat=None if options.watch else options.seat,
        against=options.watch or options.against,
        changes=read_settings(None, options.set).plain,
        match=options.match,
        calls=options.calls,
        seed=options.seed,
    )
