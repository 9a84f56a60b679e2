"""A mail server on the loopback interface that stores or refuses letters, as the test says."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any, cast

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from service.config import Mail

from ..webhooks.subscriber import LONG

SENDER = "games@play.example.org"


class Mailbox:
    """The letters that have arrived, and the replies: `rcpt` to each recipient, and `data` to each letter."""

    def __init__(self) -> None:
        """Accept everything."""
        self.letters: list[EmailMessage] = []
        self.raw: list[bytes] = []
        self.recipients: list[str] = []
        self.sessions: list[bool] = []
        """For each letter, whether it arrived over TLS."""
        self.rcpt = self.data = "250 OK"
        self.port = 0
        self._news = asyncio.Condition()

    async def handle_RCPT(  # noqa: N802
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Accept or refuse a recipient."""
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        else:
            await self._note(lambda: self.recipients.append(address))
        return self.rcpt

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store or refuse a letter."""

        def keep() -> None:
            content = cast("bytes", envelope.content)
            self.raw.append(content)
            self.letters.append(cast("EmailMessage", message_from_bytes(content, policy=cast("Any", default))))
            self.recipients.extend(envelope.rcpt_tos)
            self.sessions.append(session.ssl is not None)

        await self._note(keep)
        return self.data

    async def _note(self, note: Callable[[], None]) -> None:
        async with self._news:
            note()
            self._news.notify_all()

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until a condition is true that can change only when something arrives."""
        async with self._news, asyncio.timeout(LONG):
            await self._news.wait_for(what)

    def mail(self, **chosen: Any) -> Mail:
        """Return the settings of a service that sends to this server."""
        settings = {"user": "", "password": "", "tls": "off", "sender": SENDER, "delay": 0, **chosen}
        return Mail(host="127.0.0.1", port=self.port, **settings)


@asynccontextmanager
async def receiving_mail(
    tls: ssl.SSLContext | None = None, login: tuple[str, str] | None = None
) -> AsyncIterator[Mailbox]:
    """Run a mail server within the block: with STARTTLS if `tls` is given, and for one user if `login` is given."""
    box = Mailbox()

    def authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        sent = (data.login.decode(), data.password.decode())
        return AuthResult(success=sent == login, handled=False)

    def make() -> SMTP:
        return SMTP(
            box,
            hostname="mail.example.org",
            tls_context=tls,
            require_starttls=tls is not None,
            authenticator=authenticate if login else None,
            auth_required=login is not None,
            auth_exclude_mechanism=["LOGIN"],
            enable_SMTPUTF8=False,
        )

    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    box.port = server.sockets[0].getsockname()[1]
    try:
        yield box
    finally:
        server.close()
