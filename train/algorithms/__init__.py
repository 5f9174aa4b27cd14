"""Learning algorithms of the literature, a page each, on the batch core: `domino learn`.

`hyperparameters` are the settings, `arena` the game, `contract` what all of them have in common.
What they are made of: `sampled` agents in rollouts, `courses` of rounds, a `memory`, and networks
that are `fitted`. `curve` measures them, on mini games exactly.
"""
