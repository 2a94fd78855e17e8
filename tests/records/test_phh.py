"""Hands as PHH: PokerKit reads them to the same stacks, and nothing that lay face down is in them."""

import tomllib
import warnings
from io import BytesIO
from typing import Any

import pytest
from pokerkit import HandHistory

from controller.records import phh
from controller.records.hand_record import HandRecord
from tests.records.simulated import Room

NO_LIMIT = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
LIMIT = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
POT = {"structure": "pot-limit", "small_blind": 2, "big_blind": 2}

KNOWN_TO_PHH: dict[tuple[str, str], dict[str, Any]] = {
    ("holdem", "NT"): NO_LIMIT,
    ("holdem", "FT"): LIMIT,
    ("omaha", "PO"): POT,
    ("omaha-8", "FO/8"): LIMIT,
    ("stud-7", "F7S"): STUD,
    ("stud-8", "F7S/8"): STUD,
    ("razz", "FR"): STUD,
    ("lowball-27", "N2L1D"): NO_LIMIT,
}

HANDS = 100

OTHER_RULES = ("No more completion", "is above the maximum", "by PHH's rules the stacks")
"""Where a rulebook differs from PHH: no cap between two players, the choice of limits, whose the odd chip is."""


def room(seed: int, game: str, betting: dict[str, Any], **line: Any) -> Room:  # noqa: ANN401 - keys of the table line
    chairs = (1, 2, 4, 5, 7, 8)[: 2 + seed % 5]
    seats = [{"seat": seat, "player": f"Player {seat}", "stack": 60 + 17 * seat} for seat in chairs]
    button = {} if betting is STUD else {"button": 1}
    return Room(seed, **{"rulebook": "roberts-7", "game": game, "betting": betting, "seats": seats, **button, **line})


def read(content: str) -> HandHistory:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # folds that were not forced; user-defined fields
        return HandHistory.load(BytesIO(content.encode()))


def last_stacks(history: HandHistory) -> list[int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, last = history
    return list(last.stacks)


@pytest.mark.parametrize(("game", "variant"), KNOWN_TO_PHH, ids=lambda value: value.replace("/", "-"))
def test_pokerkit_reads_a_hundred_hands_to_the_same_stacks(game: str, variant: str) -> None:
    regular = irregular = 0
    for seed in range(HANDS):
        played = room(seed, game, KNOWN_TO_PHH[game, variant])
        record = played.hand()
        content = phh.build_fields(record)
        if not content["_regular"]:
            assert any(reason in content["_why"] for reason in OTHER_RULES), content
            irregular += 1
            continue
        history = read(phh.render_text(content))
        assert history.variant == variant
        assert (
            last_stacks(history)
            == [record.finishing_stack_by_seat[seat] for seat in record.dealing_order]
            == history.finishing_stacks
        )
        regular += 1
    assert regular + irregular == HANDS
    assert irregular <= HANDS // 20


def test_every_game_without_a_code_is_written_down_whole_all_the_same() -> None:
    record = room(3, "draw-high", LIMIT).hand()
    content = tomllib.loads(phh.render_text(phh.build_fields(record)))
    assert content["_regular"] is False
    assert content["_why"] == "PHH has no code for fixed-limit draw-high"
    assert "variant" not in content
    assert "actions" not in content
    assert content["_acts"]
    assert content["_draws"]
    assert sum(content["starting_stacks"]) == sum(content["finishing_stacks"])


def deal_downcards(played: Room) -> None:
    """Deal the downcards that are due."""
    while type(played.table.outcome.plan[0]).__name__ == "DealStep":
        played.card()


def finish_hand(played: Room) -> HandRecord:
    while played.table.outcome.plan:
        played.move()
    return played.records[-1]


def test_no_card_that_lay_face_down_is_written() -> None:
    for seed in range(20):
        played = room(seed, "holdem", NO_LIMIT)
        played.start()
        hidden: set[str] = set()
        stub = list(played.stub)
        record = finish_hand(played)
        shown = {card for cards in record.tabled_cards_by_seat.values() for card in cards or ()} | set(record.board)
        hidden = {card for card in stub if card not in shown}
        content = phh.render_text(phh.build_fields(record))
        for line in content.splitlines():
            if line.startswith(("actions", "_tabled", "_board")):
                assert not [card for card in hidden if card in line], line


def test_after_a_misdeal_only_the_last_deal_is_the_regular_part() -> None:
    played = room(3, "holdem", NO_LIMIT, rulebook="roberts-7")
    played.start()
    played.card()
    played.card()
    played.say(ev="report", what="exposed")
    record = finish_hand(played)
    content = phh.build_fields(record)
    assert record.deal_count == 2
    assert [ruled.deal_number for ruled in record.rulings] == [1]
    assert content["_rulings"][-1]["verdict"] == "misdeal"
    assert content["_rulings"][-1]["cite"]
    assert content["_regular"]
    assert last_stacks(read(phh.render_text(content))) == content["finishing_stacks"]


def test_what_was_taken_back_never_happened() -> None:
    played = room(3, "holdem", NO_LIMIT)
    played.start()
    deal_downcards(played)
    seat = played.table.outcome.state.find_lamps().act[0]
    played.say(ev="act", seat=seat, do="fold")
    played.say(ev="undo")
    played.say(ev="act", seat=seat, do="call")
    record = finish_hand(played)
    assert next((act.seat, act.action_type.value) for act in record.actions) == (seat, "call")
    assert len([act for act in record.actions if act.seat == seat and act.action_type.value == "fold"]) <= 1
    assert phh.build_fields(record)["_regular"]


def test_a_hand_that_a_ruling_killed_is_folded_in_its_turn() -> None:
    played = room(3, "holdem", NO_LIMIT)
    played.start()
    deal_downcards(played)
    acting = played.table.outcome.state.find_lamps().act[0]
    played.say(ev="act", seat=acting, do="call")
    victim = played.table.outcome.state.find_lamps().act[0]
    played.say(ev="floor", decide="dead-hand", seat=victim, who="Floor", why="talked")
    content = phh.build_fields(finish_hand(played))
    player = content["seats"].index(victim) + 1
    assert f"p{player} f # dead hand" in content["actions"]
    assert content["_rulings"][0]["verdict"] == "dead-hand"
    assert content["_regular"]


def test_a_bomb_pot_says_why_it_has_no_regular_part() -> None:
    """PHH knows no hand without betting before the flop."""
    played = room(3, "holdem", NO_LIMIT, rulebook="wsop-live-2024")
    played.start()
    played.say(ev="undo")
    played.say(ev="start", bomb_pot=10)
    content = phh.build_fields(finish_hand(played))
    assert (content["_regular"], content["_why"]) == (False, "the betting began on the flop")


def test_untracked_hands_say_why_they_have_no_regular_part() -> None:
    seats = [{"seat": 1, "player": 'O"Neil\\'}, {"seat": 2}]
    played = Room(1, rulebook="roberts-7", game="holdem", betting=NO_LIMIT, amounts="untracked", seats=seats, button=1)
    content = tomllib.loads(phh.render_text(phh.build_fields(played.hand())))
    assert content["_why"] == "amounts were not tracked"
    assert 'O"Neil\\' in content["players"]
    assert "starting_stacks" not in content
