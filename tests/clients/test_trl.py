"""GRPO steps of a tiny random transformer in Block & Draw with double three, by its tool

Its tokenizer is made here: beside bytes it has a token for each call of the tool, so that even a
random model plays. Nothing is downloaded. Members of a group get one deal, and what is learnt from
is what the games have brought.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
import trl
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

import domino_env
from domino_env import text
from domino_env.adapters.trl import DominoGame, rows
from domino_env.errors import BadOption
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
MINI = replace(domino_env.rules("block_draw"), set="double_3", hand_size=4, players=(2,))
GROUP, STEPS = 4, 4
HOW = {"reward": "margin", "forfeit": 10, "retries": 20, "rules": False}


def calls() -> list[str]:
    """Every call of the tool that the game can need."""
    tiles = [f"{low}-{high}" for high in range(4) for low in range(high + 1)]
    moves = [f"{tile} {side}" for tile in tiles for side in ("left", "right")]
    call = '<tool_call>\n{"name": "play", "arguments": {"move": "%s"}}\n</tool_call>'
    return [call % move for move in moves]


def tokenizer() -> PreTrainedTokenizerFast:
    """Bytes, the marks of a chat, and the calls of the tool."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({each: at for at, each in enumerate(letters)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens(["<|im_start|>", "<|im_end|>", "<|endoftext|>"])
    made.add_tokens([AddedToken(each, normalized=False) for each in calls()])
    chat = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=chat.read_text(encoding="utf-8"),
    )


def model(words: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=16,
        max_position_embeddings=8192,
        eos_token_id=words.eos_token_id,
        pad_token_id=words.pad_token_id,
        bos_token_id=None,
    )
    return Qwen3ForCausalLM(config)


class Noted(DominoGame):
    """Keeps what was dealt and earned."""

    deals: list[tuple[int, str]] = []  # noqa: RUF012, shared on purpose
    earned: list[float] = []  # noqa: RUF012
    finished: list[float] = []  # noqa: RUF012

    def reset(self, **row: Any) -> str:
        told = super().reset(**row)
        self.deals.append((row["seed"], told))
        return told

    def get_reward(self) -> float:
        self.earned.append(super().get_reward())
        self.finished.append(self.outcome["finished"])
        return self.earned[-1]


def test_a_transformer_takes_steps_of_grpo_by_playing(
    tmp_path: Path, record_figure: Record
) -> None:
    began = time.monotonic()
    words = tokenizer()
    player = model(words)
    before = {name: value.clone() for name, value in player.named_parameters()}
    letters = [at for at in range(len(words)) if at < words.convert_tokens_to_ids("<|im_end|>")]
    trainer = GRPOTrainer(
        model=player,
        processing_class=words,
        train_dataset=Dataset.from_list(rows(64)),
        environment_factory=partial(Noted, MINI, **HOW),
        args=GRPOConfig(
            output_dir=str(tmp_path),
            max_steps=STEPS,
            per_device_train_batch_size=2 * GROUP,
            num_generations=GROUP,
            max_completion_length=4096,
            max_tool_calling_iterations=4,
            generation_kwargs={"suppress_tokens": [*letters, words.pad_token_id]},
            chat_template_kwargs={"enable_thinking": False},
            learning_rate=1e-2,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            disable_tqdm=True,
        ),
    )
    trainer.train()
    logs = [log for log in trainer.state.log_history if "reward" in log]
    assert len(logs) == STEPS
    assert len(Noted.deals) == len(Noted.earned) == 2 * GROUP * STEPS
    for at in range(0, len(Noted.deals), GROUP):
        assert len({*Noted.deals[at : at + GROUP]}) == 1
    assert len({*Noted.deals}) == 2 * STEPS
    earned = [sum(Noted.earned[at : at + 2 * GROUP]) for at in range(0, len(Noted.earned), 8)]
    assert [log["reward"] * 2 * GROUP for log in logs] == pytest.approx(earned, abs=1e-4)
    assert len({*Noted.earned}) > 1
    assert max(Noted.finished) == 1
    trained = dict(trainer.model.named_parameters())
    changed = [name for name, value in before.items() if not trained[name].equal(value)]
    assert changed
    assert all(value.isfinite().all() for value in trained.values())
    record_figure("steps of GRPO", STEPS)
    record_figure("games", len(Noted.earned))
    record_figure("games played to their end", sum(Noted.finished))
    record_figure("seconds", time.monotonic() - began)


@pytest.mark.parametrize("game", ["block_draw", "five_up", "fundomino", "blind"])
def test_the_tool_plays_the_game_that_the_core_plays(game: str) -> None:
    env, own, chance = DominoGame(game), text.TextEnv(game, reward="win"), random.Random(1)
    for seed in range(20):
        prompt = own.reset(seed)
        assert env.reset(**rows(1, seed)[0]) == prompt
        while not own.done:
            move = str(chance.choice(own.batch.position().legal))
            prompt, *_ = own.step(move)
            assert env.play(move) == prompt
        (seat,) = own.players.answering
        assert env.get_reward() == own.outcome(seat)["reward"]
        assert env.outcome == own.outcome(seat)
        assert env.play("pass") == "The game is over."


def test_a_model_that_stops_before_the_end_has_forfeited() -> None:
    env = DominoGame("block_draw")
    env.reset(seed=0)
    assert env.get_reward() == env.get_reward() == -1
    assert (env.outcome["forfeits"], env.outcome["retries"]) == (1, 0)


def test_what_would_leak_or_compare_different_deals_is_refused() -> None:
    with pytest.raises(BadOption, match="one seat only"):
        DominoGame("block_draw", opponents="self")
    with pytest.raises(BadOption, match="needs a seed"):
        DominoGame("block_draw").reset(prompt=[])


def test_the_example_in_the_docs_runs() -> None:
    (code,) = examples("trl")
    made = run(code)
    env = made["environment_factory"]()
    assert "You are seat" in env.reset(**made["train_dataset"][0])
