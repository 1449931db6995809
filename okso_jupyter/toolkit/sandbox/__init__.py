"""The sandbox for foreign Python code: a worker process that shuts itself in.

In: code and a time limit. Out: `PythonResult`. `worker.py` and the files that it loads beside it
run in the child and import nothing of okso_jupyter; the others are the broker's side.
"""

from okso_jupyter.toolkit.sandbox.process import PythonResult, PythonWorker

__all__ = ["PythonResult", "PythonWorker"]
