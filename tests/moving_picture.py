"""A moving picture of a page: what it shows, moment by moment."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops
from playwright.sync_api import Locator

#: As many as a page needs, which makes a picture a third of its size.
COLOURS: Final = 64
_MARGIN_PX: Final = 12
#: Draws a pointer over the middle of an element; it is in no layout and takes no click.
_POINT: Final = """element => {
    const box = element.getBoundingClientRect();
    const pointer = document.createElement("div");
    pointer.id = "pointer";
    pointer.style.cssText = `position: fixed; z-index: 99999; pointer-events: none;
        left: ${box.left + box.width / 2 - 16}px; top: ${box.top + box.height / 2 - 16}px;
        width: 28px; height: 28px; border: 3px solid #d02670; border-radius: 50%;`;
    document.body.append(pointer);
}"""


class MovingPicture:
    """Moments of one part of a page, which keeps its size.

    Args:
        part: The part that is shown; what is outside is not in the picture.
    """

    def __init__(self, part: Locator) -> None:
        self._part = part
        self._moments: list[tuple[Image.Image, float]] = []

    def take(self, seconds: float, *, pointer: Locator | None = None) -> None:
        """Add what the page shows now, for a time, with a ring over an element."""
        if pointer:
            pointer.evaluate(_POINT)
        data = self._part.screenshot()
        if pointer:
            self._part.page.evaluate("document.getElementById('pointer').remove()")
        self._moments.append((Image.open(io.BytesIO(data)).convert("RGB"), seconds))

    def save(self, path: Path) -> None:
        """Write the moments as a GIF that repeats itself."""
        size = _used(picture for picture, _ in self._moments)
        frames = [picture.crop((0, 0, *size)).quantize(COLOURS) for picture, _ in self._moments]
        first, *others = frames
        first.save(
            path,
            save_all=True,
            append_images=others,
            duration=[round(seconds * 1000) for _, seconds in self._moments],
            loop=0,
            optimize=True,
        )


def _used(pictures: Iterable[Image.Image]) -> tuple[int, int]:
    """Return width and height of the pictures without what is blank below in all of them."""
    lowest = 0
    for picture in pictures:
        blank = Image.new("RGB", picture.size, picture.getpixel((0, picture.height - 1)))
        (*_, bottom) = ImageChops.difference(picture, blank).getbbox() or (0,)
        lowest = max(lowest, bottom)
    return picture.width, min(lowest + _MARGIN_PX, picture.height)
