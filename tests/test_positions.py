"""A position is a snapshot that is read when it is asked for, and shows nothing of that."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, fields, replace
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.position import Position

GAMES = domino_env.variants()


def batch_in_midgame(game: Any, decisions: int = 9) -> Any:
    batch = domino_env.batch(game, 4, seed=0)
    batch.reset()
    for _ in range(decisions):
        batch.step(batch.sample())
    return batch


def settled(position: Position) -> Position:
    """The same position made of all its fields, as anybody can make one."""
    return type(position)(**{each.name: getattr(position, each.name) for each in fields(position)})


def twins(game: str) -> tuple[Position, Position]:
    """The same position twice, neither read yet."""
    batch = batch_in_midgame(game)
    return batch.position(1), batch.position(1)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_that_is_read_late_is_the_one_that_was(game: str) -> None:
    batch = batch_in_midgame(game)
    late = [batch.position(lane) for lane in range(4)]
    at_once = [settled(batch.position(lane)) for lane in range(4)]
    for _ in range(200):
        batch.step(batch.sample())
    assert late == at_once
    assert [str(each) for each in late] == [str(each) for each in at_once]


@pytest.mark.parametrize("game", GAMES)
def test_it_outlives_its_batch(game: str) -> None:
    batch = batch_in_midgame(game)
    position, expected = batch.position(2), settled(batch.position(2))
    batch.games.base  # noqa: B018, the memory is the batch's own
    del batch
    assert position == expected


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, replace, lambda given: pickle.loads(pickle.dumps(given))],
    ids=["copy", "deepcopy", "replace", "pickle"],
)
def test_a_copy_is_equal_and_needs_no_record(game: str, copied: Callable[[Any], Any]) -> None:
    position, unread = twins(game)
    twin = copied(unread)
    assert type(twin) is type(position)
    assert set(vars(twin)) == {each.name for each in fields(position)}
    assert twin == position
    assert repr(twin) == repr(position)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_a_dataclass_like_any_other(game: str) -> None:
    position, unread = twins(game)
    assert unread == position
    assert asdict(position)["legal_actions"] == position.legal_actions
    assert replace(position, round=7).round == 7
    assert replace(position, round=7) != position
    with pytest.raises(FrozenInstanceError):
        position.round = 3  # type: ignore[misc]
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)
    assert repr(position).startswith(f"{type(position).__name__}(variant='{game}', title=")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_read_once_is_kept(game: str) -> None:
    position, _ = twins(game)
    for each in fields(position):
        assert getattr(position, each.name) is getattr(position, each.name)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_viewer_sees_is_read_late_too(game: str) -> None:
    batch = batch_in_midgame(game)
    for lane in range(4):
        for viewer in ("nobody", *range(batch.num_players)):
            late = batch.position(lane).seen_by(viewer)
            whole = settled(batch.position(lane))
            mine = viewer == whole.to_move
            expected = replace(
                whole,
                viewer=viewer,
                deal=None,
                legal=whole.legal if mine else [],
                legal_actions=whole.legal_actions if mine else [],
                **whole._hidden_from(viewer),
            )
            assert late == expected
            assert str(late) == str(expected)
            assert late.seen_by("all") is late


def test_a_field_has_its_default_on_the_class_if_it_has_one() -> None:
    assert Position.turn == 0
    assert Position.viewer == "all"
    for word in dir(Position):
        assert getattr(Position, word) is not None or word in (
            *("question", "pending", "due", "__hash__"),
        )
    with pytest.raises(AttributeError, match="nothing"):
        twins("block_draw")[0].nothing  # type: ignore[attr-defined]  # noqa: B018


def test_its_numbers_are_pythons_own() -> None:
    for game in GAMES:
        for value in vars(settled(twins(game)[0])).values():
            assert not isinstance(value, (np.generic, np.ndarray))
