"""Models at hand: files and servers of this machine, what fits it, and a test of one model."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, get_args

from okso_jupyter import assets
from okso_jupyter.errors import OksoError
from okso_jupyter.frames.columns import Column, frame
from okso_jupyter.llm.abilities import abilities
from okso_jupyter.llm.autotune import choose
from okso_jupyter.llm.downloads import Downloads
from okso_jupyter.llm.endpoint import Endpoint
from okso_jupyter.llm.http_model import HttpModel
from okso_jupyter.llm.hub_cache import HubCache
from okso_jupyter.llm.local_servers import SERVERS, models_of_servers
from okso_jupyter.llm.memory import measure
from okso_jupyter.llm.protocol import CompletionRequest, LanguageModel, Message, Role
from okso_jupyter.llm.registry import is_address, open_model
from okso_jupyter.llm.remote_host import remote_host
from okso_jupyter.llm.specs import BUNDLED, look_up
from okso_jupyter.settings import Settings

if TYPE_CHECKING:
    import pandas as pd

#: Share of the free memory that weights may take: the context needs the rest.
_SHARE: Final = 0.8
_GB: Final = 1e9
#: Longest time in seconds that the tested model may take, if LLAMA_TIMEOUT_S sets no limit.
_TEST_S: Final = 60.0
#: What every model in this process can do.
_IN_PROCESS: Final = "schema, seeds, grammar"
_YES: Final = {
    "type": "object",
    "properties": {"ready": {"enum": ["yes", "no"]}},
    "required": ["ready"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """One model at hand.

    Attributes:
        model: Its spec, as it stands in the settings.
        place: What it is, and where.
        roles: The roles that use it.
        size_bytes: Size of its weights; 0 if unknown.
        fits: Whether the weights fit into the free memory, in words; empty if it is a server's.
        found: What a test or the choice of `auto` says.
        can: What it can do; empty for a server that was not tested.
    """

    model: str
    place: str
    roles: tuple[str, ...] = ()
    size_bytes: int = 0
    fits: str = ""
    found: str = ""
    can: str = ""


_COLUMNS: tuple[Column[ModelRow], ...] = (
    Column("model", "object", "", lambda row: row.model),
    Column("place", "object", "", lambda row: row.place),
    Column("used_for", "object", "", lambda row: ", ".join(row.roles)),
    Column("size", "float64", "GB", lambda row: row.size_bytes / _GB or None),
    Column("fits", "object", "", lambda row: row.fits),
    Column("can", "object", "", lambda row: row.can),
    Column("found", "object", "", lambda row: row.found),
)


def models_table(
    settings: Settings, tested: str = "", ports: Mapping[str, int] = SERVERS
) -> pd.DataFrame:
    """Return one row per model at hand, or one for the tested model.

    Args:
        settings: The settings.
        tested: Spec of a model to test; empty to list what is there.
        ports: Ports of this machine where servers are looked for.
    """
    rows = [_tested(tested, settings)] if tested else list(_listed(settings, ports))
    return frame(rows, _COLUMNS).set_index("model")


def _listed(settings: Settings, ports: Mapping[str, int]) -> Iterator[ModelRow]:
    """Yield the models of the settings, then the other files, then servers of this machine."""
    roles = _roles(settings)
    seen = set()
    served = (
        ModelRow(model=spec, place=f"server on this machine ({name})")
        for spec, name in models_of_servers(ports)
    )
    cached = {row.model: row for row in _of_caches(settings)}
    for row in (*_of_settings(settings, roles), *cached.values(), *served):
        if row.model not in seen:
            seen.add(row.model)
            yield replace(cached.get(row.model, row), roles=roles.get(row.model, ()))


def _roles(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return the roles by the spec of their model."""
    found: dict[str, tuple[str, ...]] = {}
    for role in get_args(Role):
        spec = settings.model_of(role)[0]
        shown = _of_spec(spec, settings).model
        found[shown] = (*found.get(shown, ()), role)
    return found


def _of_settings(settings: Settings, roles: Mapping[str, object]) -> Iterator[ModelRow]:
    yield from (_of_spec(spec, settings) for spec in roles)
    yield _of_spec(BUNDLED, settings)
    wanted = choose("planner")
    yield ModelRow(model="auto", place=f"means {wanted.spec}", fits="yes", found=wanted.reason)


def _of_spec(spec: str, settings: Settings) -> ModelRow:
    """Return the row of a spec; nothing is loaded, downloaded or asked."""
    if is_address(spec):
        return _of_address(spec)
    if spec == "auto":
        return ModelRow(model=spec, place=f"means {choose('planner').spec}")
    try:
        there = look_up(spec, home=settings.home)
    except OksoError as error:
        return ModelRow(model=spec, place="missing", found=error.message)
    size = there.path.stat().st_size if there.path else 0
    place = there.source if there.path else "on the hub, downloaded when it is first used"
    return ModelRow(model=spec, place=place, size_bytes=size, fits=_fits(size), can=_IN_PROCESS)


def _of_address(spec: str) -> ModelRow:
    """Return the row of a server's model, without credentials."""
    try:
        endpoint = Endpoint.from_spec(spec)
    except OksoError as error:
        return ModelRow(
            model=spec.rpartition("@")[2].partition("?")[0], place="no address", found=error.message
        )
    host = remote_host(spec)
    place = f"server at {host}, not this machine" if host else "server on this machine"
    return ModelRow(model=endpoint.spec, place=place)


def _of_caches(settings: Settings) -> Iterator[ModelRow]:
    """Yield the files that were downloaded, by this package or by others."""
    for place, cache in (
        ("in the Hugging Face cache", HubCache.of_user()),
        ("downloaded", HubCache(Downloads(settings.home).files)),
    ):
        for spec, file, _ in cache.models():
            yield ModelRow(
                model=spec, place=place, size_bytes=file.size_bytes, fits=_fits(file.size_bytes)
            )


def _fits(size_bytes: int) -> str:
    """Return whether weights fit into the memory that is free now, in words."""
    free = measure().free_bytes
    if not size_bytes or free is None:
        return ""
    return "yes" if size_bytes <= _SHARE * free else f"no: {free / _GB:.1f} GB are free"


def _tested(spec: str, settings: Settings) -> ModelRow:
    """Return the row of a model with the result of one short question."""
    row = _of_spec(spec, settings)
    question = CompletionRequest(
        role="planner",
        messages=(Message("user", assets.prompt("doctor")),),
        seeds=(0,),
        temperature=0,
        max_tokens=64,
        schema=_YES,
    )
    started = time.monotonic()
    try:
        limit_s = settings.llama_timeout_s or _TEST_S
        model = open_model(spec, replace(settings, llama_timeout_s=limit_s))
        (answer,) = model.complete(question)
    except OksoError as error:
        return replace(row, found=f"does not work: {error}")
    took = f"{time.monotonic() - started:.1f} s"
    try:
        row = replace(row, can=_can(model, row.can, obeyed=not answer.flaw, limit_s=limit_s))
    except OksoError as error:
        row = replace(row, can=f"not told: {error.message}")
    if answer.flaw:
        return replace(row, found=f"answers in {took}, but {answer.flaw}")
    return replace(row, found=f"works: answers in {took}, and the answer obeys its schema")


def _can(model: LanguageModel, known: str, *, obeyed: bool, limit_s: float) -> str:
    """Return what a model can do; a server is asked."""
    if not isinstance(model, HttpModel):
        return known
    return ", ".join(abilities(model, obeyed=obeyed, limit_s=limit_s))
