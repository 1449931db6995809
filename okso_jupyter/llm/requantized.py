"""The bundled weights in a quantization that llama.cpp reads faster, made once on this machine.

Q4_1, as the package brings them, has no kernels of its own for most processors; Q8_0 has, and
keeps more of each number (docs/decisions/0009). The copy is a cache: it is named by what it was
made of, compared with its hash whenever a process first uses it, and written anew where anything
is wrong with it. Where it cannot be kept, the weights are used as they came.
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
    """Return a faster copy of weights, made if it is not there; the weights where none can be had.

    Args:
        weights: A GGUF file.
        cache: Folder of copies, private to the user; made when needed. One copy is kept there.
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
    """Say whether a copy is there and is what was once written."""
    try:
        noted = private_files.read(_note_of(copy), max_bytes=_HEX_DIGITS).decode("ascii")
        private_files.close_to_others(copy)
        return sha256_of(copy) == noted
    except (OSError, ValueError):
        return False


def _make(weights: Path, copy: Path) -> None:
    """Write the copy and note its hash; what other versions left behind is deleted.

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
