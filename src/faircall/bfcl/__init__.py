"""All knowledge of BFCL, the Berkeley Function-Calling Leaderboard: its data, its files, its categories.

Nothing is imported here, so that reading a board does not load what reading results needs.
"""
