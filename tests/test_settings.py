"""Settings: one table, one precedence, and every value out of range is refused by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import Field, FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.config_file import read_config
from okso_jupyter.errors import SettingError
from okso_jupyter.magic.init_config import write_defaults
from okso_jupyter.settings import Settings, config_path, describe_range, names
from tests.each_row import each_row

FIELDS = fields(Settings)
NUMBERS = [spec for spec in FIELDS if spec.metadata.get("high") is not None]
CHOICES = [spec for spec in FIELDS if spec.metadata.get("choices")]


def _load(
    *layers: Mapping[str, Any], environ: Mapping[str, str] | None = None, file: Path | None = None
) -> Settings:
    """Settings of these layers alone: nothing of the machine gets in."""
    return Settings.load(*layers, environ=environ or {}, config_file=file or Path("/nowhere"))


@each_row("spec", FIELDS)
def test_a_default_passes_its_own_check(spec: Field[Any]) -> None:
    """Every default is in range, means what it says and has a description."""
    value = getattr(Settings(), spec.name)

    assert getattr(Settings.of({spec.name.upper(): value}), spec.name) == value
    assert spec.metadata["meaning"]
    assert describe_range(spec.metadata, spec.type)


@each_row("spec", NUMBERS)
def test_a_number_outside_its_range_is_refused(spec: Field[Any]) -> None:
    """Both bounds hold, NaN and infinity are no numbers, and the message names the range."""
    low, high = spec.metadata["low"], spec.metadata["high"]
    wrong = [high + 1, str(high + 1), math.nan, "nan", math.inf, "soon", True, [1]]
    if low is not None:
        wrong.append(low - 1)
    for value in wrong:
        with pytest.raises(SettingError) as caught:
            Settings.of({spec.name.upper(): value})
        assert spec.name.upper() in caught.value.message
        assert describe_range(spec.metadata, spec.type) in caught.value.message
        assert caught.value.hint == spec.metadata["meaning"]
    for value in (low, high, str(high)):
        if value is not None:
            assert getattr(Settings.of({spec.name.upper(): value}), spec.name) == float(value)


@pytest.mark.parametrize("word", ["auto", " auto ", "AUTO", ""])
def test_threads_may_be_left_to_measuring_by_name(word: str) -> None:
    """`auto` is the default by its name; the range of what may be given says so."""
    assert Settings.of({"LLAMA_THREADS": word}).llama_threads is None
    with pytest.raises(SettingError, match="a whole number from 1 to 1024, or auto, not 'fast'"):
        Settings.of({"LLAMA_THREADS": "fast"})


@each_row("spec", CHOICES)
def test_a_choice_is_one_of_its_words(spec: Field[Any]) -> None:
    """Every word is taken, any other is refused with the words that are allowed."""
    for word in spec.metadata["choices"]:
        assert getattr(Settings.of({spec.name.upper(): word}), spec.name) == word
    with pytest.raises(SettingError, match=" or ".join(spec.metadata["choices"])):
        Settings.of({spec.name.upper(): "maybe"})


@pytest.mark.parametrize("name", ["APPROVE_ALL", "PLAN_REQUIRE_APPROVAL", "FORCE_CONFIRM"])
def test_truth_has_four_spellings(name: str) -> None:
    """true, false, 1 and 0 in any case are read; any other word is refused."""
    read = [getattr(Settings.of({name: w}), name.lower()) for w in ("True", "1", "FALSE", "0")]

    assert read == [True, True, False, False]
    with pytest.raises(SettingError, match="must be true or false, not 'yes'"):
        Settings.of({name: "yes"})


@pytest.mark.parametrize("value", [0, -5, "0", "-1"])
def test_fewer_samples_than_one_are_one(value: object) -> None:
    """A sample count below 1 counts as 1."""
    assert Settings.of({"PLANNER_SAMPLE_COUNT": value}).planner_sample_count == 1


@pytest.mark.parametrize("value", ["many", "2.5", 2.5, "", None, True])
def test_a_sample_count_that_is_no_number_is_an_error(value: object) -> None:
    """Only whole numbers are clamped; anything else is refused."""
    with pytest.raises(SettingError, match="PLANNER_SAMPLE_COUNT must be a whole number up to 256"):
        Settings.of({"PLANNER_SAMPLE_COUNT": value})


def test_the_stronger_layer_wins(tmp_path: Path) -> None:
    """Cell option beats Session mapping beats environment beats config.env beats default."""
    name, file = "PLANNER_MAX_PLAN_STEPS", tmp_path / "config.env"
    file.write_text(f"{name}=2\n")
    environ, session, cell = {name: "3"}, {name: 4}, {name: "5"}

    found = [
        _load(),
        _load(file=file),
        _load(environ=environ, file=file),
        _load(session, environ=environ, file=file),
        _load(session, cell, environ=environ, file=file),
    ]

    assert [settings.planner_max_plan_steps for settings in found] == [6, 2, 3, 4, 5]


def test_layers_meet_name_by_name(tmp_path: Path) -> None:
    """A strong layer hides only the names that it has."""
    file = tmp_path / "config.env"
    file.write_text("ON_FAILURE=skip\nVERBOSITY=0\n")

    settings = _load({"VERBOSITY": 2}, environ={"PYTHON_STATE": "fresh"}, file=file)

    assert (settings.on_failure, settings.python_state, settings.verbosity) == ("skip", "fresh", 2)


def test_an_older_name_is_read() -> None:
    """REACT_MODEL_SPEC sets EXECUTOR_MODEL_SPEC from any layer."""
    assert _load({"REACT_MODEL_SPEC": "a.gguf"}).executor_model_spec == "a.gguf"
    assert _load(environ={"REACT_MODEL_SPEC": "b.gguf"}).executor_model_spec == "b.gguf"


@pytest.mark.parametrize("turn", [1, -1])
def test_a_name_beats_its_older_one_in_one_layer(turn: int) -> None:
    """Where a layer holds both names, their order does not decide."""
    both = {"EXECUTOR_MODEL_SPEC": "new.gguf", "REACT_MODEL_SPEC": "old.gguf"}

    assert _load(dict(list(both.items())[::turn])).executor_model_spec == "new.gguf"


def test_an_older_name_in_a_stronger_layer_wins() -> None:
    """Names and older names are one setting: the layers decide, not the spelling."""
    settings = _load({"REACT_MODEL_SPEC": "cell.gguf"}, environ={"EXECUTOR_MODEL_SPEC": "env.gguf"})

    assert settings.executor_model_spec == "cell.gguf"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("PLANNER_SAMPLES_COUNT", "PLANNER_SAMPLE_COUNT"),
        ("planner_seed", "PLANNER_SEED"),
        ("OKSO_APROVE", "OKSO_APPROVE"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(name: str, nearest: str) -> None:
    """A misspelt name is refused with the one that was probably meant."""
    with pytest.raises(SettingError, match=f"there is no setting '{name}'") as caught:
        _load({name: 1})

    assert caught.value.hint == f"did you mean {nearest}?"


@pytest.mark.parametrize("layer", [3, ["PLANNER_SEED"], "PLANNER_SEED=1", {1: 2}])
def test_settings_that_are_no_mapping_of_names_are_refused(layer: Any) -> None:
    """Anything but a mapping of names to values is a SettingError."""
    with pytest.raises(SettingError, match=r"settings are a mapping|there is no setting 1"):
        _load(layer)


def test_strange_names_in_the_environment_are_not_ours() -> None:
    """The environment has many names; only ours are read."""
    assert _load(environ={"PATH": "/bin", "PLANNER_SAMPLES_COUNT": "9"}) == Settings()


def test_a_wrong_value_says_where_it_stands(tmp_path: Path) -> None:
    """The message names the file or the environment that the value came from."""
    file = tmp_path / "config.env"
    file.write_text("VERBOSITY=3\n")

    with pytest.raises(SettingError, match=r"VERBOSITY must be .* from 0 to 2, not 3 \(from .*env"):
        _load(file=file)
    with pytest.raises(SettingError, match=r"not 'x' \(from the environment\)"):
        _load(environ={"VERBOSITY": "x"})


@pytest.mark.parametrize("weight", ["x", True, None, math.nan, math.inf])
def test_weights_are_finite_numbers(weight: object) -> None:
    """A weight that is no finite number would spoil every score; it is refused."""
    with pytest.raises(SettingError, match="SCORE_WEIGHTS must be a JSON object"):
        Settings.of({"SCORE_WEIGHTS": {"length": weight}})


@pytest.mark.parametrize("text", ["[1]", "{", "1", '{"length": "x"}', '{"length": NaN}'])
def test_weights_in_text_are_a_json_object(text: str) -> None:
    """From the environment the weights are JSON, and only an object of numbers."""
    assert _load(environ={"SCORE_WEIGHTS": '{"length": 2}'}).score_weights == {"length": 2}
    with pytest.raises(SettingError, match="SCORE_WEIGHTS must be a JSON object"):
        _load(environ={"SCORE_WEIGHTS": text})


def test_an_empty_text_unsets_what_is_optional() -> None:
    """`NAME=` in the environment means unset, where unset means something."""
    assert _load(environ={"PLANNER_SEED": "", "OKSO_HOME": ""}) == Settings()
    with pytest.raises(SettingError, match="VERBOSITY"):
        _load(environ={"VERBOSITY": ""})


@pytest.mark.parametrize(
    ("zone", "hint"),
    [
        ("Europe/Berln", "did you mean Europe/Berlin?"),
        ("europe/berlin ", "did you mean Europe/Berlin?"),
        ("New York", "did you mean America/New_York?"),
        ("Mars/Olympus", "name one such as Europe/Berlin"),
        ("../zones", ""),
        ("Europe", ""),
        ("xyzzy", "name one such as Europe/Berlin"),
    ],
)
def test_a_time_zone_is_one_that_exists(zone: str, hint: str) -> None:
    """A wrong one is refused when it is set, with the nearest name."""
    with pytest.raises(SettingError, match=r"^TIME_ZONE is .* does not exist") as error:
        Settings.of({"TIME_ZONE": zone})
    assert (error.value.hint or "").startswith(hint)
    assert Settings.of({"TIME_ZONE": "Europe/Berlin"}).time_zone == "Europe/Berlin"


def test_settings_cannot_be_changed() -> None:
    """A Settings out of range cannot come to be by assignment either."""
    with pytest.raises(FrozenInstanceError):
        Settings().verbosity = 7  # type: ignore[misc]
    with pytest.raises(SettingError):
        Settings(verbosity=7)


def test_names_are_the_fields_in_capitals() -> None:
    """There is one name per field, and older names beside them."""
    assert set(names().values()) == {spec.name for spec in fields(Settings)}
    assert set(names()) - {spec.name.upper() for spec in fields(Settings)} == {
        "LLAMA_TIMEOUT_SECONDS",
        "OKSO_GOOGLE_CSE_API_KEY",
        "OKSO_GOOGLE_CSE_ID",
        "REACT_MODEL_BRANCH",
        "REACT_MODEL_SPEC",
        "USE_EXECUTOR_LLAMA",
        "USE_REACT_LLAMA",
    }


@pytest.mark.parametrize("name", ["USE_REACT_LLAMA", "USE_EXECUTOR_LLAMA"])
@pytest.mark.parametrize(("value", "mode"), [("true", "react"), ("0", "plan"), (True, "react")])
def test_older_switches_choose_the_mode(name: str, value: object, mode: str) -> None:
    """True means react and false means plan; EXECUTOR_MODE in the same place wins."""
    assert Settings.of({name: value}).executor_mode == mode
    assert Settings.of({name: value, "EXECUTOR_MODE": "call"}).executor_mode == "call"


def test_a_switch_is_true_or_false() -> None:
    """Another value is refused under the name that was given."""
    with pytest.raises(SettingError, match="USE_REACT_LLAMA must be true or false, not 'react'"):
        Settings.of({"USE_REACT_LLAMA": "react"})


def test_config_lines_are_read_as_a_shell_reads_them(tmp_path: Path) -> None:
    """Quotes, `export`, comments and blank lines are understood."""
    file = tmp_path / "config.env"
    file.write_text(
        "# mine\n\nexport OKSO_HOME='/a b/c'\nPLANNER_MODEL_SPEC=\"my model.gguf\"  # local\n"
        "SCORE_WEIGHTS='{\"length\": 2}'\nOKSO_RUN_ID=a=b\nPLANNER_SEED=\n"
    )

    assert read_config(file) == {
        "OKSO_HOME": "/a b/c",
        "PLANNER_MODEL_SPEC": "my model.gguf",
        "SCORE_WEIGHTS": '{"length": 2}',
        "OKSO_RUN_ID": "a=b",
        "PLANNER_SEED": "",
    }
    assert _load(file=file).score_weights == {"length": 2}


@pytest.mark.parametrize("line", ["VERBOSITY 2", "VERBOSITY = 2", "OKSO_HOME='/a", "=2 3"])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    """A line that is no assignment is refused with file and number."""
    file = tmp_path / "config.env"
    file.write_text(f"# one\n{line}\n")

    with pytest.raises(SettingError, match=f"{file}, line 2: "):
        read_config(file)


def test_a_config_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """A folder or bytes in place of the file are a SettingError; no file at all is empty."""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")

    assert read_config(tmp_path / "none") == {}
    for wrong in (tmp_path, tmp_path / "bytes"):
        with pytest.raises(SettingError, match="cannot be read"):
            read_config(wrong)


def test_the_config_stands_where_xdg_says(tmp_path: Path) -> None:
    """XDG_CONFIG_HOME moves the folder; else it is `.config` at home."""
    assert config_path({"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "okso" / "config.env"
    assert config_path({}) == Path.home() / ".config" / "okso" / "config.env"


def test_defaults_are_written_once(tmp_path: Path) -> None:
    """The written file means the defaults, and a second time there is nothing to add."""
    file = tmp_path / "okso" / "config.env"

    added = write_defaults(file)
    text = file.read_text()

    assert "PLANNER_SAMPLE_COUNT" in added
    assert _load(file=file) == Settings()
    assert write_defaults(file) == []
    assert file.read_text() == text


@pytest.mark.parametrize("end", ["\n", "", "  # mine"])
def test_writing_defaults_keeps_what_is_there(tmp_path: Path, end: str) -> None:
    """Lines that stand in the file stay to the letter, the last one too if it lacks an end."""
    file = tmp_path / "config.env"
    file.write_text(f"VERBOSITY=2\nPLANNER_MODEL_SPEC='my.gguf'{end}")

    added = write_defaults(file)

    assert not {"VERBOSITY", "PLANNER_MODEL_SPEC"} & set(added)
    assert file.read_text().startswith(f"VERBOSITY=2\nPLANNER_MODEL_SPEC='my.gguf'{end}")
    settings = _load(file=file)
    assert (settings.verbosity, settings.planner_model_spec) == (2, "my.gguf")
    assert settings.planner_sample_count == 3


def test_defaults_are_not_added_to_a_broken_file(tmp_path: Path) -> None:
    """A file with a broken line is refused and left as it is."""
    file = tmp_path / "config.env"
    file.write_text("VERBOSITY 2\n")

    with pytest.raises(SettingError, match="line 1"):
        write_defaults(file)

    assert file.read_text() == "VERBOSITY 2\n"


def test_a_config_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """Where a file stands in the place of the folder, the error names the path."""
    (tmp_path / "okso").write_text("")

    with pytest.raises(SettingError, match=r"config.env cannot be (read|written)"):
        write_defaults(tmp_path / "okso" / "config.env")


def test_the_temperature_follows_the_number_of_samples() -> None:
    """Several candidates are sampled warm, one alone cool; what is set wins over both."""
    assert (Settings().temperature_for(3), Settings().temperature_for(1)) == (0.7, 0.2)
    assert Settings(planner_temperature=0.4).temperature_for(1) == 0.4
    assert Settings(planner_temperature=0.4, llama_temperature=0).temperature_for(3) == 0
