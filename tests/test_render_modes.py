"""`render_mode` by the conventions of PettingZoo and Gymnasium, and the window."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pygame
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import render_test

import domino_env
from domino_env.adapters import common
from domino_env.errors import BadOption
from domino_env.render import ansi, raster
from domino_env.render.compose import compose
from domino_env.render.scene import Piece, Scene
from domino_env.render.window import Window

GAMES = ["block_draw", "fundomino", "solitaire"]
SCENE = Scene("a tile", (-2, -2, 2, 2), (Piece((3, 5), 0, 0),))


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def gym(game: str, mode: str | None) -> Any:
    return gymnasium.make(f"domino/{game}-v0", render_mode=mode)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_finds_every_mode_as_it_expects(game: str) -> None:
    def make(render_mode: str) -> Any:
        return domino_env.aec(game, render_mode=render_mode)

    assert set(make("ansi").metadata["render_modes"]) == {"human", "ansi", "rgb_array"}
    assert make("ansi").metadata["render_fps"] > 0
    render_test(make)


@pytest.mark.parametrize("mode", ["human", "ansi", "rgb_array"])
def test_gymnasium_finds_every_mode_as_it_expects(mode: str) -> None:
    env = gymnasium.make("domino/block_draw-v0", render_mode=mode, illegal="terminate")
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # it wants the environment without its wrappers, and gets it
        check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("game", GAMES)
def test_what_is_rendered_is_the_position(game: str) -> None:
    text, pixels = gym(game, "ansi"), gym(game, "rgb_array")
    for env in (text, pixels):
        env.reset(seed=3)
        batch = env.unwrapped.batch
        scene = compose(batch.position(), "all" if batch.num_players > 1 else 0)
    assert text.render() == ansi.paint(scene, colour=False)
    assert (pixels.render() == raster.paint(scene)).all()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_a_vector_renders_each_of_its_games(mode: str) -> None:
    envs = gymnasium.make_vec("domino/block_draw-v0", num_envs=3, render_mode=mode)
    envs.reset(seed=1)
    shown = envs.render()
    assert isinstance(shown, tuple)
    assert len({frame if mode == "ansi" else frame.tobytes() for frame in shown}) == 3


def test_a_vector_has_no_window() -> None:
    with pytest.raises(BadOption, match="'ansi', 'rgb_array', not 'human'"):
        gymnasium.make_vec("domino/block_draw-v0", num_envs=3, render_mode="human")


@pytest.mark.parametrize("kind", ["aec", "single"])
def test_a_window_follows_the_game_by_itself(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Scene] = []
    monkeypatch.setattr(Window, "show", lambda window, scene, fps: shown.append(scene))
    if kind == "aec":
        env = domino_env.raw_aec("block_draw", render_mode="human")
        env.reset(seed=0)
        for agent in env.agent_iter(4):
            env.step(int(np.argmax(env.observe(agent)["action_mask"])))
    else:
        env = gym("block_draw", "human").unwrapped
        env.reset(seed=0)
        for _ in range(4):
            env.step(int(np.argmax(env.action_masks())))
    assert len(shown) == 5
    assert shown[-1] == compose(env.batch.position())


def test_a_window_is_shown_at_the_pace_of_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    paces: list[float] = []
    monkeypatch.setattr(Window, "show", lambda window, scene, fps: paces.append(fps))
    gym("block_draw", "human").reset(seed=0)
    assert paces == [common.RENDER_FPS]


# The window ---------------------------------------------------------------------------------------


def test_a_window_waits_until_it_is_time_for_the_next_scene() -> None:
    window = Window()
    window.show(SCENE, 10)
    began = time.monotonic()
    window.show(SCENE, 10)
    assert time.monotonic() - began > 0.05
    window.close()


def test_a_window_shows_the_scene_in_its_size_and_closes() -> None:
    window = Window()
    assert not window.is_open
    window.show(SCENE, 1000)
    surface = pygame.display.get_surface()
    assert pygame.display.get_caption()[0] == "a tile"
    pixels = pygame.surfarray.array3d(surface).swapaxes(0, 1)
    assert (pixels == raster.paint(SCENE, *surface.get_size())).all()
    window.close()
    assert not window.is_open
    assert not pygame.display.get_init()
    window.show(SCENE, 1000)
    assert window.is_open


def test_a_window_has_the_shape_that_it_was_given() -> None:
    window = Window()
    assert window.aspect == 1.5
    window.show(SCENE, 1000)
    pygame.display.set_mode((400, 500), pygame.RESIZABLE)
    assert window.aspect == 0.8
    window.close()


def test_what_is_shown_in_a_window_has_its_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Scene] = []
    monkeypatch.setattr(Window, "show", lambda window, scene, fps: shown.append(scene))
    monkeypatch.setattr(Window, "aspect", property(lambda window: 0.6))
    env = gym("block_draw", "human").unwrapped
    env.reset(seed=0)
    assert shown[-1] == compose(env.batch.position(), aspect=0.6) != compose(env.batch.position())


def test_a_window_that_is_closed_by_hand_stays_away() -> None:
    window = Window()
    window.show(SCENE, 1000)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    for _ in range(2):
        window.show(SCENE, 1000)
        assert not window.is_open


def test_closing_an_environment_closes_its_window_and_may_be_repeated() -> None:
    env = gym("block_draw", "human")
    env.reset(seed=0)
    assert pygame.display.get_init()
    for _ in range(2):
        env.close()
        assert not pygame.display.get_init()
