"""Hypothesis strategies for outputs of every protocol, sound and broken, all of them harmless to evaluate.

The released decoders evaluate arithmetic. So the calls in it are to `len`, `max` and unknown names only, and
`is_harmless` turns away what a mutation might have made of an exponent or a repetition.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import strategies as st

FORMATS = ("python", "java", "javascript", "json", "verbose_xml", "concise_xml")

SOUND_NAMES = st.sampled_from(["area", "geo.area", "get_time", "a.b.c", "größe", "計算"])
NAMES = st.one_of(SOUND_NAMES, st.sampled_from(["x1", "print_it", "f", "None", "true", "class"]))
CALLEES = st.one_of(
    *[SOUND_NAMES] * 6, NAMES, st.sampled_from(["f()", "x[0]", '"s".join', "(lambda: 1)", "f().g", "await f"])
)
KEYS = st.sampled_from(["width", "city", "when", "x", "_y", "größe", "value", "a", "b", "and"])
WORDS = st.sampled_from(
    [
        "Oslo",
        "a b",
        "it's",
        'say "hi"',
        "naïve ☃",
        "1.5",
        "",
        "a\\nb",
        "C:\\\\dir",
        "{x}",
        "50%",
        "\\d",
        "a;b",
    ]
)
NUMBERS = st.sampled_from(
    [
        "0",
        "7",
        "-3",
        "2.5",
        "1e3",
        "1_000",
        "0x1F",
        "3j",
        "1e999",
        "007",
        "1.",
        ".5",
        "-0.0",
        "1234567890123456789",
    ]
)

# Python

SOUND_VALUES = st.sampled_from(
    [
        "1", "-2.5", "'Oslo'", '"a b"', "True", "None", "x", "...", "[1, 'a']", "{'a': 1, 2: [None]}",
        "(1, 2)",
        "()", "g(1, h(2))", "g(b=3)", "a[0]", "m.n[1:2]", "g()", "-1j", "b'x'", "not True", "~5", "+5",
        "1e999",
        '"""a\\nb"""', '"\\u00e9"', "'50%'", "0x1F", "'a' 'b'", "g(1)(b=[2])", "x[g(1), 'k']", "12345678901",
        "a if b else c", "{1, 2}", "a.b", "f'{x}'", "1_000", '"naïve"', "'[TOOL_CALLS]'", "g(*a, **b)",
        "[[1], [2]]",
    ]
)  # fmt: skip
SUMS = st.sampled_from(
    [
        "1 + 2", "3 * 4.5", "10 / 4", "7 // 2", "7 % 3", "2 ** 10", "2 ** -1", "1 << 4", "'a' + 'b'",
        "'ab' * 2",
        "[1] + [2]", "(1,) * 3", "1 - -1", "(1 + 2) * 3", "1 / 0", "x ** 2", "x + 1", "'a' + 1",
        "True + True",
        "5 | 2", "1.5 + 2j", "{1} | {2}", "{'a': 1} | {'b': 2}", "'%d' % 3", "[x] * 2", "10 * (3 + 4) / 2",
        "2 ** 0.5", "1 @ 2", "(1 if True else 2) + 1", "[1, 2][0] + 1", "(not 1) + 1", "-1 * 2",
        "1 + 2 + 3 + 4",
        "0 ** -1", "3 * 'ab'", "'a' 'b' + 'c'", "len('ab') + 1", "(1).real + 1", "-2 ** 2 + 1", "1e308 * 10",
        "10 ** 400 * 1.0", "max(1, 2) - 1", "7 ^ 2", "6 & 3", "256 >> 2", "(lambda: 1) + 2", "f'a' + 'b'",
        "b'a' + b'b'", "('a' < 'b') + 1", "None + 1", "None or 1 + 1", "[*'ab'] + [1]", "(1, 2)[1:] + (3,)",
        "'x' in 'xy' + 'z'", "{**{'a': 1}} | {}", "x % 2 + y", "-(1 + 2)", "1 < 2 + 3", "[1 + 1, 'a' * 3]",
    ]
)  # fmt: skip
STRINGS = st.one_of(
    st.builds(
        lambda word, quote: f"{quote}{word}{quote}",
        WORDS,
        st.sampled_from(["'", '"', '"""', "'''", "b'", "r'"]),
    ),
    WORDS.map(json.dumps),
    st.sampled_from(
        ['f"abc"', 'f"{x}"', "f'{1+1}'", "'a' 'b'", "u'x'", '"\\ud800"', '"\\N{DASH}"', "b'\\xff'"]
    ),
)
ATOMS = st.one_of(
    NUMBERS,
    STRINGS,
    st.sampled_from(["None", "True", "true", "null", "...", "x", "[]", "{}", "()", "nan", "date.today"]),
)
OPERATORS = st.sampled_from(["+", "-", "*", "/", "//", "%", " | ", "&", "^", "<<", ">>", "@", "**"])


def _combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    some = st.lists(inner, max_size=3).map(", ".join)
    return st.one_of(
        some.map("[{}]".format),
        some.map("({},)".format),
        some.map("({})".format),
        some.map("{{{}}}".format),
        st.lists(st.tuples(inner, inner), max_size=3).map(
            lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items) + "}"
        ),
        st.builds("{}{}".format, st.sampled_from(["-", "+", "~", "not ", "- -"]), inner),
        st.builds("{} {} {}".format, inner, OPERATORS, inner),
        st.builds("{} {} {}".format, NUMBERS, OPERATORS, NUMBERS),
        st.builds("({} {} {}) {} {}".format, NUMBERS, OPERATORS, NUMBERS, OPERATORS, inner),
        st.builds("{}[{}]".format, inner, inner),
        st.builds("{}[{}:{}] + {}".format, inner, NUMBERS, NUMBERS, inner),
        st.builds("{}({})".format, NAMES, some),
        st.builds("{}({}={})".format, NAMES, KEYS, inner),
        st.builds("len({}) + {}".format, inner, inner),
        st.builds("max({}, 2) * 2".format, inner),
        st.builds("{} if {} else {}".format, inner, inner, inner),
        st.builds("({} if {} else {}) + {}".format, inner, inner, inner, inner),
        st.builds(
            "({} {} {}) + {}".format, inner, st.sampled_from(["<", "==", "in", "and", "or"]), inner, inner
        ),
        st.builds("(not {}) + {}".format, inner, inner),
        st.builds("[*{}] + [{}]".format, inner, inner),
        st.builds("{{**{}}} | {}".format, inner, inner),
        st.builds("lambda: {}".format, inner),
        st.builds("(y := {})".format, inner),
        st.builds("[y for y in {}]".format, inner),
        st.builds("*{}".format, inner),
        st.builds("{}.real".format, inner),
    )


VALUES = st.one_of(*[SOUND_VALUES] * 8, *[SUMS] * 3, st.recursive(ATOMS, _combine, max_leaves=6))


@st.composite
def python_calls(draw: st.DrawFn) -> str:
    """One call in Python, mostly a sound one."""
    parts = draw(st.lists(st.builds("{}={}".format, KEYS, VALUES), max_size=3))
    if draw(st.integers(0, 5)) == 0:
        parts.insert(0, draw(VALUES))
    if draw(st.integers(0, 11)) == 0:
        odd = draw(st.sampled_from(["{}", "**{}", "*{}", "'k': {}", "{}=="])).format(draw(VALUES))
        parts.insert(draw(st.integers(0, len(parts))), odd)
    return f"{draw(CALLEES)}({', '.join(parts)})"


@st.composite
def python_lists(draw: st.DrawFn) -> str:
    """A call list in Python, mostly in its brackets."""
    calls = draw(st.lists(python_calls(), max_size=3))
    shape = draw(
        st.sampled_from(
            ["[, ]"] * 7
            + [", "] * 2
            + ["; ", "\n", "tuple", "set", "index", "assigned", "value", "only value"]
        )
    )
    match shape:
        case "[, ]":
            return f"[{', '.join(calls)}]"
        case "tuple":
            return ", ".join(f"[{call}]" for call in calls)
        case "set":
            return f"{{{', '.join(calls)}}}"
        case "index":
            return f"[{', '.join(calls)}][0]"
        case "assigned":
            return f"x = {draw(python_calls())}"
        case "value":
            return f"[{', '.join([*calls, draw(VALUES)])}]"
        case "only value":
            return draw(VALUES)
        case _:
            return shape.join(calls)


# JSON

JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(width=16), WORDS, NAMES),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=5,
)
OBJECTS = st.dictionaries(KEYS, JSON_VALUES, max_size=3)
ARGUMENTS: st.SearchStrategy[Any] = st.one_of(*[OBJECTS] * 6, JSON_VALUES)


@st.composite
def call_objects(draw: st.DrawFn) -> Any:
    """One call as an object of some API or model, or something else that is JSON."""
    if draw(st.integers(0, 14)) == 0:
        return draw(JSON_VALUES)
    if draw(st.integers(0, 14)) == 0:
        return {"name": " no_function ", "arguments": {}}
    name_key, argument_key = draw(
        st.sampled_from(
            [("name", "arguments")] * 4
            + [("name", "parameters")] * 3
            + [("function", "parameters")] * 2
            + [("tool_name", "parameters"), ("nam", "args"), ("name", "args"), ("fn", "arguments")]
        )
    )
    name = draw(JSON_VALUES) if draw(st.integers(0, 14)) == 0 else draw(NAMES)
    return {name_key: name, argument_key: draw(ARGUMENTS)}


PROTOCOLS = (
    ("<tool_call>\n{}\n</tool_call>", "arguments", "first"),
    ("<tool_call>\n{}\n</tool_call>\n<tool_call>\n{}\n</tool_call>", "arguments", "first"),
    ("<tool_call>{}</tool_call>", "arguments", "[, ]"),
    ("<tool_call>```json\n{}\n```</tool_call>", "arguments", "first"),
    ("<function_call> {}", "arguments", "<function_call>"),
    ("{}", "arguments", "[, ]"),
    ("{}", "arguments", "; "),
    ("```{}```", "arguments", "[, ]"),
    ("<think>a</think>\n{}", "arguments", "[, ]"),
    ("<|python_tag|>{}", "parameters", ";"),
    ("{}", "parameters", "[, ]"),
    ("{}", "parameters", "first"),
)
"""Wrapper, key of the arguments and separator of the JSON protocols."""


@st.composite
def protocol_texts(draw: st.DrawFn) -> str:
    """Calls as one of the JSON protocols wants them."""
    wrapper, key, shape = draw(st.sampled_from(PROTOCOLS))
    calls = draw(st.lists(st.tuples(NAMES, st.one_of(*[OBJECTS] * 8, JSON_VALUES)), min_size=1, max_size=3))
    items = [json.dumps({"name": name, key: arguments}) for name, arguments in calls]
    if shape == "first":
        items, shape = items[:1], ""
    text = f"[{', '.join(items)}]" if shape == "[, ]" else shape.join(items)
    return wrapper.replace("{}", text)


@st.composite
def json_lists(draw: st.DrawFn) -> str:
    """Calls as JSON text, or as Python prints them, in a list or with something else between them."""
    calls = draw(st.lists(call_objects(), max_size=3))
    if draw(st.integers(0, 6)) == 0:
        return f"{draw(NAMES)}\n{json.dumps(draw(ARGUMENTS))}" + draw(st.sampled_from(["", "", "\n", "\nok"]))
    if draw(st.integers(0, 4)) == 0:
        items = [repr(call) for call in calls]
    else:
        indent = draw(st.sampled_from([None, None, 2]))
        items = [json.dumps(call, indent=indent, ensure_ascii=draw(st.booleans())) for call in calls]
    shape = draw(st.sampled_from(["[, ]", "[, ]", "[, ]", "[\n ]", ";", "; ", ", ", "\n", "first", "first"]))
    match shape:
        case "[, ]":
            return f"[{', '.join(items)}]"
        case "[\n ]":
            return "[ " + " ,\n".join(items) + "\n]"
        case "first":
            return items[0] if items else "[]"
        case _:
            return shape.join(items)


# The other protocols

GEMMA_PIECES = st.sampled_from(
    [
        *"{}[]:,",
        *"{}[]:,",
        "<escape>",
        "key",
        "1",
        "2.50",
        "1_0",
        "null",
        "true",
        " ",
        "é",
        "nan",
        "a b",
        "\n",
    ]
)
GEMMA_CALLS = st.one_of(
    st.builds("call:{}{{{}:<escape>{}<escape>,{}:{}}}".format, NAMES, KEYS, WORDS, KEYS, NUMBERS),
    st.builds(
        "call:{}{{{}:[{},{}],{}:{{{}:{}}}}}".format, NAMES, KEYS, NUMBERS, NUMBERS, KEYS, KEYS, NUMBERS
    ),
    st.builds("call:{}{}".format, NAMES, st.lists(GEMMA_PIECES, max_size=14).map("".join)),
    st.builds("call:{}{{{}}}".format, NAMES, st.lists(GEMMA_PIECES, max_size=14).map("".join)),
    st.builds("{}{{}}".format, NAMES),
)
GEMMA = st.lists(GEMMA_CALLS, max_size=3).map(
    lambda calls: "".join(f"<start_function_call>{call}<end_function_call>" for call in calls)
)


@st.composite
def minicpm(draw: st.DrawFn) -> str:
    """A thought, a block of calls and an answer, of which some may be missing or out of order."""
    thought = draw(
        st.sampled_from(
            ["", "<|thought_start|>\nlet me\n<|thought_end|>\n", "<|thought_end|><|thought_start|>"]
        )
    )
    fence = draw(st.sampled_from(["", "```python\n", "```python\n", "```\n", "```py\n", "python\n"]))
    calls = draw(st.one_of(st.lists(python_calls(), max_size=3).map("\n".join), python_lists()))
    start = draw(
        st.sampled_from(["<|tool_call_start|>\n"] * 4 + ["<|tool_call_end|><|tool_call_start|>", ""])
    )
    end = draw(st.sampled_from(["\n<|tool_call_end|>", "\n<|tool_call_end|>\n", "<|tool_call_end|>", ""]))
    return f"{thought}{start}{fence}{calls}\n{'```' if fence else ''}{end}{draw(WORDS)}"


XML_TYPES = ["string", "integer", "float", "boolean", "null", "array", "dict", "tuple", "any", ""]


@st.composite
def xml_calls(draw: st.DrawFn) -> str:
    """A <functions> element of either kind, or a mixture."""
    functions = []
    for _ in range(draw(st.integers(0, 2))):
        parameters = []
        shapes = draw(
            st.sampled_from(
                [
                    ['<param name="{}" value="{}" type="{}"/>'],
                    ['<param name="{}" value="{}" type="{}"/>'],
                    ['<param name="{0}" type="{2}">{1}</param>'],
                    ['<param name="{0}" type="{2}">{1}</param>'],
                    ['<param name="{}"> {} </param>', '<param type="{2}" value="{1}"></param>'],
                ]
            )
        )
        for _ in range(draw(st.integers(0, 3))):
            text = draw(st.one_of(WORDS, VALUES, NUMBERS))
            for sign, entity in {"&": "&amp;", "<": "&lt;", '"': "&quot;"}.items():
                text = text.replace(sign, entity)
            shape = draw(st.sampled_from(shapes))
            parameters.append(shape.format(draw(KEYS), text, draw(st.sampled_from(XML_TYPES))))
        inside = "".join(parameters)
        if draw(st.booleans()):
            inside = f"<params>{inside}</params>"
        functions.append(f'<function name="{draw(NAMES)}">{inside}</function>')
    return "<functions>\n" + "\n".join(functions) + "</functions>"


SOUND_CODE = st.sampled_from(
    [
        "'x'", '"Oslo"', "1", "-2", "true", "false", "null", "x", "Type.VALUE", "new Thing(a, b)",
        "new int[]{1, 2}",
        'new String[]{"a", "b"}', 'Arrays.asList("a", "b")', "[1, 2]", "{a: 1}", "[{a: 'b'}]",
        "x => x + 1", "1.5f",
        "function(e) { return e; }", "`t ${x}`", "undefined", "/ab+c/g", "List.of(1, 2)", "'c'", "100L",
        '"naïve é"',
        "new HashMap<String, Integer>()", "new ArrayList<>(Arrays.asList(1, 2))", "() -> 5",
        "a -> { go(a); }",
        "new Object[]{new Thing(), 'c', \"s\"}", "this.value", "String.class", "(int) 5", "a + b",
        "a ? b : c",
        'Map.of("k", new int[]{1})', "async (a) => await a", "{ 'k': \"v\", n: { m: [1] } }",
        "new Date()", "0x1F",
        "new Promise((r) => r(1))", '"a \\"quoted\\" b"', "'it\\'s'", "[]", "{}", '""', "NaN", "a.b.c()",
        "!done",
    ]
)  # fmt: skip
ODD_CODE = st.one_of(
    NUMBERS,
    STRINGS,
    st.sampled_from(
        [
            "new int[3]", "a?.b", "...rest", "new Map([[1, 2]])", "new A() { int b; }", "Foo::bar",
        "/* c */ 1",
            "a[0]", "new Thing", "(a, b) => a", "async () => {}", "-x", '"é"', "`${`a`}`", '"""\nblock\n"""',
            "switch (x) { default -> 1; }", "a instanceof B", "class {}", "<b>x</b>", "a ?? b", "1n",
        "@a", "int x",
        ]
    ),
)  # fmt: skip


@st.composite
def code_calls(draw: st.DrawFn) -> str:
    """A call in Java or JavaScript, or something like one."""
    sound = "{}={}"
    shapes = [
        *[sound] * 12,
        "{} = {}",
        "{}={} + {}",
        "{}=[{}, {}]",
        "{}={{'k': {}, j: {}}}",
        "{}=new Thing({}, {})",
    ]
    shapes += ["{}=new X[]{{{}, {}}}", "{}=go({}, {})", "{1}", "{}: {}", "{} = ({}) => {}", "{}=({})"]
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        value = draw(st.one_of(*[SOUND_CODE] * 8, ODD_CODE))
        parts.append(draw(st.sampled_from(shapes)).format(draw(KEYS), value, draw(SOUND_CODE)))
    odd = st.sampled_from(
        ["a.b().c", "new Foo().bar", "x?.y", "this.go", "await f", "f`t`", "a[0]", "new Foo"]
    )
    name = draw(st.one_of(*[SOUND_NAMES] * 5, NAMES, odd))
    end = draw(st.sampled_from(["", "", "", ";", ";\n", ", g(a=1)", "; g(b=2);", " + 1"]))
    return f"{name}({', '.join(parts)}){end}"


STORED: st.SearchStrategy[Any] = st.one_of(
    st.lists(st.builds(lambda name, args: {name: json.dumps(args)}, NAMES, ARGUMENTS), max_size=3),
    st.lists(st.builds(lambda name, args: {name: args}, NAMES, ARGUMENTS), max_size=3),
    st.lists(
        st.dictionaries(NAMES, st.one_of(JSON_VALUES, ARGUMENTS.map(json.dumps)), max_size=2), max_size=2
    ),
    st.lists(call_objects(), max_size=3),
    st.lists(WORDS, max_size=2),
    st.builds(lambda name, args, text: [{name: json.dumps(args)}, text], NAMES, ARGUMENTS, WORDS),
    call_objects(),
    JSON_VALUES,
)
PROSE = st.sampled_from(
    [
        "", " ", "\n", "I cannot help with that.", "[]", "```json\n[]\n```", "None", "''", "()",
        "\ufeff[]", "\x00",
        "\ud800", "No function fits; ask again.", "Sure:\n", "{}", "set()", "b''", "f''", "[f]", "\u00a0[]",
        "[f()],", "'[f(a=1)]'", "f(a=1", "[f(a=1)]]", "<tool_call>\n\n</tool_call>", "[TOOL_CALLS] []",
        "\r\n[f()]",
    ]
)  # fmt: skip

WRAPPERS = st.sampled_from(
    [
        "{}", "{}", "{}", "{}", " {} ", "'{}'", "[{}]", "```\n{}\n```", "```python\n{}\n```",
        "```json\n{}```",
        "```tool_code\n{}\n```", "Here: {}", "{};", "{}\nDone.", "<think>hm</think>\n{}",
        "<TOOLCALL>{}</TOOLCALL>",
        "<TOOLCALL>[{}]</TOOLCALL> ok", "\n\n{}", "{}\n\n```", "''{}''", "[ {} ]",
        "<think>[f(a=1)]</think>{}",
    ]
)  # fmt: skip
TAGS = st.sampled_from(
    [
        "{}", "{}", "<tool_call>\n{}\n</tool_call>", "<tool_call>\n{}\n</tool_call>",
        "<tool_call>{}</tool_call>",
        "<tool_call>```json\n{}\n```</tool_call>",
        "<tool_call>\n{}\n</tool_call>\n<tool_call>\n{}\n</tool_call>",
        "[TOOL_CALLS]{}", "<|python_tag|>{}", "<function_call> {}", "<function_call>{}<function_call> {}",
        "<|tool_call|>{}", "<tool_calls>\n{}\n</tool_calls>", "<tool_call>{}", "{}<tool_call>", "```{}```",
        "<think>'a'</think>{}", "<think>a</think>\n{}", "ok</think> {}", "```json\n{}\n```",
        "Calling: {}", "{};",
    ]
)  # fmt: skip
CODE_WRAPPERS = st.sampled_from(["{}", "{}", "[{}]", "[{}]", "[{}]", "```java\n[{}]\n```", " {} "])
INSERTS = st.sampled_from(
    [
        *"[](){}'\"`,;:=\\\n\t -_#@",
        "é",
        "\u2028",
        "<",
        ">",
        "```",
        "null",
        "\x00",
        "</think>",
        "'''",
        "\\u12",
        "1",
    ]
)


@st.composite
def mutations(draw: st.DrawFn, text: str) -> str:
    """A text as it is, or with up to three pieces cut, dropped, inserted or doubled."""
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1, 1, 2, 3]))):
        at = draw(st.integers(0, len(text)))
        to = min(at + draw(st.sampled_from([1, 1, 1, 2, 5, 20])), len(text))
        match draw(
            st.sampled_from(["cut", "head", "drop", "drop", "insert", "insert", "insert", "twice", "quotes"])
        ):
            case "cut":
                text = text[:at]
            case "head":
                text = text[at:]
            case "drop":
                text = text[:at] + text[to:]
            case "insert":
                text = text[:at] + draw(INSERTS) + text[at:]
            case "twice":
                text = text[:to] + text[at:]
            case _:
                text = text.translate(str.maketrans("'\"", "\"'"))
    return text


@st.composite
def outputs(draw: st.DrawFn) -> tuple[Any, str]:
    """An output and the return format that it was asked for; one in ten in another format than asked."""
    family = draw(
        st.sampled_from(
            ["python"] * 6
            + ["tags"] * 3
            + ["protocol"] * 5
            + ["stored"] * 2
            + ["java", "javascript"] * 3
            + ["json", "verbose_xml", "concise_xml", "gemma", "minicpm", "minicpm", "prose"]
        )
    )
    asked = family if family in FORMATS else "python"
    if draw(st.integers(0, 9)) == 0:
        asked = draw(st.sampled_from(FORMATS))
    match family:
        case "stored":
            return draw(STORED), asked
        case "python":
            text = draw(WRAPPERS).replace("{}", draw(python_lists()))
        case "protocol":
            text = draw(protocol_texts())
        case "tags":
            text = draw(TAGS).replace("{}", draw(json_lists()))
        case "java" | "javascript":
            text = draw(CODE_WRAPPERS).replace("{}", draw(code_calls()))
        case "json":
            text = draw(WRAPPERS).replace("{}", draw(json_lists()))
        case "verbose_xml" | "concise_xml":
            text = draw(WRAPPERS).replace("{}", draw(xml_calls()))
        case "gemma":
            text = draw(GEMMA)
        case "minicpm":
            text = draw(minicpm())
        case _:
            text = draw(PROSE)
    return draw(mutations(text)), asked


_HARMFUL = re.compile(r"(\*\*|<<)[^,;]*(\*\*|<<)|(\*\*|<<)[\s(+]*[\w.]{4,}|\*[\s(+]*\d{5,}|\d{5,}\s*\*")
_KNOWN = re.compile(
    r"\b(?:open|exec|eval|compile|input|exit|quit|breakpoint|help|__\w+__|os|builtins|operator|print)\b\s*[.(\[]"
)


def is_harmless(output: Any) -> bool:
    """Whether the released decoders can be given an output: no tower of powers, no name that does something."""
    text = output if isinstance(output, str) else json.dumps(output)
    return not (_HARMFUL.search(text) or _KNOWN.search(text))
