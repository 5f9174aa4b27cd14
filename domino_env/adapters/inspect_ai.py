"""Games, and single decisions, as evaluations for Inspect.

    inspect eval domino_env/dominoes -T game=five_up -T opponents=heuristic --model MODEL
    inspect eval domino_env/domino_moves -T game=five_up --model MODEL

    from domino_env.adapters.inspect_ai import dominoes

    inspect_ai.eval(dominoes("five_up", games=100), model="mockllm/model")

A sample is a game: `domino_env.text.TextEnv` asks the model for every decision of its seat, and the
score is what the game has brought. All epochs of a sample, and all models, get the same deal. In
`domino_moves` a sample is one of `domino_env.text.positions`, and the score is what an answer gives
away.
"""

from __future__ import annotations

from typing import Any, Literal

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.util import LimitExceededError

from domino_env.games import DEFAULT_GAME, rules_of
from domino_env.text import TextEnv, position, positions

OUTCOMES = "outcomes"  # what is kept of a game in the store of its sample, by seat


@task
def dominoes(
    game: str = DEFAULT_GAME,
    games: int = 100,
    seed: int = 0,
    opponents: Any = "random",
    seat: Any = "random",
    num_players: int | None = None,
    episode: str = "round",
    reward: str = "win",
    calls: str = "automatic",
    on_illegal: str = "retry",
    retries: int = 2,
    history: bool = True,
    legal: bool = True,
    style: str = "plain",
) -> Task:
    """Plays games against agents, or of models against each other.

    Args:
        game: the id of a variant.
        games: how many.
        seed: of the first game; each later one has the next seed.
        opponents: who sits in the other seats, as for `TextEnv`. With "self", or where several
            seats answer, seat 0 is played by the model of the role `seat_0`, and so on; a role
            that is not given is played by the model that is evaluated.
        seat: the seat that answers, several of them, or "random".
        num_players, episode, reward, calls: as for `Batch`.
        on_illegal, retries, history, legal, style: as for `TextEnv`.
    """
    options = {
        "opponents": opponents,
        "seat": seat,
        "num_players": num_players,
        "episode": episode,
        "reward": reward,
        "calls": calls,
        "on_illegal": on_illegal,
        "retries": retries,
        "history": history,
        "legal": legal,
        "style": style,
    }
    TextEnv(game, **options)  # refuses what cannot be played before anything is asked
    title = rules_of(game).title
    samples = [
        Sample(id=f"{game} {each}", input=f"{title}, game {each}", metadata={"seed": each})
        for each in range(seed, seed + games)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=game),
        solver=play(game, options),
        scorer=outcome(),
    )


@solver
def play(game: str, options: dict[str, Any]) -> Solver:
    """Plays the game of a sample to its end."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        env = TextEnv(game, **options)
        prompt = await _apart(env.reset, state.metadata["seed"])
        talks: dict[int, list[ChatMessage]] = {seat: [] for seat in env.players.answering}
        while not env.done:
            seat = env.to_move
            talks[seat].append(ChatMessageUser(content=prompt))
            try:
                said = await _answer(state, seat, talks)
                state.messages = talks[env.players.answering[0]]
            except LimitExceededError as error:
                env.forfeit(str(error))
                _keep(state, env)
                raise
            prompt, *_ = await _apart(env.step, said)
            _keep(state, env)
        return state

    return solve


async def _answer(state: TaskState, seat: int, talks: dict[int, list[ChatMessage]]) -> str:
    """What the model in a seat says to its conversation; the other seats see nothing of it."""
    model = get_model(role=f"seat_{seat}") if len(talks) > 1 else get_model()
    state.output = await model.generate(talks[seat])
    said = state.output.completion
    talks[seat].append(ChatMessageAssistant(content=said, source="generate"))
    return said


async def _apart(call: Any, *given: Any) -> Any:
    """In a thread, as opponents may think for long."""
    return await anyio.to_thread.run_sync(call, *given)


def _keep(state: TaskState, env: TextEnv) -> None:
    state.store.set(OUTCOMES, {str(seat): env.outcome(seat) for seat in env.players.answering})


@scorer(metrics={"*": [mean(), stderr()]})
def outcome() -> Scorer:
    """What the game has brought: "reward", "points", "won" and "finished", and apart from them
    "retries", "forfeits" and "random_moves"; with the number of the seat where several answer."""

    async def score(state: TaskState, target: Target) -> Score:
        outcomes: dict[str, dict[str, float]] = state.store.get(OUTCOMES)
        value: dict[str, Any] = {
            f"{name}_{seat}" if len(outcomes) > 1 else name: told
            for seat, outcome in outcomes.items()
            for name, told in outcome.items()
        }
        return Score(value=value, answer=state.output.completion)

    return score


# Single decisions ---------------------------------------------------------------------------------


@task
def domino_moves(
    game: str | None = None,
    rules: bool = True,
    history: bool = True,
    legal: bool = True,
    style: Literal["plain", "json"] = "plain",
) -> Task:
    """Asks for one move in each of the positions whose moves have known values.

    Args:
        game: a collection of positions, see `text.position_names`; by default all of them.
        rules, history, legal, style: as for `text.prompt`.
    """
    samples = [
        Sample(
            id=f"{each.name} {each.number}",
            input=each.prompt(rules=rules, history=history, legal=legal, style=style),
            metadata={"positions": each.name, "number": each.number},
        )
        for each in positions(game)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=game or "positions"),
        solver=generate(),
        scorer=given_away(),
    )


@scorer(metrics={"*": [mean(), stderr()]})
def given_away() -> Scorer:
    """The points that an answer gives away, and whether it is "best" or "illegal"; an illegal one
    gives away as much as the worst legal move."""

    async def score(state: TaskState, target: Target) -> Score:
        asked = position(state.metadata["positions"], state.metadata["number"])
        judged = asked.judge(state.output.completion)
        value: dict[str, Any] = {
            "given_away": judged.given_away,
            "best": float(judged.best),
            "illegal": float(judged.illegal),
        }
        return Score(value=value, answer=state.output.completion, explanation=judged.why or None)

    return score
