"""The site of the docs is built without the network, and its pages load nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: What a browser would load on its own: not a link, which waits for a click.
LOADED = re.compile(
    r"""<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=["']?((?:https?:)?//[^"'> ]+)"""
)
#: Where a page lives, which is told to search engines and not loaded.
ASIDE = re.compile(r'<link rel="?canonical"?[^>]*>')

pytestmark = pytest.mark.process


def test_the_site_is_whole(tmp_path: Path) -> None:
    """Every page of docs/ is in it, no link leads nowhere, and nothing is fetched to show it."""
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        # a way out that leads nowhere: what would be fetched is an error
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "https_proxy": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = {page.relative_to(tmp_path / "site"): page for page in tmp_path.rglob("*.html")}
    expected = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in expected if page.with_suffix(".html") not in pages] == []
    assert Path("changelog.html") in pages
    loaded = {
        name: LOADED.findall(ASIDE.sub("", page.read_text("utf-8"))) for name, page in pages.items()
    }
    assert {name: found for name, found in loaded.items() if found} == {}
