"""Domino as it is played on YourTurnMyTurn: four rounds, fewest penalty points."""

from domino_env.ruleset import Draw, Opening, Round, Rules, Turn

YOURTURNMYTURN = Rules(
    id="yourturnmyturn",
    title="YourTurnMyTurn",
    summary="four rounds, fewest penalty points",
    source="YourTurnMyTurn",
    sets=("double_6",),
    players=(2,),
    hand_size=7,
    opening=Opening(starter="in_turn", tile="from_boneyard"),
    draw=Draw(reserve=2),
    turn=Turn(stuck="ends_round"),
    round=Round(penalties=True, out_bonus=5),
    target=None,
    rounds=4,
)
