"""What a request asks to replace or remove, determined from its text."""

from __future__ import annotations

import pytest

from benchmarks.plan_safety.cases import FILES, load
from okso_jupyter.effects.file_effects import Extent, FileEffect
from okso_jupyter.planning.request.permission import Permission

NAMES = [file.relative_to(FILES).as_posix() for file in FILES.rglob("*") if file.is_file()]
HELD = Extent(size_bytes=12, lines=3)


def test_harmless_requests_do_not_permit_a_loss() -> None:
    """None of 120 requests that read, describe, join, fill or clean permits losing a file."""
    keeping = [case.request for case in load() if not case.path]
    assert len(keeping) == 120
    lost = [FileEffect(kind=kind, path=name, before=HELD, after=HELD)
            for kind in ("replace", "remove") for name in NAMES]  # fmt: skip
    assert [(request, str(one)) for request in keeping for one in lost
            if Permission(request).allows(one)] == []  # fmt: skip


@pytest.mark.parametrize(
    "request_text",
    [
        "Ersetze den ganzen Inhalt von a.txt durch 'leer'",
        "Ersetze den gesamten Text der Datei a.txt durch 'leer'",
        "Replace everything in a.txt with 'x'",
        "Copy b.csv over a.txt",
    ],
)
def test_a_request_for_new_content_permits_replacing_that_file(request_text: str) -> None:
    """The permission covers that file only."""
    assert Permission(request_text).replaces("a.txt")
    assert not Permission(request_text).replaces("b.csv")
