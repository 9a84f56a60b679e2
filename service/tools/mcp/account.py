"""The player for whom the server plays. The token comes from the settings, or from a registration on first use.

None of these settings is an argument of a tool, so a language model can neither read nor choose them.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from ..client import Client, Refused
from ..demo import LENGTH, LETTERS
from ..watch import TOKEN, BadAddress, read_token

URL = "CONDOTTIERE_URL"
"""The environment variable that may contain the service's address."""
PLAYER = "CONDOTTIERE_PLAYER"
"""The environment variable that may contain the name to register with."""

_URL = re.compile(r"(https?://[^/?#@\s]+(?:/[^?#\s]*?)??)(?:/v1)?/*")


class BadAccount(Exception):
    """One of the server's settings cannot be used. The message is one line, without the token."""


class Account:
    """A player's account at one service. Without a token in the settings, the player is registered on first use."""

    def __init__(self, url: str, token: str | None, file: Path, name: str | None) -> None:
        """Use `token` or, if `token` is None, the token in `file`. If neither exists, register a player and write the
        new token to `file`.
        """
        self.url = url
        self._file = file
        self._name = name
        self._token = token
        self._client = Client(url, token)
        self._lock = Lock()

    def reader(self) -> Client:
        """Return a client for requests that do not need a player. If there is a token, the client sends it."""
        return self._client

    def player(self) -> Client:
        """Return the player's client. If there is no token, register first. Raises: ClientError, BadAccount."""
        with self._lock:
            if self._token is None:
                self._register()
        return self._client

    def hide(self, text: str) -> str:
        """Return a string with the player's token replaced. Responses from the service should not contain the token."""
        return text if self._token is None else text.replace(self._token, "[token]")

    def _register(self) -> None:
        # Another process may have registered since this one started.
        token = stored_token(self._file)
        if token is None:
            suffix = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            self._require_writable()
            try:
                player = Client(self.url).register(self._name or f"Model-{suffix}")
            except Refused as error:
                if self._name is None or error.code != "invalid-request":
                    raise
                raise BadAccount(f"{PLAYER}: the service does not accept this name") from None
            token = read_token(player["token"])
            _write(self._file, str(token))
            _write(self._file.with_name(f"{self._file.name}.recovery-code"), player["recovery_code"])
        self._token = token
        self._client = Client(self.url, token)

    def _require_writable(self) -> None:
        """Before registering a player, check that the new token can be stored."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise BadAccount(f"{self._file}: the folder for the token cannot be created: {error.strerror}") from None
        if not os.access(self._file.parent, os.W_OK):
            raise BadAccount(f"{self._file}: the token cannot be written to this file")


def read_account(url: str, token_file: Path | None, environ: Mapping[str, str]) -> Account:
    """Return the account that the settings describe. Raises: BadAccount.

    The token comes from `token_file` if given, otherwise from the environment variable if set, otherwise from the
    default file. The name of the default file contains the service's address, so that no service gets another service's
    token.
    """
    found = _URL.fullmatch(url)
    if found is None:
        raise BadAccount(f"{URL} or --url must be the address of a service, such as http://127.0.0.1:8000")
    file = token_file or _config_folder(environ) / "condottiere" / f"{quote(found[1], safe='')}.token"
    try:
        token = read_token(environ.get(TOKEN, "")) if token_file is None else None
    except BadAddress as error:
        raise BadAccount(f"{TOKEN}: {error}") from None
    return Account(found[1], token or stored_token(file), file, environ.get(PLAYER) or None)


def stored_token(file: Path) -> str | None:
    """Return the token in a file, or None if there is no file. Raises: BadAccount."""
    try:
        return read_token(file.read_text("ascii", "replace"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadAccount(f"{file}: {error.strerror}") from None
    except BadAddress as error:
        raise BadAccount(f"{file}: {error}") from None


def _config_folder(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _write(file: Path, text: str) -> None:
    """Write a secret into a file that only its owner may read."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        # If the file existed already, it still has its old mode.
        os.fchmod(stream.fileno(), 0o600)
        stream.write(f"{text}\n")
