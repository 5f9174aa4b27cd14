"""Games of trains and feet: a double lies in the middle, and everything grows from it."""

from domino_env.ruleset import Draw, Layout, Opening, Option, Round, Rules, Turn

GROUP = 1  # listed after the games of the rulebooks

MIDDLE_BY_LOT = Opening(starter="lot", tile="middle", later="next_seat", after_draw="next_seat")
TWO_TO_EIGHT = (4, 2, 3, 5, 6, 7, 8)

MEXICAN_TRAIN = Rules(
    id="mexican_train",
    title="Mexican Train",
    summary="a train for each player and one for all",
    source="Games of the world",
    set="double_12",
    sets=("double_12", "double_9", "double_15"),
    players=TWO_TO_EIGHT,
    hand_size=(
        ("double_12", ((2, 15), (3, 15), (4, 15), (5, 12), (6, 12), (7, 10), (8, 10))),
        ("double_9", ((2, 12), (3, 11), (4, 10))),
        ("double_15", ((2, 15), (3, 15), (4, 15), (5, 15), (6, 15), (7, 12), (8, 12))),
    ),
    opening=MIDDLE_BY_LOT,
    layout=Layout(arms="own", doubles_first=1, hopeless="lifted"),
    draw=Draw(forced="one"),
    turn=Turn(again="to_cover"),
    round=Round(penalties=True),
    target=None,
)

CHICKENFOOT = Rules(
    id="chickenfoot",
    title="Chickenfoot",
    summary="every double needs three toes first",
    source="Games of the world",
    set="double_9",
    sets=("double_9", "double_12", "double_15"),
    players=TWO_TO_EIGHT,
    hand_size=(
        ("double_9", ((2, 21), (3, 14), (4, 11), (5, 8), (6, 7), (7, 6), (8, 5))),
        ("double_12", ((4, 12), (5, 10), (6, 8), (7, 7), (8, 6))),
        ("double_15", ((6, 12), (7, 10), (8, 9))),
    ),
    opening=MIDDLE_BY_LOT,
    layout=Layout(arms="four", doubles="foot", opening_first=4, doubles_first=3, hopeless="blocks"),
    draw=Draw(forced="one"),
    round=Round(penalties=True),
    worths=(("0|0", 50),),
    target=None,
)

OPTIONS = {
    "mexican_train": {
        "own_line_on_first_turn": Option(
            "in a first turn one may go on along one's own train",
            {"turn": {"first_turn": "own_line"}},
        ),
        "double_blank_50": Option("0|0 left in hand counts 50", {"worths": (("0|0", 50),)}),
        "middle_is_dealt": Option(
            "the middle is dealt like any tile, and its holder opens with it",
            {
                "opening": {
                    "starter": "round_double",
                    "tile": "that_double",
                    "later": "as_first",
                    "after_draw": "as_first",
                }
            },
        ),
    },
    "chickenfoot": {
        "double_blank_0": Option("0|0 left in hand counts nothing", {"worths": ()}),
        "six_toes_on_middle": Option(
            "six sides of the middle come first", {"layout": {"arms": "six", "opening_first": 6}}
        ),
        "draw_until_playable": Option(
            "who cannot play draws until a tile fits", {"draw": {"forced": "until_playable"}}
        ),
        "say_last_tile": Option(
            "who is left with one tile must say so", {"turn": {"says_domino": True}}
        ),
    },
}
