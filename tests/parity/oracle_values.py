"""The released Java and JavaScript type converters as an oracle: one long-lived process that answers over JSON lines.

Results are compared as `repr`; where a converter raises, by the name of the exception's class. Run by hand, it
draws values of every notation, sound and broken, tries each under every declared type, goes through every short text
of the kinds on which the patterns turn, and counts agreements:

    FAIRCALL_ORACLE=ENV python tests/parity/oracle_values.py --rounds 5000 --seed 1

With `--runs FOLDER`, it also converts the arguments that stored runs hold for the Java and JavaScript questions
(RUN/result/MODEL/non_live), by the types that their questions declare.

The oracle stops a conversion after two seconds; such values are counted as `hung` and only have to be answered.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

from oracle_process import OracleProcess

JAVA = ["byte", "short", "integer", "float", "double", "long", "boolean", "char", "Array", "ArrayList", "Set"]
JAVA += ["HashMap", "Hashtable", "Queue", "Stack", "String", "any"]
JAVASCRIPT = ["String", "integer", "float", "Bigint", "Boolean", "dict", "array", "any"]
TYPES = {"java": JAVA, "javascript": JAVASCRIPT}

Question = tuple[str, str, str, str | None]
"""Language, value, declared type, nested type."""


def questions_about(language: str, value: str) -> list[Question]:
    """The value under every declared type, and under every nested type where items are converted."""
    asked: list[Question] = []
    for declared in [*TYPES[language], "Tree"]:
        asked.append((language, value, declared, None))
        if declared in {"Array", "ArrayList", "array"}:
            asked += [(language, value, declared, nested) for nested in [*TYPES[language], "Tree", ""]]
    return asked


class Oracle(OracleProcess):
    """The oracle process; a context manager."""

    def __init__(self, environment: str) -> None:
        super().__init__(environment, __file__)

    def ask(self, questions: list[Question]) -> list[str]:
        """For each question the `repr` of the value, `!` and an exception's name, or `hung`."""
        return list(self.put(questions))


def _serve() -> None:
    """Answer questions from standard input until it ends. Runs inside the oracle's environment."""
    import contextlib  # noqa: PLC0415
    import io  # noqa: PLC0415
    import signal  # noqa: PLC0415

    from bfcl_eval.eval_checker.ast_eval.type_convertor.java_type_converter import (  # type: ignore[import-not-found]  # noqa: PLC0415
        java_type_converter,
    )
    from bfcl_eval.eval_checker.ast_eval.type_convertor.js_type_converter import (  # type: ignore[import-not-found]  # noqa: PLC0415
        js_type_converter,
    )

    converters = {"java": java_type_converter, "javascript": js_type_converter}
    stopped = False  # the released JavaScript converter swallows the alarm's exception

    def stop(*_: object) -> None:
        nonlocal stopped
        stopped = True
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    for line in sys.stdin:
        answers = []
        for language, value, declared, nested in json.loads(line):
            stopped = False
            signal.alarm(2)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    answer = repr(converters[language](value, declared, nested))
            except Exception as error:  # noqa: BLE001 - whatever a converter raises is the answer
                answer = f"!{type(error).__name__}"
            finally:
                signal.alarm(0)
            answers.append("hung" if stopped else answer)
        print(json.dumps(answers), flush=True)


def answer_of(question: Question) -> str:
    """This project's answer, in the oracle's form."""
    from faircall.matching.java_values import convert_java  # noqa: PLC0415 - not in the oracle's environment
    from faircall.matching.javascript_values import convert_javascript  # noqa: PLC0415
    from faircall.matching.scanning import UnconvertibleError  # noqa: PLC0415

    language, value, declared, nested = question
    convert = convert_java if language == "java" else convert_javascript
    try:
        return repr(convert(value, declared, nested))
    except UnconvertibleError as error:
        return f"!{error.raised}"


def compare(oracle: Oracle, questions: list[Question]) -> tuple[Counter[str], list[str]]:
    """Counts of answers by kind, and a line for each disagreement."""
    counts: Counter[str] = Counter()
    wrong = []
    for question, expected in zip(questions, oracle.ask(questions), strict=True):
        begin = time.perf_counter()
        found = answer_of(question)
        elapsed = time.perf_counter() - begin
        if elapsed > 1:
            wrong.append(f"{elapsed:.1f} s for {question!r}"[:600])
        if expected == "hung":
            counts["hung"] += 1
        elif found == expected:
            counts["agreed"] += 1
            unchanged = expected in {repr(question[1]), repr(question[1].strip())}
            kind = "raised" if expected[0] == "!" else "unchanged" if unchanged else "converted"
            counts[f"of those {kind}"] += 1
        else:
            counts["disagreed"] += 1
            wrong.append(f"{question!r}: {expected} and not {found}"[:600])
    return counts, wrong


def declared_types(question_file: Path) -> dict[tuple[str, str], tuple[str, str | None]]:
    """For each pair of entry and parameter, its declared type and that of its items."""
    types: dict[tuple[str, str], tuple[str, str | None]] = {}
    for line in question_file.read_text("utf-8").splitlines():
        entry = json.loads(line)
        for tool in entry["function"]:
            for name, parameter in tool["parameters"]["properties"].items():
                items = (
                    parameter.get("items") if parameter["type"] in {"Array", "ArrayList", "array"} else None
                )
                types[entry["id"], name] = parameter["type"], items["type"] if items else None
    return types


def stored_questions(runs: Path, data: Path) -> list[tuple[str, list[Question]]]:
    """For each stored result file, the conversions that scoring it asks for."""
    from faircall.decoding.official import decode_official  # noqa: PLC0415 - not in the oracle's environment

    asked = []
    for language in ("java", "javascript"):
        types = declared_types(data / f"BFCL_v4_simple_{language}.json")
        for path in sorted(runs.rglob(f"BFCL_v4_simple_{language}_result.json")):
            questions: list[Question] = []
            for line in path.read_text("utf-8").splitlines():
                entry = json.loads(line)
                decoded = decode_official(entry["result"], "tool-calls", language=language)
                for call in decoded.value if decoded.error is None else []:
                    for arguments in call.values():
                        for name, value in arguments.items():
                            if isinstance(value, str) and (entry["id"], name) in types:
                                questions.append((language, value, *types[entry["id"], name]))
            asked.append(("/".join(path.relative_to(runs).parts), questions))
    return asked


def _report(title: str, counts: Counter[str], wrong: list[str]) -> None:
    print(title, dict(sorted(counts.items())))
    for line in wrong[:20]:
        print("   ", line)


def _main() -> None:
    parser = argparse.ArgumentParser(description="Compare conversions with the released converters.")
    parser.add_argument("--rounds", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=Path, help="a folder of stored runs")
    chosen = parser.parse_args()
    from official_values import ATOMS, EXTREMES, Values, small_values  # noqa: PLC0415 - not in the oracle's environment

    with Oracle(os.environ["FAIRCALL_ORACLE"]) as oracle:
        for language in TYPES:
            values = Values(chosen.seed)
            drawn = [*ATOMS, *(values.draw(language) for _ in range(chosen.rounds))]
            counts: Counter[str] = Counter(values=len(set(drawn)))
            failures: list[str] = []
            for value in dict.fromkeys(drawn):
                found, wrong = compare(oracle, questions_about(language, value))
                counts += found
                failures += wrong
            _report(f"{language}, random:", counts, failures)
            asked = [
                question for value in EXTREMES[language] for question in questions_about(language, value)
            ]
            _report(f"{language}, extreme:", *compare(oracle, asked))
            asked = [(language, value, declared, None) for declared, value in small_values(language)]
            _report(f"{language}, small:", *compare(oracle, asked))
        if chosen.runs:
            package = next(Path(os.environ["FAIRCALL_ORACLE"]).glob("lib/python*/site-packages/bfcl_eval"))
            for title, asked in stored_questions(chosen.runs, package / "data"):
                _report(f"{title}:", *compare(oracle, asked))
                every = [q for _, value, *_ in asked for q in questions_about(asked[0][0], value)]
                _report("    under every type:", *compare(oracle, every))


if __name__ == "__main__":
    if "--serve" in sys.argv:
        _serve()
    else:
        _main()
