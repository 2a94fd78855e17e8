"""The oracles of an evening: of good sequences they say nothing, of each single corruption its own one complains.

A corruption changes one thing that was seen of one entry. It is tried at every entry of the sequences at which there is
such a thing, or at some of them drawn by chance, spread over the sequence.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from tests.evenings.oracles import ORACLES
from tests.evenings.oracles.blinds import BlindOracle
from tests.evenings.oracles.cards import CardOracle
from tests.evenings.oracles.chips import ChipOracle
from tests.evenings.oracles.disclosure import DisclosureOracle
from tests.evenings.oracles.progress import ProgressOracle
from tests.evenings.oracles.refusals import RefusalOracle
from tests.evenings.oracles.restarts import RestartOracle
from tests.evenings.oracles.sentences import SentenceOracle
from tests.evenings.oracles.signals import SignalOracle
from tests.evenings.oracles.standing import find_word, get_first_step
from tests.evenings.oracles.tournaments import TournamentOracle
from tests.evenings.oracles.undo import UndoOracle
from tests.evenings.recording import record_evening, record_stud, record_tournament
from tests.evenings.seen import Oracle, Seen

Page = dict[str, Any]
Corrupt = Callable[[Seen, Page, random.Random], bool | None]
"""Changes the page after an entry; false where there is nothing to change."""

MAX_PLACES = 4
"""At so many entries of a sequence a corruption is tried."""
MAX_LOOK_S = 0.003


@pytest.fixture(scope="module")
def sequences(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Sequence[Seen]]:
    folder = tmp_path_factory.mktemp("evenings")
    found = []
    for name, record in (("evening", record_evening), ("stud", record_stud), ("tournament", record_tournament)):
        (folder / name).mkdir()
        found.append(list(record(folder / name)))
    return found


def listen(make: Callable[[], Oracle], sequence: Sequence[Seen]) -> list[str]:
    """What an oracle says of a sequence."""
    oracle = make()
    return [text for seen in sequence for text in oracle.look(seen)]


@pytest.mark.parametrize("make", ORACLES, ids=lambda make: make.__name__)
def test_of_what_went_well_an_oracle_says_nothing(
    make: Callable[[], Oracle], sequences: Sequence[Sequence[Seen]]
) -> None:
    assert [listen(make, sequence) for sequence in sequences] == [[], [], []]


def test_all_oracles_together_take_less_than_three_milliseconds_an_entry(sequences: Sequence[Sequence[Seen]]) -> None:
    costs = []
    for _ in range(3):
        began = process_time()
        for make in ORACLES:
            listen(make, sequences[0])
        costs.append((process_time() - began) / len(sequences[0]))
    assert min(costs) < MAX_LOOK_S


# What may be corrupted on the page after an entry


def a_card_more(pile: str) -> Corrupt:
    def change(_seen: Seen, page: Page, _chance: random.Random) -> bool:
        page["table"]["piles"][pile] += 1
        return True

    return change


def a_card_less(pile: str) -> Corrupt:
    def change(_seen: Seen, page: Page, _chance: random.Random) -> bool:
        page["table"]["piles"][pile] -= 1
        return True

    return change


def a_card_more_at_a_seat(_seen: Seen, page: Page, chance: random.Random) -> bool:
    seats = page["table"]["piles"]["seats"]
    if not seats:
        return False
    seats[chance.choice(sorted(seats))] += 1
    return True


def a_hand_of_many_cards(_seen: Seen, page: Page, chance: random.Random) -> bool:
    """Too many cards that the stub has less: the sum is right."""
    seats, stub = page["table"]["piles"]["seats"], page["table"]["piles"]
    if not seats or stub["stub"] < 10 or page["table"]["phase"] == "remedy" or is_irregular(page):
        return False
    seats[chance.choice(sorted(seats))] += 8
    stub["stub"] -= 8
    return True


def a_board_card_twice(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    board = page["table"]["board"]
    if len(board) < 2:
        return False
    board[0] = board[-1]
    return True


def a_board_card_that_is_an_upcard(_seen: Seen, page: Page, chance: random.Random) -> bool:
    up = page["table"].get("up") or {}
    if sum(map(len, up.values())) < 2:
        return False
    seats = sorted(seat for seat in up if up[seat])
    up[seats[0]][0] = up[chance.choice(seats[1:])][0] if len(seats) > 1 else up[seats[0]][-1]
    return len(seats) > 1


def a_board_card_that_is_not_there(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    if not page["table"]["board"]:
        return False
    page["table"]["board"].pop()
    return True


def a_card_that_stayed_in_the_shoe(seen: Seen, page: Page, _chance: random.Random) -> bool:
    """A card left the shoe and the piles stand as before."""
    if find_word(seen) != "card" or not seen.taken or is_irregular(page):
        return False
    page["table"]["piles"] = copy.deepcopy(seen.table_before["piles"])
    page["table"]["board"] = copy.deepcopy(seen.table_before["board"])
    page["table"].pop("up", None)
    return True


def a_card_that_a_call_moved(seen: Seen, page: Page, _chance: random.Random) -> bool:
    piles = page["table"]["piles"]
    seat = str(seen.entry.get("seat"))
    if seen.entry.get("do") not in ("call", "check") or is_irregular(page):
        return False
    piles["seats"][seat] -= 1
    piles["muck"] += 1
    return True


def is_irregular(page: Page) -> bool:
    """Whether something went wrong in this hand: what lies where is then another matter."""
    return bool(page["rulings"]) and page["ruled_in"] == page["table"]["hand"]


def a_chip_more(what: str) -> Corrupt:
    def change(_seen: Seen, page: Page, chance: random.Random) -> bool:
        amounts = page["table"][what]
        if not amounts:
            return False
        amounts[chance.choice(sorted(amounts))] += 1
        return True

    return change


def a_chip_less_in_the_pot(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    for pot in page["table"]["pots"]:
        pot["amount"] -= 1
        return True
    return False


def a_stack_below_nothing(_seen: Seen, page: Page, chance: random.Random) -> bool:
    stacks = page["table"]["stacks"]
    if len(stacks) < 2:
        return False
    one, two = chance.sample(sorted(stacks), 2)
    stacks[two] += stacks[one] + 1
    stacks[one] = -1
    return True


def chips_of_a_neighbour(seen: Seen, page: Page, _chance: random.Random) -> bool:
    """An act moves a chip of somebody else: the sum is right."""
    stacks, seat = page["table"]["stacks"], str(seen.entry.get("seat"))
    others = [each for each in stacks if each != seat and stacks[each] > 0]
    if find_word(seen) != "act" or not seen.taken or is_irregular(page) or not others or seat not in stacks:
        return False
    stacks[others[0]] -= 1
    stacks[seat] += 1
    return True


def an_award_to_the_wrong_seat(seen: Seen, page: Page, _chance: random.Random) -> bool:
    step, stacks = get_first_step(seen.table_before), page["table"]["stacks"]
    if step.get("step") != "award" or find_word(seen) != "done" or len(stacks) < 2:
        return False
    winner = str(step["seats"][0])
    loser = next(seat for seat in stacks if seat != winner)
    stacks[winner] -= 1
    stacks[loser] += 1
    return True


def an_award_of_too_much(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    for step in page["table"]["next"]:
        if step["step"] == "award":
            step["amounts"][0] += 1
            return True
    return False


def a_call_of_more_than_the_stack(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    step = get_first_step(page["table"])
    if step.get("step") != "act":
        return False
    page["table"]["next"][0]["to_call"] = page["table"]["stacks"][str(step["seat"])] + 1
    return True


def a_raise_from_more_than_to(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    step = get_first_step(page["table"])
    if "min_to" not in step:
        return False
    page["table"]["next"][0]["min_to"] = step["max_to"] + 1
    return True


def a_player_of_a_pot_who_is_not_there(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    for pot in page["table"]["pots"]:
        pot["seats"] = [*pot["seats"], 77]
        return True
    return False


def an_open_gate(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    if page["table"]["gate"] == "open":
        return False
    page["table"]["gate"] = "open"
    return True


def a_locked_gate(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    if page["table"]["gate"] == "locked":
        return False
    page["table"]["gate"] = "locked"
    return True


def a_lamp_beside(role: str) -> Corrupt:
    def change(_seen: Seen, page: Page, _chance: random.Random) -> bool:
        lit = page["table"]["lamps"][role]
        if not lit:
            return False
        others = [int(seat) for seat in page["players"] if int(seat) not in lit]
        page["table"]["lamps"][role] = others[:1]
        return bool(others)

    return change


def a_dark_lamp(role: str) -> Corrupt:
    def change(_seen: Seen, page: Page, _chance: random.Random) -> bool:
        was = page["table"]["lamps"][role]
        page["table"]["lamps"][role] = []
        return bool(was)

    return change


def a_lit_lamp(role: str) -> Corrupt:
    def change(_seen: Seen, page: Page, _chance: random.Random) -> bool:
        was = page["table"]["lamps"][role]
        page["table"]["lamps"][role] = [1]
        return not was

    return change


def a_lamp_at_an_empty_chair(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    page["table"]["lamps"]["attention"] = [10]
    return bool(page["players"])


def a_lamp_beyond_the_table(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    page["setup"]["places"] = 8
    page["table"]["lamps"]["choice"] = [11]
    return True


def a_lamp_role_that_is_missing(_seen: Seen, page: Page, chance: random.Random) -> bool:
    lamps = page["table"]["lamps"]
    del lamps[chance.choice(["kill", "choice", "winner_button", "attention"])]
    return True


def lamps_in_no_order(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    seats = sorted(map(int, page["players"]))
    page["table"]["lamps"]["attention"] = seats[::-1]
    return len(seats) > 1


def make_another(*path: str, value: object = "another") -> Corrupt:
    """The value at a path of the page is another one after a refusal."""

    def change(seen: Seen, page: Page, _chance: random.Random) -> bool:
        if seen.taken:
            return False
        inner = page
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return True

    return change


def after_an_undo(*path: str, value: object = "another") -> Corrupt:
    def change(seen: Seen, page: Page, _chance: random.Random) -> bool:
        if find_word(seen) != "undo" or not seen.taken:
            return False
        inner = page
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return True

    return change


def after_a_start_of_the_program(*path: str, value: object = "another") -> Corrupt:
    def change(seen: Seen, page: Page, _chance: random.Random) -> bool:
        if seen.way != "power":
            return False
        inner = page
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return True

    return change


def other_stacks_after_a_start(seen: Seen, page: Page, _chance: random.Random) -> bool:
    if seen.way != "power":
        return False
    stacks = page["table"]["stacks"]
    stacks[min(stacks)] += 1
    return True


def a_player_less_after_a_start(seen: Seen, page: Page, _chance: random.Random) -> bool:
    if seen.way != "power":
        return False
    del page["players"][min(page["players"])]
    return True


def a_sentence(where: str, text: object) -> Corrupt:
    """A sentence of a page says something that only a program says."""

    def change(_seen: Seen, page: Page, _chance: random.Random) -> bool:
        match where:
            case "step" | "short":
                steps = page["table"]["next"]
                if not steps:
                    return False
                steps[0]["text" if where == "step" else "short"] = text
            case "ruling":
                if not page["rulings"]:
                    return False
                page["rulings"][0]["text"] = text
            case "notice":
                page["notices"] = [{"code": "a-code", "device": "shoe", "text": text, "dealer": "Look."}]
            case "fault":
                page["faults"] = [{"code": "a-code", "stops": "deal", "text": "It is lost.", "dealer": text}]
            case _:
                page["refusal"] = {"code": "a-code", "message": text, "source": "page"}
        return True

    return change


def a_ruling_without(key: str, value: object) -> Corrupt:
    def change(_seen: Seen, page: Page, _chance: random.Random) -> bool:
        if not page["rulings"]:
            return False
        page["rulings"][0][key] = value
        return True

    return change


def a_clause_that_is_not_on_the_page(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    if not page["rulings"]:
        return False
    page["clauses"] = {}
    return True


def find_hidden(seen: Seen, page: Page) -> str | None:
    """The card that has just gone to a hand or a burn."""
    step = get_first_step(seen.table_before)
    is_down = step.get("step") == "burn" or step.get("face") == "down"
    return str(seen.entry["card"]) if find_word(seen) == "card" and seen.taken and is_down and page else None


def a_hidden_card(*path: str) -> Corrupt:
    """A page of everybody's names the card that has just been laid face down."""

    def change(seen: Seen, page: Page, _chance: random.Random) -> bool:
        card = find_hidden(seen, page)
        if card is None:
            return False
        inner = page
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = f"the card {card} lies there"
        return True

    return change


def a_hidden_card_that_stays(seen: Seen, page: Page, _chance: random.Random) -> bool:
    """A card that went face down some entries ago, and that nobody has shown since."""
    out = [card for card in seen.truth.left_shoe[:2] if card is not None]
    if find_word(seen) != "act" or not out or seen.table["street"] not in ("preflop", "third"):
        return False
    page["sound"] = out[0]
    return True


def a_button_beside(seen: Seen, page: Page, _chance: random.Random) -> bool:
    lamps, players = page["table"]["lamps"], sorted(map(int, page["players"]))
    if find_word(seen) in ("start", "undo") or seen.way == "power" or is_irregular(page) or not seen.taken:
        return False
    if len(lamps["button"]) != 1 or page["table"]["phase"] == "idle":
        return False
    lamps["button"] = [next(seat for seat in players if seat not in lamps["button"])]
    return True


def a_place_that_did_not_move(role: str) -> Corrupt:
    def change(seen: Seen, page: Page, chance: random.Random) -> bool:
        if find_word(seen) != "start" or not seen.taken or seen.truth.game != "holdem" or page["table"]["hand"] != 2:
            return False
        if seen.truth.book != "roberts-7":  # others sat down between the hands of the tournament
            return False
        lit = page["table"]["lamps"][role]
        page["table"]["lamps"][role] = [chance.choice([int(each) for each in page["players"] if int(each) not in lit])]
        return True

    return change


def a_blind_of_another_amount(role: str) -> Corrupt:
    def change(seen: Seen, page: Page, _chance: random.Random) -> bool:
        seats = page["table"]["lamps"][role]
        if find_word(seen) != "start" or not seen.taken or len(seats) != 1 or seen.truth.game != "holdem":
            return False
        page["table"]["bets"][str(seats[0])] += 1
        return True

    return change


def a_post_of_nobody(seen: Seen, page: Page, _chance: random.Random) -> bool:
    if find_word(seen) != "start" or not seen.taken or seen.truth.game != "holdem":
        return False
    page["table"]["bets"]["9"] = 1
    return True


def both_blinds_at_one_seat(seen: Seen, page: Page, _chance: random.Random) -> bool:
    lamps = page["table"]["lamps"]
    if find_word(seen) != "start" or not seen.taken or not lamps["small_blind"]:
        return False
    lamps["small_blind"] = list(lamps["big_blind"])
    return True


def another_opener(seen: Seen, page: Page, _chance: random.Random) -> bool:
    step, line = get_first_step(page["table"]), page["table"]
    if step.get("step") != "act" or get_first_step(seen.table_before).get("step") == "act" or is_irregular(page):
        return False
    if line["street"] not in ("flop", "turn", "river", "third") or find_word(seen) != "card":
        return False
    held = [int(seat) for seat, count in line["piles"]["seats"].items() if count and int(seat) != step["seat"]]
    line["next"][0]["seat"] = held[0]
    return True


def make_idle_page(_seen: Seen, page: Page, _chance: random.Random) -> bool:
    if page["table"]["phase"] in ("idle", "halted"):
        return False
    page["table"]["next"] = []
    return True


def somebody_at_a_free_table(*path: str, value: object) -> Corrupt:
    def change(seen: Seen, page: Page, _chance: random.Random) -> bool:
        if find_word(seen) != "tournament-over":
            return False
        inner = page
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return True

    return change


def two_at_once_at_a_free_table(seen: Seen, page: Page, _chance: random.Random) -> bool:
    if find_word(seen) != "sit" or len(page["players"]) != 1:
        return False
    page["players"]["9"] = {"player": "Somebody", "away": False, "waits": False}
    return True


def make_page_with_loser(**value: object) -> Corrupt:
    def change(seen: Seen, page: Page, _chance: random.Random) -> bool:
        seats = page["table"]["stacks"]
        if find_word(seen) == "sit":
            return False
        page["table"]["out"] = [{"seat": int(min(seats, default="9")), "by": [2], **value}]
        return bool(seats) and page["table"]["stacks"][min(seats)] > 0

    return change


PILES = ("stub", "muck", "burn", "aside", "board")
STANDING_KEYS: Mapping[str, object] = {
    "phase": "remedy",
    "street": "river",
    "gate": "wide",
    "stacks": {"1": 5},
    "pots": [{"amount": 7, "seats": [1]}],
    "bets": {"1": 7},
    "board": ["As"],
    "next": [{"step": "done", "text": "Done", "short": "done"}],
    "piles": {"stub": 1, "seats": {}},
    "lamps": {},
}

CORRUPTIONS: Mapping[Callable[[], Oracle], Mapping[str, Corrupt]] = {
    CardOracle: {
        **{f"a card more in {pile}": a_card_more(pile) for pile in PILES},
        **{f"a card less in {pile}": a_card_less(pile) for pile in PILES},
        "a card more at a seat": a_card_more_at_a_seat,
        "a hand of many cards": a_hand_of_many_cards,
        "a board card twice": a_board_card_twice,
        "an upcard twice": a_board_card_that_is_an_upcard,
        "a board card is not shown": a_board_card_that_is_not_there,
        "a card stays in the shoe": a_card_that_stayed_in_the_shoe,
        "a call moves a card": a_card_that_a_call_moved,
    },
    ChipOracle: {
        "a chip more in a stack": a_chip_more("stacks"),
        "a chip more in a bet": a_chip_more("bets"),
        "a chip less in a pot": a_chip_less_in_the_pot,
        "a stack below nothing": a_stack_below_nothing,
        "chips of a neighbour": chips_of_a_neighbour,
        "an award to the wrong seat": an_award_to_the_wrong_seat,
        "an award of too much": an_award_of_too_much,
        "a call of more than the stack": a_call_of_more_than_the_stack,
        "a raise from more than to": a_raise_from_more_than_to,
        "a player of a pot who is not there": a_player_of_a_pot_who_is_not_there,
    },
    SignalOracle: {
        "an open gate": an_open_gate,
        "a locked gate": a_locked_gate,
        "another gate": lambda _seen, page, _chance: page["table"].update(gate="ajar") or True,
        **{f"the lamp {role} beside": a_lamp_beside(role) for role in ("act", "deal")},
        **{f"the lamp {role} is dark": a_dark_lamp(role) for role in ("act", "deal")},
        **{f"the lamp {role} is lit": a_lit_lamp(role) for role in ("act", "deal")},
        "a lamp at an empty chair": a_lamp_at_an_empty_chair,
        "a lamp beyond the table": a_lamp_beyond_the_table,
        "a role without lamps": a_lamp_role_that_is_missing,
        "lamps in no order": lamps_in_no_order,
    },
    RefusalOracle: {
        **{
            f"another {key} of the table": make_another("table", key, value=value)
            for key, value in STANDING_KEYS.items()
        },
        "another hand": make_another("table", "hand", value=99),
        "other players": make_another("players", value={}),
        "another setup": make_another("setup", value={}),
        "a ruling": make_another("table", "rulings", value=[{"finding": "boxed"}]),
        "the floor is called": make_another("floor_called", value="yes"),
    },
    UndoOracle: {
        **{f"another {key}": after_an_undo("table", key, value=value) for key, value in STANDING_KEYS.items()},
        "other players": after_an_undo("players", value={}),
    },
    RestartOracle: {
        **{
            f"another {key}": after_a_start_of_the_program("table", key, value=value)
            for key, value in STANDING_KEYS.items()
            if key not in ("phase", "gate", "next", "lamps")
        },
        "another hand": after_a_start_of_the_program("table", "hand", value=1),
        "a chip more": other_stacks_after_a_start,
        "a player less": a_player_less_after_a_start,
        "no players": after_a_start_of_the_program("players", value={}),
    },
    SentenceOracle: {
        "None in a step": a_sentence("step", "Card to seat None"),
        "braces in a step": a_sentence("step", "Card to seat {seat}"),
        "an identifier in a step": a_sentence("step", "Wait for big_blind to act"),
        "a step without words": a_sentence("step", ""),
        "a step that is no text": a_sentence("short", None),
        "a value in a ruling": a_sentence("ruling", "It was True that seat 4 acted (R7)."),
        "a class in a ruling": a_sentence("ruling", "It is BoardStep(street) that comes next."),
        "a ruling without words": a_sentence("ruling", "  "),
        "a ruling without a clause": a_ruling_without("cite", []),
        "a ruling without a verdict": a_ruling_without("verdict", ""),
        "a ruling without a finding": a_ruling_without("finding", None),
        "a clause that is not there": a_clause_that_is_not_on_the_page,
        "a list in a notice": a_sentence("notice", "Cards [] are missing."),
        "an address in a fault": a_sentence("fault", "It is object at 0x7f00aa"),
        "a double blank in a refusal": a_sentence("refusal", "It is  not so."),
    },
    DisclosureOracle: {
        **{
            f"a hidden card in {'.'.join(path)}": a_hidden_card(*path)
            for path in (
                ("sound",),
                ("setup", "rulebook"),
                ("table", "street"),
                ("table", "gate"),
                ("refusal",),
                ("coming",),
                ("clauses", "x"),
                ("players", "1", "player"),
                ("notice",),
                ("remedy", "x"),
            )
        },
        "a card of some entries ago": a_hidden_card_that_stays,
    },
    BlindOracle: {
        "the button beside": a_button_beside,
        **{
            f"the {role} stands elsewhere": a_place_that_did_not_move(role)
            for role in ("button", "small_blind", "big_blind")
        },
        **{f"another {role}": a_blind_of_another_amount(role) for role in ("small_blind", "big_blind")},
        "somebody posts who is not dealt in": a_post_of_nobody,
        "both blinds at one seat": both_blinds_at_one_seat,
        "somebody else opens": another_opener,
    },
    ProgressOracle: {"nothing is asked": make_idle_page},
    TournamentOracle: {
        "somebody sits there": somebody_at_a_free_table("players", "1", value={"player": "Ana"}),
        "a stack is there": somebody_at_a_free_table("table", "stacks", value={"1": 5}),
        "a pot is there": somebody_at_a_free_table("table", "pots", value=[{"amount": 5, "seats": [1]}]),
        "a bet is there": somebody_at_a_free_table("table", "bets", value={"1": 5}),
        "a hand is on": somebody_at_a_free_table("table", "phase", value="deal"),
        "a step is due": somebody_at_a_free_table("table", "next", value=[{"step": "burn"}]),
        "the timer runs": somebody_at_a_free_table("table", "timer", value={"level": 1}),
        "the button is lit": somebody_at_a_free_table("table", "lamps", value={"button": [1]}),
        "a lamp is lit": somebody_at_a_free_table("table", "lamps", value={"attention": [1]}),
        "two sit down at once": two_at_once_at_a_free_table,
        "who has chips is out": make_page_with_loser(),
        "who is out did it": make_page_with_loser(by=[1]),
        "nobody did it": make_page_with_loser(by=[]),
        "shares of nobody": make_page_with_loser(shares=[1, 2, 3]),
    },
}

CASES = [
    pytest.param(make, corrupt, id=f"{make.name}: {name}")  # type: ignore[attr-defined]
    for make, corruptions in CORRUPTIONS.items()
    for name, corrupt in corruptions.items()
]


def corrupt_sequences(corrupt: Corrupt, sequences: Sequence[Sequence[Seen]]) -> Iterator[tuple[Seen, list[Seen]]]:
    """Each sequence with one page corrupted, at some of the entries where it can be, from the hand before on."""
    for sequence in sequences:
        count = 0
        for at in random.Random(7).sample(range(len(sequence)), len(sequence)):
            if count == MAX_PLACES:
                break
            page = json.loads(find_text(sequence[at]))
            if corrupt(sequence[at], page, random.Random(at)) and json.dumps(page) != find_text(sequence[at]):
                changed = replace(sequence[at], after=page)
                yield changed, [*sequence[find_hand_before(sequence, at) : at], changed, *sequence[at + 1 : at + 3]]
                count += 1


def find_hand_before(sequence: Sequence[Seen], at: int) -> int:
    """Where the hand before the one of an entry begins."""
    starts = [each for each, seen in enumerate(sequence[: at + 1]) if find_word(seen) == "start"]
    return starts[-2] if len(starts) > 1 else 0


TEXTS: dict[int, tuple[Seen, str]] = {}


def find_text(seen: Seen) -> str:
    """The page after an entry as text, made once."""
    if id(seen) not in TEXTS:
        TEXTS[id(seen)] = (seen, json.dumps(seen.after))
    return TEXTS[id(seen)][1]


@pytest.mark.parametrize(("make", "corrupt"), CASES)
def test_of_each_corruption_the_oracle_complains(
    make: Callable[[], Oracle], corrupt: Corrupt, sequences: Sequence[Sequence[Seen]]
) -> None:
    tried = list(corrupt_sequences(corrupt, sequences))
    silent = [(seen.number, dict(seen.entry)) for seen, sequence in tried if not listen(make, sequence)]
    assert tried
    assert silent == []


def test_every_oracle_has_its_corruptions() -> None:
    assert set(CORRUPTIONS) == {make for make in ORACLES if not hasattr(make, "runs_commands")}


# What others see


@pytest.mark.parametrize("role", ["watch", "floor-read", "room"])
@pytest.mark.parametrize(
    "key", ["hand", "phase", "street", "lamps", "gate", "board", "piles", "pots", "next", "seats", "floor_called"]
)
def test_a_page_that_shows_something_else_than_the_floors_is_found(
    role: str, key: str, sequences: Sequence[Sequence[Seen]]
) -> None:
    for sequence in sequences:
        for at in random.Random(3).sample(range(len(sequence)), MAX_PLACES):
            page = {**sequence[at].pages[role], key: [{"step": "none", "seat": 3}]}
            changed = replace(sequence[at], pages={**sequence[at].pages, role: page})
            assert listen(DisclosureOracle, [changed]), (role, key, sequence[at].entry)


@pytest.mark.parametrize("key", ["stack", "bet", "cards", "player", "away", "waits"])
def test_a_seat_that_a_page_shows_otherwise_is_found(key: str, sequences: Sequence[Sequence[Seen]]) -> None:
    for sequence in sequences:
        for at in random.Random(4).sample(
            [at for at, seen in enumerate(sequence) if seen.after["players"]], MAX_PLACES
        ):
            page = copy.deepcopy(dict(sequence[at].pages["watch"]))
            page["seats"][-1][key] = "another"
            changed = replace(sequence[at], pages={"watch": page})
            assert listen(DisclosureOracle, [changed])


def test_a_hidden_card_is_found_on_any_page_and_in_any_answer(sequences: Sequence[Sequence[Seen]]) -> None:
    for sequence in sequences:
        for at in [at for at, seen in enumerate(sequence) if find_hidden(seen, dict(seen.after))][::7]:
            card = sequence[at].entry["card"]
            for changed in (
                replace(sequence[at], answer={"message": f"It is the {card}."}),
                replace(sequence[at], pages={"watch": {**sequence[at].pages["watch"], "program": card}}),
            ):
                assert listen(DisclosureOracle, [*sequence[find_hand_before(sequence, at) : at], changed])


def test_what_is_told_the_staff_is_told_no_spectator(sequences: Sequence[Sequence[Seen]]) -> None:
    seen = sequences[0][5]
    page = {**seen.pages["watch"], "staff": {}}
    assert listen(DisclosureOracle, [replace(seen, pages={"watch": page})])


@pytest.mark.parametrize(
    ("key", "value"), [("hand", 99), ("phase", "another"), ("street", "another"), ("pot", 1), ("called", True)]
)
def test_a_room_that_shows_another_table_is_found(key: str, value: object, sequences: Sequence[Sequence[Seen]]) -> None:
    for seen in sequences[0][::9]:
        line = seen.table
        pot = sum(each["amount"] for each in line["pots"])
        room = {"entry": seen.after["entry"], "hand": line["hand"], "phase": line["phase"], "street": line["street"]}
        room |= {"pot": pot, "called": False}
        assert listen(DisclosureOracle, [replace(seen, room=room)]) == []
        other = {**room, key: value if key != "pot" else pot + 1}
        assert listen(DisclosureOracle, [replace(seen, room=other)])
        assert listen(DisclosureOracle, [replace(seen, room={**other, "is_behind": True})]) == []


def test_a_room_that_names_a_hidden_card_is_found(sequences: Sequence[Sequence[Seen]]) -> None:
    for at in [at for at, seen in enumerate(sequences[0]) if find_hidden(seen, dict(seen.after))][::5]:
        seen = sequences[0][at]
        changed = replace(seen, room={"entry": 0, "next": f"Card to {seen.entry['card']}"})
        assert listen(DisclosureOracle, [*sequences[0][find_hand_before(sequences[0], at) : at], changed])


def test_a_refusal_that_nobody_is_told_of_is_found(sequences: Sequence[Sequence[Seen]]) -> None:
    refused = [seen for seen in sequences[0] if not seen.taken]
    assert len(refused) == 2
    for seen in refused:
        mute = replace(seen, answer={"status": 202}, after={**seen.after, "refusal": None})
        assert listen(RefusalOracle, [mute])


# What goes on, and what does not


def test_a_table_that_asks_again_and_again_for_what_it_was_given_is_stuck(sequences: Sequence[Sequence[Seen]]) -> None:
    for sequence in sequences:
        for kind in ("deal", "act", "award"):
            seen = next(one for one in sequence if one.taken and get_first_step(one.table_before).get("step") == kind)
            still = replace(seen, after={**seen.after, "table": seen.table_before})
            assert listen(ProgressOracle, [seen, still]) == []
            assert listen(ProgressOracle, [still] * 7)


def test_a_hand_that_may_not_be_mucked_is_asked_to_be_shown(sequences: Sequence[Sequence[Seen]]) -> None:
    seen = next(one for one in sequences[0] if not one.taken and one.way == "page")
    asked = {**seen.before, "table": {**seen.table_before, "next": [{"step": "show", "seat": 3}]}}
    refused = {"status": 202, "code": "hands-up", "message": "Its hand is shown."}
    mucked = replace(seen, entry={"ev": "muck", "seat": 3}, before=asked, after=asked, answer=refused)
    assert listen(ProgressOracle, [mucked] * 7) == []
    assert listen(ProgressOracle, [replace(mucked, entry={"ev": "show", "seat": 3})] * 7), "but there must be a way"


def test_what_nobody_asked_for_does_not_make_a_table_stuck(sequences: Sequence[Sequence[Seen]]) -> None:
    seen = next(one for one in sequences[0] if one.taken and get_first_step(one.table_before).get("step") == "act")
    beside = replace(seen, entry={"ev": "call-floor"}, after={**seen.after, "table": seen.table_before})
    assert listen(ProgressOracle, [beside] * 20) == []


def test_a_question_that_takes_no_true_answer_stands_still(sequences: Sequence[Sequence[Seen]]) -> None:
    seen = next(one for one in sequences[0] if not one.taken and one.way == "page")

    def ask(option: str, line: Mapping[str, Any], **more: object) -> Seen:
        table = {**seen.table_before, "next": [{"step": "say", "options": [option]}], **more}
        asked = {**seen.before, "table": table}
        answer = {"status": 202, "code": "not-so", "message": "It is not so."}
        return replace(seen, entry={"ev": "report", **line}, before=asked, after=asked, answer=answer)

    unread = replace(seen.truth, deck=("As", "Kd", "2c"), in_shoe=("2c",), left_shoe=("As", None))
    up: Mapping[str, object] = {"1": ["As"], "3": [None]}
    true = [
        ask("put-back", {"what": "put-back"}),
        ask("opened", {"what": "opened"}),
        ask("acted", {"what": "acted", "count": 1, "chips": True}),
        replace(ask("misread", {"what": "misread", "seat": 3, "card": "Kd"}, up=up), truth=unread),
    ]
    for each in true:
        assert listen(ProgressOracle, [each] * 7), each.entry
    untrue = [
        ask("premature", {"what": "premature"}),
        ask("acted", {"what": "acted", "count": 9, "chips": True}),
        ask("opened", {"what": "put-back"}),
        replace(ask("misread", {"what": "misread", "seat": 1, "card": "Kd"}, up=up), truth=unread),
        replace(ask("misread", {"what": "misread", "seat": 3, "card": "2c"}, up=up), truth=unread),
    ]
    for each in untrue:
        assert listen(ProgressOracle, [each] * 7) == [], each.entry


@pytest.mark.parametrize("game", ["stud-8", "stud-hi-lo", "razz", "razzdugi"])
def test_who_opens_in_each_game_of_stud_is_known(game: str, tmp_path: Path) -> None:
    (tmp_path / game).mkdir()
    sequence = list(record_stud(tmp_path / game, game))
    assert listen(BlindOracle, sequence) == []
    chance, found = random.Random(1), 0
    for number, seen in enumerate(sequence):
        page = copy.deepcopy(dict(seen.after))
        if page["table"].get("street") == "third" and another_opener(seen, page, chance):
            found += 1
            assert listen(BlindOracle, [*sequence[:number], replace(seen, after=page)])
    assert found


@pytest.mark.parametrize("finding", ["foreign-back", "exposed"])
def test_a_foreign_card_is_one_more_whatever_is_ruled_after_it(
    finding: str, sequences: Sequence[Sequence[Seen]]
) -> None:
    """The table's line no longer names the ruling where a device's entry has followed before anybody looked."""
    seen = next(one for one in sequences[0] if one.taken and one.way == "device" and not is_irregular(dict(one.after)))
    more = copy.deepcopy(dict(seen.after))
    more["table"]["piles"]["muck"] += 1
    ruled = {**more, "ruled_in": more["table"]["hand"], "rulings": [{"finding": finding}], "faults": [{"id": "deck"}]}
    overtaken = replace(seen, after=ruled)
    later = replace(seen, before=ruled, after={**ruled, "rulings": [{"finding": "stub-fouled"}], "faults": []})
    assert bool(listen(CardOracle, [seen, overtaken, later])) == (finding == "exposed")


def test_who_was_knocked_out_may_sit_down_with_new_chips(sequences: Sequence[Sequence[Seen]]) -> None:
    seen = next(one for one in sequences[2] if one.taken and find_word(one) == "sit")
    seat = str(seen.entry["seat"])
    out = {**seen.after, "table": {**seen.table, "out": [{"seat": int(seat), "by": [99]}]}}
    came, refused = replace(seen, after=out), replace(seen, after=out, before=out, taken=False, entry={"ev": "done"})
    assert out["table"]["stacks"][seat]
    assert listen(TournamentOracle, [came, refused]) == []
    assert listen(TournamentOracle, [came, replace(refused, after={**out, "table": {**out["table"], "hand": 99}})])


# What changes nothing


def test_a_call_of_the_floor_changes_no_more_than_that_it_is_called(sequences: Sequence[Sequence[Seen]]) -> None:
    seen = next(one for one in sequences[0] if not one.taken and one.way == "page")
    called = replace(seen, way="key", entry={"key": "floor"}, answer={"code": "no-entry"})
    called = replace(called, after={**seen.before, "floor_called": True}, before={**seen.before, "floor_called": False})
    assert listen(RefusalOracle, [called]) == []
    again = replace(called, way="page", entry={"ev": "call-floor"}, answer={"status": 202}, before=called.after)
    assert listen(RefusalOracle, [again]) == []
    assert listen(RefusalOracle, [replace(again, entry={"ev": "done"})])
    assert listen(RefusalOracle, [replace(called, entry={"key": "done"})])
    assert listen(RefusalOracle, [replace(called, way="page", entry={"ev": "call-floor"}, answer={"status": 403})])


def test_a_room_says_nothing_of_what_the_table_took(sequences: Sequence[Sequence[Seen]]) -> None:
    seen = next(one for one in sequences[0] if one.taken and one.way == "page")
    told = replace(seen, way="room", answer={"status": 200, "taken": True, "code": "", "message": ""})
    assert listen(SentenceOracle, [told]) == []
    assert listen(SentenceOracle, [replace(told, taken=False)])


def test_hands_that_one_touch_turns_up_are_known(sequences: Sequence[Sequence[Seen]]) -> None:
    together = [
        [
            replace(seen, entry={"lines": [seen.entry, seen.entry]}) if find_word(seen) == "show" else seen
            for seen in seq
        ]
        for seq in sequences
    ]
    assert any("lines" in seen.entry for sequence in together for seen in sequence if seen.taken)
    assert [listen(DisclosureOracle, sequence) for sequence in together] == [[] for _ in together]


def test_a_touch_of_two_lines_is_taken_back_line_by_line_or_whole(sequences: Sequence[Sequence[Seen]]) -> None:
    first, second = next(
        (one, two)
        for sequence in sequences
        for one, two in pairwise(sequence)
        if find_word(one) == find_word(two) == "act" and one.taken and two.taken and one.after == two.before
    )
    number = int(second.after["entry"])
    both = replace(second, before=first.before, entry={"lines": [first.entry, second.entry]})

    def undo(count: int, back: Mapping[str, Any]) -> Seen:
        lines = {"lines": [{"ev": "undo"}] * count} if count > 1 else {"ev": "undo"}
        return replace(second, entry=lines, before=second.after, after={**back, "entry": number + count})

    assert listen(UndoOracle, [both, undo(1, first.after)]) == []
    assert listen(UndoOracle, [both, undo(2, first.before)]) == []
    assert listen(UndoOracle, [both, undo(2, first.after)])
    assert listen(UndoOracle, [first, replace(second, way="page"), undo(1, first.after)]) == []
    assert listen(UndoOracle, [first, replace(second, way="page"), undo(1, first.before)])
    halved = replace(both, taken=False, after=first.after, answer={"code": "amount", "message": "too much"})
    assert listen(RefusalOracle, [halved]) == []
    assert listen(RefusalOracle, [replace(halved, answer={"status": 202}, after={**first.after, "refusal": None})])
    assert listen(UndoOracle, [halved, undo(1, first.before)]) == []
    unplugged = replace(first, entry={"do": "fault", "fault": "unplug"}, after=first.before, number=2)
    assert listen(UndoOracle, [first, unplugged, undo(1, second.after)]) == [], "the table may halt at any time now"


# The journal


def test_a_journal_that_names_a_hidden_card_is_found(sequences: Sequence[Sequence[Seen]], tmp_path: Path) -> None:
    sequence = sequences[0]
    oracle = DisclosureOracle()
    assert [text for seen in sequence for text in oracle.look(seen)] == []
    seen = next(one for one in sequence if find_hidden(one, dict(one.after)))
    card = str(seen.entry["card"])
    record = {
        "number": 9,
        "kind": "entry",
        "body": {"entry": seen.after["entry"], "line": {"ev": "card", "card": card}},
    }
    journal = tmp_path / "journal.sqlite"
    journal.with_suffix(".tail").write_text(json.dumps(record) + "\n")
    evening = type("Evening", (), {"seed": 1, "seen": list(sequence), "journal": journal})()
    assert [text for text in oracle.end(evening) if card in text]


def test_the_journal_of_what_was_played_names_no_hidden_card(sequences: Sequence[Sequence[Seen]]) -> None:
    for sequence in sequences:
        oracle = DisclosureOracle()
        assert [text for seen in sequence for text in oracle.look(seen)] == []
        evening = type("Evening", (), {"seed": 1, "seen": list(sequence), "journal": sequence[0].journal})()
        assert list(oracle.end(evening)) == []
