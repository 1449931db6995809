"""Language models behind one small protocol: messages and a schema in, completions out.

In: a model spec and CompletionRequests. Out: Completions, and what they cost.
`llama.py` is the only file that knows llama.cpp. Planning and execution are handed a model by
`session`; they import only `protocol`.
"""
