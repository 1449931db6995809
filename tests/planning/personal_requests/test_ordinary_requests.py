"""Requests in plain words, three times fifty by people who had not seen the rules.

With the bundled model 46, 48 and 45 of them were right at the first try. `ordinary.json` has those
that are read by rules, with what is planned for them.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from okso_jupyter.planning.personal_requests.mail_asked import mail_asked
from okso_jupyter.planning.personal_requests.personal_asked import personal_asked
from okso_jupyter.planning.request.courtesy import direct
from tests.each_row import each_row
from tests.planning.personal_requests.test_everyday_requests import TITLES

#: A Monday.
NOW: Final = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
CASES: Final = json.loads(Path(__file__).with_name("ordinary.json").read_text("utf-8"))


@each_row("case", CASES)
def test_a_plain_request_is_read(case: dict[str, Any]) -> None:
    """Each is one call."""
    steps = personal_asked(case["request"], NOW, lambda kind: TITLES[kind]) or mail_asked(
        direct(case["request"]), []
    )
    assert [(step["tool"], dict(step["args"])) for step in steps] == [(case["tool"], case["args"])]


def test_all_tools_are_among_them() -> None:
    """The sixteen tools."""
    assert len({case["tool"] for case in CASES}) == 16
