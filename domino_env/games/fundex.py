"""The nine many-player games of the Fundex booklet that are played in straight lines."""

from domino_env.ruleset import Blocked, Draw, Layout, Match, Opening, Plays, Round, Rules, Turn

SEVEN_OR_FIVE = (7, 5, 5)  # two players take seven tiles, three or four take five
ANY_TILE_BY_LOT = Opening(starter="lot", tile="any")

BLOCK_DRAW = Rules(
    id="block_draw",
    title="Block & Draw",
    summary="the traditional game: draw until you can play",
    source="Fundex",
    hand_size=5,
)

ALL_FIVES = Rules(
    id="all_fives",
    title="All Fives",
    summary="score when the ends add to a multiple of five",
    source="Fundex",
    hand_size=SEVEN_OR_FIVE,
    plays=Plays(by="multiples", called=True),
    round=Round(nearest=5),
)

MATADOR = Rules(
    id="matador",
    title="Matador",
    summary="ends must sum to seven; four wild tiles",
    source="Fundex",
    sets=("double_6",),
    hand_size=SEVEN_OR_FIVE,
    match=Match(by="sum"),
    draw=Draw(voluntary=True),
)

BERGEN = Rules(
    id="bergen",
    title="Bergen",
    summary="score when both ends are the same",
    source="Fundex",
    hand_size=6,
    opening=Opening(starter="lowest_double"),
    draw=Draw(forced="one"),
    plays=Plays(by="same_ends"),
    round=Round(worth="points"),
    blocked=Blocked(to="no_doubles"),
    target=15,
)

BLIND = Rules(
    id="blind",
    title="Blind Dominoes",
    summary="nobody sees a tile until it is flipped",
    source="Fundex",
    players=(2, 3, 4, 5),
    hand_size="all",
    rows=True,
    opening=Opening(starter="lot", tile="top_of_row"),
    draw=Draw(forced="none"),
    turn=Turn(again="after_any"),
    round=Round(worth="points"),
    blocked=Blocked(to="fewest_tiles"),
    target=None,
    rounds=1,
)

CROSS = Rules(
    id="cross",
    title="Cross Dominoes",
    summary="the first double is a spinner, all four sides first",
    source="Fundex",
    hand_size=SEVEN_OR_FIVE,
    layout=Layout(arms="four", opening_first=4),
    draw=Draw(while_crossing="one"),
)

FIVE_UP = Rules(
    id="five_up",
    title="Five Up",
    summary="every double a spinner; exactly 61 wins",
    source="Fundex",
    hand_size=SEVEN_OR_FIVE,
    opening=ANY_TILE_BY_LOT,
    layout=Layout(doubles="spinner"),
    plays=Plays(by="multiples", points="division"),
    round=Round(nearest=5, pips_a_point=5),
    target=61,
    exact=True,
)

FOURS = Rules(
    id="fours",
    title="Fours",
    summary="keep playing as long as you can",
    source="Fundex",
    players=(4,),
    hand_size=5,
    opening=ANY_TILE_BY_LOT,
    turn=Turn(again="after_any"),
)

ONE_ARM_JOE = Rules(
    id="one_arm_joe",
    title="One-Arm Joe",
    summary="one open end; doubles play again",
    source="Fundex",
    hand_size=3,
    layout=Layout(arms="one"),
    turn=Turn(again="after_double"),
)
