"""Sound calls in formats that no decoder reads: the reason is the format; and what is said where none was declared."""

from __future__ import annotations

import pytest

from faircall.decoding.table import DECODERS
from faircall.gate import judge
from faircall.types import Reason, State

TOOL = {"name": "rent_bicycle", "parameters": {"properties": {"station": {"type": "string"}, "hours": {}}}}
JSON = '{"station": "Ghent", "hours": 2}'
ELEMENT = "<function=rent_bicycle>\n<parameter=station>\nGhent\n</parameter>\n</function>"
SOUND = [
    "<function=rent_bicycle><parameter=station>Ghent</parameter></function>",
    f"<tool_call>\n{ELEMENT}\n</tool_call>",
    f"<tool_call>\n{ELEMENT}\n</tool_call>\n<tool_call>\n{ELEMENT}\n</tool_call>",
    f"<function=rent_bicycle>{JSON}</function>",
    '<invoke name="rent_bicycle"><parameter name="station">Ghent</parameter></invoke>',
    '<function_calls>\n<invoke name="rent_bicycle">\n<parameter name="hours">2</parameter>\n</invoke>\n'
    "</function_calls>",
    '<x:function_calls><x:invoke name="rent_bicycle"><x:parameter name="hours">2</x:parameter></x:invoke>'
    "</x:function_calls>",
    f"<|tool_call_begin|>functions.rent_bicycle:0<|tool_call_argument_begin|>{JSON}<|tool_call_end|>",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.rent_bicycle:0<|tool_call_argument_begin|>"
    f"{JSON}<|tool_call_end|><|tool_calls_section_end|>",
    f"<|channel|>commentary to=functions.rent_bicycle <|message|>{JSON}<|call|>",
    f"<|start|>assistant<|channel|>commentary to=functions.rent_bicycle <|constrain|>json<|message|>{JSON}<|call|>",
]
BROKEN = [
    ("<function=rent_bicycle><parameter=station>Ghent</function>", Reason.SYNTAX_ERROR),
    ("<function=rent_bicycle><parameter=station>Ghent</para", Reason.TRUNCATED),
    ("<function=rent_bicycle>{'station': 'Ghent'}</function>", Reason.SYNTAX_ERROR),
    ('<invoke name="rent_bicycle"><parameter name="hours">2<parameter></invoke>', Reason.SYNTAX_ERROR),
    (
        "<|tool_call_begin|>functions.rent_bicycle:0<|tool_call_argument_begin|>{station}<|tool_call_end|>",
        Reason.SYNTAX_ERROR,
    ),
    ('<|channel|>commentary to=functions.rent_bicycle <|message|>{"station": "Gh', Reason.TRUNCATED),
    ("<function=rent_scooter><parameter=station>Ghent</parameter></function>", Reason.INVENTED_TOOL),
]
AUTO = [
    (SOUND[0], Reason.FOREIGN_FORMAT),
    (f"Here it is.\n\n{SOUND[0]}\n\nDone.", Reason.WRAPPED_CALL),
    ('{"rent_bicycle": "Ghent"}', Reason.FOREIGN_FORMAT),
]


@pytest.mark.parametrize("text", SOUND)
@pytest.mark.parametrize("decoder", ["auto", "python", "hermes", "concise-xml"])
def test_a_sound_call_in_a_format_of_its_own_is_a_foreign_one(text: str, decoder: str) -> None:
    judged = judge(text, [TOOL], decoder=decoder)
    assert (judged.state, judged.reason) == (State.MALFORMED, Reason.FOREIGN_FORMAT)


@pytest.mark.parametrize(("text", "reason"), BROKEN)
def test_a_broken_one_is_not(text: str, reason: Reason) -> None:
    assert judge(text, [TOOL], decoder="auto").reason is reason


@pytest.mark.parametrize(("text", "reason"), AUTO)
def test_no_decoder_is_named_that_nobody_chose(text: str, reason: Reason) -> None:
    judged = judge(text, [TOOL], decoder="auto")
    assert judged.reason is reason
    assert not any(name in judged.message.split() for name in DECODERS)
    assert "hermes" in judge(text, [TOOL], decoder="hermes").message


def test_letters_that_stand_for_names_in_a_copy_are_letters_in_a_text():
    tools = [{"name": "get_time", "parameters": {"properties": {"zone": {"type": "string"}}}}]
    for text in ("\U00012000[\U00012002=1]", "\U00012000 \U00012000\U00012001\U00012001: {'\U00012002': 1}"):
        assert judge(text, tools).state is State.ABSTAINED
    assert judge("get_time[zone=1] \U00012000", tools).state is State.MALFORMED


@pytest.mark.parametrize("decoder", ["concise-xml", "verbose-xml", "json", "python"])
def test_a_sound_element_among_words_is_wrapped_and_not_broken(decoder):
    tools = [{"name": "ring", "parameters": {"properties": {"who": {"type": "string"}}}}]
    element = (
        '<functions><function name="ring"><param name="who" type="string">Ada</param></function></functions>'
    )
    judged = judge(f"Here you go, as you asked: {element}", tools, decoder=decoder)
    assert (judged.state, judged.reason) == ("MALFORMED", "wrapped-call")


def test_calls_in_a_list_inside_the_list_are_malformed():
    judged = judge([[{"ring": "{}"}], "Done."], ["ring"], decoder="tool-calls")
    assert (judged.state, judged.reason) == ("MALFORMED", "syntax-error")
