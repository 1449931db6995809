"""What a request asks to be replaced or removed, read off its words."""

from __future__ import annotations

import pytest

from benchmarks.plan_safety.cases import FILES, load
from okso_jupyter.effects.file_effects import Extent, FileEffect
from okso_jupyter.planning.request.permission import Permission

NAMES = [file.relative_to(FILES).as_posix() for file in FILES.rglob("*") if file.is_file()]
HELD = Extent(size_bytes=12, lines=3)


def test_no_request_that_leaves_every_file_alone_is_read_as_asking_for_a_loss() -> None:
    """120 requests that read, describe, join, fill or clean: none lets a file go."""
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
def test_what_asks_for_another_content_is_heard(request_text: str) -> None:
    """Of that file alone."""
    assert Permission(request_text).replaces("a.txt")
    assert not Permission(request_text).replaces("b.csv")
