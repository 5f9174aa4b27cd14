"""Every multiplayer game as an OpenSpiel game with explicit chance nodes.

    import pyspiel
    import domino_env.adapters.openspiel  # registers "domino"

    game = pyspiel.load_game("domino(variant=block_draw,players=2,max_pip=3,hand_size=3)")
    house = domino_env.adapters.openspiel.load(my_rules, num_players=2, reward="win")

Parameters of "domino": `variant`, an id; `players`, 0 for its usual number; `max_pip`, 0 for its
own set, else 2, 3, 6, 9, 12 or 15; `hand_size`, 0 for its own, or, where the set is too small for
that, the largest that leaves a boneyard to draw from; `episode`, `reward` and `calls`, as of
`Batch`. `load` makes the game of any `Rules`.

**Chance** is explicit, and comes as late as it can:

- Where lots are drawn for the first player, that is the first chance node.
- A start tile is taken before hands are dealt (YT1): any that is no double, each as likely.
- Each hand is dealt tile by tile in ascending order, so that it is reached in one way only. A row,
  whose order matters, is dealt in that order, the tile that opens first. A tile's probability is
  the number of deals that lead on from it, over all; deals that the rules would deal again are not
  counted (G3, G5). So there are none, and no loop: `chance` counts them with binomials.
- A tile of the boneyard is a chance node when it is drawn, and not before; each tile that is not
  known yet is as likely.
- A tile taken out of a hand at random is a chance node (FN4, G12).
- In a match every round is dealt so.

A decision that draws waits for chance: it is tried on the engine with the boneyard in any order,
and if it has drawn a tile that is not determined, it is taken back, that tile becomes a chance
node, and the decision is tried again with it.

What hands alone cannot tell is whether a round can begin at all where a reserve is never drawn: a
freak of house rules, impossible in every game here with its own hands. If all of the boneyard that
may be drawn has come to nothing before anybody has had a decision, the game ends, with nothing for
anyone; in a match the round is dealt again. No decision has been made by then, so nobody's best
play is any other for it.
"""

from domino_env.adapters.openspiel.spiel_game import DominoGame, DominoState, load

__all__ = ["DominoGame", "DominoState", "load"]
