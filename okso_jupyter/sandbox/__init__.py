"""The sandbox for untrusted Python code: a worker process that confines itself.

In: code, a time limit, values by name. Out: `PythonResult`, values. `worker.py` and the files it
loads run in the child process and import nothing of okso_jupyter; the others run in the broker.
Imported by `toolkit.context`, and by upper packages that pass values in or out.
"""

from okso_jupyter.sandbox.process import PythonWorker
from okso_jupyter.sandbox.result import PythonResult

__all__ = ["PythonResult", "PythonWorker"]
