"""Mailing: sends one e-mail through the mail server, and returns the result."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Self
from urllib.parse import urlsplit

from ..config import STARTTLS, TLS, Mail
from .sending import PostResult

SECONDS = 15.0
"""The time limit for each step, in seconds: for connecting, and for each reply of the mail server."""
AT_ONCE = 2
"""The maximum number of letters that are sent at the same time. The mail server queues letters anyway, so a low limit
is enough.
"""


class Mailer:
    """Sends e-mails through the mail server, each over a separate connection."""

    def __init__(self, mail: Mail, public_url: str, tls: ssl.SSLContext | None = None) -> None:
        """Use these settings.

        `tls`, if given, is used instead of the default context, which verifies the server against the system's
        certificate authorities.
        """
        self._mail = mail
        self._own_name = urlsplit(public_url).hostname or "localhost"
        self._tls = tls or ssl.create_default_context()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="mail")

    async def __aenter__(self) -> Self:
        """Return this mailer."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Drop the e-mails that are still waiting for a thread."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def send(self, recipient: str, letter: bytes) -> PostResult:
        """Send an e-mail. The result's `status` is the mail server's last reply code.

        The status is None if the mail server cannot be reached, or if it refuses this service rather than the
        recipient. This method never raises an exception, whatever the mail server does.
        """
        began = time.perf_counter()
        status, error = await asyncio.get_running_loop().run_in_executor(self._threads, self._send, recipient, letter)
        return PostResult(status, error, b"", None, round((time.perf_counter() - began) * 1000))

    def _send(self, recipient: str, letter: bytes) -> tuple[int | None, str | None]:
        try:
            with self._connect() as server:
                server.sendmail(self._mail.sender, [recipient], letter)
        except smtplib.SMTPRecipientsRefused as refused:
            ((code, _),) = refused.recipients.values()
            return code, None
        except smtplib.SMTPDataError as refused:
            return refused.smtp_code, None
        except ssl.SSLError:
            return None, "tls-failed"
        except TimeoutError:
            return None, "timed-out"
        except smtplib.SMTPServerDisconnected:
            return None, "no-connection"
        except smtplib.SMTPException:
            return None, "mail-refused"
        except OSError:
            return None, "no-connection"
        return 250, None

    def _connect(self) -> smtplib.SMTP:
        """Connect and sign in. Nothing is sent without encryption unless the settings allow it. Raises: OSError."""
        mail, name = self._mail, self._own_name
        server: smtplib.SMTP
        if mail.tls == TLS:
            server = smtplib.SMTP_SSL(mail.host, mail.port, name, timeout=SECONDS, context=self._tls)
        else:
            server = smtplib.SMTP(mail.host, mail.port, name, timeout=SECONDS)
        try:
            if mail.tls == STARTTLS:
                server.starttls(context=self._tls)
            if mail.user:
                server.login(mail.user, mail.password)
        except BaseException:
            server.close()
            raise
        return server
