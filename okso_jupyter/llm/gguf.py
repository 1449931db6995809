"""Reader of a GGUF file's metadata: facts about a model without loading it."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

_MAGIC: Final = b"GGUF"
_STRING: Final = 8
_ARRAY: Final = 9
#: Numbers by their type in the file, as `struct` reads them.
_NUMBERS: Final[Mapping[int, str]] = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
_TOKENIZER: Final = "tokenizer."
#: Longest key or text that is accepted; a longer one means that the file is damaged.
_MOST_BYTES: Final = 1 << 20
_MOST_ENTRIES: Final = 10_000
_HALF_FLOAT_BYTES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Limits of a model's context and the memory that each token of it takes.

    Attributes:
        trained_tokens: The longest context that it was trained for; None if unknown.
        bytes_per_token: Memory of one token in the context, at 16 bits; None if layers differ.
    """

    trained_tokens: int | None = None
    bytes_per_token: int | None = None


def read_shape(path: Path) -> Shape:
    """Return the shape of a GGUF file's model; an empty shape if the file cannot be read."""
    try:
        with path.open("rb") as file:
            said = _entries(file)
    except (OSError, ValueError, struct.error):
        return Shape()
    return Shape(
        trained_tokens=_count(said, "context_length"), bytes_per_token=_bytes_per_token(said)
    )


def _bytes_per_token(said: Mapping[str, Any]) -> int | None:
    """Return the size in bytes of keys and values of one token over all layers."""
    layers, heads = _count(said, "block_count"), _count(said, "attention.head_count")
    width = _count(said, "embedding_length")
    if not layers or not heads or not width:
        return None
    shared = _count(said, "attention.head_count_kv")
    if shared is None and "attention.head_count_kv" in said:
        return None
    key = _count(said, "attention.key_length") or width // heads
    value = _count(said, "attention.value_length") or width // heads
    return layers * (shared or heads) * (key + value) * _HALF_FLOAT_BYTES


def _count(said: Mapping[str, Any], name: str) -> int | None:
    value = said.get(name)
    return value if type(value) is int else None


def _entries(file: BinaryIO) -> dict[str, Any]:
    """Return the entries before the tokenizer's, without the architecture's name in their keys.

    Raises:
        ValueError: The file is not a GGUF file, or is damaged.
        struct.error: It ends too early.
    """
    if file.read(len(_MAGIC)) != _MAGIC:
        msg = "no GGUF"
        raise ValueError(msg)
    _version, _tensors, count = _unpack(file, "IQQ")
    found: dict[str, Any] = {}
    for _ in range(min(count, _MOST_ENTRIES)):
        key = _text(file)
        if key.startswith(_TOKENIZER):
            break  # long lists, and no entry of interest after them
        found[key.partition(".")[2]] = _value(file, _unpack(file, "I")[0])
    return found


def _value(file: BinaryIO, kind: int) -> Any:  # noqa: ANN401  what the file holds
    if kind == _STRING:
        return _text(file)
    if kind == _ARRAY:
        inner, count = _unpack(file, "IQ")
        if inner == _ARRAY or count > _MOST_ENTRIES:
            msg = "a list too long or too deep to be one"
            raise ValueError(msg)
        return [_value(file, inner) for _ in range(count)]
    if kind not in _NUMBERS:
        msg = f"no type {kind}"
        raise ValueError(msg)
    return _unpack(file, _NUMBERS[kind])[0]


def _text(file: BinaryIO) -> str:
    (length,) = _unpack(file, "Q")
    if length > _MOST_BYTES:
        msg = "a text too long to be one"
        raise ValueError(msg)
    return file.read(length).decode("utf-8")


def _unpack(file: BinaryIO, layout: str) -> tuple[Any, ...]:
    layout = f"<{layout}"
    return struct.unpack(layout, file.read(struct.calcsize(layout)))
