"""What is known of a file's beginning serves the next question about the same text."""

from __future__ import annotations

from pathlib import Path

from okso_jupyter.planning.table_questions.known_samples import KnownSamples
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace


def test_the_next_question_knows_the_columns(tmp_path: Path) -> None:
    """Another request's sources have the same sample, until the file is another one."""
    file = tmp_path / "sales.csv"
    file.write_text("region,price\nnorth,3\nsouth,4\n")
    workspace = Workspace(tmp_path)
    first = TableSources(workspace).sample("sales.csv")
    assert first is not None
    assert TableSources(workspace).sample("sales.csv") is first

    file.write_text("region,price\nnorth,3\nsouth,x\n")
    second = TableSources(workspace).sample("sales.csv")
    assert second is not None
    assert second["price"].cells == ["3", "x"]
    workspace.close()


def test_the_oldest_are_forgotten() -> None:
    """What is kept has a bound in bytes; a text that is no table takes its place, too."""
    read: list[str] = []

    def table_of(file: str, data: bytes, has_more: bool) -> TableSample | None:  # noqa: FBT001  as it is called
        read.append(f"{file} {has_more}")
        return TableSample(file, ["a"], [[data.decode()]]) if data else None

    known = KnownSamples(table_of, most_bytes=10)
    for file, text in (("a", "1234"), ("b", "1234"), ("a", "1234"), ("c", "1234"), ("c", "")):
        known.of(file, text.encode(), has_more=False)
    assert read == ["a False", "b False", "c False", "c False"]
    for file, text in (("c", ""), ("a", "1234"), ("b", "1234")):
        known.of(file, text.encode(), has_more=False)
    known.of("b", b"1234", has_more=True)  # a longer file
    assert read[4:] == ["b False", "b True"]
