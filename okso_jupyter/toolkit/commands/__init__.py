"""The terminal's commands: Python on handles beneath the root, no shell, no other program.

In: words. Out: text, an exit code, and exactly what was changed, in a `Session`.
A file holds a few commands; `registry` puts them together.
"""
