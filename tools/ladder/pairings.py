"""Who meets whom on the ladder, on how many deals, and what they play by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from domino_env.agents.clairvoyant import Clairvoyant
from domino_env.agents.heuristic import Heuristic, weights_of
from domino_env.agents.networks.player import PolicyPlayer
from domino_env.agents.networks.policy import Policy
from domino_env.agents.pimc import Pimc
from domino_env.agents.search import Search, policy_for
from domino_env.agents.searching.world_search import WorldSearcher
from domino_env.batches import Batch
from domino_env.evaluate.entrants import Entrant
from tools.ladder import face_up
from tools.ladder.rungs import FORMER, NEWEST, Rung, rungs

FAST_DEALS = 20_000
CHUNK, CHUNK_OF_SEARCHES = 1000, 50  # deals between two looks at the budget

RATED_PAIRS = (  # beside the others: no rating should hang by a single pairing
    ("heuristic", "random"),
    (NEWEST, "random"),
    (NEWEST, "greedy_pip"),
    ("clairvoyant", "random"),
    ("clairvoyant", "greedy_pip"),
    ("clairvoyant", NEWEST),
)
FACE_UP_PAIRS = ((face_up.NAME, "heuristic"), (face_up.NAME, NEWEST), (face_up.NAME, "clairvoyant"))
PAIRS = (  # those of the table of margins
    ("greedy_pip", "random"),
    ("heuristic", "greedy_pip"),
    (NEWEST, "heuristic"),
    (NEWEST, FORMER),
    ("pimc", "heuristic"),
    ("pimc", NEWEST),
    ("search", "heuristic"),
    ("search", NEWEST),
    ("clairvoyant", "heuristic"),
)
ALL_PAIRS = (*PAIRS, *RATED_PAIRS, *FACE_UP_PAIRS)


@dataclass(frozen=True)
class Meeting:
    """A pairing of two agents on a rung."""

    rung: Rung
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.rung.name}: {self.first} over {self.second}"

    @property
    def sides(self) -> tuple[Entrant, Entrant]:
        """Both of them."""
        return self.rung.entrants[self.first], self.rung.entrants[self.second]

    @property
    def searches(self) -> bool:
        """Does one of them take a while for each decision?"""
        slow = (WorldSearcher, face_up.DoubleDummy)
        return any(isinstance(side.make(0), slow) for side in self.sides)

    @property
    def is_for_ratings(self) -> bool:
        """Is it played for the ratings alone?"""
        return (self.first, self.second) in RATED_PAIRS

    @property
    def is_face_up(self) -> bool:
        """Does one of them solve rounds with all tiles face up?"""
        return face_up.NAME in (self.first, self.second)

    @property
    def chunk(self) -> int:
        """Deals that are played as one batch."""
        return CHUNK_OF_SEARCHES if self.searches else CHUNK

    def weights(self) -> dict[str, str]:
        """What each of them plays by: see `fingerprint`."""
        return {name: _fingerprint(self.rung.name, name) for name in (self.first, self.second)}


def meetings(rung: Rung) -> Iterator[Meeting]:
    """The pairings of a rung; a policy does not meet itself under its former name."""
    for first, second in ALL_PAIRS:
        if rung.has(first) and rung.has(second):
            found = Meeting(rung, first, second)
            if len({*found.weights().values()}) > 1 or not _are_policies(found):
                yield found


def _are_policies(meeting: Meeting) -> bool:
    return all(isinstance(side.make(0), PolicyPlayer) for side in meeting.sides)


@cache
def _fingerprint(rung: str, name: str) -> str:
    found = rungs()[rung]
    return fingerprint(found.entrants[name], found.batch)


def fingerprint(entrant: Entrant, batch: Batch) -> str:
    """A hash of an entrant's options and of all numbers from the files of weights that it plays
    this game by: another one when a newer policy comes, whatever else is in the files."""
    found = sha256(json.dumps(dict(entrant.options), sort_keys=True).encode())
    for part in _played_by(entrant.make(0), batch):
        found.update(part)
    return found.hexdigest()[:12]


def _played_by(agent: Any, batch: Batch) -> Iterator[bytes]:
    if isinstance(agent, (Heuristic, Pimc, Clairvoyant, Search)):
        yield weights_of(batch.rules.id).tobytes()
    policy = None
    if isinstance(agent, PolicyPlayer):
        policy = agent.policy_for(batch)
    elif isinstance(agent, Search):
        policy = policy_for(batch)
    if policy is not None:
        yield from _contents(replace(policy, notes={}))


def _contents(policy: Policy) -> Iterator[bytes]:
    """All that is in its file, unpacked: packed, it depends on who has packed it."""
    with ZipFile(BytesIO(policy.to_bytes())) as archive:
        for name in sorted(archive.namelist()):
            yield archive.read(name)
