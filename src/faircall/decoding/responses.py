"""Whole responses of providers' interfaces: what the model said in them, and whether they came to their end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall.decoding.limits import LiteralError
from faircall.decoding.literals import read_json
from faircall.decoding.messages import LISTENERS, Saying, read_all, read_call, read_item, read_message, word
from faircall.decoding.stops import Stop, read_stop
from faircall.decoding.streams import CUT_MARK, join_chunks
from faircall.decoding.structured import is_offered_call
from faircall.types import DecodeError, Reason, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.types import Tool

_TELLING: Final = frozenset({
    "type", "refusal", "method", "choices", "candidates", "message", "output", "parts", "role", "content", "error",
    "lc", "required_action", "promptFeedback", "prompt_feedback", "response", "result", "generation_id", CUT_MARK,
    "outputs",
})  # fmt: skip
"""The keys without all of which an object is no response."""
_DEEPEST: Final = 8
_ERROR_WORDS: Final = frozenset({"message", "code", "type", "status"})
_FAULTS: Final = {
    Stop.CUT: (Reason.TRUNCATED, "the response stops inside its calls"),
    Stop.WITHHELD: (Reason.HARNESS_ERROR, "the endpoint withheld the answer"),
    Stop.MALFORMED: (Reason.SYNTAX_ERROR, "the endpoint could not read the model's call"),
    Stop.INVENTED: (Reason.INVENTED_TOOL, "the model called a tool where none was offered"),
    Stop.FAILED: (Reason.HARNESS_ERROR, "the endpoint failed"),
}


_MARKS: Final = frozenset((
    *_TELLING, "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata",
    "usageMetadata", "event_type", "data", "usage",
))  # fmt: skip
"""The keys one of which an object has that is a response, or a chunk of one, and has no other key."""


def is_call_list(output: Any) -> bool:
    """Whether a list plainly is one of texts and of `{name: arguments}`, as most that are stored; False says nothing.

    >>> is_call_list([{"ride": {"to": "home"}}, "Going."]), is_call_list([{"choices": []}])
    (True, False)
    """
    if type(output) is not list:
        return False
    for item in output:
        if type(item) is dict:
            if len(item) != 1 or not _MARKS.isdisjoint(item):
                return False
        elif type(item) is not str:
            return False
    return True


class Response(msgspec.Struct, frozen=True):
    """What a response says: texts and calls as stored lists have them, reasoning, and why it cannot be judged by them.

    `items` is ``[""]`` where nothing was said, and ``[]`` where the list of calls is there and empty. A `fault` whose
    reason is `harness-error` is the endpoint's and not the model's.
    """

    items: list[Any]
    reasoning: tuple[Span, ...] = ()
    fault: DecodeError | None = None

    def as_stored(self) -> list[Any] | str:
        """Return what was said as BFCL's harness stores it: `{name: arguments}` with JSON text, or else the text."""
        calls = [item for item in self.items if isinstance(item, dict)]
        if not calls:
            return "\n".join(item for item in self.items if isinstance(item, str)) if self.items else []
        return [_stored_call(call) for call in calls]


def read_response(output: Any, tools: Sequence[Tool] = ()) -> Response | None:
    """Return what a response of a provider's interface says, or None where the output is no response.

    Reads OpenAI's chat completions, responses and runs, the messages of Anthropic, Gemini, Mistral, Cohere, Bedrock,
    Ollama and LangChain, MCP's `tools/call`, the lines of batch results, single messages and lists of them, and lists
    of streamed chunks. Of several choices or candidates the first is read; of several messages the assistant's.
    `tools` tell an error's body from a call of a tool that is called `error`. Never
    raises.

    >>> read_response({"role": "assistant", "content": None, "refusal": "I cannot do that."}).items
    ['I cannot do that.']
    >>> read_response([{"ride": {"to": "home"}}]) is None
    True
    """
    if isinstance(output, str) or output is None:
        return None
    said = Saying()
    closing = _Closing()
    try:
        if isinstance(output, dict):
            found = _read_object(said, output, closing, tools, _DEEPEST)
        elif isinstance(output, (list, tuple)):
            joined = join_chunks(output)
            found = (
                _read_list(said, output, closing, tools)
                if joined is None
                else _read_object(said, joined, closing, tools, _DEEPEST)
            )
        else:
            found = False
    except LiteralError as failed:
        fault = DecodeError(failed.message, failed.position, failed.reason)
        if closing.broken_off:
            fault = closing.fault(said) or fault
        return Response(said.items, tuple(said.reasoning), fault)
    if not found:
        return None
    items = said.items or ([] if said.listed else [""])
    return Response(items, tuple(said.reasoning), closing.fault(said))


def _stored_call(call: dict[str, Any]) -> dict[str, Any]:
    if set(call) != {"name", "arguments"}:
        return call
    arguments = call["arguments"]
    return {call["name"]: arguments if isinstance(arguments, str) else json.dumps(arguments, default=str)}


class _Closing:
    """Why a response stopped: the meaning of the provider's word, the word, and what it adds to it."""

    def __init__(self) -> None:
        self.stop = Stop.NONE
        self.words = ""
        self.broken_off = False

    def note(self, reason: Any, details: Any = None) -> None:
        """Take a provider's word for why the response stopped; one without a meaning changes nothing."""
        stop = read_stop(reason)
        if stop is not Stop.NONE:
            self.stop, self.words = stop, _shown(reason, details)

    def fail(self, details: Any) -> None:
        """Take an error that stands in place of an answer."""
        self.stop, self.words = Stop.FAILED, _shown(None, details)

    def fault(self, said: Saying) -> DecodeError | None:
        """Return why what was said cannot be judged as it stands, or None."""
        stop = self.stop
        if self.broken_off and stop is not Stop.FAILED:
            return DecodeError("the stream ends before the response does", 0, Reason.TRUNCATED)
        if stop is Stop.NONE or (stop is Stop.WITHHELD and said.items):
            return None
        if stop is Stop.CUT and not _is_cut_inside(said):
            return None
        reason, message = _FAULTS[stop]
        return DecodeError(f"{message}: {self.words}" if self.words else message, 0, reason)


def _is_cut_inside(said: Saying) -> bool:
    """Whether a response at its limit may have been cut inside its last call.

    Arguments as text that is a whole JSON value show themselves to be complete; objects show nothing, because
    interfaces close what was cut.
    """
    if not said.calls or said.calls[-1] != len(said.items) - 1:
        return False
    call = said.items[-1]
    arguments = call.get("arguments") if isinstance(call, dict) else None
    if not isinstance(arguments, str) or not arguments.strip():
        return True
    try:
        _, end = read_json(arguments)
    except LiteralError:
        return True
    return bool(arguments[end:].strip())


def _shown(reason: Any, details: Any) -> str:
    if isinstance(details, dict):
        details = (
            details.get("message") or details.get("type") or details.get("code") or details.get("reason")
        )
    words = [f"`{reason}`"] if isinstance(reason, str) else []
    words += [details] if isinstance(details, str) and details else []
    return " ".join(": ".join(words).split())[:300]


def _read_list(said: Saying, output: Any, closing: _Closing, tools: Sequence[Tool]) -> bool:
    """Read a list of responses, messages or items; False where none of it is one."""
    if len(output) == 1 and isinstance(output[0], dict) and _is_error_of_list(output[0], tools):
        closing.fail(output[0]["error"])
        return True
    found = False
    for index, item in enumerate(output):
        said.index = index
        if isinstance(item, dict) and not _TELLING.isdisjoint(item):
            inner = _Closing()
            if _read_object(said, item, inner, tools, _DEEPEST):
                found = True
                if inner.stop is not Stop.NONE:
                    closing.stop, closing.words = inner.stop, inner.words
                continue
        said.items.append(item)
    return found


def _read_object(
    said: Saying, item: dict[str, Any], closing: _Closing, tools: Sequence[Tool], depth: int
) -> bool:
    """Add what a response says; False where the object is none."""
    if depth == 0 or _TELLING.isdisjoint(item) or is_offered_call(item, tools):
        return False
    if item.get(CUT_MARK) is True:
        closing.broken_off = True
    if _is_error_body(item):
        closing.fail(item.get("error", item))
        return True
    wrapped = _unwrapped(item)
    if wrapped is not None:
        return _read_object(said, wrapped, closing, tools, depth - 1)
    for read in (
        _read_mcp,
        _read_chat,
        _read_gemini,
        _read_responses,
        _read_bedrock,
        _read_run,
        _read_langchain,
    ):
        if read(said, item, closing):
            return True
    message = item.get("message")
    if isinstance(message, dict) and "arguments" not in item:
        if not _read_object(said, message, closing, tools, depth - 1):
            return False
        closing.note(item.get("finish_reason") or item.get("done_reason") or item.get("finishReason"))
        return True
    if isinstance(item.get("text"), str) and (
        "generation_id" in item or "response_id" in item
    ):  # Cohere's v1
        read_message(said, {"content": item["text"], "tool_calls": item.get("tool_calls")})
        closing.note(item.get("finish_reason"))
        return True
    if read_item(said, item):
        closing.note(
            item.get("stop_reason") or item.get("finish_reason") or item.get("status"),
            item.get("stop_details"),
        )
        return True
    return False


def _is_error_of_list(item: dict[str, Any], tools: Sequence[Tool]) -> bool:
    """Whether the only item of a list is an error's body: it has more of an error's words than a call would."""
    error = item.get("error")
    words = _ERROR_WORDS & error.keys() if isinstance(error, dict) else ()
    return len(words) > 1 and not is_offered_call(item, tools) and _is_error_body(item)


def _is_error_body(item: dict[str, Any]) -> bool:
    """Whether an object is the error of an endpoint."""
    error = item.get("error")
    if isinstance(error, dict):
        answered = any(item.get(key) for key in ("choices", "candidates", "message", "content"))
        return not answered and not _ERROR_WORDS.isdisjoint(error)
    if item.get("object") == "error" or item.get("type") == "error":
        return isinstance(item.get("message"), str) or isinstance(error, str)
    return isinstance(error, str) and set(item) <= {"error", "status_code", "code", "message"}


def _unwrapped(item: dict[str, Any]) -> dict[str, Any] | None:
    """The response inside a line of a batch's results, or inside what LangChain serialises; None without a wrapping."""
    inner = item.get("response")
    if isinstance(inner, dict) and ("custom_id" in item or "key" in item):
        body = inner.get("body")
        return body if isinstance(body, dict) else inner
    inner = item.get("result")
    if isinstance(inner, dict) and "custom_id" in item:
        for key in ("message", "error"):
            if isinstance(inner.get(key), dict):
                return (
                    inner[key] if key == "message" else {"error": inner[key], "type": "error", "message": ""}
                )
    if "lc" in item and isinstance(item.get("kwargs"), dict):
        names = item.get("id")
        kind = names[-1] if isinstance(names, list) and names and isinstance(names[-1], str) else ""
        return {**item["kwargs"], "type": "ai"} if kind.startswith("AIMessage") else None
    if item.get("type") == "ai" and isinstance(item.get("data"), dict):
        return {**item["data"], "type": "ai"}
    return None


def _read_mcp(said: Saying, item: dict[str, Any], _: _Closing) -> bool:
    if item.get("method") != "tools/call" or not isinstance(item.get("params"), dict):
        return False
    said.call(item["params"].get("name"), item["params"].get("arguments"))
    return True


def _read_chat(said: Saying, item: dict[str, Any], closing: _Closing) -> bool:
    choices = item.get("choices")
    if not isinstance(choices, list) or (not choices and "object" not in item):
        return False
    choice = _first_of(choices)
    message = choice.get("message", choice.get("delta"))
    if isinstance(message, dict):
        read_message(said, message)
    elif isinstance(choice.get("text"), str):
        said.say(choice["text"])
    elif choices:
        return False
    closing.note(choice.get("finish_reason"), choice.get("error"))
    return True


def _first_of(choices: list[Any]) -> dict[str, Any]:
    """The choice or candidate of index 0, or the first."""
    objects = [choice for choice in choices if isinstance(choice, dict)]
    return next((choice for choice in objects if choice.get("index") == 0), objects[0] if objects else {})


def _read_gemini(said: Saying, item: dict[str, Any], closing: _Closing) -> bool:
    candidates = item.get("candidates")
    feedback = item.get("promptFeedback", item.get("prompt_feedback"))
    if not candidates and isinstance(feedback, dict):
        block = feedback.get("blockReason", feedback.get("block_reason"))
        closing.stop = Stop.WITHHELD
        closing.words = _shown(
            block, feedback.get("blockReasonMessage", feedback.get("block_reason_message"))
        )
        return True
    if not isinstance(candidates, list):
        return False
    candidate = _first_of(candidates)
    content = candidate.get("content")
    if isinstance(content, dict):
        if word(content.get("role")) not in LISTENERS:
            read_all(said, content["parts"] if isinstance(content.get("parts"), list) else [])
    elif isinstance(content, list):
        read_all(said, content)
    reason = candidate.get("finishReason", candidate.get("finish_reason"))
    closing.note(reason, candidate.get("finishMessage", candidate.get("finish_message")))
    return bool(candidate) or not candidates


def _read_responses(said: Saying, item: dict[str, Any], closing: _Closing) -> bool:
    output = item.get("output", item.get("outputs"))
    if not isinstance(output, list):
        return False
    objects = [each for each in output if isinstance(each, dict)]
    typed = bool(objects) and all(isinstance(each.get("type"), str) for each in objects)
    if word(item.get("object")) not in {"response", "interaction"} and not (
        typed and len(objects) == len(output)
    ):
        return False
    read_all(said, output)
    details = item.get("incomplete_details")
    if item.get("status") == "incomplete" and isinstance(details, dict):
        closing.note(details.get("reason"))
    else:
        closing.note(item.get("status"), item.get("error"))
    if closing.stop is Stop.NONE and objects and objects[-1].get("status") == "incomplete":
        closing.note("incomplete")
    return True


def _read_bedrock(said: Saying, item: dict[str, Any], closing: _Closing) -> bool:
    output = item.get("output")
    if not isinstance(output, dict) or not isinstance(output.get("message"), dict):
        return False
    read_message(said, output["message"])
    closing.note(item.get("stopReason", item.get("stop_reason")))
    return True


def _read_run(said: Saying, item: dict[str, Any], closing: _Closing) -> bool:
    """Read a run of an assistant, which waits for what its calls give, or failed."""
    action = item.get("required_action")
    if "required_action" not in item or item.get("object", "thread.run") != "thread.run":
        return False
    inner = action.get("submit_tool_outputs") if isinstance(action, dict) else None
    calls = inner.get("tool_calls") if isinstance(inner, dict) else None
    for call in calls if isinstance(calls, list) else ():
        read_call(said, call)
    details = item.get("incomplete_details")
    closing.note(item.get("status"), item.get("last_error") or details)
    return True


def _read_langchain(said: Saying, item: dict[str, Any], closing: _Closing) -> bool:
    if word(item.get("type")) not in {"ai", "AIMessageChunk"} or "content" not in item:
        return False
    read_message(said, item)
    invalid = item.get("invalid_tool_calls")
    for call in invalid if isinstance(invalid, list) else ():
        if isinstance(call, dict):
            _read_invalid(call)
    metadata = item.get("response_metadata")
    if isinstance(metadata, dict):
        reasons = (metadata.get(key) for key in ("finish_reason", "stop_reason", "stopReason", "done_reason"))
        closing.note(next((reason for reason in reasons if isinstance(reason, str)), None))
    return True


def _read_invalid(call: dict[str, Any]) -> None:
    """Raise LiteralError for a call that LangChain could not read: truncated where its arguments simply stop."""
    arguments = call.get("args")
    name = call.get("name")
    where = f"the arguments of `{name}`" if isinstance(name, str) else "a call"
    if isinstance(arguments, str):
        try:
            read_json(arguments)
        except LiteralError as failed:
            raise LiteralError(f"{where}: {failed.message}", failed.position, reason=failed.reason) from None
    raise LiteralError(f"{where} could not be read", 0)
