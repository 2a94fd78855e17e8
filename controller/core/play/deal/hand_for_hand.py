"""Play that waits for the floor: hand for hand, the last hands of a day, a table halted until it is balanced.

The table begins no hand while it waits; hand for hand it also turns nothing up and deals nothing once somebody all-in
was called (`planner.all_in_waits`). Source: TDA-RP-8, TDA-11-D, WSOP-T-125, WSOP-T-126.
"""

from controller.core.model.state import State
from controller.core.play.deal import planner
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Halt, HandForHand, LastHands
from controller.core.protocol.steps import Hold, Step
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.counted import counted
from controller.core.values.value import replace

FINDING = "hand-for-hand"
MINUTE = 60.0


def said(state: State, event: HandForHand) -> tuple[Ruling, ...]:
    """The floor begins or ends hand for hand, or lets the table go on with what waits.

    Raises `Refused` (`key-missing`, `not-ruled`, `nothing-waits`).
    """
    rule = state.setup.rulebook.tournament.hand_for_hand_waits
    _in_tournament(state, rule, "play is hand for hand")
    if (event.on is None) is not event.go:
        raise Refused("key-missing", "`hand-for-hand` needs `on` (true or false), or `go` (true).")
    if event.on is not None:
        return _began(state, rule) if event.on else _ended(state, rule)
    if state.plan.due(Hold) is None and not state.tournament.waits:
        raise Refused("nothing-waits", "neither an all-in hand nor the next deal waits for the floor.")
    state.tournament = replace(state.tournament, waits=False)
    _released(state)
    return ()


def _began(state: State, rule: Rule[bool]) -> tuple[Ruling, ...]:
    """The hand that is on is finished, and the next one waits; the level's clock stands still [TDA-RP-8-A]."""
    if state.tournament.hand_for_hand:
        raise Refused("nothing-waits", "play is hand for hand already; `go` lets what waits go on.")
    clock, minutes = state.tournament.timer, state.setup.rulebook.tournament.hand_for_hand_minutes.value
    if clock is not None and clock.since is not None and minutes:
        clock = clock.pause(state.time.t)
    state.tournament = replace(state.tournament, hand_for_hand=True, timer=clock)
    if state.hand is not None and state.plan:
        state.hand.hold = replace(state.hand.hold, on=True)
    return (ruled(FINDING, Verdict.PLAY_ON, rule, "hand for hand: finish this hand, then wait for the floor"),)


def _ended(state: State, rule: Rule[bool]) -> tuple[Ruling, ...]:
    if not state.tournament.hand_for_hand:
        raise Refused("nothing-waits", "play is not hand for hand.")
    clock = state.tournament.timer
    if clock is not None and clock.since is None:
        clock = clock.resume(state.time.t)
    state.tournament = replace(state.tournament, hand_for_hand=False, waits=False, timer=clock)
    if state.hand is not None:
        state.hand.hold = replace(state.hand.hold, on=False)
    _released(state)
    return (ruled(FINDING, Verdict.PLAY_ON, rule, "hand for hand is over"),)


def _released(state: State) -> None:
    """The hand that waits goes on."""
    hand = state.hand
    if hand is not None and hand.plan.due(Hold):
        hand.plan = hand.plan.done()
        planner.extend(hand)


def last_hands(state: State, event: LastHands) -> tuple[Ruling, ...]:
    """So many hands begin from now on before play ends for the day [WSOP-T-125].

    Raises `Refused` (`not-ruled`, `value`).
    """
    rule = state.setup.rulebook.tournament.last_hands
    _in_tournament(state, rule, "the last hands of a day are counted")
    if event.hands is not None and event.hands < 0:
        raise Refused("value", f"`hands` is a whole number from 0, not {event.hands}.")
    state.tournament = replace(state.tournament, hands_left=event.hands)
    many = "as many hands as there is time for" if event.hands is None else f"{counted(event.hands, 'hand')} more"
    return (ruled("last-hands", Verdict.PLAY_ON, rule, f"{many} today; nobody enters late meanwhile"),)


def halted(state: State, event: Halt) -> tuple[Ruling, ...]:
    """Play halts at the table, which is short, or goes on; no deal is a misdeal for it [TDA-11-D].

    Raises `Refused` (`not-ruled`).
    """
    rule = state.setup.rulebook.tournament.halts
    _in_tournament(state, rule, "play is halted")
    state.tournament = replace(state.tournament, halted=event.on)
    sentence = "play halts when this hand is over, until tables are balanced" if event.on else "play goes on"
    return (ruled("halt", Verdict.PLAY_ON, rule, sentence),)


def _in_tournament(state: State, rule: Rule[bool] | Rule[int], what: str) -> None:
    if state.setup.mode is not Mode.TOURNAMENT or not rule.value:
        raise Refused("not-ruled", f"{what} in a tournament ({rule.source}); this is none.")


def between(state: State) -> tuple[Step, ...]:
    """What stands in place of the plan between hands: that the next one waits."""
    table = state.tournament
    return (Hold(),) if table.waits or table.halted or table.hands_left == 0 else ()


def begins(state: State) -> None:
    """A hand is about to begin; raises `Refused` (`waits`, `play-halted`, `last-hand`)."""
    table, book = state.tournament, state.setup.rulebook.tournament
    if table.halted:
        raise Refused("play-halted", f"play is halted here until tables are balanced ({book.halts.source}).")
    if table.hands_left == 0:
        raise Refused("last-hand", f"the last hand of the day has been dealt ({book.last_hands.source}).")
    if table.waits:
        raise Refused("waits", f"hand for hand: the floor says when to deal ({book.hand_for_hand_waits.source}).")
    if table.hands_left is not None:
        state.tournament = replace(table, hands_left=table.hands_left - 1)


def over(state: State) -> None:
    """A hand is over: hand for hand it took its minutes of the level, and the next one waits [TDA-RP-8-B]."""
    table = state.tournament
    if not table.hand_for_hand:
        return
    minutes, clock = state.setup.rulebook.tournament.hand_for_hand_minutes.value, table.timer
    if clock is not None and minutes:
        clock = clock.run_off(minutes * MINUTE)
    state.tournament = replace(table, waits=True, timer=clock)
