"""Texts in which somebody plainly said something: nothing in them could be silence or an error of the harness.

Most sound calls are such texts, and what the gate would look for in them need not be looked for.
"""

from __future__ import annotations

import re
from typing import Final

_PLAIN: Final = re.compile(
    r"""(?x) [ \n]* (?:
      <tool_call> \s* \{ [\t\n\r -;=-~]* </tool_call>
    | \[ [A-Za-z_][\w.]* \( [\t\n\r -;=-~]* \) \]
    ) \s* \Z""",
    re.ASCII,
)
"""A call between its marks, in printable ASCII without a further `<`: no tag, no special token, nothing invisible."""


def is_plain_call(text: str) -> bool:
    """Return whether the text is a call between its marks and can be neither empty nor an error of the harness.

    It may still fail to decode. False says nothing.

    >>> is_plain_call("[ride(to='home')]"), is_plain_call("Error during inference: 502")
    (True, False)
    """
    # A traceback, or reasoning in `[THINK]`, may stand in a text that begins like that.
    return (
        _PLAIN.match(text) is not None and "Traceback" not in text and "k]" not in text and "K]" not in text
    )
