"""Dialogues replayed: a model's calls made again in the benchmark's own simulated environments.

`Player` sends a script of calls to a worker process and returns what came of it: the results of every call, and in
which turns the environments' states or the results differ from those of the expected calls. In the worker, calls are
parsed and dispatched through a table of public methods (`interpreter`); nothing that a model wrote is evaluated.
"""

from __future__ import annotations

from faircall.replay.player import Player
from faircall.replay.records import Broken, Difference, Played, Script, TurnPlayed

__all__ = ["Broken", "Difference", "Played", "Player", "Script", "TurnPlayed"]
