"""Order invariance, default-dropping invariance, idempotence, and no exception on anything a model may write."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from faircall.canonical import canonicalise
from faircall.matching import compile_answers, match
from faircall.matching.texts import official_text, text_form
from faircall.types import Call, Tool

OFFICIAL = "official-2026.3.23"
MATCHED = ("defaults", "numbers", "strings", "nested", "parallel", "positional", "names")
WORDS = st.sampled_from(["a", "b", "c", "A", "a b", "ab", "1", "-1", "1.0", "10", "", "é"])
SCALARS = st.one_of(
    WORDS, st.integers(-3, 3), st.sampled_from([0.0, 1.0, 1.5, 2.0]), st.booleans(), st.none()
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3), st.tuples(inner)
    ),
    max_leaves=8,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=5,
)
NAMES = st.sampled_from("xyz")
KINDS = {
    "string": WORDS,
    "integer": st.integers(-3, 3),
    "float": st.sampled_from([0.0, 1.0, 1.5]),
    "boolean": st.booleans(),
}


@st.composite
def schemas(draw, depth=0):
    """A schema of objects, lists and scalars with defaults here and there."""
    kind = draw(st.sampled_from([*KINDS, "array", "dict", None] if depth < 2 else [*KINDS]))
    schema = {} if kind is None else {"type": kind}
    if kind == "array":
        schema["items"] = draw(schemas(depth=depth + 1))
    if kind == "dict":
        schema.update(draw(fields(depth=depth + 1)))
    if draw(st.booleans()):
        schema["default"] = draw(KINDS[kind]) if kind in KINDS else draw(VALUES)
    return schema


@st.composite
def composed(draw, depth=0):
    """A schema as `schemas` draws them, or one of alternatives, an enumeration, or one that allows null."""
    kind = draw(st.sampled_from(["plain", "plain", "anyOf", "oneOf", "enum", "nullable"]))
    if kind in {"anyOf", "oneOf"} and depth < 2:
        return {kind: draw(st.lists(composed(depth=depth + 1), min_size=1, max_size=3))}
    if kind == "enum":
        return {"enum": draw(st.lists(SCALARS, min_size=1, max_size=3))}
    schema = draw(schemas(depth=depth + 1))
    return {**schema, "nullable": True} if kind == "nullable" and "type" in schema else schema


@st.composite
def followed(draw, schema):
    """A value that follows a composed schema, mostly."""
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return draw(followed(draw(st.sampled_from(schema[word]))))
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    return draw(values(schema))


def turned(schema):
    """The schema with its alternatives in the other order, at every depth."""
    return {
        key: [turned(item) for item in reversed(inner)] if key in {"anyOf", "oneOf"} else inner
        for key, inner in schema.items()
    }


@st.composite
def fields(draw, depth=0):
    properties = draw(st.dictionaries(NAMES, schemas(depth=depth), max_size=3))
    required = draw(st.lists(st.sampled_from(sorted(properties)), unique=True)) if properties else []
    return {"properties": properties, "required": required}


@st.composite
def objects(draw, schema):
    """An object that has some of the fields of a schema, with values of their types, mostly."""
    made = {}
    for name, inner in schema.get("properties", {}).items():
        if draw(st.booleans()) or name in schema.get("required", []):
            made[name] = draw(values(inner))
    return made


@st.composite
def values(draw, schema):
    kind = schema.get("type")
    if draw(st.integers(0, 9)) == 0:
        return draw(VALUES)
    if kind == "array":
        return draw(st.lists(values(schema.get("items", {})), max_size=2))
    if kind == "dict":
        return draw(objects(schema))
    return draw(KINDS[kind]) if kind in KINDS else draw(VALUES)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_canonicalising_twice_is_canonicalising_once(data):
    schema = data.draw(fields())
    tool = Tool("f", "", schema)
    call = Call("f", data.draw(objects(schema)), tuple(data.draw(st.lists(VALUES, max_size=2))))
    once = canonicalise(call, tool)
    twice = canonicalise(once.call, tool)
    assert twice.call == once.call
    assert twice.filled == ()


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_dropping_a_default_changes_nothing(data):
    """Top-level defaults are written out or left out, on either side: the verdict stays."""
    schema = data.draw(fields())
    tool = {"name": "f", "parameters": schema}
    arguments, answer = data.draw(objects(schema)), data.draw(objects(schema))
    optional = {
        name: inner["default"]
        for name, inner in schema["properties"].items()
        if "default" in inner and name not in schema["required"]
    }
    verdicts = set()
    for own in ({**optional, **arguments}, _without(arguments, optional)):
        for wanted in ({**optional, **answer}, _without(answer, optional)):
            found = match([{"f": own}], [{"f": wanted}], tools=[tool], form="plain")
            verdicts.add(found.outcome)
    assert len(verdicts) == 1


def _without(arguments, optional):
    """The arguments but for those that are exactly the default."""
    return {
        name: value
        for name, value in arguments.items()
        if name not in optional or repr(value) != repr(optional[name])
    }


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_the_order_of_calls_and_of_answers_does_not_matter(data):
    tool = {
        "name": "f",
        "parameters": {"properties": {"x": {"type": "string"}, "y": {"type": "integer"}}, "required": ["x"]},
    }
    call = st.fixed_dictionaries({"x": st.sampled_from("abc")}, optional={"y": st.integers(0, 1)})
    answer = st.fixed_dictionaries(
        {"x": st.lists(st.sampled_from("abc"), min_size=1, max_size=2)},
        optional={"y": st.sampled_from([[0], ["", 1], [0, 1]])},
    )
    count = data.draw(st.integers(1, 4))
    calls = [{"f": item} for item in data.draw(st.lists(call, min_size=count, max_size=count))]
    expected = [{"f": item} for item in data.draw(st.lists(answer, min_size=count, max_size=count))]
    first = match(calls, expected, tools=[tool])
    other = match(data.draw(st.permutations(calls)), data.draw(st.permutations(expected)), tools=[tool])
    assert (other.outcome, other.reason) == (first.outcome, first.reason)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_call_that_is_the_plain_answer_passes_unless_the_schema_rules_it_out(data):
    schema = data.draw(fields())
    arguments = data.draw(objects(schema))
    found = match(
        [{"f": arguments}], [{"f": arguments}], tools=[{"name": "f", "parameters": schema}], form="plain"
    )
    assert found.outcome in {"pass", "void"}


@given(
    st.lists(JSON, max_size=3), st.sampled_from(["fair-1", OFFICIAL, f"{OFFICIAL}+numbers=fair+strings=fair"])
)
@settings(max_examples=200, deadline=None)
def test_nothing_that_a_model_writes_raises(values_, profile):
    tool = {
        "name": "f",
        "parameters": {"properties": {"x": {"type": "array", "items": {"type": "dict"}}}, "required": []},
    }
    for language in ("python", "java", "javascript"):
        answers = compile_answers([{"f": {"x": [[{"a": [1]}]]}}], [tool], profile, language)
        answers.match(values_)
        answers.match([{"f": {"x": value}} for value in values_])
        answers.match([{"f": value} for value in values_])


@given(JSON, JSON)
@settings(max_examples=200, deadline=None)
def test_nothing_that_a_key_holds_raises(allowed, value):
    for schema in ({}, {"type": "array", "items": {"type": "string"}}, {"type": "dict"}, {"type": "string"}):
        tool = {"name": "f", "parameters": {"properties": {"x": schema}, "required": []}}
        for profile in ("fair-1", OFFICIAL):
            match([{"f": {"x": value}}], [{"f": {"x": allowed}}], tools=[tool], profile=profile)


@given(st.text(), st.text())
def test_texts_that_are_alike_but_for_case_and_outer_space_are_alike(text, other):
    if text.lower() == text and text.upper().lower() == text:
        assert text_form(text.upper()) == text_form(text)
    assert text_form(f"  {text} ") == text_form(text)
    if official_text(text) != official_text(other) and text.isascii() and other.isascii():
        letters = text.isalpha() and other.isalpha()
        assert not letters or text_form(text) != text_form(other)


@st.composite
def details_of_a_parameter(draw):
    """A parameter of a flat kind, or a list of one, with an enumeration or a default here and there."""
    kind = draw(st.sampled_from([*KINDS, *KINDS, None]))
    details = {} if kind is None else {"type": kind}
    members = st.lists(st.one_of(KINDS[kind or "string"], SCALARS), min_size=1, max_size=3)
    if draw(st.integers(0, 3)) == 0:
        details["enum"] = draw(members)
    if draw(st.integers(0, 2)) == 0:
        details = {"type": "array", "items": details}
        if draw(st.integers(0, 5)) == 0:
            details["enum"] = draw(members)
    if draw(st.booleans()):
        details["default"] = draw(VALUES)
    if draw(st.integers(0, 5)) == 0:
        details |= draw(
            st.sampled_from([{"required": True}, {"const": 1}, {"nullable": True}, {"type": "dict"}])
        )
        details |= {"properties": {"x": {"type": "integer", "default": 1}}}
    return details


@st.composite
def answered(draw):
    """A schema as BFCL writes them, an answer to it, and a call that is one of those that the answer lists, mostly."""
    properties, answer, call = {}, {}, {}
    for name in draw(st.lists(NAMES, unique=True, max_size=2)):
        details = properties[name] = draw(details_of_a_parameter())
        allowed = draw(st.lists(st.one_of(values(details), VALUES), min_size=1, max_size=2))
        if draw(st.booleans()):
            allowed.insert(draw(st.integers(0, len(allowed))), "")
        answer[name] = allowed
        call[name] = draw(st.one_of(st.sampled_from(allowed), SCALARS))
    names = sorted(properties)
    required = [name for name in names if draw(st.booleans())]
    for name in names:
        draw(st.sampled_from([{}, {}, {}, answer, call, call, properties])).pop(name, None)
    return {"properties": properties, "required": required}, answer, call


PROFILES_AROUND = [
    OFFICIAL,
    "fair-1",
    *(f"{base}+{name}={to}" for base, to in ((OFFICIAL, "fair"), ("fair-1", "official")) for name in MATCHED),
]


@given(
    st.lists(answered(), min_size=1, max_size=2),
    st.sampled_from(["f", "g.f"]),
    st.sampled_from(["f", "g.f", "g_f"]),
    st.sampled_from([[], [], [{"name": "g_f"}]]),
    st.booleans(),
)
@settings(max_examples=800, deadline=None)
def test_a_call_to_the_letter_is_judged_as_the_comparison_would(asked, name, called, others, underscores):
    """`{"name": …, "arguments": …}` says the same as `{name: arguments}`, and takes the long way."""
    ends = ["", "1"][: len(asked)]
    tools = [
        {"name": name + end, "parameters": schema} for end, (schema, _, _) in zip(ends, asked, strict=True)
    ]
    expected = [{name + end: answer} for end, (_, answer, _) in zip(ends, asked, strict=True)]
    calls = [(called + end, arguments) for end, (_, _, arguments) in zip(ends, asked, strict=True)]
    for profile in PROFILES_AROUND:
        for category in ("multiple", "parallel") if len(asked) > 1 else ("simple_python",):
            answers = compile_answers(
                expected, tools + others, profile, category=category, underscores=underscores, form="allowed"
            )
            short = answers.match([{name: arguments} for name, arguments in calls])
            long = answers.match([{"name": name, "arguments": arguments} for name, arguments in calls])
            assert short == long


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_the_order_of_alternatives_does_not_matter(data):
    schema = data.draw(composed())
    allowed = data.draw(st.lists(followed(schema), min_size=1, max_size=2))
    value = data.draw(st.one_of(st.sampled_from(allowed), followed(schema), VALUES))
    outcomes = set()
    for written in (schema, turned(schema)):
        tool = {"name": "f", "parameters": {"properties": {"x": written}, "required": ["x"]}}
        outcomes.add(
            match([{"f": {"x": value}}], [{"f": {"x": allowed}}], tools=[tool], form="allowed").outcome
        )
    assert len(outcomes) == 1


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_a_value_that_a_composed_schema_allows_passes_for_itself(data):
    schema = data.draw(composed())
    value = data.draw(followed(schema))
    tool = {"name": "f", "parameters": {"properties": {"x": schema}, "required": ["x"]}}
    found = match([{"f": {"x": value}}], [{"f": {"x": value}}], tools=[tool], form="plain")
    assert found.outcome in {"pass", "void"}
