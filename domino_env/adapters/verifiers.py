"""Games for verifiers: a taskset of deals, and an environment in which agents play them.

    # domino_verifiers.py: verifiers finds plugins by the names of modules at the top
    from domino_env.adapters.verifiers import DominoEnv, DominoHarness, DominoTaskset

    __all__ = ["DominoEnv", "DominoHarness", "DominoTaskset"]

    vf-eval domino-verifiers --env.taskset.game five_up --env.taskset.opponents greedy_pip -n 100

A task is a deal, so all rollouts of a task have the same one. Each seat that answers is an agent
with a conversation and a trace of its own: `seat_0`, `seat_1` and so on. It is
`domino_env.text.TextEnv`, with the calls of `verifiers.v1`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import count
from typing import Any

import verifiers.v1 as vf
from openai import AsyncOpenAI
from verifiers.v1.dialects.chat import message_to_wire

from domino_env.games import DEFAULT_GAME, rules_of
from domino_env.text import TextEnv

__all__ = ["DominoEnv", "DominoHarness", "DominoTaskset"]

# A player only talks: nothing is run in its runtime, so it needs no sandbox and no account.
SEAT = vf.AgentConfig(runtime=vf.SubprocessConfig())
"""How whoever answers is run, unless the configuration says otherwise."""


class DominoTasksetConfig(vf.TasksetConfig):
    """Which games are dealt, and how they are played; as for `TextEnv`, but for a `first_seed`."""

    game: str = DEFAULT_GAME
    opponents: Any = "random"
    seat: int | list[int] | str = "random"
    num_players: int | None = None
    episode: str = "round"
    reward: str = "win"
    calls: str = "automatic"
    on_illegal: str = "retry"
    retries: int = 2
    history: bool = True
    legal: bool = True
    style: str = "plain"
    first_seed: int = 0

    @property
    def options(self) -> dict[str, Any]:
        """Those of `TextEnv`."""
        own = {*DominoTasksetConfig.model_fields} - {*vf.TasksetConfig.model_fields}
        return {name: getattr(self, name) for name in sorted(own - {"game", "first_seed"})}


class DominoData(vf.TaskData):
    """A deal, with all that it takes to play it again."""

    game: str
    seed: int
    options: dict[str, Any]


class DominoTask(vf.Task[DominoData, vf.State, vf.TaskConfig]):
    """To play a game from a deal. Its rewards come from the environment, which sees all seats."""


class DominoTaskset(vf.Taskset[DominoTask, DominoTasksetConfig]):
    """As many deals as are asked for."""

    INFINITE = True

    def load(self) -> Iterator[DominoTask]:
        """One task for each seed."""
        config = self.config
        TextEnv(config.game, **config.options)  # refuses what cannot be played, before any is begun
        title = rules_of(config.game).title
        for seed in count(config.first_seed):
            data = DominoData(
                name=f"{title}, game {seed}", game=config.game, seed=seed, options=config.options
            )
            yield DominoTask(data, config.task)


class DominoEnvConfig(vf.EnvConfig):
    """The agents, by seat; those of seats that do not answer play no part."""

    seat_0: vf.AgentConfig = SEAT
    seat_1: vf.AgentConfig = SEAT
    seat_2: vf.AgentConfig = SEAT
    seat_3: vf.AgentConfig = SEAT
    seat_4: vf.AgentConfig = SEAT
    seat_5: vf.AgentConfig = SEAT
    seat_6: vf.AgentConfig = SEAT
    seat_7: vf.AgentConfig = SEAT


class DominoEnv(vf.Env[DominoEnvConfig]):
    """Plays a game: who is to move is asked, with the prompt of its own seat alone."""

    async def run(self, task: Any, agents: Any) -> None:
        """One game. A seat whose run is ended by a limit forfeits; where one fails, the game is
        void: it has no rewards, and the episode is no valid result."""
        env = TextEnv(task.data.game, **task.data.options)
        prompt = await asyncio.to_thread(env.reset, task.data.seed)
        async with AsyncExitStack() as stack:
            talks = {
                seat: await stack.enter_async_context(
                    getattr(agents, f"seat_{seat}").interaction(task)
                )
                for seat in env.players.answering
            }
            while not env.done:
                talk = talks[env.to_move]
                segment = await talk.turn(prompt)
                if not segment.terminated:
                    prompt, *_ = await asyncio.to_thread(env.step, segment.last_reply)
                elif talk.trace.last_error is not None:
                    return
                else:
                    env.forfeit(f"{talk.trace.stop_condition}")
        for seat, talk in talks.items():
            _record(talk.trace, env.outcome(seat))


def _record(trace: Any, outcome: dict[str, float]) -> None:
    """The reward of a seat, and apart from it what has happened."""
    trace.record_reward("game", outcome.pop("reward"))
    trace.record_metrics(outcome)


class DominoHarnessConfig(vf.HarnessConfig):
    """Nothing beside what every harness has."""


class DominoHarness(vf.Harness[DominoHarnessConfig]):
    """A chat without tools: a decision is one streamed completion, asked for in this process."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: Any,
    ) -> Any:
        """Asks the model once, with the conversation so far; the answer is on the trace."""
        system, prompt = self.resolve_prompt(data)
        said = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else list(prompt or [])
        messages = [vf.SystemMessage(content=system), *said] if system else said
        async with AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            stream = await client.chat.completions.create(
                model=ctx.model,
                messages=[message_to_wire(each) for each in messages],
                stream=True,
                stream_options={"include_usage": True},
            )
            async for _ in stream:
                pass
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
