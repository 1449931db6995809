"""Language models behind one small protocol: messages and a schema in, completions out.

In: a model spec and CompletionRequests. Out: Completions, and what they cost.
`weights.py` is the only file that talks to llama.cpp, `llama.py` the only one that constrains
decoding, `hub.py` the only one that downloads; `http_model.py` asks servers, and `server.py` starts
one for LLAMA_BIN. Who is handed a model needs only `protocol`.
"""
