"""What searches are made of: rollouts, and the likelihood of a determinization."""
