"""Games as text, for people and language models: prompts, and moves read back."""

from domino_env.errors import IllegalMove, NotAMove
from domino_env.text.parsing import parse
from domino_env.text.prompting import describe, prompt

__all__ = ["IllegalMove", "NotAMove", "describe", "parse", "prompt"]
