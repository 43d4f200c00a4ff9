"""faircall inside other libraries: each module fits one of them, and loads nothing of it."""
