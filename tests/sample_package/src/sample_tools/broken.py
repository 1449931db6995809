"""Cannot be imported."""

from a_package_that_nobody_has import something as tool  # type: ignore[import-not-found]  # noqa: F401
