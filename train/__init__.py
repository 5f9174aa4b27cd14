"""Self-play training of policies: `domino train`.

`settings` are the hyperparameters, `training` runs the phases, `self_play` collects rollouts,
`oracle_teacher` has the targets for distillation, `local_learner` the network and its updates, and
`runner` checkpoints and reports. A `backend` runs iterations in this process (`local_backend`) or
on a Ray cluster (`rllib`).
"""

COMPILED = ("the training loop", 10)
