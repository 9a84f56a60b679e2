"""Webhooks for people: what chats are sent, how a chat is confirmed, and that each turn is sent only once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

from service.games.repository import Games
from service.notices.chats import CHATS, DISCORD, NTFY, SLACK, TEXT, body_of
from service.notices.words import Words
from service.processes import deliver
from service.timekeeping.deadlines import keep_time
from service.webhooks import planning
from service.webhooks.delivering import Message
from service.webhooks.formats import EMAIL, FOR_PEOPLE, PUSH

from ..api.conftest import Json, Person
from ..servers import Valkey
from ..times import DAY, Time, clock, real
from .sink import Received, Sink, receiving
from .subscriber import delivering, eventually, run
from .test_correspondence import Listener, duel, with_bruno_to_move

URL = "https://play.example.org/game/17h8q2v5c0mzk4r9td"
DEADLINE = 1_795_334_531_480
HOSTILE = "*Anna_* @everyone <@&7> <!channel> [free](https://evil.example) `x` & more\r\nBcc: all"
"""A text that contains the markup of every format."""


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time(real())


def words(text: str = "Anna, it is your turn.", deadline: int | None = None) -> Words:
    """Return texts that a notice might contain."""
    return Words("Your turn", text, URL, deadline)


def content(form: str, notice: Words) -> Any:
    """Return what a receiver of a format reads: the JSON object, or the text."""
    body = body_of(form, notice)
    received = Received({}, body.content)
    return received.json if body.media_type == "application/json" else body.content.decode()


def test_discord_is_sent_markdown_that_mentions_nobody_and_shows_no_preview() -> None:
    message = content(DISCORD, words(deadline=DEADLINE))
    seconds = DEADLINE // 1000
    assert message == {
        "content": "**Your turn**\nAnna, it is your turn.\n"
        f"Your time runs out <t:{seconds}:R> (<t:{seconds}:f>).\n<{URL}>",
        "allowed_mentions": {"parse": []},
    }


def test_slack_is_sent_a_text_without_markup_or_previews() -> None:
    assert content(SLACK, words(deadline=DEADLINE)) == {
        "text": "Condottiere: Your turn\nAnna, it is your turn.\n"
        f"Your time runs out on 22 November 2026, 08:02 UTC.\n{URL}",
        "mrkdwn": False,
        "unfurl_links": False,
        "unfurl_media": False,
    }


def test_ntfy_is_sent_a_text_whose_title_and_link_are_headers() -> None:
    body = body_of(NTFY, words())
    assert body.content == b"Anna, it is your turn."
    assert (body.headers["Title"], body.headers["Click"]) == ("Condottiere: Your turn", URL)
    assert all(value.isascii() for value in body.headers.values())
    assert "Markdown" not in body.headers


def test_text_is_sent_lines() -> None:
    assert content(TEXT, words()).splitlines() == ["Condottiere: Your turn", "Anna, it is your turn.", URL]


def test_nothing_links_where_the_service_does_not_know_its_url() -> None:
    for form in CHATS:
        body = body_of(form, words()._replace(url=None))
        assert b"http" not in body.content, form
        assert "Click" not in body.headers, form


def test_a_name_cannot_mark_up_a_message_to_discord() -> None:
    line = content(DISCORD, words(HOSTILE))["content"].splitlines()[1]
    unescaped = re.sub(r"\\.", "", line)
    assert not set("*_~`|<>@[]()#\\") & set(unescaped)
    assert "://" not in unescaped
    assert "Bcc" in line, "on the same line"


def test_a_name_cannot_mention_or_link_anything_in_slack() -> None:
    text = content(SLACK, words(HOSTILE))["text"]
    assert not set("<>") & set(text)
    assert "&lt;!channel&gt;" in text
    assert text.count("://") == 1, "that of the game alone"


def test_a_name_cannot_begin_a_line() -> None:
    for form in (NTFY, TEXT, SLACK):
        message = content(form, words(HOSTILE))
        lines = (message["text"] if form == SLACK else message).splitlines()
        assert not any(line.startswith("Bcc") for line in lines), form


@pytest.mark.parametrize("form", CHATS)
def test_a_long_text_is_cut(form: str) -> None:
    message = content(form, words("A" * 10_000))
    text = message if isinstance(message, str) else message.get("content", message.get("text"))
    assert 1_000 < len(text) <= 2_000


def test_a_webhook_has_the_format_json_unless_another_is_asked_for(anna: Person) -> None:
    made = anna.post("/webhooks", {"url": "https://example.org/"}, 201)
    assert made["format"] == "json"
    assert len(made["events"]) > len(FOR_PEOPLE)
    assert anna.get(f"/webhooks/{made['id']}")["format"] == "json"


@pytest.mark.parametrize("form", CHATS)
def test_people_are_sent_few_events_unless_they_ask_for_others(anna: Person, form: str) -> None:
    made = anna.post("/webhooks", {"url": "https://example.org/", "format": form}, 201)
    assert (made["format"], made["events"]) == (form, list(FOR_PEOPLE))
    asked = {"url": "https://example.org/", "format": form, "events": ["game.moved"]}
    assert anna.post("/webhooks", asked, 201)["events"] == ["game.moved"]


def test_an_unknown_format_is_refused(anna: Person) -> None:
    refused = anna.post("/webhooks", {"url": "https://example.org/", "format": "teletext"}, 422)
    assert refused["code"] == "invalid-request"
    assert anna.get("/webhooks") == {"webhooks": []}


@pytest.mark.parametrize("form", CHATS)
def test_a_private_address_is_refused_in_every_format(anna: Person, form: str) -> None:
    refused = anna.post("/webhooks", {"url": "https://10.0.0.7/", "format": form}, 422)
    assert refused["code"] == "bad-endpoint"


def code_in(sink: Sink) -> str:
    """Return the code in the last message."""
    (code,) = re.findall(r"[0-9A-Z]{4}-[0-9A-Z]{4}", sink.received[-1].body.decode().replace("\\", ""))
    return str(code)


async def subscribed(anna: Person, sink: Sink, form: str, **asked: Any) -> Json:
    """Return a new webhook, after its receiver got the code and the code was sent back."""
    wanted = {"url": sink.url, "format": form, **asked}
    made = await asyncio.to_thread(anna.post, "/webhooks", wanted, 201)
    await sink.until(lambda: bool(sink.received))
    return await asyncio.to_thread(anna.post, f"/webhooks/{made['id']}/confirm", {"code": code_in(sink)})


@pytest.mark.usefixtures("against_bots")
@pytest.mark.parametrize("form", CHATS)
def test_a_confirmed_chat_is_sent_the_turn_that_waits(log_server: Valkey, anna: Person, form: str) -> None:
    async def play() -> None:
        async with receiving() as sink, delivering(log_server.url):
            webhook = await subscribed(anna, sink, form)
            assert webhook["verified_at"] is not None
            await sink.until(lambda: len(sink.received) == 3)
            assert "has started" in sink.received[1].body.decode()
            text = sink.received[-1].body.decode().replace("\\", "")
            assert "Anna, it is your turn in your game of Condottiere with the bot" in text
            assert sink.received[-1].headers["webhook-id"].startswith("msg_")

    run(play())


def test_until_a_chat_is_confirmed_it_is_sent_nothing_but_codes(
    log_server: Valkey, anna: Person, against_bots: Json
) -> None:
    async def play() -> None:
        async with receiving() as sink, delivering(log_server.url):
            made = await asyncio.to_thread(anna.post, "/webhooks", {"url": sink.url, "format": TEXT}, 201)
            await sink.until(lambda: bool(sink.received))
            path = f"/webhooks/{made['id']}"
            refused = await asyncio.to_thread(anna.post, f"{path}/confirm", {"code": "0000-0000"}, 403)
            assert refused["code"] == "code-unknown"
            await asyncio.to_thread(anna.move, against_bots, against_bots["moves"][0])
            await asyncio.to_thread(anna.post, f"{path}/ping", None, 202)
            await sink.until(lambda: len(sink.received) == 2)
            assert sink.received[0].body == sink.received[1].body, "the code does not change"
            assert anna.get(path)["verified_at"] is None

    run(play())


def test_a_code_is_read_as_people_type_it(log_server: Valkey, anna: Person) -> None:
    async def play() -> None:
        async with receiving() as sink, delivering(log_server.url):
            made = await asyncio.to_thread(anna.post, "/webhooks", {"url": sink.url, "format": TEXT}, 201)
            await sink.until(lambda: bool(sink.received))
            typed = code_in(sink).replace("-", " ").replace("0", "o").replace("1", "l").lower()
            after = await asyncio.to_thread(anna.post, f"/webhooks/{made['id']}/confirm", {"code": typed})
            assert after["verified_at"] is not None

    run(play())


def test_a_code_is_good_for_one_url_of_one_webhook(log_server: Valkey, anna: Person) -> None:
    async def play() -> None:
        async with receiving() as sink, delivering(log_server.url):
            made = await asyncio.to_thread(anna.post, "/webhooks", {"url": sink.url, "format": TEXT}, 201)
            await sink.until(lambda: bool(sink.received))
            code = code_in(sink)
            other = await asyncio.to_thread(anna.post, "/webhooks", {"url": sink.url, "format": TEXT}, 201)
            path = f"/webhooks/{made['id']}"
            await asyncio.to_thread(anna.ask, "PATCH", path, json={"url": f"{sink.url}/other"})
            for webhook in (made, other):
                where = f"/webhooks/{webhook['id']}/confirm"
                refused = await asyncio.to_thread(anna.post, where, {"code": code}, 403)
                assert refused["code"] == "code-unknown"

    run(play())


def test_a_webhook_for_a_program_cannot_be_confirmed_with_a_code(anna: Person) -> None:
    made = anna.post("/webhooks", {"url": "https://example.org/"}, 201)
    assert anna.post(f"/webhooks/{made['id']}/confirm", {"code": "0000-0000"}, 403)["code"] == "code-unknown"


@pytest.mark.usefixtures("against_bots")
@pytest.mark.parametrize(("form", "status"), [(DISCORD, 404), (SLACK, 404), (TEXT, 410), (NTFY, 410)])
def test_a_receiver_that_was_deleted_is_sent_nothing_more(
    log_server: Valkey, anna: Person, form: str, status: int
) -> None:
    async def play() -> None:
        async with receiving() as sink, delivering(log_server.url):
            webhook = await subscribed(anna, sink, form)
            await sink.until(lambda: len(sink.received) == 3)
            sink.status = status
            path = f"/webhooks/{webhook['id']}"
            await asyncio.to_thread(anna.post, f"{path}/ping", None, 202)
            await eventually(lambda: anna.get(path)["disabled"] == "gone")

    run(play())


def test_a_receiver_that_was_not_found_is_tried_again(
    log_server: Valkey, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliver, "PAUSE", 0.02)

    async def play() -> None:
        async with receiving() as sink, delivering(log_server.url):
            sink.status = 404
            made = await asyncio.to_thread(anna.post, "/webhooks", {"url": sink.url, "format": NTFY}, 201)
            path = f"/webhooks/{made['id']}"
            await eventually(lambda: anna.get(path)["failing_since"] is not None)
            assert anna.get(path)["disabled"] is None

    run(play())


def test_an_answer_from_a_chat_makes_no_move(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    async def play() -> None:
        async with receiving() as sink, delivering(log_server.url):
            sink.answer = b'{"move": 0}'
            webhook = await subscribed(anna, sink, TEXT)
            path = f"/webhooks/{webhook['id']}/deliveries"
            await sink.until(lambda: len(sink.received) == 3)
            await eventually(lambda: anna.get(path)["deliveries"][0]["status"] == "delivered")
            assert anna.get(f"/games/{against_bots['id']}") == against_bots

    run(play())


def people(games: Games, *persons: Person, form: str = TEXT) -> dict[Person, Listener]:
    """Return a confirmed receiver of a format for each of these players."""
    listeners = {person: Listener(games, person, events=list(FOR_PEOPLE)) for person in persons}
    for listener in listeners.values():
        games.store.webhooks.change(listener.id, {"format": form})
    return listeners


@pytest.mark.usefixtures("time")
@pytest.mark.parametrize("form", [*CHATS, EMAIL, PUSH])
def test_a_turn_is_sent_once_even_if_its_version_changes(
    anna: Person, bruno: Person, person: Callable[..., Person], games: Games, form: str
) -> None:
    """A resignation changes the version. A program then gets the turn again, but a person does not."""
    carla = person("Carla")
    game = anna.open_game(clock=clock())
    for joining in (bruno, carla):
        joining.post(f"/games/{game['id']}/join")
    everybody = (anna, bruno, carla)
    asked = next(one for one in everybody if one.get(f"/games/{game['id']}")["moves"])
    listeners, program = people(games, *everybody, form=form), Listener(games, asked)
    assert [kind for kind, _ in listeners[asked].told(1)] == ["game.started", "turn.started"]
    resigning = next(one for one in everybody if one is not asked)
    resigning.post(f"/games/{game['id']}/resign")
    assert program.told(1).count(("turn.started", 3)) == 1
    assert [kind for kind, _ in listeners[asked].told(1)] == ["game.started", "turn.started"]
    view = asked.get(f"/games/{game['id']}")
    asked.move(view, view["moves"][0])
    other = next(one for one in everybody if one.get(f"/games/{game['id']}")["moves"])
    assert [kind for kind, _ in listeners[other].told(3)] == ["turn.started"]


@pytest.mark.parametrize("form", [*CHATS, EMAIL, PUSH])
def test_a_turn_is_sent_once_even_if_its_clock_starts_again(
    anna: Person, bruno: Person, games: Games, time: Time, form: str
) -> None:
    listeners = people(games, anna, bruno, form=form)
    game, asked, other = duel(anna, bruno)
    for one in (asked, other):
        one.post(f"/games/{game['id']}/pause")
    time.passes(DAY)
    other.post(f"/games/{game['id']}/resume")
    assert asked.get(f"/games/{game['id']}")["clock"]["turn"]["deadline"] > time.now
    assert [kind for kind, _ in listeners[asked].told(1)] == ["game.started", "turn.started"]


@pytest.mark.usefixtures("time")
@pytest.mark.parametrize("form", [*CHATS, EMAIL, PUSH])
def test_every_turn_of_a_game_is_sent_once(anna: Person, bruno: Person, games: Games, form: str) -> None:
    listeners = people(games, anna, bruno, form=form)
    game, asked, _ = duel(anna, bruno)
    turns = {anna: 0, bruno: 0}
    for _ in range(12):
        turns[asked] += 1
        view = asked.get(f"/games/{game['id']}")
        asked.move(view, view["moves"][-1])
        asked = next(one for one in (anna, bruno) if one.get(f"/games/{game['id']}")["moves"])
    turns[asked] += 1
    for one, listener in listeners.items():
        assert [kind for kind, _ in listener.told(1)].count("turn.started") == turns[one]


def test_a_reminder_says_how_much_time_is_left(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    listeners = people(games, anna, bruno)
    game = with_bruno_to_move(anna, bruno)
    time.passes(round(0.75 * DAY))
    assert keep_time(games, game["id"])
    while planning.plan(games, range(64)).more:
        pass
    letter = listeners[bruno].letter("turn.reminder")
    assert isinstance(letter, Message)
    assert "25% of your time is left" in letter.body.decode()
    assert "Your time runs out on" in letter.body.decode()
    assert "Bruno, your game" in letter.body.decode()
