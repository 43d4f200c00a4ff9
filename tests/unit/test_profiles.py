from __future__ import annotations

import pytest

from faircall.errors import InputError, UsageError
from faircall.profiles import PROFILES, SWITCHES, load_profile


def test_the_name_of_a_profile_reads_back():
    for name in (*PROFILES, "fair-1+gate=literal", "official-2026.3.23+gate=evidence"):
        assert load_profile(name).name == name


def test_a_switch_set_to_its_own_value_changes_nothing():
    assert load_profile("fair-1+gate=evidence") == load_profile("fair-1")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fair-2", "no profile is called 'fair-2'; did you mean fair-1?"),
        ("fair-1+gates=literal", "no switch is called 'gates'"),
        ("fair-1+gate=strict", "gate takes official, literal, evidence, not 'strict'"),
        ("fair-1+gate", "write a switch as name=value"),
    ],
)
def test_what_does_not_exist_is_an_error(name, message):
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        load_profile(name)


def test_fair_and_official_differ_by_every_switch_and_each_can_be_set_from_either_side():
    fair, official = PROFILES["fair-1"], PROFILES["official-2026.3.23"]
    for switch, values in SWITCHES.items():
        assert official.value_of(switch) == values[0] == "official"
        assert fair.value_of(switch) == values[-1] != values[0]
        assert load_profile(f"fair-1+{switch}=official").name == f"fair-1+{switch}=official"
        assert (
            load_profile(f"official-2026.3.23+{switch}=fair").name
            == f"official-2026.3.23+{switch}={values[-1]}"
        )
    switched = load_profile("fair-1" + "".join(f"+{switch}=official" for switch in SWITCHES))
    assert all(switched.value_of(switch) == official.value_of(switch) for switch in SWITCHES)


def test_a_switch_set_twice_ends_as_it_was_set_last():
    assert load_profile("fair-1+nested=official+nested=fair") == PROFILES["fair-1"]


def test_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('base = "fair-1"\ngate = "official"\n', "utf-8")
    assert load_profile(str(path)).name == "fair-1+gate=official"
    path.write_text('parallel = "official"\nabstain-turns = "official"\n', "utf-8")
    assert load_profile(str(path)).name == "fair-1+parallel=official+abstain-turns=official"
    path.write_text("gate = [", "utf-8")
    with pytest.raises(InputError, match="is not TOML"):
        load_profile(str(path))
    with pytest.raises(InputError, match="cannot be read"):
        load_profile(str(tmp_path / "none.toml"))
