"""Language models behind one small protocol: messages and a schema in, completions out.

The input is a model spec and CompletionRequests, the output Completions with their token counts
and times. `weights.py` is the only file that calls llama.cpp, `llama.py` the only one that
constrains decoding, `hub.py` the only one that downloads; `http_model.py` calls servers, and
`server.py` starts one for LLAMA_BIN. Code that is given a model needs only `protocol`.
"""
