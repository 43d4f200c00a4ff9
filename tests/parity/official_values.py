"""Random Java and JavaScript values: every notation, sound and broken, and some that the release takes long on."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ATOMS = [
    "0", "7", "-3", "+5", "007", "1_000", "0x1F", "-0xff", "0b11", "1.", ".5", "-2.50", "1e3", "1E-3",
    "-1.5e+10", "1e999", "NaN", "inf", "-Infinity", "3f", "3.5F", "-1e3f", "2.0d", "7L", "-7l",
    "9223372036854775808L", "5n", "-12n", "١٢", "१.५f", "²", "1 000", "- 1", "--1", "1f\n", "12\n",
    "3n\n", "4L\n", " 8 ", "1.5\n", "7\n\n", "true", "false", "True", "FALSE", "null", "undefined",
    "void 0", "None", "", " ", "\t", "\n", "''", '""', '"', "'", "'a'", "'ab'", "'\\n'", "'\\u0041'",
    "'\n'", '"word"', '"two words"', "'it\\'s'", '"say \\"hi\\""', '"a, b"', "'a, b'", '"(x)"', '"{x}"',
    '"[x]"', '"a:b"', "'k: v, w: x'", '"ü ☃ 漢字"', '"\U0001f600"', "a\xa0b", "\u2003", "\x1c", "\x85",
    "x", "MY_CONST", "obj.field", "f(x)", "Color.RED", "(int) 5", "1 + 2", "x -> x * 2",
    "String::valueOf", "new Object()", "new Date('2024-01-02')", "new Date(2024, 0, 2)", "/a[0-9]+,b/gi",
    "`t ${x}`", "`a\nb`", "function (a, b) { return a + b; }", "(a, b) => ({ c: a })",
    "async () => { await f(); }", "Symbol('s')", "new Promise((ok) => ok(1))", "Promise.resolve([1, 2])",
    "BigInt(12)", "new RegExp('a')", "...rest", "// note", "/* note */ 1", "\ud800", "\x00", "new",
    "new ", "add", "put", "List.of(1, 2)", 'Map.of("a", 1)', "{a", "a]", "a}",
]  # fmt: skip
SPACES = [
    "", "", "", " ", " ", "  ", "\n", "\t", "\n  ", "\xa0",
]  # fmt: skip
CLASSES = [
    "Integer", "String", "Double", "", "", "List<String>", "String, Object", "int[]", "?", "Long",
    "Character",
]  # fmt: skip
PIECES = [
    "new ", "new  ", "new\n", "int", "[]", "[ ]", "{", "}", "{{", "}}", "(", ")", "))", "()", "[", "]",
    "[[", "]]", "],[", "], [", "]\n,\n[", ",", ", ", ",:", ": ", ":", "::", "ArrayList<>",
    "ArrayList<Integer>", "ArrayList", "HashMap<>", "HashMap<String, Integer>", "HashMap", "Array(",
    "Array", "Arrays.asList(", "add(", "put(", 'put("', '",', '"', "'", "a", "b", "1", "2", " ", "\n",
    "\t", ";", "=", "true", "<", ">", "5L", "1f", ".", '\\', "n", "new int[]{", "new HashMap<",
    "new ArrayList<>()", "new ArrayList<>(Arrays.asList(", "new HashMap<>()", "new Array(", "\u2028",
    "{}", "{a:", "é",
]  # fmt: skip


class Values:
    """Random values of one language; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - test data

    def draw(self, language: str) -> str:
        """One value: an atom, a collection, pieces in any order, or one of those with a few characters changed."""
        kinds = ["atom", "sound", "sound", "sound", "pieces", "mutated", "mutated", "number"]
        kind = self._random.choice(kinds)
        if kind == "atom":
            return self._atom()
        if kind == "pieces":
            return "".join(self._random.choices(PIECES, k=self._random.randint(1, 14)))
        if kind == "number":
            return "".join(self._random.choices("0123456789.-+eEfFlLdn_x\n ", k=self._random.randint(1, 6)))
        collection = self._java(2) if language == "java" else self._javascript(2)
        if self._random.random() < 0.1:
            collection = self._space() + collection + self._random.choice([";", " ", "\n", ".size()"])
        return self._mutate(collection) if kind == "mutated" else collection

    def _space(self) -> str:
        return self._random.choice(SPACES)

    def _atom(self) -> str:
        return self._random.choice(ATOMS)

    def _java(self, depth: int) -> str:
        pick, space = self._random.choice, self._space
        items = [
            self._java(depth - 1) if depth and self._random.random() < 0.15 else self._atom()
            for _ in range(self._random.choice([0, 1, 2, 2, 3]))
        ]
        listed = f",{space()}".join(items)
        key = pick(["a", "", "a b", "k,1", 'q"', "(", "ü", "a\nb"])
        return pick(
            [
                f"new{pick([' ', '  '])}{pick(['int', 'Object', 'a.b.C', 'é'])}[]{space()}{{{listed}}}",
                f"new int[{len(items)}]",
                f"{{{listed}}}",
                f"new int[][]{{{{{listed}}}, {{{listed}}}}}",
                f"new ArrayList<{pick(CLASSES)}>(Arrays.asList({listed}))",
                f"new ArrayList<{pick(CLASSES)}>(List.of({listed}))",
                f"Arrays.asList({listed})",
                f"new ArrayList<{pick(CLASSES)}>()",
                f"new ArrayList<{pick(CLASSES)}>(){space()}{{{{{space()}"
                + f";{space()}".join(f"add({item})" for item in items)
                + f"{pick(['', ';'])}{space()}}}}}",
                f"new HashMap<{pick(CLASSES)}>(){space()}{{{space()}{{{space()}"
                + "".join(f'put("{key}{n}",{space()}{item});{space()}' for n, item in enumerate(items))
                + f"}}{space()}}}",
                f"new HashMap<{pick(CLASSES)}>{space()}()",
                f"new HashMap<{pick(CLASSES)}>({listed})",
                f"new HashSet<>(Arrays.asList({listed}))",
                f"new Stack<Integer>() {{{{ push({listed}); }}}}",
                f"new Hashtable<>() {{{{ put({listed}); }}}}",
                f"new LinkedList<>({listed})",
            ]
        )

    def _javascript(self, depth: int) -> str:
        pick, space = self._random.choice, self._space
        items = [
            self._javascript(depth - 1) if depth and self._random.random() < 0.25 else self._atom()
            for _ in range(self._random.choice([0, 1, 2, 2, 3]))
        ]
        listed = f"{space()},{space()}".join(items)
        keys = [pick(["a", "b", "'c'", '"d"', "'e: f'", "[g]", "1", "", "h-i", "ü"]) for _ in items]
        properties = [f"{key}{space()}:{space()}{item}" for key, item in zip(keys, items, strict=True)]
        rows = [f"[{space()}{listed}{space()}]" for _ in range(self._random.randint(1, 4))]
        return pick(
            [
                f"[{space()}{listed}{space()}]",
                f"[{space()}" + f"{space()},{space()}".join(rows) + f"{space()}]",
                f"new{pick([' ', chr(10)])}Array({space()}{listed})",
                f"new Array({space()}" + f"{space()},{space()}".join(rows) + ")",
                f"{{{space()}" + f",{space()}".join(properties) + f"{space()}}}",
                f"{{{space()}" + f",{space()}".join(properties) + f"{pick([',', ', '])}}}",
                f"[{{{', '.join(properties)}}}, {{{', '.join(properties)}}}]",
                f"new Map([{listed}])",
                f"new Set([{listed}])",
                f"new Map([['a', {listed}]])",
                f"Array.of({listed})",
                f"({listed}) => {{ return [{listed}]; }}",
            ]
        )

    def _mutate(self, text: str) -> str:
        characters = list(text)
        for _ in range(self._random.randint(1, 4)):
            at = self._random.randint(0, len(characters))
            change = self._random.random()
            if change < 0.45:
                del characters[at : at + 1]
            elif change < 0.9:
                characters.insert(at, self._random.choice(PIECES))
            else:
                del characters[at:]
        return "".join(characters)


NINES = "9" * 4_301

EXTREMES = {
    "java": [
        *["9" * 4_300, NINES, "-" + NINES, NINES + "L", NINES + "f", "0" * 5_000, "1_" * 4_300 + "1"],
        f"new int[]{{1, {NINES}L}}",
        f"new int[]{{{NINES}}}",
        f'new HashMap<>() {{{{ put("a", {NINES}L); }}}}',
        "new A[]{" * 300,
        "new ArrayList<>() {{" + " " * 300,
        "new ArrayList<>() {{" + "add(" * 300 + "}}",
        "new ArrayList<>(Arrays.asList(" * 300,
        "new HashMap<" * 300,
        "new HashMap<>() {{" + 'put("a",' * 100 + "}}",
    ],
    "javascript": [
        *["9" * 4_300, NINES, NINES + "n", f"[{NINES}]", f"[{NINES}n]", f"[[{NINES}]]", f"{{a: {NINES}}}"],
        *["[[" + "1],[" * rows for rows in (3, 12, 40)],
        *["new Array([" + "1],[" * rows for rows in (3, 12, 40)],
        "[" * 2_000,
        "{" + "a" * 2_000 + "}",
        "{" + "," * 2_000 + "}",
        "{a:" + ", " * 1_000 + "}",
        "{a:1" + ",:" * 300 + "}",
        "{a:1," + " " * 1_000 + "}",
    ],
}
"""Long values: too many digits, and collections that never end."""

SMALL = {
    "java": [
        ("Array", "new A[]{", ["1", ",", " ", "}", "\n", "new B[]{", '"'], 5, ""),
        ("ArrayList", "new ArrayList<>(Arrays.asList(", ["1", ",", " ", ")", "\n", "("], 5, ""),
        ("ArrayList", "new ArrayList<>(){{", ["add(", ")", "}", " ", "\n", "1"], 5, ""),
        ("ArrayList", "new ArrayList<>(){{", ["add(", ")", " ", "\n", "1"], 5, "}}"),
        ("HashMap", "new HashMap<", ["<", ">", "()", "{", "}", " ", "\n"], 6, ""),
        ("HashMap", "new HashMap<>(){{", ['put("', '",', ")", "1", "\n", " "], 6, "}}"),
    ],
    "javascript": [
        ("dict", "{", ["a", ":", ",", " ", "'", "[", "]"], 6, "}"),
        ("dict", "", ["{", "}", ":", "\n", "1", ","], 6, ""),
        ("array", "[[", ["1", "]", "[", ",", "\n"], 7, ""),
        ("array", "[[1], [", ["1", "],[", "]", " ", "\n"], 6, "]]"),
        ("array", "new Array([", ["1", "]", "[", ",", ")", "\n"], 6, ""),
        ("array", "", ["[", "]", ",", " ", "'", "1", "\n"], 6, ""),
    ],
}
"""Declared type, beginning, pieces, how many at most, ending: every text of that form is compared."""


def small_values(language: str) -> Iterator[tuple[str, str]]:
    """Each declared type of `SMALL` with each of its texts."""
    for declared, beginning, pieces, most, ending in SMALL[language]:
        for length in range(most + 1):
            for chosen in itertools.product(pieces, repeat=length):
                yield declared, beginning + "".join(chosen) + ending
