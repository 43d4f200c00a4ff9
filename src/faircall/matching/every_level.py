"""Values against allowed values by the schema, the same rule at every depth.

An answer is compiled to a `Want`: the scalars that are allowed, the lists and the objects, each with what its parts
want. Alternatives that the schema rules out are dropped while compiling, so that a want without
alternatives is one that nothing can satisfy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faircall.canonical import fill_defaults, step
from faircall.canonical.shapes import ABSENT, ANYTHING, Shape
from faircall.decoding.code_calls import SourceText
from faircall.matching.forms import is_to_the_letter
from faircall.matching.reasons import Mismatch, Why, kind_word, show, show_any_of
from faircall.matching.source_values import StringLiteral, is_source_text, read_source, source_form, spellings

if TYPE_CHECKING:
    from collections.abc import Hashable

    from faircall.matching.forms import Forms


class Rules:
    """How answers are compiled and values compared: the forms, whether defaults are canonical, the language.

    `made` is what one compilation or comparison has found for a part, which the alternatives of a schema share.
    """

    __slots__ = ("code", "defaults", "forms", "language", "made")

    def __init__(self, forms: Forms, *, defaults: bool, language: str) -> None:
        self.forms = forms
        self.defaults = defaults
        self.language = language
        self.code = language != "python"
        self.made: dict[tuple[Any, ...], Any] = {}

    def afresh(self) -> Rules:
        """Return the same rules for one compilation or comparison."""
        return Rules(self.forms, defaults=self.defaults, language=self.language)


class Want:
    """What one value may be. `omittable` says that it may be left out; `fault` why nothing can satisfy it.

    `branches` are the wants of a schema's alternatives. `scalars` are the allowed values that have no parts,
    `ruled_out` the forms of what the answer allows and the schema does not. `takes_default` says that the declared
    default will do.
    """

    __slots__ = (
        "_default",
        "_forms",
        "branches",
        "fault",
        "lists",
        "objects",
        "omittable",
        "ruled_out",
        "scalars",
        "shape",
        "shown",
        "takes_default",
        "top",
    )

    def __init__(self, shape: Shape, *, top: bool) -> None:
        self.shape = shape
        self.top = top
        self.scalars: list[Any] = []
        self.lists: list[list[Want]] = []
        self.objects: list[Fields] = []
        self.branches = [Want(member, top=top) for member in shape.members]
        self.ruled_out: set[Hashable] = set()
        self.takes_default = False
        self.omittable = False
        self.shown: list[Any] = []
        self.fault = ""
        # Most values are allowed to the letter, so that forms are made when one first is not.
        self._forms: set[Hashable] | None = None
        self._default: Hashable = ABSENT

    def scalar_forms(self, rules: Rules) -> set[Hashable]:
        """The forms of the allowed values that have no parts."""
        if self._forms is None:
            self._forms = {rules.forms.scalar(item, reading=self.shape.reading) for item in self.scalars}
            if rules.code:  # an answer's text may be a program's as well
                self._forms |= {source_form(item) for item in self.scalars if isinstance(item, str)}
        return self._forms

    def default_form(self, rules: Rules) -> Hashable:
        """The form of the declared default, as it stands, whatever the schema says of it."""
        if self._default is ABSENT:
            self._default = _form_of(self.shape.default, self.shape, rules)
        return self._default

    @property
    def nothing_listed(self) -> bool:
        """Whether no value that the answer lists is allowed."""
        return not (self.scalars or self.lists or self.objects) and all(
            branch.nothing_listed for branch in self.branches
        )

    @property
    def empty(self) -> bool:
        """Whether no value at all is allowed."""
        return self.nothing_listed and not self.takes_default


class Fields:
    """What an object may be: the wants of its fields, and the fields that the schema requires.

    `strict` says that fields which the schema does not list are not allowed.
    """

    __slots__ = ("fault", "fault_path", "required", "shape", "strict", "wants")

    def __init__(self, shape: Shape, *, strict: bool) -> None:
        self.shape = shape
        self.strict = strict
        self.wants: dict[Any, Want] = {}
        self.required = shape.required
        self.fault = ""
        self.fault_path = ""


def compile_fields(
    answer: dict[Any, Any], shape: Shape, rules: Rules, *, plain: bool, depth: int = 0
) -> Fields:
    """Return what an object wants. `fault` says, with its path, why no object can satisfy it.

    `plain` says that the answer's values are values, and not lists of the allowed ones. Depth 0 are the arguments
    of a call, where only the parameters of the schema are allowed.
    """
    fields = Fields(
        shape, strict=bool(shape.properties) and (shape.closed or (depth == 0 and shape.extra is None))
    )
    for name, allowed in answer.items():
        fields.wants[name] = _compile_field(name, allowed, shape, rules, plain=plain, depth=depth)
    if rules.defaults:
        for name, inner in shape.properties.items():
            if name not in answer and inner.default is not ABSENT and name not in shape.required:
                want = Want(inner, top=depth == 0)
                want.omittable = True
                want.shown = [inner.default]
                want.takes_default = True
                fields.wants[name] = want
    for name, want in fields.wants.items():
        if want.omittable:
            continue
        if fields.strict and name not in shape.properties:
            fields.fault, fields.fault_path = "the schema has no such parameter", step(name)
            return fields
        if want.empty:
            fields.fault, fields.fault_path = want.fault or "no value is allowed", step(name)
            return fields
    for name in shape.required:
        if name not in answer:
            fields.fault = "a required parameter for which the answer allows no value"
            fields.fault_path = step(name)
            return fields
    return fields


def _compile_field(name: Any, allowed: Any, shape: Shape, rules: Rules, *, plain: bool, depth: int) -> Want:
    inner, required = shape.field(name), name in shape.required
    key = (id(allowed), id(inner), required, plain, depth)
    if key in rules.made:
        found: Want = rules.made[key]
        return found
    want = rules.made[key] = Want(inner, top=depth == 0)
    alternatives = [allowed] if plain else list_alternatives(allowed, inner, depth)
    marked = not plain and "" in alternatives
    values = [item for item in alternatives if item != ""] if marked else alternatives
    if marked and not values and required:
        want.fault = "it is required, and the answer only lets it be left out"
    want.omittable = marked and not required
    want.shown = values
    _add(want, values, rules, plain=plain, depth=depth, required=required)
    if want.omittable and not rules.forms.fair_texts:
        want.scalars.append("")  # the mark of what may be left out is a text like any other
    if (
        rules.defaults
        and inner.default is not ABSENT
        and not required
        and (marked or any(_form_of(item, inner, rules) == want.default_form(rules) for item in values))
    ):
        want.takes_default = True
        want.omittable = True
    return want


def _form_of(value: Any, shape: Shape, rules: Rules) -> Hashable:
    """The form that a value has once it is canonical."""
    filled = fill_defaults(value, shape, "", [], None) if rules.defaults else value
    return rules.forms.deep(filled, reading=shape.reading)


def list_alternatives(allowed: Any, shape: Shape, depth: int) -> list[Any]:
    """Return the allowed values that an answer lists.

    What is no list, or can only be a list's value, is the one allowed.

    BFCL lists the allowed values one level inside an object; further inside, answers are written both ways, and the
    schema tells which.
    """
    if not isinstance(allowed, (list, tuple)):
        return [allowed]
    listed = list(allowed)
    if "array" in shape.kinds and depth > 0:
        items = shape.items or ANYTHING
        if "array" not in items.kinds and not any(
            isinstance(item, (list, tuple)) or (isinstance(item, str) and item == "") or item is None
            for item in listed
        ):
            return [*listed, listed] if shape.members else [listed]
    if not shape.kinds and depth > 1 and len(listed) != 1:
        return [*listed, listed]
    return listed


def _add(
    want: Want, values: list[Any], rules: Rules, *, plain: bool, depth: int, required: bool = False
) -> None:
    """Compile alternatives into a want; what the schema rules out is dropped, and the first such fault kept."""
    for value in values:
        fault = _null_fault(want.shape, rules) if required and value is None else ""
        fault = fault or _add_one(want, value, rules, plain=plain, depth=depth)
        if fault:
            want.fault = want.fault or fault
            want.ruled_out.add(_form_of(value, want.shape, rules))


def _null_fault(shape: Shape, rules: Rules) -> str:
    """Why a required parameter cannot be null; an optional one may be, as a way to say that there is none."""
    if rules.code or not (shape.kinds or shape.enum):
        return ""
    if shape.enum:
        return "" if None in shape.enum else f"`null` is none of {show_any_of(list(shape.enum))}"
    return "" if "null" in shape.kinds else f"`null` is not of type `{'` or `'.join(sorted(shape.kinds))}`"


def _add_one(want: Want, value: Any, rules: Rules, *, plain: bool, depth: int) -> str:
    shape, forms = want.shape, rules.forms
    if want.branches and value is not None:
        return _add_to_branches(want, value, rules, plain=plain, depth=depth)
    member = bool(shape.enum) and is_member(value, shape, forms)
    if shape.enum and not member and value is not None:
        for spelled in shape.enum:
            # the schema's own spelling of the answer: "2" where the answer says 2
            if (
                str(spelled).casefold() == str(value).casefold()
                and shape.reading != "exact"
                and not isinstance(spelled, (list, dict))
            ):
                want.scalars.append(spelled)
        return f"{show(value)} is none of {show_any_of(list(shape.enum))}"
    if isinstance(value, str) and rules.code:
        # An answer for code may name a variable, whatever the declared type.
        want.scalars.append(value)
        return ""
    if value is not None and not member and not forms.is_kind(value, shape.kinds, top=want.top):
        return f"{show(value)} is not of type `{'` or `'.join(sorted(shape.kinds))}`"
    if isinstance(value, (list, tuple)):
        return _add_list(want, value, rules, plain=plain, depth=depth)
    if isinstance(value, dict):
        fields = compile_fields(value, shape, rules, plain=plain, depth=depth + 1)
        if fields.fault:
            return f"{fields.fault} (`{fields.fault_path.lstrip('.')}`)"
        want.objects.append(fields)
        return ""
    want.scalars.append(value)
    return ""


def _add_to_branches(want: Want, value: Any, rules: Rules, *, plain: bool, depth: int) -> str:
    """Compile a value into each alternative that allows it; where none does, the fault is that of the likeliest."""
    faults = []
    for branch in want.branches:
        fault = _add_one(branch, value, rules, plain=plain, depth=depth)
        likely = rules.forms.is_kind(value, branch.shape.kinds, top=branch.top)
        faults.append((bool(fault), not likely, fault))
    return min(faults, key=lambda ranked: ranked[:2])[2]


def _add_list(
    want: Want, value: list[Any] | tuple[Any, ...], rules: Rules, *, plain: bool, depth: int
) -> str:
    wants = []
    for index, item in enumerate(value):
        inner = _compile_item(item, want.shape.item(index), rules, plain=plain, depth=depth + 1)
        if inner.empty:
            return f"item {index}: {inner.fault}"
        wants.append(inner)
    want.lists.append(wants)
    return ""


def _compile_item(item: Any, shape: Shape, rules: Rules, *, plain: bool, depth: int) -> Want:
    key = ("item", id(item), id(shape), plain, depth)
    if key in rules.made:
        found: Want = rules.made[key]
        return found
    want = rules.made[key] = Want(shape, top=False)
    want.shown = item_values(item, shape, plain=plain)
    _add(want, want.shown, rules, plain=plain, depth=depth)
    return want


def item_values(item: Any, shape: Shape, *, plain: bool) -> list[Any]:
    """Return the allowed values of an item of a list: several where the schema takes no list in its place."""
    several = (
        not plain and isinstance(item, (list, tuple)) and bool(shape.kinds) and "array" not in shape.kinds
    )
    return list(item) if several else [item]


def is_member(value: Any, shape: Shape, forms: Forms) -> bool:
    """Return whether an enumeration has a value; one that contradicts its own type is compared as it is spelled."""
    if is_to_the_letter(value, shape.enum):
        return True
    form = forms.deep(value, reading=shape.reading)
    if any(forms.deep(member, reading=shape.reading) == form for member in shape.enum):
        return True
    if any(forms.is_kind(member, shape.kinds, top=True) for member in shape.enum):
        return False
    return shape.reading != "exact" and any(
        str(value).casefold() == str(member).casefold() for member in shape.enum
    )


def check_fields(
    value: dict[Any, Any], fields: Fields, rules: Rules, path: str, filled: frozenset[str]
) -> Mismatch | None:
    """Return the first difference of an object: required fields, then its fields in its order, then missing ones.

    `filled` are the paths at which a default was filled in: a difference there is a field that was left out.
    """
    for name in fields.required:
        if name not in value:
            message = f"Expected `{name}`, which is required, got nothing"
            return Mismatch(Why.MISSING_REQUIRED, path + step(name), message)
    contradiction = None
    for name, found in value.items():
        where = path + step(name)
        want = fields.wants.get(name)
        if want is None:
            return Mismatch(Why.UNEXPECTED_PARAMETER, where, f"Expected no `{name}`, got {show(found)}")
        mismatch = check_value(found, want, rules, where, filled)
        if mismatch is None and fields.strict and name not in fields.shape.properties:
            message = f"The answer lists {show(found)}, and the schema has no parameter `{name}`"
            mismatch = Mismatch(Why.CONTRADICTORY_ANSWER, where, message)
        if mismatch is not None:
            if mismatch.why is Why.CONTRADICTORY_ANSWER:
                contradiction = contradiction or mismatch
                continue
            if where in filled:
                message = f"Expected {show_any_of(want.shown)}, got nothing (the default is {show(found)})"
                return Mismatch(Why.MISSING_OPTIONAL, where, message)
            return mismatch
    for name, want in fields.wants.items():
        if name not in value and not want.omittable:
            message = f"Expected {show_any_of(want.shown)}, got nothing"
            return Mismatch(Why.MISSING_OPTIONAL, path + step(name), message)
    return contradiction


def check_value(value: Any, want: Want, rules: Rules, path: str, filled: frozenset[str]) -> Mismatch | None:
    """Return how a value differs from what is allowed: from the nearest alternative, where there are parts."""
    forms, shape = rules.forms, want.shape
    if not rules.code and is_to_the_letter(value, want.scalars):
        return None
    if want.takes_default and forms.deep(value, reading=shape.reading) == want.default_form(rules):
        return None
    if rules.code and isinstance(value, str):
        read = read_source(value, shape.kinds, rules.language)
        if read is not value:
            return check_value(read, want, rules, path, filled)
    if want.branches and value is not None:
        return _or_contradiction(_check_branches(value, want, rules, path, filled), value, want, rules, path)
    if isinstance(value, (list, tuple)):
        mismatch = (
            _check_list(value, want, rules, path, filled)
            if not shape.kinds or "array" in shape.kinds
            else _wrong_type(value, want, path)
        )
        return _or_contradiction(mismatch, value, want, rules, path)
    if isinstance(value, dict):
        mismatch = (
            _nearest(
                [check_fields(value, fields, rules, path, filled) for fields in want.objects],
                value,
                want,
                rules,
                path,
            )
            if not shape.kinds or "object" in shape.kinds
            else _wrong_type(value, want, path)
        )
        return _or_contradiction(mismatch, value, want, rules, path)
    written = isinstance(value, SourceText) and forms.fair_texts and "string" not in shape.kinds
    form = source_form(value) if written else forms.scalar(value, reading=shape.reading)
    fits = _may_be(value, want, rules)
    if fits and form in want.scalar_forms(rules):
        return None
    if rules.code and any(
        spelled in want.scalar_forms(rules) for spelled in spellings(value, shape.kinds, forms)
    ):
        return None
    mismatch = _wrong_value(value, want, path) if fits else _wrong_type(value, want, path)
    return _or_contradiction(mismatch, value, want, rules, path)


def _check_branches(
    value: Any, want: Want, rules: Rules, path: str, filled: frozenset[str]
) -> Mismatch | None:
    """The difference from the alternative that came nearest: of those that the answer allows anything of, first."""
    key = (id(value), id(want), path)
    if key in rules.made:
        known: Mismatch | None = rules.made[key]
        return known
    rules.made[key] = None
    found: list[tuple[tuple[bool, bool, int], int, Mismatch]] = []
    for branch in want.branches:
        mismatch = check_value(value, branch, rules, path, filled)
        if mismatch is None:
            return None
        far = branch.nothing_listed, mismatch.why is Why.WRONG_TYPE, -len(mismatch.path)
        found.append((far, len(found), mismatch))
    rules.made[key] = min(found)[2]
    return min(found)[2]


def _or_contradiction(
    mismatch: Mismatch | None, value: Any, want: Want, rules: Rules, path: str
) -> Mismatch | None:
    """A difference is no fault of the call where it has just what the answer lists and the schema rules out."""
    if mismatch is None or not want.ruled_out:
        return mismatch
    if rules.forms.deep(value, reading=want.shape.reading) not in want.ruled_out:
        return mismatch
    message = f"The answer lists {show(value)}, which the schema rules out: {want.fault}"
    return Mismatch(Why.CONTRADICTORY_ANSWER, path, message)


def _may_be(value: Any, want: Want, rules: Rules) -> bool:
    shape = want.shape
    if value is None:
        return None in want.scalar_forms(rules) or not shape.kinds or "null" in shape.kinds
    if rules.forms.is_kind(value, shape.kinds, top=want.top):
        return True
    if shape.enum and is_member(value, shape, rules.forms):
        return True
    if isinstance(value, StringLiteral):
        return rules.forms.scalar(value, reading=shape.reading) in want.scalar_forms(rules)
    return rules.code and is_source_text(value)


def _check_list(
    value: list[Any] | tuple[Any, ...], want: Want, rules: Rules, path: str, filled: frozenset[str]
) -> Mismatch | None:
    found: list[Mismatch | None] = []
    for wants in want.lists:
        if len(wants) != len(value):
            continue
        mismatch = None
        for index, (item, inner) in enumerate(zip(value, wants, strict=True)):
            mismatch = check_value(item, inner, rules, f"{path}[{index}]", filled)
            if mismatch is not None:
                break
        if mismatch is None:
            return None
        found.append(mismatch)
    if not found:
        for index, item in enumerate(value):
            shape = want.shape.item(index)
            if item is not None and not rules.code and not rules.forms.is_kind(item, shape.kinds):
                return _wrong_type(item, Want(shape, top=False), f"{path}[{index}]")
    return _nearest(found, value, want, rules, path)


def _nearest(
    found: list[Mismatch | None], value: Any, want: Want, rules: Rules, path: str
) -> Mismatch | None:
    """The difference from the alternative that came nearest; none where one of them fits."""
    mismatches = [mismatch for mismatch in found if mismatch is not None]
    if len(mismatches) < len(found):
        return None
    if len(mismatches) == 1 and len(want.lists) + len(want.objects) + len(want.scalar_forms(rules)) == 1:
        return mismatches[0]
    if mismatches and all(mismatch.why is not Why.WRONG_VALUE for mismatch in mismatches):
        return min(mismatches, key=lambda mismatch: mismatch.why.distance)
    return _wrong_value(value, want, path)


def _wrong_value(value: Any, want: Want, path: str) -> Mismatch:
    return Mismatch(Why.WRONG_VALUE, path, f"Expected {show_any_of(want.shown)}, got {show(value)}")


def _wrong_type(value: Any, want: Want, path: str) -> Mismatch:
    kinds = "` or `".join(sorted(want.shape.kinds)) or "|".join(kind_word(item) for item in want.shown[:1])
    return Mismatch(Why.WRONG_TYPE, path, f"Expected `{kinds}`, got `{kind_word(value)}`")
