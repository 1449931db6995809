"""Credentials: the password for a server, and what its certificate is checked with."""

from __future__ import annotations

import ssl

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.settings import environment


def password_of(host: str, user: str, variable: str, server: str) -> str:
    """Return a password: of the environment, else of the system's keyring.

    Args:
        host: Name of the server, under which the keyring has it.
        user: The user's name there.
        variable: Name in the environment.
        server: The server in words.

    Raises:
        ToolRefusedError: There is none.
    """
    found = environment().get(variable) or _of_keyring(host, user)
    if not found:
        msg = f"there is no password for {server}"
        hint = f"run: keyring set {host} {user}; or set {variable} in the environment"
        raise ToolRefusedError(msg, hint=hint)
    return found


def checking_tls(setting: str, ca_file: str | None) -> ssl.SSLContext:
    """Return the context that checks a server's certificate and name.

    Args:
        setting: Name of the setting of the file.
        ca_file: File of the authorities; None for those of the system.

    Raises:
        ToolRefusedError: The file cannot be read.
    """
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        msg = f"{setting} is {ca_file}, which cannot be read: {error.strerror or error}"
        raise ToolRefusedError(msg) from error


def _of_keyring(host: str, user: str) -> str | None:
    """Return the password that the system's keyring holds; None if it has none or is locked."""
    import keyring  # noqa: PLC0415  it looks for its back ends when it is imported
    from keyring.errors import KeyringError  # noqa: PLC0415  see above

    try:
        return keyring.get_password(host, user)
    except KeyringError:
        return None
