"""Many single outputs: JSON lines in, verdicts out, in the order of the input."""

from __future__ import annotations

import difflib
from typing import IO, TYPE_CHECKING, Any, Final

from faircall.bfcl.categories import CATEGORIES
from faircall.errors import InputError, UsageError
from faircall.profiles import DEFAULT_PROFILE, load_profile
from faircall.records import Record, read_lines
from faircall.scoring import check

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from faircall.types import Verdict

OPTIONAL: Final = ("tools", "expected", "decoder", "language", "category")
FIELDS: Final = frozenset({"id", "output", *OPTIONAL})
LANGUAGES: Final = ("python", "java", "javascript")


def check_lines(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    profile: str = DEFAULT_PROFILE,
    decoder: str | None = None,
    name: str | None = None,
) -> Iterator[tuple[Any, Verdict]]:
    """Yield the id and the verdict of each JSON line, which has `id`, `output`, `tools` and what else `check` takes.

    A line's own `decoder` wins over the one given here, and that over `auto`; a line's `category` stands in for
    its `language`. Raises `InputError`, with the line, for a line that cannot be judged as it stands.

    >>> import io
    >>> line = b'{"id": 7, "output": "No tool fits.", "tools": ["get_time"], "expected": []}'
    >>> next(check_lines(io.BytesIO(line)))[1].outcome
    <Outcome.PASS: 'pass'>
    """
    switches = load_profile(profile)
    title = name or str(source)
    for record in read_lines(source, name=name):
        fields = record.value
        _refuse_unusable(record, title)
        try:
            verdict = check(
                fields["output"],
                tools=fields.get("tools") or (),
                expected=fields.get("expected"),
                decoder=fields.get("decoder", decoder) or "auto",
                language=fields.get("language") or _language_of(fields.get("category")),
                profile=switches,
                category=fields.get("category"),
            )
        except (InputError, UsageError) as error:
            raise InputError(str(error), path=title, line=record.line) from error
        yield fields["id"], verdict


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
