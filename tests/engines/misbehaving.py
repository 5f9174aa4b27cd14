"""An engine that misbehaves. It plays the first legal move, or passes everything on to another
engine, until it makes one of the faults below.

    misbehaving.py WAY [--at REQUEST | --chance CHANCE --seed SEED] [-- another engine]

Without `--at` a fault is made at a request by chance; the way "any" draws which. The standard
library alone, as for any engine.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time


class Engine:
    """What is to be answered, one's own way or another engine's."""

    def __init__(self, other):
        self.other = None
        if other:
            self.other = subprocess.Popen(
                other, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
            self.lines = os.fdopen(os.dup(self.other.stdout.fileno()), "rb")

    def answer(self, line, message):
        if self.other is not None:
            self.other.stdin.write(line)
            if message["type"] not in ("hello", "setup", "move"):
                return b""
            return self.lines.readline() or os._exit(1)  # it has been killed: so are we
        if message["type"] == "hello":
            return encoded(type="hello", protocol=1, name="Misbehaving", author="tests")
        if message["type"] == "setup":
            return encoded(type="ready")
        if message["type"] == "move":
            moves = [{"game": g["game"], "id": g["moves"][0]["id"]} for g in message["games"]]
            return encoded(type="move", request=message["request"], moves=moves)
        return b""


def encoded(**message):
    return json.dumps(message).encode() + b"\n"


def write(data):
    while data:
        data = data[os.write(1, data) :]


def sleep_on():
    while True:
        time.sleep(1000)


def answers(message, of=None, **changed):
    """Answers as the engine would, for some of the games, with some changes."""
    moves = message["own"][:of]
    write(encoded(**{"type": "move", "request": message["request"], "moves": moves, **changed}))


# The ways, each a function of the request ---------------------------------------------------------


def exits(message):
    print("that was too much", file=sys.stderr)
    os._exit(3)


def exits_in_peace(message):
    os._exit(0)


def crashes(message):
    os.kill(os.getpid(), signal.SIGSEGV)


def kills_itself(message):
    os.kill(os.getpid(), signal.SIGKILL)


def stops_itself(message):
    os.kill(os.getpid(), signal.SIGSTOP)


def keeps_silent(message):
    sleep_on()


def loops(message):
    while True:
        pass


def writes_no_json(message):
    write(b"bestmove 3|5\n")


def writes_no_object(message):
    write(b"[1, 2, 3]\n")


def writes_no_text(message):
    write(b"\xff\xfe\x00\x01\n")


def nests_deeply(message):
    write(b"[" * 60_000 + b"\n")


def writes_another_type(message):
    write(encoded(type="bestmove", request=message["request"], moves=[]))


def answers_another_request(message):
    answers(message, request=message["request"] + 1)


def answers_another_game(message):
    answers(message, moves=[{"game": 10**9, "id": 0}])


def answers_twice(message):
    answers(message)
    answers(message, of=1)


def moves_illegally(message):
    moves = [{"game": g["game"], "id": 10**6} for g in message["games"]]
    answers(message, moves=moves)


def moves_by_text(message):
    answers(message, moves=[{"game": message["games"][0]["game"], "id": "3|5"}])


def answers_half_and_sleeps(message):
    answers(message, of=len(message["games"]) // 2)
    sleep_on()


def answers_half_and_exits(message):
    answers(message, of=len(message["games"]) // 2)
    os._exit(1)


def writes_half_a_line(message):
    write(b'{"type":"move","request":')
    os._exit(1)


def writes_without_end(message):
    while True:
        write(b"x" * 65536)


def writes_lines_without_end(message):
    game = message["games"][0]["game"]
    while True:
        write(encoded(type="info", request=message["request"], game=game, text="thinking") * 100)


def takes_memory(message):
    taken = []
    while True:
        taken.append(bytearray(os.urandom(1 << 20)) * 32)


def closes_output(message):
    os.close(1)
    sleep_on()


def closes_input(message):
    os.close(0)
    sleep_on()


def leaves_children(message):
    for start in (False, True):
        subprocess.Popen(["sleep", "987654"], start_new_session=start)
    os._exit(1)


def starts_many(message):
    for _ in range(100):
        subprocess.Popen(["sleep", "987654"])
    sleep_on()


def complains_without_end(message):
    for _ in range(2000):
        os.write(2, b"complaint " * 1000)
    os._exit(1)


WAYS = {
    name: value
    for name, value in list(globals().items())
    if callable(value)
    and getattr(value, "__code__", None)
    and value.__code__.co_varnames[: value.__code__.co_argcount] == ("message",)
}


def main(words):
    words, _, other = split(words)
    way, options = words[0], dict(zip(words[1::2], words[2::2], strict=True))
    at, chance = int(options.get("--at", 0)), float(options.get("--chance", 0))
    draws = random.Random(f"{options.get('--seed', 0)} {os.getpid()} {time.time_ns()}")
    engine = Engine(other)
    while line := sys.stdin.buffer.readline():
        message = json.loads(line)
        if message["type"] == "quit":
            break
        if message["type"] == "move":
            if message["request"] == at or draws.random() < chance:
                answer = engine.answer(line, message)
                message["own"] = json.loads(answer)["moves"] if answer else []
                WAYS[draws.choice([*WAYS]) if way == "any" else way](message)
                continue
        write(engine.answer(line, message))


def split(words):
    place = words.index("--") if "--" in words else len(words)
    return words[:place], "--", words[place + 1 :]


if __name__ == "__main__":
    main(sys.argv[1:])
