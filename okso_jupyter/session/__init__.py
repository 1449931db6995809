"""The public API: `Session`, `arun`, `load_run`, batches of requests.

In: requests, settings, tools, variables of the notebook, a model. Out: `Planning` and `Run`.
It checks arguments and opens what runs share; the work is done in `runs`. `magic` imports it.
"""
