"""Games as text, for people and language models: prompts, and moves read back.

    from domino_env import text

    text.rules("block_draw")             # the rules in plain words
    text.prompt(batch, lane)             # what the seat to move may know, and the question
    text.parse(batch, "5-3 on the 4")    # the move that an answer names, or an error that says why
    text.TextEnv("block_draw")           # a game as a conversation
    text.positions("block_draw")         # decisions with the value of every legal move

See docs/text.md.
"""

from typing import TYPE_CHECKING

from domino_env.errors import IllegalMove, NotAMove
from domino_env.lazy import lazy_exports

if TYPE_CHECKING:
    from domino_env.text.env import TextEnv as TextEnv
    from domino_env.text.parsing import parse as parse
    from domino_env.text.prompting import describe as describe
    from domino_env.text.prompting import prompt as prompt
    from domino_env.text.rulebook import rules as rules
    from domino_env.text.valued_positions import ValuedPosition as ValuedPosition
    from domino_env.text.valued_positions import position as position
    from domino_env.text.valued_positions import position_names as position_names
    from domino_env.text.valued_positions import position_tasks as position_tasks
    from domino_env.text.valued_positions import positions as positions

_EXPORTS = {
    "TextEnv": "env",
    "ValuedPosition": "valued_positions",
    "describe": "prompting",
    "parse": "parsing",
    "position": "valued_positions",
    "position_names": "valued_positions",
    "position_tasks": "valued_positions",
    "positions": "valued_positions",
    "prompt": "prompting",
    "rules": "rulebook",
}
__all__ = ["IllegalMove", "NotAMove", *_EXPORTS]
__getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
