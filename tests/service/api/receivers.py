"""Everything that a player is sent: through webhooks of each format, to an e-mail address, to a browser, in digests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from service.games.repository import Games
from service.store.deliveries import First
from service.store.keys import SHARDS, new_webhook_id
from service.store.webhooks import Webhook
from service.webhooks import digests, invitations, planning, talk
from service.webhooks.delivering import Message, prepare
from service.webhooks.formats import CHOICES, EMAIL, FORMATS, JSON, PUSH
from service.webhooks.kinds import KINDS
from service.webhooks.replays import Replays

from ..notices.browser import Browser
from ..notices.conftest import MAIL, PUBLIC_URL
from .conftest import Person

DIGEST = "digest"
IN_EVERY_FORMAT = (*FORMATS, EMAIL, PUSH)


class Receivers(NamedTuple):
    """A receiver for each format that wants all kinds of events of one player, by format."""

    games: Games
    person: Person
    browser: Browser
    webhooks: dict[str, Webhook]

    def sent(self) -> dict[str, list[Any]]:
        """Plan all deliveries; return what each receiver is sent, the delivery logs, and the text of a digest.

        Late deliveries are included, as if the webhook's owner had asked to repeat them.
        """
        for plan in (planning.plan, talk.plan, invitations.plan):
            while plan(self.games, range(SHARDS)).more:
                pass
        found: dict[str, list[Any]] = {form: self._sent(webhook) for form, webhook in self.webhooks.items()}
        for form in FORMATS:
            log = self.person.ask("GET", f"/webhooks/{self.webhooks[form].id}/deliveries?limit=100")
            assert log.status_code == 200
            found[f"log of {form}"] = [log.data]
        found[DIGEST] = list(digests.paragraphs_of(self.games, self.webhooks[EMAIL]))
        return found

    def _sent(self, webhook: Webhook) -> list[Any]:
        games = replace(self.games, mail=MAIL, public_url=PUBLIC_URL)
        planned = [one for one in games.store.deliveries.numbered(webhook.id, 1, 200) if one["type"] != "ping"]
        firsts = [First(webhook, {**one, "repeated": True}) for one in planned]
        ready = [prepare(games, Replays(), first) for first in firsts]
        messages = [one for one in ready if isinstance(one, Message)]
        # A notification is encrypted with different keys each time, but its length is always the same.
        return [
            [self.browser.read(one.body), len(one.body), one.form["topic"]]
            if webhook.format == PUSH
            else [one.body, one.form]
            for one in messages
        ]


def receivers_of(games: Games, person: Person) -> Receivers:
    """Create receivers of all kinds of events for a player, in each format."""
    browser = Browser()
    for form in FORMATS:
        kinds = [*KINDS] if form == JSON else [*CHOICES]
        body = {"url": "https://bots.example.org/hook", "format": form, "events": kinds}
        games.store.webhooks.change(person.post("/webhooks", body, 201)["id"], {"verified": games.now()})
    subscribed = games.store.webhooks.of_players([person.id])
    found = {one.format: one for one in subscribed}
    for form, secret in ((EMAIL, "somebody@example.org"), (PUSH, " ".join(browser.keys))):
        new = new_webhook_id(person.id)
        made = replace(found[JSON], id=new, format=form, secrets=[(secret, 0)], events=[*CHOICES])
        assert games.store.webhooks.add(made)
        found[form] = made
    return Receivers(games, person, browser, {form: found[form] for form in IN_EVERY_FORMAT})


def that_differ(one: dict[str, Any], other: dict[str, Any]) -> set[str]:
    """Return the channels by which somebody can distinguish two worlds."""
    assert one.keys() == other.keys()
    return {channel for channel in one if one[channel] != other[channel]}
