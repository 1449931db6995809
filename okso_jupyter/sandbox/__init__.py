"""The sandbox for foreign Python code: a worker process that shuts itself in.

In: code, a time limit, values by name. Out: `PythonResult`, values. `worker.py` and the files that
it loads beside it run in the child and import nothing of okso_jupyter; the others are the
broker's side. `toolkit.context` imports it, and upper rooms that hand values in or out.
"""

from okso_jupyter.sandbox.process import PythonWorker
from okso_jupyter.sandbox.result import PythonResult

__all__ = ["PythonResult", "PythonWorker"]
