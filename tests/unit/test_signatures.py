"""Tools from functions and models."""

from __future__ import annotations

import dataclasses
import functools
from typing import Annotated, Literal

import pytest

from faircall import InputError, check
from faircall.schema import read_tools

pydantic = pytest.importorskip("pydantic")
pytest.importorskip("docstring_parser")


@dataclasses.dataclass
class Options:
    fast: bool = False


class Order(pydantic.BaseModel):
    """Order tea."""

    cups: int = pydantic.Field(description="How many.", ge=1)
    milk: bool | None = None


def ride(to: str, /, km: int = 5, *stops: str, unit: Literal["km", "mi"] = "km", options: Options | None = None,
         model_config: Annotated[list[int], "A name of pydantic's."] = (), **more: float) -> None:  # fmt: skip
    """Book a ride.

    It is booked at once.

    Args:
        to: Where to.
        km (int): How far.
    """


def test_a_function_is_the_tool_of_its_signature():
    [tool] = read_tools([ride])
    properties = tool.parameters["properties"]
    assert (tool.name, tool.description) == ("ride", "Book a ride.\n\nIt is booked at once.")
    assert tool.parameters["required"] == ["to"]
    assert list(properties) == ["to", "km", "unit", "options", "model_config"]
    assert properties["to"] == {"type": "string", "description": "Where to."}
    assert properties["km"] == {"type": "integer", "default": 5, "description": "How far."}
    assert properties["unit"] == {"type": "string", "enum": ["km", "mi"], "default": "km"}
    assert properties["model_config"]["description"] == "A name of pydantic's."
    assert tool.parameters["additionalProperties"] == {"type": "number"}
    assert tool.parameters["$defs"]["Options"]["properties"]["fast"]["default"] is False


def numpy_style(a: int, b: float = 1.5):
    """Add.

    Parameters
    ----------
    a : int
        First.
    """


def sphinx_style(a: int):
    """Add.

    :param a: First.
    """


async def google_style(a: int):
    """Add.

    Args:
        a: First.
    """


@pytest.mark.parametrize("function", [numpy_style, sphinx_style, google_style])
def test_every_form_of_docstring(function):
    [tool] = read_tools(function)
    assert tool.description == "Add."
    assert tool.parameters["properties"]["a"] == {"type": "integer", "description": "First."}
    assert tool.parameters["additionalProperties"] is False


class Agent:
    def book(self, nights: int):
        """Book."""

    @classmethod
    def cancel(cls, nights: int):
        """Cancel."""

    @staticmethod
    def ask(nights: int):
        """Ask."""

    def __call__(self, nights: int):
        """Do it."""


@pytest.mark.parametrize("function", [Agent().book, Agent.book, Agent.cancel, Agent.ask, Agent()])
def test_methods_and_objects_that_are_called(function):
    [tool] = read_tools([function])
    assert tool.parameters["properties"] == {"nights": {"type": "integer"}}
    assert tool.description


def test_a_partial_has_the_parameters_that_are_left():
    [tool] = read_tools([functools.partial(ride, "home", km=3)])
    assert tool.name == "ride"
    assert "to" not in tool.parameters["properties"]
    assert tool.parameters["properties"]["km"]["default"] == 3


def test_models_and_dataclasses():
    order, options = read_tools([Order, Options])
    assert (order.name, order.description) == ("Order", "Order tea.")
    assert order.parameters["properties"]["cups"]["description"] == "How many."
    assert order.parameters["required"] == ["cups"]
    assert (options.name, options.description) == ("Options", "")
    assert options.parameters["properties"]["fast"]["default"] is False


def test_a_function_is_a_tool_like_any_other():
    output = [{"ride": {"to": "home", "km": 5}}]
    assert check(output, tools=[ride], expected=[{"ride": {"to": ["home"]}}]).filled


class Other:
    pass


def odd(x: Other):
    """Take what JSON has no word for."""


def nowhere(x: Missing):  # noqa: F821 - that it is not there is what is tested
    """Take what is not there."""


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        (odd, "tools[0] `odd`: parameters: Cannot generate"),
        (nowhere, "tools[0] `nowhere`: a signature that cannot be read"),
        (Other, "tools[0] `Other`: a class without declared fields"),
        (lambda x: x, "tools[0] `<lambda>`: a function without a name"),
        (object(), "tools[0]: expected a tool, got `object`"),
    ],
)
def test_what_cannot_be_a_tool_is_said(tool, message):
    with pytest.raises(InputError) as failed:
        read_tools([tool])
    assert str(failed.value).startswith(message)
    assert failed.value.hint
