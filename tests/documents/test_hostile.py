"""Documents that are damaged, deceptive, or made to block or mislead their reader."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from okso_jupyter.documents import ConversionLimits, Converter, convert, to_markdown, without_html
from okso_jupyter.errors import ToolFailedError, ToolRefusedError
from tests import made_documents as made

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux")


@pytest.fixture(name="whole_converter", scope="module")
def _whole_converter(_process: None) -> Iterator[Converter]:
    """One converter shared by all examples of a property."""
    with Converter() as converter:
        yield converter


OFFICE = {"docx": made.word, "xlsx": made.workbook, "pptx": made.slides}


def markdown(converter: Converter, html: str) -> str:
    """Convert an HTML page to Markdown."""
    return converter.to_markdown(html.encode(), "html").markdown


def outcome(
    converter: Converter, data: bytes, kind: str, *, timeout_s: float = 20
) -> tuple[str, str]:
    """Return a document's Markdown and the error message; one of the two is empty."""
    try:
        found = converter.to_markdown(data, kind, limits=ConversionLimits(timeout_s=timeout_s))
    except ToolFailedError as error:
        return "", error.message
    return found.markdown, ""


# --- what nobody sees --------------------------------------------------------------------------

HIDDEN = {
    "comment": "<!-- EVIL -->",
    "conditional comment": "<!--[if IE]><p>EVIL</p><![endif]-->",
    "script": "<script>EVIL</script>",
    "style": "<style>EVIL{}</style>",
    "noscript": "<noscript>EVIL</noscript>",
    "template": "<template>EVIL</template>",
    "frame": "<iframe srcdoc='EVIL'>EVIL</iframe>",
    "drawing": "<svg><text>EVIL</text><title>EVIL</title></svg>",
    "field": "<input value=EVIL placeholder=EVIL><textarea>EVIL</textarea>",
    "attribute": "<p hidden>EVIL</p>",
    "for readers aloud": "<p aria-hidden=true>EVIL</p>",
    "closed dialog": "<dialog>EVIL</dialog>",
    "no display": "<div style='DISPLAY : none'><p>EVIL</p></div>",
    "split by a comment": "<p style='display:/**/none'>EVIL</p>",
    "invisible": "<p style='color:red;visibility:hidden'>EVIL</p>",
    "without opacity": "<p style='opacity:0.0'>EVIL</p>",
    "no size": "<p style='font-size:0px !important'>EVIL</p>",
    "outside": "<p style='position:absolute;left:-9999px'>EVIL</p>",
    "indented away": "<p style='text-indent:-5000em'>EVIL</p>",
    "transparent": "<p style='color:transparent'>EVIL</p>",
    "clipped": "<p style='clip:rect(0,0,0,0)'>EVIL</p>",
    "a pixel": "<p style='width:1px;height:1px;overflow:hidden'>EVIL</p>",
    "by a rule": "<style>.x, p.y { color: red; display: none }</style><p class=x>EVIL</p>",
    "by a second rule": "<style>@import 'a'; #z{visibility:hidden}</style><p id=z>EVIL</p>",
    "picture": "<img src=http://evil.example/EVIL.png alt=EVIL title=EVIL>",
    "title": "<a href='https://a.org' title='EVIL'>x</a><abbr title=EVIL>x</abbr>",
    "data": "<p data-x=EVIL aria-label=EVIL>x</p>",
    "declaration": "<!DOCTYPE EVIL><?php EVIL ?><![CDATA[EVIL]]>",
}


@pytest.mark.parametrize("html", HIDDEN.values(), ids=HIDDEN)
def test_hidden_text_is_removed(converter: Converter, html: str) -> None:
    """Text that a page hides from people is removed; the text around it is kept."""
    found = markdown(converter, f"<p>before</p>{html}<p>after</p>")
    assert "evil" not in found.lower()
    assert found.startswith("before")
    assert found.endswith("after")


SEEN = {
    "wide": "<p style='width:100px;opacity:0.5;font-size:0.9em'>GOOD</p>",
    "moved a little": "<p style='left:-9px;margin-top:-10px'>GOOD</p>",
    "only when printed": "<style>@media print{.x{display:none}}</style><p class=x>GOOD</p>",
    "rule for another": "<style>.other{display:none}</style><p class=x>GOOD</p>",
    "until a script has run": "<style>body{visibility:hidden}</style><p>GOOD</p>",
    "folded": "<details><summary>more</summary>GOOD</details>",
    "open dialog": "<dialog open>GOOD</dialog>",
    "broken rule": "<style>}}{ ::: {display:none} p:hover{display:none</style><p>GOOD</p>",
    "never closed": "<div><b><table><tr><td>GOOD",
    "unknown elements": "<my-app><x:y>GOOD</x:y></my-app>",
}


@pytest.mark.parametrize("html", SEEN.values(), ids=SEEN)
def test_visible_text_is_kept(converter: Converter, html: str) -> None:
    """Visible text is kept even if its markup resembles that of hidden text."""
    assert "GOOD" in markdown(converter, html)


def test_invisible_characters_are_removed(converter: Converter) -> None:
    """Zero-width, bidirectional, tag and control characters are removed from every kind."""
    marks = "\u200b\u200d\u202e\u2066\ufeff\u00ad\U000e0041\U000e01ef\x1b\x07"
    assert markdown(converter, f"<p>a{marks}b</p>") == "ab"
    text = f'{{"cells": [{{"cell_type": "markdown", "source": "a{marks}b"}}]}}'
    assert converter.to_markdown(text.encode(), "json").markdown.count("ab") == 1


@pytest.mark.parametrize(
    "text",
    [
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "&lt;img src=x onerror=alert(1)&gt;",
        "[x](javascript:alert(1))",
        "![x](http://evil.example/x.png)",
        "[x]: javascript:alert(1)",
        "[x][y]",
        "&lt;javascript:alert(1)&gt;",
    ],
)
def test_page_text_does_not_become_markup(converter: Converter, text: str) -> None:
    """Page text that looks like HTML or Markdown does not become markup."""
    found = markdown(converter, f"<p>{text}</p><table><tr><td>{text}</table>")
    assert "](" not in found
    assert "][" not in found
    assert "]:" not in found
    assert "<" not in found.replace("\\<", "")


def _cells(*cells: tuple[str, str]) -> bytes:
    """Return a notebook with cells of these kinds and sources."""
    document = [{"cell_type": kind, "source": source} for kind, source in cells]
    return json.dumps({"cells": document, "nbformat": 4}).encode()


IMAGE = "<img src=x onerror=alert(1)>"
PIECES: dict[str, tuple[str, bytes]] = {
    "two elements": ("html", b"<p>&lt;<span></span>img src=x onerror=alert(1)&gt;</p>"),
    "an image of two": ("html", b"<p>![a]<b></b>(http://evil.example/x.png)</p>"),
    "nothing between": ("html", "<p>&lt;\u200bimg src=x onerror=alert(1)&gt;</p>".encode()),
    "an escaped escape": ("html", b"<p>\\&lt;img src=x onerror=alert(1)&gt;</p>"),
    "a fence of text": ("html", b"<p>```</p><pre>&lt;img src=x onerror=alert(1)&gt;</pre>"),
    "a cell": ("ipynb", _cells(("markdown", f"# a\n\n{IMAGE} ![a](http://evil.example/x.png)"))),
    "a raw cell": ("ipynb", _cells(("raw", f"<p>{IMAGE}</p>"))),
    "an open fence": ("ipynb", _cells(("markdown", "```"), ("code", IMAGE), ("markdown", IMAGE))),
    "an open comment": (
        "ipynb",
        _cells(("markdown", "<!--"), ("code", IMAGE), ("markdown", "-->")),
    ),
    "a fence in code": ("ipynb", _cells(("code", f"``\u200b`\n{IMAGE}"))),
    "a fence in a list": ("ipynb", _cells(("markdown", f"- ```\n  x\n  ```\n{IMAGE}\n"))),
    "code over lines": ("ipynb", _cells(("markdown", f"a `\nb ` {IMAGE} `"))),
    "a reference": ("ipynb", _cells(("markdown", "![a][b]\n\n[b]: http://evil.example/x.png"))),
    "a table": ("ipynb", _cells(("markdown", f"| a |\n| --- |\n| {IMAGE} |"))),
    "Markdown": ("md", f"a\n\n```\n{IMAGE}\n```\n\n{IMAGE} ![a](http://e.example)".encode()),
}


def _live(markdown: str) -> list[str]:
    """Return the HTML and the images in rendered Markdown."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    every = [part for token in tokens for part in (token, *(token.children or []))]
    return [t.content for t in every if t.type in {"html_block", "html_inline", "image"}]


@pytest.mark.parametrize(("kind", "data"), PIECES.values(), ids=PIECES)
def test_joined_pieces_form_no_html(converter: Converter, kind: str, data: bytes) -> None:
    """Joined pieces, fences and cells never form HTML or an image.

    This includes pieces that become adjacent because the text between them is removed.
    """
    found = converter.to_markdown(data, kind).markdown

    assert _live(found) == []
    assert "img" in found or "evil.example" in found or "e.example" in found


MARKS = st.lists(
    st.sampled_from(
        [*("<", ">", "img src=x", "!", "[", "]", "(", ")", "`", "```", "~~~", "\\", "\n", "\n\n"),
         *("\u200b", "- ", "> ", "    ", "| ", "<!--", "-->", "<b>", "&lt;", "a", "$", ":", "*")]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@settings(max_examples=60)
@given(pieces=st.lists(st.tuples(st.sampled_from(["markdown", "code", "raw"]), MARKS), max_size=4))
def test_notebook_cells_never_show_html(
    whole_converter: Converter, pieces: list[tuple[str, str]]
) -> None:
    """No contents of notebook cells produce HTML or an image."""
    assert _live(whole_converter.to_markdown(_cells(*pieces), "ipynb").markdown) == []


@settings(max_examples=60)
@given(texts=st.lists(MARKS, max_size=4), tag=st.sampled_from(["p", "pre", "code", "li", "td"]))
def test_page_texts_never_show_html(whole_converter: Converter, texts: list[str], tag: str) -> None:
    """No texts of a page produce HTML or an image."""
    page = "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)

    assert _live(whole_converter.to_markdown(page.encode(), "html").markdown) == []


@given(text=MARKS)
def test_markdown_never_shows_html(text: str) -> None:
    """In plain Markdown, everything that looks like HTML or an image is escaped."""
    assert _live(without_html(text)) == []


def test_code_and_comparisons_are_unchanged(converter: Converter) -> None:
    """Cells without HTML and the code in cells are not changed."""
    cells = [
        ("markdown", "a < b, `List<int>`, [x](https://a.org) **b** <3"),
        ("code", "if a<b: '<b>'"),
    ]
    found = converter.to_markdown(_cells(*cells), "ipynb").markdown

    assert found == f"{cells[0][1]}\n\n```python\n{cells[1][1]}\n```"


# --- damaged -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*OFFICE, "pdf", "ipynb"])
@pytest.mark.parametrize("data", [b"", b"garbage", b"\0" * 5000, b"PK\x03\x04", os.urandom(3000)])
def test_data_that_is_not_a_document_is_refused(
    converter: Converter, kind: str, data: bytes
) -> None:
    """Data that is not a document of the stated kind is refused with a clear message."""
    with pytest.raises(ToolFailedError, match=f"the {kind} cannot be read: it"):
        converter.to_markdown(data, kind)


@pytest.mark.parametrize("kind", OFFICE)
def test_an_office_document_of_another_kind_is_refused(converter: Converter, kind: str) -> None:
    """An intact Office document of another kind than its name says is refused."""
    other = next(make for name, make in OFFICE.items() if name != kind)
    with pytest.raises(ToolFailedError, match="something else under this name"):
        converter.to_markdown(other(), kind)


@pytest.mark.parametrize("kind", [*OFFICE, "pdf"])
def test_a_locked_document_is_reported(converter: Converter, kind: str) -> None:
    """The error for an encrypted document says that it is locked with a password."""
    old_container = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    data = made.pdf(["x"], password="secret") if kind == "pdf" else old_container  # noqa: S106  of a test
    with pytest.raises(ToolFailedError, match="locked with a password"):
        converter.to_markdown(data, kind)


@pytest.fixture(name="whole", scope="module", params=[*OFFICE, "pdf", "ipynb"])
def _whole(request: pytest.FixtureRequest) -> tuple[str, bytes]:
    kind: str = request.param
    others: dict[str, Callable[[], bytes]] = {
        "pdf": lambda: made.pdf(["one", "two"]),
        "ipynb": made.notebook,
    }
    return kind, {**OFFICE, **others}[kind]()


@given(data=st.data())
@settings(max_examples=25)
def test_a_damaged_document_is_read_or_refused(
    converter: Converter, whole: tuple[str, bytes], data: st.DataObject
) -> None:
    """A document with removed or changed bytes is read, or refused with a one-line error."""
    kind, content = whole
    start = data.draw(st.integers(0, len(content) - 1))
    length = data.draw(st.integers(1, 200))
    noise = data.draw(st.binary(max_size=50))
    text, why = outcome(converter, content[:start] + noise + content[start + length :], kind)
    assert isinstance(text, str)
    assert not why or (why.startswith(f"the {kind} ") and "\n" not in why)


# --- bombs -------------------------------------------------------------------------------------


def zipped(parts: dict[str, bytes]) -> bytes:
    """Return a zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def lying(data: bytes, name: str) -> bytes:
    """Return an archive that states an unpacked size of 100 bytes in both places."""
    changed = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = archive.getinfo(name).file_size.to_bytes(4, "little")
    at = changed.find(size)
    while at >= 0:
        changed[at : at + 4] = (100).to_bytes(4, "little")
        at = changed.find(size, at + 4)
    return bytes(changed)


def pdf_bomb() -> bytes:
    """Return a PDF with one page of 400 MiB of drawing commands, compressed twice."""
    stream = zlib.compress(zlib.compress(b"0 0 m 9 9 l S\n" * (30 << 20), 9), 9)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        b"<</Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n%b\nendstream"
        % (len(stream), stream),
    ]
    body = b"".join(b"%d 0 obj%bendobj\n" % (n, part) for n, part in enumerate(objects, start=1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF"


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b0 "ha">'
    + b"".join(b'<!ENTITY b%d "%b">' % (n, b"&b%d;" % (n - 1) * 10) for n in range(1, 12))
    + b"]><a>&b11;</a>"
)
DEEP_XML = b"<a>" * 1_000_000

BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "zip bomb as docx": ("docx", lambda: zipped({"word/document.xml": b" " * (300 << 20)})),
    "zip bomb as pptx": ("pptx", lambda: zipped({"ppt/presentation.xml": b" " * (300 << 20)})),
    "zip bomb as xlsx": ("xlsx", lambda: zipped({"xl/workbook.xml": b" " * (300 << 20)})),
    "lying zip": (
        "docx",
        lambda: lying(
            made.repacked(made.word(), "word/document.xml", b"<a>" + b"x" * (50 << 20)),
            "word/document.xml",
        ),
    ),
    "many parts": ("xlsx", lambda: zipped({f"p{n}": b"" for n in range(20_000)})),
    "laughs in docx": ("docx", lambda: made.repacked(made.word(), "word/document.xml", LAUGHS)),
    "laughs in xlsx": (
        "xlsx",
        lambda: made.repacked(made.workbook(), "xl/worksheets/sheet1.xml", LAUGHS),
    ),
    "deep docx": ("docx", lambda: made.repacked(made.word(), "word/document.xml", DEEP_XML)),
    "deep pptx": ("pptx", lambda: made.repacked(made.slides(), "ppt/slides/slide1.xml", DEEP_XML)),
    "pdf bomb": ("pdf", pdf_bomb),
    "deep notebook": ("ipynb", lambda: b"[" * 10_000_000),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_handled_in_bounded_time(converter: Converter, name: str) -> None:
    """A bomb fails, or yields its little text, in bounded time.

    The converter reads the next document afterwards.
    """
    kind, make = BOMBS[name]
    text, why = outcome(converter, make(), kind, timeout_s=10)
    assert len(text) < 100_000
    assert not why or why.startswith(f"the {kind} ")
    assert markdown(converter, "<p>next") == "next"


PAGES = {
    "deep": "<div>" * 100_000 + "GOOD",
    "deep lists": "<ul><li>" * 5_000 + "GOOD",
    "deep tables": "<table><tr><td>" * 3_000 + "GOOD",
    "deep emphasis": "<b><i>" * 20_000 + "GOOD",
    "comments": "GOOD" + "<!--" * 300_000,
    "declarations": "GOOD" + "<!" * 300_000 + "<?" * 100_000,
    "attributes": "<p " + " ".join(f"a{n}=1" for n in range(50_000)) + ">GOOD",
    "wide table": "<table>" + ("<tr>" + "<td colspan=1000>x" * 20) * 20 + "</table>GOOD",
    "brackets": "<p>GOOD" + "[" * 200_000 + "](" * 100_000,
    "braces": "<style>" + "{" * 200_000 + "}" * 200_000 + "</style><p>GOOD",
    "selectors": "<style>" + "".join(f"a b c d:not(e) .x{n}{{display:none}}" for n in range(5000))
    + "</style><p>GOOD",
    "entities": "<p>GOOD" + "&amp;" * 300_000,
    "white space": "<p>GOOD" + " \n\t" * 500_000 + "<b> </b>",
}  # fmt: skip


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_hostile_pages_are_read_or_refused(converter: Converter, html: str) -> None:
    """A page made to block parsers is read, or refused with an error.

    The converter reads the next document afterwards.
    """
    text, why = outcome(converter, html.encode(), "html")
    assert "GOOD" in text or why.startswith("the html ")
    assert markdown(converter, "<p>next") == "next"


def test_a_far_cell_is_read_without_the_empty_ones_before_it(converter: Converter) -> None:
    """A sheet with a single value in its last cell becomes a table of one cell."""
    found = converter.to_markdown(made.far_cell(), "xlsx")
    assert found.markdown == "## Sheet\n\n| far |\n| --- |"


def test_a_document_that_is_too_large_is_not_parsed() -> None:
    """A document larger than the limit is refused before it reaches a parser."""
    with pytest.raises(ToolFailedError, match="11 bytes long; the maximum is 10"):
        to_markdown(b"<p>12345678", "html", limits=ConversionLimits(max_bytes=10))


# --- the worker --------------------------------------------------------------------------------


@pytest.mark.process
def test_a_worker_that_times_out_is_replaced() -> None:
    """A timeout ends the worker; the next document is read by a new worker."""
    with Converter() as converter:
        with pytest.raises(ToolFailedError, match=r"took longer than 0\.01 s"):
            converter.to_markdown(
                b"<p>x" * 200_000, "html", limits=ConversionLimits(timeout_s=0.01)
            )
        assert markdown(converter, "<p>next") == "next"


@pytest.mark.process
def test_a_killed_worker_is_replaced() -> None:
    """A worker that is killed between two documents is replaced without an error."""
    with Converter() as converter:
        assert markdown(converter, "<p>one") == "one"
        assert converter._child is not None
        converter._child.kill()
        assert markdown(converter, "<p>two") == "two"


@pytest.mark.process
def test_a_stop_signal_ends_a_conversion() -> None:
    """A stop signal ends a conversion that has not finished."""
    stop = threading.Event()
    stop.set()
    with Converter() as converter, pytest.raises(ToolRefusedError, match="stopped"):
        converter.to_markdown(b"<p>x" * 200_000, "html", cancelled=stop)


READER_THAT_TRIES = """
import os, socket
from . import Read
def read_html(asked):
    tried = {}
    for name, attempt in {
        "read": lambda: open(asked.data.decode()).read(),
        "list": lambda: os.listdir("/"),
        "write": lambda: open("/tmp/okso-was-here", "w"),
        "connect": lambda: socket.create_connection(("127.0.0.1", 9)),
        "run": lambda: os.execv("/bin/true", ["true"]),
        "fork": os.fork,
    }.items():
        try:
            attempt()
            tried[name] = "worked"
        except Exception as error:
            tried[name] = type(error).__name__
    return Read(markdown=" ".join(f"{k}={v}" for k, v in tried.items()))
"""


@pytest.fixture(name="readers")
def _readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with modifiable copies of the readers, used instead of the real ones."""
    here, copy = Path(convert.__file__).parent, tmp_path / "documents"
    shutil.copytree(here, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sandbox").symlink_to(here.parent / "sandbox")
    monkeypatch.setattr(convert, "_WORKER_PROGRAM", copy / "reader_process.py")
    monkeypatch.setattr(convert, "_READERS", copy / "readers")
    return copy / "readers"


@pytest.mark.process
def test_a_compromised_reader_has_no_rights(readers: Path, tmp_path: Path) -> None:
    """A compromised reader cannot read or write files, connect, or start processes."""
    (readers / "hypertext.py").write_text(READER_THAT_TRIES, "utf-8")
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    assert to_markdown(str(secret).encode(), "html").markdown == " ".join(
        f"{name}=PermissionError" for name in ("read", "list", "write", "connect", "run", "fork")
    )


_EVERYWHERE = """for d in range(3, 1024):
    try: os.write(d, {!r})
    except OSError: pass"""
_FRAME = "sys.modules['okso_readers'].Read.as_frame = lambda *a: "
TAKEN_OVER = {
    "noise": _EVERYWHERE.format(b"\xff" * 64),
    "a frame of its own": _EVERYWHERE.format(b"\0\0\0\x02{}"),
    "too long": _FRAME + "{'markdown': 'x' * 99_000_000}",
    "no JSON": _FRAME + "{'markdown': {1, 2}}",
    "exit": "os._exit(0)",
    "stopped": "os.kill(os.getpid(), 19)",
}


@pytest.mark.process
@pytest.mark.parametrize("code", TAKEN_OVER.values(), ids=TAKEN_OVER)
def test_an_answer_of_a_compromised_worker_is_an_error(readers: Path, code: str) -> None:
    """Any answer of a compromised worker ends the call with an error, in bounded time."""
    indented = "    " + code.replace("\n", "\n    ")
    source = f"import os, sys\nfrom . import Read\ndef read_html(asked):\n{indented}\n"
    (readers / "hypertext.py").write_text(f"{source}    return Read(markdown='')\n", "utf-8")
    with pytest.raises(ToolFailedError, match=r"the html (cannot be read|took longer)"):
        to_markdown(b"x", "html", limits=ConversionLimits(timeout_s=3))


@pytest.mark.process
def test_fields_of_an_answer_are_validated(readers: Path) -> None:
    """Invalid fields of a worker's answer are corrected.

    Examples are wrong types, lone surrogates and overlong lists.
    """
    frame = {
        "markdown": "a\ud800b",
        "title": ["x"],
        "pages": -1,
        "warnings": [1] * 100 + ["w"] * 100_000,
    }
    (readers / "hypertext.py").write_text(
        "from . import Read\n"
        f"Read.as_frame = lambda *a: {frame!r}\n"
        "def read_html(asked): return Read(markdown='')\n"
    )
    found = to_markdown(b"x", "html")
    assert (found.markdown, found.title, found.pages) == ("a?b", "", 1)
    assert len(found.warnings) <= 20


@pytest.mark.process
def test_memory_is_bounded(readers: Path) -> None:
    """A reader that allocates two gigabytes fails with an error about memory."""
    (readers / "hypertext.py").write_text("def read_html(asked): return bytearray(2 << 30)\n")
    with pytest.raises(ToolFailedError, match="needs more memory than a document may take"):
        to_markdown(b"x", "html")


def test_without_a_sandbox_text_is_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a sandbox, documents are refused with the reason; plain text is still read."""
    monkeypatch.setattr(sys, "platform", "other")
    with pytest.raises(ToolRefusedError, match="there is no sandbox on other"):
        to_markdown(b"<p>x", "html")
    assert to_markdown(b"a,b", "csv").markdown == "```csv\na,b\n```"


@pytest.mark.process
def test_a_missing_library_names_the_extra(readers: Path) -> None:
    """If a library is missing, the document is refused; the hint is the install command."""
    reader = readers / "docx.py"
    reader.write_text(reader.read_text("utf-8").replace("import mammoth", "import mamoth_"))
    with pytest.raises(ToolRefusedError) as caught:
        to_markdown(made.word(), "docx")
    assert caught.value.message == "reading docx needs the package mamoth_"
    assert caught.value.hint == 'pip install "okso-jupyter[documents]"'
    assert to_markdown(b"<p>x", "html").markdown == "x"
