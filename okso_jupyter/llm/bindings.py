"""Bindings of llama.cpp, loaded so that its threads yield when the machine is busy.

OpenMP's threads spin while they wait for each other. On a machine whose processors are all used
by other programs, two spinning threads need ten times as long as two that soon go to sleep; on an
idle one there is no difference (docs/decisions/0006). OpenMP reads the variable when it is loaded,
so this file is the only one that imports the library.
"""

from __future__ import annotations

import os

_WAITING = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
_SPINS = "1000"

_chosen_by_user = any(name in os.environ for name in _WAITING)
if not _chosen_by_user:
    os.environ[_WAITING[0]] = _SPINS
import llama_cpp  # noqa: E402  OpenMP must find the variable
from llama_cpp.llama_chat_format import Jinja2ChatFormatter  # noqa: E402  as above
from llguidance.llamacpp import lltokenizer_from_vocab  # noqa: E402  imports llama_cpp itself

if not _chosen_by_user:
    del os.environ[_WAITING[0]]  # child processes choose for themselves

__all__ = ["Jinja2ChatFormatter", "llama_cpp", "lltokenizer_from_vocab"]
