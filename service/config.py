"""Configuration: reads the environment once into an immutable value. `SETTINGS` lists every setting."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from environs import Env, EnvValidationError
from marshmallow import ValidationError
from marshmallow.validate import OneOf, Range, Regexp

from .logs import FORMATS, TEXT


class Setting(NamedTuple):
    """A setting: its environment variable, its default as text, and its meaning, including the unit."""

    name: str
    default: str
    meaning: str


SETTINGS = (
    Setting("REDIS_URL", "", "URL of the log server: `redis://`, `rediss://` or `unix://`."),
    Setting("QUEUE_URL", "", "URL of the queue server. If not set, the log server also holds the queue."),
    Setting("REDIS_CLUSTER", "off", "Whether `REDIS_URL` is a node of a cluster. If so, `QUEUE_URL` is required."),
    Setting(
        "CONDOTTIERE_DURABILITY",
        "",
        "Set it to `always` if the log server forbids `CONFIG` and you know that it uses `appendfsync always`.",
    ),
    Setting("CONDOTTIERE_DATA", "~/.local/share/condottiere", "Folder for the data of the embedded servers."),
    Setting("CONDOTTIERE_REDIS_BINARY", "", "Program that runs the embedded servers, instead of the bundled Valkey."),
    Setting(
        "CONDOTTIERE_SECRET_KEYS",
        "",
        "Secret keys, separated by commas, the current key first. Each key has at least 32 bytes, in hex or base64.",
    ),
    Setting(
        "HOST", "127.0.0.1", "Address on which the web process listens. `0.0.0.0` listens on all network interfaces."
    ),
    Setting("PORT", "8000", "Port on which the web process listens."),
    Setting(
        "PUBLIC_URL",
        "",
        "URL at which players reach this service, such as `https://play.example.org`. Notices link to it.",
    ),
    Setting("WEB_WORKERS", "", "Number of processes that handle requests. If not set, one per core."),
    Setting(
        "MAX_WAITS", "8000", "Maximum number of waiting long polls and streams in each process that handles requests."
    ),
    Setting(
        "TRUSTED_PROXIES",
        "",
        "Networks of your proxies, such as `127.0.0.1/32`. The service accepts `X-Forwarded-For` only from them.",
    ),
    Setting(
        "CONDOTTIERE_LIMITS",
        "on",
        "Whether the service limits clients. `off` lifts the limits on what a client may do.",
    ),
    Setting("REGISTRATIONS_PER_HOUR", "200", "Maximum number of registrations per hour, from all addresses together."),
    Setting("GAMES_PER_HOUR", "200", "Maximum number of games that all new players together can open per hour."),
    Setting(
        "WRITES_PER_HOUR",
        "10000",
        "Maximum number of small writes, such as joining a game, by all new players together per hour.",
    ),
    Setting("MAX_OPEN_GAMES", "20", "Maximum number of games per owner that have not started."),
    Setting(
        "OPEN_GAME_DAYS",
        "30",
        "Days after which a game that nobody joins is cancelled. With `0`, such games are never cancelled.",
    ),
    Setting("MAX_GAMES", "100", "Maximum number of open and running games per player."),
    Setting("MAX_WEBHOOKS", "20", "Maximum number of webhooks per player."),
    Setting("MAX_WAITS_PER_PLAYER", "50", "Maximum number of waiting requests per player in each process."),
    Setting("MAX_WAITS_PER_ADDRESS", "500", "Maximum number of waiting requests per address in each process."),
    Setting("CONDOTTIERE_REGISTRATION", "open", "Who may register: `open`, `code` (with the code) or `closed`."),
    Setting("REGISTRATION_CODE", "", "The code for `CONDOTTIERE_REGISTRATION=code`."),
    Setting("CONDOTTIERE_TALK", "on", "Whether people may write to each other at tables."),
    Setting(
        "WEBHOOK_NETWORKS",
        "",
        "Private networks to which webhooks may send, even over http, such as `127.0.0.0/8,::1/128`.",
    ),
    Setting("SMTP_HOST", "", "Mail server for the service's e-mail. If not set, the service sends no e-mail."),
    Setting("SMTP_PORT", "587", "Port of `SMTP_HOST`."),
    Setting("SMTP_USER", "", "User name for `SMTP_HOST`. If not set, the service does not sign in."),
    Setting("SMTP_PASSWORD", "", "Password for `SMTP_USER`."),
    Setting(
        "SMTP_TLS",
        "starttls",
        "`starttls` (encrypt before signing in, or send nothing), `tls` (port 465), or `off`.",
    ),
    Setting("MAIL_FROM", "", "Sender of e-mail, such as `games@play.example.org`. Required with `SMTP_HOST`."),
    Setting(
        "MAIL_DELAY",
        "120",
        "Seconds that the service waits for a player's move before it sends an e-mail about the turn.",
    ),
    Setting(
        "CONDOTTIERE_TEST_CLOCK",
        "off",
        "Whether owners may advance the clocks of their games. For development only.",
    ),
    Setting("LOG_LEVEL", "info", "Lowest level of messages to log: `debug`, `info`, `warning` or `error`."),
    Setting("LOG_FORMAT", "text", "Format of the log: `text`, or `json` for one JSON object per line."),
    Setting(
        "ACCESS_LOG",
        "off",
        "Whether the web process logs each request at level `info` instead of `debug`.",
    ),
    Setting("METRICS_PORT", "", "Port on which the web process serves `/metrics`. If not set, no metrics are served."),
    Setting("METRICS_HOST", "127.0.0.1", "Address on which the web process serves `/metrics`."),
)
"""Every setting, in the order of `docs/settings.md`. An empty environment variable counts as not set."""

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""The number of cores that this process may use."""
_DEFAULTS = {setting.name: setting.default for setting in SETTINGS} | {"WEB_WORKERS": str(CORES), "METRICS_PORT": "0"}
REGISTRATION_MODES = OPEN, CODE, CLOSED = ("open", "code", "closed")
"""Who may register: everybody, people who know the code, or nobody."""
PREFIX = "CONDOTTIERE_"
"""The prefix of variables for this service. A variable with this prefix must be in `SETTINGS` or in `NO_SETTINGS`."""
NO_SETTINGS = frozenset({"CONDOTTIERE_BROWSER", "CONDOTTIERE_PLAYER", "CONDOTTIERE_TOKEN", "CONDOTTIERE_URL"})
"""Variables that have the prefix but are not settings. The board's tests, `condottiere watch` and `condottiere mcp`
read them."""
MIN_KEY_BYTES = 32
"""The minimum length of a secret key, in bytes."""
_AMOUNTS = (
    "REGISTRATIONS_PER_HOUR",
    "GAMES_PER_HOUR",
    "WRITES_PER_HOUR",
    "MAX_OPEN_GAMES",
    "MAX_GAMES",
    "MAX_WEBHOOKS",
    "MAX_WAITS_PER_PLAYER",
    "MAX_WAITS_PER_ADDRESS",
)
"""Settings whose value is a number above 0. `Config` has a field with the same name for each one."""
_LEVELS = ("debug", "info", "warning", "error")
_STATED = OneOf(("", "always"), error="must be empty or always")


def _check_url(url: str) -> None:
    """Reject a Redis URL that redis-py would not accept when the service connects. Raises: ValidationError."""
    try:
        address = urlsplit(url)
        read = address.scheme == "unix" or (address.port != 0 and re.fullmatch("/?[0-9]*", address.path))
        if address.query:
            from redis import ConnectionPool

            pool = ConnectionPool.from_url(url)
            pool.connection_class(**pool.connection_kwargs)
    except (TypeError, ValueError):
        read = False
    if not read:
        raise ValidationError("is not a valid URL; write it like redis://user:password@host:6379/0")


_ADDRESS = (Regexp(r"(redis|rediss|unix)://.|\Z", error="must begin with redis://, rediss:// or unix://"), _check_url)


_SENDER = Regexp(r"([^@\s<>\x00-\x1f]+@[A-Za-z0-9.-]+)?\Z", error="must be an address like games@host.example")
_PUBLIC_URL = Regexp(
    r"(https?://(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?/?)?\Z",
    error="must be a URL like https://play.example.org",
)

Networks = tuple[IPv4Network | IPv6Network, ...]

STARTTLS, TLS = "starttls", "tls"


class Mail(NamedTuple):
    """How the service sends e-mail. `tls` is `starttls`, `tls` or `off`, and `delay` is in seconds."""

    host: str
    port: int
    user: str
    password: str
    tls: str
    sender: str
    delay: int


class ConfigError(Exception):
    """A setting is missing or cannot be read. The error message is one line that names the setting.

    The subclass `MissingSetting` is for a required setting that is missing.
    """


class MissingSetting(ConfigError):
    """A required setting is missing."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """The settings from the environment.

    The `repr` of a `Config` leaves out the secret keys, the registration code, the settings for e-mail, and the URLs of
    the Redis servers, which may contain a password. If `redis_url` or `queue_url` is empty, `condottiere serve` must
    embed that server. `durability_stated` is true if the operator has declared that the log server is durable. The
    service needs this declaration if the server does not report its settings. `data_dir` can begin with `~`.
    `public_url` has no final slash, and is empty if the service does not know its own URL. `workers` is the number of
    web processes, and `max_waits` applies to each web process. `webhook_networks` are private networks to which
    deliveries may be sent. `trusted_proxies` are the networks of the proxies whose X-Forwarded-For header is trusted.
    `metrics_port` is 0 if no metrics are served. `mail` is None if the service sends no e-mail. Only `from_env` checks
    the settings.
    """

    redis_url: str = field(repr=False)
    queue_url: str = field(repr=False)
    redis_cluster: bool = False
    durability_stated: bool = False
    secret_keys: tuple[bytes, ...] = field(default=(), repr=False)
    data_dir: Path = Path("~/.local/share/condottiere")
    redis_binary: str = ""
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""
    workers: int = CORES
    max_waits: int = 8000
    trusted_proxies: Networks = ()
    limits: bool = True
    registrations_per_hour: int = 200
    games_per_hour: int = 200
    writes_per_hour: int = 10_000
    max_open_games: int = 20
    open_game_days: int = 30
    max_games: int = 100
    max_webhooks: int = 20
    max_waits_per_player: int = 50
    max_waits_per_address: int = 500
    registration: str = OPEN
    registration_code: str = field(default="", repr=False)
    webhook_networks: Networks = ()
    mail: Mail | None = field(default=None, repr=False)
    test_clock: bool = False
    talk: bool = True
    log_level: str = "info"
    log_format: str = TEXT
    access_log: bool = False
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ, *, embedding: bool = False) -> Config:
        """Return the settings from the environment.

        If `embedding` is true, `REDIS_URL` may be missing, because the service then embeds the servers that have no
        URL. Raises: ConfigError.
        """
        _check_names(environ)
        config = cls(**_read(_Environment(environ)))
        _check(config, embedding=embedding)
        return config


def listening(environ: Mapping[str, str] = os.environ) -> tuple[str, int]:
    """Return HOST and PORT, even if other settings are wrong or missing. Raises: ConfigError."""
    env = _Environment(environ)
    host, port = _host_and_port(env)
    _seal(env)
    return host, port


class _Environment(Env):
    """Reads environment variables from a mapping, with defaults from `SETTINGS`.

    Raises KeyError if a name is not a setting.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(eager=False)
        self._raw_values = environ

    def _get_value(self, env_key: str, default: Any) -> str:  # noqa: ARG002
        return self._raw_values.get(env_key) or _DEFAULTS[env_key]


def _check_names(environ: Mapping[str, str]) -> None:
    """Reject unknown variables that look like settings, because the service would silently ignore them.

    Raises: ConfigError.
    """
    for name in environ:
        if name.startswith(PREFIX) and name not in _DEFAULTS and name not in NO_SETTINGS:
            similar = get_close_matches(name, _DEFAULTS, n=1, cutoff=0.8)
            hint = f"; did you mean {similar[0]}?" if similar else ""
            raise ConfigError(f"{name} is not a setting{hint}")


def _read(env: Env) -> dict[str, Any]:
    redis_url = env.str("REDIS_URL", validate=_ADDRESS)
    cluster = env.bool("REDIS_CLUSTER")
    host, port = _host_and_port(env)
    values = {
        "redis_url": redis_url,
        "queue_url": env.str("QUEUE_URL", validate=_ADDRESS) or ("" if cluster else redis_url),
        "redis_cluster": cluster,
        "durability_stated": env.str("CONDOTTIERE_DURABILITY", validate=_STATED) == "always",
        "secret_keys": _secret_keys(env.list("CONDOTTIERE_SECRET_KEYS")),
        "data_dir": Path(env.str("CONDOTTIERE_DATA")),
        "redis_binary": env.str("CONDOTTIERE_REDIS_BINARY"),
        "host": host,
        "port": port,
        "public_url": (env.str("PUBLIC_URL", validate=_PUBLIC_URL) or "").rstrip("/"),
        "workers": env.int("WEB_WORKERS", validate=Range(1, 64)),
        "max_waits": env.int("MAX_WAITS", validate=Range(1, 100_000)),
        "trusted_proxies": _networks("TRUSTED_PROXIES", env.list("TRUSTED_PROXIES")),
        "limits": env.bool("CONDOTTIERE_LIMITS"),
        **{name.lower(): env.int(name, validate=Range(1, 1_000_000)) for name in _AMOUNTS},
        "open_game_days": env.int("OPEN_GAME_DAYS", validate=Range(0, 36_500)),
        "registration": env.str("CONDOTTIERE_REGISTRATION", validate=OneOf(REGISTRATION_MODES)),
        "registration_code": env.str("REGISTRATION_CODE"),
        "webhook_networks": _networks("WEBHOOK_NETWORKS", env.list("WEBHOOK_NETWORKS")),
        "mail": _mail(env),
        "test_clock": env.bool("CONDOTTIERE_TEST_CLOCK"),
        "talk": env.bool("CONDOTTIERE_TALK"),
        "log_level": env.str("LOG_LEVEL", validate=OneOf(_LEVELS)),
        "log_format": env.str("LOG_FORMAT", validate=OneOf(FORMATS)),
        "access_log": env.bool("ACCESS_LOG"),
        "metrics_host": env.str("METRICS_HOST"),
        "metrics_port": env.int("METRICS_PORT", validate=Range(0, 65_535)),
    }
    _seal(env)
    return values


def _mail(env: Env) -> Mail | None:
    """Return the settings for e-mail, or None if they name no mail server."""
    mail = Mail(
        host=env.str("SMTP_HOST"),
        port=env.int("SMTP_PORT", validate=Range(1, 65_535)),
        user=env.str("SMTP_USER"),
        password=env.str("SMTP_PASSWORD"),
        tls=env.str("SMTP_TLS", validate=OneOf((STARTTLS, TLS, "off"))),
        sender=env.str("MAIL_FROM", validate=_SENDER),
        delay=env.int("MAIL_DELAY", validate=Range(0, 86_400)),
    )
    return mail if mail.host else None


def _host_and_port(env: Env) -> tuple[str, int]:
    return env.str("HOST"), env.int("PORT", validate=Range(1, 65_535))


def _seal(env: Env) -> None:
    """Check that all settings could be read. Raises: ConfigError, which names every setting that could not be read."""
    try:
        env.seal()
    except EnvValidationError as error:
        raise ConfigError(_one_line(error.error_messages)) from None


def _networks(setting: str, names: list[str]) -> Networks:
    try:
        return tuple(ip_network(name.strip()) for name in names)
    except ValueError as error:
        raise ConfigError(f"{setting}: {error}; write networks like 127.0.0.0/8,::1/128") from None


def _secret_keys(texts: list[str]) -> tuple[bytes, ...]:
    """Return the keys in order. Raises: ConfigError, whose message never contains a key."""
    keys = tuple(_secret_key(number, text.strip()) for number, text in enumerate(texts, 1))
    if len(set(keys)) < len(keys):
        raise ConfigError("CONDOTTIERE_SECRET_KEYS: two keys are the same; remove one of them")
    return keys


def _secret_key(number: int, text: str) -> bytes:
    """Decode a key from hex if the text has only hex digits, and otherwise from base64.

    `number` is the position of the key in the setting, counting from 1. Raises: ConfigError.
    """
    try:
        key = bytes.fromhex(text) if re.fullmatch("[0-9a-fA-F]+", text) else _from_base64(text)
    except ValueError:
        key = b""
    if len(key) < MIN_KEY_BYTES:
        raise ConfigError(
            f"CONDOTTIERE_SECRET_KEYS: key {number} must be at least {MIN_KEY_BYTES} bytes, in hex or base64; "
            "create one with `openssl rand -hex 32`"
        )
    return key


def _from_base64(text: str) -> bytes:
    """Decode base64 in either alphabet, with or without padding. Raises: ValueError."""
    standard = text.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)


def _one_line(messages: Any) -> str:
    return "; ".join(f"{name}: {' '.join(errors)}" for name, errors in messages.items())


def _check(config: Config, *, embedding: bool) -> None:
    """Check that no required setting is missing. Raises: MissingSetting."""
    if config.redis_cluster and not (config.redis_url and config.queue_url):
        missing = "QUEUE_URL" if config.redis_url else "REDIS_URL"
        raise MissingSetting(f"{missing} is not set: REDIS_CLUSTER requires both REDIS_URL and QUEUE_URL")
    if config.registration == CODE and not config.registration_code:
        raise MissingSetting("REGISTRATION_CODE is not set: CONDOTTIERE_REGISTRATION=code requires it")
    if config.mail is not None and not (config.mail.sender and config.public_url):
        missing = "PUBLIC_URL" if config.mail.sender else "MAIL_FROM"
        raise MissingSetting(f"{missing} is not set: SMTP_HOST requires both MAIL_FROM and PUBLIC_URL")
    if not config.redis_url and not embedding:
        raise MissingSetting(
            "REDIS_URL is not set: run `condottiere serve`, which starts its own server, or set REDIS_URL"
        )
