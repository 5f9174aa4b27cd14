"""Fruitominoes: fruit for pips, and doubles that branch in a T."""

from domino_env.ruleset import Draw, Layout, Rules, Scoring

FRUITOMINOES = Rules(
    id="fruitominoes",
    title="Fruitominoes",
    summary="doubles branch in a T; best of ten rounds",
    source="Fruitominoes",
    sets=("double_6",),
    hand_size=5,
    layout=Layout(arms="four", doubles="fork"),
    draw=Draw(forced="one", then="end_turn"),
    scoring=Scoring(win=1),
    target=None,
    rounds=10,
)
