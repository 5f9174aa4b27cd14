"""The words for what happens in a game: one place for positions, the page, prompts and records."""

from __future__ import annotations

EVENTS = {
    "play": "plays {tile} on end {end}",
    "draw": "draws {tile}",
    "flip": "flips {tile}",
    "back": "puts {tile} at the bottom",
    "start": "lays out {tile}",
    "pass": "passes",
    "end_turn": "ends the turn",
    "call": "calls",
    "silent": "keeps silent",
    "take": "takes {tile} from {giver}",
    "clockwise": "chooses clockwise",
    "counter": "chooses counterclockwise",
    "reverse": "reverses the turns",
    "keep": "keeps the direction",
    "raise": "raises the stakes",
    "hold": "holds the stakes",
    "accept": "accepts the stakes",
    "refuse": "refuses the stakes",
    "lead": "leads",
    "yield": "leaves the lead to the partner",
}
"""What a seat does, by the kind of the event."""

ALONE = {
    "remove": "{tile} is removed",
    "knock": "{tile} and {other} are knocked out",
    "move": "{tile} goes to column {place}",
    "turn_up": "{tile} turns up in column {place}",
    "won": "all is done",
    "stop": "the player stops",
    "stuck": "nothing more can be done",
    "cut_off": "the last move has been made",
}
"""What happens in a one-player game."""

QUESTIONS = {
    "points": "Call {claim} points?",
    "domino": "Say “Domino!”?",
    "direction": "Which way should turns go?",
    "reverse": "Reverse the turns?",
    "raise": "Raise the stakes of this round?",
    "accept": "The stakes are to be raised. Accept?",
    "lead": "You won. Lead this round, or leave it to your partner?",
}
"""What a seat may be asked, if not for a move."""

TURNS = ("turning right", "turning left")
"""How a curved tile lies, by the half that joins (B3)."""

_IRREGULAR = {"passes": "pass", "goes": "go", "has": "have"}


def for_you(verb: str) -> str:
    """A verb of the third person as "you" has it."""
    return _IRREGULAR.get(verb, verb.removesuffix("s"))
