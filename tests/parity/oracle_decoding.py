"""The released evaluator's decoders as an oracle: one long-lived process that answers over JSON lines.

`Oracle` starts this file again inside the environment that FAIRCALL_ORACLE names (a virtual environment in
which `bfcl-eval` is installed) and asks it what each handler's `decode_ast` returns. Results are compared as
`repr`, which tells a tuple from a list and `True` from `1`; the hash seed is fixed, so that sets print alike
on both sides.

Run by hand, it draws texts of every protocol and counts agreements:

    FAIRCALL_ORACLE=ENV python tests/parity/oracle_decoding.py --rounds 20000 --seed 1

WARNING: the released decoders evaluate parts of what they are given. Feed the oracle texts of your own only.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from typing import Any

from oracle_process import OracleProcess

ANSWER_CHARS = 200_000
"""Longer answers are not compared: both sides print them in full before they are cut."""


def show(value: Any) -> str:
    """`repr` of a decoded value; what cannot be printed is named by its exception, alike on both sides."""
    try:
        return repr(value)[:ANSWER_CHARS]
    except (RecursionError, ValueError) as error:
        return f"<{type(error).__name__}>"


class Oracle(OracleProcess):
    """The oracle process; a context manager."""

    def __init__(self, environment: str) -> None:
        super().__init__(environment, __file__)

    def registry(self) -> dict[str, dict[str, Any]]:
        """Every model name of the registry: its handler and mode, `underscore_to_dot` and display name."""
        return dict(self.put({"registry": True}))

    def decode(self, output: Any, handlers: list[str], language: str, *, tag: bool = False) -> dict[str, Any]:
        """For each handler `{"ok": repr}` or `{"raised": class name}`.

        The language `execute` asks for `decode_execute`, the calls as text that is run in a dialogue.
        """
        return dict(self.put({"output": output, "handlers": handlers, "language": language, "tag": tag}))


def _serve() -> None:
    """Answer questions from standard input until it ends. Runs inside the oracle's environment."""
    import contextlib  # noqa: PLC0415
    import io  # noqa: PLC0415
    import signal  # noqa: PLC0415
    import warnings  # noqa: PLC0415

    from bfcl_eval.constants.enums import ReturnFormat  # type: ignore[import-not-found]  # noqa: PLC0415
    from bfcl_eval.constants.model_config import (  # type: ignore[import-not-found]  # noqa: PLC0415
        MODEL_CONFIG_MAPPING,
    )

    warnings.simplefilter("ignore")
    made: dict[str, Any] = {}
    registry: dict[str, dict[str, Any]] = {}
    for name, config in MODEL_CONFIG_MAPPING.items():
        key = f"{config.model_handler.__name__}/{'fc' if config.is_fc_model else 'prompt'}"
        registry[name] = {
            "handler": key,
            "underscore_to_dot": config.underscore_to_dot,
            "display_name": config.display_name,
        }
        handler = object.__new__(config.model_handler)  # no client and no key: decoding needs neither
        handler.is_fc_model, handler.model_name, handler.registry_name = config.is_fc_model, name, name
        made.setdefault(key, handler)

    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)

    def decode(question: dict[str, Any]) -> dict[str, Any]:
        answers: dict[str, Any] = {}
        for key in question["handlers"]:
            output = json.loads(json.dumps(question["output"]))
            signal.alarm(10)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    if question["language"] == "execute":
                        value = made[key].decode_execute(output, question["tag"])
                    else:
                        form = ReturnFormat(question["language"])
                        value = made[key].decode_ast(output, form, question["tag"])
                answers[key] = {"ok": show(value)}
            except Exception as error:  # noqa: BLE001 - whatever a handler raises is the answer
                answers[key] = {"raised": type(error).__name__}
            finally:
                signal.alarm(0)
        return answers

    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps(registry if "registry" in question else decode(question)), flush=True)


def compare(
    oracle: Oracle, output: Any, language: str, *, tag: bool = False
) -> tuple[Counter[str], list[str]]:
    """Counts of answers, and a line for each disagreement that no documented divergence explains.

    `agreed` is what it says; `unsafe` are answers that only running text would give; `grammar` are Java or
    JavaScript texts without a call, which one version of a grammar mends and another refuses.
    """
    from faircall.decoding.official import (  # noqa: PLC0415 - not in the oracle's environment
        decode_official,
        decode_to_texts,
    )
    from faircall.decoding.table import DECODERS  # noqa: PLC0415
    from faircall.types import Reason  # noqa: PLC0415

    implied = {"java", "javascript", "json", "verbose-xml", "concise-xml"}
    rows = [row for row in DECODERS.values() if row.name not in implied]
    answers = oracle.decode(output, [h for row in rows for h in row.handlers], language, tag=tag)
    counts: Counter[str] = Counter()
    wrong = []
    for row in rows:
        mine: Any
        if language == "execute":
            mine = decode_to_texts(output, row.name)
            shown = None if mine.error else show(list(mine.texts))
        else:
            mine = decode_official(output, row.name, language=language, tool_call_tag=tag)
            shown = None if mine.error else show(mine.value)
        for handler in row.handlers:
            expected = answers[handler].get("ok")
            if shown == expected:
                counts["agreed"] += 1
            elif mine.error and mine.error.reason is Reason.UNSAFE_EXPRESSION:
                counts["unsafe"] += 1
            elif language in {"java", "javascript"} and {shown, expected} <= {None, "None", "{}"}:
                counts["grammar"] += 1
            else:
                counts["wrong"] += 1
                wrong.append(f"{handler} as {row.name}: {answers[handler]} and not {shown or mine.error}")
    return counts, wrong


def _fuzz(rounds: int, seed_number: int) -> None:
    """Compare `rounds` texts and print the counts; the first few disagreements in full."""
    import warnings  # noqa: PLC0415

    # the oracle's environment has no Hypothesis
    from hypothesis import HealthCheck, Phase, assume, given, seed, settings  # noqa: PLC0415
    from hypothesis import strategies as st  # noqa: PLC0415
    from official_texts import is_harmless, outputs  # noqa: PLC0415

    warnings.simplefilter("error")
    counts: Counter[str] = Counter()
    failures: list[str] = []
    unsafe_texts: list[str] = []
    with Oracle(os.environ["FAIRCALL_ORACLE"]) as oracle:

        @seed(seed_number)
        @settings(
            max_examples=rounds,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(outputs(), st.sampled_from([False, False, False, False, True]), st.booleans())
        def run(asked: tuple[Any, str], tag: bool, execute: bool) -> None:
            output, language = asked
            if execute:
                language, tag = "execute", False
            assume(is_harmless(output))
            found, wrong = compare(oracle, output, language, tag=tag)
            counts.update(found)
            counts["texts"] += 1
            if found["unsafe"]:
                unsafe_texts.append(f"{language} {output!r}")
            if wrong:
                failures.append(f"{language} tag={tag} {output!r}\n    " + "\n    ".join(wrong[:3]))

        run()
    print(dict(counts))
    for failure in failures[:20]:
        print(failure[:1500])
    print(f"only running text would answer ({len(unsafe_texts)} texts):")
    for text in unsafe_texts[:10]:
        print("   ", text[:300])


if __name__ == "__main__":
    if "--serve" in sys.argv:
        _serve()
    else:
        import argparse

        parser = argparse.ArgumentParser(description="Compare random texts with the released decoders.")
        parser.add_argument("--rounds", type=int, default=2000)
        parser.add_argument("--seed", type=int, default=1)
        chosen = parser.parse_args()
        _fuzz(chosen.rounds, chosen.seed)
