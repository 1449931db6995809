"""The wheel of llama-cpp-python is built with reduced options, cached and verified.

pip, the compiler and the package index (a folder) are real; the package is a small one of
the same name, which builds in a second and records how it was built.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BASH = "/bin/bash"

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        not (Path(BASH).exists() and shutil.which("c++")),
        reason="NOT TESTED: needs bash and a C++ compiler",
    ),
]

VERSION = "0.3.99"
NAME = f"llama_cpp_python-{VERSION}"
WHEEL = f"{NAME}-py3-none-any.whl"
PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
METADATA = f"Metadata-Version: 2.1\nName: llama-cpp-python\nVersion: {VERSION}\n"
TAG = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
#: Builds as upstream's backend does, as far as the set-up sees it: arguments, progress, failure.
BACKEND = f"""
import os, zipfile


def build_wheel(folder, config_settings=None, metadata_directory=None):
    for done in range(1, 84):
        print(f"[{{done}}/83] g++ -c {{done}}.cpp", flush=True)
    if "BROKEN" in os.environ:
        raise SystemExit(os.environ["BROKEN"])
    with zipfile.ZipFile(os.path.join(folder, {WHEEL!r}), "w") as wheel:
        wheel.writestr("llama_cpp/__init__.py", "ARGUMENTS = " + repr(os.environ["CMAKE_ARGS"]))
        wheel.writestr("{NAME}.dist-info/METADATA", {METADATA!r})
        wheel.writestr("{NAME}.dist-info/WHEEL", {TAG!r})
        wheel.writestr("{NAME}.dist-info/RECORD", "")
    return {WHEEL!r}
"""


def _source(folder: Path) -> None:
    """Write a source distribution of the small package, as a package index has it."""
    files = {"pyproject.toml": PROJECT, "backend.py": BACKEND, "PKG-INFO": METADATA}
    with tarfile.open(folder / f"{NAME}.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"{NAME}/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))


@dataclass
class Workshop:
    """A package index with one package, and the cache folders of one user.

    Attributes:
        folder: Contains all of them.
        environment: Environment variables of every call.
    """

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def index(self) -> Path:
        """The folder that serves as package index."""
        return self.folder / "index"

    def call(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a script after sourcing the functions of the set-up."""
        functions = f"set -euo pipefail; venv={sys.prefix}; . .ci/pip.sh; . .ci/llama.sh"
        return subprocess.run(  # noqa: S603  our own script
            [BASH, "-c", f"{functions}; {script}"],
            env={**self.environment, **variables},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

    def wheel(self, **variables: str) -> Path:
        """Return the wheel that the set-up provides."""
        done = self.call("llama_wheel", **variables)
        assert done.returncode == 0, done.stderr
        return Path(done.stdout.strip())

    def failure(self, **variables: str) -> str:
        """Check that the set-up provides no wheel; return its last error line."""
        done = self.call("llama_wheel", **variables)
        assert done.returncode == 1
        assert not list((self.folder / "cache").rglob("*.whl"))
        return done.stderr.strip().splitlines()[-1]

    def without_compiler(self) -> dict[str, str]:
        """Return the environment of a machine whose c++ always fails."""
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "c++").symlink_to(shutil.which("false") or "")
        return {"PATH": f"{programs}:{self.environment['PATH']}"}


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    """A package index with only the source distribution, and an empty cache."""
    made = Workshop(
        tmp_path,
        {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(tmp_path / "index"),
            "PIP_CACHE_DIR": str(tmp_path / "pip"),
            "PIP_RETRIES": "0",
        },
    )
    made.index.mkdir()
    _source(made.index)
    return made


def _arguments(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read("llama_cpp/__init__.py").decode()


def test_it_is_built_with_reduced_options_then_the_users(workshop: Workshop) -> None:
    """CMake gets the options that turn parts off first, then those of the user."""
    said = _arguments(workshop.wheel(CMAKE_ARGS="-DGGML_CUDA=ON"))
    assert said.index("-DLLAVA_BUILD=OFF") < said.index("-DGGML_CUDA=ON")
    assert f"CMAKE_PROJECT_llama_cpp_INCLUDE={ROOT}/.ci/llama.cmake" in said


def test_build_progress_is_shown_in_few_lines(workshop: Workshop) -> None:
    """A build log with a line for each file is shown as one line per ten percent."""
    said = workshop.call("llama_wheel").stderr.splitlines()
    assert 10 <= len(said) <= 12
    assert said[-1].strip() == "llama.cpp: 100 % is compiled"


def test_a_cached_wheel_needs_no_source_or_compiler(workshop: Workshop) -> None:
    """The next environment gets the cached wheel, without source or compiler."""
    wheel = workshop.wheel()
    shutil.rmtree(workshop.index)
    assert workshop.wheel(**workshop.without_compiler()) == wheel


def test_the_wheel_is_not_in_the_cache_of_pip(workshop: Workshop) -> None:
    """The wheel is not in pip's cache, which would offer it to every project."""
    workshop.wheel()
    assert not list((workshop.folder / "pip").rglob("*.whl"))


@pytest.mark.parametrize("left", [0, 100, -60])
def test_a_broken_cached_wheel_is_rebuilt(workshop: Workshop, left: int) -> None:
    """A cached wheel that was copied incompletely is detected and rebuilt."""
    wheel = workshop.wheel()
    whole = wheel.read_bytes()
    wheel.write_bytes(whole[:left])
    again = workshop.wheel()
    assert again == wheel
    assert "ARGUMENTS" in _arguments(again)


def test_other_options_give_another_wheel(workshop: Workshop) -> None:
    """A wheel that was built for a graphics card is not used as the plain one."""
    plain = workshop.wheel()
    assert workshop.wheel(CMAKE_ARGS="-DGGML_CUDA=ON") != plain
    assert workshop.wheel() == plain


def test_a_build_failure_shows_log_end_and_advice(workshop: Workshop) -> None:
    """A build failure shows the end of the log and advice; a later build works."""
    done = workshop.call("llama_wheel", BROKEN="fatal error: no header")
    assert "fatal error: no header" in done.stderr
    assert len(done.stderr.splitlines()) < 45
    last = workshop.failure(BROKEN="fatal error: no header")
    assert "README.md names ways that need no compiler" in last
    assert workshop.wheel().exists()


def test_a_full_disk_during_the_build_is_reported(workshop: Workshop) -> None:
    """A full disk is reported as the cause, whatever else the log contains."""
    last = workshop.failure(BROKEN="cannot write x.o: No space left on device")
    assert "the disk is full" in last
    assert "TMPDIR" in last


def test_a_missing_compiler_is_one_message(workshop: Workshop) -> None:
    """Without a working compiler there is one message and no log."""
    done = workshop.call("llama_wheel", **workshop.without_compiler())
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert "no C++ compiler works here" in said


def test_a_prebuilt_wheel_needs_no_compiler(workshop: Workshop) -> None:
    """Without a compiler a prebuilt wheel from the package index is used."""
    built = workshop.wheel()
    shutil.move(built, workshop.index)
    assert workshop.wheel(**workshop.without_compiler()).name == WHEEL


@pytest.mark.parametrize(
    ("retries", "said"),
    [
        ("1", "the package index cannot be reached"),
        # pip tells nothing of the connection then
        ("0", "if the package index could be reached; where it could, take another Python"),
    ],
)
def test_an_unreachable_index_is_reported(workshop: Workshop, retries: str, said: str) -> None:
    """An unreachable package index is reported as the cause, not the compiler."""
    nowhere = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": retries,
    }
    environment = {k: v for k, v in workshop.environment.items() if k != "PIP_NO_INDEX"}
    last = Workshop(workshop.folder, environment).failure(**nowhere)
    assert said in last


def test_too_little_disk_space_is_reported_before_the_build(workshop: Workshop) -> None:
    """Free disk space is checked before the build, and a lack of it is reported."""
    small = workshop.folder / "small"
    small.mkdir()
    mounted = ["unshare", "--mount", "--map-root-user", BASH, "-c"]
    script = f"mount -t tmpfs -o size=1m none {small} && . .ci/pip.sh && . .ci/llama.sh && "
    done = subprocess.run(  # noqa: S603  our own script
        [*mounted, f"{script} check_room {small}"],
        env={**workshop.environment, "TMPDIR": str(small)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if "okso-jupyter" not in done.stderr and done.returncode:
        pytest.skip("NOT TESTED: nothing may be mounted here")
    assert done.returncode == 1
    assert "free them, or name another folder in TMPDIR" in done.stderr


def test_a_package_without_a_ready_wheel_is_reported(workshop: Workshop) -> None:
    """A package without a wheel for this Python is named, with a way to choose another."""
    log = workshop.folder / "log"
    log.write_text("ERROR: No matching distribution found for scipy>=1.13\n", "utf-8")
    said = workshop.call(f"reason {log} otherwise").stdout
    assert said.startswith("scipy>=1.13 has nothing ready for Python 3.")
    assert "make PYTHON=" in said


@pytest.mark.skipif(not shutil.which("cmake"), reason="NOT TESTED: needs cmake")
def test_the_included_file_overrides_the_cmake_cache(tmp_path: Path) -> None:
    """The build has `common` off, although upstream forces it on, and uses no tile instructions."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(llama_cpp CXX)\n"
        'set(LLAMA_BUILD_COMMON ON CACHE BOOL "" FORCE)\nadd_subdirectory(inner)\n',
        "utf-8",
    )
    (tmp_path / "inner" / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.14...3.28)\nproject(inner NONE)\n"
        'option(LLAMA_BUILD_COMMON "" ON)\nmessage(STATUS "common is ${LLAMA_BUILD_COMMON}")\n'
        "get_property(options DIRECTORY PROPERTY COMPILE_OPTIONS)\n"
        'message(STATUS "options are ${options}")\n',
        "utf-8",
    )
    included = f"-DCMAKE_PROJECT_llama_cpp_INCLUDE={ROOT / '.ci' / 'llama.cmake'}"
    done = subprocess.run(  # noqa: S603  our own files
        ["cmake", "-S", tmp_path, "-B", tmp_path / "build", included],  # noqa: S607  it is on the path
        capture_output=True,
        text=True,
        check=True,
    )
    assert "common is OFF" in done.stdout
    assert ("-mno-amx-tile" in done.stdout) == _knows("-mamx-tile")


def _knows(option: str) -> bool:
    """Return whether the compiler takes an option."""
    command = ["c++", option, "-x", "c++", "-fsyntax-only", "-"]
    return not subprocess.run(command, input=b"", capture_output=True, check=False).returncode  # noqa: S603  our own words
