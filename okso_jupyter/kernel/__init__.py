"""Jupyter integration: front-end detection, waiting inside a cell, and interrupts.

In: the event a cell waits for. Out: its result, while widget messages are still handled
(`pump.py`). `interrupt.py` defers SIGINT where an exception would corrupt state. The package
imports no other package of the project.
"""
