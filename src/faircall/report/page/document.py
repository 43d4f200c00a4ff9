"""The HTML document around a report: its parts, its data, the scripts by their hashes, and nothing from elsewhere."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import msgspec

from faircall import __version__
from faircall.errors import UsageError
from faircall.report.tables import clean
from faircall.rows import dump_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment
    from markupsafe import Markup

    from faircall.report.page.charts import Chart

THEMES: Final = ("auto", "light", "dark")
_STATIC: Final = files("faircall.report.page") / "static"
_TEMPLATES: Final = "templates"
# Shards beside the file are loaded by a script that is trusted by its hash, hence 'strict-dynamic'.
_POLICY: Final = (
    "default-src 'none'; script-src {hashes} 'strict-dynamic'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


class Look(msgspec.Struct, frozen=True):
    """What a reader may choose of a page: its title, in place of the report's own, and its theme."""

    title: str | None = None
    theme: str = "auto"


def refuse_look(look: Look) -> None:
    """Raise `UsageError` for a theme that does not exist, or where the libraries of the page are not installed.

    >>> refuse_look(Look(theme="sepia"))
    Traceback (most recent call last):
    faircall.errors.UsageError: no theme is called 'sepia'; there are auto, light, dark
    """
    if look.theme not in THEMES:
        raise UsageError(f"no theme is called {look.theme!r}; there are {', '.join(THEMES)}")
    if find_spec("jinja2") is None or find_spec("plotly") is None:
        raise UsageError("a report as HTML needs jinja2 and plotly: pip install 'faircall[report]'")


def render_document(
    template: str,
    *,
    title: str,
    signatures: Sequence[str],
    charts: Sequence[Chart],
    look: Look,
    data: Mapping[str, Any] | None = None,
    blocks: Mapping[str, str] | None = None,
    **shown: Any,
) -> str:
    """Return a page of one of the templates as HTML text.

    `charts` are embedded by their names, `data` as JSON for the script, `blocks` as text under an id each. All that
    is `shown` is escaped. Raises as `refuse_look` does.
    """
    refuse_look(look)
    script, plotly = _static("page.js"), _plotly()
    environment = _environment()
    name = look.title or title
    return environment.get_template(template).render(
        title=name,
        heading=name,
        signatures=tuple(signatures),
        theme=look.theme,
        version=__version__,
        style=_static("page.css"),
        script=script,
        plotly=plotly,
        policy=_POLICY.format(hashes=" ".join(f"'sha256-{_digest(text)}'" for text in (plotly, script))),
        charts={chart.name: chart for chart in charts},
        figures=embed({chart.name: chart.figure for chart in charts}),
        data=embed(data or {}),
        blocks=dict(blocks or {}),
        **shown,
    )


def embed(value: Any) -> str:
    """Return a value as JSON that can stand in a `<script>` element: none of its characters can end it.

    >>> embed("</script><!--")
    '"\\\\u003c/script\\\\u003e\\\\u003c!--"'
    """
    text = dump_json(value)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@lru_cache(maxsize=8)
def _static(name: str) -> str:
    return (_STATIC / name).read_text("utf-8")


@lru_cache(maxsize=1)
def _plotly() -> str:
    """The chart library's script; it holds no `</script`, which would end the element that it stands in."""
    text = (files("plotly") / "package_data" / "plotly.min.js").read_text("utf-8")
    return text.replace("</script", "<\\/script")


def _prose(text: str) -> Markup:
    """A sentence, in which what stands between backticks is code; all of it escaped."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - of the extra `report`

    parts = re.split(r"`([^`]+)`", clean(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )


def _digest(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - of the extra `report`

    environment = Environment(
        loader=PackageLoader("faircall.report.page", _TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clean"] = clean
    environment.filters["prose"] = _prose
    return environment
