"""Arguments outside schema, root or limits: each is refused before anything happens.

`CASES` is the table: a tool, its good arguments, and one that is bad. What follows from a schema
(wrong types, numbers out of range, names that it lacks) is made for every tool that there is; a
new tool adds its good arguments to `GOOD`, and to `PATHS` the arguments that name a path.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter import tools as built_in
from okso_jupyter.errors import PlanError, ToolError
from okso_jupyter.legible import visible
from okso_jupyter.plan.plan import Plan
from okso_jupyter.toolkit.catalog import from_package
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.ratings import RatingLog
from okso_jupyter.toolkit.step_expansion import expanded
from okso_jupyter.web import FetchLimits, WebClient
from okso_jupyter.web.search import SearchOptions
from okso_jupyter.workflow.library import Folder, WorkflowLibrary, shipped
from tests import made_documents as made
from tests.web_lab import Host, LabNetwork, answer, says

_BUILT_IN: Final = {tool.name: tool for tool in from_package(built_in)}
_WORKFLOWS: Final = WorkflowLibrary.load([Folder(shipped())], _BUILT_IN).tools
TOOLS: Final = {**_BUILT_IN, **{tool.name: tool for tool in _WORKFLOWS}}
GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "file_edit": {"path": "notes.md", "old_text": "Plan", "new_text": "Idea"},
    "file_read": {"path": "notes.md"},
    "file_search": {"query": "budget"},
    "calculator": {"expression": "1 + 1"},
    "file_write": {"path": "new.txt", "content": "x"},
    "final_answer": {},
    "python_repl": {"input": "1"},
    "table_query": {"source": "sales.csv"},
    "terminal": {"command": "touch", "args": ["new.txt"]},
    "feedback": {"plan_item": "step 1", "rating": 4},
    "web_fetch": {"url": "http://example.org/"},
    "web_search": {"query": "budget"},
    "workflow_clean_text_file": {"file": "notes.md"},
    "workflow_research_note": {"question": "budget", "note": "new.md"},
    "workflow_status_from_files": {"project": "Apollo", "folder": "docs", "note": "new.md"},
    "workflow_summarise_csv_folder": {"folder": ".", "note": "new.md"},
}
#: Arguments that name a file, and whether it has to be one that is there.
PATHS: Final = (
    ("file_read", "path"), ("file_read", "input"), ("file_edit", "path"), ("file_edit", "input"),
    ("file_write", "path"), ("file_write", "input"), ("workflow_research_note", "note"),
    ("table_query", "source"),
)  # fmt: skip
#: Two arguments that stand for each other.
_EITHER: Final = {"input": ("path", "query")}
_LONG: Final = "x" * 100_000
_HIDDEN: Final = "a\u202eb\u200bc\x1b[31m\x85\u2066d\U000e0041\ufeff"

WRONG_TYPES: Final[Mapping[str, tuple[Any, ...]]] = {
    "string": (None, 7, 1.5, True, [], {}, ["a"], {"__fill__": True}, float("nan")),
    "integer": (None, "1", _LONG, 1.5, True, [], {}, float("nan"), float("inf"), -float("inf")),
    "boolean": (None, "true", _HIDDEN, 0, 1, [], {}),
    "array": (None, _LONG, 7, {}, [1], [None], [["a"]], [{"a": 1}], ["a", 2]),
}
OUTSIDE: Final = (
    "../secret.txt", "docs/../../secret.txt", "/etc/passwd", "//etc/passwd", "/", "..", "../ws2/x",
    "out", "up/secret.txt", "up/ws/../secret.txt", "~root/.bashrc", "/proc/self/environ",
    "../ws-evil/x", "a\0b", "notes.md\0.txt", "\ud800", "docs", ".", "fifo", f"n{'n' * 300}",
    f"d/{_LONG}", f"nope/{_HIDDEN}", "notes.md/x", "docs/./../../secret.txt",
)  # fmt: skip
LINES: Final = (
    ["cat", "../secret.txt"], ["cat", "out"], ["cat", _HIDDEN], ["cat", _LONG], ["cat", "a\0b"],
    ["cat", "\ud800"], ["head", "-n", "x", "notes.md"], ["head", "-n", "-1", "notes.md"],
    ["head", "-n", "1.5", "notes.md"], ["head", "-n"], ["head", "-c", "", "notes.md"],
    ["tail", "-f", "notes.md"], ["tail", "-n", "9" * 400, "../secret.txt"], ["ls", "--all"],
    ["ls", _HIDDEN], ["ls", "-Z"], ["ls", "notes.md", "-l"], ["cd"], ["cd", "up"], ["cd", "/"],
    ["cd", "notes.md"], ["cd", "a", "b"], ["find", ".", "-delete"], ["find", ".", "-exec", "x"],
    ["find", "/"], ["find", ".", "-name"], ["find", ".", "-maxdepth", "x"], ["find", "(", "."],
    ["find", ".", "-size", "?"], ["grep"], ["grep", "x"], ["grep", "-E", "(", "notes.md"],
    ["grep", "-m", "x", "a", "notes.md"], ["grep", "-P", "x", "notes.md"], ["grep", "x", "out"],
    ["grep", "-r", "x", "up"], ["grep", "-f", "notes.md", "x"], ["wc", "--files0-from=notes.md"],
    ["wc", "out"], ["du", ".."], ["du", "-d", "x"], ["stat", "-f", "x"], ["stat", "../secret.txt"],
    ["date", "-s", "now"], ["date", "+%Q"], ["date", "notes.md"], ["date", "+" + "x" * 200],
    ["base64"], ["base64", "decode", "***"], ["base64", "x", "y"], ["base64", "-d", "é"],
    ["mkdir"], ["mkdir", "../x"], ["mkdir", "up/x"], ["mkdir", "notes.md/x"], ["mkdir", _HIDDEN],
    ["mkdir", " "], ["mkdir", "-m", "777", "x"], ["rmdir", "docs"], ["rmdir", "notes.md"],
    ["rmdir", "."], ["rmdir", ".."], ["touch", "../x"], ["touch", "up/x"], ["touch", "a\nb"],
    ["touch", "-r", "notes.md", "x"], ["touch", "x/y"], ["mv", "notes.md"], ["mv", "nope", "x"],
    ["mv", "notes.md", "../x"], ["mv", "../secret.txt", "x"], ["mv", "notes.md", "up"],
    ["mv", "-f", "notes.md", "x"], ["mv", "docs", "docs/in"], ["mv", "notes.md", _HIDDEN],
    ["cp", "out", "x"], ["cp", "../secret.txt", "x"], ["cp", "docs", "x"], ["cp", "notes.md", "up"],
    ["cp", "-s", "notes.md", "x"], ["cp", "--targ=docs", "notes.md"], ["cp", "fifo", "x"],
    ["cp", "notes.md", "notes.md"], ["cp", "-r", "docs", "docs/in"], ["cp", "-r", "up", "x"],
    ["cp", "notes.md", "hooks/pre-commit"], ["touch", "hooks/pre-commit"], ["rm"],
    ["rm", "hooks/old"], ["rm", "-rf", "docs"], ["rm", "docs"], ["rm", "."], ["rm", "-r", "."],
    ["rm", "-r", ".."], ["rm", "../secret.txt"], ["rm", "nope"], ["rm", "--", "-x"],
    ["rm", "notes.md", "-r"], ["bash", "-c", "id"], ["/bin/ls"], ["LS"], [_LONG], [_HIDDEN],
    ["ls; rm notes.md"], ["cat notes.md > x"], ["ls | wc"], ["ls && ls"], ["cat 'open"],
    ["echo", "x", ">", "notes.md"], ["echo x > notes.md"], ["status", "x"], ["pwd", "x"],
    ["open", "../secret.txt"], ["ls", *["a"] * 300],
)  # fmt: skip

URLS: Final = (
    "example.org", "//example.org/", "ftp://example.org/", "file:///etc/passwd", "javascript:1",
    "data:text/plain,x", "http://", "http:///x", "https://", "http:example.org",
    "http://localhost/", "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0/",
    "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/",
    "http://[fe80::1%25eth0]/", "http://[64:ff9b::7f00:1]/", "http://10.0.0.1/", "http://172.16.0.1/",
    "http://192.168.1.1/", "http://169.254.169.254/latest/", "http://100.64.0.1/", "http://224.0.0.1/",
    "http://metadata.google.internal/", "http://router.lan/", "http://intranet/", "http://a.local/",
    "http://user:secret@example.org/", "http://example.org@127.0.0.1/", "http://example.org:22/",
    "http://example.org:99999/", "http://example.org:x/", "http://example.org\\@127.0.0.1/",
    "http://example.org/a b", "http://example.org/\r\nHost: x", "http://ex\u200bample.org/",
    "http://ex\u0430mple.org/", "http://\uff11\uff12\uff17.0.0.1/", "http://example..org/", " ",
    "http://example.org./", "http://-a.org/", "http://[1:2]/", "http://1.2.3/", "http://256.1.1.1/",
    f"http://example.org/{_LONG}", _HIDDEN, "\ud800",
)  # fmt: skip
#: Documents that cannot be read, by the name that each is given.
UNREADABLE: Final[Mapping[str, bytes]] = {
    "locked.pdf": made.pdf(["secret"], password="x"),  # noqa: S106  of a test
    "cut.pdf": made.pdf(["text"])[:300],
    "cut.docx": made.word()[:-500],
    "cut.xlsx": made.workbook()[:2000],
    "cut.pptx": made.slides()[:5000],
    "word.xlsx": made.word(),
    "book.docx": made.workbook(),
    "text.pdf": b"no pdf at all",
    "text.docx": b"no docx at all",
    "empty.pdf": b"",
    "empty.xlsx": b"",
    "locked.xlsx": bytes.fromhex("d0cf11e0a1b11ae1") + bytes(4096),
    "bomb.docx": made.repacked(made.word(), "word/document.xml", b" " * 50_000_000),
    "broken.ipynb": b"[" * 100_000,
    "program.bin": bytes(range(256)) * 20,
}


def _made_from_schemas() -> Iterator[tuple[str, str, Any]]:
    for name, tool in sorted(TOOLS.items()):
        yield name, "no_such_argument", 1
        for argument, schema in tool.properties.items():
            for value in WRONG_TYPES.get(schema.get("type"), ()):
                yield name, argument, value
            if "minimum" in schema:
                yield name, argument, schema["minimum"] - 1
                yield name, argument, -(10**30)
            if "maximum" in schema:
                yield name, argument, schema["maximum"] + 1
                yield name, argument, 10**30
            if schema.get("minLength"):
                yield name, argument, ""
            if "maxLength" in schema:
                yield name, argument, "y" * (schema["maxLength"] + 1)
            if "enum" in schema:
                yield from ((name, argument, value) for value in ("", "APPEND", _HIDDEN, _LONG))


def _cases() -> Iterator[tuple[str, str, Any]]:
    yield from _made_from_schemas()
    for name, argument in PATHS:
        yield from ((name, argument, path) for path in OUTSIDE)
    for path in OUTSIDE:
        if path not in {".", "docs"}:
            yield "file_search", "paths", [path]
    for path in (_HIDDEN, "a\nb", " ", "tag\U000e0061", "turn\u2067", "hooks/pre-commit", "nope/x"):
        yield "file_write", "path", path
    for text in ("half \ud83d", "\udfff"):
        yield "file_write", "content", text
        yield "file_edit", "new_text", text
    for text in ("Idea", _HIDDEN, _LONG, "plan", "Plan\r\n"):
        yield "file_edit", "old_text", text
    yield "file_edit", "new_text", "Plan"
    yield "file_edit", "occurrence", 2
    yield "file_read", "page", 2
    yield from (("web_fetch", "url", url) for url in URLS)
    yield from (("file_read", "path", name) for name in UNREADABLE)
    yield from (("web_search", "query", query) for query in (" ", "\t\n", "\u2003"))
    for words in LINES:
        yield "terminal", "", words


CASES: Final = list(_cases())


def _by_argument() -> dict[tuple[str, str], list[Any]]:
    """Return the bad values of each argument, but for documents, which another process reads."""
    found: dict[tuple[str, str], list[Any]] = {}
    for tool, argument, value in CASES:
        if value not in tuple(UNREADABLE):
            found.setdefault((tool, argument), []).append(value)
    return found


BY_ARGUMENT: Final = _by_argument()


def _arguments(tool: str, argument: str, value: Any) -> dict[str, Any]:
    if not argument:
        return {"command": value[0], "args": value[1:]}
    others = {
        name: good for name, good in GOOD[tool].items() if name not in _EITHER.get(argument, ())
    }
    return {**others, argument: value}


def _why_not(context: ToolContext, name: str, args: Mapping[str, Any]) -> str:
    """Return why a call is refused; of a workflow, why the first of its steps that is."""
    try:
        TOOLS[name].check(args)
        for step in expanded(Plan.from_dict([{"tool": name, "args": args}]), TOOLS).steps:
            # a value that cannot be in a plan reaches the tool as it is
            given = (
                args if step.tool == name else {**step.args, **dict.fromkeys(step.open_args, "x")}
            )
            output = TOOLS[step.tool].call(context, given)
            if output.exit_code:
                return output.error
    except (ToolError, PlanError) as error:
        return str(error)
    return ""


def _bytes_below(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return mode and content of everything below a folder; of a link where it points."""
    found = {}
    for path in sorted(folder.rglob("*")):
        content = b""
        if path.is_symlink():
            content = os.fsencode(path.readlink())
        elif path.is_file():
            content = path.read_bytes()
        found[str(path.relative_to(folder))] = (path.lstat().st_mode, content)
    return found


@pytest.fixture
def trap(root: Path) -> Path:
    """A root with links that lead out, a FIFO, and a link to what git runs."""
    (root / "out").symlink_to("../secret.txt")
    (root / "up").symlink_to("..")
    (root.parent / "ws-evil").mkdir()
    (root.parent / "ws-evil" / "x").write_text("outside\n")
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / ".git" / "hooks" / "old").write_text("#!/bin/sh\n")
    (root / "hooks").symlink_to(".git/hooks")
    os.mkfifo(root / "fifo")
    return root.parent


@pytest.fixture
def server() -> Iterator[Host]:
    """All of the internet, and a search engine."""
    results = b'{"results": [{"title": "T", "url": "http://example.org/", "content": ""}]}'
    host = Host(says(answer(results, Content_Type="application/json")))
    yield host
    host.close()


@pytest.fixture
def online(context: ToolContext, server: Host, tmp_path: Path) -> ToolContext:
    """What a call is lent, with a way out that ends at the server, and ratings that are kept."""
    context.run.web = WebClient(limits=FetchLimits(retries=0), network=LabNetwork(server))
    context.run.search = SearchOptions(searxng_url=f"http://127.0.0.1:{server.port}")
    context.run.ratings = RatingLog(path=tmp_path / "ratings" / "feedback.jsonl")
    return context


def test_the_table_is_long_and_knows_every_tool() -> None:
    """Every built-in tool has good arguments and bad ones."""
    assert set(GOOD) == set(TOOLS) == {tool for tool, _, _ in CASES}
    assert len(CASES) > 400


@pytest.mark.parametrize(("tool", "argument"), list(BY_ARGUMENT))
def test_a_bad_argument_is_refused_before_anything_happens(
    online: ToolContext, trap: Path, tool: str, argument: str
) -> None:
    """Each bad value of it is."""
    _assert_refused(online, trap, tool, argument, *BY_ARGUMENT[tool, argument])


@pytest.mark.process
@pytest.mark.parametrize("file", list(UNREADABLE))
def test_a_document_that_cannot_be_read_is_refused(
    online: ToolContext, trap: Path, file: str
) -> None:
    """A broken or locked document is as bad an argument as a path that leads out."""
    (trap / "ws" / file).write_bytes(UNREADABLE[file])
    _assert_refused(online, trap, "file_read", "path", file)


def _assert_refused(
    online: ToolContext, trap: Path, tool: str, argument: str, *values: Any
) -> None:
    """One sentence says why, nothing in it is hidden or endless, and no byte has changed."""
    before = _bytes_below(trap)
    for value in values:
        message = _why_not(online, tool, _arguments(tool, argument, value))
        assert message
        assert message == visible(message).replace("\n", " ")
        assert len(message) < 2000
        assert "outside" not in message.replace("leads outside", "").replace("lies outside", "")
    assert _bytes_below(trap) == before
    network = online.run.web.network
    assert isinstance(network, LabNetwork)
    assert not network.host.requests or (tool, argument) == ("workflow_research_note", "note")
    assert not (online.run.scratch.parent / "ratings").exists()


@pytest.mark.process
def test_the_good_arguments_are_good(online: ToolContext, trap: Path) -> None:
    """What the bad arguments are put into works as it is, so that each case shows its own fault."""
    assert trap.exists()
    for name, args in GOOD.items():
        assert _why_not(online, name, args) == ""


@pytest.mark.parametrize(("tool", "argument"), [("file_read", "page"), ("file_read", "page_size")])
def test_a_whole_number_may_be_written_with_a_point(
    context: ToolContext, tool: str, argument: str
) -> None:
    """JSON knows one kind of number, and 1.0 is a whole one."""
    args = {**GOOD[tool], argument: 1.0}
    TOOLS[tool].check(args)
    assert TOOLS[tool].call(context, args).exit_code == 0
