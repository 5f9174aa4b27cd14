"""How fast it is, beside others, measured in one run."""
