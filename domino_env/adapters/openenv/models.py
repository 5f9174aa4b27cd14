"""What goes over the wire: answers one way, prompts the other."""

from __future__ import annotations

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field


class DominoAction(Action):
    """What the seat to move has answered."""

    answer: str = Field(description="A move in words, as a person or a model writes it")


class DominoObservation(Observation):
    """What the seat to move may know, and what the last answer has brought.

    `reward` is what the seat that answered has earned since its last move.
    """

    prompt: str = Field(description="The table, the hand, what has happened, and the question")
    seat: int = Field(description="The seat that is asked; -1: the game is over")
    answered: int = Field(default=-1, description="The seat that has answered; -1 after a reset")
    refused: str = Field(default="", description="Why the last answer was no legal move")
    rewards: list[float] = Field(description="What each seat has earned in the step")
    points: list[int] = Field(description="The points of every seat")
    retries: int = Field(default=0, description="Answers of this game that were asked for again")
    forfeits: int = Field(
        default=0, description="1: the game was given up for want of a legal move"
    )


class DominoState(State):
    """What a session plays; nothing of it is hidden from a player but what the seed gives away."""

    game: str = ""
    seed: int = -1
    num_players: int = 0
    answering: list[int] = Field(default_factory=list, description="The seats that answer")
    points: list[int] = Field(default_factory=list)
