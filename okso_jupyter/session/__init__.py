"""The public API: `Session`, `arun`, `load_run`, batches of requests.

In: requests, settings, tools, variables of the notebook, a model. Out: `Planning` and `Run`.
Checks arguments and opens the resources that runs share; `runs` does the work. `magic` imports it.
"""
