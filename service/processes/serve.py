"""`condottiere serve`: runs all processes of the Procfile, and each server whose address is not in the environment."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from ..config import Config
from ..store import Store
from ..store.errors import OtherLayout, StoreError
from .binary import find_binary
from .child import Child
from .embedded import EmbeddedServer
from .layout import check_layout
from .local_url import demo_command, local_url
from .secret_keys import key_in
from .supervisor import Supervisor

PROCESSES = ("web", "worker", "thinker", "clock", "deliver")
"""Commands of `condottiere`, in the order in which they are started and stopped. The Procfile has the same commands."""
HEALTH_SECONDS = 1.0

WELCOME = """
Play in a browser: {url}/

The API reference is at {url}/docs. Try the API in another terminal:

    curl -s {url}/v1/editions
    {demo}

{networks}Press Ctrl-C to stop the service. Games {stay}.
"""
INSIDE = "Webhooks may use the private networks {networks} (WEBHOOK_NETWORKS), even over http: for development only.\n"


class ServeError(Exception):
    """The service cannot be started. The message gives the reason, and tells the user what to do."""


def serve(config: Config) -> None:
    """Run the service until SIGINT or SIGTERM. Raises: ServeError, NoBinary, EmbeddedError, OtherLayout."""
    _check_ports(config)
    servers = embedded(config)
    own_keys = secret_keys(config, servers)
    env = {**os.environ, **addresses(config, servers), **own_keys, "PYTHONUNBUFFERED": "1"}
    children = [Child(name, [sys.executable, "-P", "-m", "service", name], env) for name in PROCESSES]
    own = "REDIS_URL" not in servers
    full_config = replace(config, redis_url=env["REDIS_URL"], queue_url=env["QUEUE_URL"])
    prepare = partial(_check_or_migrate, full_config, own=own)
    news, parts = _news(config, own=own), list(servers.values())
    Supervisor(children, parts, prepare=prepare, news=news, log_format=config.log_format).run()


def embedded(config: Config) -> dict[str, EmbeddedServer]:
    """Return a server to embed for each of REDIS_URL and QUEUE_URL that is not set. Raises: ServeError, NoBinary."""
    missing = [name for name, url in (("REDIS_URL", config.redis_url), ("QUEUE_URL", config.queue_url)) if not url]
    if not missing:
        return {}
    try:
        folder = config.data_dir.expanduser()
    except RuntimeError:
        raise ServeError("there is no home folder: set CONDOTTIERE_DATA to a folder for the data") from None
    binary = find_binary(config.redis_binary)
    all_servers = {
        "REDIS_URL": EmbeddedServer(folder / "log", "always", binary=binary),
        # No game is harmed if the queue loses its last second of data. With "always", the queue's many small writes
        # would have to wait for the disk.
        "QUEUE_URL": EmbeddedServer(folder / "queue", "everysec", binary=binary),
    }
    return {name: all_servers[name] for name in missing}


def addresses(config: Config, servers: Mapping[str, EmbeddedServer]) -> dict[str, str]:
    """Return the settings that contain the addresses of both servers."""
    settings = {"REDIS_URL": config.redis_url, "QUEUE_URL": config.queue_url}
    return settings | {name: server.url for name, server in servers.items()}


def secret_keys(config: Config, servers: Mapping[str, EmbeddedServer]) -> dict[str, str]:
    """Return the setting that contains the data folder's key, if the log server is embedded and no key is set.

    An operator who runs a separate log server must set the key, because that server's data can outlive this data
    folder. Raises: ServeError.
    """
    if config.secret_keys or "REDIS_URL" not in servers:
        return {}
    folder = config.data_dir.expanduser()
    try:
        return {"CONDOTTIERE_SECRET_KEYS": key_in(folder)}
    except OSError as error:
        raise ServeError(f"the secret key in the folder {folder} cannot be used: {error.strerror}") from error


def _check_or_migrate(config: Config, stopping: Callable[[], bool], *, own: bool) -> None:
    """Migrate an embedded log server. Refuse to run with the operator's own log server if that server must be migrated.

    Raises: OtherLayout, ServeError.
    """
    if own:
        check_layout(config)
        return
    with closing(Store(config)) as store:
        try:
            for _ in store.migrate():
                if stopping():
                    break
        except OtherLayout:
            raise
        except StoreError as error:
            raise ServeError(
                f"the store cannot be migrated: {error}; the next start continues the migration"
            ) from error


def _check_ports(config: Config) -> None:
    _check_port(config.host, config.port)
    if config.metrics_port:
        _check_port(config.metrics_host, config.metrics_port, "METRICS_")


def _check_port(host: str, port: int, prefix: str = "") -> None:
    """Check that `web` can listen on a port. Raises: ServeError.

    The settings for the host and the port have names that begin with `prefix`.
    """
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = infos[0]
        socket.create_server(address[:2], family=family).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise ServeError(f"{prefix}HOST {host}, {prefix}PORT {port}: {error.strerror}") from error
        message = f"port {port} on {host} is already in use"
        raise ServeError(f"{message}: stop the program that uses it, or set {prefix}PORT to another port") from error


def _news(config: Config, *, own: bool) -> Callable[[], str | None]:
    """Return a function that returns the welcome text once everything is up, and None before that.

    `own` says whether the operator runs their own log server.
    """
    url = local_url(config.host, config.port)
    stay = "are stored on your own log server" if own else f"are stored in {config.data_dir.expanduser().absolute()}"
    inside = ", ".join(map(str, config.webhook_networks))
    networks = INSIDE.format(networks=inside) if inside else ""
    welcome = WELCOME.format(url=url, demo=demo_command(url), stay=stay, networks=networks)
    return lambda: welcome if _is_up(url) else None


def _is_up(url: str) -> bool:
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=HEALTH_SECONDS)) as connection:
        try:
            connection.request("GET", "/v1/health")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
