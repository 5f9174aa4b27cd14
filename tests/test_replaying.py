"""`domino replay`: recorded games in the terminal, as GIFs and as pages."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import domino_env
from domino_env.cli.main import main
from domino_env.cli.record_viewer import frames_of, scenes_of
from domino_env.record import Recorder, read

RECORDS = sorted((Path(__file__).parent / "records").glob("*.json"))
every_record = pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)


@every_record
def test_a_record_is_told_in_the_terminal(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == 0
    told = capsys.readouterr().out
    record = read(file)
    title = domino_env.rules(record.game).title
    assert told.count(title) >= record.moves + 1
    assert "\x1b" not in told, "colours are for terminals"


@every_record
def test_a_record_becomes_a_film(file: Path, tmp_path: Path) -> None:
    pil = pytest.importorskip("PIL.Image")
    for name in ("game.gif", "game.html"):
        assert main(["replay", str(file), "--out", str(tmp_path / name)]) == 0
    with pil.open(tmp_path / "game.gif") as film:
        assert 1 < film.n_frames <= read(file).moves + 1  # frames that look the same are one
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=.?https?:", page)


def recorded(game: str, tmp_path: Path, seed: int = 0, players: int | None = None) -> Path:
    """The file of a game that was played at random."""
    batch = domino_env.batch(game, 1, num_players=players, seed=seed, autoreset=False)
    batch.reset()
    recorder = Recorder(batch)
    while batch.seat[0] >= 0:
        action = int(batch.sample()[0])
        recorder.note(action)
        batch.step([action])
    file = tmp_path / f"{game}.json"
    file.write_text(recorder.record.text(), encoding="utf-8")
    return file


@pytest.mark.parametrize("game", ["block_draw", "bendomino", "fundomino", "all_fives"])
def test_in_a_film_nothing_on_the_table_moves_aside(game: str, tmp_path: Path) -> None:
    record = read(recorded(game, tmp_path, seed=3))
    frames = list(frames_of(record, "nobody"))
    placed = [
        [piece.x for piece in scene.pieces if piece.where == "table"]
        for scene in scenes_of(record, frames, "nobody")
    ]
    assert len(placed) == record.moves + 1
    for before, after in pairwise(placed):
        assert after[: len(before)] == pytest.approx(before)


def test_a_film_for_one_seat_shows_what_that_seat_could_know(tmp_path: Path) -> None:
    record = read(recorded("block_draw", tmp_path, seed=5))
    frames = list(frames_of(record, 1))
    for frame, scene in zip(frames, scenes_of(record, frames, 1), strict=True):
        if not frame.position.over:
            assert all(piece.face is None for piece in scene.pieces if piece.where == "boneyard")
            others = [p for p in scene.pieces if p.where == "hand" and p.seat == 0]
            assert len(others) == len(frame.position.hands[0])
            assert all(piece.face is None for piece in others)
    assert not any(re.search(r"seat 0 draws \[", frame.caption) for frame in frames)


def test_one_of_many_records_is_found_by_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [read(recorded(game, tmp_path)) for game in ("matador", "bergen")]
    file = tmp_path / "records.jsonl"
    file.write_text("".join(record.line() for record in games), encoding="utf-8")
    assert main(["replay", str(file), "--game", "2"]) == 0
    assert "Bergen" in capsys.readouterr().out
    assert main(["replay", str(file), "--game", "3"]) == 2
    assert "has no record 3" in capsys.readouterr().err
    assert main(["replay", str(file), "--game", "0"]) == 2
    assert "records are counted from 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--out", "game.mp4"], "a game can be exported as .gif or .html, not as 'game.mp4'"),
        (["--viewer", "7"], "a viewer is 'all', 'nobody' or a seat from 0 to"),
        (["--viewer", "me"], "a viewer is 'all', 'nobody' or a seat from 0 to"),
        (["--out", "game.gif", "--seconds", "0"], "seconds must be from 0.02 to 60"),
        (["--out", "/dev/null/game.gif"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_refused(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(RECORDS[0]), *words]) == 2
    assert complaint in capsys.readouterr().err


def test_a_file_that_is_no_record_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_text("{}", encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    assert "game.json" in capsys.readouterr().err
