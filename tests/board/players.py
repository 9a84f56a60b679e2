"""Players for tests of the board: registered over the API, and signed in to a browser."""

from __future__ import annotations

import json
import secrets
from typing import Any

import requests
from click.testing import CliRunner
from playwright.sync_api import BrowserContext

from service.cli import main

from ..service.whole.product import Service

Json = dict[str, Any]
CONNECTION = requests.Session()
"""Keeps the connections to the service open, because tests play whole games over the API."""
CONNECTION.trust_env = False


class Player:
    """A player of a service, who also plays over the API."""

    def __init__(self, service: Service, name: str = "Caterina") -> None:
        """Register."""
        self.url = f"{service.url}/v1"
        answer = requests.post(f"{self.url}/players", json={"name": f"{name}-{secrets.token_hex(3)}"}, timeout=30)
        answer.raise_for_status()
        self.account: Json = answer.json()
        self.name: str = self.account["name"]
        self.headers = {"Authorization": f"Bearer {self.account['token']}"}

    def ask(self, method: str, path: str, body: Json | None = None, **headers: str) -> Json:
        """Send a request and return the body of the response."""
        sent = {**self.headers, **headers}
        answer = CONNECTION.request(method, self.url + path, json=body, headers=sent, timeout=60)
        answer.raise_for_status()
        found: Json = answer.json() if answer.content else {}
        return found

    def open(self, edition: str, seats: int, bots: int, bot: str = "steady", **more: Any) -> Json:
        """Open a game whose last seats have bots."""
        placed = [{"seat": seat, "bot": bot} for seat in range(seats - bots, seats)]
        return self.ask("POST", "/games", {"edition": edition, "seats": seats, "bots": placed, **more})

    def move(self, view: Json, move: Json) -> Json:
        """Make a move at a view's version."""
        headers = {"If-Match": f'"{view["version"]}"', "Idempotency-Key": secrets.token_hex(8)}
        return self.ask("POST", f"/games/{view['id']}/moves", move, **headers)

    def sign_in(self, context: BrowserContext) -> None:
        """Sign the player in to a browser by storing the account, as if the player had signed in there."""
        account = {"token": self.account["token"], "player": self.account["id"], "name": self.name}
        script = f"localStorage.setItem('condottiere.account', {json.dumps(json.dumps(account))})"
        context.add_init_script(
            f"if (location.origin !== 'null' && !localStorage.getItem('condottiere.signed-in')) {{ {script};"
            " localStorage.setItem('condottiere.signed-in', '1') }"
        )


def host(service: Service, *arguments: str) -> None:
    """Run one of the host's commands."""
    env = {"REDIS_URL": None, "QUEUE_URL": None, "REDIS_CLUSTER": None, "CONDOTTIERE_DATA": str(service.folder)}
    result = CliRunner(env=env).invoke(main, ["admin", *arguments])
    assert result.exit_code == 0, result.output
