"""Commands of the terminal tool: Python on handles beneath the root, no shell, no other program.

In: words. Out: text, an exit code and the exact changes, in a `CommandRun`.
A file holds a few commands; `commands.py` puts them together. It knows nothing of plans.
"""
