"""Every multiplayer game as an OpenSpiel game with explicit chance nodes.

    import pyspiel
    import domino_env.adapters.openspiel  # registers "domino"

    game = pyspiel.load_game("domino(variant=block_draw,players=2,max_pip=3,hand_size=3)")
    house = domino_env.adapters.openspiel.load(my_rules, num_players=2, reward="win")

Parameters of "domino": `variant`, an id; `players`, 0 for the usual number; `max_pip`, 0 for the
game's own set, else 2, 3, 6, 9, 12 or 15; `hand_size`, 0 for the game's own or, where the set is
too small for that, the largest that leaves a boneyard to draw from; `episode`, `reward` and
`calls`, as for `Batch`. `load` makes the game of any `Rules`.

**Chance** is explicit, and comes as late as possible:

- Where the first player is drawn by lot, that is the first chance node.
- A start tile is taken before hands are dealt (YT1): uniformly from those that are not doubles.
- Each hand is dealt tile by tile in ascending order, so that it is reached in one way only. A row,
  whose order matters, is dealt in that order, starting with the tile that opens. A tile's
  probability is proportional to the number of deals that continue from it; deals that the rules
  would deal again are not counted (G3, G5), so there are no loops. `chance` counts with binomials.
- Drawing from the boneyard is a chance node at the time of the draw; all unknown tiles are equally
  likely.
- A tile taken out of a hand at random is a chance node (FN4, G12).
- In a match every round is dealt this way.

A decision that draws waits for chance: it is tried on the engine with the boneyard in any order. If
it has drawn a tile that is not determined yet, it is taken back, that tile becomes a chance node,
and the decision is tried again with it.

Where house rules keep a reserve that is never drawn, the hands alone do not show whether a round
can begin at all. (With their own hands this cannot happen in any game here.) If everything that may
be drawn has been drawn before anybody has had a decision, the game ends with a return of 0 for
everyone; in a match the round is dealt again. No decision has been made by then, so optimal play is
not affected.
"""

from domino_env.adapters.openspiel.spiel_game import DominoGame, DominoState, load

__all__ = ["DominoGame", "DominoState", "load"]
