"""Playing in the browser: all of it but the browser, by the requests that the page makes."""

from __future__ import annotations

import random
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import domino_env
from domino_env import agents
from domino_env.errors import DominoError
from domino_env.record import read, to_batch
from domino_env.train.browser.guard import MOST_BYTES
from domino_env.train.browser.plan import Plan, make_plan, offered
from domino_env.train.browser.room import Room
from domino_env.train.browser.server import PAGE, application, listen
from domino_env.train.browser.shelf import Shelf
from domino_env.train.command import main
from tests.games import ALONE, AT_A_TABLE
from tests.served import must_hide, secrets_of, tiles_in

TOKEN, PORT = "the token", 4321
LONGEST = 3000  # requests that no game needs


class Page:
    """What the page does, without the page; every answer is searched for hidden tiles."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.client = TestClient(
            application(room, PORT, TOKEN),
            base_url=f"http://127.0.0.1:{PORT}",
            headers={"x-domino-token": TOKEN},
        )
        self.state: dict[str, Any] = {"version": room.version}

    def ask(self, path: str, wish: dict[str, Any] | None = None, status: int = 200) -> Any:
        if wish is None:
            answer = self.client.get(f"/api/{path}")
        else:
            answer = self.client.post(f"/api/{path}", json=wish)
        assert answer.status_code == status, answer.text[:300]
        must_hide(self.room, answer.text)
        return answer.json()

    def look(self) -> Any:
        self.state = self.ask("state")
        return self.state

    def tell(self, deed: str, status: int = 200, **wish: Any) -> Any:
        told = self.ask(deed, {"version": self.state["version"], **wish}, status)
        if status == 200:
            self.state = told
        return told

    def actions(self) -> list[int]:
        plays = [each["action"] for pick in self.state["picks"] for each in pick["goes"]]
        return sorted({*plays, *(extra["action"] for extra in self.state["extras"])})

    def wait(self) -> None:
        """Until it is for the person to go on."""
        while not self.actions() and not self.state["result"]:
            self.state = self.ask(f"state?after={self.state['version']}")
            assert not self.room.table or not self.room.table.trouble

    def play_on(self, chance: random.Random, most: int = LONGEST) -> int:
        """Plays at random to the end, or for so many decisions; how many there were."""
        for decisions in range(most):
            self.wait()
            if self.state["result"] and self.state["result"]["over"]:
                return decisions
            if self.state["can"]["next"]:
                self.tell("next")
            else:
                self.tell("act", action=chance.choice(self.actions()))
        return most


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    room = Room(Shelf(tmp_path))
    opened = Page(room)
    with opened.client:  # one event loop for all its requests
        yield opened
    room.close()


def against(game: str) -> list[str]:
    return [] if domino_env.rules(game).alone else ["greedy_pip"]


def begin(page: Page, game: str, **wish: Any) -> None:
    seat = wish.pop("seat", 0)
    page.tell("begin", game=game, against=wish.pop("against", against(game)), seat=seat, **wish)


# Playing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", domino_env.variants())
def test_every_game_is_played_to_its_end_and_no_hidden_tile_is_served(
    game: str, page: Page
) -> None:
    rules = domino_env.rules(game)
    for seed, players in enumerate(sorted({rules.players[0], rules.players[-1]})):
        begin(page, game, players=players, seat=seed % players, calls=rules.has_calls)
        hidden = secrets_of(page.room)
        assert hidden or rules.alone or not rules.draws, "there is something to hide"
        page.play_on(random.Random(seed))
        assert page.state["result"]["headline"]
        assert page.room.table is not None
        assert page.room.table.session.over


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
            page.tell("next")
            rounds += 1
            before = [row["total"] for row in shown["result"]["rows"]]
            openings = [line for line in page.state["log"] if line["kind"] == "score"]
            if not openings:
                assert [seat["score"] for seat in page.state["seats"]] == before
        else:
            page.tell("act", action=chance.choice(page.actions()))
    assert rounds > 1
    rows = page.state["result"]["rows"]
    record = page.room.table.session.record  # type: ignore[union-attr]
    assert [row["total"] for row in rows] == list(record.result.scores)
    assert [row["round"] for row in rows] == list(record.rounds[-1].points)


def test_points_and_draws_are_told_in_the_log(page: Page) -> None:
    chance = random.Random(4)
    begin(page, "all_fives", players=3)
    page.play_on(chance)
    kinds = {line["kind"] for line in page.state["log"]}
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
    begin(page, "block_draw", players=2)
    page.play_on(random.Random(2))
    for line in page.state["log"]:
        if line["kind"] == "draw":
            assert ("[" in line["text"]) == (line["seat"] == 0)


def test_a_seat_is_shown_its_own_hand_and_of_others_only_how_many(page: Page) -> None:
    begin(page, "block_draw", players=4, seat=2)
    page.wait()
    position = page.room.table.session.position  # type: ignore[union-attr]
    assert [tile["tile"] for tile in page.state["hand"]] == list(map(str, position.hands[2]))
    for seat in (0, 1, 3):
        assert page.state["seats"][seat]["hand"] == [None] * len(position.hands[seat])
    assert secrets_of(page.room)


@pytest.mark.parametrize("viewer", ["all", "nobody", "1"])
def test_who_plays_sees_what_their_seat_may_know_whatever_they_ask_for(
    viewer: str, page: Page
) -> None:
    begin(page, "matador")
    page.wait()
    assert page.ask(f"state?viewer={viewer}")["viewer"] == 0


def test_a_served_tile_would_be_found(page: Page) -> None:
    begin(page, "fundomino")
    position = page.room.table.session.position  # type: ignore[union-attr]
    secret = next(str(tile) for tile in position.hands[1] if ">" in str(tile) or position.boneyard)
    with pytest.raises(AssertionError, match="served"):
        must_hide(page.room, f'{{"text": "a tile [{secret}] that is not yours"}}')
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
    page.tell("act", action=page.actions()[0])
    saved = page.room.table.session.record  # type: ignore[union-attr]
    action = late["picks"][0]["goes"][0]["action"]
    told = page.ask("act", {"version": late["version"], "action": action}, status=409)
    assert "look again" in told["error"]
    now = page.room.table.session.record  # type: ignore[union-attr]
    assert now.rounds[0].moves[: len(saved.rounds[0].moves)] == saved.rounds[0].moves


def test_an_illegal_move_is_refused_with_the_reason(page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    illegal = next(action for action in range(112) if action not in page.actions())
    assert "is not legal" in page.tell("act", status=400, action=illegal)["error"]
    assert "whole number" in page.tell("act", status=400, action="one")["error"]
    assert "whole number" in page.tell("act", status=400, action=True)["error"]
    assert page.look()["picks"]


def test_nobody_moves_for_an_agent_or_after_the_end(page: Page) -> None:
    page.tell("begin", game="block_draw", seat=None, against=["random"])
    page.tell("watch", how="pause")
    assert "not to watch" in page.tell("act", status=400, action=0)["error"]
    begin(page, "block_draw")
    page.play_on(random.Random(5))
    assert "not your turn" in page.tell("act", status=400, action=0)["error"]
    assert "not your turn" in page.tell("hint", status=400)["error"]


def test_undo_takes_back_to_the_last_decision_also_across_rounds(page: Page) -> None:
    begin(page, "bergen", match=True)
    chance = random.Random(0)
    page.wait()
    assert "nothing yet" in page.tell("undo", status=400)["error"]
    while page.state["round"] == 1:
        page.wait()
        before = page.state
        if page.state["can"]["next"]:
            page.tell("next")
        else:
            page.tell("act", action=chance.choice(page.actions()))
            page.wait()
            if not page.state["result"]:
                page.tell("undo")
                for part in ("hand", "picks", "extras", "log", "seats"):
                    assert page.state[part] == before[part]
                page.tell("act", action=chance.choice(page.actions()))
    while page.state["can"]["undo"]:
        page.wait()
        page.tell("undo")
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


# Kept games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["block_draw", "fundomino", "five_up", "solitaire"])
def test_a_game_goes_on_where_it_was_left_after_the_server_has_gone(
    game: str, tmp_path: Path
) -> None:
    match = game in AT_A_TABLE
    plan = make_plan(game, against=against(game), match=match)
    room = Room(Shelf(tmp_path))
    page = Page(room)
    room.begin(plan)
    page.look()
    page.play_on(random.Random(3), most=12)
    page.wait()
    before = page.look()
    room.close()

    again = Room(Shelf(tmp_path))
    left = again.shelf and again.shelf.left_off(plan)
    assert left
    again.go_on(left)
    back = Page(again)
    back.look()
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
        page.tell("act", action=chance.choice(page.actions()))
        (file,) = tmp_path.glob("*.json")
        with page.room.news:
            assert read(file) == page.room.table.session.record  # type: ignore[union-attr]


def test_only_the_game_that_was_left_goes_on(tmp_path: Path) -> None:
    room = Room(Shelf(tmp_path))
    plan = make_plan("block_draw", against=["random"])
    room.begin(plan)
    page = Page(room)
    page.look()
    page.play_on(random.Random(0), most=1)
    room.close()
    shelf = Shelf(tmp_path)
    assert shelf.left_off(plan)
    others: list[Plan] = [
        make_plan("block_draw", against=["greedy_pip"]),
        make_plan("block_draw", against=["random"], match=True),
        make_plan("block_draw", against=["random"], seat=1),
        make_plan("block_draw", against=["random"], changes={"hand_size": 7}),
        make_plan("block_draw", against=["random"], players=3),
    ]
    assert not any(map(shelf.left_off, others))


def test_the_shelf_leads_on_with_games_that_were_left_and_through_those_that_are_over(
    page: Page,
) -> None:
    begin(page, "block_draw")
    page.play_on(random.Random(1), most=1)
    begin(page, "matador")
    page.play_on(random.Random(1))
    page.tell("leave")
    assert page.state["mode"] == "start"
    over, left = page.ask("start")["kept"]
    assert (left["goes_on"], over["goes_on"]) == (True, False)
    page.tell("go_on", file=left["file"])
    assert (page.state["mode"], page.state["game"]["id"]) == ("play", "block_draw")
    page.tell("go_on", file=over["file"])
    assert (page.state["mode"], page.state["game"]["id"]) == ("record", "matador")
    for name in ("../secret.json", "/etc/passwd", "0009-none.json"):
        assert "no game is kept" in page.tell("go_on", status=400, file=name)["error"]


# Watching and stepping through -------------------------------------------------------------------


def test_agents_are_watched_with_pauses_and_steps_from_any_seat(page: Page) -> None:
    page.room.pace = 5.0  # nothing happens before it is told to wait
    page.tell("begin", game="fundomino", seat=None, against=["random", "greedy_pip"], players=3)
    page.tell("watch", how="pause")
    page.room.pace = 0.0
    assert page.look()["steps"] == 0
    page.tell("watch", how="step")
    if not page.state["steps"]:
        page.state = page.ask(f"state?after={page.state['version']}")
    assert page.state["steps"] == 1
    assert not page.state["going"]
    table = page.room.table
    assert table is not None
    position = table.session.position
    for viewer in (0, 1, 2, "all", "nobody"):
        shown = page.ask(f"state?viewer={viewer}")
        for seat, hand in enumerate(position.hands):
            known = viewer in ("all", seat)
            for tile, seen in zip(hand, shown["seats"][seat]["hand"], strict=True):
                assert (seen["tile"] == str(tile)) if known else seen is None
    assert "a viewer is" in page.ask("state?viewer=3", status=400)["error"]
    page.tell("watch", how="go")
    while not page.state["result"]:
        page.state = page.ask(f"state?after={page.state['version']}")


def test_a_record_is_stepped_through_as_each_seat_could_know_it(page: Page, tmp_path: Path) -> None:
    begin(page, "bendomino", players=3, match=True)
    page.play_on(random.Random(6), most=30)
    page.wait()
    (file,) = tmp_path.glob("*.json")
    page.room.open(read(file))
    page.look()
    assert page.state["whole"] >= 30
    pictures = []
    for at in (0, 1, 7, page.state["whole"], 3, 0):
        page.tell("seek", at=at)
        assert page.state["steps"] == at
        pictures.append(page.state["picture"])
        hidden = page.ask("state?viewer=1")
        assert all(tile is None for tile in hidden["seats"][0]["hand"]) or hidden["result"]
        assert all(tile is not None for tile in hidden["seats"][1]["hand"])
    assert pictures[0] == pictures[-1] != pictures[2]
    assert "decisions, not" in page.tell("seek", status=400, at=-1)["error"]
    assert "not to record" in page.tell("undo", status=400)["error"]


# Two who look ------------------------------------------------------------------------------------


def test_news_come_to_everybody_who_waits(page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    version, heard = page.state["version"], []
    waiting = [
        threading.Thread(target=lambda: heard.append(Page(page.room).ask(f"state?after={version}")))
        for _ in range(2)
    ]
    for thread in waiting:
        thread.start()
    page.tell("act", action=page.actions()[0])
    for thread in waiting:
        thread.join(timeout=20)
    assert [state["version"] > version for state in heard] == [True, True]


def test_an_agent_that_fails_says_so_and_a_new_deal_goes_on(page: Page) -> None:
    begin(page, "block_draw")
    table = page.room.table
    assert table is not None

    class Broken:
        name = "broken"

        def act(self, batch: Any, lanes: Any) -> Any:
            raise RuntimeError("no idea")

    with page.room.news:
        table.agents = tuple(Broken() if agent else None for agent in table.agents)
    chance = random.Random(1)
    while not page.look()["status"].startswith("broken"):
        if page.actions():
            page.tell("act", action=chance.choice(page.actions()))
    assert "no idea" in page.state["status"]
    page.tell("deal")
    assert page.play_on(chance)


# Who may ask -------------------------------------------------------------------------------------

ASKED = {"host": f"127.0.0.1:{PORT}", "x-domino-token": TOKEN}


@pytest.mark.parametrize(
    "changes",
    [
        {"x-domino-token": "another"},
        {"x-domino-token": ""},
        {"x-domino-token": "the tokén".encode()},
        {"host": f"dominoes.example:{PORT}"},
        {"host": "127.0.0.1"},
        {"host": f"127.0.0.1:{PORT + 1}"},
        {"host": f"[::1]:{PORT}"},
        {"origin": "https://dominoes.example"},
        {"origin": "null"},
        {"origin": f"http://localhost:{PORT}"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_nobody_else_may_ask_or_do_anything(changes: dict[str, Any], page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    before = page.look()
    headers = {**ASKED, **changes}
    client = TestClient(page.client.app)
    for method, path in (("GET", "state"), ("GET", "start"), ("POST", "act"), ("POST", "deal")):
        wish = {"version": before["version"], "action": page.actions()[0]}
        sent = {"json": wish} if method == "POST" else {}
        answer = client.request(method, f"/api/{path}", headers=headers, **sent)
        assert answer.status_code == 403
        assert set(answer.json()) == {"error"}
    assert page.look() == before


def test_the_page_asks_by_either_name_of_this_machine(page: Page) -> None:
    client = TestClient(page.client.app)
    for name in ("127.0.0.1", "localhost"):
        headers = {**ASKED, "host": f"{name}:{PORT}", "origin": f"http://{name}:{PORT}"}
        assert client.get("/api/state", headers=headers).status_code == 200


def test_a_browser_is_told_to_let_nobody_in(page: Page) -> None:
    for path in ("/", "/page/play.js", "/page/play.css", "/api/state", "/nowhere"):
        headers = page.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"
        assert not [name for name in headers if name.startswith("access-control")]
    asked = {"origin": "https://dominoes.example", "access-control-request-method": "POST"}
    assert page.client.options("/api/act", headers=asked).status_code == 403
    assert page.client.options("/api/act").status_code == 405


def test_the_page_needs_nothing_from_elsewhere_and_has_nothing_inline() -> None:
    for file in PAGE.iterdir():
        text = file.read_text(encoding="utf-8")
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        if file.suffix == ".html":
            assert "<style" not in text
            assert " style=" not in text
            assert " on" not in "".join(part.split(">")[0] for part in text.split("<")[1:])


def test_requests_that_are_too_long_or_no_requests_are_refused(page: Page) -> None:
    begin(page, "block_draw")
    long = b'{"version": ' + b" " * MOST_BYTES + b"1}"
    json = {"content-type": "application/json"}
    assert page.client.post("/api/act", content=long, headers=json).status_code == 413
    assert page.client.post("/api/act", content=iter([long]), headers=json).status_code == 400
    deep = b"[" * 30000
    for content in (b"", b"{", b"[]", b"7", b"\xff\xfe", deep, b'{"version": NaN}'):
        assert page.client.post("/api/act", content=content, headers=json).status_code == 400
    assert page.client.post("/api/act", data={"version": "1"}).status_code == 415
    assert page.client.get("/api/act").status_code == 405
    assert page.client.get("/page/../server.py").status_code == 404
    assert page.client.get("/page/%2e%2e/server.py").status_code == 404
    assert page.look()["hand"]


def test_it_listens_on_this_machine_only() -> None:
    with listen(0) as opened:
        assert opened.getsockname()[0] == "127.0.0.1"
        with pytest.raises(DominoError, match="cannot be used"):
            listen(opened.getsockname()[1])


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"game": "block_drew"}, "did you mean"),
        ({"game": 7}, "text"),
        ({"game": "block_draw", "players": 7}, "for 2 or 3 or 4 players"),
        ({"game": "block_draw", "seat": 2}, "from 0 to 1"),
        ({"game": "block_draw", "against": ["clairvoyant"]}, "not offered"),
        ({"game": "block_draw", "against": ["ppo file=/etc/passwd"]}, "not offered"),
        ({"game": "block_draw", "against": "random"}, "a list"),
        ({"game": "yourturnmyturn", "against": ["random", "random"]}, "not for 2"),
        ({"game": "knock_out", "against": ["pimc"]}, "not offered"),
        ({"game": "block_draw", "set": "double_7"}, "did you mean"),
        ({"game": "matador", "calls": True, "against": ["random"]}, "nothing to call"),
        ({"game": "knock_out", "match": True}, "not played in matches"),
    ],
)
def test_games_that_cannot_be_played_are_refused_with_the_reason(
    wish: dict[str, Any], said: str, page: Page
) -> None:
    told = page.tell("begin", status=400, **{"seat": 0, "against": [], **wish})
    assert said in told["error"]
    assert page.look()["mode"] == "start"


# How fast it answers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "tiles"), [("five_up", "double_15"), ("fundomino", None), ("solitaire", None)]
)
def test_a_click_is_answered_within_fifty_milliseconds(
    game: str, tiles: str | None, page: Page
) -> None:
    begin(page, game, set=tiles)
    chance, taken = random.Random(9), []
    for _ in range(60):
        page.wait()
        if page.state["result"]:
            break
        wish = {"version": page.state["version"], "action": chance.choice(page.actions())}
        began = time.perf_counter()
        answer = page.client.post("/api/act", json=wish)
        taken.append(time.perf_counter() - began)
        page.state = answer.json()
    # Others may be at work on this machine: a slow server is slow every time.
    assert statistics.quantiles(taken)[0] < 0.05


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
    assert "thinks:" in shown
    assert "moves are 1 to" in shown
    assert "a number plays that move" in shown
    assert "win" in shown or "Over" in shown
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
    assert f"going on with {file.name}" in capsys.readouterr().out
    assert main([*play, "--new"]) == 0
    assert "going on" not in capsys.readouterr().out
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
        (["block_draw", "--players", "5"], "2 or 3 or 4 players"),
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


def test_a_port_that_is_taken_is_said(tmp_path: Path, capsys: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["play", "--no-browser", "--port", port, "--out", str(tmp_path)]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err
