"""Calls as XML: `<functions><function name="…">`, with values in attributes or as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NoReturn
from xml.parsers import expat

from faircall.decoding.fences import find_fences, whole_fence
from faircall.decoding.limits import MAX_CALLS, MAX_DEPTH, MAX_SEARCHES, LiteralError
from faircall.decoding.literals import skip_space
from faircall.decoding.typed_text import named_kind, read_typed, type_of_parameter
from faircall.schema import find_tool
from faircall.types import Call, Reason, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

_TAG: Final = ("<TOOLCALL>", "</TOOLCALL>")
_ROOT: Final = re.compile(r"<functions?[\s>/]")
_RAW_AMPERSAND: Final = re.compile(r"&[\w#]*+\Z")
_PROLOG: Final = re.compile(r"<\?xml[^>]{0,200}\?>\s*+")


def read_xml(text: str, tools: Sequence[Tool]) -> Sequence[Call]:
    """Return the calls of an answer that is one `<functions>` element; raises LiteralError.

    A single `<function>` is read as well. A value is taken from the `value` attribute or from the text of
    its `<param>`, and has the type that the tool's schema gives it; where there is none, the type that
    its `type` attribute names; else it is text. Allowed around the element are white space, one code
    fence, an XML declaration and the `<TOOLCALL>` tag of some prompts; other text is not. A document type
    or an entity declaration is refused, and no entity but XML's own five is known.
    """
    start, end = skip_space(text), len(text.rstrip())
    fence = whole_fence(text, start, end)
    if fence:
        start, end = skip_space(text, fence.body_start), len(text[: fence.body_end].rstrip())
    if text.startswith(_TAG[0], start) and text.endswith(_TAG[1], start, end):
        start, end = skip_space(text, start + len(_TAG[0])), len(text[: end - len(_TAG[1])].rstrip())
        if fence := whole_fence(text, start, end):
            start, end = skip_space(text, fence.body_start), len(text[: fence.body_end].rstrip())
    prolog = _PROLOG.match(text, start)
    if prolog:
        start = prolog.end()
    if text.startswith("<!", start) and not text.startswith("<!--", start):
        raise LiteralError("a document type declaration", start)
    if not _ROOT.match(text, start):
        raise _find_buried(text, start, end, tools)
    return _read_element(text, start, end, tools)


def _find_buried(text: str, start: int, end: int, tools: Sequence[Tool]) -> LiteralError:
    cut: LiteralError | None = None
    limit = len(text[:end])
    fences = find_fences(text[start:end])
    for count, found in enumerate(_ROOT.finditer(text, start, end)):
        if count >= MAX_SEARCHES:
            break
        name = "functions" if text.startswith("<functions", found.start()) else "function"
        closing = text.find(f"</{name}>", found.end(), end)
        finish = closing + len(name) + 3 if closing >= 0 else limit
        try:
            calls = _read_element(text, found.start(), finish, tools)
        except LiteralError as failed:
            cut = cut or (failed if failed.truncated else None)
            continue
        if calls:
            return LiteralError("text around the calls", found.start(), reason=Reason.WRAPPED_CALL)
    if cut is None and fences and "<function" in text[start:end]:
        return LiteralError("no `<functions>` element that can be read", start)
    return cut or LiteralError("no call list found", start)


class _Reader:
    """Collects the calls while the parser walks through the element."""

    def __init__(self, text: str, start: int, tools: Sequence[Tool]) -> None:
        self.text = text
        self.start = start
        self.tools = tools
        self.calls: list[Call] = []
        self.path: list[str] = []
        self.name: str | None = None
        self.arguments: dict[str, Any] = {}
        self.parameter: dict[str, str] | None = None
        self.written: list[str] = []

    def position(self, parser: expat.XMLParserType) -> int:
        """Return the character at which the parser stands; the parser counts bytes of UTF-8."""
        encoded = self.text.encode("utf-8", "surrogatepass")
        return self.start + len(encoded[: parser.CurrentByteIndex].decode("utf-8", "ignore"))

    def open_element(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name)
        if len(self.path) > MAX_DEPTH:
            raise LiteralError(f"nested more than {MAX_DEPTH} levels deep", self.start)
        if self.parameter is not None:
            raise LiteralError(f"`<{name}>` inside a value", self.start)
        if name == "function":
            if self.name is not None:
                raise LiteralError("a `<function>` inside another", self.start)
            self.name = attributes.get("name", "").strip()
            if not self.name:
                raise LiteralError("a `<function>` without a name", self.start)
            self.arguments = {}
        elif name == "param":
            if self.name is None or not attributes.get("name", "").strip():
                raise LiteralError("a `<param>` without a name, or outside a function", self.start)
            self.parameter = attributes
            self.written = []
        elif name not in {"functions", "params"}:
            raise LiteralError(f"an unknown element `<{name}>`", self.start)

    def add_text(self, written: str) -> None:
        if self.parameter is not None:
            self.written.append(written)
        elif written.strip():
            raise LiteralError("text between the elements", self.start)

    def close_element(self, name: str) -> None:
        self.path.pop()
        if name == "function" and self.name is not None:
            self.calls.append(Call(self.name, self.arguments))
            self.name = None
            if len(self.calls) > MAX_CALLS:
                raise LiteralError(f"more than {MAX_CALLS} calls", self.start)
        elif name == "param" and self.parameter is not None and self.name is not None:
            attributes, self.parameter = self.parameter, None
            parameter = attributes["name"].strip()
            written = attributes["value"] if "value" in attributes else "".join(self.written).strip()
            kind = type_of_parameter(find_tool(self.name, self.tools), parameter)
            kind = kind or named_kind(attributes.get("type")) or "string"
            self.arguments[parameter] = read_typed(written, kind, self.start)


def _read_element(text: str, start: int, end: int, tools: Sequence[Tool]) -> Sequence[Call]:
    part = text[start:end]
    if re.search(r"<!(?:DOCTYPE|ENTITY)", part, re.IGNORECASE):
        raise LiteralError("a document type declaration", start + part.index("<!"))
    reader = _Reader(part, start, tools)
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = reader.open_element
    parser.EndElementHandler = reader.close_element
    parser.CharacterDataHandler = reader.add_text
    parser.StartDoctypeDeclHandler = _refuse_dtd
    parser.buffer_text = True
    try:
        parser.Parse(part.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as failed:
        raise _describe(failed, reader, parser, part) from None
    except LiteralError as failed:
        raise LiteralError(failed.message, reader.position(parser)) from None
    return reader.calls


def _describe(
    failed: expat.ExpatError, reader: _Reader, parser: expat.XMLParserType, part: str
) -> LiteralError:
    at = reader.start + len(
        part.encode("utf-8", "surrogatepass")[: parser.ErrorByteIndex].decode("utf-8", "ignore")
    )
    message = expat.ErrorString(failed.code) or "not well-formed"
    raw = _RAW_AMPERSAND.search(part, max(0, at - reader.start - 40), at - reader.start)
    if raw:
        return LiteralError("XML: a raw `&`", reader.start + raw.start())
    rest = part[at - reader.start :].strip()
    closed = re.search(r"</functions?>\s*+\Z", part)
    if message.startswith("junk after") and reader.calls:
        return LiteralError("text after the calls", at, reason=Reason.WRAPPED_CALL)
    cut = not closed and (not rest or message in {"no element found", "unclosed token"})
    return LiteralError(f"XML: {message}", at, truncated=cut)


def _refuse_dtd(*_: object) -> NoReturn:
    raise LiteralError("a document type declaration", 0)
