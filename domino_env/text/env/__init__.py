"""`TextEnv`: a game as a conversation, prompts one way and answers the other.

    from domino_env import text

    env = text.TextEnv("block_draw", opponents="greedy_pip", seed=0)
    prompt = env.reset()
    done = False
    while not done:
        prompt, reward, done, info = env.step(my_model(prompt))

Every client for language models stands on this class.
"""

from domino_env.text.env.text_env import TextEnv

__all__ = ["TextEnv"]
