"""Editions over HTTP: what the API shows of each, and how any two differ."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from engine import EDITIONS, NEWEST, Edition
from engine.cards import KIND
from service.tools.documents import LEGEND, editions_page, read_clauses, read_revisions, rules_json

from ...games.files import REVISIONS
from .conftest import Person

ROOT = Path(__file__).parents[3]
EVERY_EDITION = pytest.mark.parametrize("edition", NEWEST.values(), ids=list(EDITIONS))


def test_every_edition_is_listed_newest_first(spectator: Person) -> None:
    listed = spectator.get("/editions")["editions"]
    assert [edition["key"] for edition in listed] == list(EDITIONS)
    years = [edition["year"] for edition in listed if edition["year"]]
    assert years == sorted(years, reverse=True)


@EVERY_EDITION
def test_an_edition_shows_its_box_and_its_rules(spectator: Person, edition: Edition) -> None:
    shown = spectator.get(f"/editions/{edition.key}")
    assert {card["card"]: card["count"] for card in shown["deck"]} == {
        name: edition.deck[KIND[name]] for name in edition.labels
    }
    assert all(card["label"] and card["effect"] for card in shown["deck"])
    assert [goal["seats"] for goal in shown["goals"]] == list(range(edition.fewest_seats, edition.most_seats + 1))
    assert [option["key"] for option in shown["options"]] == [option.key for option in edition.options]
    assert shown["sources"]
    assert (shown["board"] is None) == (edition.board is None)
    numbers = [clause["number"] for clause in shown["rules"]]
    assert len(numbers) == len(set(numbers))
    assert set(shown["refusals"].values()) <= set(numbers)
    assert all(clause["text"] and clause["source"] and clause["heading"] for clause in shown["rules"])


@EVERY_EDITION
def test_a_game_shows_the_goal_of_its_edition(anna: Person, edition: Edition) -> None:
    """The goal is shown once the game has started."""
    seats = edition.most_seats
    bots = [{"seat": seat, "bot": "steady"} for seat in range(1, seats)]
    opened = anna.post("/games", {"edition": edition.key, "seats": seats, "bots": bots, "start": "owner"}, 201)
    assert opened["goal"] is None
    goals = anna.get(f"/editions/{edition.key}")["goals"]
    assert anna.post(f"/games/{opened['id']}/start", None)["goal"] == goals[-1]


@pytest.mark.parametrize(
    ("key", "seats", "option", "goal"),
    [
        ("zman-2018", 2, "two_on_the_board", {"adjacent": 3, "total": 5}),
        ("ffg-2007", 3, "bigger_kingdoms", {"adjacent": 5, "total": 6}),
    ],
)
def test_options_change_the_goal_of_a_game(
    anna: Person, key: str, seats: int, option: str, goal: dict[str, int]
) -> None:
    bots = [{"seat": seat, "bot": "steady"} for seat in range(1, seats)]
    asked = {"edition": key, "seats": seats, "bots": bots, "options": {option: True}}
    shown = anna.post("/games", asked, 201)["goal"]
    assert shown == {"seats": seats, "battles": None, **goal}


@EVERY_EDITION
def test_an_option_says_what_it_takes(spectator: Person, edition: Edition) -> None:
    for shown, option in zip(spectator.get(f"/editions/{edition.key}")["options"], edition.options, strict=True):
        if isinstance(option.values, range):
            assert (shown["minimum"], shown["maximum"]) == (option.values[0], option.values[-1])
        else:
            assert shown["values"] == list(option.values)
        assert (shown["label"], shown["default"]) == (option.label, option.default)


@pytest.mark.parametrize(("one", "other"), list(combinations(EDITIONS, 2)))
def test_any_two_editions_differ_and_say_how(spectator: Person, one: str, other: str) -> None:
    """Each topic is either the same or described for both. The comparison in reverse order says the same."""
    compared = spectator.get(f"/editions/{one}/compare/{other}")
    assert compared["editions"] == [one, other]
    differing = {difference["topic"]: difference for difference in compared["differences"]}
    assert differing
    assert all(difference["one"] != difference["other"] for difference in differing.values())
    assert not differing.keys() & set(compared["same"])
    turned = {found["topic"]: found for found in spectator.get(f"/editions/{other}/compare/{one}")["differences"]}
    assert turned.keys() == differing.keys()
    assert all(turned[topic]["one"] == differing[topic]["other"] for topic in turned)


@EVERY_EDITION
def test_an_edition_does_not_differ_from_itself(spectator: Person, edition: Edition) -> None:
    compared = spectator.get(f"/editions/{edition.key}/compare/{edition.key}")
    assert compared["differences"] == []
    assert "aftermath" in compared["same"]


def test_the_comparison_tells_what_the_rulebooks_tell(spectator: Person) -> None:
    """A few well-known rows of the table are checked, so that the values are not swapped."""
    compared = spectator.get("/editions/eurogames-1995/compare/ffg-2007")
    told = {row["topic"]: (row["one"], row["other"]) for row in compared["differences"]}
    assert told["deck.courtesan"] == (None, 12)
    assert told["cards_a_region"] == (2, 1)
    assert told["goals.4"] == ({"adjacent": 4}, {"adjacent": 3, "total": 5})
    assert told["contestable"] == ("any region", "empty regions")
    assert told["special.bishop"][0]["ends_the_battle"] is True
    assert told["special.bishop"][1]["ends_the_battle"] is False


@pytest.mark.parametrize(
    "path", ["monopoly", "monopoly/rules/1.1", "monopoly/compare/ffg-2007", "ffg-2007/compare/monopoly"]
)
def test_an_edition_that_does_not_exist(spectator: Person, path: str) -> None:
    problem = spectator.get(f"/editions/{path}", 404)
    assert (problem["code"], problem["editions"]) == ("unknown-edition", list(EDITIONS))


@pytest.mark.parametrize("value", REVISIONS.values(), ids=list(REVISIONS))
def test_every_revision_is_shown_with_its_own_clauses(spectator: Person, value: Edition) -> None:
    """Older revisions are included as long as games may use them; new games use the newest."""
    shown = spectator.get(f"/editions/{value.key}?revision={value.revision}")
    assert (shown["key"], shown["revision"], shown["revisions"]) == (
        value.key,
        value.revision,
        list(EDITIONS[value.key]),
    )
    assert shown["refusals"] == value.clauses
    assert set(value.clauses.values()) <= {clause["number"] for clause in shown["rules"]}
    if value is NEWEST[value.key]:
        assert spectator.get(f"/editions/{value.key}") == shown


@pytest.mark.parametrize("value", REVISIONS.values(), ids=list(REVISIONS))
def test_each_clause_has_an_address(spectator: Person, value: Edition) -> None:
    path, revision = f"/editions/{value.key}", f"?revision={value.revision}"
    for clause in spectator.get(f"{path}{revision}")["rules"]:
        shown = spectator.get(f"{path}/rules/{clause['number']}{revision}")
        assert shown == {"edition": value.key, "revision": value.revision, **clause}
        if value is NEWEST[value.key]:
            assert spectator.get(f"{path}/rules/{clause['number']}") == shown


def test_a_clause_that_has_changed_is_found_by_its_revision(spectator: Person) -> None:
    old, new = (spectator.get(f"/editions/ffg-2007/rules/9.4?revision={number}") for number in (1, 2))
    assert (old["revision"], new["revision"]) == (1, 2)
    assert old["text"] != new["text"]


@pytest.mark.parametrize("number", ["99.9", "3", "3.2 ", "03.2", "x" * 500])
def test_a_clause_that_does_not_exist(spectator: Person, number: str) -> None:
    problem = spectator.get(f"/editions/zman-2018/rules/{number}", 404)
    assert problem["code"] == "unknown-clause"
    assert problem["clauses"] == [clause["number"] for clause in spectator.get("/editions/zman-2018")["rules"]]
    assert len(problem["detail"]) < 200


def test_a_clause_of_a_revision_that_does_not_exist(spectator: Person) -> None:
    assert spectator.get("/editions/zman-2018/rules/3.2?revision=99", 404)["code"] == "unknown-edition"
    assert spectator.get("/editions/zman-2018/rules/3.2?revision=0", 422)["code"] == "invalid-request"


def test_what_the_rulebook_advises_against_is_shown_and_not_refused(spectator: Person) -> None:
    """The revision that refuses it shows no advice."""
    options = ["points", "capturing_regions"]
    shown = {number: spectator.get(f"/editions/ffg-2007?revision={number}") for number in (1, 2)}
    assert [conflict["options"] for conflict in shown[1]["conflicts"]] == [options]
    assert shown[1]["advice"] == shown[2]["conflicts"] == []
    (advice,) = shown[2]["advice"]
    assert advice["options"] == options
    assert "advises against" in advice["note"]


def test_a_revision_that_does_not_exist(spectator: Person) -> None:
    problem = spectator.get("/editions/zman-2018?revision=99", 404)
    assert (problem["code"], problem["revisions"]) == ("unknown-edition", list(EDITIONS["zman-2018"]))
    assert problem["detail"] == "zman-2018 has no revision 99: choose one of 1, 2"
    for garbage in ("0", "-1", "x", "1.5", ""):
        assert spectator.get(f"/editions/zman-2018?revision={garbage}", 422)["code"] == "invalid-request"


REVISED = """
## 1. The game

**1.1** Two play. (rulebook)

**1.2** They take turns. (rulebook)

**1.10** Nobody helps. (house rule)

## 2. The end

**2.1** It ends. (rulebook)

## Revision 1

Games that began under revision 1 are played by these clauses instead.

**1.2** They shout. (reading: the rulebook is silent)

**1.10** This revision has no clause with this number. (revision 2)

**2.2** Nobody wins. (house rule)

## Refusals
"""


def test_a_document_tells_how_older_revisions_have_a_clause() -> None:
    """The older text is in the place of the clause, under its section heading."""
    told = read_revisions(REVISED)
    assert [clause["number"] for clause in told[2]] == ["1.1", "1.2", "1.10", "2.1"]
    assert [tuple(clause.values()) for clause in told[1]] == [
        ("1.1", "The game", "Two play.", "rulebook"),
        ("1.2", "The game", "They shout.", "reading: the rulebook is silent"),
        ("2.1", "The end", "It ends.", "rulebook"),
        ("2.2", "The end", "Nobody wins.", "house rule"),
    ]


def test_what_only_revision_1_differs_in_holds_for_it_alone() -> None:
    """The document describes a revision's differences only after the next revision exists."""
    newer = REVISED.replace("## Refusals", "## Revision 2\n\n**1.1** Three play. (rulebook)\n\n## Refusals")
    told = read_revisions(newer)
    texts = {revision: [clause["text"] for clause in clauses] for revision, clauses in told.items()}
    assert texts[3] == ["Two play.", "They take turns.", "Nobody helps.", "It ends."]
    assert texts[2] == ["Three play.", "They take turns.", "Nobody helps.", "It ends."]
    assert texts[1] == ["Three play.", "They shout.", "It ends.", "Nobody wins."]


def test_the_clauses_served_are_those_of_the_documents() -> None:
    """`make documents` generates them again."""
    served = (ROOT / "service" / "editions" / "rules.json").read_bytes()
    assert served == rules_json(ROOT / "docs" / "rules")


def test_the_table_of_differences_is_up_to_date() -> None:
    """`make documents` generates it again."""
    assert (ROOT / "docs" / "editions.md").read_text(encoding="utf-8") == editions_page()


def test_the_table_of_differences_says_what_its_rows_mean() -> None:
    listed, legend = editions_page().split("## What the rows mean")
    rows = re.findall(r"^(?:\| |\* )([a-z_]+(?:\.[a-z0-9-]+)?)(?: \||:)", listed, re.MULTILINE)
    assert {re.sub(r"\..*", ".*", row) for row in rows} == set(LEGEND)
    assert re.findall(r"^\* `(.*)`: ", legend, re.MULTILINE) == list(LEGEND)


def test_the_goals_stand_together_by_the_number_of_seats() -> None:
    topics = re.findall(r"^\| ([a-z_.0-9-]+) \|", editions_page(), re.MULTILINE)
    goals = [at for at, topic in enumerate(topics) if topic.startswith("goals.")]
    assert [topics[at] for at in goals] == [f"goals.{seats}" for seats in range(2, 7)]
    assert goals == list(range(goals[0], goals[-1] + 1))


@pytest.mark.parametrize("document", ["## 1. Game\n\n**1.1** No source.\n", "## 1. Game\n\n**1.1** A source).\n"])
def test_a_clause_without_a_source_is_not_read(document: str) -> None:
    with pytest.raises(ValueError, match="does not end with a source"):
        list(read_clauses(document))


def test_a_bracket_that_was_not_opened_is_not_read() -> None:
    with pytest.raises(ValueError, match="opening bracket is missing"):
        list(read_clauses("## 1. Game\n\n**1.1** A source)\n"))
