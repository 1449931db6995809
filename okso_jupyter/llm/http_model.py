"""HttpModel: completions from an OpenAI-compatible chat server.

One request per seed, a few at a time, in a thread that lives as long as the call. The caller
waits in its own thread, gets progress there, and can end everything by an interrupt. The server
enforces the schema where it can, and every text is checked here. `CompletionRequest.hot` applies
only to models in this process: a server samples whole texts at one temperature.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import httpx

from okso_jupyter import assets
from okso_jupyter.errors import DocumentError, ModelError, ModelUnavailableError
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.answer_text import has_blanks, ignores, without_fence, without_thinking
from okso_jupyter.llm.background_loop import BackgroundLoop
from okso_jupyter.llm.dialect import SCHEMAS, Dialect, unwrapped
from okso_jupyter.llm.endpoint import Endpoint, RefusedError
from okso_jupyter.llm.exchange import Exchange, Known
from okso_jupyter.llm.model_data import model_data
from okso_jupyter.llm.only_text import only_text, with_end, without_end
from okso_jupyter.llm.probes import ask, best_after, has_dialect
from okso_jupyter.llm.protocol import (
    Completion,
    CompletionRequest,
    Finish,
    ModelIdentity,
    Sampling,
    ServedQuestion,
    as_bytes,
    parameters_in,
)
from okso_jupyter.llm.remote_host import remote_host
from okso_jupyter.llm.sending import KINDS
from okso_jupyter.llm.server_memory import Remembered, ServerMemory
from okso_jupyter.llm.stream import PartialCompletion
from okso_jupyter.log import LOGGER

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

#: Most concurrent requests.
_MOST_AT_ONCE: Final = 4
#: Seconds of silence after which a server counts as gone, if LLAMA_TIMEOUT_S sets no limit.
_SILENCE_S: Final = 300.0
_TICK_S: Final = 0.2
_MOST_COMPLAINT: Final = 200
#: Longest wait for the list of models, and for the next try if there was no answer.
_SURVEY_S: Final = 3.0
_PAUSE_S: Final = 30.0


class HttpModel:
    """A model behind an address.

    Args:
        endpoint: The server and its model.
        timeout_s: Most seconds of one call with all its completions; 0 for no limit.
        identity: Its identity, if more is known than its address states.
        send: The setting SEND, for the notice before the first request.
        memory: Where it is remembered what the server can do; None to forget it with the model.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        timeout_s: float = 0.0,
        identity: ModelIdentity | None = None,
        send: str = "all",
        memory: ServerMemory | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._timeout_s = timeout_s
        self._identity = identity or ModelIdentity(spec=endpoint.spec, name=endpoint.model)
        self._known = Known()
        self._served = ""
        self._send = send
        self._is_told = endpoint.is_local
        self._memory = memory
        self._models: str | None = None
        self._next_survey = 0.0
        self._lock = threading.Lock()
        if endpoint.travels_openly:
            LOGGER.warning("the key travels unencrypted", extra={"detail": endpoint.address})

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is; its build is known after its first answer.

        Where the name does not tell the size, the server is asked.
        """
        if not (self._identity.weights_bytes or parameters_in(self._identity.name)):
            self._survey()
        # a small model mostly runs on few cores, which write two texts in twice the time
        return replace(self._identity, together=1) if self._identity.is_small else self._identity

    @property
    def endpoint(self) -> Endpoint:
        """Its server."""
        return self._endpoint

    @property
    def dialect(self) -> Dialect:
        """How schemas are sent to its server, as far as its answers told."""
        return self._known.dialect

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed; see `LanguageModel.complete`.

        An unusable completion states the reason in its `flaw`. If every completion failed, the
        first error is raised. See `ServedQuestion` for the check of answers. A text that its
        schema determines is not asked for, nor is an end that it determines.
        """
        served = None if request.schemas else request.served
        is_read_by_asker = served is not None and not served.is_checked
        request = request.for_server
        for message in request.messages:
            as_bytes(message.content)  # raises before a server gets a text that it cannot read
        drafts = [_draft(request, place, self._timeout_s) for place in range(len(request.seeds))]
        schemas = [request.schema_of(place) for place in range(len(drafts))]
        # usually one schema for all: to check that it is valid takes as long as some texts
        by_schema = {id(schema): schema for schema in schemas}
        checkers = {
            key: None if is_read_by_asker else _validator(schema)
            for key, schema in by_schema.items()
        }
        texts = {key: only_text(schema) for key, schema in by_schema.items()}
        for draft, schema in zip(drafts, schemas, strict=True):
            draft.settle(texts[id(schema)])
        given_up = self._fill(request, [draft for draft in drafts if not draft.is_certain])
        errors = [draft.error for draft in drafts if draft.error]
        if errors and len(errors) == len(drafts):
            raise errors[0]
        if served is not None:
            for draft in drafts:
                draft.text = _framed(draft.text, served)
        sent = "\n".join(f"{turn.role}: {turn.content}" for turn in request.messages)
        return [
            _completion(draft, "" if draft.is_certain else sent, checkers[id(schema)], given_up)
            for draft, schema in zip(drafts, schemas, strict=True)
        ]

    def close(self) -> None:
        """Do nothing: no resource is held between calls."""

    def _fill(self, request: CompletionRequest, drafts: Sequence[PartialCompletion]) -> Finish:
        """Have the server write drafts, and learn from its answers; do nothing without drafts.

        Returns:
            The finish of the drafts that the server did not end.
        """
        if not drafts:
            return "stop"
        self._survey()
        with interrupt.deferred():
            job = BackgroundLoop(self._write_all(request, drafts))
            try:
                given_up = _followed(job, request, drafts)
            finally:
                job.stop()
        for draft in drafts:
            text = without_thinking(draft.answer, is_json=draft.schema is not None)
            draft.text = unwrapped(text, draft.schema)
        self._learn(drafts)
        if all(draft.finish for draft in drafts):  # else the time is up, or the server fails
            self._learn_what_is_ignored(drafts)
            self._learn_what_is_shorter(drafts)
        self._remember(drafts)
        for draft in drafts:
            draft.text = with_end(draft.text, draft.schema, draft.end)
        return given_up

    def _tell(self) -> None:
        """Say once, before the first request, what leaves this machine and where it goes."""
        if self._is_told:
            return
        self._is_told = True
        detail = {
            "to": remote_host(self._endpoint.spec),
            "what": ", ".join(KINDS[self._send]),
            "SEND": self._send,
        }
        LOGGER.warning("the model's prompts leave this machine", extra={"detail": detail})

    def _survey(self) -> None:
        """Ask once what the server serves, and recall what it can do if that is unchanged."""
        self._tell()
        if self._memory is None or self._models is not None:
            return
        with self._lock:
            if time.monotonic() < self._next_survey:  # another thread has asked
                return
            self._next_survey = time.monotonic() + _PAUSE_S
            found = ask(self._endpoint, model_data, _SURVEY_S)
        if found is None:  # it does not answer yet
            return
        self._models = found.models
        known = self._memory.of(self._endpoint.spec)
        is_unchanged = known is not None and known.models == found.models
        if known is None or not is_unchanged:
            known = Remembered()
        self._known.dialect, self._known.needs_blanks = known.dialect, known.needs_blanks
        self._identity = replace(self._identity, parameters=found.parameters)

    def _remember(self, drafts: Sequence[PartialCompletion]) -> None:
        """Remember how schemas are sent, after it worked."""
        if self._memory is None or self._models is None:
            return
        found = Remembered(
            dialect=self._known.dialect,
            models=self._models,
            needs_blanks=self._known.needs_blanks,
        )
        is_shown = any(_is_whole(draft) and draft.schema is not None for draft in drafts)
        if is_shown and self._memory.of(self._endpoint.spec) != found:
            self._memory.keep(self._endpoint.spec, found)

    async def _write_all(
        self, request: CompletionRequest, drafts: Sequence[PartialCompletion]
    ) -> None:
        """Write all drafts, a few at a time, until the time is up."""
        limit_s = self._timeout_s or None
        # the limit of the call is to end it, whatever blocks it
        silence_s = 2 * limit_s if limit_s else _SILENCE_S
        places = asyncio.Semaphore(_MOST_AT_ONCE)
        try:
            async with (
                asyncio.timeout(limit_s),
                self._endpoint.client(silence_s) as client,
                asyncio.TaskGroup() as group,
            ):
                exchange = Exchange(
                    endpoint=self._endpoint, client=client, request=request, drafts=drafts,
                    known=self._known,
                )  # fmt: skip
                for draft in drafts:
                    group.create_task(self._write(exchange, draft, places))
        except TimeoutError:
            msg = f"{self._endpoint.address} gave no complete answer within {limit_s:g} s"
            late = ModelError(msg, hint="raise LLAMA_TIMEOUT_S, or ask for fewer samples")
            for draft in drafts:
                draft.error = draft.error if draft.done else late

    async def _write(
        self, exchange: Exchange, draft: PartialCompletion, places: asyncio.Semaphore
    ) -> None:
        """Write one draft; store an error in it, so that the others continue."""
        async with places:
            draft.started = time.monotonic()
            try:
                await exchange.fill(draft)
            except RefusedError as refused:
                draft.error = self._endpoint.explain(refused)
            except ModelError as error:
                said = f"{self._endpoint.address}: {self._endpoint.clean(error.message)}"
                draft.error = ModelError(said, hint=error.hint)
            except httpx.HTTPError as error:
                draft.error = self._unreachable(error)
            draft.duration_s = time.monotonic() - draft.started

    def _unreachable(self, error: httpx.HTTPError) -> ModelError:
        """Return the error for a failure of the connection."""
        address = self._endpoint.address
        if isinstance(error, httpx.ReadTimeout):
            msg = f"{address} stopped sending"
            return ModelUnavailableError(msg, hint="is the server overloaded?")
        reason = self._endpoint.clean(str(error)) or type(error).__name__
        msg = f"{address} does not answer: {reason}"
        return ModelUnavailableError(msg, hint="does the server run, and is the address right?")

    def _learn_what_is_ignored(self, drafts: Sequence[PartialCompletion]) -> None:
        """Send schemas in another way if the server takes one and holds no text to it."""
        whole = [(d.text, d.schema) for d in drafts if _is_whole(d) and d.schema and d.text.strip()]
        before = self._known.dialect
        if before == "words" or not whole:
            return
        if all(ignores(text, schema) for text, schema in whole):
            limit_s = self._timeout_s or _SILENCE_S
            other = ask(self._endpoint, partial(best_after, before), limit_s)
            self._known.dialect = other or "words"
            if self._known.dialect in {"json_mode", "words"}:
                LOGGER.warning(
                    "the server ignores the JSON Schema: the model is told it in words",
                    extra={"detail": self._endpoint.address},
                )

    def _learn_what_is_shorter(self, drafts: Sequence[PartialCompletion]) -> None:
        """Send grammars to a server that takes them, if its model writes blanks into its JSON."""
        is_tried = self._known.dialect not in SCHEMAS or self._known.needs_blanks
        if is_tried or not any(_is_whole(d) and d.schema and has_blanks(d.answer) for d in drafts):
            return
        question = partial(has_dialect, "grammar")
        if ask(self._endpoint, question, self._timeout_s or _SILENCE_S):
            self._known.dialect = "grammar"
        else:
            self._known.needs_blanks = True

    def _learn(self, drafts: Sequence[PartialCompletion]) -> None:
        """Store the server's name for its build; tell where it answers with another model."""
        served = [self._endpoint.clean(draft.model) for draft in drafts if draft.model]
        if served and self._served not in {"", served[0]}:
            detail = f"{self._endpoint.address}: {self._served} before, {served[0]} now"
            LOGGER.warning("the server answers with another model", extra={"detail": detail})
            self._models, self._next_survey = None, 0.0
        self._served = served[0] if served else self._served
        builds = [self._endpoint.clean(draft.build) for draft in drafts if draft.build]
        if builds:
            self._identity = replace(self._identity, build=builds[0])


def _draft(request: CompletionRequest, place: int, timeout_s: float) -> PartialCompletion:
    """Return the completion at an index, before anything of it is written."""
    schema, end = without_end(request.schema_of(place))
    return PartialCompletion(
        seed=request.seeds[place],
        max_tokens=request.max_tokens,
        schema=schema,
        end=end,
        silence_s=math.inf if timeout_s else _SILENCE_S,
    )


def _followed(
    job: BackgroundLoop, request: CompletionRequest, drafts: Sequence[PartialCompletion]
) -> Finish:
    """Wait until all drafts are written, or time limits end the call; report progress.

    Returns:
        The finish of the drafts that the server did not end.
    """
    started = time.monotonic()
    while not job.wait(_TICK_S):
        interrupt.raise_if_pending()
        elapsed_s = time.monotonic() - started
        has_whole = any(map(_is_whole, drafts))
        if 0 < request.enough_after_s < elapsed_s and has_whole:
            return "time"
        if 0 < request.drafts_after_s < elapsed_s:
            return "time" if has_whole else "draft"
        if request.on_progress is not None:
            request.on_progress(_progress(drafts, elapsed_s))
    return "time"


def _progress(drafts: Sequence[PartialCompletion], elapsed_s: float) -> Sampling:
    """Return the progress of a call; each piece of a stream counts as a token."""
    pieces = sum(draft.pieces for draft in drafts)
    begun = any(draft.pieces for draft in drafts)
    prompt_tokens = max((draft.count("prompt_tokens") for draft in drafts), default=0)
    return Sampling(
        prompt_tokens=prompt_tokens,
        prompt_done=prompt_tokens if begun else 0,
        completions=len(drafts),
        completions_done=sum(draft.done for draft in drafts),
        output_tokens=pieces,
        elapsed_s=elapsed_s,
        tokens_per_s=pieces / elapsed_s if elapsed_s else 0.0,
    )


def _framed(text: str, served: ServedQuestion) -> str:
    """Return an answer with what stands around it; a text of another form as it is."""
    if not served.before:
        return text
    try:
        value = json.loads(without_fence(text))
    except (ValueError, RecursionError):  # the latter: too deeply nested
        return text
    is_answer = assets.validator_for(dict(served.schema)).is_valid(value)
    inside = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"{served.before}{inside}{served.after}" if is_answer else text


def _is_whole(draft: PartialCompletion) -> bool:
    return draft.finish == "stop" and draft.error is None


def _completion(
    draft: PartialCompletion, prompt: str, validator: Validator | None, given_up: Finish
) -> Completion:
    """Return the completion of a draft; figures are the server's, 0 if it gives none.

    Args:
        draft: The draft.
        prompt: The text of the messages; empty if they were not sent.
        validator: Checks a complete text; None if any text will do.
        given_up: The finish of a draft that the server did not end.
    """
    text, flaw = draft.text, ""
    if draft.error is not None:
        flaw = draft.error.message
    elif validator is not None and draft.finish == "stop":
        text = without_fence(text)
        flaw = _flaw(text, validator)
    return Completion(
        text=text,
        seed=draft.seed,
        prompt=prompt,
        prompt_tokens=draft.count("prompt_tokens"),
        cached_tokens=draft.count("prompt_tokens_details", "cached_tokens"),
        output_tokens=draft.count("completion_tokens"),
        duration_s=draft.duration_s,
        finish=draft.finish or ("length" if draft.error else given_up),
        flaw=flaw,
    )


def _validator(schema: Mapping[str, Any] | None) -> Validator | None:
    """Return a validator for the schema; None if any text will do.

    Raises:
        ModelError: The schema cannot be enforced.
    """
    if schema is None:
        return None
    try:
        json.dumps(schema, allow_nan=False)
        return assets.validator_for(dict(schema))
    except (DocumentError, ValueError, TypeError, RecursionError) as error:
        why = error.message if isinstance(error, DocumentError) else error
        msg = f"the schema cannot be enforced: {why}"
        raise ModelError(msg) from error


def _flaw(text: str, validator: Validator) -> str:
    """Return how a text breaks its schema, or ""."""
    try:
        error = assets.best_violation(validator, json.loads(text))
    except (ValueError, RecursionError):  # the latter: too deeply nested
        return "it is not JSON"
    if error is None:
        return ""
    place = f" at {error.json_path}" if error.path else ""
    return f"it breaks the schema{place}: {error.message[:_MOST_COMPLAINT]}"
