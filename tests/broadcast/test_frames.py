"""What an overlay shows of a hand, picture by picture."""

import json
from itertools import pairwise

import pytest

from controller.core.protocol.vocabulary import ActionType
from controller.records.broadcast import hand_frames as module
from controller.records.broadcast.hand_frames import Frame, FrameAction, build_frames, render_frame
from tests.broadcast.hand import DEAL, PLAYED, BroadcastTable, a_whole_hand
from tests.playing import play


@pytest.fixture(scope="module")
def frames() -> tuple[Frame, ...]:
    return build_frames(a_whole_hand())


def player(frame: Frame, seat: int) -> module.FramePlayer:
    return next(each for each in frame.players if each.seat == seat)


def test_cards_come_one_by_one_and_stay_with_whoever_folds(frames: tuple[Frame, ...]) -> None:
    counts = [sum(len(each.cards) for each in frame.players) for frame in frames]
    assert counts[:7] == [0, 1, 2, 3, 4, 5, 6]
    assert all(player(frame, 3).cards == ("Qh", "Qd") for frame in frames[6:])
    assert [player(frame, 3).is_in for frame in (frames[6], frames[-1])] == [True, False]


def test_every_chip_is_somewhere(frames: tuple[Frame, ...]) -> None:
    for frame in frames[:-1]:
        assert sum(each.stack or 0 for each in frame.players) + frame.pot == 600
    assert sum(each.stack or 0 for each in frames[-1].players) == 600
    assert frames[-1].pot == player(frames[-1], 2).chips_won == 34


def test_what_the_house_takes_is_no_longer_in_the_pot() -> None:
    entries = a_whole_hand(collection={"kind": "rake", "percent": 10, "cap": 5})
    taken = [sum((entry.state.hand_in_play.collection.taken_by_pot or {}).values()) for entry in entries]
    frames = {frame.table_time_s: frame for frame in build_frames(entries)}
    assert taken[-1] == 3
    for entry, gave in zip(entries[:-1], taken, strict=False):
        if (frame := frames.get(entry.table_time_s)) is not None:
            assert sum(each.stack or 0 for each in frame.players) + frame.pot + gave == 600
    assert [frame.pot for frame in list(frames.values())[-3:]] == [34, 31, 31]


def test_acts_are_shown_once_with_the_total_that_they_brought(frames: tuple[Frame, ...]) -> None:
    acts = [did for frame in frames for did in frame.new_actions]
    assert acts[:3] == [
        FrameAction(1, ActionType.RAISE, 6),
        FrameAction(2, ActionType.CALL, 6),
        FrameAction(3, ActionType.FOLD, None),
    ]
    assert acts[3:6] == [
        FrameAction(2, ActionType.CHECK, None),
        FrameAction(1, ActionType.BET, 10),
        FrameAction(2, ActionType.CALL, 10),
    ]
    assert len(acts) == 10


def test_on_a_new_round_nobody_has_done_anything_but_fold(frames: tuple[Frame, ...]) -> None:
    flop = next(frame for frame in frames if len(frame.boards[0]) == 3)
    assert [each.last_action for each in flop.players] == [None, None, FrameAction(3, ActionType.FOLD, None)]


def test_the_last_picture_shows_who_was_in_and_who_won(frames: tuple[Frame, ...]) -> None:
    assert [frame.is_over for frame in frames] == [False] * (len(frames) - 1) + [True]
    assert [each.is_in for each in frames[-1].players] == [True, True, False]
    assert frames[-1].boards == (("Qs", "Js", "2c", "Td", "3d"),)


def test_no_two_pictures_after_each_other_are_the_same(frames: tuple[Frame, ...]) -> None:
    assert all(before.visible_parts() != after.visible_parts() for before, after in pairwise(frames))


def test_equities_can_be_told_between_whole_hands(frames: tuple[Frame, ...]) -> None:
    first = next(frame for frame in frames if frame.situation)
    assert first.situation is not None
    assert first.situation.hands == ((1, ("7c", "2d")), (2, ("As", "Ks")), (3, ("Qh", "Qd")))
    flop = next(frame for frame in frames if len(frame.boards[0]) == 3)
    assert flop.situation is not None
    assert flop.situation.dead == ("Qh", "Qd"), "viewers know that the folded queens do not come"
    assert frames[-1].situation is None


def test_of_a_misdeal_the_last_deal_is_shown() -> None:
    table = BroadcastTable()
    table("start", "card As", {"ev": "floor", "decide": "misdeal"})
    while table.played.lines[-1]["next"][0]["step"] != "deal":
        table("done")
    table("card 2s Qh 7c Ks Qd 2d", *PLAYED)
    table.to_the_end()
    table("start", "card 2h")
    found = build_frames(table.hands()[0].entries)
    assert "As" not in json.dumps([render_frame(frame) for frame in found])
    assert sum(len(each.cards) for each in found[0].players) == 0


def test_a_hand_without_end_keeps_the_newest_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FRAMES", 5)
    whole = build_frames(a_whole_hand() * 4)
    assert len(whole) <= 5
    assert whole[-1].is_over


def test_as_the_overlay_takes_it(frames: tuple[Frame, ...]) -> None:
    taken = render_frame(frames[8], {1: 0.1, 2: 0.5, 3: 0.4})
    assert json.loads(json.dumps(taken)) == taken
    assert taken["players"][1] == {
        "seat": 2, "name": "seat 2", "stack": 194, "bet": 6, "cards": ["As", "Ks"], "in": True, "all_in": False,
        "acts": False, "did": {"do": "call", "to": 6}, "won": 0, "equity": 0.5,
    }  # fmt: skip


def test_a_card_that_nobody_read_is_a_back() -> None:
    table = BroadcastTable()
    table(DEAL[0], "card - Qh 7c Ks Qd 2d", "act 1 fold", "act 2 fold")
    table.to_the_end()
    table("start", "card 2h")
    found = build_frames(table.hands()[0].entries)
    assert player(found[-1], 2).cards == (None, "Ks")
    assert all(frame.situation is None for frame in found)


def test_acts_of_a_round_stay_until_the_next_round() -> None:
    table = BroadcastTable()
    table(*DEAL, "act 1 raise 6", {"ev": "sit", "seat": 4, "player": "new", "stack": 100}, "act 2 call", "act 3 fold")
    table("card 9h Qs Js 2c", {"ev": "leave", "seat": 4}, *PLAYED[4:])
    table.to_the_end()
    table("start", "card 2h")
    found = build_frames(table.hands()[0].entries)
    acted = [tuple(each.last_action is not None for each in frame.players) for frame in found]
    assert [shown for shown in acted if any(shown)][:4] == [
        (True, False, False), (True, True, False), (True, True, True), (False, False, True),
    ]  # fmt: skip
    assert acted[-1] == (True, True, True), "the acts of the last round, and who had folded"


def test_the_film_of_a_player_who_is_alone_has_an_end() -> None:
    table = BroadcastTable()
    table.played = play("wsop-live-2024", seats=3, mode="tournament")
    for seat in (2, 3):
        table({"ev": "away", "seat": seat})
    table({"ev": "start", "alone": True}, "done", {"ev": "back", "seat": 2}, {"ev": "back", "seat": 3})
    table("start", "card 2h")
    assert [frame.is_over for frame in build_frames(table.hands()[0].entries)] == [False, True]
