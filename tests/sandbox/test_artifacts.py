"""Pictures written by the code: detected by content, limited, kept out of its reach."""

from __future__ import annotations

import io
import os
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from okso_jupyter.sandbox import artifacts
from tests.each_row import each_row

mpl.use("Agg")


def drawn(kind: str) -> bytes:
    """Return a valid picture."""
    buffer = io.BytesIO()
    Figure(figsize=(1, 1)).savefig(buffer, format=kind)
    return buffer.getvalue()


PNG, JPEG = drawn("png"), drawn("jpeg")


def wide(data: bytes) -> bytes:
    """Return a PNG whose header states a width and height of 100,000 pixels."""
    side = (100_000).to_bytes(4, "big")
    return data[:16] + side + side + data[24:]


@each_row(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (JPEG, "image/jpeg"),
        (b"", ""),
        (PNG[:16], ""),
        (wide(PNG), ""),
        (b"\xff\xd8\xff\xe0", ""),
        (b"<svg onload='alert(1)'/>", ""),
        (b"GIF89a", ""),
    ],
)
def test_pictures_are_detected_by_content(data: bytes, kind: str) -> None:
    """PNG and JPEG data of a reasonable size are pictures, whatever the file name."""
    assert artifacts.picture_type(data) == kind


def test_kept_pictures_are_private_copies(tmp_path: Path) -> None:
    """New pictures are copied as 0600 into a 0700 folder and never overwrite an older one."""
    folder, kept = tmp_path / "python", tmp_path / "artifacts"
    folder.mkdir()
    (folder / "a.png").write_bytes(PNG)
    (folder / "b.jpg").write_bytes(JPEG)
    (folder / "text.png").write_text("no picture")
    os.mkfifo(folder / "pipe.png")
    (tmp_path / "outside.png").write_bytes(PNG)
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    first = artifacts.keep_pictures(folder, {}, kept)
    again = artifacts.keep_pictures(folder, {}, kept)
    assert [path.name for path in first] == ["a.png", "b.jpg"]
    assert [path.name for path in again] == ["a-2.png", "b-2.jpg"]
    assert artifacts.keep_pictures(folder, artifacts.pictures(folder), kept) == ()
    assert {path.stat().st_mode & 0o777 for path in first} == {0o600}
    assert kept.stat().st_mode & 0o777 == 0o700


def test_kept_pictures_are_limited_in_size(tmp_path: Path) -> None:
    """A picture has at most 10 MiB, and the pictures kept by a run at most 64 MiB."""
    big = PNG + bytes(artifacts.MAX_PICTURE_BYTES - len(PNG))
    for number in range(8):
        (tmp_path / f"{number}.png").write_bytes(big)
    (tmp_path / "too_big.png").write_bytes(big + b"x")
    kept = artifacts.keep_pictures(tmp_path, {}, tmp_path / "kept")
    assert [path.name for path in kept] == [f"{number}.png" for number in range(6)]
