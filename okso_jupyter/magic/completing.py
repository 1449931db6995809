"""Completion in a `%%okso` cell, after `%okso` and in `%config OksoMagics`: an IPython matcher.

Completes options and their values, subcommands, runs, tools, settings, variables and files. It
returns nothing elsewhere, imports no slow modules, and returns nothing on an error, since
pressing Tab must not show one.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from IPython.core.completer import (
    CompletionContext,
    SimpleCompletion,
    SimpleMatcherResult,
    context_matcher,
)

from okso_jupyter.errors import OksoError
from okso_jupyter.magic import options
from okso_jupyter.magic.subcommands import (
    AUDITS,
    EXPORT_FORMATS,
    FORMAT,
    MCP_WORDS,
    POLICY_WORDS,
    SQL,
    TAKES,
    TRUST_OPTIONS,
)
from okso_jupyter.magic.traits import SETTING_OF
from okso_jupyter.magic.used_tools import OFF
from okso_jupyter.settings import Settings, names, working_folder

IDENTIFIER: Final = "okso_jupyter"
_LINE_MAGIC: Final = re.compile(r"^\s*(?:\w+\s*=\s*)?%okso\s+(.*)$")
_CONFIG: Final = re.compile(r"""^\s*%config\s+OksoMagics\.(\w+)\s*=\s*(['"]?[\w.]*)$""")
_OPEN_BRACES: Final = re.compile(r"(?<!\{)\{\{[ \t]*(\w*)$")
_WORD: Final = re.compile(r"[\w./~-]*$")
#: Shorter words of a request are not completed: too many of them begin like some file name.
_LEAST_CHARS: Final = 2
_MOST_FILES: Final = 500
_MOST_RUNS: Final = 50
_WEIGHTS: Final = ".gguf"
_RATINGS: Final = ("1", "2", "3", "4", "5")


@dataclass(frozen=True, slots=True)
class CompletionPlace:
    """The word before the cursor, and what can complete it.

    Attributes:
        fragment: The part of the word that was typed.
        offers: All possible words there.
        end: Text appended to the chosen word.
    """

    fragment: str
    offers: Iterable[str]
    end: str = ""

    def matches(self) -> list[str]:
        """Return the offers that begin with the fragment, each once."""
        found = (offer for offer in self.offers if offer.startswith(self.fragment))
        return [f"{offer}{self.end}" for offer in dict.fromkeys(found)]


def matcher(
    variables: Callable[[], Mapping[str, object]], config: Callable[[], Mapping[str, Any]]
) -> Callable[[CompletionContext], SimpleMatcherResult]:
    """Return a matcher of IPython's API version 2, which also works in cell magics.

    Args:
        variables: Returns the notebook's variables.
        config: Returns the settings that `%config` set.
    """

    @context_matcher(identifier=IDENTIFIER, priority=10)  # type: ignore[untyped-decorator]  # IPython ships no types
    def match(context: CompletionContext) -> SimpleMatcherResult:
        try:
            place = _Cursor(variables(), config).place(context)
            found = [] if place is None else place.matches()
        except (OksoError, OSError):
            place, found = None, []
        return SimpleMatcherResult(
            completions=[SimpleCompletion(text=text, type="okso") for text in found],
            matched_fragment="" if place is None else place.fragment,
            suppress=bool(found),
        )

    return match  # type: ignore[no-any-return]  # see above


@dataclass(frozen=True, slots=True)
class _Cursor:
    """Finds the possible words at the cursor."""

    variables: Mapping[str, object]
    config: Callable[[], Mapping[str, Any]]

    def place(self, context: CompletionContext) -> CompletionPlace | None:
        """Return the place of the cursor; None outside of the magics."""
        before = context.text_until_cursor
        if re.match(r"%%okso(?:\s|$)", context.full_text):
            if context.cursor_line:
                return self._in_request(before, context.line_with_cursor[len(before) :])
            return self._in_options(before.removeprefix("%%okso")) if " " in before else None
        if line := _LINE_MAGIC.match(before):
            return self._in_subcommand(line[1])
        if config := _CONFIG.match(before):
            return _in_config(config[1], config[2])
        return None

    def _in_request(self, before: str, behind: str) -> CompletionPlace | None:
        """Return variables within double braces, else files and tools."""
        if braces := _OPEN_BRACES.search(before):
            end = "" if behind.lstrip().startswith("}}") else "}}"
            return CompletionPlace(braces[1], self._variables(), end)
        word = _WORD.search(before)
        if word is None or len(word[0]) < _LEAST_CHARS:
            return None
        return CompletionPlace(word[0], [*_files(word[0]), *_tools(working_folder())])

    def _in_options(self, line: str) -> CompletionPlace:
        """Return options, or the values of the option before the cursor."""
        *words, last = re.split(r"\s+", line.rpartition("<<")[2].lstrip())
        known = options.known()
        option, equals, value = last.partition("=")
        if equals and option in known:
            return self._value(known[option], value)
        if words and words[-1] in known and known[words[-1]].nargs != 0:
            return self._value(known[words[-1]], last)
        again = {o for o, action in known.items() if isinstance(action.default, list)}
        return CompletionPlace(
            last, [option for option in known if option in again or option not in words]
        )

    def _value(self, action: argparse.Action, begun: str) -> CompletionPlace:
        """Return the values of an option."""
        if action.choices:
            name, equals, file = begun.partition("=")  # as in replay=FILE
            choices = (str(choice).removesuffix("FILE") for choice in action.choices)
            return CompletionPlace(file, _files(file)) if equals else CompletionPlace(name, choices)
        if action.dest in {"inputs", "outputs"}:
            return CompletionPlace(begun, self._variables())
        if action.dest == "model":
            return CompletionPlace(begun, ["bundled", "auto", *_files(begun, _WEIGHTS)])
        if action.dest == "set":
            name, equals, value = begun.partition("=")
            return (
                CompletionPlace(value, _values_of(name))
                if equals
                else CompletionPlace(name, names(), "=")
            )
        return CompletionPlace(begun, _files(begun) if action.metavar == "FILE" else ())

    def _in_subcommand(self, line: str) -> CompletionPlace:
        """Return subcommands, or the words that the typed subcommand takes."""
        name, *words = re.split(r"\s+", line)
        if not words:
            return CompletionPlace(name, TAKES)
        offers: Mapping[str, Callable[[], Iterable[str]]] = {
            "a run": self._runs,
            "a run to resume": lambda: ["list", *self._runs()],
            "a run to undo": lambda: ["--dry-run", *self._runs()],
            "a run to forget": lambda: ["--older-than", *self._runs()],
            "a run to write as code": lambda: [SQL, *self._runs()],
            "a run to export": lambda: self._of_export(words),
            "a name to explain": _explained,
            "a candidate": lambda: () if len(words) == 1 else self._runs(),
            "weights": _weights,
            "a plan": lambda: ["on", "off", "status", *self._runs()],
            "tools": lambda: _tools(working_folder()),
            "a policy": lambda: self._of_policy(words),
            "servers": lambda: MCP_WORDS if len(words) == 1 else (),
            "an audit": lambda: AUDITS if len(words) == 1 else self._runs(),
            "tools of the notebook": lambda: [*self._own_tools(), OFF],
            "settings": lambda: [spec.name.upper() for spec in fields(Settings)],
            "a file": lambda: _files(words[-1]) if len(words) == 1 else self._runs(),
            "a file to trust": lambda: _to_trust(words),
            "a rating": lambda: _RATINGS if len(words) == 1 else (),
        }
        return CompletionPlace(words[-1], offers.get(TAKES.get(name, ""), lambda: ())())

    def _variables(self) -> list[str]:
        """Return the user's variables: no modules, functions, classes or hidden names."""
        passing = (ModuleType, FunctionType, type)
        return [
            name
            for name, value in self.variables.items()
            if not name.startswith("_")
            and name not in {"In", "Out", "exit", "quit", "open", "get_ipython"}
            and not isinstance(value, passing)
        ]

    def _of_export(self, words: Sequence[str]) -> Iterable[str]:
        """Return what `%okso export` takes, and behind its option the formats."""
        return EXPORT_FORMATS if FORMAT in words[-2:-1] else [FORMAT, *self._runs()]

    def _of_policy(self, words: Sequence[str]) -> Iterable[str]:
        """Return what `%okso policy` takes, and behind it tools or runs."""
        if len(words) == 1:
            return POLICY_WORDS
        return _tools(working_folder()) if words[0] == "test" else self._runs()

    def _own_tools(self) -> list[str]:
        """Return the variables that hold a tool."""
        return [name for name in self._variables() if _is_tool(self.variables[name])]

    def _runs(self) -> list[str]:
        """Return the newest runs of the journal, if there is one."""
        from okso_jupyter.journal.store import Journal  # noqa: PLC0415  see above

        home = Settings.load(self.config()).home
        if not home.is_dir():
            return []
        journal = Journal(home)
        try:
            return journal.run_ids()[-_MOST_RUNS:][::-1]
        finally:
            journal.close()


def _is_tool(value: object) -> bool:
    """Return whether a value is a Tool; one can only be where its module was imported."""
    module = sys.modules.get("okso_jupyter.toolkit.tool")
    return module is not None and isinstance(value, module.Tool)


@cache
def _tools(_folder: Path) -> tuple[str, ...]:
    """Return the names of a session's tools in a folder; a problem is logged once."""
    from okso_jupyter.session.session import Session  # noqa: PLC0415  keeps %load_ext quick

    with Session() as session:
        return tuple(session.tools)


def _explained() -> list[str]:
    """Return every name that `%okso help` explains."""
    return [*TAKES, *options.known(), *names(), *_tools(working_folder()), *_rules()]


def _weights() -> list[str]:
    """Return the prefixes of weights, such as "coverage="."""
    return [f"{name}=" for name in _rules()]


def _rules() -> list[str]:
    """Return the names of the score's rules."""
    from okso_jupyter.planning.scoring.rules import DEFAULT  # noqa: PLC0415  see above

    return [rule.name for rule in DEFAULT]


def _to_trust(words: Sequence[str]) -> Iterable[str]:
    """Return the files that can be trusted, and the options where no word precedes."""
    from okso_jupyter.session.file_trust import names_of_files  # noqa: PLC0415  see above

    if len(words) > 1 and words[0] not in TRUST_OPTIONS:
        return ()
    options = TRUST_OPTIONS if len(words) == 1 else ()
    files = map(shlex.quote, names_of_files(working_folder()))
    return [*(file for file in files if file.isprintable()), *options]


def _in_config(trait: str, begun: str) -> CompletionPlace:
    """Return the values of a trait, in quotes where they are strings."""
    quote = begun[:1] if begun[:1] in {"'", '"'} else "'"
    values = _values_of(SETTING_OF.get(trait, ""))
    if values and set(values) <= {"true", "false"}:
        return CompletionPlace(begun, ["True", "False"])
    return CompletionPlace(begun, [f"{quote}{value}{quote}" for value in values])


def _values_of(name: str) -> list[str]:
    """Return the values of a setting that is a Boolean or has a list of choices, else none."""
    field = names().get(name)
    for spec in fields(Settings):
        if spec.name == field:
            if str(spec.type) == "bool":
                return ["true", "false"]
            return list(spec.metadata.get("choices", ()))
    return []


def _files(begun: str, suffix: str = "") -> Iterator[str]:
    """Yield the files and folders beneath the working folder that begin like a path."""
    folder, _, name = begun.rpartition("/")
    place = Path(working_folder(), folder)
    if folder.startswith(("/", "~")) or ".." in Path(folder).parts or not place.is_dir():
        return
    entries = sorted(entry for entry in place.iterdir() if entry.name.startswith(name))
    for entry in entries[:_MOST_FILES]:
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.name.startswith(".") or not entry.name.isprintable():
            continue
        if entry.is_dir():
            yield f"{path}/"
        elif entry.name.endswith(suffix):
            yield path
