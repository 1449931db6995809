"""Trust in files: which files need it, what they would do, and whether they are trusted.

Used by `%okso trust` and `Session.trust`. To add a kind of file that needs trust, extend `_KINDS`.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter import private_files
from okso_jupyter.errors import OksoError, UsageError
from okso_jupyter.mcp import config as mcp_config
from okso_jupyter.policies.policy_file import NAME as POLICY
from okso_jupyter.policies.policy_file import read_rules
from okso_jupyter.policies.policy_rules import read_content as read_policy
from okso_jupyter.replay.recording_file import parsed_runs, read_recording
from okso_jupyter.session.tool_set import BESIDE
from okso_jupyter.trust import TrustList, sha256_of
from okso_jupyter.workflow.file_reading import SUFFIXES, read_content
from okso_jupyter.workflow.spec import Workflow

#: Key at the start of a recording's JSON.
_RECORDED: Final = b'"okso_recording"'
_HEAD_BYTES: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTrust:
    """A file that is used only if it is trusted.

    Attributes:
        file: The path of the file, relative to the folder of the notebook.
        kind: What it is: "workflow", "policy", "servers" or "recording".
        is_trusted: Whether its content is trusted.
        does: What it would do, one text per step or decision.
        problem: Why it cannot be used; empty if it can.
    """

    file: str
    kind: str
    is_trusted: bool = False
    does: tuple[str, ...] = ()
    problem: str = ""


def file_trusts(root: Path) -> list[FileTrust]:
    """Return the files beside a notebook that are used only if they are trusted.

    Raises:
        SettingError: The list of trusted files cannot be read.
    """
    trusted = TrustList.of_user().hashes()
    return [_listed(root, name, trusted) for name in names_of_files(root)]


def names_of_files(root: Path) -> Iterator[str]:
    """Yield the names of the files beside a notebook that are used only if they are trusted."""
    yield from (name for name in (POLICY, mcp_config.FILE) if (root / name).is_file())
    folder = root / BESIDE
    try:
        found = sorted(file.name for file in folder.iterdir() if file.suffix in SUFFIXES)
    except OSError:
        return
    yield from (f"{BESIDE}/{name}" for name in found)


def inspect_file(root: Path, name: str | Path) -> FileTrust:
    """Return what a file would do and whether it is trusted.

    Raises:
        UsageError: There is no such file, or it cannot be used.
        SettingError: The list of trusted files cannot be read.
    """
    return _judged(root, name, TrustList.of_user().hashes())[0]


def change_trust(root: Path, name: str | Path, *, revoke: bool = False) -> None:
    """Trust the present content of a file, or revoke trust in its present and earlier content.

    Raises:
        UsageError: There is no such file, it cannot be used, or was not trusted.
        SettingError: The list of trusted files cannot be read or written.
    """
    if revoke:
        _revoke(root, name)
        return
    _, content = _judged(root, name, ())  # raises if the file cannot be used
    TrustList.of_user().add(content, _real(root, name))


def _revoke(root: Path, name: str | Path) -> None:
    try:
        content: bytes | None = _judged(root, name, ())[1]
    except UsageError:
        content = None  # it is missing or damaged: only trust in earlier content is revoked
    if not TrustList.of_user().revoke(content, _real(root, name)):
        msg = f"{str(name)!r} was not trusted"
        raise UsageError(msg, hint="%okso trust lists the files")


def _listed(root: Path, name: str, trusted: Container[str]) -> FileTrust:
    """Return a file of a folder as `%okso trust` lists it."""
    try:
        return _judged(root, name, trusted)[0]
    except UsageError as error:
        return FileTrust(file=name, kind=_kind_of(root / name).name, problem=str(error))


def _judged(root: Path, name: str | Path, trusted: Container[str]) -> tuple[FileTrust, bytes]:
    """Return the trust in a file, and the content that was judged.

    Raises:
        UsageError: There is no such file, or it cannot be used.
    """
    file = root / name
    kind = _kind_of(file)
    try:
        content = kind.read(file)
        does = tuple(kind.does(content, file))
    except OksoError as error:
        near = difflib.get_close_matches(str(name), names_of_files(root), n=1)
        way = f"did you mean {near[0]}?" if near and near != [str(name)] else error.hint
        msg = f"{str(name)!r} cannot be used: {error.message}"
        raise UsageError(msg, hint=way or "%okso trust lists the files") from error
    is_trusted = sha256_of(content) in trusted
    return FileTrust(file=str(name), kind=kind.name, is_trusted=is_trusted, does=does), content


def _real(root: Path, name: str | Path) -> Path:
    """Return the path without symbolic links, which identifies a trusted file."""
    return Path(os.path.realpath(root / name))


# --- kinds of files ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of file.

    Attributes:
        name: The name shown to the user.
        read: Returns the content of a file; OksoError where it cannot be read.
        does: Returns what the content would do, part by part; OksoError where it is damaged.
    """

    name: str
    read: Callable[[Path], bytes]
    does: Callable[[bytes, Path], Iterable[str]]


def _kind_of(file: Path) -> _Kind:
    """Return the kind of a file.

    Raises:
        UsageError: Such a file needs no trust or is not used at all.
    """
    if file.suffix == ".json" and _is_recording(file):
        return _KINDS["recording"]
    if file.name == POLICY:
        return _KINDS["policy"]
    if file.name == mcp_config.FILE:
        return _KINDS["servers"]
    if file.suffix in SUFFIXES:
        return _KINDS["workflow"]
    msg = f"{file.name!r} is not a file that needs to be trusted"
    raise UsageError(
        msg, hint="workflows, policies and mcp.json beside the notebook do: %okso trust lists them"
    )


def _is_recording(file: Path) -> bool:
    try:
        with private_files.reading(file) as opened:
            return _RECORDED in opened.read(_HEAD_BYTES)
    except OSError:
        return False


def _steps(content: bytes, file: Path) -> Iterator[str]:
    """Yield the steps of a workflow."""
    for step in Workflow.parse(content, file).steps:
        args = json.dumps(dict(step.args), ensure_ascii=False)
        condition = f" if {step.condition}" if step.condition else ""
        yield f"{step.id}. {step.tool} {args}{condition}"


def _rules(content: bytes, file: Path) -> Iterator[str]:
    """Yield the rules of a policy."""
    for rule in read_rules(content, file.name):
        yield f"line {rule.line}: {rule}"


def _policy(file: Path) -> bytes:
    """Return the content of a policy file; OksoError where there is none."""
    content = read_policy(file)
    if content is None:
        msg = "there is no such file"
        raise UsageError(msg)
    return content


def _servers(content: bytes, _file: Path) -> Iterator[str]:
    """Return what the servers of a file would start or connect to."""
    return mcp_config.does(content)


def _decisions(content: bytes, file: Path) -> Iterator[str]:
    """Yield the decisions in a recording, and the calls that followed them."""
    for run in parsed_runs(file, content):
        for entry in run.entries:
            if entry.kind == "decision":
                steps = ", ".join(entry.gave["steps"]) or "none"
                yield f"{entry.gave['by']}: {entry.gave['decision']}, steps {steps}"
            elif entry.kind == "call":
                args = json.dumps(entry.asked["args"], ensure_ascii=False)
                yield f"then: {entry.asked['tool']} {args}"


_KINDS: Final = {
    kind.name: kind
    for kind in (
        _Kind("workflow", read_content, _steps),
        _Kind("policy", _policy, _rules),
        _Kind("servers", read_content, _servers),
        _Kind("recording", read_recording, _decisions),
    )
}
