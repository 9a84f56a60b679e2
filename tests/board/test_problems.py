"""Every problem that a click can cause while writing is shown next to the clicked element.

`test_problems_of_reading` covers problems of reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Route

from ..service.notices.browser import Browser
from ..service.whole.product import Service
from .players import Json, Player
from .refusing import Click, Screen, button, codes_of

pytestmark = pytest.mark.browser

NewContext = Callable[..., BrowserContext]
TWO = {"two_on_the_board": True}
"""The option that lets two players play on the map."""


@pytest.fixture
def show(new_context: NewContext) -> Callable[..., Screen]:
    """Show a screen as a player."""
    return lambda player, address: Screen(player, new_context()).open(address)


@pytest.fixture(scope="module")
def player(service: Service) -> Player:
    """A player whose requests are all refused."""
    return Player(service)


def running(player: Player, **more: Any) -> str:
    """Open a game in which it is the player's turn, and give a standing order."""
    game = str(player.open("zman-2018-duel", 2, 1, clock={"kind": "per-move", "seconds": 3600}, **more)["id"])
    while not player.ask("GET", f"/games/{game}")["moves"]:
        player.ask("GET", f"/games/{game}/events?wait=5")
    orders = f"/games/{game}/orders"
    version = player.ask("GET", orders)["version"]
    player.ask("PUT", orders, {"after_battle": "keep", "battle": None}, **{"If-Match": f'"{version}"'})
    return game


def test_what_a_player_does_in_a_game(player: Player, show: Callable[..., Screen]) -> None:
    screen = show(player, f"/game/{running(player)}")
    page = screen.page
    page.get_by_text("Options and more").click()
    page.get_by_role("toolbar").locator("[aria-disabled=false]").first.click()
    page.locator("#confirm").wait_for()
    stale = {"stale-version": "Look again."}
    screen.check(Click("makeMove", "POST", "/moves$", [("#confirm", "", None)], special=stale))
    page.keyboard.press("Escape")
    screen.check(Click("pauseGame", "POST", "/pause$", [button("Ask for a pause")]))
    screen.check(Click("askForExtension", "POST", "/extension$", [button("Ask for 30 min")]))
    resign = [button("Resign"), ("#typed", "", "resign"), button("Resign", "dialog")]
    screen.check(Click("resign", "POST", "/resign$", resign))
    page.get_by_text("Standing orders").click()
    screen.check(Click("putOrders", "PUT", "/orders$", [button("Give these orders")]))
    screen.check(Click("deleteOrders", "DELETE", "/orders$", [button("Withdraw all orders")]))


def test_what_a_player_does_for_a_hint(player: Player, show: Callable[..., Screen]) -> None:
    """First the request for a hint is refused, then a poll while the bot is thinking."""
    screen = show(player, f"/game/{running(player, hints='allowed')}")
    ask = [button("Ask for a hint")]
    screen.check(Click("askForHint", "POST", "/hint$", ask))

    def think(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=202, json={"state": "thinking", "move": None})
        else:
            route.fallback()

    screen.page.route("**/hint", think)
    screen.check(Click("getHint", "GET", "/hint$", ask))


def test_what_a_player_does_about_the_clock_and_the_seat(player: Player, show: Callable[..., Screen]) -> None:
    """The page first shows a paused game, and then a game in which another player asks for more time."""
    game = running(player)
    screen = show(player, f"/game/{game}")
    page = screen.page
    changes: list[Callable[[Json], None]] = []

    def changed(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        view = answer.json()
        changes[-1](view)
        route.fulfill(response=answer, json=view)

    def paused(view: Json) -> None:
        view["clock"]["paused_since"] = view["clock"]["turn"]["since"]
        view["seated"][view["you"]]["bot"] = "steady"

    def asked(view: Json) -> None:
        view["clock"]["turn"]["seat"] = 1 - view["you"]
        view["clock"]["extension"] = {"extra": 600_000, "agreed": []}

    changes.append(paused)
    page.get_by_text("Options and more").click()
    page.route(re.compile(f"/v1/games/{game}$"), changed)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    screen.check(Click("resumeGame", "POST", "/resume$", [button("End the pause")]))
    screen.check(Click("takeSeatBack", "POST", "/return$", [button("Take my seat back")]))
    changes.append(asked)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    screen.check(Click("grantExtension", "POST", "/extension/grant$", [button("Grant 10 min")]))


def test_what_is_done_before_the_start_and_after_the_end(
    service: Service, player: Player, show: Callable[..., Screen]
) -> None:
    guest = Player(service, "Lodovico")
    full = player.open("zman-2018", 3, 2, start="owner")["id"]
    screen = show(player, f"/game/{full}")
    screen.check(Click("startGame", "POST", "/start$", [button("Start the game")]))
    screen.check(Click("leaveGame", "POST", "/leave$", [button("Cancel the game")]))
    free = player.open("zman-2018", 3, 1)["id"]
    screen = show(guest, f"/game/{free}")
    screen.check(Click("joinGame", "POST", "/join$", [button("Join")]))
    over = player.open("zman-2018-duel", 2, 1)["id"]
    player.ask("POST", f"/games/{over}/resign")
    screen = show(player, f"/game/{over}")
    screen.check(Click("openGame", "POST", "/v1/games$", [button("New game with these settings")]))


def test_what_is_done_to_find_a_game(service: Service, player: Player, show: Callable[..., Screen]) -> None:
    """Codes that mean that a game is gone have special texts: see `test_lobby`."""
    player.open("zman-2018", 3, 0)
    gone = ("no-free-seat", "seat-taken", "game-started", "game-cancelled", "unknown-game", "already-seated")
    screen = show(Player(service, "Lodovico"), "/lobby")
    screen.check(Click("joinGame", "POST", "/join$", [("main button", "Join", None)], left_out=gone))
    screen = show(player, "/new")
    screen.check(Click("openGame", "POST", "/v1/games$", [button("Start the game")], has_title=False))


def shared(one: Player, other: Player, edition: str = "zman-2018-duel", **more: Any) -> str:
    """Return the id of a game that two people play."""
    game = str(one.open(edition, 2, 0, **more)["id"])
    other.ask("POST", f"/games/{game}/join")
    return game


@pytest.fixture(scope="module")
def guest(service: Service) -> Player:
    """Another player, whom the player meets."""
    return Player(service, "Lodovico")


def test_what_an_owner_does_with_a_table(
    service: Service, player: Player, guest: Player, show: Callable[..., Screen]
) -> None:
    game = player.open("zman-2018", 5, 0, private=True, title="For friends")["id"]
    secret = player.ask("GET", f"/games/{game}/table")["link"]["secret"]
    guest.ask("POST", f"/games/{game}/join", **{"Game-Link": secret})
    player.ask("POST", f"/games/{game}/invitations", {"player": Player(service, "Isabella").name})
    screen = show(player, f"/game/{game}")
    kept = "For friends"
    for click in (
        Click("closeSeat", "POST", "/close-seat$", [button("Close seat")], kept=kept),
        Click("seatBot", "POST", "/seat-bot$", [button("Give seat")], kept=kept),
        Click("handOver", "POST", "/hand-over$", [button("Hand the table over")], kept=kept),
        Click("makeJoinCode", "POST", "/code$", [button("Get a code to read out")], kept=kept),
        Click("replaceLink", "POST", "/link$", [button("Replace the link")], kept=kept),
        Click("withdrawInvitation", "DELETE", "/invitations/", [button("Withdraw the invitation")], kept=kept),
        Click("invite", "POST", "/invitations$", [("#guests-name", "", guest.name), button("Invite")], kept=kept),
        Click(
            "changeTable", "PATCH", "/table$", [("#guests-retitle", "", "Later"), button("Change the title")], kept=kept
        ),
    ):
        screen.check(click)


def test_what_is_done_with_an_invitation_and_a_code(player: Player, guest: Player, show: Callable[..., Screen]) -> None:
    game = player.open("zman-2018", 3, 0, title="For Lodovico")["id"]
    player.ask("POST", f"/games/{game}/invitations", {"player": guest.name})
    screen = show(guest, "/")
    for operation, answer in (("acceptInvitation", "Accept"), ("declineInvitation", "Decline")):
        click = [button(f"{answer} the invitation of {player.name}")]
        screen.check(Click(operation, "POST", f"/{answer.lower()}$", click, kept="For Lodovico"))
    screen = show(guest, "/lobby")
    screen.check(Click("findGame", "POST", "/codes/find$", [("#lobby-code", "", "K7QM-3XRT"), button("Find the game")]))


def test_what_is_done_to_end_a_game_and_to_play_again(
    player: Player, guest: Player, show: Callable[..., Screen]
) -> None:
    game = shared(player, guest)
    screen = show(player, f"/game/{game}")
    screen.page.get_by_text("Options and more").click()
    end = [button("End the game"), ("dialog [type=radio]", "", None), button("Ask for this end", "dialog")]
    screen.check(Click("askToEnd", "POST", "/end$", end, kept="Your hand"))
    guest.ask("POST", f"/games/{game}/resign")
    screen.check(Click("proposeRematch", "POST", "/rematch$", [button("Ask for a rematch")]))
    screen.check(Click("getSettings", "GET", "/settings$", [button("New game with these settings")]))


def test_what_a_player_does_to_show_cards(player: Player, guest: Player, show: Callable[..., Screen]) -> None:
    """The chosen cards stay selected."""
    screen = show(player, f"/game/{shared(player, guest, 'zman-2018', showing='allowed', options=TWO)}")
    screen.page.get_by_role("button", name="Show cards").click()
    dialog = screen.page.get_by_role("dialog")
    dialog.get_by_role("group", name="Cards of your hand").get_by_role("checkbox").first.check()
    click = [button("Show 1 card", "dialog")]
    screen.check(Click("showCards", "POST", "/shown$", click, kept=f"to {guest.name}."))


def test_what_is_done_at_a_table_with_talk(player: Player, guest: Player, show: Callable[..., Screen]) -> None:
    game = shared(player, guest)
    guest.ask("POST", f"/games/{game}/talk", {"text": "Good evening"})
    screen = show(player, f"/game/{game}")
    screen.page.locator("#talk summary").click()
    report = [button("Report"), ("#talk-reason", "", "It is rude"), button("Send the report")]
    for click in (
        Click("sendMessage", "POST", "/talk$", [("#talk-text", "", "Hello"), button("Send", "#talk")]),
        Click("putMutes", "PUT", "/talk/mutes$", [button("Mute all spectators")]),
        Click("blockPlayer", "PUT", "/me/blocks/", [button(f"Block {guest.name}")]),
        Click("reportMessage", "POST", "/report$", report),
    ):
        screen.check(click._replace(kept="Good evening"))


PUSHES = """
Object.defineProperty(navigator.serviceWorker, "ready", { value: Promise.resolve({ pushManager: {
    subscribe: async () => ({ toJSON: () => ({ endpoint: "https://push.example.org/new", keys: {} }) }),
} }) });
Notification.requestPermission = async () => "granted";
"""
"""Replaces the browser's own push code, because a real push service is on the internet."""


def test_what_is_done_about_notices(service: Service, show: Callable[..., Screen]) -> None:
    player = Player(service, "Isabella")
    player.ask("PUT", "/me/notices/email", {"address": "isabella@example.org"})
    player.ask("POST", "/me/notices/push", Browser().subscription("https://push.example.org/isabella", "Old laptop"))
    screen = show(player, "/settings")
    page = screen.page
    page.get_by_role("button", name="Switch off Old laptop").wait_for()
    page.evaluate(PUSHES)
    code = [("[name=code]", "", "0000-0000"), button("Confirm")]
    for click in (
        Click("setAddress", "PUT", "/notices/email$", [button("Send me a code")]),
        Click("confirmAddress", "POST", "/email/confirm$", code),
        Click("removeAddress", "DELETE", "/notices/email$", [button("Remove the address")]),
        Click("addBrowser", "POST", "/notices/push$", [button("Show notifications on this device")]),
        Click("setNotices", "PUT", "/me/notices$", [("[aria-labelledby=settings-push] input", "", None)]),
        Click("removeBrowser", "DELETE", "/notices/push/", [button("Switch off Old laptop")]),
    ):
        screen.check(click._replace(kept="Old laptop"))


def test_what_is_done_about_chats(service: Service, show: Callable[..., Screen]) -> None:
    player = Player(service, "Isabella")
    for host, active in (("chat", True), ("quiet", False)):
        hook = {"url": f"https://{host}.example.org/hook", "format": "text", "active": active}
        player.ask("POST", "/webhooks", hook)
    screen = show(player, "/settings#settings-data")
    new = [("[name=url]", "", "https://new.example.org"), button("Add the chat")]
    for click in (
        Click("addWebhook", "POST", "/v1/webhooks$", new),
        Click("confirmWebhook", "POST", "/confirm$", [("[name=code]", "", "0000-0000"), button("Confirm")]),
        Click("pingWebhook", "POST", "/ping$", [button("Send the code again")]),
        Click("changeWebhook", "PATCH", "/v1/webhooks/", [button("Send messages again")]),
        Click("removeWebhook", "DELETE", "/v1/webhooks/", [button("Remove Plain text")]),
    ):
        screen.check(click._replace(kept="Plain text at chat.example.org"))


def test_what_is_done_about_a_block(player: Player, guest: Player, show: Callable[..., Screen]) -> None:
    player.ask("PUT", f"/me/blocks/{guest.account['id']}")
    screen = show(player, "/settings")
    screen.check(Click("unblockPlayer", "DELETE", "/me/blocks/", [button(f"Unblock {guest.name}")]))


def test_what_is_done_in_the_settings(player: Player, show: Callable[..., Screen]) -> None:
    other = player.ask("POST", "/me/tokens", {"name": "Old laptop", "scopes": ["play"]})
    assert other["token"]
    screen = show(player, "/settings#settings-data")
    confirm = ("dialog .primary", "", None)
    for click in (
        Click("changeMe", "PATCH", "/v1/me$", [button("Save")]),
        Click("replaceToken", "POST", "/me/token$", [button("Replace token"), confirm]),
        Click("addDevice", "POST", "/me/devices$", [button("Get a code for another device")]),
        Click("revokeToken", "DELETE", "/me/tokens/", [button("Sign out Old laptop"), confirm]),
        Click("replaceRecoveryCode", "POST", "/me/recovery-code$", [button("Get a new recovery code"), confirm]),
        Click("exportMe", "GET", "/me/export$", [button("Download your data")]),
        Click(
            "deleteMe",
            "DELETE",
            "/v1/me$",
            [button("Delete the account"), ("dialog input", "", player.name), confirm],
        ),
    ):
        screen.check(click)
    for away, click in (
        (False, Click("goOnVacation", "POST", "/me/vacation$", [button("Begin vacation")])),
        (True, Click("comeBack", "DELETE", "/me/vacation$", [button("End vacation")])),
    ):
        # The handler reads responses, so it must not handle requests that the old page is still sending.
        screen.page.goto("about:blank")
        screen.page.route(re.compile("/v1/me$"), with_vacation(away=away))
        screen.page.goto("/settings")
        screen.check(click)


def with_vacation(*, away: bool) -> Callable[[Route], None]:
    """Respond as if the player had earned a day of vacation, and were on vacation or not."""

    def answer(route: Route) -> None:
        real = route.fetch()
        me = real.json()
        me["hours"]["vacation"] |= {"left": 86_400_000, "away": away}
        route.fulfill(response=real, json=me)

    return answer


def test_what_is_done_to_sign_in(service: Service, show: Callable[..., Screen]) -> None:
    screen = show(Player(service), "/settings")
    screen.page.get_by_role("button", name="Sign out").click()
    screen.page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    screen.page.goto("/signin")
    # After the last of these codes, the page offers no retry.
    codes = codes_of("registerPlayer")
    last = "registration-closed"
    assert last in codes
    ways = {"device": ("exchangeDevice", "/v1/devices$"), "recovery": ("recoverAccount", "/v1/recovery$")}
    for way, (operation, path) in ways.items():
        click = (f"section[aria-labelledby=signin-{way}] button", "", None)
        screen.check(Click(operation, "POST", path, [click]))
    special = {"name-taken": "Choose another name, or sign in if it is yours."}
    register = Click("registerPlayer", "POST", "/v1/players$", [(".naming button.primary", "", None)], special=special)
    screen.check(register._replace(left_out=[last]))
    screen.check(register._replace(left_out=[code for code in codes if code != last]))
