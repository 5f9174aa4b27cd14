"""The command `domino play`, and playing in the terminal."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest

from domino_env.cli.main import main
from domino_env.errors import DominoError
from domino_env.play import start
from domino_env.record import read, to_batch
from tests.games import ALONE
from tests.served import tiles_in

# The command -------------------------------------------------------------------------------------


def typed(monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> None:
    """Lines of somebody who plays in the terminal, and then the end of the file."""
    left = iter(lines)

    def answer(prompt: str) -> str:
        print(prompt, end="")
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)


@pytest.mark.parametrize("game", ["block_draw", "bendomino", "cross", "blind", *ALONE])
def test_a_game_is_played_in_the_terminal(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    typed(monkeypatch, ["h", "1", "u", "?", "99", "what", *["1"] * 300, "q"])
    play = ["play", game, "--terminal", "--out", str(tmp_path), "--seed", "2"]
    if game not in ALONE:
        play += ["--against", "greedy_pip"]
    assert main(play) == 0
    shown = capsys.readouterr().out
    assert "expects:" in shown
    assert "moves are 1 to" in shown
    assert "a number plays that move" in shown
    assert re.search(r"\bgo(es)? out\b|Blocked|You win|Over, with", shown)
    assert read(next(tmp_path.glob("*.json"))).result.over


def test_the_terminal_hides_what_the_seat_may_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    typed(monkeypatch, ["q"])
    play = ["play", "block_draw", "--terminal", "--out", str(tmp_path), "--seed", "2"]
    assert main(play) == 0
    position = to_batch(read(next(tmp_path.glob("*.json")))).position()
    told = {frozenset(map(str, tile)) for tile, _ in position.played}
    own = {frozenset(map(str, tile)) for tile in position.hands[0]}
    assert tiles_in(capsys.readouterr().out) <= told | own


def test_the_end_of_the_file_ends_it_and_the_game_goes_on_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    play = ["play", "five_up", "--terminal", "--match", "--out", str(tmp_path)]
    typed(monkeypatch, ["1", f"s {tmp_path / 'kept'}"])
    assert main(play) == 0
    (file,) = tmp_path.glob("*.json")
    assert read(tmp_path / "kept").moves >= 1
    assert main(play) == 0
    assert f"resuming {file.name}" in capsys.readouterr().out
    assert main([*play, "--new"]) == 0
    assert "resuming" not in capsys.readouterr().out
    assert main(["play", "--terminal", "--record", str(file), "--out", str(tmp_path)]) == 0
    assert "0 of " in capsys.readouterr().out


def test_agents_are_watched_in_the_terminal(tmp_path: Path, capsys: Any) -> None:
    watch = ["play", "matador", "--watch", "random", "greedy_pip", "--match", "--terminal"]
    assert main([*watch, "--out", str(tmp_path)]) == 0
    assert "the match" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["block_drew"], "did you mean 'block_draw'?"),
        (["block_draw", "--against", "pimk"], "did you mean 'pimc'?"),
        (["block_draw", "--against", "pimc seconds=0"], "seconds must be"),
        (["block_draw", "--seat", "4"], "from 0 to 1"),
        (["block_draw", "--num-players", "5"], "2 or 3 or 4 players"),
        (["block_draw", "--set", "hand_sise=7"], "did you mean 'hand_size'?"),
        (["block_draw", "--pace", "-1"], "from 0 to 60"),
        (["--watch", "pimc"], "name the game"),
        (["--record", "none.json"], "cannot be read"),
        (["block_draw", "--port", "70000"], "cannot be used"),
        (["--terminal"], "name the game"),
    ],
)
def test_what_cannot_be_played_is_said(
    words: list[str], said: str, tmp_path: Path, capsys: Any
) -> None:
    assert main(["play", *words, "--no-browser", "--out", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("command", ["play", "text"])
def test_an_option_that_was_renamed_is_named(command: str, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main([command, "block_draw", "--players", "3"])
    assert "`--players` is now `--num-players`" in capsys.readouterr().err


def test_a_port_that_is_taken_is_said(tmp_path: Path, capsys: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["play", "--no-browser", "--port", port, "--out", str(tmp_path)]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "warmed"),
    [
        ([], [()]),
        (
            ["block_draw", "--against", "greedy_pip"],
            [("block_draw",), ("block_draw", "greedy_pip")],
        ),
        (["solitaire"], [("solitaire",)]),
    ],
)
def test_what_will_play_is_compiled_before_the_page_can_be_asked_for(
    words: list[str], warmed: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Any] = []

    def warm_up(*games: Any, agents: Any = (), **_: Any) -> None:
        done.append((*(rules.id for rules in games), *agents))

    class Listening:
        def __init__(self, *_: Any) -> None:
            done.append("listens")
            raise DominoError("that is enough")

    monkeypatch.setattr(start, "warm_up_games", warm_up)
    monkeypatch.setattr("domino_env.play.server.Server", Listening)
    assert main(["play", *words, "--no-browser", "--out", str(tmp_path)]) == 2
    assert done == [*warmed, "listens"]
