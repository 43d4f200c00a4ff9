"""Many single outputs: JSON lines in, verdicts out, in the order of the input."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from faircall.bfcl.categories import CATEGORIES
from faircall.cases import join_names
from faircall.errors import InputError, UsageError
from faircall.passes import Passes, count_outcomes
from faircall.profiles import DEFAULT_PROFILE, load_profile
from faircall.records import Record, read_lines
from faircall.rows import dump_json
from faircall.scoring import check
from faircall.signature import hash8, sign
from faircall.types import Verdict  # noqa: TC001 - the type of a field

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

OPTIONAL: Final = ("tools", "expected", "decoder", "language", "category")
FIELDS: Final = frozenset({"id", "output", *OPTIONAL})
LANGUAGES: Final = ("python", "java", "javascript")


class CheckedLine(msgspec.Struct, frozen=True):
    """One line with its verdict: where it is, its id and key, the decoder that was asked for, a hash of the line."""

    line: int
    id: Any
    expected: Any
    decoder: str
    digest: str
    verdict: Verdict


class CheckReport(msgspec.Struct, frozen=True):
    """All lines of a source with their verdicts, how many pass, and the signature of that number."""

    name: str
    lines: tuple[CheckedLine, ...]
    passes: Passes
    profile: str
    signature: str


def check_lines(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    profile: str = DEFAULT_PROFILE,
    decoder: str | None = None,
    name: str | None = None,
    valid: bool = False,
) -> Iterator[tuple[Any, Verdict]]:
    """Yield the id and the verdict of each JSON line, which has `id`, `output`, `tools` and what else `check` takes.

    A line's own `decoder` wins over the one given here, and that over `auto`; a line's `category` stands in for
    its `language`. With `valid` calls have to follow the schemas of their tools, as in `check`. Raises `InputError`,
    with the line, for a line that cannot be judged as it stands.

    >>> import io
    >>> line = b'{"id": 7, "output": "No tool fits.", "tools": ["get_time"], "expected": []}'
    >>> next(check_lines(io.BytesIO(line)))[1].outcome
    <Outcome.PASS: 'pass'>
    """
    for checked in judge_lines(
        source, profile=profile, decoder=decoder, name=name, digests=False, valid=valid
    ):
        yield checked.id, checked.verdict


def judge_lines(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    profile: str = DEFAULT_PROFILE,
    decoder: str | None = None,
    name: str | None = None,
    digests: bool = True,
    valid: bool = False,
) -> Iterator[CheckedLine]:
    """Yield each JSON line with its verdict, as `check_lines` does; without `digests`, which take time, no hash.

    >>> import io
    >>> line = b'{"id": 7, "output": "No tool fits.", "tools": ["get_time"], "expected": []}'
    >>> [(checked.line, checked.decoder) for checked in judge_lines(io.BytesIO(line))]
    [(1, 'auto')]
    """
    switches = load_profile(profile)
    title = name or str(source)
    for record in read_lines(source, name=name):
        fields = record.value
        _refuse_unusable(record, title)
        asked = fields.get("decoder", decoder) or "auto"
        try:
            verdict = check(
                fields["output"],
                tools=fields.get("tools") or (),
                expected=fields.get("expected"),
                decoder=asked,
                language=fields.get("language") or _language_of(fields.get("category")),
                profile=switches,
                category=fields.get("category"),
                valid=valid,
            )
        except (InputError, UsageError) as error:
            raise InputError(str(error), path=title, line=record.line) from error
        digest = hash8([dump_json(fields)]) if digests else ""
        yield CheckedLine(record.line, fields["id"], fields.get("expected"), asked, digest, verdict)


def report_checks(
    lines: Sequence[CheckedLine],
    *,
    name: str,
    profile: str = DEFAULT_PROFILE,
    decoder: str | None = None,
    valid: bool = False,
) -> CheckReport:
    """Return the report on lines that were judged with their digests; `name` is the file's, or what a stream is called.

    >>> import io
    >>> line = b'{"id": 7, "output": "No tool fits.", "tools": ["get_time"], "expected": []}'
    >>> report = report_checks(list(judge_lines(io.BytesIO(line))), name="cases.jsonl")
    >>> report.signature.rsplit("|", 1)[0]
    'bench:cases.jsonl|data:none#39eca451|profile:fair-1|decoder:auto|n:1|void:0|ci:wilson95'
    """
    switches = load_profile(profile)
    passes = count_outcomes(checked.verdict.outcome for checked in lines)
    fields = {
        "bench": Path(name).name,
        "data": f"none#{hash8(checked.digest for checked in lines)}",
        "profile": switches.name,
        "decoder": join_names(checked.decoder for checked in lines) or decoder or "auto",
        **({"valid": "schema"} if valid else {}),
        "n": passes.n,
        "void": passes.void,
        "ci": "wilson95",
    }
    return CheckReport(name, tuple(lines), passes, switches.name, sign(fields))


def _refuse_unusable(record: Record, title: str) -> None:
    fields = record.value
    for field in ("id", "output"):
        if field not in fields:
            close = difflib.get_close_matches(field, fields, 1) or [
                key for key in ("result", "response", "text") if key in fields
            ]
            hint = f"rename `{close[0]}` to `{field}`" if close and field == "output" else f"add `{field}`"
            raise InputError(f"no `{field}`", path=title, line=record.line, hint=hint)
    for field in OPTIONAL:
        if field not in fields and (
            close := difflib.get_close_matches(field, fields.keys() - FIELDS, 1, cutoff=0.8)
        ):
            hint = f"rename it to `{field}`, or to something less alike"
            raise InputError(f"`{close[0]}` is no field", path=title, line=record.line, hint=hint)
    expected = fields.get("expected")
    if expected is not None and not isinstance(expected, list):
        hint = "write [] where no call is wanted"
        raise InputError("`expected` is not a list of calls", path=title, line=record.line, hint=hint)
    decoder = fields.get("decoder")
    if decoder is not None and not isinstance(decoder, str):
        raise InputError(
            "`decoder` is not a name", path=title, line=record.line, hint="write a decoder's name, or auto"
        )
    category = fields.get("category")
    if category is not None and not isinstance(category, str):
        what = f"`category` is {category!r}"
        raise InputError(what, path=title, line=record.line, hint="write a category's name, or leave it out")
    language = fields.get("language")
    if language is not None and (not isinstance(language, str) or language not in LANGUAGES):
        what = f"`language` is {language!r}"
        raise InputError(what, path=title, line=record.line, hint=f"write one of {', '.join(LANGUAGES)}")


def _language_of(category: Any) -> str:
    known = CATEGORIES.get(category) if isinstance(category, str) else None
    return known.language if known else "python"
