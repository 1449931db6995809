"""Where values come from, and which names are known there."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import Field
from pathlib import Path
from typing import Any, Final

from okso_jupyter.config_file import read_config, read_leniently
from okso_jupyter.errors import SettingError
from okso_jupyter.settings.ranges import aliases_of, checked, switched

#: All that a `.env` may say.
_ENV_KEYS: Final = frozenset(
    "GOOGLE_SEARCH_API_KEY GOOGLE_SEARCH_CX OKSO_GOOGLE_CSE_API_KEY OKSO_GOOGLE_CSE_ID".split()
)
_ENV_LINE = re.compile(r"\s*(?:export\s+)?([A-Z_]+)\s*=(.*)")
_MAX_ENV_BYTES: Final = 65_536


#: How a message calls a place, where that is not its name.
_IN_WORDS: Final[Mapping[str, str]] = {"environment": "the environment"}


def names_of(specs: Sequence[Field[Any]]) -> dict[str, str]:
    """Return every name in capitals that may be set, aliases included, with its field."""
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
        specs: The rows.
        layer: Values by name.
        place: Where the layer stands, for messages.
        strict: Refuse names that are no setting; the environment has many that are not ours.
    """
    known = names_of(specs)
    if strict:
        _refuse_strangers(layer, known)
    # Where a setting stands under its name and an older one, the name itself wins.
    found = {setting: name for name, setting in reversed(known.items()) if name in layer}
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
    """Return where values come from outside this process, the weakest first, and what is there.

    Args:
        environ: The environment; the process's own where none is given.
        config_file: A `config.env`; the user's own where none is given.
        folder: Where a `.env` may be; the working folder where none is given.

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
    """Return what the environment and `config.env` say of a setting: it holds for every folder."""
    sources: list[Mapping[str, str]] = [os.environ]
    with suppress(SettingError):  # settings that cannot be read do not hold
        sources.append(read_config(config_path()))
    return [source[name] for source in sources if name in source]


def _refuse_strangers(layer: object, known: Mapping[str, str]) -> None:
    """Raise SettingError for a layer that is no mapping, or has a name that is no setting."""
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
    """Return the search keys of the `.env` in a folder; whatever else it says is not honoured.

    The file comes with the notebook and is written for other programs, so that lines which this
    project cannot read are none of its business.
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
    """Return a value without quotes and comment; an unclosed quote is part of it."""
    try:
        return "".join(shlex.split(text, comments=True))
    except ValueError:
        return text.strip()


def config_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the user's `config.env`."""
    base = environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "okso" / "config.env"


def working_folder() -> Path:
    """Return the folder that a session works in: the notebook's."""
    return Path.cwd()


def environment() -> dict[str, str]:
    """Return a copy of the process's environment, for programs that are started from here."""
    return dict(os.environ)


def secret_sources(folder: Path | None = None) -> list[dict[str, str]]:
    """Return the named values that may be secrets: the environment, `config.env` and `.env`.

    A line that is no assignment hides no other one.

    Args:
        folder: Where a session works; its `.env` counts beside that of the working folder.
    """
    files = [config_path(), working_folder() / ".env", (folder or working_folder()) / ".env"]
    pairs = (pair for file in dict.fromkeys(files) for pair in read_leniently(file))
    return [environment(), *({name: value} for name, value in pairs)]
