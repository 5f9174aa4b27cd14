"""What searches are made of: rollouts, the likelihood of a determinization, models of players."""

COMPILED = ("searches over worlds", 15)
