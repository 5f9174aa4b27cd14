"""The least learner there is, for clients that bring none: a linear policy, trained by policy
gradients in NumPy alone."""

from typing import Any

import numpy as np


class Softmax:
    """Chooses among the legal actions, the likelier the more their features speak for them."""

    def __init__(self, features: int, actions: int, seed: int, rate: float) -> None:
        self.weights = np.zeros((features, actions), np.float32)
        self.rate = rate
        self._rng = np.random.default_rng(seed)
        self._mean, self._spread = 0.0, 1.0  # of what a round brings

    def chances(self, observations: Any, masks: Any) -> Any:
        """How likely each action is: [N, A]."""
        logits = np.where(masks == 1, observations @ self.weights, -1e9)
        shares = np.exp(logits - logits.max(1, keepdims=True)) * (masks == 1)
        return shares / np.maximum(shares.sum(1, keepdims=True), 1e-9)

    def __call__(self, observations: Any, masks: Any) -> Any:
        """An action for each observation; 0 where there is none to take."""
        reached = self.chances(observations, masks).cumsum(1)
        drawn = self._rng.random((len(reached), 1)) * reached[:, -1:]
        return (reached <= drawn).sum(1).clip(max=reached.shape[1] - 1) * (reached[:, -1] > 0)

    def learn(self, observations: Any, masks: Any, actions: Any, returns: Any) -> None:
        """Makes likelier what brought more than usual, and less likely what brought less."""
        better = (returns - self._mean) / self._spread
        self._mean += 0.1 * (float(returns.mean()) - self._mean)
        self._spread += 0.1 * (float(returns.std()) + 1e-3 - self._spread)
        pull = -self.chances(observations, masks)
        pull[np.arange(len(actions)), actions] += 1
        self.weights += self.rate * observations.T @ (pull * better[:, None]) / len(actions)
