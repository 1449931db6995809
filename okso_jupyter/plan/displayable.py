"""Shown: a record that a notebook shows by a view."""

from __future__ import annotations

import pkgutil
from typing import ClassVar


class Displayable:
    """A record with a view, which is named and not imported: records lie below what shows them.

    The view is loaded when a notebook asks for it. It gets the record, and gives back what
    there is to show by MIME type.
    """

    __slots__ = ()
    #: Module and function of the view, as in an entry point.
    _view: ClassVar[str]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the record as the notebook may show it."""
        del include, exclude
        faces: dict[str, str] = pkgutil.resolve_name(self._view)(self)
        return faces
