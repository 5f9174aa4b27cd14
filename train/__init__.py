"""Self-play training of policies: `domino train`.

`settings` are the hyperparameters, `training` runs the phases, `self_play` collects rollouts of
`decisions`, `oracle_teacher` has the targets for distillation, `networks` and `losses` are what
`local_learner` trains, and `runner` checkpoints and reports. A `backend` runs iterations in this
process (`local_backend`) or on a Ray cluster (`rllib`). `sb3_baseline` is sb3-contrib's own
training, to compare with.
"""

COMPILED = ("the training loop", 10)
