"""Results of calls: text, structured content and pictures of a server, as a ToolOutput."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter import private_files
from okso_jupyter.amounts import cut
from okso_jupyter.legible import visible
from okso_jupyter.sandbox.artifacts import MAX_PICTURE_BYTES, picture_type
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.trust import sha256_of

if TYPE_CHECKING:
    from mcp.types import CallToolResult

_MAX_TEXT_CHARS: Final = 200_000
_MAX_PICTURES: Final = 20
_SUFFIXES: Final = {"image/png": ".png", "image/jpeg": ".jpg"}


def output_of(result: CallToolResult, pictures: Path) -> ToolOutput:
    """Return the result of a call; what a link in it points to is not fetched.

    Args:
        result: The server's result.
        pictures: Folder for pictures, created on demand.
    """
    saved: list[Path] = []
    parts = [_shown(block, pictures, saved) for block in result.content]
    text = cut(visible("\n".join(part for part in parts if part)), _MAX_TEXT_CHARS)
    if result.is_error:
        error = " ".join(text.split()) or "the server reports an error without a reason"
        return ToolOutput(value=text, text=text, exit_code=1, error=error)
    value = _value(text, result.structured_content)
    if saved:
        content = value if isinstance(value, dict) else {"text": value}
        value = {**content, "artifacts": [str(path) for path in saved]}
    return ToolOutput(value=value, text=text or _as_text(result.structured_content))


def _value(text: str, structured: Any) -> Any:  # noqa: ANN401  a JSON value
    """Return the structured content where there is some of bounded size, else the text."""
    if structured is None or len(_as_text(structured)) > _MAX_TEXT_CHARS:
        return text
    return structured


def _as_text(value: Any) -> str:  # noqa: ANN401  a JSON value
    return "" if value is None else visible(json.dumps(value, ensure_ascii=False, indent=1))


def _shown(block: Any, pictures: Path, saved: list[Path]) -> str:  # noqa: ANN401  one of the SDK's content blocks
    """Return a part of a result as text; save a picture."""
    if block.type == "text":
        return str(block.text)
    if block.type == "image":
        path = _saved(block.data, pictures) if len(saved) < _MAX_PICTURES else None
        saved.extend([path] if path else [])
        return f"[picture {path.name}]" if path else "[a picture that cannot be shown]"
    return " ".join(_named(block))


def _named(block: Any) -> Iterator[str]:  # noqa: ANN401  see _shown
    """Yield what a part is that is only named: a sound, a link, an embedded file."""
    if block.type == "resource_link":
        yield f"[link, not followed: {block.uri}]"
    elif block.type == "resource":
        yield f"[{block.resource.uri}]"
        yield str(getattr(block.resource, "text", "(not a text)"))
    else:
        yield f"[{block.type}]"


def _saved(data: str, pictures: Path) -> Path | None:
    """Save a PNG or JPEG of bounded size and return its path; None for anything else."""
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    kind = picture_type(content) if len(content) <= MAX_PICTURE_BYTES else ""
    if not kind:
        return None
    path = pictures / f"{sha256_of(content)[:16]}{_SUFFIXES[kind]}"
    private_files.make_folder(pictures)
    if not path.exists():
        private_files.create(path, content)
    return path
