"""Bindings of llama.cpp, loaded so that its threads yield when the machine is busy.

OpenMP's threads spin while they wait for each other. On a machine whose processors are all used
by other programs, two spinning threads need ten times as long as two that soon go to sleep; on an
idle one there is no difference (docs/decisions/0006). OpenMP reads the variable when it is loaded,
so this file is the only one that imports the library.
"""

from __future__ import annotations

import os

from okso_jupyter.llm.openmp import short_spins

_chosen = short_spins(os.environ)
os.environ.update(_chosen)
import llama_cpp  # noqa: E402  OpenMP must find the variable
from llama_cpp.llama_chat_format import Jinja2ChatFormatter  # noqa: E402  as above
from llama_cpp.llama_grammar import SchemaConverter  # noqa: E402  as above
from llguidance.llamacpp import lltokenizer_from_vocab  # noqa: E402  imports llama_cpp itself

for _name in _chosen:
    del os.environ[_name]  # child processes choose for themselves

__all__ = ["Jinja2ChatFormatter", "SchemaConverter", "llama_cpp", "lltokenizer_from_vocab"]
