"""Accessibility checks of a page with axe-core."""

from __future__ import annotations

import json
from typing import Final

from playwright.sync_api import Page

from tests import npm

_PACKAGE: Final = "axe-core@4.14.1"
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
    if not page.evaluate("'axe' in window"):  # from an earlier look at the same page
        page.add_script_tag(path=npm.installed(_PACKAGE, "axe-core/axe.min.js"))
    found = page.evaluate(
        "([part, tags]) => axe.run(part, { runOnly: tags }).then(({ violations }) => violations)",
        [part, _TAGS],
    )
    return [
        f"{rule['id']}: {rule['help']}: {json.dumps([node['html'] for node in rule['nodes']])}"
        for rule in found
    ]
