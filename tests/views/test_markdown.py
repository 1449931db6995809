"""Markdown both ways: text is escaped, and a model's Markdown is rendered safely."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup
from hypothesis import given
from markdown_it import MarkdownIt

from okso_jupyter.legible import visible
from okso_jupyter.views.markdown_text import in_markdown, rendered
from tests.each_row import each_row
from tests.hostile import STRINGS
from tests.views.hostile_texts import HIDDEN, TEXTS

TAGS = set("p b br em strong code pre ul ol li blockquote hr table thead tbody tr th td".split())
ATTRIBUTES = {"role", "aria-level", "style", "start"}
FORMULA = re.compile(r"\$|\\\(|\\\[|\\begin\s*\{|\\(eq)?ref\s*\{")
ALIGNED = re.compile(r"text-align:(left|right|center)")


def _check_harmless(html: str) -> None:
    soup = BeautifulSoup(html, "html.parser")
    for tag in soup.find_all():
        assert tag.name in TAGS
        assert set(tag.attrs) <= ATTRIBUTES
        assert ALIGNED.fullmatch(str(tag.get("style", "text-align:left")))
    assert not set(soup.get_text()) & HIDDEN


@each_row("text", STRINGS)
def test_hostile_markdown_renders_safely(text: str) -> None:
    """Rendered Markdown has no link, picture, script or unknown attribute in any context."""
    for shape in ("{}", "> {}", "- {}", "# {}", "| a |\n|---|\n| {} |", "```{}\nx\n```", "**{}**"):
        _check_harmless(rendered(shape.format(text)))


@given(TEXTS)
def test_generated_markdown_renders_safely(text: str) -> None:
    """Rendered Markdown of any generated text is safe."""
    _check_harmless(rendered(text))


def test_links_and_html_are_shown_literally() -> None:
    """Links, images and HTML are not rendered; their characters are shown."""
    text = "[x](http://a.b) ![y](http://c.d) <b>bold</b> &amp; <http://e.f> [g]: http://h"
    assert BeautifulSoup(rendered(text), "html.parser").get_text().strip() == text


def test_common_markdown_is_rendered() -> None:
    """Headings, emphasis, code, lists, tables and line breaks become HTML."""
    html = rendered("# Head\n\nA *b* **c** `d`\nnext\n\n1. one\n   - two\n\n| x |\n|--:|\n| 1 |\n")
    for part in (
        '<p role="heading" aria-level="3"><b>Head</b></p>',
        "<em>b</em> <strong>c</strong> <code>d</code><br>",
        "<ol>\n<li>one\n<ul>\n<li>two</li>",
        '<td style="text-align:right">1</td>',
    ):
        assert part in html
    assert rendered("```js onload=x\na < b\n```") == "<pre><code>a &lt; b\n</code></pre>\n"


@given(TEXTS)
def test_a_markdown_table_cell_shows_its_exact_text(text: str) -> None:
    """A full Markdown renderer shows the text in one cell, without any formula.

    MathJax reads each text node separately and skips code.
    """
    everything = MarkdownIt("commonmark", {"html": True}).enable("table")
    html = everything.render(f"| a |\n|---|\n| x{in_markdown(text)}x |\n")
    soup = BeautifulSoup(html, "html.parser")
    cells = soup.find_all("td")
    assert {tag.name for tag in soup.find_all()} <= {*"table thead tbody tr th td code".split()}
    assert [cell.get_text() for cell in cells] == [f"x{' '.join(visible(text).split())}x"]
    for code in soup.find_all("code"):
        code.decompose()
    assert not any(FORMULA.search(piece) for piece in cells[0].strings)


def test_an_escaped_markdown_cell_is_readable() -> None:
    """Underscores in names are not escaped; characters that MathJax reads are."""
    assert in_markdown("rule_length: 3\n(points)") == "rule_length: 3 (points)"
    assert in_markdown("$x$ \\(y\\) C:\\Users") == "`$`x`$` `\\`(y&#92;) C:&#92;Users"
    assert in_markdown("\\$\\\\[ \\begin{x}") == "&#92;`$\\\\`&#91; `\\`begin{x}"
    assert "http://" not in in_markdown("http://a.b")
