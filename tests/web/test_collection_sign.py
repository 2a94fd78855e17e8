"""The sign that a table displays of the house's money, on its pages and to a token; it changes with the terms."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.language_file import ENGLISH, load_language
from config.table_line import parse_table_line
from controller.core.engine.output import table_notice
from controller.core.engine.table import Table
from controller.runtime.staff.permissions import TokenRole
from controller.web.api.page_state_redaction import redact_page_state
from controller.web.wording.collection_sign import render_table_notice
from tests.browser.publications import of_lines
from tests.web.house import House, houses

BETTING = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
TABLE: dict[str, Any] = {
    "ev": "table", "rulebook": "casino-au", "game": "holdem", "betting": BETTING, "button": 1,
    "seats": [{"seat": seat, "stack": 100} for seat in (1, 2, 3)],
}  # fmt: skip
RAKE = {"kind": "rake", "percent": 7.5, "cap": 4, "caps": [{"dealt": 5, "cap": 3}, {"dealt": 3, "cap": 2}], "step": 1}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path)


def read_publications(*lines: dict[str, Any], language: str = "en", **keys: object) -> list[dict[str, Any]]:
    """What the pages are told after each of these lines, of a table with these keys."""
    found = of_lines([TABLE | keys, *lines], load_language(language))
    return [json.loads(text) for text in found]


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        (
            RAKE,
            [
                "Rake: 7.5 % of each pot",
                "At least 0, at most 4 a hand",
                "Up to 3 players: at most 2 a hand",
                "Up to 5 players: at most 3 a hand",
                "Rounded down to a multiple of 1",
            ],
        ),
        (
            {"kind": "rake", "percent": 5, "no_flop_no_drop": True},
            [
                "Rake: 5 % of each pot",
                "At least 0 a hand, no maximum",
                "Rounded down to a multiple of 1",
                "Nothing of a hand that ends in its first betting round",
            ],
        ),
        ({"kind": "hand", "fee": 3}, ["Fee per hand, of the pot", "At least 0, at most 3 a hand"]),
        ({"kind": "button", "fee": 2}, ["Fee per hand, of the seat with the button", "At least 0, at most 2 a hand"]),
        (
            {"kind": "time", "fee": 6, "minutes": 30},
            ["Time charge: at most 12 an hour for each player", "6 every 30 minutes, in advance"],
        ),
        (
            {"kind": "time", "fee": 5, "minutes": 45},
            ["Time charge: at most 6.67 an hour for each player", "5 every 45 minutes, in advance"],
        ),
    ],
)
def test_the_sign_says_kind_least_and_most(terms: dict[str, Any], told: list[str]) -> None:
    """Covers: AU-8.1#sign, AU-8.2(b)(ii), AU-8.2(c)(ii), AU-8.2(c)(iii)."""
    (page,) = read_publications(collection=terms)
    assert page["notice"]["sign"] == told
    assert page["notice"]["is_shown"]


def test_the_notice_says_game_limits_buy_in_and_commission() -> None:
    """Covers: AU-7.2."""
    (page,) = read_publications(collection=RAKE, house={"people.buy-in-big-bet": 40})
    assert page["notice"]["rows"] == [
        ["Game", ["Hold'em"]],
        ["Betting limits", ["no-limit, blinds 1/2"]],
        ["Minimum buy-in", ["80 chips"]],
        ["Commission of the house", page["notice"]["sign"]],
    ]


@pytest.mark.parametrize(
    ("game", "betting", "told"),
    [
        ("holdem", {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4},
         "fixed-limit, bets 2/4, blinds 1/2"),
        ("stud-7", {"structure": "fixed-limit", "small_bet": 4, "big_bet": 8, "ante": 1, "bring_in": 2},
         "fixed-limit, bets 4/8, ante 1, bring-in 2"),
        ("stud-7", {"structure": "spread-limit", "min_bet": 1, "max_bet": 5, "ante": 1, "bring_in": 1},
         "spread-limit, bets 1 to 5, ante 1, bring-in 1"),
    ],
)  # fmt: skip
def test_the_limits_of_every_structure(game: str, betting: dict[str, Any], told: str) -> None:
    """Covers: AU-7.2."""
    line = {key: value for key, value in TABLE.items() if key != "button" or game == "holdem"}
    table = Table()
    state = table.handle(parse_table_line(line | {"rulebook": "roberts-7", "game": game, "betting": betting})).state
    notice = table_notice.render_notice(state)
    assert notice is not None
    assert render_table_notice(notice, betting, ENGLISH)["rows"][1] == ["Betting limits", [told]]
    assert notice["has_money"] is False


def test_the_sign_changes_with_the_collection_nil_and_back() -> None:
    """Covers: AU-8.3, AU-8.4, AU-8.1#sign."""
    pages = read_publications(
        {"ev": "collection", "kind": "none"}, {"ev": "collection", "kind": "hand", "fee": 3}, {"ev": "start"},
        {"ev": "collection", "kind": "none"}, collection=RAKE,
    )  # fmt: skip
    assert [page["notice"]["sign"][0] for page in pages] == [
        "Rake: 7.5 % of each pot", "The house takes nothing", *["Fee per hand, of the pot"] * 3,
    ]  # fmt: skip
    assert all(page["notice"]["is_shown"] for page in pages), "that nothing is taken any more is told, too"
    assert pages[-1]["refusal"]["code"] == "not-now"
    assert pages[-1]["refusal"]["message"].startswith("what the house takes changes between hands (AU-8.3): enter it")


def test_where_nothing_was_ever_taken_spectators_see_no_sign() -> None:
    (page,) = read_publications()
    assert not page["notice"]["is_shown"]
    assert "collection" not in redact_page_state(page, TokenRole.WATCH)


def test_a_tournament_has_no_notice() -> None:
    (page,) = read_publications(rulebook="tda-2024", mode="tournament")
    assert "notice" not in page


def test_a_token_is_told_terms_sign_and_what_is_due() -> None:
    cards = [{"ev": "card", "card": card} for card in ("As", "Kd", "Qh", "2c", "7d", "9s")]
    acts: list[dict[str, Any]] = [
        {"ev": "act", "seat": 1, "do": "raise", "to": 20},
        *({"ev": "act", "seat": n, "do": "call"} for n in (2, 3)),
    ]
    pages = read_publications({"ev": "start"}, *cards, *acts, collection=RAKE)
    told = [redact_page_state(page, TokenRole.WATCH)["collection"] for page in pages]
    assert told[-1] == {"terms": RAKE, "sign": pages[-1]["notice"]["sign"], "due": 2}
    assert [each["due"] for each in told[:-1]] == [0] * (len(pages) - 1)


@pytest.mark.parametrize("language", ["de", "es"])
@pytest.mark.parametrize("kind", ["rake", "hand", "button", "time", "none"])
def test_every_line_of_the_sign_is_translated(language: str, kind: str) -> None:
    terms = {
        "rake": RAKE | {"no_flop_no_drop": True}, "hand": {"kind": "hand", "fee": 3},
        "button": {"kind": "button", "fee": 3}, "time": {"kind": "time", "fee": 6, "minutes": 30},
        "none": {"kind": "none"},
    }[kind]  # fmt: skip
    (here,), (english,) = (read_publications(collection=terms, language=each) for each in (language, "en"))
    assert len(here["notice"]["sign"]) == len(english["notice"]["sign"])
    assert not {*here["notice"]["sign"]} & {*english["notice"]["sign"]}
    assert not {row[0] for row in here["notice"]["rows"]} & {row[0] for row in english["notice"]["rows"]}


def test_only_the_floor_changes_it(house: House) -> None:
    """Covers: AU-8.3."""
    line = {"ev": "collection", "kind": "none"}
    for name, status in (("Ada", 403), ("Cy", 403), ("Di", 403), ("Bo", 202)):
        answer = house.browser(name).post("/entry", {"seen": 7, "line": line})
        assert answer.status_code == status, name
    assert [entered for entered, _ in house.entered] == [line]
