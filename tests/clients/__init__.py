"""Real trainers learn with these environments, each in an environment of its own."""
