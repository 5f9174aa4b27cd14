"""What the fields of `Rules` itself may hold, beyond their kinds: the names of sets, tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from domino_env.errors import BadRules, did_you_mean, is_whole
from domino_env.ruleset.limits import LISTED, MAX_SEATS, MINI_SETS, SETS
from domino_env.ruleset.values import Within, refuse

if TYPE_CHECKING:
    from domino_env.ruleset.declaration import Rules


def check(rules: Rules) -> None:
    """Refuses values that no game can have, whatever its other settings."""
    if not rules.id:
        refuse("id", "the name of the game", rules.id)
    _check_sets(rules)
    if not (isinstance(rules.tiles, tuple) and all(isinstance(each, str) for each in rules.tiles)):
        refuse("tiles", "a tuple like ('1|5', '*|3')", rules.tiles)
    _check_players(rules.players)
    _check_hand_size(rules)
    _check_worths(rules)
    _check_left_out(rules)


def _check_sets(rules: Rules) -> None:
    if not isinstance(rules.sets, tuple) or not rules.sets:
        refuse("sets", "a tuple like ('double_6',)", rules.sets)
    known = (*SETS, *MINI_SETS, LISTED)
    for name, choice in (*(("sets", each) for each in rules.sets), ("set", rules.set)):
        if not isinstance(choice, str) or choice not in known:
            raise BadRules(f"{name}: unknown set {choice!r}{did_you_mean(choice, known)}")
    is_mini = rules.set in MINI_SETS and rules.layout.tiles == "straight"
    if rules.set not in rules.sets and not is_mini:
        refuse("set", f"one of sets, for {rules.id} {' or '.join(rules.sets)}", rules.set)


def _check_players(players: Any) -> None:
    if not isinstance(players, tuple) or not players:
        refuse("players", "a tuple like (2, 3, 4)", players)
    for count in players:
        if count not in Within(2, MAX_SEATS):
            raise BadRules(f"players must be whole numbers from 2 to {MAX_SEATS}, not {count!r}")
    if len({*players}) != len(players):
        raise BadRules(f"players names a number twice: {players}")


def _check_hand_size(rules: Rules) -> None:
    size = rules.hand_size
    if _is_by_set(size):
        _check_sizes_by_set(rules, size)
        return
    if isinstance(size, tuple) and len(size) != len(rules.players):
        refuse("hand_size", f"one number for each of players {rules.players}", size)
    sizes = size if isinstance(size, tuple) else (size,)
    if not (isinstance(size, str) and size == "all") and not all(map(is_whole, sizes)):
        refuse("hand_size", "a whole number, one for each number of players, or 'all'", size)


def _is_by_set(size: Any) -> bool:
    """Does it say for each set how many tiles are dealt?"""
    return isinstance(size, tuple) and bool(size) and all(isinstance(row, tuple) for row in size)


def _check_sizes_by_set(rules: Rules, rows: Any) -> None:
    for row in rows:
        pairs = row[1] if len(row) == 2 and isinstance(row[1], tuple) else ()
        whole = all(
            isinstance(pair, tuple) and [*map(is_whole, pair)] == [True] * 2 for pair in pairs
        )
        if not pairs or not whole or not isinstance(row[0], str):
            refuse("hand_size", "for each set like ('double_9', ((2, 12), (3, 11)))", row)
    sizes = sizes_for_set(rules)
    if sizes is None:
        refuse("hand_size", f"said for set {rules.set!r} too, or one number", rows)
    elif not any(players in sizes for players in rules.players):
        good = " or ".join(map(str, sizes))
        refuse(
            "players", f"some of {good}, for hand_size has no other for {rules.set}", rules.players
        )


def sizes_for_set(rules: Rules) -> dict[int, int] | None:
    """Where `hand_size` goes by the set: by the number of players, the tiles dealt to each."""
    if not _is_by_set(rules.hand_size):
        return None
    by_set: Any = dict(rules.hand_size)  # type: ignore[arg-type]
    return dict(by_set[rules.set]) if rules.set in by_set else None


def _check_worths(rules: Rules) -> None:
    worths: Any = rules.worths
    if not isinstance(worths, tuple):
        refuse("worths", "a tuple like (('0|0', 50),)", worths)
    for pair in worths:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            refuse("worths", "pairs of a tile and its worth, like ('0|0', 50)", pair)
        if rules.tile_set.named(pair[0]) is None:
            refuse("worths", f"of tiles of the set, which is {rules.set}", pair)
        if pair[1] not in Within(0, 1000):
            refuse("worths", f"of a tile {Within(0, 1000)}", pair)


def _check_left_out(rules: Rules) -> None:
    left_out: Any = rules.left_out
    if not isinstance(left_out, tuple):
        refuse("left_out", "a tuple like ((3, '0|0'),)", left_out)
    for pair in left_out:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], str):
            refuse("left_out", "pairs of a number of players and a tile, like (3, '0|0')", pair)
        if pair[0] not in Within(2, MAX_SEATS):
            refuse("left_out", f"of a number of players from 2 to {MAX_SEATS}", pair)
        if rules.tile_set.named(pair[1]) is None:
            refuse("left_out", f"of tiles of the set, which is {rules.set}", pair)
    if len({*left_out}) < len(left_out):
        refuse("left_out", "pairs that are all different", left_out)
