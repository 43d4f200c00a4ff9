"""Error strings that a harness or an endpoint stored in place of an answer, told by their shapes."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, Final

from faircall.gate.objects import read_value

_LONGEST: Final = 50_000
"""Characters beyond which a text is no error message."""

_PHRASES: Final = "|".join(re.escape(status.phrase) for status in HTTPStatus if status >= 400)
_STATUS_LINE: Final = re.compile(
    rf"""(?xi)\s*(?:
    # a status in front of its phrase, or of a status name of gRPC
      (?:http(?:/\d(?:\.\d)?)?\s+|error:?\s+|status:?\s+)?[45]\d\d\s+
      (?:{_PHRASES}|client\ error|server\ error|gateway\ time-?out|(?-i:[A-Z]{{3,}}(?:_[A-Z]+)*)\b)
    # a label and a status, then a separator or nothing; a sentence about a status goes on with a verb
    | (?:http(?:/\d(?:\.\d)?|\ status)?|(?:http|api|server)?\ ?error|status)(?:[ _]code)?[:=]?\s*+
      [45]\d\d\s*+(?:$|[:;,\-–—{{\[])
    # nothing but a phrase
    | (?:{_PHRASES}|internal\ (?:server\ )?error(?:\ (?:has\ )?occurred)?)\s*[.:!]?\s*$
    )"""
)
_CLIENT_MESSAGE: Final = re.compile(
    r"""(?xi)\s*(?:
      error\ during\ (?:inference|generation|api\ call|request)\b
    | (?:an?\ )?(?:api|http|g?rpc|rate[ ]?limit|connection|timeout|request|server|inference|openai\w*|anthropic\w*)
      [ _]?error\s*[:(\[]
    | api\ error\ occurred\b | exception:\s
    | error:\ (?:connect\w*|timeout|network|fetch\ failed|socket|econn\w+|[^\n]{0,120}\bstatus\ code\ [45]\d\d)\b
    | [^\n"'\[{<]{0,80}\bfailed\ with\ status(?:\ code)?:?\ [45]\d\d\b
    | (?:the\ |this\ )?(?:server|model|engine)\ is\ (?:currently\ )?overloaded\b
    | this\ model's\ maximum\ context\ length\b
    | an\ error\ occurred\ \(\w+\)\ when\ calling\ the\b
    | (?:the\ )?(?:request|connection|read|operation|server)\ (?:has\ )?timed\ out\b.{0,40}$
    | connection\ (?:refused|reset|aborted|closed)\b
    | (?:api|network|connection|timeout|server|request|inference|http)\ error\s*[.!]?\s*$
    | upstream\ (?:connect|request|server)\ (?:error|timeout|timed\ out)
    | https?connectionpool\(host=
    | max(?:imum)?\ retries\ exceeded
    | (?:you\ )?(?:have\ )?(?:exceeded\ your\ current\ quota|rate\ limit\ (?:exceeded|reached))
    | (?:torch\.)?(?:cuda|outofmemoryerror)\b.{0,20}out\ of\ memory
    )""",
    re.DOTALL,
)
_EXCEPTION: Final = re.compile(
    r"""(?x)\s*(?:[A-Za-z_]\w*\.)*+_?[A-Z]\w*
    (?:Error|Exception|Timeout|Exhausted|Unavailable|Throttled|Exceeded|Aborted|Refused|Interrupt)\s*
    (?:$|[:(](?!\s*(?:this|that|it|an?|when|raised|occurs?|means|is|the\ (?:error|exception))\b))"""
)
_FRAME: Final = re.compile(r'(?m)^Traceback \(most recent call last\):\s*\n[ \t]+(?:File "|\S)')
_LOG_LINE: Final = re.compile(
    r"""(?x)\s
    | Traceback\ \(most | During\ handling\ of\ the\ above | The\ above\ exception\ was
    | \W*(?:\d{4}-\d\d-\d\d|(?:ERROR|WARNING|INFO|DEBUG|CRITICAL|FATAL)\b) | [\w.]+(?::|$)"""
)
_ERROR_PAGE: Final = re.compile(
    rf"""(?xi)<(?:title|h1|h2)\b[^<>]{{0,80}}>\s*(?:error\s*)?(?:[45]\d\d\b|(?:{_PHRASES})\s*<)
    | \berror\s*(?:code)?:?\s*[45]\d\d\b"""
)
_PAGE_OPENING: Final = re.compile(r"(?i)\s*(?:<!doctype html[^<>]{0,200}>\s*)?<html\b")
_ERROR_KEYS: Final = frozenset({
    "error", "errors", "error_code", "errorcode", "code", "status", "status_code", "statuscode",
    "message", "msg", "type", "param", "detail", "details", "object", "path", "request_id", "requestid",
    "timestamp", "title", "innererror", "metadata",
})  # fmt: skip
_CODE_KEYS: Final = frozenset({"code", "status", "status_code", "statuscode", "error_code", "errorcode"})
_FAULT_KEYS: Final = frozenset({"error", "errors", "error_code", "errorcode", "detail", "code"})
_OUTAGE: Final = re.compile(
    r"""(?xi)
      rate[ _]limit | limit[ _]exceeded | too[ _]many[ _](?:requests|tokens) | throttl | quota | exhausted
    | insufficient[ _](?:credit|balance|funds) | overloaded | time[sd]?[ _]?out\b | deadline[ _]exceeded
    | (?:service|temporarily|currently)[ _]unavailable | (?:server|api|internal)[ _]error | bad[ _]gateway
    | connection[ _]?(?:error|refused|reset|aborted|closed|failed|timed)
    | unauthori[sz]ed | unauthenticated | authentication | permission[ _]denied | api[ _]key
    | invalid[ _](?:request|argument) | context[ _](?:length|window) | content[ _]filter
    | gateway[ _]time-?out | (?:access|request)[ _](?:forbidden|denied) | \bmodel\b.{0,60}\bnot\ found
    """
)


def is_harness_error(text: str) -> bool:
    """Whether the whole text is an error that a harness or an endpoint stored in place of an answer.

    The shapes: an HTTP status line, a client's message, an exception, a traceback, an error page, and an error
    object in JSON that names a status or an outage. A model that talks about an error writes none of them, and
    one that declines in JSON (``{"error": "no suitable tool"}``) names neither.

    >>> is_harness_error("Error during inference: Error code: 502")
    True
    >>> is_harness_error("There was an error in your question: no unit is given.")
    False
    """
    if len(text) > _LONGEST:
        return False
    return (
        any(pattern.match(text) for pattern in (_STATUS_LINE, _CLIENT_MESSAGE, _EXCEPTION))
        or _is_traceback(text)
        or (_PAGE_OPENING.match(text) is not None and _ERROR_PAGE.search(text) is not None)
        or (text.lstrip().startswith(("{", "[{")) and _is_error_object(read_value(text)))
    )


def _is_traceback(text: str) -> bool:
    """Whether a traceback is in the text, and nothing but a line of words and a log's own lines beside it."""
    if text.lstrip().startswith("Traceback (most recent call last)"):
        return True
    if _FRAME.search(text) is None:
        return False
    return sum(_LOG_LINE.match(line) is None for line in text.splitlines() if line) <= 1


def _is_error_object(value: Any) -> bool:
    """Whether a value is an error object: nothing but an error's fields, and a status or an outage among them."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        return False
    fields = {str(key).casefold(): item for key, item in value.items()}
    if not fields or not fields.keys() <= _ERROR_KEYS:
        return False
    inner = fields.get("error")
    if isinstance(inner, dict):
        fields = {str(key).casefold(): item for key, item in inner.items()}
    if any(_is_status(fields[key]) for key in _CODE_KEYS & fields.keys()) or fields.get("object") == "error":
        return True
    words = [item for item in fields.values() if isinstance(item, str)]
    at_fault = isinstance(inner, dict) or bool(fields.keys() & _FAULT_KEYS)
    return any(_STATUS_LINE.fullmatch(word) or (at_fault and _OUTAGE.search(word)) for word in words)


def _is_status(value: Any) -> bool:
    """Whether a value is a status of 400 to 599, as a number or as digits."""
    return re.fullmatch(r"[45]\d\d", str(value)) is not None
