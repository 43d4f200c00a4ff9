"""The order in which an output is judged: silence, what the decoder read, stored objects, text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faircall.decoding import decode
from faircall.decoding.responses import is_call_list, read_response
from faircall.gate.blocks import holds_nested_calls, holds_structure, items_of, read_blocks
from faircall.gate.judgement import Judgement
from faircall.gate.offered import Offered
from faircall.gate.plainly import is_plain_call
from faircall.gate.silence import judge_silence
from faircall.schema import read_tools
from faircall.sdk_objects import plain_data
from faircall.types import Decoded, DecodeError, Reason, Span, State

if TYPE_CHECKING:
    from faircall.gate.blocks import Block
    from faircall.types import Tool


def judge(output: Any, tools: Any = (), *, decoder: str = "auto", language: str = "python") -> Judgement:
    """Return the state of an output under the evidence policy, with the reason and the span that decided it.

    `output` is what was stored: text, a list of calls, of text blocks or of both, or a provider's response. Raises
    `InputError` for tools that cannot be read and `UsageError` for an unknown
    decoder; never for anything that a model wrote.

    >>> judge("No tool here can book a table.", ["get_weather"]).state
    <State.ABSTAINED: 'ABSTAINED'>
    >>> judge('<tool_call>{"name": "get_weather", "arg', ["get_weather"], decoder="hermes").reason
    <Reason.TRUNCATED: 'truncated'>
    """
    offered_tools = read_tools(tools)
    offered = _offered(offered_tools)
    if isinstance(output, str) and is_plain_call(output):
        decoded = decode(output, decoder, tools=offered_tools, language=language)
        if decoded.calls:
            return _judge_calls(decoded, Span(0, len(output), output), offered)
    response = None
    if not isinstance(output, str) and not is_call_list(output):
        output = plain_data(output)
        response = read_response(output, offered_tools)
    if response is not None:
        if response.fault is not None:
            return _judge_fault(response.fault, decoder)
        output = response.items
    blocks = read_blocks(output)
    silent = judge_silence(output, blocks, decoder)
    if silent is not None and silent.state is not State.ERROR:
        return silent
    decoded = decode(output, decoder, tools=offered_tools, language=language)
    # Calls of offered tools are the model's, whatever error an argument of theirs quotes.
    if silent is not None and not (decoded.calls and all(offered.has(call.name) for call in decoded.calls)):
        return silent
    if decoded.error is not None and isinstance(output, str) and blocks[0].peeled.text != output:
        peeled = decode(blocks[0].peeled.text, decoder, tools=offered_tools, language=language)
        decoded = peeled if peeled.error is None else decoded
    if decoded.error is None:
        return _judge_decoded(decoded, blocks, offered)
    if holds_nested_calls(output):
        message = "the stored calls are in a list inside the list"
        return Judgement(State.MALFORMED, Reason.SYNTAX_ERROR, message, None, decoded)
    if holds_structure(output):
        return _judge_structure(items_of(output), decoded, offered)
    from faircall.gate.texts import judge_text  # noqa: PLC0415 - sound calls need none of its patterns

    return judge_text(blocks, decoded, offered, decoder)


def _judge_fault(fault: DecodeError, decoder: str) -> Judgement:
    """The judgement on a response that was cut off, could not be read, or is an error of the endpoint."""
    state = State.ERROR if fault.reason is Reason.HARNESS_ERROR else State.MALFORMED
    decoded = Decoded("tool-calls" if decoder == "auto" else decoder, error=fault)
    return Judgement(state, fault.reason, fault.message, None, decoded)


_LATEST: list[Offered] = [Offered()]
"""What the last output was judged with: the outputs of one entry, or of the steps of one dialogue, come together."""


def _offered(tools: tuple[Tool, ...]) -> Offered:
    latest = _LATEST[0]
    if latest.tools is not tools:
        latest = _LATEST[0] = Offered(tools)
    return latest


def _judge_decoded(decoded: Decoded, blocks: list[Block], offered: Offered) -> Judgement:
    whole = blocks[0].whole if blocks else None
    if not decoded.calls:
        if blocks:
            from faircall.gate.words import says_sentinel  # noqa: PLC0415 - as above

            if any(says_sentinel(block.text, offered) for block in blocks):
                message = "a word for no call stands in the place of a tool"
                return Judgement(State.ABSTAINED, Reason.SENTINEL, message, whole, decoded)
        return Judgement(State.ABSTAINED, Reason.EMPTY_LIST, "an explicit empty call list", whole, decoded)
    return _judge_calls(decoded, whole, offered)


def _judge_calls(decoded: Decoded, whole: Span | None, offered: Offered) -> Judgement:
    if all(offered.is_sentinel(call.name) for call in decoded.calls):
        message = f"{decoded.calls[0].name!r} is this protocol's way to say that no call is made"
        return Judgement(State.ABSTAINED, Reason.SENTINEL, message, whole, decoded)
    count = len(decoded.calls)
    message = f"{count} call{'s' if count > 1 else ''} under {decoded.decoder}"
    return Judgement(State.CALLED, Reason.DECODED, message, whole, decoded)


def _judge_structure(items: list[Any], decoded: Decoded, offered: Offered) -> Judgement:
    """The judgement on a stored list with objects in it that the declared decoder does not read as calls."""
    objects = [item for item in items if isinstance(item, dict)]
    if len(objects) == len(items) and not any(objects):
        message = "the stored call list holds no call"
        return Judgement(State.ABSTAINED, Reason.EMPTY_LIST, message, None, decoded)
    structured = decode(items, "tool-calls")
    if structured.error is None and structured.calls:
        if all(offered.is_sentinel(call.name) for call in structured.calls):
            message = "a stored call that says no call"
            return Judgement(State.ABSTAINED, Reason.SENTINEL, message, None, decoded)
        message = f"structured calls are stored, but {decoded.decoder} outputs are text"
        return Judgement(State.MALFORMED, Reason.FOREIGN_FORMAT, message, None, decoded)
    reason = Reason.SYNTAX_ERROR
    if decoded.error is not None and decoded.error.reason is Reason.TRUNCATED:
        reason = Reason.TRUNCATED
    elif len(objects[0]) == 1 and not offered.has(str(next(iter(objects[0])))):
        reason = Reason.INVENTED_TOOL
    message = decoded.error.message if decoded.error else "a stored call that cannot be read"
    return Judgement(State.MALFORMED, reason, message, None, decoded)
