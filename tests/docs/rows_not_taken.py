"""The rows that no scenario and no seeded story takes, each with the test that takes it, or why it is declared."""

from tests.core.rows_taken import list_declared, watch_stories

TURN = "the turn of a seat ends by it like by an act, and may lead to all that an act leads to"
STOOD_PAT = "the last to be asked stands pat as its time is over, and what a last draw leads to follows"
FOLD = "a fold that answers the dealer's question is a turn like any"
RELEASE = "the hand that waited goes on with its next street, as rulings may have changed it"
NEW_STAKES = "the round begins anew at the new stakes, which may put everybody all-in"
HOLDS = "tests/core/test_besides.py::test_the_floor_of_a_tournament_halts_counts_and_penalises_between_hands_and_in_one"
LET_GO = "tests/laws/test_tournament_over.py::test_a_table_that_was_let_go_is_as_one_that_was_set_up_anew"
SIX_HOURS = "tests/tournament/test_six_hours.py::test_six_hours"
RULES = "tests/rules/"
TABLE = "tests/core/test_table_machine.py::test_the_table_moves_by_its_rows"

HELD = "::test_hand_for_hand_that_begins_once_an_all_in_was_called_waits_before_anything_is_shown_or_dealt"
DRAWS_HELD = "::test_hand_for_hand_that_begins_while_draws_are_dealt_waits_before_the_next_card"
EMPTY_POT = "tests/core/test_table_machine.py::test_a_hand_without_a_chip_in_the_pot_ends_like_any_other"

REASONS: dict[str, str] = {
    "round > round: is last street, has nothing to win": EMPTY_POT,
    "show: showdown > idle": EMPTY_POT,
    "muck: showdown > idle": "tests/core/test_entry_rows.py::test_who_mucks_last_at_an_empty_pot_ends_the_hand",
    "won: showdown > idle": RULES + "betting/collection.scn::Where the fee is all of a pot that nobody can read,",
    "round > round: is unopened, can declare opening": RULES + "draw/test_draw_rows.py::test_R7_12_draw_13",
    "round > passed out: is unopened": RULES + "conduct/test_rounds.py::test_passed_out",
    "street > street: has steps to come, must wait all in": "tests/core/test_table_machine.py"
    + "::test_hand_for_hand_that_begins_while_a_stud_street_is_dealt_waits_before_its_next_card",
    "round > round: must wait all in": RULES
    + "conduct/test_hand_for_hand.py::test_TDA_RP_8_F_an_all_in_that_was_called_waits",
    "answer > showdown: is round resumed, is showdown planned": "tests/core/test_hand_machine.py"
    + "::test_a_hand_given_back_while_pots_are_pushed_answers_first_and_then_shows",
    "answer > round: is round resumed": RULES
    + "test_dead_ends.py::test_5_a_folded_hand_is_given_back_once_cards_are_out",
    "answer > draw: is draw on": RULES + "dead_ends.scn::A hand given back before the draw is over draws",
    "answer > street: else": RULES + "test_dead_ends.py::test_5_a_stud_hand_given_back_gets_its_card_of_the_street",
    "end hand, in hand > waiting: must wait for floor": TABLE,
    "end hand, in hand > break: is on break": TABLE,
    "reopen hand, waiting > in hand: else": TABLE,
    "reopen hand, break > in hand: else": TABLE,
    "release, waiting > break: is on break": TABLE,
    "release, waiting > resting: else": TABLE,
    **{f"begin break, {left}: else": TABLE for left in ("resting > break", "in hand > in hand", "waiting > waiting")},
    **{f"end break, {left}: else": TABLE for left in ("break > resting", "in hand > in hand", "waiting > waiting")},
    "start: idle > showdown": RULES + "seating/alone.scn::The button advances a position each time, and",
    "card: deal, draw, remedy > floor": "tests/core/test_entry_rows.py"
    "::test_blinds_that_put_everybody_all_in_hand_for_hand_wait_for_the_floor_with_the_last_card",
    "card: bet > bet": RULES + "deck/deck.scn::It is put aside and its step comes again: in",
    "card: showdown > showdown": "tests/core/test_entry_rows.py"
    "::test_a_joker_that_leaves_at_the_showdown_is_a_scrap_and_the_showdown_goes_on",
    "card: floor > floor": "a joker that leaves while the floor is asked is a scrap, too",
    "card: floor > remedy": "a card that nobody asked for, while the floor is asked",
    "act: bet, remedy > idle": "tests/games/test_every_game.py::test_two_plain_hands_end_with_all_chips_there",
    "closed: bet, remedy > bet": RULES
    + "conduct/test_rounds.py::test_premature_cards_had_their_time_when_the_round_is_closed",
    "closed: bet, remedy > remedy": RULES + "conduct/test_rounds.py::test_premature_is_ruled_as_ever",
    "closed: bet, remedy > floor": "hand for hand, the round that is over left somebody all-in",
    "closed: bet, remedy > idle": "the last hand but those of absent players: nobody opened the pot",
    "draw: draw, deal, bet > floor": "hand for hand, the last draw of hands that are all-in leaves the hand to wait",
    "show: showdown > remedy": RULES + "board/scraps.scn::All-in with the blind it has not acted: the",
    "twice: deal, showdown > showdown": "hands that the book turns up first are still to be shown",
    "done: remedy > floor": "a question of the floor waits behind the step that a ruling asked for",
    "done: showdown > deal": RULES
    + "conduct/test_rounds.py::test_hands_that_are_turned_up_before_the_last_cards_are_one_word_too",
    "done: remedy > draw": RULES + "draw/draw.scn::The stub runs out: earlier discards, not one's own, are shuffled",
    "done: showdown > draw": "told by rounds, the streets behind hands that are turned up may begin with a draw",
    "done: showdown > remedy": "told by rounds, a ruling may stand behind hands that are turned up",
    "seen: idle > the same": "a tag that stays in an antenna's field between hands",
    "seen: in a hand > idle": "a fold that the muck's antenna reads may leave a pot that nobody opened",
    "seen: in a hand > floor": "a fold that the muck's antenna reads may bring a doubtful act to its turn",
    "report: in a hand > idle": RULES + "draw/draw_rows.scn::All others have passed before the opener bet:",
    "floor: idle > the same": "always refused, in words of its own",
    "floor: in a hand > idle": RULES + "draw/draw_rows.scn::False openers before the draw: another who",
    "floor: in a hand > draw": RULES + "draw/au_draw.scn::A card for seat 3 went to seat 2, whose draw",
    "floor: in a hand > showdown": RULES + "draw/draw_astray.scn::The floor kills a hand that has yet to draw:",
    "floor: in a hand > floor": "the answer to a first question leaves the second",
    "waive-antes: idle > the same": RULES + "seating/tournament.scn::The last two players may agree to play",
    "hand-for-hand: idle, bet, remedy > the same": HOLDS,
    "hand-for-hand: draw > draw": "tests/core/test_table_machine.py" + DRAWS_HELD,
    "hand-for-hand: draw > floor": "tests/core/test_table_machine.py" + DRAWS_HELD,
    "hand-for-hand: deal > deal": HOLDS,
    "hand-for-hand: showdown > showdown": "tests/core/test_table_machine.py" + HELD,
    "hand-for-hand: deal > floor": "tests/core/test_table_machine.py" + HELD,
    "hand-for-hand: showdown > floor": "tests/core/test_table_machine.py" + HELD,
    "hand-for-hand: floor > floor": "it begins while the floor is asked something else",
    "hand-for-hand: floor > deal": RULES
    + "conduct/test_hand_for_hand.py::test_TDA_RP_8_F_a_side_pot_waits_once_for_each_all_in",
    "hand-for-hand: floor > showdown": RULES
    + "conduct/test_hand_for_hand.py::test_TDA_RP_8_F_an_all_in_that_was_called_waits",
    "hand-for-hand: floor > draw": RELEASE,
    "hand-for-hand: floor > bet": RELEASE,
    "hand-for-hand: floor > remedy": RELEASE,
    "last-hands: any phase > the same": HOLDS,
    "halt: any phase > the same": HOLDS,
    "penalty: any phase > the same": HOLDS,
    "tournament-over: idle > the same": LET_GO,
    **{f"clear, {left} > resting: else": LET_GO for left in ("resting", "waiting", "break")},
    "away: bet > bet": RULES + "books/wsop_other_rows.scn::Ante and bring-in are forfeited, the hand is",
    **{f"away: bet > {to}": TURN for to in ("deal", "draw", "showdown", "remedy", "floor", "idle")},
    "away: deal, draw, remedy, floor > bet": RULES + "seating/absent.scn::Who is the last to draw leaves the others",
    "away: deal, draw, remedy, floor > draw": RULES + "seating/absent.scn::A draw is an action, also of who is all-in",
    "away: deal, draw, remedy, floor > showdown": RULES
    + "seating/absent.scn::A draw is an action, also of who is all-in",
    "away: deal, draw, remedy, floor > remedy": RULES + "seating/absent.scn::While something else is put right",
    "away: deal, draw, remedy, floor > floor": RULES + "seating/absent.scn::The floor is asked something else:",
    "buy: idle, deal > the same": RULES + "books/wsop_other_rows.scn::A rebuy that is announced plays behind",
    **{f"level: bet > {to}": NEW_STAKES for to in ("deal", "draw", "showdown", "remedy", "floor")},
    "timer: any phase > the same": SIX_HOURS,
    "break: any phase > the same": SIX_HOURS,
    "colour-up: idle > the same": SIX_HOURS,
    **{f"time: bet > {to}": TURN for to in ("deal", "draw", "remedy", "floor", "idle")},
    "time: draw > bet": RULES + "conduct/clock.scn::It draws in time, in the last instant too; later it has",
    **{f"time: draw > {to}": STOOD_PAT for to in ("deal", "showdown", "remedy", "floor")},
    "time: bet > showdown": RULES + "conduct/clock.scn::Heads-up the dead hand ends the hand",
}


def find_rows_not_taken() -> list[str]:
    """What the rows declare and neither the scenarios nor the seeded stories take."""
    taken = watch_stories()
    return [name for name in list_declared() if not taken[name]]
