"""faircall: tool-calling scores that can be reproduced.

The names below are the public library; each is loaded when it is first used, so that importing the package
stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from faircall.auditing import audit as audit
    from faircall.comparing import compare as compare
    from faircall.decoding import decode as decode
    from faircall.decoding.streams import assemble as assemble
    from faircall.errors import ExternalError as ExternalError
    from faircall.errors import FaircallError as FaircallError
    from faircall.errors import InputError as InputError
    from faircall.errors import UsageError as UsageError
    from faircall.explaining import explain as explain
    from faircall.linting import lint as lint
    from faircall.rewarding import reward as reward
    from faircall.runs import score as score
    from faircall.scoring import check as check
    from faircall.tool_writing import write_tools as write_tools
    from faircall.validation import validate as validate

__version__ = "0.1.0"

_HOME = {
    "assemble": "faircall.decoding.streams",
    "audit": "faircall.auditing",
    "check": "faircall.scoring",
    "compare": "faircall.comparing",
    "decode": "faircall.decoding",
    "explain": "faircall.explaining",
    "lint": "faircall.linting",
    "reward": "faircall.rewarding",
    "score": "faircall.runs",
    "validate": "faircall.validation",
    "write_tools": "faircall.tool_writing",
    "ExternalError": "faircall.errors",
    "FaircallError": "faircall.errors",
    "InputError": "faircall.errors",
    "UsageError": "faircall.errors",
}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 - the names are strings


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'faircall' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
