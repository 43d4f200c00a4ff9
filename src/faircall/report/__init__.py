"""Reports: the same records as text, JSON, Markdown and CSV. No arithmetic here."""
