"""Answer keys taken apart: fields with their schema, keys as calls, the places of defaults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faircall.canonical.shapes import shared_shape
from faircall.keys import default_sites, key_calls, key_fields, replay_key, shorten_key, with_default
from faircall.matching import match
from faircall.schema import read_tools

TOOLS = read_tools(
    [
        {
            "name": "ride",
            "parameters": {
                "properties": {
                    "to": {"type": "string"},
                    "km": {"type": "integer", "default": 5},
                    "stops": {"type": "array", "items": {"type": "string"}},
                    "seat": {
                        "type": "object",
                        "properties": {
                            "row": {"type": "integer"},
                            "side": {"type": "string", "default": "left"},
                        },
                        "required": ["row"],
                    },
                    "riders": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "name": {"type": "string"},
                                "age": {"type": "integer", "default": 18},
                            },
                        },
                    },
                },
                "required": ["to"],
            },
        }
    ]
)
ANSWER = {
    "to": ["home", "Home"],
    "km": ["", 7],
    "stops": [["a", "b"], ""],
    "seat": [{"row": [3, 4], "side": ["left", ""]}],
    "riders": [[{"name": ["Ida"], "age": [20]}, {"name": ["Ola"]}]],
}


def calls_of(*answers):
    return key_calls([{"ride": answer} for answer in answers], TOOLS)


def test_every_field_comes_with_what_the_schema_says_of_it():
    fields = {field.path: field for field in key_fields(calls_of(ANSWER)[0])}
    assert list(fields) == [
        "$.args.to", "$.args.km", "$.args.stops", "$.args.seat", "$.args.riders", "$.args.seat.row",
        "$.args.seat.side", "$.args.riders[0].name", "$.args.riders[0].age", "$.args.riders[1].name",
    ]  # fmt: skip
    assert (fields["$.args.to"].values, fields["$.args.to"].required) == (("home", "Home"), True)
    assert (fields["$.args.km"].values, fields["$.args.km"].omittable) == ((7,), True)
    assert fields["$.args.seat.row"].values == (3, 4)
    assert fields["$.args.seat.row"].required
    assert fields["$.args.seat.side"].omittable
    assert fields["$.args.riders[1].name"].values == ("Ola",)
    assert {field.depth for field in fields.values()} == {0, 1, 2}


def test_a_parameter_that_the_schema_does_not_have_is_not_known():
    [field] = key_fields(calls_of({"class": ["first"]})[0])
    assert not field.known


def test_a_key_is_replayed_and_shortened():
    calls = calls_of(ANSWER)
    whole = {
        "to": "home",
        "km": 7,
        "stops": ["a", "b"],
        "seat": {"row": 3, "side": "left"},
        "riders": [{"name": "Ida", "age": 20}, {"name": "Ola"}],
    }
    assert replay_key(calls) == [{"ride": whole}]
    kept = {name: value for name, value in whole.items() if name not in {"km", "stops"}}
    assert shorten_key(calls) == [{"ride": kept}]


def test_what_is_required_and_only_omittable_stays_as_an_empty_text():
    assert shorten_key(calls_of({"to": [""]})) == [{"ride": {"to": ""}}]
    assert replay_key(calls_of({"to": [""]})) == [{"ride": {}}]


def test_plain_keys_are_values():
    calls = key_calls([{"name": "ride", "arguments": {"to": "home", "stops": ["a", ""]}}], TOOLS)
    assert calls[0].plain
    assert replay_key(calls) == shorten_key(calls) == [{"ride": {"to": "home", "stops": ["a", ""]}}]


@pytest.mark.parametrize("item", ["ride", {}, {"ride": 5}, {"a": {}, "b": {}}, None])
def test_what_is_no_call_is_left_out(item):
    assert key_calls([item], TOOLS) == []


def test_the_places_of_defaults_at_every_depth():
    [made] = replay_key(calls_of(ANSWER))
    sites = list(default_sites(made["ride"], shared_shape(TOOLS[0])))
    assert [(site.path, site.nested) for site in sites] == [
        (".km", ""), (".seat.side", "field"), (".riders[0].age", "item"), (".riders[1].age", "item"),
    ]  # fmt: skip
    for site in sites:
        left = with_default(made["ride"], site, written=False)
        again = with_default(left, site, written=True)
        assert [each.path for each in default_sites(left, shared_shape(TOOLS[0]))] == [
            each.path for each in sites
        ]
        assert with_default(again, site, written=False) == left
    assert made["ride"]["km"] == 7, "the call itself is not changed"


@given(
    st.fixed_dictionaries(
        {"to": st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=3)},
        optional={
            "km": st.lists(st.integers(-9, 9) | st.just(""), min_size=1, max_size=3),
            "seat": st.lists(
                st.fixed_dictionaries(
                    {"row": st.lists(st.integers(0, 9), min_size=1, max_size=2)},
                    optional={
                        "side": st.lists(st.sampled_from(["left", "right", ""]), min_size=1, max_size=3)
                    },
                ),
                min_size=1,
                max_size=2,
            ),
        },
    )
)
def test_a_sound_key_is_met_by_itself(answer):
    calls = calls_of(answer)
    for made in (replay_key(calls), shorten_key(calls)):
        assert match(made, [{"ride": answer}], tools=TOOLS, form="allowed").outcome == "pass"
