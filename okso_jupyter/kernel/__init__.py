"""Jupyter plumbing: which front end there is, and waiting inside a cell.

In: what a cell waits for. Out: the result, while widget messages are still handled (`pump.py`).
`interrupt.py` holds SIGINT back where an exception would break state. It knows no other room.
"""
