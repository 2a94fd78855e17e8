"""What the core says happened is what happened: whoever folds the facts knows the table without comparing two."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState
from controller.core.protocol import facts
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules.rulings import Verdict
from controller.records.hand_record import HandRecorder, find_finished_record
from tests.core.arbitrary import WatchedTable, fitting, make_any_line, table_line
from tests.laws.blocks import list_blocks
from tests.playing import play

QUICK_BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 3, 12, 120


def play_steps(block: int) -> Iterator[tuple[str, WatchedTable, TableState, Outcome, dict[str, object]]]:
    """Entries of arbitrary tables: where, the table after it, how it stood before, what came of it, its line."""
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        watched = WatchedTable(table_line(pick))
        for _ in range(EVENTS_PER_TABLE):
            before = watched.table.outcome.state
            line = make_any_line(watched.table, pick) if pick(6) == 0 else fitting(watched.table, pick)
            outcome = watched.take(line)
            if outcome is not None:
                yield f"seed {seed}: {line}", watched, before, outcome, line


def select_facts(outcome: Outcome, *kinds: type[facts.Fact]) -> list[facts.Fact]:
    return [fact for fact in outcome.facts if isinstance(fact, kinds)]


def check_hand_is_on(where: str, before: TableState, outcome: Outcome) -> None:
    """Whether a hand is on, and the phase, follow from the facts."""
    begins = select_facts(outcome, facts.HandBegan, facts.HandReopened)
    ends = select_facts(outcome, facts.HandOver, facts.StartTakenBack)
    is_on = bool(before.plan) + len(begins) - len(ends)
    assert is_on == bool(outcome.plan) == outcome.state.is_hand_on, where
    changes = [fact for fact in outcome.facts if isinstance(fact, facts.PhaseChanged)]
    led = [before.phase, *(fact.current for fact in changes)]
    assert ([fact.previous for fact in changes], led[-1]) == (led[:-1], outcome.phase), where
    assert len(begins) <= 1, where
    number = outcome.state.hand_count
    assert all(getattr(fact, "number", number) == number for fact in begins + ends), where
    assert outcome.state.hand is None or outcome.state.hand.facts == (), where
    assert bool(select_facts(outcome, facts.EntryTakenBack)) == where.endswith("{'ev': 'undo'}"), where
    assert bool(select_facts(outcome, facts.EntryAmended)) == (outcome.amendment_effect is not None), where


def list_killed(state: TableState) -> frozenset[int]:
    return frozenset() if state.hand is None else state.hand.betting.killed_seats


def count_won(state: TableState) -> Counter[int]:
    return Counter() if state.hand is None else Counter(state.hand.showdown.won_chips_by_seat)


def check_cards_and_chips(where: str, before: TableState, outcome: Outcome, line: dict[str, object]) -> None:
    """Cards, deals, hands shown and killed, and pots pushed are told once each."""
    if line["ev"] in ("undo", "start") or select_facts(
        outcome, facts.EntryAmended, facts.HandReopened, facts.RulingSetAside
    ):
        return
    hand, was = outcome.state.hand, before.hand
    if hand is None or was is None:
        return
    dealt = [fact for fact in outcome.facts if isinstance(fact, facts.CardLaid)]
    again = bool(select_facts(outcome, facts.DealBegan))
    emptied = hand.cards.piles.dealt_count == 0 < was.cards.piles.dealt_count
    assert again == (line["ev"] == "done" and emptied), where
    corrected = line.get("what") == "misread" and [fact.serial for fact in dealt] == [was.cards.piles.dealt_count]
    assert corrected or len(dealt) == (line["ev"] == "card"), where
    assert all(fact.serial == hand.cards.piles.dealt_count for fact in dealt), where
    shown = [fact.seat for fact in outcome.facts if isinstance(fact, facts.HandShown)]
    assert shown == ([line["seat"]] if line["ev"] == "show" and not select_facts(outcome, facts.DealBegan) else []), (
        where
    )
    killed = [fact.seat for fact in outcome.facts if isinstance(fact, facts.HandKilled)]
    assert set(killed) >= list_killed(outcome.state) - list_killed(before), where
    pushed: Counter[int] = Counter()
    for fact in outcome.facts:
        if isinstance(fact, facts.PotPushed):
            pushed.update(fact.chips_by_seat)
    assert count_won(outcome.state) - count_won(before) == pushed, where


def check_act(where: str, before: TableState, outcome: Outcome, line: dict[str, object]) -> bool:
    """What an act moves is what it says; whether there were chips to look at."""
    hand, was = outcome.state.hand, before.hand
    acts = [fact for fact in outcome.facts if isinstance(fact, facts.SeatActed)]
    by_round = [act.action_type for act in acts if act.is_told_by_round]
    anew = any(ruling.verdict in (Verdict.MISDEAL, Verdict.VOID_HAND) for ruling in outcome.rulings)
    if by_round and hand is not None and not anew and not select_facts(outcome, facts.DealBegan, facts.RulingSetAside):
        assert list(hand.betting.action_types[-len(by_round) :]) == by_round, where
    if line["ev"] != "act" or hand is None or was is None or was.round is None or len(acts) != 1:
        return False
    (act,) = acts
    assert act.total_to_match == (0 if act.is_told_by_round else was.round.current_bet), where
    assert act.street_index == was.round.street, where
    if select_facts(outcome, facts.RoundOver, facts.HandKilled) or outcome.rulings or not hand.setup.tracks_amounts:
        return False
    paid = was.chips.stack_by_seat[act.seat] - hand.chips.stack_by_seat[act.seat]
    assert act.chips_paid == paid, where
    # A hand that was given back calls in a round that is over: what it bets is in the pot at once.
    is_over = not any(hand.chips.bet_by_seat.values())
    if hand.round is not None and hand.round.street == was.round.street and not is_over:
        assert act.total in (None, hand.chips.bet_by_seat.get(act.seat, 0)), where
    return True


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_the_facts_of_an_entry_say_what_changed(block: int) -> None:
    acts = 0
    for where, _, before, outcome, line in play_steps(block):
        check_hand_is_on(where, before, outcome)
        check_cards_and_chips(where, before, outcome, line)
        acts += check_act(where, before, outcome, line)
    assert acts > TABLES_PER_BLOCK


@pytest.mark.parametrize("block", range(2))
def test_a_record_made_live_is_the_record_of_the_entries(block: int) -> None:
    live, seed, seen = HandRecorder(), "", 0
    for where, watched, _, outcome, line in play_steps(block):
        if where.partition(":")[0] != seed:
            live, seed = HandRecorder(), where.partition(":")[0]
        table = watched.table
        live.receive_event(parse_line(line), outcome, table.history.base_line + 10_000, table.history)
        record = find_finished_record(table.history)
        if select_facts(outcome, facts.HandOver) and record is not None and live.finished_records:
            kept = live.finished_records[-1]
            seen += 1
            assert (record.number, record.pot_pushes, record.deal_count) == (
                kept.number,
                kept.pot_pushes,
                kept.deal_count,
            ), where
            assert [act.action_type for act in record.actions] == [act.action_type for act in kept.actions], where
    assert block >= QUICK_BLOCKS or seen


def test_acts_that_a_report_counts_are_told_as_what_they_were() -> None:
    """Two have acted, and the second put chips in: a check and a call, also for who listens."""
    played = play(
        "roberts-7", "start", "card 2c 3c 4c 5c 6c 7c 8c 9c", "act 4 call", "act 1 call", "act 2 call", "act 3 check"
    )
    played("card Tc Js Qs Ks", {"ev": "report", "what": "no-burn", "acted": 2, "chips": True})
    acts = [fact.action_type for fact in played.table.outcome.facts if isinstance(fact, facts.SeatActed)]
    assert acts == [ActionType.CHECK, ActionType.CALL]
