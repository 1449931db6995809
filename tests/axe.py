"""Accessibility checks of a page with axe-core."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

_PACKAGE: Final = "axe-core@4.14.1"
_FOLDER: Final = Path(__file__).resolve().parents[1] / "build" / "npm"
_SCRIPT: Final = _FOLDER / "node_modules" / "axe-core" / "axe.min.js"
_MOST_S: Final = 120
#: WCAG 2.2 on levels A and AA, and what is good practice beside it.
_TAGS: Final = [
    *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"),
]


def violations(page: Page, part: str) -> list[str]:
    """Return the violations in a part of a page, each with the elements concerned.

    Skips the test if axe-core is not installed and cannot be installed.

    Args:
        page: The page.
        part: CSS selector of the part.
    """
    page.add_script_tag(path=_installed())
    found = page.evaluate(
        "([part, tags]) => axe.run(part, { runOnly: tags }).then(({ violations }) => violations)",
        [part, _TAGS],
    )
    return [
        f"{rule['id']}: {rule['help']}: {json.dumps([node['html'] for node in rule['nodes']])}"
        for rule in found
    ]


def _installed() -> Path:
    """Return the path of the script; npm installs it if needed."""
    if _SCRIPT.exists():
        return _SCRIPT
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("axe-core is not here, and no npm to install it")
    done = subprocess.run(  # noqa: S603  our own command line
        [npm, "install", "--no-save", "--no-audit", "--no-fund", "--prefix", _FOLDER, _PACKAGE],
        capture_output=True,
        text=True,
        timeout=_MOST_S,
        check=False,
    )
    if not _SCRIPT.exists():
        pytest.skip(f"npm could not install axe-core: {done.stderr.strip()[-200:]}")
    return _SCRIPT
