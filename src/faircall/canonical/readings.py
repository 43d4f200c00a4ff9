"""How the texts of a parameter are to be read: as values, as labels such as versions and codes, or to the letter."""

from __future__ import annotations

import contextlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_TOKEN: Final = re.compile(r"[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
_OTHER_VERSIONS: Final = (
    "conversion",
    "inversion",
    "diversion",
    "reversion",
    "perversion",
    "subversion",
    "aversion",
)
_VERSIONS: Final = frozenset({"ver", "vers", "semver"})
_LABELS: Final = frozenset(
    ("release", "tag", "firmware", "sdk", "python", "node", "nodejs", "java", "ruby", "php", "golang", "kernel",
     "id", "ids", "hash", "sha", "md5", "checksum", "digest", "code", "codes", "token", "uuid", "guid", "commit",
     "serial", "sku", "isbn", "barcode", "password", "pin", "zip", "zipcode", "postcode", "identifier",
     "fingerprint", "hex")
)  # fmt: skip
_SECRETS: Final = frozenset(
    ("password", "passwd", "passphrase", "passcode", "pwd", "secret", "apikey", "credential", "credentials")
)
_KEYS: Final = frozenset(
    (("api", "key"), ("access", "key"), ("secret", "key"), ("private", "key"), ("encryption", "key"),
     ("auth", "key"), ("license", "key"), ("licence", "key"), ("user", "pass"), ("db", "pass"), ("api", "token"),
     ("access", "token"), ("auth", "token"), ("bearer", "token"), ("refresh", "token"), ("session", "token"))
)  # fmt: skip
_LINKS: Final = frozenset(
    ("a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "of", "on", "or", "to", "whether", "with", "if")
)  # fmt: skip
_PHRASE: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[^\s\w]")


@lru_cache(maxsize=4096)
def names_label(name: str) -> bool:
    """Return whether a parameter's name says that its texts are versions, codes or identifiers, and no numbers.

    >>> names_label("pythonVersion"), names_label("user_id"), names_label("conversion_rate")
    (True, True, False)
    """
    tokens = [token.lower() for token in _TOKEN.findall(name)]
    if any(_is_version(token) for token in tokens):
        return True
    words = [token for token in tokens if not token.isdigit()]
    return bool(words) and words[-1] in _LABELS


@lru_cache(maxsize=4096)
def names_secret(name: str) -> bool:
    """Return whether a parameter's name says that its text is a password or a key, of which every character counts.

    >>> names_secret("newPassword"), names_secret("api_key"), names_secret("max_tokens")
    (True, True, False)
    """
    words = [token.lower() for token in _TOKEN.findall(name) if not token.isdigit()]
    return bool(words) and (words[-1] in _SECRETS or tuple(words[-2:]) in _KEYS)


def describes_label(description: str) -> bool:
    """Return whether a description is of a version, a code or an identifier, and not of something that has one.

    >>> describes_label("The version of the library"), describes_label("Amount in the new version of the currency")
    (True, False)
    """
    words = [word.lower() for word in _PHRASE.findall(description[:200])]
    phrase = words[1:] if words and words[0] in {"the", "a", "an"} else words
    for index, word in enumerate(phrase[:5]):
        if word in _LINKS or not word[0].isalnum():
            return index > 0 and _is_head(phrase[index - 1])
        if _is_version(word):
            return True
    return 0 < len(phrase) <= 5 and _is_head(phrase[-1])


def tells_apart(members: Iterable[Any]) -> bool:
    """Return whether an enumeration has texts that differ only in case, in marks or in how a number is written.

    >>> tells_apart(["A", "A-"]), tells_apart(["3.1", "3.10"]), tells_apart(["low", "high"])
    (True, True, False)
    """
    seen: set[Any] = set()
    texts = {member for member in members if isinstance(member, str)}
    for text in texts:
        keys: set[Any] = {"".join(character for character in text.casefold() if character.isalnum())}
        with contextlib.suppress(ValueError):
            keys.add(float(text))
        if not keys.isdisjoint(seen):
            return True
        seen |= keys
    return False


def _is_version(word: str) -> bool:
    stem = word.removesuffix("s") if word.endswith("versions") else word
    return word in _VERSIONS or (stem.endswith("version") and stem not in _OTHER_VERSIONS)


def _is_head(word: str) -> bool:
    return word in _LABELS and word not in {"python", "java", "node", "ruby", "php"}
