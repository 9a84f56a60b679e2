"""Settings: read once, all checked together, reported in one line if something is wrong, and documented."""

from __future__ import annotations

import re
from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path

import pytest

from service.config import SETTINGS, Config, ConfigError, Mail, MissingSetting

URL = "redis://:secret@log.example:6379/0"
DOCUMENT = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_log_server_is_all_that_must_be_named() -> None:
    """The queue then uses the same server, and every default is as documented."""
    assert Config.from_env({"REDIS_URL": URL}) == Config(redis_url=URL, queue_url=URL, limits=True)


def test_every_setting_is_read() -> None:
    """Each variable changes a field."""
    values = {
        "REDIS_URL": URL,
        "QUEUE_URL": "unix:///run/queue",
        "REDIS_CLUSTER": "on",
        "CONDOTTIERE_DURABILITY": "always",
        "CONDOTTIERE_DATA": "/srv/data",
        "CONDOTTIERE_REDIS_BINARY": "/opt/valkey-server",
        "CONDOTTIERE_SECRET_KEYS": f"{'ab' * 32}, {'A' * 43}=",
        "HOST": "0.0.0.0",
        "PORT": "80",
        "PUBLIC_URL": "https://play.example.org/",
        "WEB_WORKERS": "63",
        "MAX_WAITS": "8",
        "TRUSTED_PROXIES": "10.0.0.0/8",
        "CONDOTTIERE_LIMITS": "off",
        "REGISTRATIONS_PER_HOUR": "1",
        "GAMES_PER_HOUR": "2",
        "WRITES_PER_HOUR": "3",
        "MAX_OPEN_GAMES": "4",
        "OPEN_GAME_DAYS": "14",
        "MAX_GAMES": "5",
        "MAX_WEBHOOKS": "6",
        "MAX_WAITS_PER_PLAYER": "7",
        "MAX_WAITS_PER_ADDRESS": "9",
        "CONDOTTIERE_REGISTRATION": "code",
        "REGISTRATION_CODE": "open sesame",
        "CONDOTTIERE_TALK": "off",
        "WEBHOOK_NETWORKS": "127.0.0.0/8, ::1/128",
        "SMTP_HOST": "mail.example.org",
        "SMTP_PORT": "465",
        "SMTP_USER": "games",
        "SMTP_PASSWORD": "open barley",
        "SMTP_TLS": "tls",
        "MAIL_FROM": "games@play.example.org",
        "MAIL_DELAY": "60",
        "CONDOTTIERE_TEST_CLOCK": "on",
        "LOG_LEVEL": "debug",
        "LOG_FORMAT": "json",
        "ACCESS_LOG": "on",
        "METRICS_PORT": "9100",
        "METRICS_HOST": "::1",
    }
    assert list(values) == [setting.name for setting in SETTINGS]
    config = Config.from_env(values)
    default = Config(redis_url="", queue_url="", limits=True)
    assert [field.name for field in fields(Config) if getattr(config, field.name) == getattr(default, field.name)] == []
    assert config.data_dir == Path("/srv/data")
    assert config.durability_stated
    assert config.secret_keys == (b"\xab" * 32, bytes(32))
    assert "secret_keys" not in repr(config)
    assert not config.limits
    assert config.trusted_proxies == (ip_network("10.0.0.0/8"),)
    assert "open sesame" not in repr(config)
    assert config.public_url == "https://play.example.org"
    assert config.mail == Mail("mail.example.org", 465, "games", "open barley", "tls", "games@play.example.org", 60)
    assert "open barley" not in repr(config)
    assert config.webhook_networks == (ip_network("127.0.0.0/8"), ip_network("::1/128"))


def test_a_variable_that_is_empty_is_not_set() -> None:
    """An example is `PORT= condottiere web`."""
    assert Config.from_env({"REDIS_URL": URL, "PORT": "", "QUEUE_URL": "", "REDIS_CLUSTER": ""}).port == 8000


def test_a_missing_log_server_says_what_to_do() -> None:
    """Only `serve` starts its own server."""
    with pytest.raises(MissingSetting, match=r"^REDIS_URL .*run `condottiere serve`.* or set REDIS_URL$"):
        Config.from_env({})


def test_servers_that_are_not_named_are_left_to_be_embedded() -> None:
    """It is possible to name only one of them."""
    neither = Config.from_env({}, embedding=True)
    assert (neither.redis_url, neither.queue_url) == ("", "")
    queue = Config.from_env({"QUEUE_URL": URL}, embedding=True)
    assert (queue.redis_url, queue.queue_url) == ("", URL)


@pytest.mark.parametrize(("named", "missing"), [("PUBLIC_URL", "MAIL_FROM"), ("MAIL_FROM", "PUBLIC_URL")])
def test_a_mail_server_needs_a_sender_and_the_url_for_links(named: str, missing: str) -> None:
    value = {"PUBLIC_URL": "https://play.example.org", "MAIL_FROM": "games@play.example.org"}[named]
    with pytest.raises(MissingSetting, match=f"^{missing} is not set"):
        Config.from_env({"REDIS_URL": URL, "SMTP_HOST": "mail.example.org", named: value})
    assert Config.from_env({"REDIS_URL": URL, named: value}).mail is None


@pytest.mark.parametrize(("named", "missing"), [("REDIS_URL", "QUEUE_URL"), ("QUEUE_URL", "REDIS_URL")])
def test_beside_a_cluster_both_servers_are_named(named: str, missing: str) -> None:
    """The queue does not work on a cluster, and clusters cannot be embedded."""
    with pytest.raises(MissingSetting, match=f"^{missing} is not set"):
        Config.from_env({named: URL, "REDIS_CLUSTER": "on"}, embedding=True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("CONDOTTIERE_DATAS", "CONDOTTIERE_DATAS is not a setting; did you mean CONDOTTIERE_DATA?"),
        ("CONDOTTIERE_XYZZY_FOO_BAR_BAZ", "CONDOTTIERE_XYZZY_FOO_BAR_BAZ is not a setting"),
    ],
)
def test_a_name_that_is_no_setting_is_not_passed_over(name: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_env({"REDIS_URL": URL, name: "/data"})
    assert str(caught.value) == said


@pytest.mark.parametrize("name", ["CONDOTTIERE_TOKEN", "CONDOTTIERE_URL", "CONDOTTIERE_PLAYER", "CONDOTTIERE_BROWSER"])
def test_a_variable_of_the_clients_may_be_set(name: str) -> None:
    """A service and a client can then be started from the same shell."""
    assert Config.from_env({"REDIS_URL": URL, name: "anything"}) == Config.from_env({"REDIS_URL": URL})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REDIS_URL", "http://log.example"),
        ("QUEUE_URL", "queue.example:6379"),
        ("REDIS_URL", "redis://user:secret@127.0.0.1:notaport/0"),
        ("REDIS_URL", "redis://127.0.0.1:99999"),
        ("REDIS_URL", "redis://127.0.0.1:0"),
        ("REDIS_URL", "redis://127.0.0.1/games"),
        ("REDIS_URL", "redis://[::1"),
        ("QUEUE_URL", "redis://127.0.0.1?foo=bar"),
        ("QUEUE_URL", "redis://127.0.0.1?socket_timeout=abc"),
        ("REDIS_CLUSTER", "perhaps"),
        ("CONDOTTIERE_DURABILITY", "sometimes"),
        ("CONDOTTIERE_SECRET_KEYS", "ab" * 31),
        ("CONDOTTIERE_SECRET_KEYS", "correct horse battery staple, and more of the same"),
        ("CONDOTTIERE_SECRET_KEYS", f"{'ab' * 32},{'AB' * 32}"),
        ("PUBLIC_URL", "games.example.org"),
        ("PUBLIC_URL", "https://play.example.org/?x=1"),
        ("PUBLIC_URL", "https://a\r\nBcc: b"),
        ("PORT", "eighty"),
        ("PORT", "65536"),
        ("WEB_WORKERS", "0"),
        ("WEB_WORKERS", "-1"),
        ("MAX_WAITS", "many"),
        ("SMTP_TLS", "perhaps"),
        ("SMTP_PORT", "0"),
        ("MAIL_DELAY", "-1"),
        ("MAIL_FROM", "postmaster"),
        ("MAIL_FROM", "a@b.example\r\nBcc: c@d.example"),
        ("LOG_LEVEL", "loud"),
        ("LOG_FORMAT", "xml"),
        ("ACCESS_LOG", "sometimes"),
        ("METRICS_PORT", "65536"),
    ],
)
def test_a_bad_value_is_told_in_one_line_that_names_the_setting(name: str, value: str) -> None:
    """The value itself is not shown, because it may contain a password."""
    with pytest.raises(ConfigError, match=rf"\A{name}: [^\n]+\Z") as caught:
        Config.from_env({"REDIS_URL": URL, name: value})
    assert value not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1",
        "redis://127.0.0.1/",
        "rediss://user:secret@log.example:6380/2?ssl_cert_reqs=none",
        "redis://[::1]:6379/0",
        "unix:///run/valkey/socket?db=1",
        "redis://127.0.0.1?socket_timeout=3",
    ],
)
def test_an_address_may_be_whatever_the_client_reads(url: str) -> None:
    assert Config.from_env({"REDIS_URL": url}).redis_url == url


def test_all_bad_values_are_told_at_once() -> None:
    """Nobody has to correct them one at a time."""
    with pytest.raises(ConfigError, match=r"PORT: .*; LOG_LEVEL: "):
        Config.from_env({"REDIS_URL": URL, "PORT": "x", "LOG_LEVEL": "x"})


def test_passwords_are_not_shown() -> None:
    """A configuration may be logged."""
    assert "secret" not in repr(Config.from_env({"REDIS_URL": URL}))


def test_the_documentation_has_every_setting() -> None:
    """Each has its default and its meaning, in the same order."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$", DOCUMENT.read_text(), re.MULTILINE)
    assert rows == [
        (setting.name, f"`{setting.default}`" if setting.default else "", setting.meaning) for setting in SETTINGS
    ]
