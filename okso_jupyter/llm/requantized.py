"""A copy of the bundled weights in a quantization that llama.cpp computes faster.

llama.cpp has no kernels for Q4_1, the format of the package, on most processors; for Q8_0 it has,
and Q8_0 keeps more of each number (docs/decisions/0009). The copy is a cache, made once per
machine: its name is a hash of its sources, its hash is checked when a process first uses it, and
it is written again if anything is wrong with it. If it cannot be kept, the original is used.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from okso_jupyter import private_files
from okso_jupyter.llm.bindings import llama_cpp
from okso_jupyter.llm.downloads import sha256_of
from okso_jupyter.log import LOGGER

_LOCK_TIMEOUT_S: Final = 60.0
_HEX_DIGITS: Final = 64


def requantized(weights: Path, cache: Path) -> Path:
    """Return a faster copy of weights, made if missing; the weights themselves if that fails.

    Args:
        weights: A GGUF file.
        cache: Folder of the copy, private to the user; created if missing. One copy is kept there.
    """
    maker = f"{sha256_of(weights)} llama-cpp-python {version('llama-cpp-python')} Q8_0"
    copy = cache / f"{hashlib.sha256(maker.encode()).hexdigest()[:32]}.gguf"
    try:
        private_files.make_private_folder(cache)
        with FileLock(cache / "lock", timeout=_LOCK_TIMEOUT_S):  # another kernel may be making it
            if not _is_whole(copy):
                _make(weights, copy)
    except (OSError, Timeout) as error:
        detail = {"detail": f"{cache}: {error}"}
        LOGGER.info("the model is used as it came: no faster copy can be kept", extra=detail)
        return weights
    return copy


def _is_whole(copy: Path) -> bool:
    """Return whether a copy exists and matches its recorded hash."""
    try:
        noted = private_files.read(_note_of(copy), max_bytes=_HEX_DIGITS).decode("ascii")
        private_files.close_to_others(copy)
        return sha256_of(copy) == noted
    except (OSError, ValueError):
        return False


def _make(weights: Path, copy: Path) -> None:
    """Write the copy and record its hash; delete the copies of other versions.

    Raises:
        OSError: It cannot be written.
    """
    for older in [*copy.parent.glob("*.gguf"), *copy.parent.glob("*.sha256")]:
        older.unlink(missing_ok=True)
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype, params.allow_requantize = llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0, True
    with private_files.drafting(copy.parent) as (_, draft):
        if llama_cpp.llama_model_quantize(str(weights).encode(), str(draft).encode(), params):
            msg = "llama.cpp could not write it"
            raise OSError(msg)
        draft.replace(copy)
    private_files.replace(_note_of(copy), sha256_of(copy).encode("ascii"))


def _note_of(copy: Path) -> Path:
    return copy.with_suffix(".sha256")
