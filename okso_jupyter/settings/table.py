"""Table of settings: a field's name in upper case is its name in the environment and for `--set`.

Precedence: cell option > Session or %config > environment > config.env > default.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Self

import platformdirs

from okso_jupyter.config_file import read_config
from okso_jupyter.errors import SettingError
from okso_jupyter.settings.mail_rows import MailRows
from okso_jupyter.settings.ranges import checked, setting
from okso_jupyter.settings.sources import config_path, known_values, names_of, places

#: Shown in place of a secret.
HIDDEN: Final = "(set)"
#: Minimum similarity, from 0 to 1, at which a name is taken for a misspelt setting.
_NEAR: Final = 0.85
#: Prefix of a model role's settings.
_SPEC_PREFIXES: Final[Mapping[str, str]] = {
    "planner": "planner",
    "executor": "executor",
    "rephraser": "search_rephraser",
    "intent": "intent",
    "validator": "validator",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(MailRows):
    """All settings, checked; docs/settings.md has them as a table.

    Fields of the base classes come first, so planning comes before running.
    """

    # Web
    web_http_timeout: float = setting(
        20.0, "Time of one web request, redirects and retries included", unit="s", low=0.1, high=600
    )
    web_http_connect_timeout: float = setting(
        5.0, "Time for connecting to a web host", unit="s", low=0.1, high=600
    )
    web_http_retries: int = setting(
        1, "Repetitions of a web request that failed temporarily", unit="retries", low=0, high=10
    )
    web_http_retry_delay: float = setting(
        1.0, "Time before a web request is repeated", unit="s", low=0, high=60
    )
    web_fetch_max_bytes: int = setting(
        5242880, "Most bytes of a web page; what is beyond is cut off",
        unit="bytes", low=1, high=1 << 28,
    )  # fmt: skip
    search_provider: str | None = setting(
        None, "Who answers web searches; google where its keys are set, else searxng where its "
        "address is, else none", choices=("google", "searxng", "ddgs"), optional=True,
    )  # fmt: skip
    google_search_api_key: str | None = setting(
        None, "Key of Google Custom Search; also read from `.env` beside the notebook",
        aliases=("OKSO_GOOGLE_CSE_API_KEY",), optional=True, secret=True,
    )  # fmt: skip
    google_search_cx: str | None = setting(
        None, "Search engine of Google Custom Search; also read from `.env` beside the notebook",
        aliases=("OKSO_GOOGLE_CSE_ID",), optional=True, secret=True,
    )  # fmt: skip
    searxng_url: str | None = setting(
        None, "Address of a SearXNG instance; it may be on this machine", optional=True
    )
    # Feedback
    feedback_enabled: bool = setting(default=True, meaning="False takes no ratings")
    feedback_output_path: str | None = setting(
        None, "JSONL file of ratings, in OKSO_HOME or the folder of config.env; feedback.jsonl in "
        "OKSO_HOME where it is not set", optional=True,
    )  # fmt: skip
    feedback_min_interval: float = setting(
        0.0, "Time between two ratings", unit="s", low=0, high=86400
    )
    feedback_max_entries: int = setting(
        1000, "Ratings in the file; a full one is kept beside the new one",
        unit="ratings", low=1, high=1_000_000,
    )  # fmt: skip
    feedback_noninteractive_input: str | None = setting(
        None, "Answer to every question for a rating, as `rating|note`", optional=True
    )
    testing_passthrough: bool = setting(
        default=False, meaning="True asks no model at all: plans by keywords, arguments as they "
        "are given, answers from what was observed",
    )  # fmt: skip
    # llama.cpp
    llama_default_context_size: int = setting(
        4096, "Context of a model in this process", unit="tokens", low=256, high=1048576
    )
    llama_context_cap: int = setting(
        8192, "Longest context that a long prompt may raise it to", unit="tokens",
        low=256, high=1048576,
    )  # fmt: skip
    llama_context_margin_percent: int = setting(
        15, "Added to the tokens that a call is known to need", unit="%", low=0, high=400
    )
    llama_threads: int | None = setting(
        None, "Threads of llama.cpp; measured on the work itself where it is not set",
        unit="threads", low=1, high=1024, optional=True, unset="auto",
    )  # fmt: skip
    llama_temperature: float | None = setting(
        None, "Overrides the temperature of every role", low=0, high=1, optional=True
    )
    llama_bin: str | None = setting(
        None, "A llama.cpp server binary that runs GGUF files, in place of the library in this "
        "process", optional=True,
    )  # fmt: skip
    llama_timeout_s: float = setting(
        0.0, "Longest time of one call of a served model; 0 is none", unit="s", low=0, high=86400,
        aliases=("LLAMA_TIMEOUT_SECONDS",),
    )  # fmt: skip
    okso_api_key: str | None = setting(
        None, "Key that is sent to the servers of http model specs; never shown",
        optional=True, secret=True,
    )  # fmt: skip
    send: str = setting(
        "all", "What a model's server on another machine may be told besides the request and file "
        "names: everything; table headers; nothing. Values of the notebook and contents of files, "
        "pages and outputs are sent under `all` alone", choices=("all", "headers", "names"),
    )  # fmt: skip
    # Logs and files
    okso_home: str | None = setting(
        None, "Folder of journal and logs, private; the user's state folder where it is not set",
        optional=True,
    )  # fmt: skip
    keep_days: int = setting(
        0, "Age at which ended runs leave the journal with their undo images; 0 keeps them until "
        "it is full", unit="days", low=0, high=36500,
    )  # fmt: skip
    okso_record: str | None = setting(
        None, "Recording that the runs are added to: a file with completions, outputs of tools and "
        "decisions, raw and private", optional=True,
    )  # fmt: skip
    okso_replay: str | None = setting(
        None, "Recording that the runs are played back from; nothing is asked live", optional=True
    )
    okso_plan_output: str | None = setting(
        None, "File that gets the plan when it is shown, then as decided, with who and when",
        optional=True,
    )  # fmt: skip
    okso_trace_dir: str | None = setting(
        None, "Folder that gets run, plans and steps of every run as JSON files, without secrets",
        optional=True,
    )  # fmt: skip
    okso_run_id: str | None = setting(
        None, "Id of the run; UTC time and a random part where it is not set", optional=True
    )
    verbosity: int = setting(
        1, "Log of `okso_jupyter`: 0 warnings, 1 information, 2 debug with prompts", low=0, high=2
    )

    def __post_init__(self) -> None:
        """Check every value, so that no invalid Settings can exist."""
        for spec in fields(self):
            value = checked(spec.name, getattr(self, spec.name), spec.metadata, spec.type)
            object.__setattr__(self, spec.name, value)

    @classmethod
    def load(
        cls,
        *layers: Mapping[str, Any],
        environ: Mapping[str, str] | None = None,
        config_file: Path | None = None,
        folder: Path | None = None,
    ) -> Self:
        """Read the settings from all sources; later layers override earlier ones.

        Args:
            layers: Mappings of names in upper case to values, strongest last.
            environ: The environment; by default that of the process.
            config_file: A `config.env`; by default the user's own.
            folder: Folder of a `.env` with search keys; by default the working folder.

        Raises:
            SettingError: A name is unknown or a value out of range; the message names its source.
        """
        values: dict[str, Any] = {}
        for place, layer in places(environ, config_file, folder):
            values |= known_values(fields(cls), layer, place, strict=False)
        for layer in layers:
            values |= known_values(fields(cls), layer, "", strict=True)
        return cls(**values)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return the defaults with these values, by name in upper case; no other source is read.

        Raises:
            SettingError: A name is unknown or a value out of range.
        """
        return cls(**known_values(fields(cls), values, "", strict=True))

    def with_accepted(self, values: Mapping[str, Any]) -> Self:
        """Return these settings with each of the values, by field, that is accepted."""
        accepted: dict[str, Any] = {}
        for spec in fields(self):
            if spec.name in values:
                with suppress(SettingError):
                    given = values[spec.name]
                    accepted[spec.name] = checked(spec.name, given, spec.metadata, spec.type)
        return replace(self, **accepted)

    @property
    def home(self) -> Path:
        """Folder of the journal and the logs."""
        if self.okso_home:
            return Path(self.okso_home).expanduser()
        return Path(platformdirs.user_state_path("okso"))

    @property
    def cache(self) -> Path:
        """Folder of files that can be recreated on this machine, independent of `home`."""
        return Path(platformdirs.user_cache_path("okso"))

    @property
    def after_failure(self) -> str:
        """What to do after a fatal failure: ON_FAILURE unless PLAN_ABORT_ON_STEP_FAILURE is set."""
        return "stop" if self.plan_abort_on_step_failure else self.on_failure

    @property
    def debug_log(self) -> Path:
        """File of the candidates' log."""
        if self.planner_debug_log:
            return Path(self.planner_debug_log).expanduser()
        return self.home / "planner_candidates.jsonl"

    def temperature_for(self, samples: int) -> float:
        """Return the sampling temperature for this many plans."""
        for temperature in (self.llama_temperature, self.planner_temperature):
            if temperature is not None:
                return temperature
        return 0.2 if samples == 1 else 0.7

    @property
    def fallback(self) -> str:
        """How to plan if there is no model."""
        return "keyword" if self.testing_passthrough else self.planner_fallback

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values of all secret settings, which must never be shown."""
        values = (getattr(self, spec.name) for spec in fields(self) if spec.metadata.get("secret"))
        return tuple(value for value in values if value)

    def to_dict(self) -> dict[str, Any]:
        """Return every setting by its name in upper case; a secret one is replaced by a mark."""
        return {
            spec.name.upper(): HIDDEN if value and spec.metadata.get("secret") else value
            for spec in fields(self)
            for value in [getattr(self, spec.name)]
        }

    def model_of(self, role: str) -> tuple[str, str]:
        """Return the model spec and revision of a role, or of the role it falls back to."""
        prefix = _SPEC_PREFIXES[role]
        spec: str | None = getattr(self, f"{prefix}_model_spec")
        if spec is None:
            return self.model_of("executor" if role == "validator" else "planner")
        return spec, getattr(self, f"{prefix}_model_branch")


def names() -> Mapping[str, str]:
    """Return every allowed name in upper case, aliases included, with its field."""
    return names_of(fields(Settings))


def misspelt(config_file: Path | None = None) -> dict[str, str]:
    """Return the names in `config.env` that look like a misspelt setting, with that setting.

    Other unknown names are not mistakes: okso reads the same file.

    Args:
        config_file: A `config.env`; by default the user's own.

    Raises:
        SettingError: The file cannot be read.
    """
    known = names()
    strangers = [name for name in read_config(config_file or config_path()) if name not in known]
    nearest = (difflib.get_close_matches(name.upper(), known, 1, _NEAR) for name in strangers)
    return {name: near[0] for name, near in zip(strangers, nearest, strict=True) if near}


def sources(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the source of each setting that some source sets, by field name.

    Args:
        config: Values set with `%config`, by name in upper case.

    Raises:
        SettingError: `config.env` cannot be read.
    """
    known = names()
    return {
        known[name]: place
        for place, layer in [*places(), ("%config", config)]
        for name in layer
        if name in known
    }
