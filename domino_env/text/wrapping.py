"""What an answer is wrapped in: thoughts, tags, boxes and fences, out of which it is taken."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning|scratchpad)>.*?</\1>", re.S | re.I)
_END_OF_THOUGHT = re.compile(r".*</(?:think|thinking|thought|reasoning|scratchpad)>", re.S | re.I)
_OPEN_THOUGHT = re.compile(r"<(?:think|thinking|thought|reasoning|scratchpad)>", re.I)
_MARKED = re.compile(
    r"<(?P<tag>answer|final_answer|move|action|final)>(?P<inside>.*?)</(?P=tag)>"
    r"|\\boxed\{(?P<boxed>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}",
    re.S | re.I,
)
_TAG = re.compile(r"</?[a-z_][a-z_ ]{0,30}/?>|<\|[a-z_]+\|>", re.I)
_FENCE = re.compile(r"```[a-z]*", re.I)
_LATEX = re.compile(r"\\(?:text|mathrm|rightarrow|to)\b|\\[()\[\]]|\$")


def unwrapped(answer: str) -> tuple[str, str]:
    """The text of an answer, and what is wrong with it, if anything is."""
    text = answer
    if "<" in text or "\\" in text or "```" in text:
        text = _END_OF_THOUGHT.sub(" ", _THOUGHT.sub(" ", text))
        if _OPEN_THOUGHT.search(text):
            return "", "no move is named: the answer ends in the middle of a thought"
        text = _FENCE.sub("\n", _last_marked(text))
        text = _LATEX.sub(" ", _TAG.sub(" ", text))
    return text, ""


def _last_marked(text: str) -> str:
    """From what is marked as the answer on, if anything is."""
    last = None
    for found in _MARKED.finditer(text):
        last = found
    if last is None:
        return text
    inside = last["inside"] if last["inside"] is not None else last["boxed"]
    return f"{inside}\n{text[last.end() :]}"
