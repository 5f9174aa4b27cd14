"""Training: self-play, the learner, and the backends that run them, here or on a Ray cluster."""

COMPILED = ("the training loop", 10)
