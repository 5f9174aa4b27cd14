"""A domino engine in Python, by the standard library alone: plays the heaviest tile it can, and
prefers one that leaves it a tile that matches. It follows each round by its events, counts what
others have drawn, and says what it thinks of its moves."""

import json
import sys


def say(message):
    """Writes a line at once."""
    print(json.dumps(message), flush=True)


def pips(tile):
    """The pips of a tile; a half may be a symbol with a number, or a star."""
    return sum(int(half.lstrip(">+")) for half in tile.split("|") if half != "*")


def worth(move, hand):
    """About the points that a move is worth."""
    if move["kind"] != "play":
        return -1.0
    shows = move["tile"].split("|")[1 - move["half"]]
    follows = any(shows in tile.split("|") for tile in hand if tile != move["tile"])
    return pips(move["tile"]) + 3.0 * follows


class Engine:
    """Answers the messages of the host, each by the method of its name."""

    def __init__(self):
        self.events = {}  # by game: all events of its round, as they came

    def hello(self, message):
        """Who it is."""
        options = [{"name": "talks", "type": "boolean", "default": False}]
        say(
            {
                "type": "hello",
                "protocol": min(1, message["protocol"]),
                "name": "Heaviest in Python",
                "author": "domino-env",
                "options": options,
            }
        )

    def setup(self, message):
        """Its one option: does it talk?"""
        self.talks = message["options"].get("talks", False)
        say({"type": "ready"})

    def move(self, message):
        """A move for each game."""
        moves = [self.decide(message["request"], game) for game in message["games"]]
        say({"type": "move", "request": message["request"], "moves": moves})

    def decide(self, request, game):
        """The move of one game."""
        self.follow(game)
        values = {move["id"]: worth(move, game["hand"]) for move in game["moves"]}
        if self.talks:
            self.tell(request, game, values)
        return {"game": game["game"], "id": max(values, key=values.get)}

    def follow(self, game):
        """Adds what has happened since the last decision to what is known of the round."""
        events = self.events.setdefault(game["game"], [])
        del events[game["first"] :]  # all of them where a round begins
        events += game["events"]

    def tell(self, request, game, values):
        """What it thinks, for people to read."""
        drawn = sum(event["kind"] == "draw" for event in self.events[game["game"]])
        say(
            {
                "type": "info",
                "request": request,
                "game": game["game"],
                "values": [{"id": number, "value": value} for number, value in values.items()],
                "text": f"{drawn} tiles have been drawn",
            }
        )

    def end(self, message):
        """Games that will not come again."""
        for game in message["games"]:
            self.events.pop(game["game"], None)


engine = Engine()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "quit":
        break
    answer = getattr(engine, message["type"], None)
    if answer is not None:
        answer(message)
