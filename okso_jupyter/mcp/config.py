"""Configured MCP servers: `mcp.json` of the user, and of the notebook's folder if it is trusted."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from okso_jupyter import assets
from okso_jupyter.errors import DocumentError, UsageError
from okso_jupyter.settings import config_path, environment
from okso_jupyter.trust import sha256_of
from okso_jupyter.workflow.file_reading import read_content, read_document

#: Name of the file, in the user's folder of settings and beside a notebook.
FILE: Final = "mcp.json"
#: The member of the file that has the servers.
SERVERS: Final = "mcpServers"
_SCHEMA: Final = "mcp_server.schema.json"
#: Names of servers: they become the first part of tool names.
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_VARIABLE: Final = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
#: What a program gets of the user's environment besides what its entry names.
_INHERITED: Final = ("PATH", "HOME", "LANG", "TMPDIR")
_EXAMPLE: Final = '{"mcpServers": {"time": {"command": "mcp-server-time"}}}'


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEntry:
    """One configured server: a program, or an address.

    Attributes:
        name: The first part of the names of its tools.
        command: The program and its arguments; empty for a server with an address.
        env: Environment that the entry names, as written.
        url: The address of a server that speaks streamable HTTP; empty for a program.
        headers: Sent with every request, as written.
        source: The file it comes from, or "Session".
    """

    name: str
    command: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    source: str = field(default="Session", compare=False)

    @property
    def sha256(self) -> str:
        """Identity of the server: the same name with another command is another server."""
        parts = [self.name, self.command, self.env, self.url, self.headers]
        return sha256_of(json.dumps(parts).encode())

    @property
    def words(self) -> str:
        """The command or the address, as the user wrote it, and what it gets."""
        what = self.url or " ".join(self.command)
        names = ", ".join(name for name, _ in (*self.env, *self.headers))
        return f"{what} (with {names})" if names else what

    def environ(self) -> dict[str, str]:
        """Return the environment of the program: PATH and HOME, and what the entry names.

        Raises:
            UsageError: The entry refers to a variable that is not set.
        """
        own = environment()
        inherited = {name: own[name] for name in _INHERITED if name in own}
        return inherited | self._filled(self.env)

    def sent_headers(self) -> dict[str, str]:
        """Return the headers; raise UsageError if one refers to a variable that is not set."""
        return self._filled(self.headers)

    def given_env(self) -> dict[str, str]:
        """Return the environment that the entry names; empty where a variable is not set."""
        return self._filled_if_set(self.env)

    def given_headers(self) -> dict[str, str]:
        """Return the headers; empty where a variable is not set."""
        return self._filled_if_set(self.headers)

    def _filled_if_set(self, pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
        try:
            return self._filled(pairs)
        except UsageError:
            return {}

    def _filled(self, pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
        return {name: _VARIABLE.sub(_value_of, value) for name, value in pairs}


def _value_of(found: re.Match[str]) -> str:
    """Return the value of the variable that a text refers to.

    Raises:
        UsageError: It is not set.
    """
    name = found[1]
    value = environment().get(name)
    if value is None:
        msg = f"the variable {name} is not set"
        raise UsageError(msg, hint=f"set {name} before Jupyter starts")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A configured server, or a whole file, that cannot be used.

    Attributes:
        name: Name of the server; the file's name if it concerns the whole file.
        source: The file.
        reason: Why, in one sentence.
        is_trusted: Whether more than trust is missing.
    """

    name: str
    source: str
    reason: str
    is_trusted: bool = True


@dataclass(frozen=True, slots=True)
class McpConfig:
    """The configured servers.

    Attributes:
        entries: Valid entries; of two with one name, the first.
        problems: The others.
    """

    entries: tuple[ServerEntry, ...] = ()
    problems: tuple[Problem, ...] = ()

    @classmethod
    def of_files(cls, root: Path, trusted: Collection[str]) -> McpConfig:
        """Return the servers of the user's file, then those beside the notebook if trusted.

        Args:
            root: The folder of the notebook.
            trusted: Hashes of the contents that the user trusts.
        """
        own = _of_file(user_file(), None)
        beside = root / FILE
        if _is_same(beside, user_file()):
            return own
        return _joined(own, _of_file(beside, trusted))

    @classmethod
    def of_argument(cls, given: Mapping[str, Any] | str | Path) -> McpConfig:
        """Return the servers of `Session(mcp=...)`: a mapping as in the file, or a file's path.

        Raises:
            UsageError: It is neither, or one of its servers cannot be used.
        """
        if isinstance(given, Mapping):
            found = _of_document({SERVERS: given, **given}, "Session")
        else:
            found = _of_file(Path(given), None)
            if not found.entries and not found.problems:
                msg = f"mcp: there is no file {str(given)!r}"
                raise UsageError(msg)
        for problem in found.problems:
            msg = f"mcp: {problem.name}: {problem.reason}"
            raise UsageError(msg, hint=f"write it as {_EXAMPLE}")
        return found


def user_file() -> Path:
    """Return the path of the user's own `mcp.json`."""
    return config_path().with_name(FILE)


def parsed(content: bytes) -> McpConfig:
    """Return the servers of a file's content.

    Raises:
        DocumentError: It is not JSON, or not an object with "mcpServers".
    """
    try:
        document = read_document(content, is_json=True)
    except DocumentError as error:
        raise DocumentError(error.message, hint=f"write it as {_EXAMPLE}") from error
    if not isinstance(document, Mapping) or not isinstance(document.get(SERVERS), Mapping):
        msg = f"it has no object {SERVERS!r}"
        raise DocumentError(msg, hint=f"write it as {_EXAMPLE}")
    return _of_document(document, FILE)


def entry_of(name: str, given: object) -> ServerEntry:
    """Return one entry.

    Args:
        name: Name of the server.
        given: The JSON value of the entry.

    Raises:
        DocumentError: It cannot be used; in one sentence.
    """
    if not _NAME.fullmatch(name):
        msg = "a server's name has only letters, digits, '_' and '-', and 64 of them at most"
        raise DocumentError(msg)
    fault = assets.first_violation(_SCHEMA, given)
    if fault is not None or not isinstance(given, Mapping):
        where = ".".join(map(str, fault.absolute_path)) if fault else ""
        if not where:
            msg = "it is an object with either a command or a url"
        else:
            msg = f"{where}: {fault.message if fault else ''}"
        raise DocumentError(msg)
    entry = ServerEntry(
        name=name,
        command=(given["command"], *given.get("args", ())) if "command" in given else (),
        env=tuple(given.get("env", {}).items()),
        url=given.get("url", ""),
        headers=tuple(given.get("headers", {}).items()),
    )
    _check_url(entry)
    return entry


def _check_url(entry: ServerEntry) -> None:
    """Raise DocumentError for an address that is none, or that would show the headers to others."""
    if not entry.url:
        return
    try:
        parts = urlsplit(entry.url)
        host = parts.hostname
    except ValueError:
        host = None
    if host is None or parts.scheme not in {"http", "https"}:
        msg = f"{entry.url!r} is not an http or https address"
        raise DocumentError(msg)
    if entry.headers and parts.scheme == "http" and not _is_here(host):
        msg = "its headers would be sent unencrypted: use https"
        raise DocumentError(msg)


def _is_here(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _of_file(file: Path, trusted: Collection[str] | None) -> McpConfig:
    """Return the servers of a file; none if there is no file.

    Args:
        file: The file.
        trusted: Hashes of trusted contents; None for a file that needs no trust.
    """
    if not file.exists():
        return McpConfig()
    try:
        content = read_content(file)
        found = parsed(content)
    except DocumentError as error:
        return McpConfig((), (Problem(name=FILE, source=str(file), reason=error.message),))
    if trusted is not None and sha256_of(content) not in trusted:
        reason = f"not trusted: %okso trust {FILE}"
        problem = Problem(name=FILE, source=str(file), reason=reason, is_trusted=False)
        return McpConfig((), (problem,))
    return _of_source(found, str(file))


def _of_source(found: McpConfig, source: str) -> McpConfig:
    return McpConfig(
        tuple(replace(entry, source=source) for entry in found.entries),
        tuple(replace(problem, source=source) for problem in found.problems),
    )


def _of_document(document: Mapping[str, Any], source: str) -> McpConfig:
    entries, problems = [], []
    for name, given in document[SERVERS].items():
        if isinstance(given, Mapping) and given.get("disabled") is True:
            continue
        try:
            entries.append(entry_of(name, given))
        except DocumentError as error:
            problems.append(Problem(name=name, source=source, reason=error.message))
    return McpConfig(tuple(entries), tuple(problems))


def _joined(first: McpConfig, second: McpConfig) -> McpConfig:
    """Return the servers of both; a name that the first one uses is not taken by the second."""
    names = {entry.name.casefold() for entry in first.entries}
    fresh = tuple(entry for entry in second.entries if entry.name.casefold() not in names)
    taken = (
        Problem(name=entry.name, source=entry.source, reason="the name is used in your own file")
        for entry in second.entries
        if entry.name.casefold() in names
    )
    return McpConfig((*first.entries, *fresh), (*first.problems, *second.problems, *taken))


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def does(content: bytes) -> Iterator[str]:
    """Yield what a file would start or connect to, a line for each server."""
    found = parsed(content)
    for entry in found.entries:
        yield f"{entry.name}: {'connects to' if entry.url else 'starts'} {entry.words}"
    for problem in found.problems:
        yield f"{problem.name}: left out: {problem.reason}"
