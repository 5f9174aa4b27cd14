"""What settings of scoring need: plays, rounds and bonuses that are paid, and how a match ends."""

from __future__ import annotations

from domino_env.ruleset.conditions import Fact, Need, either, more_than, other_than

LAST_TILE_RATED = Fact(
    "bonuses.fits_both_ends or round.key",
    lambda rules: rules.bonuses.fits_both_ends > 0 or rules.round.key > 0,
)
BONUS_OF_ROUNDS = Fact("bonus of a round", lambda rules: bool(rules.bonuses.of_rounds))
BONUS_OF_PASSES = Fact("bonus for passes", lambda rules: bool(rules.bonuses.of_passes))
ENDS_BY_ROUNDS = Fact("rounds, or a double for each", lambda rules: rules.most_rounds is not None)

ROWS: tuple[Need, ...] = (
    # Points
    Need(
        {"plays.out": more_than(0)},
        {"plays.by": other_than("nothing")},
        "it is one score with what the ends make",
    ),
    Need(
        {"round.key": more_than(0)},
        {"round.worth": "points"},
        "it is worth so many points instead",
    ),
    Need(
        {"blocked.shared": "starter_team"},
        {"blocked.to": other_than("nobody")},
        "nobody wins a blocked round",
    ),
    Need(
        {"tally.keeps_last": True},
        {"tally.wiped": other_than("never")},
        "it says what is left of scores that are wiped out",
    ),
    Need(
        {"plays.called": True},
        {"plays.by": other_than("nothing")},
        "only points of plays are called",
    ),
    Need(
        {"round.worth": "points"},
        {"round.points": more_than(0)},
        "a round that is worth nothing has a word of its own",
    ),
    Need(
        {"round.worth": "places"},
        {"round.places": other_than(())},
        "places say what a round is worth",
    ),
    Need(
        {"round.places": other_than(())},
        {"round.worth": "places"},
        "only a round that is worth something for each place has them",
    ),
    Need(
        {"round.rounded_up": more_than(1)},
        {"round.nearest": 1},
        "the worth of a round is rounded once",
    ),
    Need(
        {"round.penalties": True},
        {"round.worth": "others_pips", "round.to": "winner"},
        "everyone is charged their own pips, and nobody scores a round",
    ),
    Need(
        {"round.out_bonus": more_than(0)},
        {"round.penalties": True},
        "it is a penalty for each of the others",
    ),
    # What scores
    Need(
        {"plays.by": "same_ends"},
        {"layout.arms": "two", "layout.doubles": "through"},
        "it compares the two ends of one line",
    ),
    Need(
        {"plays.by": "same_ends"},
        {"layout.tiles": "straight"},
        "ends of curved lines may meet and be gone",
    ),
    Need(
        {"plays.by": "multiples"},
        {
            "layout.arms": "two",
            "layout.doubles": either("through", "spinner", "first_spinner"),
        },
        "it counts the ends of two arms",
    ),
    Need(
        {"round.penalties": True},
        {"teams": False},
        "penalties are charged to each player",
    ),
    Need(
        {"round.worth": "all_pips"},
        {"blocked.less_own": False},
        "the winner's own pips count, and are not taken off",
    ),
    Need(
        {"round.worth": "nothing"},
        {"plays.by": other_than("nothing")},
        "something must score",
    ),
    Need(
        {LAST_TILE_RATED: True},
        {"layout.tiles": "straight", "layout.arms": "two", "layout.doubles": "through"},
        "a tile fits both ends of one line",
    ),
    Need(
        {BONUS_OF_ROUNDS: True},
        {"round.worth": other_than("places")},
        "it goes to the winner of the round, and places have several",
    ),
    Need(
        {"bonuses.different_ends": True},
        {"bonuses.fits_both_ends": more_than(0)},
        "it says when that bonus is paid",
    ),
    Need(
        {"bonuses.no_blanks": True},
        {"bonuses.fits_both_ends": more_than(0)},
        "it says when that bonus is paid",
    ),
    # How a match ends
    Need({"target": None}, {ENDS_BY_ROUNDS: True}, "a match must end"),
    Need(
        {"tally.wiped": other_than("never")},
        {"tally.cut_off": other_than(None)},
        "scores that are wiped out again and again reach no target",
    ),
    Need(
        {"tally.least_first": more_than(0)},
        {"round.worth": either("others_pips", "all_pips"), "round.penalties": False},
        "it is about rounds that are worth more or less",
    ),
    Need(
        {"round.penalties": True},
        {ENDS_BY_ROUNDS: True},
        "who is only charged never reaches a target",
    ),
    Need({"exact": True}, {"target": other_than(None)}, "there must be a target to hit"),
    Need({"exact": True}, {"tally.wiped": "never"}, "the first to hit the target has won"),
    Need(
        {"exact": True, BONUS_OF_PASSES: True},
        {"opening.tile": "any"},
        "an opening that may end the match must be a decision",
    ),
    Need(
        {"exact": True, "plays.by": other_than("nothing")},
        {"opening.tile": "any"},
        "an opening that may end the match must be a decision",
    ),
    Need(
        {"exact": True},
        {"round.worth": other_than("places")},
        "the first to hit the target wins, and places are paid to all at once",
    ),
)
