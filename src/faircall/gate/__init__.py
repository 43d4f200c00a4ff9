"""The gate: an output and the offered tools in; a state, a reason and the evidence out.

The state is a property of what the model wrote, not of whether one parser happened to raise: an output that tried
to call and failed is MALFORMED, whatever the parser made of it, and a refusal is ABSTAINED in any wording.
"""

from __future__ import annotations

from faircall.gate.decision import judge
from faircall.gate.judgement import Judgement

__all__ = ["Judgement", "judge"]
