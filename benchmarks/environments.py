"""An environment for each peer, with the exact versions of its requirements file.

The peers' requirements clash with each other and with ours, so none is installed beside another.
"""

from __future__ import annotations

import hashlib
import subprocess
import venv
from pathlib import Path
from typing import Final

import platformdirs

_REQUIREMENTS: Final = Path(__file__).with_name("peers")
_READY: Final = "ready"


class PeerUnavailableError(Exception):
    """A peer cannot be measured here; the message says why."""


def default_folder() -> Path:
    """Return where the environments are kept: outside the checkout, in the user's cache."""
    return platformdirs.user_cache_path("okso-jupyter-benchmarks")


def python_of(peer: str, folder: Path) -> Path:
    """Return the interpreter of a peer's environment, made if it is missing or outdated.

    Args:
        peer: Name of the peer, as in `requirements-NAME.txt`.
        folder: Folder of the environments.

    Raises:
        PeerUnavailableError: It could not be made.
    """
    requirements = _REQUIREMENTS / f"requirements-{peer}.txt"
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    place = folder / f"{peer}-{digest}"
    python = place / "bin" / "python"
    if not (place / _READY).exists():
        print(f"Setting up {peer}, once, in {place} ...", flush=True)
        try:
            venv.create(place, clear=True, with_pip=True, symlinks=True)
            _install(python, requirements)
        except (OSError, subprocess.CalledProcessError) as error:
            reason = _last_line(getattr(error, "stderr", None)) or str(error)
            msg = f"its environment could not be made: {reason}"
            raise PeerUnavailableError(msg) from error
        (place / _READY).touch()
    return python


def _install(python: Path, requirements: Path) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run(  # noqa: S603  pip of an environment of ours
        [*command, "--requirement", str(requirements)], check=True, capture_output=True, text=True
    )


def _last_line(output: str | bytes | None) -> str:
    text = output.decode(errors="replace") if isinstance(output, bytes) else output or ""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""
