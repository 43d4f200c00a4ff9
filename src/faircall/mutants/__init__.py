"""Cases that try a scorer: keys replayed, mutants of them, and hostile texts, each with the verdict that is wanted."""

from faircall.mutants.bases import Base, Bases, read_bases
from faircall.mutants.cases import Case, make_cases

__all__ = ["Base", "Bases", "Case", "make_cases", "read_bases"]
