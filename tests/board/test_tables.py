"""How players find each other: titles, private games, codes, invitations, seats that the owner gives, and rematches."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import requests
from playwright.sync_api import BrowserContext, Page, Route, expect

from ..service.whole.product import Service
from .axe import violations
from .players import Json, Player
from .refusing import DESCRIPTION

pytestmark = pytest.mark.browser

OpenFor = Callable[[Player], Page]
LOOK = 10_000
"""Milliseconds after which the start page looks for new invitations."""
TITLE = "<img src=x onerror=alert(1)> \u05e9\u05dc\u05d5\u05dd!"
"""A title that contains markup and is written from right to left in part."""


@pytest.fixture
def caterina(service: Service) -> Player:
    return Player(service)


@pytest.fixture
def lodovico(service: Service) -> Player:
    return Player(service, "Lodovico")


@pytest.fixture
def page_of(new_context: Callable[..., BrowserContext]) -> OpenFor:
    """Return a browser page in which a player is signed in."""

    def make(player: Player) -> Page:
        context = new_context()
        player.sign_in(context)
        return context.new_page()

    return make


def private(owner: Player, **more: object) -> Json:
    return owner.open("zman-2018", 3, 0, private=True, **more)


def bots_of(service: Service) -> list[Json]:
    """Return the bots, weakest first."""
    found: list[Json] = requests.get(f"{service.url}/v1/bots", timeout=30).json()["bots"]
    return found


def finished(one: Player, other: Player) -> str:
    """Return the id of a finished two-player game."""
    game: str = one.open("zman-2018-duel", 2, 0)["id"]
    other.ask("POST", f"/games/{game}/join")
    other.ask("POST", f"/games/{game}/resign")
    return game


def test_a_private_game_is_opened_with_a_title_and_shared_by_its_link(
    caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    page = page_of(caterina)
    page.goto("/new?with=players")
    # A browser says only after a while that the settings are open. They stay open if the page is drawn before that.
    page.evaluate("addEventListener('toggle', (event) => event.stopPropagation(), { capture: true, once: true })")
    page.get_by_text("More settings").click()
    page.get_by_label("Title").fill("Sunday <b>evening</b>")
    page.get_by_label("Private game").check()
    page.get_by_role("button", name="Open the game").click()
    page.wait_for_url("**/game/*")
    expect(page.get_by_text("Sunday <b>evening</b>")).to_be_visible()
    link = page.get_by_label("Link to this game")
    expect(link).to_have_value(re.compile(r"/game/\w+#link=[\w-]{22}$"))
    guest = page_of(lodovico)
    expect(page.get_by_text("The address in the address bar is not enough")).to_be_visible()
    guest.goto(link.input_value().partition("#")[0])
    expect(guest.get_by_text("There is no game with this id.")).to_be_visible()
    guest.goto(link.input_value())
    guest.get_by_role("button", name="Join").click()
    expect(guest.get_by_role("button", name="Leave")).to_be_visible()
    assert "link=" not in guest.url


def test_a_link_opens_a_private_game_that_is_being_refused(
    caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    """The link comes while the page waits for the answer to a request without the link."""
    game = private(caterina)["id"]
    secret = caterina.ask("GET", f"/games/{game}/table")["link"]["secret"]
    guest = page_of(lodovico)
    guest.goto(f"/game/{game}")
    expect(guest.get_by_text("There is no game with this id.")).to_be_visible()
    held: list[Route] = []
    path = re.compile(f"/v1/games/{game}$")
    guest.route(path, lambda route: route.fallback() if held else held.append(route))
    with guest.expect_request(path):
        guest.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    guest.goto(f"/game/{game}#link={secret}")
    guest.wait_for_function("() => !location.hash")
    held[0].fallback()
    expect(guest.get_by_role("button", name="Join", exact=True)).to_be_visible()


def test_a_private_game_looks_like_an_unknown_one(caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    """For both, the page says what to do if the game is private."""
    game = private(caterina)["id"]
    last = "0" if game.endswith("1") else "1"
    guest = page_of(lodovico)
    texts = []
    for unknown in (game, game[:-1] + last):
        guest.goto(f"/game/{unknown}")
        expect(guest.get_by_text("If the game is private, open it with its link")).to_be_visible()
        texts.append(guest.get_by_role("main").inner_text())
    assert texts[0] == texts[1]


def test_the_link_of_a_private_game_is_there_while_it_is_played(
    caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    game = caterina.open("zman-2018-duel", 2, 1, private=True)["id"]
    page, guest = page_of(caterina), page_of(lodovico)
    page.goto(f"/game/{game}")
    page.get_by_text("Options and more").click()
    link = page.get_by_label("Link to this game")
    expect(link).to_have_value(re.compile("#link="))
    guest.goto(link.input_value())
    expect(guest.get_by_text("You are watching this game.")).to_be_visible()


def test_a_game_hides_its_players_until_it_is_over(caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    page = page_of(caterina)
    page.goto("/new?with=players")
    page.get_by_text("More settings").click()
    page.get_by_label("Hide who plays in which seat").check()
    page.get_by_label("Edition").select_option("zman-2018-duel")
    page.get_by_role("button", name="Open the game").click()
    page.wait_for_url("**/game/*")
    game = page.url.rpartition("/")[2]
    guest = page_of(lodovico)
    guest.goto("/lobby")
    expect(guest.get_by_text("a hidden player")).to_be_visible()
    guest.goto(f"/game/{game}")
    expect(guest.get_by_text("Names are hidden")).to_be_visible()
    expect(guest.get_by_role("list", name="Seats")).to_contain_text("Seat 1")
    expect(guest.get_by_role("list", name="Seats").get_by_text("owner")).to_have_count(0)
    lodovico.ask("POST", f"/games/{game}/join")
    lodovico.ask("POST", f"/games/{game}/talk", {"text": "Who are you?"})
    # The talk of a game that has begun is in another place.
    expect(page.get_by_role("article").first).to_be_visible()
    page.locator("#talk summary").click()
    message = page.locator("#talk li").filter(has_text="Who are you?")
    expect(message).to_contain_text("Seat 2")
    expect(message.get_by_role("button", name="Report")).to_be_visible()
    expect(message.get_by_role("button", name="Block")).to_have_count(0)
    for seen, other in ((page, lodovico), (guest, caterina)):
        expect(seen.get_by_text(other.name)).to_have_count(0)
    lodovico.ask("POST", f"/games/{game}/resign")
    expect(page.get_by_text(lodovico.name).first).to_be_visible()


def test_the_waiting_room_says_what_one_joins(caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    """The owner and a guest read the edition, the changed options, the time, and who can see the game."""
    clock = {"kind": "per-move", "seconds": 300, "at_timeout": "resign"}
    game = caterina.open("zman-2018", 2, 0, options={"two_on_the_board": True, "battle_limit": 9}, clock=clock)["id"]
    for player in (caterina, lodovico):
        page = page_of(player)
        page.goto(f"/game/{game}")
        expect(page.get_by_role("heading", name="Condottiere (2018)")).to_be_visible()
        expect(page.get_by_text("Time: 5 min for each move; when time runs out, the player resigns")).to_be_visible()
        expect(page.get_by_text("Public: Everybody can see and join this game.")).to_be_visible()
        for option in player.ask("GET", "/editions/zman-2018")["options"]:
            shown = page.get_by_text(option["summary"])
            expect(shown).to_have_count(1 if option["key"] in ("two_on_the_board", "battle_limit") else 0)
        expect(page.get_by_text("(9)")).to_be_visible()
        rules = page.get_by_role("link", name="Rules of this edition")
        expect(rules).to_have_attribute("href", "/rules/zman-2018")
    secret = private(caterina)["id"]
    page = page_of(caterina)
    page.goto(f"/game/{secret}")
    expect(page.get_by_text("Time: no clock.")).to_be_visible()
    expect(page.get_by_text("Private: Only people with the link or a code")).to_be_visible()


def test_a_code_leads_to_a_private_game(caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    game = private(caterina)["id"]
    page, guest = page_of(caterina), page_of(lodovico)
    page.goto(f"/game/{game}")
    page.get_by_role("button", name="Get a code to read out").click()
    expect(page.get_by_text("Enter it in the lobby.")).to_be_visible()
    code = page.get_by_role("status").locator("strong").inner_text()
    guest.goto("/lobby")
    guest.get_by_label("Code of a private game").fill("0000 0000")
    guest.get_by_role("button", name="Find the game").click()
    expect(guest.get_by_text("This code is not valid.")).to_be_visible()
    guest.get_by_label("Code of a private game").fill(code.lower())
    guest.get_by_role("button", name="Find the game").click()
    guest.wait_for_url(f"**/game/{game}")
    expect(guest.get_by_role("button", name="Join", exact=True)).to_be_visible()


def test_a_player_is_invited_and_accepts_on_the_start_page(
    caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    game = private(caterina, title="For friends")["id"]
    page, guest = page_of(caterina), page_of(lodovico)
    guest.clock.install()
    guest.goto("/")
    expect(guest.get_by_text("It is not your turn in any game.")).to_be_visible()
    page.goto(f"/game/{game}")
    page.get_by_label("Name of a player").fill("nobody-here")
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.get_by_text("no player has this id or name")).to_be_visible()
    page.get_by_label("Name of a player").fill(lodovico.name)
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.get_by_role("list", name="Invitations").get_by_text("no answer yet")).to_be_visible()
    guest.clock.fast_forward(LOOK)
    expect(guest.get_by_role("link", name="For friends")).to_be_visible()
    guest.get_by_role("button", name=f"Accept the invitation of {caterina.name}").click()
    guest.wait_for_url(f"**/game/{game}")
    expect(guest.get_by_role("button", name="Leave")).to_be_visible()
    expect(page.get_by_role("list", name="Invitations").get_by_text("has a seat")).to_be_visible()


def test_an_invitation_is_declined_or_withdrawn(caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    games = [private(caterina, title=f"Game {number}")["id"] for number in (1, 2)]
    for game in games:
        caterina.ask("POST", f"/games/{game}/invitations", {"player": lodovico.name})
    page, guest = page_of(caterina), page_of(lodovico)
    page.goto(f"/game/{games[0]}")
    page.get_by_role("button", name=f"Withdraw the invitation of {lodovico.name}").click()
    expect(page.get_by_role("list", name="Invitations")).to_have_count(0)
    guest.goto("/")
    guest.get_by_role("button", name=f"Decline the invitation of {caterina.name}").click()
    expect(guest.get_by_role("heading", name="Invitations")).to_have_count(0)
    page.goto(f"/game/{games[1]}")
    expect(page.get_by_text("gave no reason")).to_be_visible()


REASONS = {"I have no time": "has no time", "I want another clock": "wants another clock"}
"""The option that an invited player chooses to decline, and the text that the inviting player reads."""


def test_a_reason_for_declining_reaches_the_player_who_invites(
    caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    page, guest = page_of(caterina), page_of(lodovico)
    for chosen, read in REASONS.items():
        game = private(caterina)["id"]
        caterina.ask("POST", f"/games/{game}/invitations", {"player": lodovico.name})
        guest.goto("/")
        reason = guest.get_by_label("If you decline, why?")
        expect(reason).to_have_value("")
        reason.select_option(chosen)
        guest.get_by_role("button", name=f"Decline the invitation of {caterina.name}").click()
        expect(guest.get_by_role("heading", name="Invitations")).to_have_count(0)
        page.goto(f"/game/{game}")
        expect(page.get_by_role("list", name="Invitations")).to_contain_text(read)


def test_every_reason_of_the_api_is_offered(caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    """The only exception is `unspecified`, which is sent if the player chooses no reason."""
    game = private(caterina)["id"]
    caterina.ask("POST", f"/games/{game}/invitations", {"player": lodovico.name})
    guest = page_of(lodovico)
    guest.goto("/")
    options = guest.get_by_label("If you decline, why?").get_by_role("option")
    expect(options.first).to_have_text("I give no reason")
    known = DESCRIPTION["components"]["schemas"]["DeclineReason"]["examples"]
    offered = options.evaluate_all("all => all.map(({ value }) => value)")
    assert {*offered} == {*known} - {"unspecified"} | {""}


def test_a_new_link_replaces_the_old_one_and_all_codes(caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    game = private(caterina)["id"]
    page = page_of(caterina)
    page.goto(f"/game/{game}")
    page.get_by_role("button", name="Get a code to read out").click()
    code = page.get_by_role("status").locator("strong").inner_text()
    link = page.get_by_label("Link to this game")
    old = link.input_value()
    assert "#link=" in old
    page.get_by_role("button", name="Replace the link and all codes").click()
    expect(link).not_to_have_value(old)
    expect(page.get_by_role("status").locator("strong")).to_have_count(0)
    guest = page_of(lodovico)
    guest.goto("/lobby")
    guest.get_by_label("Code of a private game").fill(code)
    guest.get_by_role("button", name="Find the game").click()
    expect(guest.get_by_text("This code is not valid.")).to_be_visible()
    guest.goto(old)
    expect(guest.get_by_text("There is no game with this id.")).to_be_visible()
    guest.goto("/lobby")
    guest.goto(link.input_value())
    expect(guest.get_by_role("button", name="Join", exact=True)).to_be_visible()


def test_the_owner_closes_seats_gives_them_to_bots_and_hands_over(
    caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    game = caterina.open("zman-2018", 5, 0)["id"]
    lodovico.ask("POST", f"/games/{game}/join")
    page = page_of(caterina)
    page.goto(f"/game/{game}")
    page.get_by_role("button", name="Close seat 3").click()
    expect(page.get_by_role("list", name="Seats").get_by_role("listitem")).to_have_count(4)
    page.get_by_role("button", name="Give seat 3 to a bot").click()
    expect(page.get_by_role("list", name="Seats").get_by_role("listitem").nth(2)).to_contain_text("Steady")
    expect(page.get_by_label("Level of the bot for seat 3")).to_have_count(0)
    page.get_by_label("New owner").select_option(label=lodovico.name)
    page.get_by_role("button", name="Hand the table over").click()
    expect(page.get_by_role("heading", name="Invite players")).to_have_count(0)
    assert caterina.ask("GET", f"/games/{game}")["owner"] == lodovico.account["id"]


def test_the_owner_gives_a_free_seat_to_a_bot_of_any_level(
    service: Service, caterina: Player, page_of: OpenFor
) -> None:
    """The levels are in the order of the API, weakest first."""
    bots = bots_of(service)
    game = caterina.open("zman-2018", len(bots) + 2, 0)["id"]
    page = page_of(caterina)
    page.goto(f"/game/{game}")
    for number, bot in enumerate(bots, 2):
        level = page.get_by_label(f"Level of the bot for seat {number}")
        expect(level.get_by_role("option")).to_have_text([bot["label"] for bot in bots])
        expect(level).to_have_value("steady")
        level.select_option(bot["key"])
        page.get_by_role("button", name=f"Give seat {number} to a bot").click()
        # Before that, the bot's label is on the page as an option of the list.
        expect(level).to_have_count(0)
        expect(page.get_by_role("list", name="Seats").get_by_role("listitem").nth(number - 1)).to_contain_text(
            bot["label"]
        )
    seated = caterina.ask("GET", f"/games/{game}")["seated"]
    assert [seat["bot"] for seat in seated] == [None, *(bot["key"] for bot in bots), None]


def test_players_agree_to_a_rematch(service: Service, caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    """Both during the rematch and after it, its page has a link to the previous game."""
    game = finished(caterina, lodovico)
    page, guest = page_of(caterina), page_of(lodovico)
    page.goto(f"/game/{game}")
    page.get_by_role("button", name="Ask for a rematch").click()
    page.wait_for_url(lambda url: not url.endswith(game))
    kept = page.get_by_role("list", name="Seats").get_by_text(f"Kept for {lodovico.name}")
    expect(kept).to_be_visible()
    guest.goto(f"/game/{game}")
    expect(guest.get_by_role("link", name="Go to the rematch")).to_be_visible()
    guest.get_by_role("button", name="Agree to the rematch").click()
    guest.wait_for_url(page.url)
    expect(guest.get_by_role("toolbar")).to_be_visible()
    expect(page.get_by_role("toolbar")).to_be_visible()
    before = page.get_by_role("link", name="This is a rematch.")
    expect(before).to_have_count(0)
    page.get_by_text("Options and more").click()
    expect(before).to_have_attribute("href", f"/game/{game}")
    lodovico.ask("POST", f"/games/{page.url.rpartition('/')[2]}/resign")
    expect(page.get_by_role("button", name="Ask for a rematch")).to_be_visible()
    expect(before).to_have_attribute("href", f"/game/{game}")
    watcher = page_of(Player(service, "Watcher"))
    watcher.goto(page.url)
    watcher.get_by_role("link", name="This is a rematch.").click()
    watcher.wait_for_url(f"**/game/{game}")


def test_a_page_of_a_finished_game_says_who_asks_for_a_rematch(
    caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    """The page is open when the other player asks, and says it both then and when it is loaded again."""
    game = finished(caterina, lodovico)
    page = page_of(lodovico)
    with page.expect_response(lambda answer: "/me/events/stream" in answer.url):
        page.goto(f"/game/{game}")
    expect(page.get_by_role("button", name="Ask for a rematch")).to_be_visible()
    rematch = caterina.ask("POST", f"/games/{game}/rematch", {})["id"]
    expect(page.get_by_text(f"{caterina.name} asks for a rematch.")).to_be_visible()
    page.reload()
    expect(page.get_by_text(f"{caterina.name} asks for a rematch.")).to_be_visible()
    page.get_by_role("button", name="Agree to the rematch").click()
    page.wait_for_url(f"**/game/{rematch}")
    expect(page.get_by_role("toolbar")).to_be_visible()


def test_bots_are_not_asked_for_a_rematch(caterina: Player, page_of: OpenFor) -> None:
    game = caterina.open("zman-2018", 3, 2)["id"]
    caterina.ask("POST", f"/games/{game}/resign")
    page = page_of(caterina)
    page.goto(f"/game/{game}")
    expect(page.get_by_role("button", name="New game with these settings")).to_be_visible()
    expect(page.get_by_role("button", name="Ask for a rematch")).to_have_count(0)


def test_bots_play_in_a_rematch_for_those_who_decline(
    service: Service, caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    game = finished(caterina, lodovico)
    page, guest = page_of(caterina), page_of(lodovico)
    page.goto(f"/game/{game}")
    level = page.get_by_label("Level of these bots")
    expect(level).to_have_count(0)
    page.get_by_label("Bots play for those who do not agree").check()
    expect(level).to_have_value("steady")
    expect(level.get_by_role("option")).to_have_text([bot["label"] for bot in bots_of(service)])
    level.select_option("random")
    page.get_by_role("button", name="Ask for a rematch").click()
    page.wait_for_url(lambda url: not url.endswith(game))
    guest.goto("/")
    expect(guest.get_by_text(f"{caterina.name} asks for a rematch")).to_be_visible()
    guest.get_by_role("button", name=f"Decline the invitation of {caterina.name}").click()
    expect(page.get_by_role("toolbar")).to_be_visible()
    seated = caterina.ask("GET", f"/games/{page.url.rpartition('/')[2]}")["seated"]
    assert sorted(str(seat["bot"]) for seat in seated) == ["None", "random"]


def test_a_rematch_is_asked_for_without_bots_if_they_cannot_be_listed(
    caterina: Player, lodovico: Player, page_of: OpenFor
) -> None:
    game = finished(caterina, lodovico)
    page = page_of(caterina)
    page.goto(f"/game/{game}")
    refused = {"title": "Forbidden", "status": 403, "code": "scope-missing", "detail": "No bots for you."}
    page.route("**/v1/bots", lambda route: route.fulfill(status=403, json=refused))
    bots = page.get_by_label("Bots play for those who do not agree")
    bots.click()
    expect(page.get_by_role("alert").filter(has_text="No bots for you.")).to_be_visible()
    expect(bots).not_to_be_checked()
    expect(page.get_by_label("Level of these bots")).to_have_count(0)
    page.unroute("**/v1/bots")
    bots.check()
    expect(page.get_by_label("Level of these bots")).to_have_value("steady")
    bots.uncheck()
    page.get_by_role("button", name="Ask for a rematch").click()
    kept = page.get_by_role("list", name="Seats").get_by_text(f"Kept for {lodovico.name}")
    expect(kept).to_be_visible()


def test_a_title_is_changed_and_shown_in_the_lobby(caterina: Player, page_of: OpenFor) -> None:
    game = caterina.open("zman-2018", 3, 0, title="Before")["id"]
    page = page_of(caterina)
    page.goto(f"/game/{game}")
    page.get_by_label("Title").fill(TITLE)
    page.get_by_role("button", name="Change the title").click()
    expect(page.locator("bdi")).to_have_text(TITLE)
    page.goto("/lobby")
    expect(page.locator("bdi").get_by_text(TITLE, exact=True)).to_be_visible()
    expect(page.locator("main img")).to_have_count(0)


def test_the_table_of_a_game_can_be_used_by_everybody(caterina: Player, lodovico: Player, page_of: OpenFor) -> None:
    """axe-core checks names, roles and contrasts."""
    game = private(caterina, title="For friends")["id"]
    caterina.ask("POST", f"/games/{game}/invitations", {"player": lodovico.name})
    page, guest = page_of(caterina), page_of(lodovico)
    page.goto(f"/game/{game}")
    expect(page.get_by_role("list", name="Invitations")).to_be_visible()
    assert violations(page) == []
    guest.goto("/")
    expect(guest.get_by_role("link", name="For friends")).to_be_visible()
    assert violations(guest) == []
