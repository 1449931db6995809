"""Commands of the terminal tool: Python on handles beneath the root, no shell or other program.

In: words. Out: text, an exit code and the exact changes, in a `CommandRun`. Each file holds a few
commands; `commands.py` collects them. This package knows nothing of plans.
"""
