"""Assertions for tests of one's own agents; nothing here needs pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faircall.profiles import DEFAULT_PROFILE, Profile, load_profile
from faircall.report.verdicts import verdict_lines
from faircall.scoring import check
from faircall.types import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faircall.types import Verdict


def assert_call(
    output: Any,
    *,
    tools: Any,
    expected: Sequence[Any] | None,
    decoder: str = "auto",
    profile: str | Profile = DEFAULT_PROFILE,
    language: str = "python",
    valid: bool = False,
) -> Verdict:
    """Return the verdict on an output that passes; raises `AssertionError` for one that does not.

    The arguments are those of `faircall.check`; with ``expected=[]`` no call is wanted, with None the state alone is
    judged; with `valid` calls have to follow the schemas of their tools. The message has the first difference by its
    path, what was expected and what was read. What cannot be
    judged, an error of the harness or a key that nothing can satisfy, raises as well and never passes.

    >>> assert_call("[ride(to='home')]", tools=["ride"], expected=[{"ride": {"to": "home"}}]).decoder
    'python'
    >>> assert_call("[ride(to='hom')]", tools=["ride"], expected=[{"ride": {"to": "home"}}])
    Traceback (most recent call last):
    ...
    AssertionError: wrong-value: Expected `"home"`, got `"hom"` - at `$.args.to`
      path      $.args.to
      expected  [{"ride": {"to": "home"}}]
      calls     [{"ride": {"to": "hom"}}]
      decoder   python
      state     CALLED
      reason    wrong-value
      evidence  characters 0 to 16: [ride(to='hom')]
      profile   fair-1
    """
    __tracebackhide__ = True
    switches = profile if isinstance(profile, Profile) else load_profile(profile)
    verdict = check(
        output,
        tools=tools,
        expected=expected,
        decoder=decoder,
        profile=switches,
        language=language,
        valid=valid,
    )
    if verdict.outcome is not Outcome.PASS:
        raise AssertionError("\n".join(verdict_lines(verdict, expected=expected, profile=switches.name)))
    return verdict
