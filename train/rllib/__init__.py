"""Training on a Ray cluster, by RLlib: `domino train ... --engine ray`.

    from domino_env.execution.ray_executor import connected
    from domino_env.train.rllib.ray_backend import RayBackend

    with connected("auto"):
        run(settings, folder, RayBackend)

`algorithm` is RLlib's PPO on self-play rollouts, `env_runner` collects them, `learner` updates the
`rl_module`. The rounds of an iteration are divided among a fixed number of rollout shards, and
gradients are summed in a fixed order: so the result depends on the settings alone, and not on the
number of workers, or on which of them die.
"""
