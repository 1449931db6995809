"""The documents of one run: each is converted once, however often it is read or searched."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import Final

from okso_jupyter.documents.convert import ConversionLimits, Converted, Converter

_MAX_KEPT_CHARS: Final = 32_000_000


class DocumentLibrary:
    """Converts documents in one worker and caches the results; close it after use."""

    def __init__(self) -> None:
        self._converter = Converter()
        self._kept: OrderedDict[tuple[str, str, str, bytes], Converted] = OrderedDict()
        self._lock = threading.Lock()

    def read(  # noqa: PLR0913  one argument per thing that is known of a document
        self,
        data: bytes,
        kind: str,
        *,
        limits: ConversionLimits,
        cancelled: threading.Event,
        charset: str = "",
        base_url: str = "",
    ) -> Converted:
        """Return a document as Markdown, from the cache or from `Converter.to_markdown`.

        Args:
            data: Its content.
            kind: See `kind_of_path`.
            limits: Limits of a conversion; `max_chars` must be the same in every call.
            cancelled: Set by another thread to stop the conversion.
            charset: See `Converter.to_markdown`.
            base_url: See `Converter.to_markdown`.

        Raises:
            ToolError: See `Converter.to_markdown`.
        """
        key = (kind, charset, base_url, hashlib.sha256(data).digest())
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        converted = self._converter.to_markdown(
            data, kind, limits=limits, charset=charset, base_url=base_url, cancelled=cancelled
        )
        with self._lock:
            self._kept[key] = converted
            while sum(len(kept.markdown) for kept in self._kept.values()) > _MAX_KEPT_CHARS:
                self._kept.popitem(last=False)
        return converted

    def close(self) -> None:
        """End the worker."""
        self._converter.close()
