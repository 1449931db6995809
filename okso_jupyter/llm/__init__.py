"""Language models behind one small protocol: messages and a schema in, completions out.

In: a model spec and CompletionRequests. Out: Completions, and what they cost.
`weights.py` is the only file that talks to llama.cpp, `llama.py` the only one that constrains
decoding, `hub.py` the only one that downloads. Who is handed a model needs only `protocol`.
"""
