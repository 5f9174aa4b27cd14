"""Training on a Ray cluster, by RLlib: `domino train ... --engine ray`.

    from domino_env.execution.ray_executor import connected
    from domino_env.train.rllib.ray_backend import ClusterSchool

    with connected("auto"):
        run(settings, folder, ClusterSchool)

RLlib has the algorithm (`algorithm`: its PPO, on whole rounds of self-play), the tables where
rounds are played (`table`: environment runners), those who learn (`student`: learners) and the
network (`network`: a module). The rounds of an iteration are dealt to a fixed number of tables, and
gradients are added up in a fixed order; so what comes of a run depends on its settings alone, and
not on how many play and learn, or on who dies on the way.
"""
