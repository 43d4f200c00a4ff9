"""faircall inside other tools, one module for each; nothing of them is imported here."""
