"""What the curved games have in common: their table, teams, and finding who opens.

The score sheet and the record are the straight games' (`..table`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ..table import Move, Referee
from .geometry import Arc
from .layout import CurvedLayout, CurvedTile, Half


def no_pick(loser: int, gainer: int, tiles: list[CurvedTile]) -> CurvedTile:
    """Stands in until the driver says how a random tile is picked."""
    raise RuntimeError("set game.pick_tile first")


class CurvedReferee(Referee):
    """A referee for tiles that must match and fit."""

    sets_allowed = ("double_6",)
    twists_allowed: tuple[str, ...] = ()
    in_teams = False
    uses_boneyard = True  # may tiles be drawn?
    set_aside = 0  # tiles the game needs besides the hands

    def __init__(
        self,
        players: int,
        *,
        hand_size: int | None,
        target: int | None,
        calls: str,
        episode: str,
        twists: Collection[str],
        tiles: Sequence[CurvedTile] | None,
    ) -> None:
        super().__init__(
            players,
            set_name="double_6",
            hand_size=1,  # the right one comes below: it depends on our own tiles
            target=target,
            rounds=None,
            calls=calls,
            episode=episode,
        )
        for twist in twists:
            if twist not in self.twists_allowed:
                raise ValueError(f"no such twist here: {twist}")
        self.twists = frozenset(twists)
        self.tiles = self.all_tiles(tiles)
        self.hand_size = self.rulebook_hand_size() if hand_size is None else hand_size
        if not 1 <= self.hand_size <= (len(self.tiles) - self.set_aside) // players:
            raise ValueError(f"cannot deal {self.hand_size} tiles to each")
        self.pick_tile = no_pick
        self.clear_the_table()

    def all_tiles(self, given: Sequence[CurvedTile] | None) -> list[CurvedTile]:
        """The tiles of the game."""
        raise NotImplementedError

    def matches(self, half: Half, shown: Half) -> bool:
        """May these two halves lie against each other?"""
        raise NotImplementedError

    def may_meet(self, half: Half, shown: Half) -> bool:
        """May the far half of a tile come to lie against another open end? (B5)"""
        raise NotImplementedError

    def asks(self, half: Half) -> Half:
        """What must match this half when it is an end?"""
        raise NotImplementedError

    def counts(self, half: Half) -> int:
        """The points on this half."""
        raise NotImplementedError

    def clear_the_table(self) -> None:
        super().clear_the_table()
        self.layout = CurvedLayout()
        self.direction = 1  # clockwise; -1 counterclockwise
        self.stakes = 1
        self.ranks: dict[int, int] = {}

    # -- teams (G1)

    def side_of(self, seat: int) -> list[int]:
        """The seats that win together with this one."""
        return [s for s in self.seats() if (s - seat) % 2 == 0] if self.in_teams else [seat]

    def rivals(self, seat: int) -> list[int]:
        """The seats that play against this one."""
        return [s for s in self.seats() if s not in self.side_of(seat)]

    def gain(self, seat: int, points: int) -> None:
        """Write down points; a team's for both members alike."""
        for member in self.side_of(seat):
            super().gain(member, points)

    def match_winners(self) -> set[int]:
        """The highest total, a team's being the total of both; shared: drawn (G11)."""
        best = {seat for seat in self.seats() if self.scores[seat] == max(self.scores)}
        return best if best == set(self.side_of(min(best))) else set()

    # -- points

    def points_on(self, tile: CurvedTile) -> int:
        return self.counts(tile[0]) + self.counts(tile[1])

    def in_hand(self, seat: int) -> int:
        """The points on the tiles a player has left."""
        return sum(self.points_on(tile) for tile in self.hands[seat])

    def rivals_in_hand(self, seat: int) -> int:
        return sum(self.in_hand(rival) for rival in self.rivals(seat))

    def total_of_ends(self) -> int:
        """What the ends count, dead ones too (BN5); ends that met are gone."""
        return sum(self.counts(end.shows) for end in self.layout.open_ends.values())

    def lowest_side(self) -> list[int]:
        """The seats that win by the lowest total; none if rivals share it (G8, BN4)."""
        lowest = min(self.in_hand(seat) for seat in self.seats())
        holders = [seat for seat in self.seats() if self.in_hand(seat) == lowest]
        side = self.side_of(holders[0])
        return side if all(holder in side for holder in holders) else []

    # -- who opens

    def highest(self, tiles: list[tuple[int, CurvedTile]]) -> tuple[int, CurvedTile]:
        """The highest tile by its total, then by its higher half (G2)."""
        return max(
            tiles,
            key=lambda held: (
                self.points_on(held[1]),
                max(self.counts(held[1][0]), self.counts(held[1][1])),
            ),
        )

    def held_tiles(self) -> list[tuple[int, CurvedTile]]:
        """Every tile in a hand, with its holder."""
        return [(seat, tile) for seat in self.seats() for tile in self.hands[seat]]

    # -- the table

    def lay_opening_tile(self, seat: int, tile: CurvedTile) -> None:
        """The opening tile leaves the hand for the middle of the table (B6)."""
        self.hands[seat].remove(tile)
        self.events.append(("play", seat, tile, 0, 0))
        self.layout.lay_free(tile, seat, Arc(0, 0, 90), (0, 1))

    def lay_tile(self, seat: int, tile: CurvedTile, end: int, half: int) -> None:
        """A tile leaves the hand for an end."""
        self.hands[seat].remove(tile)
        self.events.append(("play", seat, tile, end, half))
        self.layout.join(tile, seat, end, half)

    def may_lay(self, tile: CurvedTile, end: int, half: int) -> bool:
        """Does the tile match here and fit, and is what it meets all right?"""
        if not self.matches(tile[half], self.layout.open_ends[end].shows):
            return False
        if not self.layout.place(end, half).is_free:
            return False
        met = self.layout.meets(end, half)
        if met is None:
            return True
        return self.may_meet(tile[1 - half], self.layout.open_ends[met].shows)

    def each_play(self, seat: int) -> Iterator[Move]:
        """Every tile of this hand at every end, by either half, that may be laid so."""
        for tile in self.hands[seat]:
            for end in self.layout.open_ends:
                for half in (0, 1):
                    if self.may_lay(tile, end, half):
                        yield ("play", tile, end, half)

    def plays(self, seat: int) -> set[Move]:
        return set(self.each_play(seat))

    def can_play(self, seat: int) -> bool:
        return any(self.each_play(seat))

    def can_draw(self) -> bool:
        return self.uses_boneyard and bool(self.boneyard)

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody at the table can play (G7)."""
        return not self.can_draw() and not any(self.can_play(seat) for seat in self.seats())

    @property
    def table(self) -> list[tuple[CurvedTile, int | None]]:
        """The tiles on the table and who placed them, in order."""
        return [(piece.tile, piece.seat) for piece in self.layout.pieces]

    def ends(self) -> dict[int, tuple[Half, CurvedTile, int, str]]:
        """Every end: what it asks for, the tile it is on, what it counts, and its state."""
        return {
            number: (
                self.asks(end.shows),
                end.piece.tile,
                self.counts(end.shows),
                self.layout.state(number),
            )
            for number, end in sorted(self.layout.open_ends.items())
        }
