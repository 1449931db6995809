"""Documents of every kind are converted to Markdown with their visible content."""

from __future__ import annotations

import sys

import pytest

from okso_jupyter.documents import (
    ConversionLimits,
    Converted,
    Converter,
    kind_of_mime,
    kind_of_path,
    to_markdown,
)
from tests import made_documents as made

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux")


def markdown(converter: Converter, html: str, **options: str) -> str:
    """Convert an HTML page to Markdown."""
    return converter.to_markdown(html.encode(), "html", **options).markdown  # type: ignore[arg-type]  # charset, base_url


@pytest.mark.process
def test_a_word_document() -> None:
    """Headings, emphasis, lists and tables are kept; hidden text is omitted."""
    found = to_markdown(made.word(), "docx")
    assert found == Converted(
        markdown="# Budget\n\nThe total is **42**\n\n- milk\n- bread\n\n"
        "| item | price |\n| --- | --- |\n| pen\\|cup | a\\<b> 1 |",
        title="The plan",
    )


def test_a_workbook(converter: Converter) -> None:
    """Each visible sheet is a table; a formula is shown if its value is not stored."""
    found = converter.to_markdown(made.workbook(), "xlsx")
    assert found.markdown == (
        "## Costs\n\n| item | price | when |\n| --- | --- | --- |\n"
        "| pen | 3.3 | 2024-01-02 |\n| sum | =SUM(B2:B2) | TRUE |\n\n## Nothing\n\n(empty)"
    )
    assert found.pages == 3
    assert found.warnings == ("the sheet 'Secret' is hidden and was left out",)


def test_slides(converter: Converter) -> None:
    """The title, bullet points, tables and notes of each visible slide are kept."""
    found = converter.to_markdown(made.slides(), "pptx")
    assert found.markdown == (
        "## Slide 1: Intro\n\n- first\n  - second\n\n| a | b |\n| --- | --- |\n| c | d |\n\n"
        "Notes: say hello"
    )
    assert found.pages == 2
    assert found.warnings == ("slide 2 is hidden and was left out",)


def test_a_pdf(converter: Converter) -> None:
    """Each page's text follows its page number; a single page has no number."""
    found = converter.to_markdown(made.pdf(["good\nharvest", "page two"], title="Report"), "pdf")
    assert found == Converted(
        markdown="## Page 1\n\ngood\nharvest\n\n## Page 2\n\npage two", title="Report", pages=2
    )
    assert converter.to_markdown(made.pdf(["alone"]), "pdf").markdown == "alone"


def test_a_pdf_of_pictures_has_a_warning(converter: Converter) -> None:
    """A PDF without text is not an error; a warning says that its pages may be pictures."""
    found = converter.to_markdown(made.pdf(["", ""]), "pdf")
    assert (found.markdown, found.pages) == ("", 2)
    assert found.warnings == ("there is no text in it: its pages may be pictures",)


def test_a_notebook(converter: Converter) -> None:
    """Cells are kept in order; of their outputs only the text is kept."""
    assert converter.to_markdown(made.notebook(), "ipynb").markdown == (
        "# Title\ntext\n\n```python\nprint(1)\n1 + 1\n```\n\n```text\n1\n2\nValueError: no\n```"
    )


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("json", b'{"a": ["\xc3\xbc"]}', '```json\n{\n  "a": [\n    "ü"\n  ]\n}\n```'),
        ("json", b"{a: 1}", "```json\n{a: 1}\n```"),
        ("xml", b"<a><b>1</b><c/></a>", "```xml\n<a>\n  <b>1</b>\n  <c/>\n</a>\n```"),
        ("xml", b"<a><b>", "```xml\n<a><b>\n```"),
        ("csv", b"a,b\n1,2\n", "```csv\na,b\n1,2\n```"),
        ("md", b"# as *it* is", "# as *it* is"),
        ("txt", b"``` in", "````text\n``` in\n````"),
        ("log", "ü".encode("cp1252"), "```log\nü\n```"),
    ],
)
def test_text_of_other_kinds(converter: Converter, kind: str, data: bytes, expected: str) -> None:
    """Data is formatted in a fence of its language; damaged data is kept unchanged."""
    assert converter.to_markdown(data, kind).markdown == expected


def test_a_page(converter: Converter) -> None:
    """Headings, emphasis, lists, tables and code become Markdown."""
    page = (
        "<title>My\n page</title><h1>Hi</h1><p>a <b>b</b> <i>c</i> snake_case</p>"
        "<ul><li>one<ul><li>two</ul></ul><ol><li>x<li>y</ol>"
        "<table><tr><td>a|b<td>c<tr><td>d<td>e</table><pre>x\n```\ny</pre><code>z</code>"
    )
    found = converter.to_markdown(page.encode(), "html")
    assert found.title == "My page"
    assert found.markdown == (
        "# Hi\n\na **b** *c* snake_case\n\n- one\n  - two\n\n1. x\n2. y\n\n"
        "| a\\|b | c |\n| --- | --- |\n| d | e |\n\n````\nx\n```\ny\n````\n\n`z`"
    )


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("https://a.org/x y(z)", "https://a.org/x%20y%28z%29"),
        ("mailto:ann@a.org", "mailto:ann@a.org"),
        ("/rel?q=1", "https://e.org/rel?q=1"),
        ("b.html", "https://e.org/d/b.html"),
        ("//other.org/", "https://other.org/"),
        ("#top", ""),
        ("javascript:alert(1)", ""),
        (" java\tscript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("file:///etc/passwd", ""),
        ("http://[broken", ""),
        ("https://a.org/](javascript:1)", "https://a.org/%5D%28javascript:1%29"),
    ],
)
def test_only_web_and_mail_links_are_kept(converter: Converter, href: str, address: str) -> None:
    """Web and mail links keep their address; any other link becomes its text."""
    page = f'<p>see <a href="{href}" title="INJECTED">this</a> now'
    expected = f"see [this]({address}) now" if address else "see this now"
    assert markdown(converter, page, base_url="https://e.org/d/") == expected


def test_without_a_base_url_relative_links_become_text(converter: Converter) -> None:
    """Without a base URL, a relative link becomes its text."""
    assert markdown(converter, '<a href="/x">here</a>') == "here"


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        ("<p>grüße".encode(), ""),
        ("<p>grüße".encode("utf-8-sig"), ""),
        ("<p>grüße".encode("utf-16"), ""),
        ("<p>grüße".encode("cp1252"), ""),
        ("<p>grüße".encode("latin-1"), "ISO-8859-1"),
        (b'<meta charset="koi8-r"><p>' + "\u0433\u0440".encode("koi8-r"), ""),
        ("<p>grüße".encode(), "no-such-charset"),
        ("<p>grüße".encode(), "zlib"),
    ],
)
def test_encodings_of_pages(converter: Converter, data: bytes, charset: str) -> None:
    """The encoding is taken from the BOM, the server or the page.

    Otherwise, or if it is unknown, UTF-8 and Windows-1252 are tried.
    """
    found = converter.to_markdown(data, "html", charset=charset).markdown
    assert found in {"grüße", "\u0433\u0440"}


def test_long_markdown_is_cut_with_a_warning(converter: Converter) -> None:
    """Markdown longer than the limit is cut there, with a warning."""
    page = b"<p>" + b"word " * 1000
    found = converter.to_markdown(page, "html", limits=ConversionLimits(max_chars=100))
    assert len(found.markdown) == 100
    assert found.warnings == ("cut at 100 characters",)


@pytest.mark.parametrize(
    ("path", "kind"),
    [("a.PDF", "pdf"), ("b.htm", "html"), ("x/c.tar.gz", "gz"), ("LICENSE", "txt"), ("e.py", "py")],
)
def test_kinds_by_name(path: str, kind: str) -> None:
    """The extension of a file name, in any case, determines its kind."""
    assert kind_of_path(path) == kind


def test_a_pdf_without_an_extension_is_recognized() -> None:
    """A file without an extension is a PDF if its content starts like one."""
    assert kind_of_path("scan", b"%PDF-1.7") == "pdf"


@pytest.mark.parametrize(
    ("mime", "kind"),
    [
        ("text/html; charset=utf-8", "html"),
        ("Application/PDF", "pdf"),
        ("application/rss+xml", "xml"),
        ("application/problem+json", "json"),
        ("text/x-anything", "txt"),
        ("image/png", ""),
        ("", ""),
    ],
)
def test_kinds_by_content_type(mime: str, kind: str) -> None:
    """Parameters and case of a content type are ignored; images have no kind."""
    assert kind_of_mime(mime) == kind
