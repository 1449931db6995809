"""Displayable: base class of records that a notebook displays through a view."""

from __future__ import annotations

import pkgutil
from typing import ClassVar


class Displayable:
    """A record with a view, which is named but not imported, as records are a lower layer.

    The view is imported when a notebook displays the record. It takes the record and returns its
    representations by MIME type.
    """

    __slots__ = ()
    #: Module and function of the view, as in an entry point.
    _view: ClassVar[str]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the representations of the record; the hook that IPython calls."""
        del include, exclude
        faces: dict[str, str] = pkgutil.resolve_name(self._view)(self)
        return faces
