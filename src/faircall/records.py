"""JSON-lines files, read so that nothing is lost in silence.

Damage that can be mended without guessing at what a model wrote (a byte-order mark, CRLF, a JSON array in
place of lines, a last line that is cut off) becomes a `Problem` record; anything else is an `InputError`
with file and line.
"""

from __future__ import annotations

import codecs
import gzip
import io
import json
import zlib
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, cast

import msgspec

from faircall.errors import InputError
from faircall.jsontext import (
    MAX_DIGITS,
    describe_error,
    is_cut_off,
    parse_fast,
    parse_slowly,
    scan_value,
    skip_space,
)
from faircall.problems import Problem, count_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

MAX_LINE_BYTES: Final = 256 * 2**20
MAX_FILE_BYTES: Final = 2 * 2**30  # of what cannot be read line by line: arrays, UTF-16, compressed data

_ARCHIVES: Final = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ\x00": "xz-compressed",
    b"BZh": "bzip2-compressed",
    b"\x28\xb5\x2f\xfd": "zstd-compressed",
}
_HINT: Final = "name a file of JSON lines that can be read"
_RAW: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_WIDTHS: Final = ("32-le", "32-be", "16-le", "16-be")
_WIDE: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    *((mark.encode(f"utf-{width}"), f"utf-{width}") for width in _WIDTHS for mark in "{["),
)
_ODDITIES: Final = {
    "non-finite-number": "NaN, Infinity or a number out of range",
    "long-number": f"a whole number of more than {MAX_DIGITS:,} digits, read as a float,",
    "lone-surrogate": "half of a surrogate pair, kept as it is,",
    "duplicate-keys": "a key that occurs twice in one object (the last value counts)",
}


class Record(msgspec.Struct, frozen=True):
    """One stored object and the line on which it begins, counted from 1."""

    line: int
    value: dict[str, Any]


def parse_lines(
    text: str | bytes, *, name: str = "<text>", problems: list[Problem] | None = None
) -> list[Record]:
    r"""Return the records of JSON lines that are already in memory; see `read_lines`.

    >>> [record.line for record in parse_lines('{"id": "a"}\n\n{"id": "b"}')]
    [1, 3]
    """
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return list(read_lines(io.BytesIO(raw), name=name, problems=problems))


def read_lines(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    name: str | None = None,
    problems: list[Problem] | None = None,
) -> Iterator[Record]:
    """Yield the objects of a JSON-lines file or binary stream, one by one, each with its line number.

    UTF-8 with or without a byte-order mark, UTF-16, UTF-32, CRLF, blank lines, gzip, and one JSON array of
    objects are read. Given a list of `problems`, whatever is odd is appended to it, and damage that costs no
    more than the place where it is (a last line that is cut off, two objects on a line, bytes that are not
    UTF-8) is passed over; without one, such damage raises. `name` is what messages call the source.

    Raises `InputError`, with the line, where a line is not a JSON object or the source cannot be read.

    >>> list(read_lines(io.BytesIO(b'{"id": "a"}')))
    [Record(line=1, value={'id': 'a'})]
    """
    with _opened(source, name) as (stream, title):
        reader = _Reader(title, problems)
        try:
            yield from reader.read(stream)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            # The lines before the damage have been handed out already.
            message = f"the compressed data breaks off here ({error}); the rest is lost"
            reader.tolerate("truncated-last-line", message, reader.line + 1, "compress the file again")
        except OSError as error:
            what = f"cannot be read ({error.strerror or error})"
            raise InputError(what, path=title, hint=_HINT) from error
        reader.summarise()


@contextmanager
def _opened(source: str | os.PathLike[str] | IO[bytes], name: str | None) -> Iterator[tuple[IO[bytes], str]]:
    if hasattr(source, "readline"):
        yield cast("IO[bytes]", source), name or str(getattr(source, "name", "<stream>"))
        return
    path = Path(source)
    title = name or str(path)
    try:
        stream = path.open("rb")
    except OSError as error:
        if path.is_dir():
            raise InputError("is a folder, not a file", path=title, hint=_HINT) from error
        raise InputError(f"cannot be read ({error.strerror or error})", path=title, hint=_HINT) from error
    except ValueError as error:  # a NUL character in the name
        raise InputError(f"is no file name ({error})", path=repr(title), hint=_HINT) from error
    with stream:
        yield stream, title


class _Reader:
    """One pass over one source. `problems` is None where damage has to raise."""

    def __init__(self, name: str, problems: list[Problem] | None) -> None:
        self.name = name
        self.problems = problems
        self.line = 0
        self._crlf: list[int] = []
        self._blank: list[int] = []
        self._recoded: dict[str, list[tuple[int, int]]] = {}
        self._odd: dict[str, list[int]] = {}

    def note(self, code: str, message: str, line: int | None = None) -> None:
        if self.problems is not None:
            self.problems.append(Problem(code, message, self.name, line))

    def tolerate(self, code: str, message: str, line: int, hint: str) -> None:
        if self.problems is None:
            raise InputError(message, path=self.name, line=line, hint=hint)
        self.problems.append(Problem(code, message, self.name, line))

    def broken(self, line: int, what: str, hint: str = "store one JSON object a line, UTF-8") -> InputError:
        return InputError(what, path=self.name, line=line, hint=hint)

    def summarise(self) -> None:
        """Say once for the whole file what would be tedious for each line."""
        if self._crlf:
            self.note("line-ends", f"{count_of(len(self._crlf), 'line')} with CRLF at the end", self._crlf[0])
        if self._blank:
            self.note("blank-lines", f"{count_of(len(self._blank), 'blank line')} skipped", self._blank[0])
        for how, places in self._recoded.items():
            line, byte = places[0]
            lines = count_of(len(places), "line")
            self.note("encoding", f"{lines} not in UTF-8, first at byte {byte} of line {line}: {how}", line)
        for code, numbers in self._odd.items():
            self.note(code, f"{_ODDITIES[code]} on {count_of(len(numbers), 'line')}", numbers[0])

    def read(self, stream: IO[bytes]) -> Iterator[Record]:
        head = stream.readline(MAX_LINE_BYTES + 1)
        if head.startswith(b"\x1f\x8b"):
            packed = io.BytesIO(self._whole(stream, head))
            stream = cast("IO[bytes]", gzip.GzipFile(fileobj=packed))
            head = stream.readline(MAX_LINE_BYTES + 1)
        for magic, kind in _ARCHIVES.items():
            if head.startswith(magic):
                raise InputError(f"is {kind}, not JSON lines", path=self.name, hint="unpack it first")
        encoding = next((name for mark, name in _WIDE if head.startswith(mark)), None)
        if encoding:
            self.note("wide-encoding", f"the file is in {encoding.upper()}, not UTF-8; read as such")
            stream = io.BytesIO(self._narrow(self._whole(stream, head), encoding))
            head = stream.readline(MAX_LINE_BYTES + 1)
        elif head.startswith(codecs.BOM_UTF8):
            self.note("byte-order-mark", "the file begins with a byte-order mark; skipped", 1)
            head = head.removeprefix(codecs.BOM_UTF8)
        lines = self._lines(stream, head)
        first = next(lines, None)
        if first is not None and first[1].lstrip().startswith(b"["):
            yield from self._items(first[0], self._whole(stream, first[1]))
        elif first is not None:
            yield from self._objects(chain((first,), lines))

    def _whole(self, stream: IO[bytes], head: bytes) -> bytes:
        data = head + stream.read(MAX_FILE_BYTES)
        if len(data) > MAX_FILE_BYTES:
            raise InputError("over 2 GiB, and not plain JSON lines", path=self.name, hint="store JSON lines")
        return data

    def _narrow(self, data: bytes, encoding: str) -> bytes:
        # An incremental decoder leaves half a character at the very end out: the last line is cut off then.
        decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
        try:
            text = decoder.decode(data)
        except UnicodeDecodeError as error:
            what = f"not {encoding.upper()} at byte {error.start}"
            raise InputError(what, path=self.name, hint="store the file as UTF-8") from error
        return text.removeprefix("\ufeff").encode("utf-8", "surrogatepass")

    def _lines(self, stream: IO[bytes], raw: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield the lines that are not blank, with their numbers."""
        while raw:
            self.line += 1
            if len(raw) > MAX_LINE_BYTES:
                raise self.broken(self.line, f"a line of more than {MAX_LINE_BYTES // 2**20} MiB")
            if raw.endswith(b"\r\n"):
                self._crlf.append(self.line)
            if raw.isspace():
                self._blank.append(self.line)
            else:
                yield self.line, raw
            raw = stream.readline(MAX_LINE_BYTES + 1)

    def _objects(self, lines: Iterator[tuple[int, bytes]]) -> Iterator[Record]:
        """Yield what the lines hold: one object each, as a rule."""
        quoted: dict[tuple[str, ...], tuple[bytes, ...]] = {}
        for number, raw in lines:
            try:
                value = parse_fast(raw)
            except msgspec.DecodeError:
                yield from self._mend(number, raw, lines)
                continue
            except InputError as error:
                raise self.broken(number, error.what) from error
            if not isinstance(value, dict):
                raise self.broken(number, f"{_kind_of(value)}, not a JSON object")
            keys = tuple(value)
            if keys not in quoted:
                quoted[keys] = tuple(json.dumps(key).encode() for key in keys)
            for key in quoted[keys]:
                # Perhaps twice in one object, which the fast parser does not tell.
                if raw.count(key) > 1 and not _has_each_key_once(raw, quoted[keys]):
                    oddities: set[str] = set()
                    parse_slowly(raw.decode("utf-8"), oddities)
                    self._remember(number, oddities)
                    break
            yield Record(number, value)

    def _mend(self, number: int, raw: bytes, following: Iterator[tuple[int, bytes]]) -> Iterator[Record]:
        """Yield what a line holds that the fast parser refuses, or raise."""
        if raw.startswith(codecs.BOM_UTF8):
            self.note("byte-order-mark", "a byte-order mark inside the file; skipped", number)
            raw = raw.removeprefix(codecs.BOM_UTF8)
        text = self._text(number, raw.rstrip(b" \t\r\n"))
        oddities: set[str] = set()
        try:
            values = [parse_slowly(text, oddities)]
        except InputError as error:
            raise self.broken(number, error.what) from error
        except json.JSONDecodeError as error:
            if error.msg != "Extra data":
                self._pass_over(number, text, error, following)
                return
            values = self._joined(number, text, oddities)
        self._remember(number, oddities)
        for value in values:
            if not isinstance(value, dict):
                raise self.broken(number, f"{_kind_of(value)}, not a JSON object")
            yield Record(number, value)

    def _remember(self, number: int, oddities: set[str]) -> None:
        for code in sorted(oddities):
            if code == "long-number" and self.problems is None:
                raise self.broken(number, f"a whole number of more than {MAX_DIGITS:,} digits", "shorten it")
            self._odd.setdefault(code, []).append(number)

    def _text(self, number: int, raw: bytes) -> str:
        """Return a line as text. Bytes that are not UTF-8 are read by a stated rule, and counted."""
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            start = error.start
        if _begins_character(raw[start:].rstrip(b"\x00")):
            return raw[:start].decode("utf-8")  # cut off inside a character, as the parser will find
        try:
            return raw.decode("utf-8", "surrogatepass")  # half of a surrogate pair, as some writers store it
        except UnicodeDecodeError:
            if self.problems is None:
                what = f"not UTF-8 at byte {start} of the line"
                raise self.broken(number, what, "store the file as UTF-8") from None
        text = raw.decode("utf-8", "replace")
        how = "each bad byte read as U+FFFD"
        if all(character < "\x80" or character == "\ufffd" for character in text):
            # No other character of the line is sound UTF-8: another encoding, not a few damaged bytes.
            text = "".join(_WINDOWS.get(byte) or chr(byte) for byte in raw)
            how = "read as Windows-1252"
        self._recoded.setdefault(how, []).append((number, start))
        return text

    def _joined(self, number: int, text: str, oddities: set[str]) -> list[Any]:
        """Return several values that were written on one line, as when two writers append at once."""
        values = []
        position = skip_space(text, 0)
        while position < len(text):
            try:
                value, position = scan_value(text, position, oddities)
            except json.JSONDecodeError as error:
                raise self.broken(number, describe_error(error)) from error
            values.append(value)
            position = skip_space(text, position)
        self.tolerate(
            "joined-lines", f"{len(values)} JSON values on one line", number, "store one JSON object a line"
        )
        return values

    def _pass_over(
        self, number: int, text: str, error: json.JSONDecodeError, following: Iterator[tuple[int, bytes]]
    ) -> None:
        """Let a last line pass that stops inside its object; raise for any other broken line."""
        kept = text.rstrip("\x00")  # a crash can leave the end of a file filled with NUL bytes
        if kept != text and kept:
            try:
                json.loads(kept)
            except json.JSONDecodeError as inner:
                error = inner
        if kept and not (kept.lstrip().startswith("{") and is_cut_off(error)):
            raise self.broken(number, describe_error(error))
        if any(line.strip(b"\x00 \t\r\n") for _, line in following):
            if kept.strip() == "{":
                raise self.broken(number, "one JSON value over several lines")
            what = "the object is cut off here" if kept else "NUL bytes"
            raise self.broken(number, what, "remove the line, or store its object again")
        what = "the last line is cut off; dropped" if kept else "the file ends in NUL bytes; dropped"
        self.tolerate("truncated-last-line", what, number, "complete or remove it")

    def _items(self, number: int, data: bytes) -> Iterator[Record]:
        """Yield the items of one JSON array, each with the line on which it begins."""
        text = self._text(number, data)
        self.note("json-array", "one JSON array, not one object a line; its items are read", number)
        seen = 0
        position = text.index("[")
        while True:
            position = skip_space(text, position + 1)
            number += text.count("\n", seen, position)
            seen = position
            if text.startswith("]", position):
                break
            oddities: set[str] = set()
            try:
                value, position = scan_value(text, position, oddities)
            except json.JSONDecodeError as error:
                if not is_cut_off(error):
                    line = number + text.count("\n", seen, error.pos)
                    raise self.broken(line, describe_error(error), "close the array and its items") from error
                self.tolerate("truncated-last-line", "the array is cut off here", number, "complete it")
                return
            except InputError as error:
                raise self.broken(number, error.what) from error
            if not isinstance(value, dict):
                raise self.broken(number, f"{_kind_of(value)} in the array, not a JSON object")
            self._remember(number, oddities)
            yield Record(number, value)
            position = skip_space(text, position)
            if text.startswith("]", position):
                break
            if position == len(text):
                self.tolerate("truncated-last-line", "the array is not closed", number, "close it with `]`")
                return
            if not text.startswith(",", position):
                raise self.broken(number, "no comma after an item of the array", "put one there")
        if text[position + 1 :].strip():
            line = number + text.count("\n", seen, position)
            raise self.broken(line, "more text after the JSON array")


def _begins_character(raw: bytes) -> bool:
    try:
        return not codecs.getincrementaldecoder("utf-8")().decode(raw)
    except UnicodeDecodeError:
        return False


def _windows_characters() -> dict[int, str]:
    """Return the characters of Windows-1252 that Latin-1 does not have."""
    return {
        byte: character
        for byte in range(0x80, 0xA0)
        if (character := bytes([byte]).decode("cp1252", "ignore"))
    }


_WINDOWS: Final = _windows_characters()


def _has_each_key_once(raw: bytes, quoted: tuple[bytes, ...]) -> bool:
    """Whether an object in one of the two usual spacings is as long as its keys and last values make it."""
    values = _RAW.decode(raw)
    text = raw.strip()
    spaced = text.startswith(quoted[0] + b": ", 1)
    signs = 4 * len(quoted) if spaced else 2 * len(quoted) + 1  # braces, colons and commas, with their spaces
    return len(text) == signs + sum(map(len, quoted)) + sum(
        len(memoryview(value)) for value in values.values()
    )


def _kind_of(value: object) -> str:
    if value is None:
        return "null"
    kinds = {bool: "true or false", str: "a string", list: "an array"}
    return kinds.get(type(value), "a number")
