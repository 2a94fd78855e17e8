"""Play that waits for the floor: hand for hand, the last hands of a day, a table halted until it is balanced.

The table begins no hand while it waits; hand for hand it also turns nothing up and deals nothing once somebody all-in
was called (`hand_machine.hold_for_all_in`). Source: TDA-RP-8, TDA-11-D, WSOP-T-125, WSOP-T-126.
"""

from controller.core.model.table_state import TableStage, TableState
from controller.core.play.game_flow.table_machine import TABLE_MACHINE
from controller.core.protocol.events import HaltChanged, HandForHandChanged, LastHandsAnnounced
from controller.core.protocol.steps import HoldStep, Step
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace

FINDING = "hand-for-hand"


def set_hand_for_hand(state: TableState, event: HandForHandChanged) -> tuple[Ruling, ...]:
    """The floor begins or ends hand for hand, or lets the table go on with what waits.

    Raises `Refused` (`key-missing`, `not-ruled`, `nothing-waits`).
    """
    rule = state.setup.rulebook.tournament.hand_for_hand_waits
    _refuse_outside_tournament(state, rule, "play is hand for hand")
    if (event.is_on is None) is not event.releases_table:
        raise Refused("key-missing", "`hand-for-hand` needs `on` (true or false), or `go` (true).")
    if event.is_on is not None:
        return _begin_hand_for_hand(state, rule) if event.is_on else _end_hand_for_hand(state, rule)
    if state.plan.next_step_if(HoldStep) is None and state.stage is not TableStage.WAITING:
        raise Refused("nothing-waits", "neither an all-in hand nor the next deal waits for the floor.")
    _release(state)
    return ()


def _begin_hand_for_hand(state: TableState, rule: Rule[bool]) -> tuple[Ruling, ...]:
    """The hand that is on is finished, and the next one waits; the level's clock stands still [TDA-RP-8-A]."""
    if state.tournament.is_hand_for_hand:
        raise Refused("nothing-waits", "play is hand for hand already; `go` lets what waits go on.")
    clock, minutes = state.tournament.timer, state.setup.rulebook.tournament.hand_for_hand_minutes.value
    if clock is not None and clock.running_since_s is not None and minutes:
        clock = clock.pause(state.time.time_s)
    state.tournament = replace(state.tournament, is_hand_for_hand=True, timer=clock)
    if state.hand is not None and state.plan:
        state.hand.hold = replace(state.hand.hold, is_on=True)
    return (build_ruling(FINDING, Verdict.PLAY_ON, rule, said.HAND_FOR_HAND),)


def _end_hand_for_hand(state: TableState, rule: Rule[bool]) -> tuple[Ruling, ...]:
    if not state.tournament.is_hand_for_hand:
        raise Refused("nothing-waits", "play is not hand for hand.")
    clock = state.tournament.timer
    if clock is not None and clock.running_since_s is None:
        clock = clock.resume(state.time.time_s)
    state.tournament = replace(state.tournament, is_hand_for_hand=False, timer=clock)
    if state.hand is not None:
        state.hand.hold = replace(state.hand.hold, is_on=False)
        state.hand.plan = state.hand.plan.drop_types(HoldStep)
    _release(state)
    return (build_ruling(FINDING, Verdict.PLAY_ON, rule, said.HAND_FOR_HAND_OVER),)


def _release(state: TableState) -> None:
    """The hand that waits goes on, or the next one may begin."""
    if state.stage is TableStage.WAITING:
        TABLE_MACHINE.move(state, "release")
    hand = state.hand
    if hand is not None and hand.plan.next_step_if(HoldStep):
        hand.plan = hand.plan.drop_first()


def announce_last_hands(state: TableState, event: LastHandsAnnounced) -> tuple[Ruling, ...]:
    """So many hands begin from now on before play ends for the day [WSOP-T-125].

    Raises `Refused` (`not-ruled`, `value`).
    """
    rule = state.setup.rulebook.tournament.last_hands
    _refuse_outside_tournament(state, rule, "the last hands of a day are counted")
    if event.hands is not None and event.hands < 0:
        raise Refused("value", f"`hands` is a whole number from 0, not {event.hands}.")
    state.tournament = replace(state.tournament, hands_left=event.hands)
    template = said.LAST_HANDS_UNCOUNTED if event.hands is None else said.LAST_HANDS
    template = said.LAST_HAND if event.hands == 1 else template
    return (build_ruling("last-hands", Verdict.PLAY_ON, rule, template.format(count=event.hands)),)


def set_halt(state: TableState, event: HaltChanged) -> tuple[Ruling, ...]:
    """Play halts at the table, which is short, or goes on; no deal is a misdeal for it [TDA-11-D].

    Raises `Refused` (`not-ruled`).
    """
    rule = state.setup.rulebook.tournament.halts
    _refuse_outside_tournament(state, rule, "play is halted")
    state.tournament = replace(state.tournament, is_halted=event.is_on)
    sentence = said.HALTS if event.is_on else said.HALT_OVER
    return (build_ruling("halt", Verdict.PLAY_ON, rule, sentence),)


def _refuse_outside_tournament(state: TableState, rule: Rule[bool] | Rule[int], what: str) -> None:
    if state.setup.mode is not GameMode.TOURNAMENT or not rule.value:
        raise Refused("not-ruled", f"{what} in a tournament ({rule.source}); this is none.")


def hold_steps(state: TableState) -> tuple[Step, ...]:
    """What stands in place of the plan between hands: that the next one waits."""
    table = state.tournament
    return (HoldStep(),) if state.stage is TableStage.WAITING or table.is_halted or table.hands_left == 0 else ()


def refuse_held_hand(state: TableState) -> None:
    """A hand is about to begin; raises `Refused` (`waits`, `play-halted`, `last-hand`)."""
    table, book = state.tournament, state.setup.rulebook.tournament
    if table.is_halted:
        raise Refused("play-halted", f"play is halted here until tables are balanced ({book.halts.source}).")
    if table.hands_left == 0:
        raise Refused("last-hand", f"the last hand of the day has been dealt ({book.last_hands.source}).")
    if state.stage is TableStage.WAITING:
        raise Refused("waits", f"hand for hand: the floor says when to deal ({book.hand_for_hand_waits.source}).")
