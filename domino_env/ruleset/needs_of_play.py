"""What settings of play need: tiles and seats, openings, the shape of the layout, draws, turns."""

from __future__ import annotations

from domino_env.ruleset.conditions import Fact, Need, either, more_than, other_than
from domino_env.ruleset.limits import LISTED, MAX_BRANCHES

BY_DOUBLE = either("highest_double", "lowest_double", "round_double")
BY_RANK = either("highest_double", "lowest_double")
FROM_A_DOUBLE = either("four", "six", "own")
ACTION_HALVES = Fact("DRAW or PLAY AGAIN halves in tiles", lambda rules: rules.tile_set.has_effects)
RAISER = Fact("tile of that name in the set", lambda rules: rules.raiser is not None)
DUTIES = Fact(
    "double that must have tiles first",
    lambda rules: bool(rules.layout.opening_first or rules.layout.doubles_first),
)

ROWS: tuple[Need, ...] = (
    # Arms with owners
    Need(
        {"layout.arms": "own"},
        {"draw.then": "play", "draw.voluntary": False},
        "a marker says that nothing could be played",
    ),
    Need(
        {"layout.arms": "own"},
        {"turn.until": "first_out"},
        "who is out would never open their train",
    ),
    # How a round opens
    Need(
        {"opening.tile": "that_double"},
        {"opening.starter": BY_DOUBLE},
        "the starter is the one who holds it",
    ),
    Need(
        {"opening.starter": "round_double"},
        {"opening.tile": "that_double"},
        "who holds the double of the round opens with it",
    ),
    Need(
        {"opening.tile": "middle"},
        {"opening.starter": either("lot", "in_turn")},
        "the middle tile is nobody's, and says nothing of who starts",
    ),
    Need(
        {"opening.starter": "round_double"},
        {"opening.later": "as_first"},
        "the double of the round says who leads",
    ),
    Need(
        {"opening.without_double": "highest_tile"},
        {"opening.starter": BY_RANK},
        "the highest tile stands in for the starter's double",
    ),
    Need(
        {"opening.direction": "chosen"},
        {"opening.tile": "that_double"},
        "the owner of the opening tile chooses the direction",
    ),
    Need(
        {"opening.tile": "top_of_row"},
        {"opening.starter": either("lot", "in_turn")},
        "nobody has seen a tile when the top of a row opens",
    ),
    Need(
        {"opening.lowest": more_than(0)},
        {"opening.starter": "lowest_double"},
        "it is the lowest double that opens",
    ),
    Need(
        {"opening.after_draw": other_than("as_first")},
        {"opening.later": other_than("as_first")},
        "where all rounds begin as the first one, so does that",
    ),
    Need(
        {"opening.yields": True},
        {"opening.later": "winner"},
        "only a winner has a lead to leave to somebody",
    ),
    # The shape of the layout
    Need(
        {"layout.tiles": "curved"},
        {"layout.arms": "two", "layout.doubles": "through"},
        "a curved tile has two ends",
    ),
    Need(
        {"layout.meeting": "forbidden"},
        {"layout.tiles": "curved"},
        "ends of straight lines do not meet",
    ),
    Need(
        {"layout.opening_first": more_than(0)},
        {"layout.arms": either("four", "six")},
        "only there all sides of the opening double lie open",
    ),
    Need(
        {"layout.opening_first": more_than(4)},
        {"layout.arms": "six"},
        "the opening double has four sides",
    ),
    Need(
        {"layout.doubles_first": more_than(1)},
        {"layout.doubles": other_than("through")},
        "such a double has one side to play on",
    ),
    Need(
        {"layout.doubles_first": more_than(2)},
        {"layout.doubles": other_than("fork")},
        "a forked double has two sides",
    ),
    Need(
        {"layout.doubles_first": more_than(0)},
        {"layout.doubles_first": either(1, 2, 3)},
        "no later double has more sides to play on",
    ),
    Need(
        {"layout.doubles_first": more_than(0)},
        {"layout.tiles": "straight"},
        "a curved double is a tile like others",
    ),
    Need(
        {"layout.hopeless": other_than("stays")},
        {DUTIES: True},
        "it says what becomes of a double that must have tiles",
    ),
    Need(
        {"layout.arms": "own"},
        {"layout.doubles": "through"},
        "an arm with an owner does not branch",
    ),
    # Drawing
    Need(
        {"draw.then": either("end_turn", "may_pass")},
        {"draw.forced": "one"},
        "it says what follows a single forced draw",
    ),
    Need(
        {"draw.voluntary_then": "end_turn"},
        {"draw.voluntary": True},
        "it says what follows a draw by choice",
    ),
    # The whole game: its tiles and seats
    Need(
        {"set": LISTED},
        {"tiles": other_than(())},
        "the tiles of this set are written one by one",
    ),
    Need({"tiles": other_than(())}, {"set": LISTED}, "every other set has its own tiles"),
    Need(
        {"match.by": "sum"},
        {"set": other_than(LISTED)},
        "halves add up to the highest number of a double set",
    ),
    Need({"teams": True}, {"players": (4,)}, "teams are two against two"),
    Need({"opening.yields": True}, {"teams": True}, "the lead is left to a partner"),
    Need({"turn.until": "team_out"}, {"teams": True}, "it takes both partners of a team"),
    Need({"blocked.to": "lowest_team"}, {"teams": True}, "it adds up the hands of partners"),
    Need({"blocked.shared": "starter_team"}, {"teams": True}, "it is one of the teams that wins"),
    Need(
        {"turn.until": "team_out"},
        {"round.worth": other_than("places")},
        "a team wins, and nobody has a place",
    ),
    Need({"left_out": other_than(())}, {"rows": False}, "all tiles of a set lie in rows"),
    # Rows
    Need({"rows": True}, {"opening.tile": "top_of_row"}, "rows are opened by their top tile"),
    Need({"opening.tile": "top_of_row"}, {"rows": True}, "only rows have a top tile"),
    Need(
        {"rows": True},
        {"draw.forced": "none", "draw.voluntary": False},
        "a game of rows draws nothing",
    ),
    Need({"rows": True}, {"draw.reserve": 0}, "a game of rows draws nothing"),
    Need({"rows": True}, {"turn.says_domino": False}, "a game of rows draws no penalty tile"),
    Need(
        {"rows": True},
        {"turn.stuck": "passes"},
        "a tile of a row that does not fit only ends the turn",
    ),
    Need(
        {"rows": True},
        {"turn.until": "first_out"},
        "nobody flips a tile of an empty row",
    ),
    Need({"rows": True}, {ACTION_HALVES: False}, "a game of rows draws nothing"),
    Need(
        {"rows": True},
        {"layout.doubles_first": 0},
        "the top of a row cannot be chosen to fit a double",
    ),
    # Openings and layouts
    Need(
        {"layout.arms": FROM_A_DOUBLE},
        {"opening.tile": either("that_double", "middle")},
        "such arms grow from a double",
    ),
    Need(
        {"layout.arms": FROM_A_DOUBLE},
        {"opening.without_double": "deal_again"},
        "such arms grow from a double, and no other tile stands in for it",
    ),
    Need(
        {"layout.doubles_first": more_than(0)},
        {"match.by": "same"},
        "a double is covered by halves that are the same",
    ),
    Need(
        {"turn.again": "to_cover"},
        {"layout.doubles_first": more_than(0)},
        "the player goes on where a double must have tiles",
    ),
    Need(
        {"turn.first_turn": "own_line"},
        {"layout.arms": "own", "turn.again": either("never", "to_cover")},
        "it goes on along a player's own train",
    ),
    Need(
        {"layout.arms": FROM_A_DOUBLE, "opening.tile": "that_double"},
        {"opening.later": "as_first"},
        "such arms grow from a double, and a free lead can be any tile",
    ),
    Need(
        {"tile_set.num_doubles": more_than(MAX_BRANCHES)},
        {"layout.doubles": "through"},
        f"at most {MAX_BRANCHES} doubles of tiles can branch",
    ),
    Need(
        {"opening.tile": "two_from_boneyard"},
        {"layout.tiles": "curved"},
        "two tiles lie back to back where tiles are curved",
    ),
    Need(
        {"draw.while_crossing": other_than("as_forced")},
        {"layout.opening_first": more_than(0)},
        "it holds until the opening double has its tiles",
    ),
    Need(
        {"draw.while_crossing": "until_playable"},
        {"draw.then": "play"},
        "what follows a single draw does not follow several",
    ),
    # Symbols of listed tiles, and stakes
    Need(
        {ACTION_HALVES: True},
        {"turn.again": "never"},
        "these halves say how a turn goes on",
    ),
    Need(
        {"turn.raised_by": other_than("")},
        {RAISER: True},
        "who plays that tile may raise the stakes",
    ),
)
