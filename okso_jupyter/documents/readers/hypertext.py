"""HTML: the visible content of a page, as Markdown."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator
from typing import Final
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement, PreformattedString
from markdownify import MarkdownConverter
from soupsieve import SelectorSyntaxError

from . import Asked, Read
from .markdown import escape, fence

#: Only so much of a page is read; a MiB takes some seconds.
_MAX_BYTES: Final = 3 << 20
#: Of more deeply nested elements only the text is kept.
_MAX_DEPTH: Final = 120
_MAX_HIDING_RULES: Final = 200
_MAX_ADDRESS_CHARS: Final = 2_000

_SNIFFED_BYTES: Final = 2048
_DECLARED: Final = re.compile(
    rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE
)
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

#: Elements without visible content, or without content of the page itself.
_UNSEEN: Final = (
    *("script", "style", "noscript", "template", "head", "iframe", "frame", "frameset", "noframes"),
    *("object", "embed", "applet", "svg", "canvas", "audio", "video", "picture", "img", "map"),
    *("input", "select", "textarea", "datalist", "link", "meta", "base", "param", "source"),
)
_HIDING_STYLE: Final = re.compile(
    r"(?:^|;)\s*(?:"
    r"display\s*:\s*none"
    r"|visibility\s*:\s*(?:hidden|collapse)"
    r"|opacity\s*:\s*0*\.?0*%?\s*(?:!|;|$)"
    r"|font-size\s*:\s*0*(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:!|;|$)"
    r"|(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}"
    r"|(?:max-)?(?:width|height)\s*:\s*[01]?(?:px)?\s*(?:!|;|$)"
    r"|color\s*:\s*transparent"
    r"|clip\s*:\s*rect\(\s*[01]?(?:px)?[\s,]"
    r"|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)"
    r"|transform\s*:\s*scale\(\s*0\s*\)"
    r")",
    re.IGNORECASE,
)
_HIDING_RULE: Final = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE
)
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
#: Pages hide these until a script has run; their content is meant to be read.
_NEVER_HIDDEN: Final = frozenset({"html", "body", "main", "[document]"})


def read_html(asked: Asked) -> Read:
    """Read a page."""
    warnings = []
    data = asked.data
    if len(data) > _MAX_BYTES:
        warnings.append(f"only the first {_MAX_BYTES >> 20} MiB of the page were read")
        # after a tag, so that no character is split
        data = data[: data.rfind(b">", 0, _MAX_BYTES) + 1]
    soup = BeautifulSoup(_decoded(data, asked.charset), "lxml")
    title = soup.title.get_text() if soup.title else ""
    base = soup.find("base", href=True)
    base_url = urljoin(asked.base_url, _attribute(base, "href")) if asked.base_url else ""
    markdown = _Writer(base_url, _hidden(soup)).convert_soup(soup)
    return Read(markdown=markdown, title=title, warnings=warnings)


def markdown_of(html: str) -> str:
    """Convert HTML that another reader produced to Markdown."""
    return read_html(
        Asked(data=html.encode("utf-8"), max_chars=sys.maxsize, charset="utf-8")
    ).markdown


def _decoded(data: bytes, charset: str) -> str:
    """Return a page as text: by its BOM, the given charset, its own declaration, or UTF-8."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    declared = _DECLARED.search(data[:_SNIFFED_BYTES])
    for name in (charset, declared[1].decode("ascii") if declared else ""):
        encoding = _known(name)
        if encoding:
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _known(name: str) -> str:
    """Return the encoding that browsers use for a name; "" if unknown or not a text encoding."""
    try:
        found = codecs.lookup(name.strip().strip("'\"")) if name else None
    except (LookupError, ValueError):
        return ""
    if found is None or not getattr(found, "_is_text_encoding", True):
        return ""
    # the standard's choice: Latin-1 and ASCII mean Windows-1252
    return {"iso8859-1": "cp1252", "ascii": "cp1252"}.get(found.name, found.name)


# --- hidden elements ---------------------------------------------------------------------------


def _hidden(soup: BeautifulSoup) -> set[int]:
    """Return the identities of all hidden elements, and of all elements inside them."""
    hidden = _hidden_by_rules(soup)
    for tag in soup.find_all():
        if id(tag.parent) in hidden or tag.name in _UNSEEN or _is_hidden(tag):
            hidden.add(id(tag))
    return hidden


def _is_hidden(tag: Tag) -> bool:
    """Return whether an element hides itself."""
    if tag.name in _NEVER_HIDDEN:
        return False
    if tag.has_attr("hidden") or _attribute(tag, "aria-hidden").lower() == "true":
        return True
    if tag.name == "dialog" and not tag.has_attr("open"):
        return True
    style = _attribute(tag, "style")
    return bool(style and _HIDING_STYLE.search(_COMMENT.sub("", style)))


def _hidden_by_rules(soup: BeautifulSoup) -> set[int]:
    """Return the identities of the elements that the page's style sheets hide."""
    hidden: set[int] = set()
    sheets = "".join(style.get_text() for style in soup.find_all("style"))
    for count, selector in enumerate(_hiding_selectors(sheets)):
        if count >= _MAX_HIDING_RULES:
            break
        try:
            found = soup.select(selector)
        except (SelectorSyntaxError, NotImplementedError, ValueError):
            # such as :hover and ::before, which hide nothing permanently
            continue
        hidden.update(id(tag) for tag in found if tag.name not in _NEVER_HIDDEN)
    return hidden


def _hiding_selectors(sheet: str) -> Iterator[str]:
    """Yield the selectors of the rules that hide something on any screen."""
    depth, start, selector = 0, 0, ""
    for mark in re.finditer("[{}]", sheet := _COMMENT.sub("", sheet)):
        if mark[0] == "{":
            if depth == 0:
                selector = sheet[start : mark.start()].rpartition(";")[2].strip()
                start = mark.end()
            depth += 1
            continue
        depth = max(0, depth - 1)
        if depth == 0:
            if not selector.startswith("@") and _HIDING_RULE.search(sheet[start : mark.start()]):
                yield selector
            start = mark.end()


# --- writing -----------------------------------------------------------------------------------


def _attribute(tag: object, name: str) -> str:
    """Return an attribute as text, or ""."""
    value = tag.get(name) if isinstance(tag, Tag) else None
    return " ".join(value) if isinstance(value, list) else (value or "")


class _Writer(MarkdownConverter):
    """Writes Markdown without HTML and images, and with visible link addresses.

    Args:
        base_url: Base address for relative links; "" drops them.
        hidden: Identities of the elements to leave out.
    """

    def __init__(self, base_url: str, hidden: set[int]) -> None:
        super().__init__(
            heading_style="ATX",
            bullets="-",
            autolinks=False,
            escape_asterisks=False,
            escape_underscores=False,
            table_infer_header=True,
        )
        self._base_url = base_url
        self._hidden = hidden
        self._depth = 0

    def process_element(self, node: PageElement, parent_tags: set[str]) -> str:
        """Return a text or an element as Markdown; an empty string if it is hidden."""
        if isinstance(node, PreformattedString) or id(node) in self._hidden:
            return ""
        if isinstance(node, Tag) and self._depth >= _MAX_DEPTH:
            return self._flat(node)
        self._depth += 1
        text: str = super().process_element(node, parent_tags)  # type: ignore[misc]  # its stub lacks it
        self._depth -= 1
        return text

    def _flat(self, top: Tag) -> str:
        """Return the texts within an element, whatever its structure."""
        texts = (
            " ".join(node.split())
            for node in top.descendants
            if isinstance(node, NavigableString)
            and not isinstance(node, PreformattedString)
            and id(node.parent) not in self._hidden
        )
        return escape(" ".join(text for text in texts if text))

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """Return a text of the page, escaped for Markdown."""
        text = escape(text)
        return text.replace("|", "\\|") if parent_tags & {"td", "th"} else text

    def convert_a(self, element: Tag, text: str, parent_tags: set[str]) -> str:
        """Return a link if its address is http, https or mailto; otherwise only the text."""
        address = self._address(_attribute(element, "href"))
        label = text.strip()
        if not address or not label or "_noformat" in parent_tags:
            return text
        before = " " if text[:1].isspace() else ""
        after = " " if text[-1:].isspace() else ""
        return f"{before}[{' '.join(label.split())}]({address}){after}"

    def _address(self, href: str) -> str:
        """Return the address of a link, safe inside parentheses; "" if there is none."""
        href = "".join(char for char in href.strip() if char.isprintable())
        try:
            address = urljoin(self._base_url, href) if self._base_url else href
            parts = urlsplit(address)
        except ValueError:
            return ""
        leads = (parts.scheme in {"http", "https"} and parts.netloc) or parts.scheme == "mailto"
        if not leads or href.startswith("#") or len(address) > _MAX_ADDRESS_CHARS:
            return ""
        for char, code in (
            (" ", "%20"),
            ("(", "%28"),
            (")", "%29"),
            ("<", "%3C"),
            (">", "%3E"),
            ("\\", "%5C"),
            ('"', "%22"),
            ("`", "%60"),
            ("|", "%7C"),
            ("[", "%5B"),
            ("]", "%5D"),
        ):
            address = address.replace(char, code)
        return address

    def convert_pre(self, element: Tag, text: str, parent_tags: set[str]) -> str:
        """Return preformatted text in a code fence longer than any fence in the text."""
        del element
        if "_inline" in parent_tags:
            return f" {' '.join(text.split())} "
        return f"\n\n{fence(text.strip(chr(10)))}\n\n" if text.strip() else ""
