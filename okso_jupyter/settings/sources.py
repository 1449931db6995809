"""Sources of settings: the environment, `config.env` and `.env`, and the names allowed there."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import Field
from functools import cache
from pathlib import Path
from typing import Any, Final

from okso_jupyter.config_file import read_config, read_leniently
from okso_jupyter.errors import SettingError, UsageError
from okso_jupyter.settings.ranges import aliases_of, checked, switched

#: The only names that are read from a `.env` file.
_ENV_KEYS: Final = frozenset(
    "GOOGLE_SEARCH_API_KEY GOOGLE_SEARCH_CX OKSO_GOOGLE_CSE_API_KEY OKSO_GOOGLE_CSE_ID".split()
)
_ENV_LINE = re.compile(r"\s*(?:export\s+)?([A-Z_]+)\s*=(.*)")
_MAX_ENV_BYTES: Final = 65_536


#: Wording of a source in messages, if it differs from its name.
_IN_WORDS: Final[Mapping[str, str]] = {"environment": "the environment"}


@cache  # the declared settings are the same for every session and source
def names_of(specs: Sequence[Field[Any]]) -> Mapping[str, str]:
    """Return every allowed name in upper case, aliases included, with its field."""
    found = {}
    for spec in specs:
        for name in (spec.name.upper(), *aliases_of(spec)):
            found[name] = spec.name
    return found


def known_values(
    specs: Sequence[Field[Any]], layer: Mapping[str, Any], place: str, *, strict: bool
) -> dict[str, Any]:
    """Return the values of one layer by field name.

    Args:
        specs: The declared settings.
        layer: Values by name.
        place: Source of the layer, for messages.
        strict: Reject unknown names; the environment has many names of other programs.
    """
    known = names_of(specs)
    if strict:
        _refuse_strangers(layer, known)
    # If a setting is given under its name and an older one, its name wins.
    found = {setting: name for name, setting in reversed(list(known.items())) if name in layer}
    values = {}
    for setting, name in found.items():
        spec = next(spec for spec in specs if spec.name == setting)
        try:
            value = switched(spec, name, layer[name])
            values[setting] = checked(setting, value, spec.metadata, spec.type)
        except SettingError as error:
            msg = (
                f"{error.message} (from {_IN_WORDS.get(place, place)})" if place else error.message
            )
            raise SettingError(msg, hint=error.hint) from error
    return values


def places(
    environ: Mapping[str, str] | None = None,
    config_file: Path | None = None,
    folder: Path | None = None,
) -> list[tuple[str, Mapping[str, str]]]:
    """Return the sources of values outside this process with their values, weakest first.

    Args:
        environ: The environment; by default that of the process.
        config_file: A `config.env`; by default the user's own.
        folder: Folder of a `.env`; by default the working folder.

    Raises:
        SettingError: `config.env` cannot be read.
    """
    environ = os.environ if environ is None else environ
    file = config_file or config_path(environ)
    return [
        (str(file), read_config(file)),
        (".env", keys_beside(folder)),
        ("environment", environ),
    ]


def standing_values(name: str) -> list[str]:
    """Return a setting's values in the environment and `config.env`, valid for every folder."""
    sources: list[Mapping[str, str]] = [os.environ]
    with suppress(SettingError):  # an unreadable file sets nothing
        sources.append(read_config(config_path()))
    return [source[name] for source in sources if name in source]


def _refuse_strangers(layer: object, known: Mapping[str, str]) -> None:
    """Raise SettingError for a layer that is not a mapping, or has an unknown name."""
    if not isinstance(layer, Mapping):
        msg = f"settings are a mapping of names to values, not {layer!r}"
        raise SettingError(msg)
    for name in layer:
        if name not in known:
            near = difflib.get_close_matches(str(name).upper(), known, n=1)
            msg = f"there is no setting {name!r}"
            hint = f"did you mean {near[0]}?" if near else "see %okso settings"
            raise SettingError(msg, hint=hint)


def keys_beside(folder: Path | None) -> dict[str, str]:
    """Return the search keys of the `.env` in a folder; everything else in it is ignored.

    The file comes with the notebook and is written for other programs, so lines that this project
    cannot parse are not errors.
    """
    file = (folder or working_folder()) / ".env"
    try:
        if not file.is_file():
            return {}
        with file.open("rb") as opened:
            lines = opened.read(_MAX_ENV_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return {}
    found = {}
    for line in lines:
        match = _ENV_LINE.fullmatch(line)
        if match is not None and match[1] in _ENV_KEYS:
            found[match[1]] = _unquoted(match[2])
    return found


def _unquoted(text: str) -> str:
    """Return a value without quotes and comment; an unclosed quote is kept as part of it."""
    try:
        return "".join(shlex.split(text, comments=True))
    except ValueError:
        return text.strip()


def config_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the user's `config.env`."""
    base = environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "okso" / "config.env"


def working_folder() -> Path:
    """Return the folder that a session works in, which is the notebook's.

    Raises:
        UsageError: It was removed, or may not be read.
    """
    try:
        return Path.cwd()
    except OSError as error:
        msg = f"the working folder cannot be used: {error.strerror}"
        hint = 'change to a folder that is there, such as with os.chdir("..") or %cd'
        raise UsageError(msg, hint=hint) from None


def environment() -> dict[str, str]:
    """Return a copy of the process's environment, for child processes."""
    return dict(os.environ)


def secret_sources(folder: Path | None = None) -> list[dict[str, str]]:
    """Return the named values that may be secrets: the environment, `config.env` and `.env`.

    A line that is not an assignment does not hide the others.

    Args:
        folder: Folder of a session; its `.env` is read besides that of the working folder.
    """
    files = [config_path(), working_folder() / ".env", (folder or working_folder()) / ".env"]
    pairs = (pair for file in dict.fromkeys(files) for pair in read_leniently(file))
    return [environment(), *({name: value} for name, value in pairs)]
