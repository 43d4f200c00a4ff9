"""A few steps of TRL's own trainer on a tiny model with random weights; skipped where trl is not installed.

To run it: ``pip install trl`` beside faircall's `test` extra, then ``pytest tests/integrations``. It downloads nothing.
"""

from __future__ import annotations

import json

import pytest

from faircall.integrations.trl import reward_function

trl = pytest.importorskip("trl", reason="trl is not installed")
datasets = pytest.importorskip("datasets")
tokenizers = pytest.importorskip("tokenizers")
transformers = pytest.importorskip("transformers")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

TOOLS = json.dumps([{"name": "ride", "parameters": {"properties": {"km": {"type": "integer"}}}}])
CHAT = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: "
STEPS, GROUP = 3, 4


def make_tokenizer():
    """One token for each byte, and two of its own."""
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: index for index, token in enumerate(["<pad>", "<end>", *letters])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        chat_template=CHAT,
        pad_token="<pad>",  # noqa: S106 - a token of text
        eos_token="<end>",  # noqa: S106
    )


def make_model(tokenizer):
    transformers.set_seed(1)
    return transformers.Qwen2ForCausalLM(
        transformers.Qwen2Config(
            vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
            num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=128,
            pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id, bos_token_id=None,
        )
    )  # fmt: skip


@pytest.mark.parametrize("messages", [False, True], ids=["text", "messages"])
def test_grpo_takes_the_reward(tmp_path, messages):
    asked = [("How far?", json.dumps([{"ride": {"km": [5]}}])), ("Who won?", "[]"), ("Skip.", None)]
    rows = [
        {
            "prompt": [{"role": "user", "content": text}] if messages else text,
            "tools": TOOLS,
            "expected": expected,
        }
        for text, expected in asked * 4
    ]
    judge = reward_function(decoder="python")
    seen = []

    def recorded(prompts, completions, **columns):
        values = judge(prompts=prompts, completions=completions, **columns)
        seen.extend(zip(columns["expected"], completions, values, strict=True))
        return values

    recorded.__name__ = judge.__name__
    tokenizer = make_tokenizer()
    trainer = trl.GRPOTrainer(
        model=make_model(tokenizer),
        processing_class=tokenizer,
        reward_funcs=recorded,
        train_dataset=datasets.Dataset.from_list(rows),
        args=trl.GRPOConfig(
            output_dir=str(tmp_path), max_steps=STEPS, per_device_train_batch_size=2 * GROUP,
            num_generations=GROUP, max_completion_length=12, use_cpu=True, report_to="none", logging_steps=1,
            save_strategy="no", bf16=False, seed=3, disable_tqdm=True,
        ),
    )  # fmt: skip
    trainer.train()
    logged = [line for line in trainer.state.log_history if "reward" in line]
    assert len(logged) == STEPS
    assert all("rewards/faircall_reward/mean" in line for line in logged)
    assert len(seen) == STEPS * 2 * GROUP
    assert all(isinstance(completion, list) is messages for _, completion, _ in seen)
    assert all((value is None) is (expected is None) for expected, _, value in seen)
    # A model of random weights writes no call, and the mean that TRL logs is that of what was judged.
    assert {value for _, _, value in seen} <= {None, -0.5, 0.0, 1.0}
    judged = [value for _, _, value in seen[: 2 * GROUP] if value is not None]
    if judged:
        assert logged[0]["rewards/faircall_reward/mean"] == pytest.approx(sum(judged) / len(judged))
