"""Learning algorithms of the literature, a page each, on the batch core: `domino learn`.

`hyperparameters` are the settings, `arena` the game, `contract` what all of them have in common.
What they are made of: `sampled` policies in rollouts, `tree_backup` of returns, a `reservoir` of
samples, and networks that are `fitted`. `curve` measures them, on mini games exactly.
"""
