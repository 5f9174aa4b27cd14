"""Games that people play in pubs, parks and kitchens, on a line: scoring the ends, the Latin block
game and its nations, and six love (`rulings-world.md`)."""

from dataclasses import replace

from domino_env.ruleset import (
    Blocked,
    Bonuses,
    Draw,
    Layout,
    Opening,
    Option,
    Plays,
    Round,
    Rules,
    Tally,
)

GROUP = 1  # listed after the games of the rulebooks

NO_DRAW = Draw(forced="none")
FREE_BY_LOT = Opening(starter="lot", tile="any")

# Scoring the ends ---------------------------------------------------------------------------------

ALL_FIVES_SPINNER = Rules(
    id="all_fives_spinner",
    title="All Fives, One Spinner",
    summary="the first double is played on four sides; fives score",
    source="Games of the world",
    hand_size=(7, 5, 5),
    opening=replace(FREE_BY_LOT, later="winner"),
    layout=Layout(doubles="first_spinner"),
    plays=Plays(by="multiples", called=True),
    round=Round(nearest=5),
    target=150,
)

FIVES_AND_THREES = Rules(
    id="fives_and_threes",
    title="Fives and Threes",
    summary="ends that divide by five or three; exactly 61",
    source="Games of the world",
    sets=("double_6",),
    hand_size=(7, 5, 5),
    opening=replace(FREE_BY_LOT, later="next_seat", after_draw="next_seat"),
    draw=NO_DRAW,
    plays=Plays(by="multiples", multiples=(5, 3), points="division", out=1),
    round=Round(worth="nothing"),
    blocked=Blocked(to="nobody"),
    target=61,
    exact=True,
)

# The Latin block game and its nations -------------------------------------------------------------

BY_TEAMS = Blocked(to="lowest_team", less_own=False)
BY_HANDS = Blocked(to="lowest_pips", less_own=False)

PARTNERSHIP_BLOCK = Rules(
    id="partnership_block",
    title="Partnership Dominoes",
    summary="the Latin game: all tiles dealt, no draw, to 100",
    source="Games of the world",
    sets=("double_6",),
    players=(4,),
    teams=True,
    hand_size=7,
    opening=Opening(later="next_seat", after_draw="next_seat"),
    draw=NO_DRAW,
    blocked=BY_TEAMS,
)

VENEZUELAN = replace(
    PARTNERSHIP_BLOCK,
    id="venezuelan",
    title="Venezuelan Dominoes",
    summary="the Latin game, and all four hands are counted",
    round=Round(worth="all_pips"),
)

DOMINICAN = replace(
    PARTNERSHIP_BLOCK,
    id="dominican",
    title="Dominican Dominoes",
    summary="bonuses for passes and the capicúa, to 200",
    opening=Opening(later="winner"),
    round=Round(worth="all_pips"),
    blocked=replace(BY_HANDS, shared="starter_team"),
    bonuses=Bonuses(fits_both_ends=25, opening_pass=25, round_pass=25),
    target=200,
)

PUERTO_RICAN = replace(
    PARTNERSHIP_BLOCK,
    id="puerto_rican",
    title="Puerto Rican 500",
    summary="bonuses for early rounds, capicú and chuchazo",
    opening=Opening(later="winner", after_draw="same_seat"),
    round=Round(worth="all_pips"),
    bonuses=Bonuses(fits_both_ends=100, double_blank=100, by_round=(100, 75, 50, 25)),
    target=500,
)

CUBAN = replace(
    PARTNERSHIP_BLOCK,
    id="cuban",
    title="Cuban Dominoes",
    summary="ten tiles each, fifteen stay unseen",
    set="double_9",
    sets=("double_9",),
    hand_size=10,
    opening=replace(FREE_BY_LOT, later="winner", after_draw="same_seat"),
    blocked=BY_HANDS,
    target=150,
)

KOZEL = replace(
    PARTNERSHIP_BLOCK,
    id="kozel",
    title="Kozel (Goat)",
    summary="opens with 1-1; small first scores are lost",
    opening=Opening(starter="lowest_double", lowest=1, later="winner"),
    tally=Tally(least_first=13),
    target=101,
)

# Six love -----------------------------------------------------------------------------------------

JAMAICAN_PARTNER = replace(
    PARTNERSHIP_BLOCK,
    id="jamaican_partner",
    title="Jamaican Partner",
    summary="six rounds won in a row: six love",
    opening=Opening(later="winner"),
    round=Round(worth="points", key=2),
    blocked=BY_HANDS,
    tally=Tally(wiped="by_a_win", cut_off=500),
    target=6,
)

CUTTHROAT_BLOCK = replace(
    JAMAICAN_PARTNER,
    id="cutthroat_block",
    title="Cut-throat",
    summary="six love, each for himself",
    players=(2, 3, 4),
    teams=False,
    hand_size=(14, 9, 7),
    left_out=((3, "0|0"),),
    tally=Tally(wiped="when_all_have_won", cut_off=500),
)

# Options ------------------------------------------------------------------------------------------

TEXAS = {
    "players": (4,),
    "teams": True,
    "hand_size": 7,
    "draw": {"forced": "none"},
    "blocked": {"to": "lowest_team"},
}
NO_BONUSES = {
    "fits_both_ends": 0,
    "double_blank": 0,
    "opening_pass": 0,
    "round_pass": 0,
    "by_round": (),
}
DIFFERENT_ENDS = Option(
    "no bonus for a tile that fits both ends where they are the same",
    {"bonuses": {"different_ends": True}},
)

OPTIONS = {
    ALL_FIVES_SPINNER.id: {
        "partners": Option("four in teams, seven each, no boneyard: the Texas game", TEXAS),
        "a_point_for_each_five": Option(
            "a point for each five, to 61",
            {"plays": {"points": "division"}, "round": {"pips_a_point": 5}, "target": 61},
        ),
    },
    FIVES_AND_THREES.id: {
        "partners": Option(
            "four in teams; a round lasts until both partners of one are out",
            {"players": (4,), "teams": True, "hand_size": 5, "turn": {"until": "team_out"}},
        ),
        "league": Option(
            "six each for four, nine each for two", {"players": (2, 4), "hand_size": (9, 6)}
        ),
    },
    VENEZUELAN.id: {
        "winner_leads": Option("the winner leads", {"opening": {"later": "winner"}}),
    },
    DOMINICAN.id: {
        "bonus_30": Option(
            "30 for each bonus",
            {"bonuses": {"fits_both_ends": 30, "opening_pass": 30, "round_pass": 30}},
        ),
        "pass_on_lead_50": Option(
            "50 for an opening pass on a tile that is no double",
            {"bonuses": {"opening_pass_no_double": 50}},
        ),
        "no_capicua_with_blank": Option(
            "no capicúa with a blank", {"bonuses": {"no_blanks": True}}
        ),
        "only_different_ends": DIFFERENT_ENDS,
        "club": Option(
            "no bonuses, the other team's hands, blocked by teams",
            {
                "opening": {"after_draw": "same_seat"},
                "round": {"worth": "others_pips"},
                "blocked": {"to": "lowest_team", "shared": "nobody"},
                "bonuses": NO_BONUSES,
            },
        ),
    },
    PUERTO_RICAN.id: {
        "san_juan": Option("to 200 without any bonus", {"bonuses": NO_BONUSES, "target": 200}),
        "block_bonus": Option(
            "100 for winning a round that one's own team has blocked",
            {"bonuses": {"own_block": 100}},
        ),
        "only_different_ends": DIFFERENT_ENDS,
    },
    CUBAN.id: {
        "highest_double_opens": Option(
            "the highest double opens the first round",
            {"opening": {"starter": "highest_double", "tile": "that_double"}},
        ),
        "team_totals": Option("blocked by the totals of teams", {"blocked": {"to": "lowest_team"}}),
    },
    KOZEL.id: {
        "first_score_25": Option("25 for 13", {"tally": {"least_first": 25}}),
    },
    JAMAICAN_PARTNER.id: {
        "lead": Option(
            "the winner first decides to LEAD or to YIELD to the partner",
            choices={"team": {"opening": {"yields": True}}},
        ),
        "straight_six": Option("nothing is wiped out", {"tally": {"wiped": "never"}}),
        "no_key": Option("no 2 for the key", {"round": {"key": 0}}),
        "keep_after_bruk": Option(
            "after a bruk the winners keep what the round was worth",
            {"tally": {"keeps_last": True}},
        ),
    },
    CUTTHROAT_BLOCK.id: {
        "pips": Option(
            "the winner scores all others' hands, to 100",
            {
                "round": {"worth": "others_pips", "key": 0},
                "tally": {"wiped": "never", "cut_off": None},
                "target": 100,
            },
        ),
    },
}
