"""Registry names, results folders and board names lead to one decoder each."""

from __future__ import annotations

import pytest

from faircall.bfcl.models import ModelInfo, Registry, find_board_models, find_model, registry
from faircall.decoding.table import DECODERS


def test_the_whole_registry_has_decoders() -> None:
    models = registry().models
    assert len(models) == 175
    assert {model.decoder for model in models} <= set(DECODERS)
    assert len({model.name for model in models}) == len({model.folder for model in models}) == 175


def test_every_model_is_found_by_name_and_by_folder() -> None:
    for model in registry().models:
        assert find_model(model.name) is model
        assert find_model(model.folder) is model
        assert find_model(model.folder.upper()) is model
        assert model in find_board_models(model.display_name)


@pytest.mark.parametrize(
    ("name", "decoder", "dots"),
    [
        ("gpt-4o-2024-11-20-FC", "tool-calls", True),
        ("gpt-4o-2024-11-20", "python", False),
        ("Qwen_Qwen3-8B-FC", "hermes", False),
        ("meta-llama/Llama-3.1-8B-Instruct-FC", "llama-json", False),
        ("ministral-8b-instruct-2410-nope", None, None),
        ("Qwen3-8B-FC", "tool-calls", True),
        ("Qwen/Qwen3", None, None),
        ("", None, None),
    ],
)
def test_lookup(name: str, decoder: str | None, dots: bool | None) -> None:
    found = find_model(name)
    assert (found and found.decoder) == decoder
    assert (found and found.underscore_to_dot) == dots


def test_underscores_of_a_name_are_no_slashes() -> None:
    own = ModelInfo("lab/my_model", "python", "Mine", underscore_to_dot=False)
    other = ModelInfo("lab/my/model", "hermes", "Other", underscore_to_dot=False)
    assert Registry([own]).find("lab_my_model") is own
    assert Registry([own]).find("LAB_my_MODEL") is own
    assert Registry([own]).find("lab/my/model") is None
    both = Registry([own, other])
    assert both.find("lab_my_model") is None  # two models, one folder
    assert both.find("lab/my/model") is other
    exact = ModelInfo("lab_my_model", "glm", "Exact", underscore_to_dot=False)
    assert Registry([own, exact]).find("lab_my_model") is exact


def test_case_decides_before_it_is_ignored() -> None:
    upper = ModelInfo("Lab/M", "python", "M", underscore_to_dot=False)
    lower = ModelInfo("lab/m", "hermes", "m", underscore_to_dot=False)
    both = Registry([upper, lower])
    assert both.find("Lab_M") is upper
    assert both.find("lab_m") is lower
    assert both.find("LAB_M") is None
