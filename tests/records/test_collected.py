"""What the house took stands in the records of a hand: of which pot, of the button, of whom for the time."""

import json
import tomllib
from typing import Any

import pytest

from controller.core.engine.output import outcome_rendering
from controller.core.protocol.steps import ActStep, BettingRoundStep, CollectStep
from controller.records import export_formats, ohh, phh
from controller.records.action_history import NotRepresentableError
from controller.records.export_formats import ExportFormat
from controller.records.hand_record import HandRecord, SeatPayment
from controller.runtime.journal.hand_index import HandRow
from tests.records.readers import of_ohh, of_text
from tests.records.simulated import Room
from tests.records.test_formats import PLACE
from tests.records.test_phh import LIMIT, NO_LIMIT, STUD, last_stacks, read

RAKE = {"kind": "rake", "percent": 10, "cap": 5}
BLINDS = {"structure": "no-limit", "small_blind": 5, "big_blind": 10}


def room(collection: dict[str, Any] | None, stacks: tuple[int, ...] = (200, 200, 200), **line: Any) -> Room:  # noqa: ANN401 - keys of the table line
    seats = [{"seat": seat, "player": f"Player {seat}", "stack": stack} for seat, stack in enumerate(stacks, 1)]
    table = {"rulebook": "roberts-7", "game": "holdem", "betting": BLINDS, "button": 1, "seats": seats}
    return Room(1, **{**table, **({} if collection is None else {"collection": collection}), **line})


def deal_order(played: Room, cards: str) -> None:
    """Lay the cards that are due in this order on the stub, whose last card is dealt first."""
    wanted = cards.split()
    played.stub = [card for card in played.stub if card not in wanted] + wanted[::-1]


def play(played: Room, *acts: str, cards: str = "", t: float = 0.0) -> HandRecord:
    """Play a hand: these acts (`"1 raise 30"`), then whoever can checks, else folds."""
    played.start(t=t)
    deal_order(played, cards)
    return finish(played, *acts)


def finish(played: Room, *acts: str, otherwise: str = "fold") -> HandRecord:
    told = list(acts)
    while plan := played.table.outcome.plan:
        if isinstance(plan[0], ActStep) and told:
            seat, do, *to = told.pop(0).split()
            played.say(ev="act", seat=int(seat), do=do, **({"to": int(to[0])} if to else {}))
        elif isinstance(plan[0], ActStep):
            step = outcome_rendering.render_outcome(played.table.outcome, 0)["next"][0]
            played.say(ev="act", seat=step["seat"], do="check" if "check" in step["options"] else otherwise)
        elif isinstance(plan[0], BettingRoundStep):
            played.say(ev="closed")
        else:
            played.move()
    assert not told
    return played.records[-1]


def read_phh(record: HandRecord) -> dict[str, Any]:
    """The hand as PHH, regular, which PokerKit plays to its stacks by what each pot gave."""
    text = phh.render_text(phh.build_fields(record, PLACE))
    content, history = tomllib.loads(text), read(text)
    assert content["_regular"], content["_why"]
    taken = {part["pot"]: part["amount"] for part in content.get("_collection", {}).get("pots", ())}
    history.rake = phh.make_rake(taken)  # type: ignore[assignment]  # the history's type knows no state
    assert last_stacks(history) == last_stacks(history) == content["finishing_stacks"]
    assert sum(content["starting_stacks"]) - sum(content["finishing_stacks"]) == sum(taken.values())
    return content


def read_trackers(record: HandRecord) -> tuple[list[dict[str, Any]], str]:
    """The pots of the hand as OHH has them, and the total of PokerStars text; both come to the table's stacks."""
    hand, text = ohh.build_fields(record, PLACE), export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE)
    told, written = of_ohh(hand), of_text(text)
    assert told.stacks == record.finishing_stack_by_seat
    assert list(written.stacks.values()) == [stack for _, stack in sorted(record.finishing_stack_by_seat.items())]
    assert told.raked == written.raked == sum(record.taken_by_pot.values())
    (total,) = [line for line in text.splitlines() if line.startswith("Total pot")]
    return hand["ohh"]["pots"], total


def test_a_rake_is_told_and_the_winner_collects_what_is_left() -> None:
    record = play(room(RAKE), "1 raise 20", "2 call", "3 fold", "2 bet 30", "1 fold")
    content = read_phh(record)
    assert content["_collection"] == {
        "terms": {"kind": "rake", "percent": 10, "cap": 5}, "pots": [{"pot": 0, "amount": 5}], "total": 5,
    }  # fmt: skip
    assert content["finishing_stacks"] == [225, 190, 180]
    pots, total = read_trackers(record)
    assert pots == [
        {"number": 0, "amount": 50, "rake": 5, "jackpot": 0, "player_wins": [{"player_id": 2, "win_amount": 45}]}
    ]
    assert total == "Total pot 50 | Rake 5"


def test_each_pot_gives_its_own_part() -> None:
    """Of 150 and of 300 that is 15 each, as a step of 5 has it; what nobody called is in neither."""
    cards = "Ks As Qs Kh Ah Qh 2c 7d 8d 9c 3c 4h 5c Jc"
    record = play(
        room({"kind": "rake", "percent": 10, "cap": 30, "step": 5}, (300, 50, 200)),
        "1 raise 100", "2 all-in", "3 call", "3 check", "1 bet 200", "3 all-in", cards=cards,
    )  # fmt: skip
    assert record.taken_by_pot == {0: 15, 1: 15}
    pots, total = read_trackers(record)
    assert [(pot["amount"], pot["rake"]) for pot in pots] == [(150, 15), (300, 15)]
    assert total.startswith("Total pot 450 Main pot 135. Side pot 285. | Rake 30")
    assert [part["amount"] for part in read_phh(record)["_collection"]["pots"]] == [15, 15]


def test_chips_of_whoever_folds_are_in_the_pot_that_they_were_bet_into() -> None:
    """PokerKit counts pots level by level, and asks for the first one anew when seat 4's 10 are joined by others."""
    record = play(
        room({"kind": "rake", "percent": 10, "cap": 30, "step": 5}, (200, 50, 200, 200)),
        "4 call", "1 raise 100", "2 all-in", "3 call", "4 fold", cards="As Ks Qs 2s Ah Kh Qh 2h",
    )  # fmt: skip
    assert record.taken_by_pot == {0: 15, 1: 10}
    assert [(pot["amount"], pot["rake"]) for pot in read_trackers(record)[0]] == [(160, 15), (100, 10)]
    read_phh(record)


def test_two_pots_of_one_size_of_which_the_cap_leaves_one_alone_are_told_apart() -> None:
    """PokerKit asks what is taken of an amount: 60 give 5, the other 60 nothing."""
    record = play(room(RAKE, (50, 20, 50)), "1 all-in", "2 all-in", "3 call", cards="Ks As Qs Kh Ah Qh")
    assert record.taken_by_pot == {0: 5}
    assert [pot["amount"] for pot in read_trackers(record)[0]] == [60, 60]
    read_phh(record)


def test_of_a_hand_that_pays_nothing_the_record_says_so() -> None:
    record = play(room(RAKE))
    assert read_phh(record)["_collection"]["total"] == 0
    assert "pots" not in read_phh(record)["_collection"]
    assert read_trackers(record)[1].endswith("| Rake 0")


def test_a_table_on_which_the_house_takes_nothing_has_no_word_of_it() -> None:
    record = play(room(None), "1 raise 20", "2 call", "3 fold", "2 bet 30", "1 fold")
    assert record.collection is None
    for form in ExportFormat:
        assert "collection" not in export_formats.write_hand(form, record, PLACE)
    assert HandRow(1, 1, "").complete_from_record(record).taken is None


def test_a_fee_of_the_hand_may_be_all_of_the_pot() -> None:
    record = play(room({"kind": "hand", "fee": 15}))
    assert record.taken_by_pot == {0: 10}
    pots, total = read_trackers(record)
    assert [(pot["amount"], pot["rake"], pot["player_wins"]) for pot in pots] == [(10, 10, [])]
    assert total == "Total pot 10 | Rake 10"
    text = export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE)
    assert "Seat 3: Player 3 (big blind) collected (0)" in text
    assert "the house took 10 of a pot that there holds 5" in phh.build_fields(record)["_why"]
    called = play(room({"kind": "hand", "fee": 15}), "1 call", "2 fold", "3 check")
    assert read_phh(called)["_collection"]["total"] == 15


def test_the_button_has_paid_before_the_stack_that_it_plays_with() -> None:
    record = play(room({"kind": "button", "fee": 3}), "1 raise 20", "2 call")
    content = read_phh(record)
    assert content["_collection"] == {
        "terms": {"kind": "button", "fee": 3}, "button": {"seat": 1, "amount": 3}, "total": 3,
    }  # fmt: skip
    assert dict(zip(content["seats"], content["starting_stacks"], strict=True)) == {1: 197, 2: 200, 3: 200}
    assert read_trackers(record)[1].endswith("| Rake 0")


def test_a_dead_button_pays_nothing() -> None:
    played = room({"kind": "button", "fee": 3}, (200, 200, 200, 200), rulebook="fish-n-chips", mode="cash")
    play(played)
    played.say(ev="leave", seat=2)
    record = play(played)
    assert record.button_seat == 2
    assert record.collection is not None
    assert (record.collection.button_fee, record.collection.total) == (None, 0)
    assert "button" not in read_phh(record)["_collection"]


def test_time_charges_are_those_of_the_start_and_of_whoever_paid_since() -> None:
    played = room({"kind": "time", "fee": 7, "minutes": 30}, (200, 200, 200, 5))
    first = play(played)
    assert first.collection is not None
    assert first.collection.time_charges == tuple(SeatPayment(s, a) for s, a in ((2, 7), (3, 7), (4, 5), (1, 7)))
    assert first.collection.total == 26
    assert read_phh(first)["_collection"]["time"][2] == {"seat": 4, "amount": 5}
    assert sum(first.starting_stack_by_seat.values()) == 200 * 3 - 21


def test_who_pays_after_the_hand_is_in_the_record_of_the_next_and_not_after_an_undo() -> None:
    played = room({"kind": "time", "fee": 7, "minutes": 30}, rulebook="casino-au")
    played.start(t=0.0)
    played.say(ev="collect", seat=3, paid=False)
    first = finish(played)
    assert first.collection is not None
    assert first.collection.total == 14
    played.say(ev="collect", seat=3)
    played.say(ev="undo")
    assert played.records[-1].collection == first.collection
    played.say(ev="collect", seat=3)
    played.start(t=60.0)
    while not isinstance(played.table.outcome.plan[0], ActStep):
        played.move()
    played.say(ev="act", seat=played.table.outcome.state.find_lamps().act[0], do="call")
    played.say(ev="undo")
    record = finish(played)
    assert record.collection is not None
    assert record.collection.time_charges == (SeatPayment(3, 7),)
    assert record.collection.total == 7


def test_a_charge_between_two_hands_and_the_fee_of_another_kind_are_told_apart() -> None:
    played = room({"kind": "time", "fee": 7, "minutes": 30}, rulebook="casino-au")
    played.start(t=0.0)
    played.say(ev="collect", seat=3, paid=False)
    finish(played)
    played.say(ev="collect", seat=3)
    played.say(ev="collection", kind="button", fee=2)
    record = play(played, t=60.0)
    assert record.collection is not None
    assert record.collection.time_charges == (SeatPayment(3, 7),)
    assert record.collection.button_fee == SeatPayment(record.button_seat or 0, 2)
    assert record.collection.total == 9
    played.say(ev="collection", kind="none")
    assert play(played, t=90.0).collection is None


def test_a_charge_that_is_paid_before_a_hand_is_on_again_is_that_hands() -> None:
    played = room({"kind": "time", "fee": 7, "minutes": 30}, (200, 200, 200, 200))
    played.start(t=0.0)
    played.say(ev="collect", seat=2, paid=False)
    first = finish(played)
    played.say(ev="collect", seat=2)
    played.say(ev="report", what="duplicate", where="hand", seat=1)
    assert not played.records
    played.shuffle()
    record = finish(played)
    assert (record.number, record.deal_count) == (first.number, 2)
    assert record.collection is not None
    assert record.collection.total == 28
    assert {paid.seat for paid in record.collection.time_charges} == {1, 2, 3, 4}


def test_a_misdeal_gives_back_what_the_button_paid_and_no_time_charge() -> None:
    for collection, total in (({"kind": "button", "fee": 3}, 3), ({"kind": "time", "fee": 7, "minutes": 30}, 21)):
        played = room(collection)
        played.start(t=0.0)
        while isinstance(played.table.outcome.plan[0], CollectStep):
            played.say(ev="done")
        played.card()
        played.say(ev="floor", decide="misdeal")
        record = finish(played)
        assert record.deal_count == 2
        assert record.collection is not None
        assert record.collection.total == total
        assert sum(record.starting_stack_by_seat.values()) == 600 - total
        assert read_phh(record)["_collection"]["total"] == total


def test_what_is_undone_or_put_right_is_recorded_as_it_was_taken_in_the_end() -> None:
    played = room(RAKE)
    play(played, "1 raise 20", "2 call", "3 fold", "2 bet 30", "1 fold")
    played.say(ev="undo")
    assert not played.records
    assert finish(played).taken_by_pot == {0: 5}
    line = next(act.entry for act in played.records[-1].actions if act.seat == 1)
    played.say(ev="amend", line=line, to={"ev": "act", "seat": 1, "do": "raise", "to": 25})
    record = finish(played)
    assert record.amendments
    assert read_trackers(record)[0][0]["amount"] == 60
    assert read_phh(record)["_collection"]["total"] == 5


def test_an_untracked_hand_says_that_something_was_dropped_and_no_amount() -> None:
    seats = [{"seat": seat, "player": f"Player {seat}"} for seat in (1, 2, 3)]
    for follow, is_dropped in (("actions", True), ("rounds", False)):
        more = {} if follow == "actions" else {"follow": follow}
        played = Room(
            3, rulebook="roberts-7", game="holdem", betting=NO_LIMIT, amounts="untracked", seats=seats, button=1,
            collection=RAKE, **more,
        )  # fmt: skip
        played.start()
        record = finish(played, otherwise="call")
        told = phh.build_fields(record)["_collection"]
        assert told == {"terms": {"kind": "rake", "percent": 10, "cap": 5}, "dropped": is_dropped}
        assert HandRow(1, 1, "").complete_from_record(record).taken is None
        with pytest.raises(NotRepresentableError):
            ohh.build_fields(record)


def test_the_list_of_hands_says_what_was_taken() -> None:
    row = HandRow(1, 1, "").complete_from_record(
        play(room(RAKE), "1 raise 20", "2 call", "3 fold", "2 bet 30", "1 fold")
    )
    assert row.to_json()["taken"] == 5
    assert row.winners == ("Player 2 +25",)
    assert HandRow.from_json(json.loads(json.dumps(row.to_json()))) == row


@pytest.mark.parametrize(("game", "betting"), [("omaha-8", LIMIT), ("stud-8", STUD)])
def test_halves_and_odd_chips_are_of_what_is_left(game: str, betting: dict[str, Any]) -> None:
    halved = 0
    for seed in range(12):
        seats = [{"seat": seat, "player": f"Player {seat}", "stack": 150} for seat in (1, 2, 4)]
        button = {} if betting is STUD else {"button": 1}
        line = {"rulebook": "roberts-7", "game": game, "betting": betting, "seats": seats, **button}
        record = Room(seed, **line, collection={"kind": "rake", "percent": 7.5, "cap": 9, "step": 1}).hand()
        if len({pushed.seat for pushed in record.pot_pushes}) > 1 and record.taken_by_pot:
            halved += 1
            assert read_phh(record)["_collection"]["terms"]["percent"] == 7.5
            assert of_text(export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE)).raked
    assert halved


def test_a_board_that_was_dealt_twice_is_raked_once() -> None:
    played = room(RAKE, (100, 100))
    played.start()
    while not isinstance(played.table.outcome.plan[0], ActStep):
        played.move()
    for seat in (1, 2):
        played.say(ev="act", seat=seat, do="all-in")
    played.say(ev="twice")
    record = finish(played)
    content = phh.build_fields(record)
    assert content["_why"] == "the rest of the board was dealt more than once"
    assert content["_collection"]["total"] == 5
    assert sum(content["starting_stacks"]) - sum(content["finishing_stacks"]) == 5
