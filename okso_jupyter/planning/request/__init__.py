"""Reading a request: its kind, what it names, which files it allows to be replaced.

In: the text, and names in the folder. Out: `Facts`, `Intent`, `Permission`. No model is asked here.
"""
