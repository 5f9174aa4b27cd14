"""Playing in the browser: all of it but the browser, by the requests that the page makes."""

from __future__ import annotations

import random
import re
import threading
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env import agents
from domino_env.play import views
from domino_env.play.game_host import GameHost
from domino_env.play.saved_games import SavedGames
from domino_env.play.setup import GameSetup, make_setup, offered
from domino_env.record import read
from tests.games import AT_A_TABLE
from tests.pages import Page, against, begin
from tests.served import must_hide, secrets_of, tiles_in

# Playing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", domino_env.variants())
def test_every_game_is_played_to_its_end_and_no_hidden_tile_is_served(
    game: str, page: Page
) -> None:
    rules = domino_env.rules(game)
    for seed, players in enumerate(sorted({rules.players[0], rules.players[-1]})):
        begin(page, game, num_players=players, seat=seed % players, calls=rules.has_calls)
        hidden = secrets_of(page.host)
        assert hidden or not rules.has_hands or not rules.draws, "there is something to hide"
        page.play_on(random.Random(seed))
        assert page.state["result"]["headline"]
        assert page.host.game is not None
        assert page.host.game.session.over


def test_markers_and_doubles_that_must_have_tiles_are_told(page: Page) -> None:
    chance, told = random.Random(3), set[str]()
    for game in ("mexican_train", "chickenfoot"):
        begin(page, game, num_players=2, against=["random"])
        page.wait()
        while not page.state["result"]:
            told |= {re.sub(r"\[.*?\]|\d+|: .*", "", note) for note in page.state["notes"]}
            page.send("act", action=chance.choice(page.actions()))
            page.wait()
    assert {" must have  tile first", " must have  tiles first", "marked trains"} <= told


def test_the_players_go_by_the_set(page: Page) -> None:
    games = {game["id"]: game for game in views.games_view(page.host)["games"]}
    by_set = games["chickenfoot"]["num_players_by_set"]
    assert by_set["double_15"] == [6, 7, 8]
    assert by_set["double_9"] == games["chickenfoot"]["num_players"]
    assert games["solitaire"]["num_players_by_set"] == {}


@pytest.mark.parametrize("game", ["bergen", "five_up", "fundomino_team_play", "yourturnmyturn"])
def test_a_match_stops_at_the_end_of_each_round_and_goes_on_when_told(
    game: str, page: Page
) -> None:
    begin(page, game, match=True)
    chance, rounds = random.Random(1), 1
    while True:
        page.wait()
        if page.state["result"]:
            if page.state["result"]["over"]:
                break
            shown = page.state
            assert shown["result"]["headline"].startswith(f"Round {rounds}:")
            assert not shown["picks"]
            assert not shown["extras"]
            page.send("next")
            rounds += 1
            before = [row["total"] for row in shown["result"]["rows"]]
            openings = [line for line in page.state["log"] if line["kind"] == "score"]
            if not openings:
                assert [seat["score"] for seat in page.state["seats"]] == before
        else:
            page.send("act", action=chance.choice(page.actions()))
    assert rounds > 1
    rows = page.state["result"]["rows"]
    record = page.host.game.session.record  # type: ignore[union-attr]
    assert [row["total"] for row in rows] == list(record.result.scores)
    assert [row["round"] for row in rows] == list(record.rounds[-1].points)


def test_points_and_draws_are_told_in_the_log(page: Page) -> None:
    chance = random.Random(4)
    kinds: set[str] = set()
    for _ in range(20):  # in some deals nobody has to draw
        begin(page, "all_fives", num_players=3)
        page.play_on(chance)
        kinds = {line["kind"] for line in page.state["log"]}
        if "draw" in kinds:
            break
    assert {"play", "draw", "score"} <= kinds
    made = {seat["name"]: 0 for seat in page.state["seats"]}
    for line in page.state["log"]:
        if line["kind"] == "score":
            name, points = (
                line["text"].replace("−", "-").replace(" score ", " scores ").split(" scores ")
            )
            made[name] += int(points)
    assert made == {seat["name"]: seat["score"] for seat in page.state["seats"]}


def test_the_draws_of_others_are_told_without_their_tiles(page: Page) -> None:
    begin(page, "block_draw", num_players=2)
    page.play_on(random.Random(2))
    for line in page.state["log"]:
        if line["kind"] == "draw":
            assert ("[" in line["text"]) == (line["seat"] == 0)


def test_a_seat_is_shown_its_own_hand_and_of_others_only_how_many(page: Page) -> None:
    begin(page, "block_draw", num_players=4, seat=2)
    page.wait()
    position = page.host.game.session.position  # type: ignore[union-attr]
    assert [tile["tile"] for tile in page.state["hand"]] == list(map(str, position.hands[2]))
    for seat in (0, 1, 3):
        assert page.state["seats"][seat]["hand"] == [None] * len(position.hands[seat])
    assert secrets_of(page.host)


@pytest.mark.parametrize("viewer", ["all", "nobody", "1"])
def test_who_plays_sees_what_their_seat_may_know_whatever_they_ask_for(
    viewer: str, page: Page
) -> None:
    begin(page, "matador")
    page.wait()
    assert page.ask(f"state?viewer={viewer}")["viewer"] == 0


def test_a_served_tile_would_be_found(page: Page) -> None:
    begin(page, "fundomino")
    position = page.host.game.session.position  # type: ignore[union-attr]
    secret = next(str(tile) for tile in position.hands[1] if ">" in str(tile) or position.boneyard)
    with pytest.raises(AssertionError, match="served"):
        must_hide(page.host, f'{{"text": "a tile [{secret}] that is not yours"}}')
    assert tiles_in('data-tile=\\"&gt;4|1\\" and [5|3] and *|2') == {
        frozenset({">4", "1"}),
        frozenset({"5", "3"}),
        frozenset({"*", "2"}),
    }


# Moves that have come too late, and moves that are none ------------------------------------------


def test_acting_on_what_is_no_longer_so_is_refused_and_changes_nothing(page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    late = dict(page.state)
    page.send("act", action=page.actions()[0])
    saved = page.host.game.session.record  # type: ignore[union-attr]
    action = late["picks"][0]["targets"][0]["action"]
    told = page.ask("act", {"version": late["version"], "action": action}, status=409)
    assert "look again" in told["error"]
    now = page.host.game.session.record  # type: ignore[union-attr]
    assert now.rounds[0].moves[: len(saved.rounds[0].moves)] == saved.rounds[0].moves


def test_an_illegal_move_is_refused_with_the_reason(page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    illegal = next(action for action in range(112) if action not in page.actions())
    assert "is not legal" in page.send("act", status=400, action=illegal)["error"]
    assert "whole number" in page.send("act", status=400, action="one")["error"]
    assert "whole number" in page.send("act", status=400, action=True)["error"]
    assert page.look()["picks"]


def test_nobody_moves_for_an_agent_or_after_the_end(page: Page) -> None:
    page.send("begin", game="block_draw", seat=None, against=["random"])
    page.send("watch", how="pause")
    assert "not for watch" in page.send("act", status=400, action=0)["error"]
    begin(page, "block_draw")
    page.play_on(random.Random(5))
    assert "not your turn" in page.send("act", status=400, action=0)["error"]
    assert "not your turn" in page.send("hint", status=400)["error"]


def test_undo_takes_back_to_the_last_decision_also_across_rounds(page: Page) -> None:
    begin(page, "bergen", match=True)
    chance = random.Random(0)
    page.wait()
    assert "nothing yet to undo" in page.send("undo", status=400)["error"]
    while page.state["round"] == 1:
        page.wait()
        before = page.state
        if page.state["can"]["next"]:
            page.send("next")
        else:
            page.send("act", action=chance.choice(page.actions()))
            page.wait()
            if not page.state["result"]:
                page.send("undo")
                for part in ("hand", "picks", "extras", "log", "seats"):
                    assert page.state[part] == before[part]
                page.send("act", action=chance.choice(page.actions()))
    while page.state["can"]["undo"]:
        page.wait()
        page.send("undo")
    assert page.state["round"] == 1
    assert page.actions()


# Hints -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["block_draw", "fundomino", "blind", "knock_out", "five_up"])
def test_a_hint_says_what_each_move_is_worth_and_changes_nothing(game: str, page: Page) -> None:
    begin(page, game)
    page.wait()
    before = page.look()
    hint = page.ask("hint", {"version": page.state["version"]})
    assert sorted(each["action"] for each in hint["advice"]) == page.actions()
    points = [each["points"] for each in hint["advice"]]
    assert points == sorted(points, reverse=True)
    assert page.look() == before


def test_where_no_agent_can_say_what_a_move_is_worth_it_says_what_it_would_do(page: Page) -> None:
    begin(page, "solitaire")
    (advice,) = page.ask("hint", {"version": page.state["version"]})["advice"]
    assert advice["action"] in page.actions()
    assert advice["points"] is None


def test_the_strongest_agents_are_asked_and_nobody_who_cheats_is_offered() -> None:
    for game in domino_env.variants():
        names = offered(domino_env.rules(game))
        assert not any(map(agents.cheats, names))
        assert names[0] == {"knock_out": "optimal", "solitaire": "determinised"}.get(
            game, "pimc" if game in AT_A_TABLE else names[0]
        )


# Saved games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["block_draw", "fundomino", "five_up", "solitaire"])
def test_a_game_goes_on_where_it_was_left_after_the_server_has_gone(
    game: str, tmp_path: Path
) -> None:
    match = game in AT_A_TABLE
    setup = make_setup(game, against=against(game), match=match, seed=3)
    host = GameHost(SavedGames(tmp_path))
    page = Page(host)
    host.begin(setup)
    page.look()
    page.play_on(random.Random(3), most=12)
    page.wait()
    before = page.look()
    host.close()

    again = GameHost(SavedGames(tmp_path))
    left = again.saved_games and again.saved_games.unfinished(setup)
    assert left
    again.resume(left)
    back = Page(again)
    back.look()
    if back.state["can"]["next"] and not before["result"]:  # the end of the round is shown again
        back.send("next")
    for part in ("hand", "seats", "picks", "extras", "picture", "round"):
        if before["result"] is None:
            assert back.state[part] == before[part]
    back.play_on(random.Random(3), most=5)
    again.close()
    assert len(list(tmp_path.iterdir())) == 1, "it is the same game"


def test_every_move_is_on_the_disk_when_it_is_answered(page: Page, tmp_path: Path) -> None:
    begin(page, "one_arm_joe")
    chance = random.Random(8)
    for _ in range(6):
        page.wait()
        if page.state["result"]:
            break
        page.send("act", action=chance.choice(page.actions()))
        (file,) = tmp_path.glob("*.json")
        with page.host.condition:
            assert read(file) == page.host.game.session.record  # type: ignore[union-attr]


def test_only_the_game_that_was_left_goes_on(tmp_path: Path) -> None:
    host = GameHost(SavedGames(tmp_path))
    setup = make_setup("block_draw", against=["random"])
    host.begin(setup)
    page = Page(host)
    page.look()
    page.play_on(random.Random(0), most=1)
    host.close()
    saved_games = SavedGames(tmp_path)
    assert saved_games.unfinished(setup)
    others: list[GameSetup] = [
        make_setup("block_draw", against=["greedy_pip"]),
        make_setup("block_draw", against=["random"], match=True),
        make_setup("block_draw", against=["random"], seat=1),
        make_setup("block_draw", against=["random"], changes={"hand_size": 7}),
        make_setup("block_draw", against=["random"], num_players=3),
    ]
    assert not any(map(saved_games.unfinished, others))


def test_saved_games_are_resumed_or_stepped_through_if_they_are_over(
    page: Page,
) -> None:
    begin(page, "block_draw")
    page.play_on(random.Random(1), most=1)
    begin(page, "matador")
    page.play_on(random.Random(1))
    page.send("leave")
    assert page.state["mode"] == "start"
    over, left = page.ask("games")["saved"]
    assert (left["can_resume"], over["can_resume"]) == (True, False)
    page.send("open", file=left["file"])
    assert (page.state["mode"], page.state["game"]["id"]) == ("play", "block_draw")
    page.send("open", file=over["file"])
    assert (page.state["mode"], page.state["game"]["id"]) == ("record", "matador")
    for name in ("../secret.json", "/etc/passwd", "0009-none.json"):
        assert "no saved game" in page.send("open", status=400, file=name)["error"]


# Watching and stepping through -------------------------------------------------------------------


def test_agents_are_watched_with_pauses_and_steps_from_any_seat(page: Page) -> None:
    page.host.pace = 5.0  # nothing happens before it is told to wait
    page.send("begin", game="fundomino", seat=None, against=["random", "greedy_pip"], num_players=3)
    page.send("watch", how="pause")
    page.host.pace = 0.0
    assert page.look()["steps"] == 0
    page.send("watch", how="step")
    if not page.state["steps"]:
        page.state = page.ask(f"state?after={page.state['version']}")
    assert page.state["steps"] == 1
    assert not page.state["running"]
    game = page.host.game
    assert game is not None
    position = game.session.position
    for viewer in (0, 1, 2, "all", "nobody"):
        shown = page.ask(f"state?viewer={viewer}")
        for seat, hand in enumerate(position.hands):
            known = viewer in ("all", seat)
            for tile, seen in zip(hand, shown["seats"][seat]["hand"], strict=True):
                assert (seen["tile"] == str(tile)) if known else seen is None
    assert "a viewer is" in page.ask("state?viewer=3", status=400)["error"]
    page.send("watch", how="go")
    while not page.state["result"]:
        page.state = page.ask(f"state?after={page.state['version']}")


def test_a_record_is_stepped_through_as_each_seat_could_know_it(page: Page, tmp_path: Path) -> None:
    begin(page, "bendomino", num_players=3, match=True)
    page.play_on(random.Random(6), most=30)
    page.wait()
    (file,) = tmp_path.glob("*.json")
    page.host.open(read(file))
    page.look()
    assert page.state["total_steps"] >= 30
    pictures = []
    for at in (0, 1, 7, page.state["total_steps"], 3, 0):
        page.send("seek", at=at)
        assert page.state["steps"] == at
        pictures.append(page.state["picture"])
        hidden = page.ask("state?viewer=1")
        assert all(tile is None for tile in hidden["seats"][0]["hand"]) or hidden["result"]
        assert all(tile is not None for tile in hidden["seats"][1]["hand"])
    assert pictures[0] == pictures[-1] != pictures[2]
    assert "decisions, not" in page.send("seek", status=400, at=-1)["error"]
    assert "not for record" in page.send("undo", status=400)["error"]


# Two who look ------------------------------------------------------------------------------------


def test_news_come_to_everybody_who_waits(page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    version, heard = page.state["version"], []
    waiting = [
        threading.Thread(target=lambda: heard.append(Page(page.host).ask(f"state?after={version}")))
        for _ in range(2)
    ]
    for thread in waiting:
        thread.start()
    page.send("act", action=page.actions()[0])
    for thread in waiting:
        thread.join(timeout=20)
    assert [state["version"] > version for state in heard] == [True, True]


def test_an_agent_that_fails_says_so_and_a_new_deal_goes_on(page: Page) -> None:
    begin(page, "block_draw")
    game = page.host.game
    assert game is not None

    class Broken:
        name = "broken"

        def act(self, batch: Any, lanes: Any) -> Any:
            raise RuntimeError("no idea")

    with page.host.condition:
        game.agents = tuple(Broken() if agent else None for agent in game.agents)
    chance = random.Random(1)
    while not page.look()["status"].startswith("broken"):
        if page.actions():
            page.send("act", action=chance.choice(page.actions()))
    assert "no idea" in page.state["status"]
    page.send("deal")
    assert page.play_on(chance)
