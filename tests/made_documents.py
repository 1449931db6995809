"""Documents written by the usual libraries, for tests of several packages."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import datetime

import docx
import fpdf
import openpyxl
import pptx
from pptx.util import Inches

OFFICE = "application/vnd.openxmlformats-officedocument."


def word() -> bytes:
    """Return a docx: heading, bold and hidden text, a list, a table."""
    document = docx.Document()
    document.core_properties.title = "The plan"
    document.add_heading("Budget", 1)
    paragraph = document.add_paragraph("The total is ")
    paragraph.add_run("42").bold = True
    paragraph.add_run(" HIDDEN").font.hidden = True
    document.add_paragraph("milk", style="List Bullet")
    document.add_paragraph("bread", style="List Bullet")
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ["item", "price", "pen|cup", "a<b> 1"], strict=True):
        cell.text = text
    return _saved(document)


def workbook() -> bytes:
    """Return an xlsx: values of several types, a formula, a hidden and an empty sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Costs"
    sheet.append(["item", "price", "when"])
    sheet.append(["pen", 1.1 + 2.2, datetime(2024, 1, 2)])  # noqa: DTZ001  a workbook has none
    sheet.append(["sum", "=SUM(B2:B2)", True])
    hidden = book.create_sheet("Secret")
    hidden["A1"] = "HIDDEN"
    hidden.sheet_state = "hidden"
    book.create_sheet("Nothing")
    return _saved(book)


def far_cell() -> bytes:
    """Return an xlsx whose only value is in the last cell that a sheet can have."""
    book = openpyxl.Workbook()
    book.active["XFD1048576"] = "far"
    return _saved(book)


def slides() -> bytes:
    """Return a pptx: points at two levels, a table, notes, a hidden slide."""
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Intro"
    frame = slide.placeholders[1].text_frame
    frame.text = "first"
    point = frame.add_paragraph()
    point.text, point.level = "second", 1
    one = Inches(1)
    table = slide.shapes.add_table(2, 2, one, one, one, one).table
    for cell, text in zip(table.iter_cells(), "abcd", strict=True):
        cell.text = text
    slide.notes_slide.notes_text_frame.text = "say hello"
    hidden = show.slides.add_slide(show.slide_layouts[1])
    hidden.shapes.title.text = "HIDDEN"
    hidden._element.set("show", "0")
    return _saved(show)


def pdf(pages: Sequence[str], *, title: str = "", password: str = "") -> bytes:
    """Return a pdf with a text on each page; an empty text makes an empty page."""
    document = fpdf.FPDF()
    document.set_font("helvetica", size=12)
    if title:
        document.set_title(title)
    for text in pages:
        document.add_page()
        if text:
            document.multi_cell(0, text=text)
    if password:
        document.set_encryption(owner_password="owner", user_password=password)  # noqa: S106  of a test
    return bytes(document.output())


def notebook() -> bytes:
    """Return an ipynb: text, code, a printed result, an error."""
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {
            "cell_type": "code",
            "source": "print(1)\n1 + 1",
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {"output_type": "execute_result", "data": {"text/plain": "2", "text/html": "<b>"}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no"},
            ],
        },
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode()


def repacked(data: bytes, name: str, content: bytes) -> bytes:
    """Return an office document in which one part is replaced or added."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            if entry.filename != name:
                new.writestr(entry.filename, old.read(entry))
        new.writestr(name, content)
    return target.getvalue()


def _saved(
    document: docx.document.Document | openpyxl.Workbook | pptx.presentation.Presentation,
) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()
