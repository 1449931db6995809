"""Parses a request: its kind, what it names, which files it allows to be changed.

In: the text, and names in the folder. Out: `Facts`, `Intent`, `Permission`. No model is loaded
here; a caller hands in the function that asks one.
"""
