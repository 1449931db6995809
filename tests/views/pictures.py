"""Checks that apply to every drawing."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from okso_jupyter.views.drawing import Drawing
from tests.views.hostile_texts import HIDDEN

SVG = "{http://www.w3.org/2000/svg}"
#: An attribute that asks for something, or runs something.
_ASKING = re.compile(r"href|src|on[a-z]+|id|class|data.*", re.IGNORECASE)
_COLOURED = re.compile(r"(?:fill|stroke):(?!none|var\(--jp-[a-z0-9-]+, #[0-9a-f]{6}\))")


def parsed(drawing: Drawing) -> Any:
    """Parse the picture as XML, check what every picture must and must not contain."""
    root = etree.fromstring(drawing.svg.encode(), etree.XMLParser(resolve_entities=False))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == root[0].text
    assert root[0].tag == f"{SVG}title"
    assert {node.tag for node in root.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "g", "title", "rect", "line", "path", "text")
    }
    for node in root.iter():
        assert not [name for name in node.attrib if _ASKING.fullmatch(name)]
        assert "url(" not in str(node.get("style"))
        assert not _COLOURED.search(str(node.get("style")))
        if node is not root:
            assert "http" not in "".join(value for name, value in node.attrib.items())
    assert not set(drawing.svg + drawing.html) & HIDDEN
    return root


def texts(root: Any) -> list[str]:
    """Return the lines of text of a picture."""
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def titles(root: Any) -> list[str]:
    """Return the titles of a picture, which a screen reader reads aloud."""
    return [node.text or "" for node in root.iter(f"{SVG}title")]
