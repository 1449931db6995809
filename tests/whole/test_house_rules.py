"""Project rules that linters do not check."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from okso_jupyter.journal.events import EVENTS
from tests.whole.code import FILES, name_of, nodes

#: Who may look at the process's environment beside the settings, and why.
READS_ENVIRONMENT = {
    # starts the sandboxed worker with a few harmless variables of its own environment
    "sandbox/launch.py",
    # tells OpenMP how to wait while llama.cpp is being loaded
    "llm/bindings.py",
}
#: Names that speak of time or size must say the unit; these do so without being settings of ours.
_WITHOUT_UNIT = re.compile(r"(?:^|_)(?:timeout|duration|delay|elapsed|interval)$")
#: Names that were not ours to give: those of the settings, and those of a library's interface.
_GIVEN = {
    "settings/table.py": {
        "web_http_timeout",
        "web_http_connect_timeout",
        "web_http_retry_delay",
        "feedback_min_interval",
    },
    "web/guarded_backend.py": {"timeout"},
}
_ATTIC = {"utils", "util", "helpers", "misc", "common"}


def _reads_environment(file: Path) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in {"environ", "environb", "getenv"}
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        for node in nodes(file)
    )


def test_only_the_settings_read_the_environment() -> None:
    """Only the settings, and modules on a list with reasons, read os.environ."""
    readers = {name_of(file) for file in FILES if _reads_environment(file)}

    assert readers == {"settings/sources.py", *READS_ENVIRONMENT}


def _own_names(file: Path) -> set[str]:
    """Return the names of the arguments and fields that the file defines."""
    names: set[str] = set()
    for node in nodes(file):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


def test_names_of_times_end_in_a_unit() -> None:
    """Arguments and fields that are a time have a unit suffix such as `_s`."""
    without = {
        name_of(file): {name for name in _own_names(file) if _WITHOUT_UNIT.search(name)}
        for file in FILES
    }

    assert {file: names for file, names in without.items() if names} == _GIVEN


def test_no_module_has_a_generic_name() -> None:
    """No module has a generic name such as utils or helpers."""
    assert {file for file in FILES if file.stem.strip("_") in _ATTIC} == set()


def _broad_handlers(file: Path) -> list[str]:
    """Return the first lines of broad exception handlers that do not re-raise."""
    lines = file.read_text("utf-8").splitlines()
    return [
        lines[node.lineno - 1]
        for node in nodes(file)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in {"Exception", "BaseException"})
        and not any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
    ]


def test_a_broad_except_gives_its_reason() -> None:
    """A broad `except` has a comment with its reason on the same line."""
    without_reason = [
        (name_of(file), line)
        for file in FILES
        for line in _broad_handlers(file)
        if not re.search(r"# noqa: BLE001  \w", line)
    ]

    assert without_reason == []


def _imports_the_journal(file: Path) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and str(node.module).startswith("okso_jupyter.journal")
        for node in nodes(file)
    )


def test_records_are_read_as_events() -> None:
    """Only the store and the event classes read a record's body; others read events."""
    readers = {
        name_of(file)
        for file in FILES
        if _imports_the_journal(file)
        for node in nodes(file)
        if isinstance(node, ast.Attribute) and node.attr == "body"
    }

    assert readers == {"journal/store.py", "journal/events/__init__.py"}


def test_record_kinds_are_not_compared_as_text() -> None:
    """Record kinds are compared by class, so that mypy finds code that lacks a new kind."""
    compared = [
        (name_of(file), one.value)
        for file in FILES
        if _imports_the_journal(file)
        for node in nodes(file)
        if isinstance(node, ast.Compare) and getattr(node.left, "attr", "") == "kind"
        for one in node.comparators
        if isinstance(one, ast.Constant) and one.value in EVENTS
    ]

    assert compared == []


def test_every_record_kind_is_read() -> None:
    """Every record kind has a reader, or is listed as only for people and exports.

    Readers name the kinds that they need and receive no others. `journal.run_view` does not
    count as a reader, since it names all kinds, even those that change no state.
    """
    for_people = {"PromptCut"}
    not_readers = ("journal/events/", "journal/run_view/__init__.py")
    read = {
        name
        for file in FILES
        if not name_of(file).startswith(not_readers)
        for name in _named_without_a_call(nodes(file))
    }

    assert {event.__name__ for event in EVENTS.values()} - read == for_people


def _named_without_a_call(module: Iterable[ast.AST]) -> set[str]:
    """Return the names used in a module other than as called functions or imports."""
    made = {id(node.func) for node in module if isinstance(node, ast.Call)}
    names = (node for node in module if isinstance(node, ast.Name))
    return {name.id for name in names if id(name) not in made}


def _named_twice(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for name, place in names:
        places.setdefault(name, []).append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def test_module_and_class_names_are_unique() -> None:
    """No two modules share a file name, and no two public classes share a name.

    The document readers are excluded: they are a separate package in a child process.
    """
    own = [file for file in FILES if not name_of(file).startswith("documents/readers/")]
    modules = [(file.stem, name_of(file)) for file in own if file.stem != "__init__"]
    classes = [
        (node.name, name_of(file))
        for file in own
        for node in nodes(file)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]

    assert _named_twice(modules) == {}
    assert _named_twice(classes) == {}
