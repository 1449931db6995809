"""Download of GGUF files from the Hugging Face hub, each verified by its hash.

`huggingface_hub` talks to the hub: tokens, redirects, retries, resuming, Xet. It does not compare
the content with the hash that the hub states, so that is done here.
"""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from json import JSONDecodeError
from pathlib import Path
from typing import Any, Final

from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import (  # type: ignore[attr-defined]  # HTTPError: what its HTTP library raises
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    HTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import get_session  # type: ignore[attr-defined]  # as its docs have it
from tqdm.std import tqdm

from okso_jupyter import private_files
from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.downloads import Downloads, HubFile, HubSpec, sha256_of
from okso_jupyter.log import LOGGER
from okso_jupyter.settings import environment

#: Choice among several files of a repository; 4 bits lose little quality and save much memory.
_USUAL_QUANTIZATION: Final = "Q4_K_M"
#: A part of a model that is split over several files.
_PART: Final = re.compile(r"(?P<stem>.+)-(?P<part>\d{5})-of-\d{5}\.gguf")
#: Weights that accompany a model's own, such as the vision encoder of a multimodal model.
_COMPANION: Final = re.compile(r"(^|[/-])(mmproj|imatrix)[.-]", re.IGNORECASE)
#: Headers from which the library makes file names; each value must be a hash or empty.
_NAMING_HEADERS: Final = ("ETag", "X-Linked-ETag", "X-Repo-Commit")
_PLAIN_NAME: Final = re.compile(r'(?:W/)?"?[0-9A-Za-z_=+-]{0,200}"?')
_METADATA_TIMEOUT_S: Final = 15.0
#: Bytes left free on the disk after a download.
_SPARE_BYTES: Final = 64 << 20
_ATTEMPTS: Final = 2
_ACCESS_HINT: Final = "accept its terms on its page, and set HF_TOKEN to a token of your account"
_ROOM_HINT: Final = "make room, choose a smaller file, or set OKSO_HOME to a folder on another disk"
_NETWORK_HINT: Final = (
    "check the network; offline, use the bundled model or the path of a GGUF file"
)
_NO_REPOSITORY: Final = (
    "there is no such repository, or it is private",
    "check the spelling; for a private one set HF_TOKEN; a file on this machine must be there",
)
#: Sentence and hint by exception of the library: a subclass stands before its base.
_SENTENCES: Final[tuple[tuple[type[Exception], str, str], ...]] = (
    (
        HFValidationError,
        "the hub accepts no names of that form",
        "write owner/repository:file.gguf",
    ),
    (GatedRepoError, "the repository is gated", _ACCESS_HINT),
    (RepositoryNotFoundError, *_NO_REPOSITORY),
    (
        RevisionNotFoundError,
        "the repository has no revision {spec.revision!r}",
        "correct PLANNER_MODEL_BRANCH, or that of the role",
    ),
    (
        OfflineModeIsEnabled,
        "it is not here yet, and HF_HUB_OFFLINE forbids downloading it",
        "unset HF_HUB_OFFLINE once",
    ),
)
_NOT_ALLOWED: Final = (401, 403)
_NOT_FOUND: Final = 404


class _Bar(tqdm):  # type: ignore[misc]  # tqdm ships no types
    """A text progress bar for terminals and notebooks; disabled if only warnings are logged."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  tqdm's own
        quiet = not LOGGER.isEnabledFor(logging.INFO)
        super().__init__(*args, **{**kwargs, "disable": quiet, "mininterval": 0.5})


def download(spec: HubSpec, downloads: Downloads) -> Path:
    """Download the files of a spec and return the first one; most models have one.

    Raises:
        ModelUnavailableError: The hub does not provide it, or it does not fit on the disk.
    """
    endpoint = environment().get("HF_ENDPOINT") or None
    with _explained(spec):
        commit, offered = _listing(spec, endpoint)
        files = choose(spec, offered)
        _check_space(spec, downloads, files)
        size = sum(file.size_bytes for file in files)
        detail = {"spec": str(spec), "commit": commit, "bytes": size}
        LOGGER.info("downloading a model", extra={"detail": detail})
        paths = [_fetch(spec, file, commit, downloads, endpoint) for file in files]
        downloads.keep(spec, commit, files)
    return paths[0]


def choose(spec: HubSpec, offered: Sequence[HubFile]) -> list[HubFile]:
    """Return the files that a spec means, the first part of a split model first.

    If the spec names no file: the one GGUF file of the repository, or the smallest that is
    quantized as Q4_K_M.

    Raises:
        ModelUnavailableError: There is none, or several qualify.
    """
    models = [file for file in offered if _is_first(file) and not _COMPANION.search(file.name)]
    if spec.file:
        named = [file for file in offered if file.name == spec.file]
        if not named:
            msg = f"model '{spec}': the repository has no GGUF file {spec.file!r}"
            raise ModelUnavailableError(msg, hint=_in_words(models))
        return _with_parts(named[0], offered)
    usual = [file for file in models if _USUAL_QUANTIZATION in file.name.upper()]
    candidates = models if len(models) == 1 else usual
    if not candidates:
        some = "has several GGUF files" if models else "has no GGUF file"
        msg = f"model '{spec}': the repository {some}"
        msg += f", none of them {_USUAL_QUANTIZATION}" if models else ""
        raise ModelUnavailableError(msg, hint=_in_words(models))
    whole = [_with_parts(file, offered) for file in candidates]
    return min(whole, key=lambda parts: sum(part.size_bytes for part in parts))


def _is_first(file: HubFile) -> bool:
    """Return whether a file can stand for a model: it is whole, or the first of several parts."""
    match = _PART.fullmatch(file.name)
    return match is None or int(match["part"]) == 1


def _with_parts(file: HubFile, offered: Sequence[HubFile]) -> list[HubFile]:
    """Return a file with the other parts of its model."""
    match = _PART.fullmatch(file.name)
    if match is None:
        return [file]
    parts = [(_PART.fullmatch(other.name), other) for other in offered]
    return [other for part, other in sorted(parts, key=lambda pair: pair[1].name)
            if part is not None and part["stem"] == match["stem"]]  # fmt: skip


def _in_words(models: Sequence[HubFile]) -> str:
    """Return a hint that lists the files with their sizes."""
    if not models:
        return "name a repository of GGUF files"
    named = (f"{file.name} ({file.size_bytes / 1e9:.1f} GB)" for file in models)
    return f"after a colon, name one of {', '.join(named)}"


def _listing(spec: HubSpec, endpoint: str | None) -> tuple[str, list[HubFile]]:
    """Return the commit of a revision, and its GGUF files that have a hash."""
    try:
        info = HfApi(endpoint=endpoint).model_info(
            spec.repo, revision=spec.revision, files_metadata=True, timeout=_METADATA_TIMEOUT_S
        )
    except (JSONDecodeError, KeyError, TypeError) as error:
        msg = f"model '{spec}': the server that answers is not a hub"
        hint = "check HF_ENDPOINT, and whether the network wants you to log in"
        raise ModelUnavailableError(msg, hint=hint) from error
    files = [
        HubFile(name=file.rfilename, size_bytes=file.lfs.size, sha256=file.lfs.sha256)
        for file in info.siblings or []
        if file.rfilename.endswith(".gguf") and file.lfs is not None
    ]
    if not all(map(_is_beneath, [info.sha or "", *(file.name for file in files)])):
        raise _misled(spec)
    if info.sha is None:
        msg = f"model '{spec}': the hub does not say which commit {spec.revision!r} is at"
        raise ModelUnavailableError(msg, hint="name a commit as the revision")
    return info.sha, files


def _is_beneath(name: str) -> bool:
    """Return whether a name from the hub stays inside the folder that it is put in."""
    return not name.startswith("/") and ".." not in re.split(r"[/\\]", name)


def _check_space(spec: HubSpec, downloads: Downloads, files: Sequence[HubFile]) -> None:
    """Raise ModelUnavailableError if the files do not fit on the disk."""
    private_files.make_folder(downloads.files)
    needed = sum(file.size_bytes for file in files)
    free = shutil.disk_usage(downloads.files).free
    if needed + _SPARE_BYTES > free:
        msg = (
            f"model '{spec}' takes {needed / 1e9:.1f} GB, "
            f"and {free / 1e9:.1f} GB are free in {downloads.files}"
        )
        raise ModelUnavailableError(msg, hint=_ROOM_HINT)


def _fetch(
    spec: HubSpec, file: HubFile, commit: str, downloads: Downloads, endpoint: str | None
) -> Path:
    """Return a file whose hash matches the hub's; delete a damaged one and download it again."""
    for _ in range(_ATTEMPTS):
        with _plain_names(spec):
            path = Path(
                hf_hub_download(
                    spec.repo,
                    file.name,
                    revision=commit,
                    cache_dir=downloads.files,
                    endpoint=endpoint,
                    tqdm_class=_Bar,
                )
            )
        if not path.resolve().is_relative_to(downloads.files.resolve()):
            raise _misled(spec)
        if path.stat().st_size == file.size_bytes and sha256_of(path) == file.sha256:
            return path
        LOGGER.warning("a download is damaged", extra={"detail": {"spec": str(spec)}})
        path.resolve().unlink()
        path.unlink(missing_ok=True)
    msg = f"model '{spec}': {file.name} arrived {_ATTEMPTS} times with another hash than the hub's"
    raise ModelUnavailableError(msg, hint="try again later, or name another repository")


@contextmanager
def _plain_names(spec: HubSpec) -> Iterator[None]:
    """Refuse answers with invalid hashes: the library names files and folders after them."""

    def check(response: Any) -> None:  # noqa: ANN401  of whichever HTTP library is in use
        for header in _NAMING_HEADERS:
            if not _PLAIN_NAME.fullmatch(response.headers.get(header, "")):
                raise _misled(spec)

    client = get_session()
    before = client.event_hooks
    client.event_hooks = {**before, "response": [*before.get("response", []), check]}
    try:
        yield
    finally:
        client.event_hooks = before


def _misled(spec: HubSpec) -> ModelUnavailableError:
    msg = f"model '{spec}': the hub names a path outside the folder of downloads"
    return ModelUnavailableError(msg, hint="check HF_ENDPOINT: the server may not be a hub")


@contextmanager
def _explained(spec: HubSpec) -> Iterator[None]:
    """Turn the library's errors into one sentence without addresses and tokens."""
    try:
        yield
    except (HTTPError, OSError, HFValidationError) as error:
        said, hint = _in_one_sentence(error, spec)
        msg = f"model '{spec}': {said}"
        # Not "from error": the library's messages contain signed addresses.
        raise ModelUnavailableError(msg, hint=hint) from None


def _in_one_sentence(error: Exception, spec: HubSpec) -> tuple[str, str]:
    """Return what went wrong, and a hint at what to do."""
    if isinstance(error, LocalEntryNotFoundError) and isinstance(error.__cause__, Exception):
        return _in_one_sentence(error.__cause__, spec)
    for kind, said, hint in _SENTENCES:
        if isinstance(error, kind):
            return said.format(spec=spec), hint
    if isinstance(error, HfHubHTTPError):
        return _of_status(error.response.status_code)
    if isinstance(error, HTTPError):
        return f"the hub cannot be reached ({type(error).__name__})", _NETWORK_HINT
    if isinstance(error, OSError) and error.errno is not None:
        return f"it cannot be kept: {error.strerror}", _ROOM_HINT
    return "the transfer broke off", "run it again"


def _of_status(status: int) -> tuple[str, str]:
    """Return the sentence and hint for an HTTP status of the hub."""
    if status == _NOT_FOUND:
        return _NO_REPOSITORY
    if status in _NOT_ALLOWED:
        return f"the hub does not allow it (HTTP {status})", _ACCESS_HINT
    return f"the hub answers HTTP {status}", "try again later"
