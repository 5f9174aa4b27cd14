"""What an action looks like to an agent that weighs it: features for linear policies."""
