"""Hands as PHH: PokerKit reads them to the same stacks, and nothing that lay face down is in them."""

import tomllib
import warnings
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from controller.records import export_formats, phh
from controller.records.export_formats import ExportFormat
from controller.records.hand_record import HandRecord
from tests.records.simulated import Room

NO_LIMIT = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
LIMIT = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
POT = {"structure": "pot-limit", "small_blind": 2, "big_blind": 2}
BUTTON_ANTE = {"structure": "no-limit", "ante": 2, "ante_by": "button"}

KNOWN_TO_PHH: dict[tuple[str, str], dict[str, Any]] = {
    ("holdem", "NT"): NO_LIMIT,
    ("holdem", "FT"): LIMIT,
    ("omaha", "PO"): POT,
    ("omaha-8", "FO/8"): LIMIT,
    ("stud-7", "F7S"): STUD,
    ("stud-8", "F7S/8"): STUD,
    ("razz", "FR"): STUD,
    ("lowball-27", "N2L1D"): NO_LIMIT,
    ("triple-draw-27", "F2L3D"): LIMIT,
    ("badugi", "FB"): LIMIT,
    ("short-deck", "NS"): BUTTON_ANTE,
}

HANDS = (range(30), pytest.param(range(30, 100), marks=pytest.mark.slow))
"""Of each game, by their seeds."""

PLACE = phh.Provenance(session=3, began_at=datetime(2026, 11, 22, 18, 30, 15, tzinfo=UTC), program="1.2.3")

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


@pytest.mark.parametrize("seeds", HANDS, ids=["quick", "night"])
@pytest.mark.parametrize(("game", "variant"), KNOWN_TO_PHH, ids=lambda value: value.replace("/", "-"))
def test_pokerkit_reads_hands_to_the_same_stacks(game: str, variant: str, seeds: range) -> None:
    regular = irregular = 0
    for seed in seeds:
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
    assert regular + irregular == len(seeds)
    assert irregular <= len(seeds) // 10


@pytest.mark.parametrize(("game", "betting"), [("holdem", NO_LIMIT), ("badugi", LIMIT)])
def test_an_ante_of_the_big_blind_is_its_own_of_two_players_too(game: str, betting: dict[str, Any]) -> None:
    for seed in range(20):  # two players in every fifth
        ante = {**betting, "ante": 2, "ante_by": "big-blind"}
        record = room(seed, game, ante, mode="tournament", rulebook="tda-2024").hand()
        content = phh.build_fields(record)
        assert content["_regular"], content["_why"]
        assert last_stacks(read(phh.render_text(content))) == content["finishing_stacks"]


@pytest.mark.parametrize("game", ["badugi", "triple-draw-27"])
def test_each_draw_says_how_many_cards_were_thrown_away(game: str) -> None:
    for seed in range(8):
        record = room(seed, game, LIMIT).hand()
        actions = [action.split() for action in phh.build_fields(record)["actions"]]
        told = [(int(player[1:]), len("".join(cards)) // 2) for player, verb, *cards in actions if verb == "sd"]
        assert told == [(record.dealing_order.index(drew.seat) + 1, drew.card_count) for drew in record.draws]


@pytest.mark.parametrize("game", ["stud-7", "razz"])
def test_whoever_is_all_in_in_stud_shows_the_cards_that_there_are_and_gets_the_rest(game: str) -> None:
    early = 0
    for seed in range(30):
        seats = [{"seat": seat, "player": f"Player {seat}", "stack": 12 + seat} for seat in (1, 2, 3)]
        record = room(seed, game, STUD, seats=seats).hand()
        content = phh.build_fields(record)
        if not content["_regular"]:
            assert "Short all-in cannot be raised" in content["_why"]
            continue
        assert last_stacks(read(phh.render_text(content))) == content["finishing_stacks"]
        known: dict[str, str] = {}
        for player, verb, *cards in (action.split() for action in content["actions"]):
            if verb == "sm" and cards:
                known[player] = cards[0]
                early += len(cards[0]) < 14
        tabled = {seat: cards for seat, cards in record.tabled_cards_by_seat.items() if cards}
        player_by_seat = {seat: f"p{index}" for index, seat in enumerate(record.dealing_order, 1)}
        assert known == {player_by_seat[seat]: "".join(cards) for seat, cards in tabled.items()}
    assert early


def write_section(record: HandRecord, number: int = 1) -> str:
    """The hand in a file of several."""
    return export_formats.write_hand(ExportFormat.PHH, record, PLACE, None, number)


def test_a_night_of_mixed_hands_is_read_whole(tmp_path: Path) -> None:
    """One without a regular part costs no other: it stands there as a comment, and is checked like all."""
    played = {"holdem": NO_LIMIT, "draw-high": LIMIT, "badugi": LIMIT, "razz": STUD, "omaha-5": POT}
    records = [room(seed, game, betting).hand() for seed in (3, 4) for game, betting in played.items()]
    file = tmp_path / "night.phhs"
    file.write_text("".join(write_section(record, n) for n, record in enumerate(records, 1)))
    regular = [record for record in records if phh.build_fields(record)["_regular"]]
    assert [record.setup.game.name for record in regular] == ["holdem", "badugi", "razz"] * 2
    with warnings.catch_warnings(), file.open("rb") as opened:
        warnings.simplefilter("ignore")
        histories = list(HandHistory.load_all(opened))
    assert [last_stacks(history) for history in histories] == [
        [record.finishing_stack_by_seat[seat] for seat in record.dealing_order] for record in regular
    ]
    assert list(tomllib.loads(file.read_text())) == ["1", "3", "4", "6", "8", "9"]
    exported = export_formats.read_hands(file.read_text())
    assert [hand.is_identical(record, PLACE) for hand, record in zip(exported, records, strict=True)] == [True] * 10
    before = [export_formats.write_hand(ExportFormat.PHH, record, PLACE) for record in records]
    older = export_formats.read_hands("".join(f"[{n}]\n{hand}\n" for n, hand in enumerate(before, 1)))
    assert all(hand.is_identical(record, PLACE) for hand, record in zip(older, records, strict=True))


def test_a_comment_that_is_none_of_ours_is_not_what_the_journal_says() -> None:
    regular, irregular = room(3, "holdem", NO_LIMIT).hand(), room(3, "draw-high", LIMIT).hand()
    told, comment = write_section(regular), write_section(irregular)
    hidden = "".join(f"# {line}" for line in told.strip("\n").splitlines(keepends=True))
    for record, forged in (
        (regular, hidden),
        (irregular, comment.replace("Player 4", "Player 5")),
        (irregular, comment.rstrip("\n") + "\n# more = 1\n"),
    ):
        (found,) = export_formats.read_hands(forged)
        assert not found.is_identical(record, PLACE), forged
    with pytest.raises(ValueError, match="something stands in the comment"):
        export_formats.read_hands(comment.replace("\n# players", "\nmore = 1\n# players"))
    with pytest.raises(ValueError, match="two hands of it have one number"):
        export_formats.read_hands(told + comment)


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
