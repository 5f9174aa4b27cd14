"""What a side has witnessed, as a node of a trie: two histories are in the same information state
where they lead to the same node. A node is told apart by the one before it and by the event that
was witnessed, exactly: nothing here is a hash that might coincide."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.engine.events import end_of, kind_of, packed, seat_of, tile_of
from domino_env.engine.rng import scramble
from domino_env.engine.state import DREW, TOOK

HIDDEN = 255  # in the place of a tile
_NODE_BITS = np.uint64(32)
_EVENT = np.uint64((1 << 32) - 1)
_EMPTY = np.uint64(0)

Keys: TypeAlias = npt.NDArray[np.uint64]  # [a power of two]: node and event; 0: free
Nodes: TypeAlias = npt.NDArray[np.int32]
Sides: TypeAlias = npt.NDArray[np.int8]  # [seats]


@small
def slot_of(keys: Keys, key: np.uint64) -> np.uint64:
    """Where a key stands, or would."""
    last = np.uint64(len(keys) - 1)
    slot = scramble(key) & last
    while keys[slot] != _EMPTY and keys[slot] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@small
def follow(keys: Keys, nodes: Nodes, progress: Any, node: int, event: int) -> int:
    """The node that an event leads to; it is new if nobody has come there before."""
    key = np.uint64(node) << _NODE_BITS | (np.uint64(event) & _EVENT)
    slot = slot_of(keys, key)
    if keys[slot] == _EMPTY:
        keys[slot] = key
        nodes[slot] = progress.nodes
        progress.nodes += 1
    return int(nodes[slot])


@small
def as_seen(word: int, side: int, sides: Sides) -> int:
    """An event as a side witnesses it: no tile that another has drawn, and not why it was."""
    kind, seat = kind_of(word), seat_of(word)
    if kind == DREW:
        return packed(kind, seat, tile_of(word) if sides[seat] == side else HIDDEN, 0, 0)
    if kind == TOOK and sides[seat] != side and sides[end_of(word)] != side:
        return packed(kind, seat, HIDDEN, end_of(word), 0)
    return word


@kernel
def rehash(keys: Keys, nodes: Nodes, new_keys: Keys, new_nodes: Nodes) -> None:
    """Copies a table into a larger one."""
    for slot in range(len(keys)):
        if keys[slot] != _EMPTY:
            place = slot_of(new_keys, keys[slot])
            new_keys[place] = keys[slot]
            new_nodes[place] = nodes[slot]
