"""Version 0 of the games, pinned: what they are played with, their actions and observations,
and some hundred games each from fixed seeds.

    tests/v0.json

Nothing pinned depends on how `Rules` are spelled: facts are what follows from them, and games are
what everybody sees and earns. A change here is a new version of a game (docs/versions.md), and
makes recorded games and trained policies of before worthless; `python -m tests.test_v0 --write`
adds games that are not pinned yet, and changes nothing that is.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import actions

FILE = Path(__file__).parent / "v0.json"
PINNED: dict[str, Any] = json.loads(FILE.read_text()) if FILE.exists() else {}
LANES, STEPS, SEED = 32, 200, 1_000
TWISTS = ("double_back", "double_stakes", "perfect_ten")
FACTS = ("id", "players", "sets", "set", "teams", "rows", "target", "exact", "rounds")
NUMBERS = ("low", "high", "scale", "offset")

Options = dict[str, Any]


def settings(variant: str) -> Iterator[Options]:
    """The ways in which a game is pinned: its seats, matches, calls, another set, twists."""
    rules: Any = domino_env.rules(variant)
    for players in rules.players:
        yield {"num_players": players}
    if rules.has_matches:
        yield {"episode": "match"}
        yield {"episode": "match", "reward": "win"}
    if rules.has_calls:
        yield {"calls": "explicit", "episode": "match"}
    if "double_9" in getattr(rules, "sets", ()):
        yield {"rules": {"set": "double_9"}}
    if rules.tile_set.has_effects:
        twists = dict.fromkeys(TWISTS, True)
        yield {"rules": twists}
        yield {"rules": twists, "calls": "explicit", "episode": "match"}


def batch_of(variant: str, options: Options) -> Any:
    changed = domino_env.rules(variant, **options.get("rules", {}))
    others = {name: value for name, value in options.items() if name != "rules"}
    return domino_env.batch(changed, LANES, seed=SEED, **others)


def pin(variant: str) -> dict[str, Any]:
    """All that is pinned of a game."""
    return {
        "facts": mark(facts(variant)),
        "actions": [mark(every_action(batch_of(variant, each))) for each in settings(variant)],
        "fields": [mark(every_field(batch_of(variant, each))) for each in settings(variant)],
        "games": [games(batch_of(variant, each)) for each in settings(variant)],
    }


def facts(variant: str) -> list[Any]:
    rules: Any = domino_env.rules(variant)
    found = [getattr(rules, name, None) for name in FACTS]
    hands = [rules.hand_size_for(seats) for seats in rules.players] if rules.has_hands else None
    return [*found, hands, rules.tile_set.faces, rules.has_calls, rules.layout_kind]


def every_action(batch: Any) -> list[str]:
    return [
        repr(actions.decode(batch.rules, number, batch.calls, batch.num_players))
        for number in range(batch.num_actions)
    ]


def every_field(batch: Any) -> list[Any]:
    names = ("group", "name", "size", *NUMBERS)
    return [[getattr(field, name) for name in names] for field in batch.fields]


def games(batch: Any) -> str:
    """A digest of what is seen and earned in all lanes."""
    batch.reset()
    seen, rng = blake2b(digest_size=8), np.random.default_rng(0)
    for _ in range(STEPS):
        for array in (batch.observation, batch.mask, batch.reward, batch.seat, batch.done):
            seen.update(np.ascontiguousarray(array).tobytes())
        # By the mask: the order of the list that `sample` goes by is not part of a game.
        batch.step((batch.mask * rng.random(batch.mask.shape)).argmax(1))
    return seen.hexdigest()


def mark(value: Any) -> str:
    return blake2b(repr(value).encode(), digest_size=8).hexdigest()


def test_every_game_is_pinned() -> None:
    assert sorted(PINNED) == sorted(domino_env.variants())


@pytest.mark.parametrize("variant", PINNED)
def test_a_pinned_game_is_what_it_was(variant: str) -> None:
    assert pin(variant) == PINNED[variant]


def main() -> None:
    parser = argparse.ArgumentParser(description="Pins games that are not pinned yet.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.add_argument("variants", nargs="*", default=domino_env.variants())
    for variant in parser.parse_args().variants:
        if variant not in PINNED:
            PINNED[variant] = pin(variant)
    FILE.write_text(json.dumps(PINNED, indent=1) + "\n")


if __name__ == "__main__":
    main()
