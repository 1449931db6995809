"""Markdown both ways: what is text stays text, and what a model wrote holds nothing but text."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from markdown_it import MarkdownIt

from okso_jupyter.legible import visible
from okso_jupyter.views.markdown_text import in_markdown, rendered
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


@pytest.mark.parametrize("text", STRINGS)
def test_hostile_answers_are_text(text: str) -> None:
    """No link, picture, script, or attribute comes out of Markdown, in whatever it is put."""
    for shape in ("{}", "> {}", "- {}", "# {}", "| a |\n|---|\n| {} |", "```{}\nx\n```", "**{}**"):
        _check_harmless(rendered(shape.format(text)))


@given(TEXTS)
def test_made_up_answers_are_text(text: str) -> None:
    """The same holds for whatever can be made up."""
    _check_harmless(rendered(text))


def test_links_and_html_are_seen_as_they_were_written() -> None:
    """What is not rendered is not dropped either: its characters are shown."""
    text = "[x](http://a.b) ![y](http://c.d) <b>bold</b> &amp; <http://e.f> [g]: http://h"
    assert BeautifulSoup(rendered(text), "html.parser").get_text().strip() == text


def test_what_people_write_is_rendered() -> None:
    """Headings, emphasis, code, lists and tables become HTML; lines stay lines."""
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
def test_a_cell_of_a_markdown_table_is_its_text(text: str) -> None:
    """A reader of Markdown who renders everything finds the text again, in one cell, no formula.

    MathJax looks at every piece of text by itself, and at none that is code.
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


def test_markdown_of_a_cell_is_readable() -> None:
    """Names with underscores stay as they are; what MathJax would take is written otherwise."""
    assert in_markdown("rule_length: 3\n(points)") == "rule_length: 3 (points)"
    assert in_markdown("$x$ \\(y\\) C:\\Users") == "`$`x`$` `\\`(y&#92;) C:&#92;Users"
    assert in_markdown("\\$\\\\[ \\begin{x}") == "&#92;`$\\\\`&#91; `\\`begin{x}"
    assert "http://" not in in_markdown("http://a.b")
