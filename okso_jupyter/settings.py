"""Every setting once: its name, default, range, unit and meaning.

A field's name in capitals is the name in the environment, in `config.env` and after `--set`.
Precedence: cell option > Session or %config > environment > config.env > default. Nothing else
reads the environment.
"""

from __future__ import annotations

import difflib
import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self

import platformdirs

from okso_jupyter.config_file import read_config
from okso_jupyter.errors import SettingError


def _setting(  # noqa: PLR0913  one argument per column of the table
    default: Any,  # noqa: ANN401  any of the kinds below
    meaning: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    optional: bool = False,
) -> Any:  # noqa: ANN401  what `field` gives
    metadata = {
        "meaning": meaning,
        "unit": unit,
        "low": low,
        "high": high,
        "choices": choices,
        "aliases": aliases,
        "optional": optional,
    }
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, checked; see the README for the same as a table."""

    # Planner
    planner_model_spec: str = _setting("bundled", "Model that plans: `bundled` or a GGUF file")
    executor_model_spec: str | None = _setting(
        None,
        "Model that fills arguments and composes answers; the planner's where it is not set",
        aliases=("REACT_MODEL_SPEC",),
        optional=True,
    )
    planner_sample_count: int = _setting(
        3, "Candidates to sample; below 1 counts as 1", unit="plans", high=256
    )
    planner_temperature: float | None = _setting(
        None,
        "Sampling temperature; 0.7, or 0.2 for a single candidate",
        low=0,
        high=1,
        optional=True,
    )
    planner_max_output_tokens: int = _setting(
        1024, "Most tokens of one candidate", unit="tokens", low=16, high=32768
    )
    planner_max_plan_steps: int = _setting(
        6, "Budget of a plan, `final_answer` included", unit="steps", low=1, high=64
    )
    planner_debug_log: str | None = _setting(
        None, "JSONL log of the candidates; in OKSO_HOME where it is not set", optional=True
    )
    planner_seed: int | None = _setting(
        None, "Seed of the first candidate; drawn and recorded where it is not set",
        low=0, high=2**53, optional=True,
    )  # fmt: skip
    score_preset: str = _setting(
        "default", "Scoring rules: okso's own points, or its rules with repaired incentives",
        choices=("default", "okso"),
    )  # fmt: skip
    score_length: str = _setting("budget", "How length is scored", choices=("budget", "quadratic"))
    len_penalty_k: float = _setting(
        1.0, "Factor of the quadratic length rule", unit="points", low=0, high=1000
    )
    score_args: str = _setting(
        "lenient", "Argument checks: `lenient` overlooks what is missing or still to be filled",
        choices=("lenient", "strict", "off"),
    )  # fmt: skip
    score_weights: Mapping[str, float] = field(
        default_factory=dict,
        metadata={"meaning": "Factor per scoring rule, as a JSON object; 1 where none is given"},
    )
    # Approval
    okso_approve: str = _setting("ask", "Who decides about a plan", choices=("ask", "auto", "deny"))
    approve_all: bool = _setting(default=False, meaning="True means the same as OKSO_APPROVE=auto")
    plan_require_approval: bool = _setting(
        default=True, meaning="False means the same as OKSO_APPROVE=auto"
    )
    force_confirm: bool = _setting(default=False, meaning="True asks whatever else is said")
    okso_approve_timeout_s: float = _setting(
        600.0, "Time to decide; then the plan is rejected", unit="s", low=0.1, high=604800
    )
    # Executor
    missing_policy: str = _setting(
        "fail", "What becomes of a step whose arguments stay open: it fails, or runs with "
        "`__MISSING__` in their place", choices=("fail", "surface"),
    )  # fmt: skip
    on_failure: str = _setting(
        "stop", "After a failed step: stop, or skip only the steps that depend on it",
        choices=("stop", "skip"),
    )  # fmt: skip
    plan_max_retries: int | None = _setting(
        None, "Retries of a step that sets none; 1 after a transient failure, else 0",
        unit="retries", low=0, high=10, optional=True,
    )  # fmt: skip
    plan_default_step_timeout_s: float = _setting(
        300.0, "Time of a step that sets none", unit="s", low=0.01, high=86400
    )
    prompt_token_budget: int = _setting(
        4096, "Most tokens of a prompt that fills arguments or composes an answer",
        unit="tokens", low=128, high=131072,
    )  # fmt: skip
    summary_line_char_limit: int = _setting(
        240, "Longest line of a summary", unit="characters", low=20, high=10000
    )
    final_answer: str = _setting(
        "compose", "`digest` never asks a model for the answer", choices=("compose", "digest")
    )
    python_state: str = _setting(
        "persist", "Variables of python_repl between the calls of a run",
        choices=("persist", "fresh"),
    )  # fmt: skip
    # llama.cpp
    llama_default_context_size: int = _setting(
        4096, "Context of a model in this process", unit="tokens", low=256, high=1048576
    )
    llama_threads: int | None = _setting(
        None, "Threads of llama.cpp; half of the processors where it is not set",
        unit="threads", low=1, high=1024, optional=True,
    )  # fmt: skip
    llama_temperature: float | None = _setting(
        None, "Overrides the temperature of every role", low=0, high=1, optional=True
    )
    # Logs and files
    okso_home: str | None = _setting(
        None, "Folder of journal and logs, private; the user's state folder where it is not set",
        optional=True,
    )  # fmt: skip
    okso_run_id: str | None = _setting(
        None, "Id of the run; UTC time and a random part where it is not set", optional=True
    )
    verbosity: int = _setting(
        1, "Log of `okso_jupyter`: 0 warnings, 1 information, 2 debug with prompts", low=0, high=2
    )

    def __post_init__(self) -> None:
        """Check every value, so that no Settings out of range can exist."""
        for spec in fields(self):
            checked = _checked(spec.name, getattr(self, spec.name), spec.metadata, spec.type)
            object.__setattr__(self, spec.name, checked)

    @classmethod
    def load(
        cls,
        *layers: Mapping[str, Any],
        environ: Mapping[str, str] | None = None,
        config_file: Path | None = None,
    ) -> Self:
        """Read the settings from everywhere, later layers first.

        Args:
            layers: Mappings of names in capitals to values, the strongest one last.
            environ: The environment; the process's own where none is given.
            config_file: A `config.env`; the user's own where none is given.

        Raises:
            SettingError: A name is unknown or a value out of range, and where it stands.
        """
        environ = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        file = config_file or config_path(environ)
        values |= _known(read_config(file), str(file), strict=False)
        values |= _known(environ, "the environment", strict=False)
        for layer in layers:
            values |= _known(layer, "", strict=True)
        return cls(**values)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return the defaults with these values, by name in capitals; nothing else is read.

        Raises:
            SettingError: A name is unknown or a value out of range.
        """
        return cls(**_known(values, "", strict=True))

    @property
    def home(self) -> Path:
        """Folder of journal and logs."""
        if self.okso_home:
            return Path(self.okso_home).expanduser()
        return Path(platformdirs.user_state_path("okso"))

    @property
    def debug_log(self) -> Path:
        """File of the candidates' log."""
        if self.planner_debug_log:
            return Path(self.planner_debug_log).expanduser()
        return self.home / "planner_candidates.jsonl"

    def temperature_for(self, samples: int) -> float:
        """Return the temperature to sample that many plans with."""
        for temperature in (self.llama_temperature, self.planner_temperature):
            if temperature is not None:
                return temperature
        return 0.2 if samples == 1 else 0.7

    def to_dict(self) -> dict[str, Any]:
        """Return every setting under its name in capitals."""
        return {spec.name.upper(): getattr(self, spec.name) for spec in fields(self)}


_PARSERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "int": int,
    "float": float,
    "bool": lambda text: {"true": True, "1": True, "false": False, "0": False}[text.lower()],
    "str": str,
    "Mapping[str, float]": json.loads,
}
_WORDS: Final[Mapping[str, str]] = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "Mapping[str, float]": "a JSON object of rule names and numbers",
}


def names() -> dict[str, str]:
    """Return every name in capitals that may be set, aliases included, with its field."""
    found = {}
    for spec in fields(Settings):
        for name in (spec.name.upper(), *aliases_of(spec)):
            found[name] = spec.name
    return found


def aliases_of(spec: Field[Any]) -> tuple[str, ...]:
    """Return the older names of a setting."""
    aliases: tuple[str, ...] = spec.metadata.get("aliases", ())
    return aliases


def _known(layer: Mapping[str, Any], place: str, *, strict: bool) -> dict[str, Any]:
    """Return the values of one layer by field name.

    Args:
        layer: Values by name.
        place: Where the layer stands, for messages.
        strict: Refuse names that are no setting; the environment has many that are not ours.
    """
    known, found = names(), {}
    if strict:
        _refuse_strangers(layer, known)
    # Where a setting stands under its name and an older one, the name itself wins.
    for name, setting in reversed(known.items()):
        if name in layer:
            found[setting] = layer[name]
    for name in list(found):
        spec = next(spec for spec in fields(Settings) if spec.name == name)
        try:
            found[name] = _checked(name, found[name], spec.metadata, spec.type)
        except SettingError as error:
            msg = f"{error.message} (from {place})" if place else error.message
            raise SettingError(msg, hint=error.hint) from error
    return found


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


def _checked(name: str, value: Any, metadata: Mapping[str, Any], kind: Any) -> Any:  # noqa: ANN401
    """Return a value as its field wants it.

    Raises:
        SettingError: It is of another kind or out of range; the range is named.
    """
    optional = metadata.get("optional", False)
    if value is None or (optional and value == ""):
        if optional:
            return None
        raise SettingError(_complaint(name, value, metadata, kind), hint=metadata["meaning"])
    base = str(kind).removesuffix(" | None")
    try:
        value = _PARSERS[base](value.strip()) if isinstance(value, str) else value
        if name == "planner_sample_count" and type(value) is int:
            value = max(1, value)
        fits = _fits(value, base, metadata)
    except (ValueError, KeyError, TypeError):
        fits = False
    if not fits:
        raise SettingError(_complaint(name, value, metadata, kind), hint=metadata["meaning"])
    return float(value) if base == "float" else value


def _fits(value: Any, base: str, metadata: Mapping[str, Any]) -> bool:  # noqa: ANN401  any kind
    """Say whether a value is of the kind and in the range."""
    if base == "Mapping[str, float]":
        return isinstance(value, Mapping) and all(
            isinstance(k, str)
            and isinstance(v, int | float)
            and not isinstance(v, bool)
            and math.isfinite(v)
            for k, v in value.items()
        )
    kinds: Mapping[str, tuple[type, ...]] = {
        "int": (int,), "float": (int, float), "bool": (bool,), "str": (str,),
    }  # fmt: skip
    if not isinstance(value, kinds[base]) or (isinstance(value, bool) and base != "bool"):
        return False
    low, high, choices = (metadata.get(key) for key in ("low", "high", "choices"))
    if choices and value not in choices:
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def _complaint(name: str, value: Any, metadata: Mapping[str, Any], kind: Any) -> str:  # noqa: ANN401
    return f"{name.upper()} must be {describe_range(metadata, kind)}, not {value!r}"


def describe_range(metadata: Mapping[str, Any], kind: Any) -> str:  # noqa: ANN401  a field's type
    """Return in words what a setting may be, such as "a whole number from 1 to 64"."""
    if metadata.get("choices"):
        return " or ".join(metadata["choices"])
    base = str(kind).removesuffix(" | None")
    words = _WORDS[base]
    low, high = metadata.get("low"), metadata.get("high")
    if low is not None:
        words += f" from {low:g}" if low < 1e6 else ""  # noqa: PLR2004  where %g turns to powers
    if high is not None:
        words += (
            f"{' to' if low is not None else ' up to'} {int(high) if high == int(high) else high}"
        )
    return words


def config_path(environ: Mapping[str, str] | None = None) -> Path:
    """Return the user's `config.env`."""
    base = (os.environ if environ is None else environ).get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "okso" / "config.env"


def working_folder() -> Path:
    """Return the folder that a session works in: the notebook's."""
    return Path.cwd()


def sources(config: Mapping[str, Any]) -> dict[str, str]:
    """Return where each setting that is not at its default comes from, by field name.

    Args:
        config: What `%config` set, by name in capitals.

    Raises:
        SettingError: `config.env` cannot be read.
    """
    file = config_path()
    layers: list[tuple[str, Mapping[str, Any]]] = [
        (str(file), read_config(file)), ("environment", os.environ), ("%config", config)
    ]  # fmt: skip
    known = names()
    return {known[name]: place for place, layer in layers for name in layer if name in known}


def environment() -> dict[str, str]:
    """Return a copy of the process's environment, for whoever must know its secrets."""
    return dict(os.environ)
