"""Fruitominoes: fruit for pips, and doubles that branch in a T."""

from domino_env.ruleset import Draw, Layout, Round, Rules

FRUITOMINOES = Rules(
    id="fruitominoes",
    title="Fruitominoes",
    summary="doubles branch in a T; best of ten rounds",
    source="Fruitominoes",
    sets=("double_6",),
    hand_size=5,
    layout=Layout(arms="four", doubles="fork"),
    draw=Draw(forced="one", then="end_turn"),
    round=Round(worth="points"),
    target=None,
    rounds=10,
)
