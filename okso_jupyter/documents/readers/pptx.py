"""Presentations: the text of each slide and its notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, Final

import pptx

from . import Asked, Read
from .archive import opened, title_of
from .markdown import escape, heading, table

_MAX_DEPTH: Final = 20
_MAX_TABLE_CHARS: Final = 100_000


def read_pptx(asked: Asked) -> Read:
    """Read the slides that are not hidden."""
    title = title_of(opened(asked.data))
    slides = list(pptx.Presentation(BytesIO(asked.data)).slides)
    parts: list[str] = []
    warnings: list[str] = []
    for number, slide in enumerate(slides, start=1):
        if slide.element.get("show") == "0":
            warnings.append(f"slide {number} is hidden and was left out")
            continue
        parts += _slide(slide, number)
    return Read(
        markdown="\n\n".join(parts), title=title, pages=max(1, len(slides)), warnings=warnings
    )


def _slide(slide: Any, number: int) -> Iterator[str]:  # noqa: ANN401  the library ships no types
    """Yield the parts of a slide: heading, texts and tables, notes."""
    title = slide.shapes.title
    name = title.text_frame.text.strip() if title is not None else ""
    yield heading(f"Slide {number}: {name}" if name else f"Slide {number}", 2)
    title_id = title.shape_id if title is not None else None
    yield from _shapes((s for s in slide.shapes if s.shape_id != title_id), depth=0)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
        if notes:
            yield f"Notes: {escape(notes)}"


def _shapes(shapes: Iterable[Any], *, depth: int) -> Iterator[str]:
    """Yield the texts in shapes, including groups."""
    for shape in shapes:
        if hasattr(shape, "shapes") and depth < _MAX_DEPTH:
            yield from _shapes(shape.shapes, depth=depth + 1)
        elif getattr(shape, "has_table", False):
            rows = ([cell.text for cell in row.cells] for row in shape.table.rows)
            yield table(rows, max_chars=_MAX_TABLE_CHARS)
        elif getattr(shape, "has_text_frame", False):
            text = "\n".join(_paragraphs(shape.text_frame))
            if text:
                yield text


def _paragraphs(frame: Any) -> Iterator[str]:  # noqa: ANN401  the library ships no types
    """Yield the paragraphs of a text as list items, each at its level."""
    written = [paragraph for paragraph in frame.paragraphs if paragraph.text.strip()]
    for paragraph in written:
        text = escape(" ".join(paragraph.text.split()))
        yield text if len(written) == 1 else f"{'  ' * paragraph.level}- {text}"
