"""Acts in turn and out of turn.

An act out of turn moves no chips. What it leaves behind stands in the betting round until the seat's own turn: a
restriction after a check, a bound act, or a question for the floor.
"""

from controller.core.model.hand import Announced, Hand, Round
from controller.core.model.state import State
from controller.core.play.betting import betting_round
from controller.core.play.deal import planner
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act, Floor, Motion
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.steps import Floor as FloorStep
from controller.core.protocol.vocabulary import Decide, Do
from controller.core.rules.policies.misdeal_window import substantial_action
from controller.core.rules.questions.play.turns import Between, EarlyAct, EarlyCheck, TurnRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled

FINDING = "out-of-turn"
WAGERS = (Do.BET, Do.RAISE, Do.COMPLETE, Do.ALL_IN)
PASSIVE = (Do.CHECK, Do.CALL)
HEADS_UP = 2
OPTIONS = (Decide.BIND.value, Decide.RELEASE.value)
SKIPPED = "acted-behind"
SKIPPED_OPTIONS = (Decide.DEAD_HAND.value, Decide.PASSIVE.value, Decide.PLAY_ON.value)


def out_of_turn(state: State, event: Act) -> tuple[Ruling, ...]:
    """A seat acted whose turn it is not; refused for a seat that has nothing left to act with.

    Raises `Refused` (`no-live-hand`, `all-in`, `act-not-open`, `amount`).
    """
    hand, seat = state.hand_in_play, event.seat
    _can_act(hand, event)
    if event.do in WAGERS and has_just_acted(state, seat):
        sentence = f"seat {seat} has acted already: a second motion adds nothing to its wager"
        return (ruled("string-bet", Verdict.PLAY_ON, _book(hand).string_raise, sentence, seat),)
    round_ = _round(hand)
    first_of_seat = all(seat != other for other, _ in round_.behind)
    if first_of_seat:
        hand.round = round_ = round_.changed(behind=(*round_.behind, (seat, event.do)))
    hand.cards = hand.cards.changed(looked=hand.cards.looked | {seat})
    doubt = _acted_behind(hand, round_) if first_of_seat else ()
    if seat in round_.bound:
        word = round_.bound[seat].word
        sentence = f"seat {seat} is bound by its first act out of turn: at its turn it can only {word}"
        return (ruled(FINDING, Verdict.BIND, _book(hand).early_act, sentence, seat), *doubt)
    if event.do in PASSIVE and round_.began == HEADS_UP and _book(hand).early_passive.value:
        return (_passive(hand, seat, _book(hand).early_passive, f"the {event.do.value} out of turn"), *doubt)
    binding = event.do is Do.CHECK and _book(hand).early_check.value is EarlyCheck.BINDS
    again = seat in hand.betting.checked_early and event.do in WAGERS and event.do is not Do.ALL_IN
    if (event.do is Do.CHECK and not binding) or again:
        return (_checked(hand, seat), *doubt)
    return (_other_act(hand, event), *doubt)


def _can_act(hand: Hand, event: Act) -> None:
    seat = event.seat
    if seat not in hand.betting.live:
        holding = ", ".join(map(str, sorted(hand.betting.live)))
        raise Refused("no-live-hand", f"seat {seat} has no live hand to act with; seats {holding} have one.")
    if seat in hand.betting.all_in:
        raise Refused("all-in", f"seat {seat} is all-in and acts no more in this hand.")
    if event.do is Do.BRING_IN:
        raise Refused("act-not-open", f"seat {seat} does not have the forced bet, which alone is a bring-in.")
    if event.to is None or event.do not in WAGERS:
        return
    if not hand.setup.tracked:
        raise Refused("amount", "this table does not track amounts; leave `to` out.")
    chip, whole = hand.setup.betting.chip, hand.chips.bets.get(seat, 0) + hand.chips.stacks[seat]
    if event.to % chip and event.to != whole:
        raise Refused("amount", f"{event.to} is not payable: the smallest chip that plays is {chip}.")


def has_just_acted(state: State, seat: int) -> bool:
    """Whether the line before was this seat's own act, in turn."""
    if (
        state.undo.previous is None
        or not isinstance(state.undo.previous.event, (Act, Motion))
        or state.undo.previous.event.seat != seat
    ):
        return False
    turn = state.undo.previous.state.plan.due(ActStep)
    return turn is not None and turn.seat == seat


def _checked(hand: Hand, seat: int) -> Ruling:
    """A check out of turn: neither bet nor raise at the next turn."""
    rule = _book(hand).early_check
    hand.betting = hand.betting.changed(checked_early=hand.betting.checked_early | {seat})
    sentence = f"seat {seat} checked out of turn: at its next turn it may neither bet nor raise"
    return ruled(FINDING, Verdict.RESTRICT_BET, rule, sentence, seat)


def _other_act(hand: Hand, event: Act) -> Ruling:
    """Any other act out of turn: it binds, or the floor decides whether it does."""
    book, round_, seat = _book(hand), _round(hand), event.seat
    word, amount = event.do.value, event.to if event.do in WAGERS else None
    never_raises = event.do is Do.CALL and book.early_call_never_raises.value
    hand.round = round_.changed(
        early={**round_.early, seat: Announced(word, amount)},
        called_early=round_.called_early | {seat} if never_raises else round_.called_early,
    )
    folded = event.do is Do.FOLD and book.early_fold_stands.value
    if book.early_act.value is EarlyAct.BINDS or event.do is Do.CHECK or folded:
        _bind(hand, seat)
        unless = "" if folded else " unless the action to it is changed"
        rule = book.early_check if event.do is Do.CHECK else book.early_fold_stands if folded else book.early_act
        return ruled(FINDING, Verdict.BIND, rule, f"the {word} of seat {seat} out of turn binds{unless}", seat)
    hand.plan = hand.plan.first(FloorStep(FINDING, OPTIONS, seat, ruled=True, concerns=seat))
    sentence = f"the {word} of seat {seat} out of turn may be declared binding: say whether it is"
    return ruled(FINDING, Verdict.FLOOR, book.early_act, sentence, seat)


def _acted_behind(hand: Hand, round_: Round) -> tuple[Ruling, ...]:
    """So many have acted behind the seat whose turn it is that its right to act is in doubt."""
    rule = _book(hand).acted_behind
    if not round_.queue:
        return ()
    if _book(hand).skipped_asks.value:
        return _passed_by(hand, round_)
    if len(round_.behind) != rule.value:
        return ()
    seat = round_.queue[0]
    sentence = (
        f"{rule.value} players have acted behind seat {seat}, which may lose its right to act unless it had called "
        f"time: it acts now unless the floor declares its hand dead"
    )
    return (ruled(SKIPPED, Verdict.PLAY_ON, rule, sentence, seat),)


def _passed_by(hand: Hand, round_: Round) -> tuple[Ruling, ...]:
    """Substantial action has passed the seat whose turn it is: those acts bind, and the floor rules on its hand."""
    if not substantial_action(round_.behind, (), ()) or substantial_action(round_.behind[:-1], (), ()):
        return ()
    seat, rule = round_.queue[0], _book(hand).skipped_asks
    hand.plan = hand.plan.first(FloorStep(SKIPPED, SKIPPED_OPTIONS, seat, ruled=True, concerns=seat))
    sentence = f"substantial action has passed seat {seat}: it binds, and the floor rules on the skipped hand"
    return (ruled(SKIPPED, Verdict.FLOOR, rule, sentence, seat),)


def passive(state: State, step: FloorStep | None, event: Floor) -> tuple[Ruling, ...]:
    """The floor leaves a skipped hand, or any other, nothing but to check, call or fold on this round.

    Raises `Refused` (`key-missing`, `no-live-hand`).
    """
    hand, seat = state.hand_in_play, event.seat if step is None or event.seat is not None else step.seat
    live = ", ".join(map(str, sorted(hand.betting.live)))
    if seat is None:
        raise Refused("key-missing", f"`passive` needs the `seat` of a live hand: {live}.")
    if seat not in hand.betting.live or hand.round is None:
        raise Refused("no-live-hand", f"seat {seat} has no live hand to act with; seats {live} have one.")
    rule = _book(hand).skipped_asks if step is not None else hand.setup.rulebook.floor.overrules
    return (_passive(hand, seat, rule, "the floor", SKIPPED if step is not None else "floor"),)


def _passive(hand: Hand, seat: int, rule: Rule[bool], why: str, finding: str = FINDING) -> Ruling:
    hand.round = _round(hand).changed(no_raise=_round(hand).no_raise | {seat})
    sentence = f"{why}: seat {seat} may only check, call or fold on this round"
    return ruled(finding, Verdict.RESTRICT_BET, rule, sentence, seat)


def acted(hand: Hand, event: Act, before: Round) -> tuple[Ruling, ...]:
    """A seat has acted in turn: what waited for it is done with, and what it did may release others."""
    seat, round_ = event.seat, _round(hand)
    if seat in hand.betting.checked_early:
        hand.betting = hand.betting.changed(checked_early=hand.betting.checked_early - {seat})
    if round_.early or round_.bound or round_.doubted or round_.behind or round_.called_early:
        round_ = _without(round_, seat).changed(behind=(), called_early=round_.called_early - {seat})
        hand.round = round_
    raised = round_.high > before.high
    called = not raised and event.do in (Do.CALL, Do.ALL_IN)
    if not (raised or called) or not (round_.early or round_.bound or round_.doubted):
        return ()
    book = _book(hand)
    rule = book.raise_between if raised else book.call_between
    if rule.value is Between.RELEASES:
        stands = Do.FOLD.value if book.early_fold_stands.value else None
        freed = [other for other, announced in round_.early.items() if announced.word != stands]
        released = sorted(seat for seat in round_.bound if seat in freed)
        for other in freed:
            hand.round = _without(_round(hand), other)
        act = "bet or raise" if raised else "call"
        return tuple(
            ruled(FINDING, Verdict.PLAY_ON, rule, f"after the {act} seat {other} is bound no longer", other)
            for other in released
        )
    if rule.value is Between.FLOOR:
        hand.round = round_.changed(doubted=frozenset(round_.bound))
    return ()


def doubtful(state: State) -> tuple[Ruling, ...]:
    """The turn has come to a seat whose bound act somebody's act in between has put in doubt: ask the floor."""
    hand = state.hand
    if hand is None or hand.round is None or not hand.round.doubted or not hand.plan:
        return ()
    turn, round_ = hand.plan.due(ActStep), hand.round
    if turn is None or turn.seat not in round_.doubted or turn.seat not in round_.bound:
        return ()
    seat, rule = turn.seat, _book(hand).call_between
    hand.round = round_.changed(doubted=round_.doubted - {seat})
    hand.plan = hand.plan.first(FloorStep(FINDING, OPTIONS, seat, ruled=True, concerns=seat))
    sentence = (
        f"there was a call before the turn of seat {seat}, whose act out of turn may be ruled binding: say whether"
    )
    return (ruled(FINDING, Verdict.FLOOR, rule, sentence, seat),)


def decided(state: State, step: FloorStep | None, event: Floor) -> tuple[Ruling, ...]:
    """The floor binds a seat to its act out of turn, or lets it go.

    Raises `Refused` (`nothing-to-bind`, `key-missing`, `other-seat`).
    """
    hand = state.hand_in_play
    seat = _whose(hand, step, event)
    round_, book = hand.round, _book(hand)
    rule: Rule[EarlyAct] | Rule[Between] | Rule[bool]
    rule = book.early_act if book.early_act.value is EarlyAct.FLOOR or step is None else book.call_between
    if round_ is not None and seat in round_.early:
        word = round_.early[seat].word
        if event.decide is Decide.BIND:
            _bind(hand, seat)
            sentence = f"the floor: at its turn seat {seat} can only {word}, unless the action to it is changed"
            return (ruled(FINDING, Verdict.BIND, rule, sentence, seat),)
        bound = {other: act for other, act in round_.bound.items() if other != seat}
        hand.round = round_.changed(bound=bound, doubted=round_.doubted - {seat})
        sentence = f"the floor: the {word} of seat {seat} out of turn does not bind"
        return (ruled(FINDING, Verdict.PLAY_ON, rule, sentence, seat),)
    if event.decide is Decide.RELEASE and seat in hand.betting.checked_early:
        hand.betting = hand.betting.changed(checked_early=hand.betting.checked_early - {seat})
        sentence = f"the floor: seat {seat} may bet and raise in spite of its check out of turn"
        return (ruled(FINDING, Verdict.PLAY_ON, hand.setup.rulebook.floor.overrules, sentence, seat),)
    raise Refused("nothing-to-bind", f"no act out of turn of seat {seat} waits for its turn; there is none to bind.")


def _whose(hand: Hand, step: FloorStep | None, event: Floor) -> int:
    if step is not None and step.seat is not None:
        if event.seat not in (None, step.seat):
            raise Refused("other-seat", f"the floor is asked about seat {step.seat}, not {event.seat}.")
        return step.seat
    early = hand.round.early if hand.round is not None else {}
    waiting: list[int] = sorted({*early, *hand.betting.checked_early})
    if event.seat is not None:
        return event.seat
    if len(waiting) == 1:
        return waiting[0]
    seats = ", ".join(map(str, waiting)) or "none"
    raise Refused("key-missing", f"name the `seat` that acted out of turn; seats whose act waits: {seats}.")


def in_turn(state: State, event: Act) -> tuple[Ruling, ...]:
    """The seat whose turn it is acts: its clock is off, and what it did may release those who acted out of turn."""
    hand = state.hand_in_play
    before = _round(hand)
    betting_round.act(hand, event)
    hand.plan = hand.plan.done()
    if state.time.clock is not None:
        state.time = state.time.changed(clock=None)
    rulings = acted(hand, event, before)
    planner.extend(hand)
    return rulings


def _bind(hand: Hand, seat: int) -> None:
    round_ = _round(hand)
    hand.round = round_.changed(bound={**round_.bound, seat: round_.early[seat]})


def _without(round_: Round, seat: int) -> Round:
    """The round once nothing waits for a seat any more but that it may not raise."""
    if not (round_.early or round_.bound or round_.doubted):
        return round_
    return round_.changed(
        early={other: act for other, act in round_.early.items() if other != seat},
        bound={other: act for other, act in round_.bound.items() if other != seat},
        doubted=round_.doubted - {seat},
    )


def _book(hand: Hand) -> TurnRules:
    return hand.setup.rulebook.turns


def _round(hand: Hand) -> Round:
    assert hand.round is not None
    return hand.round
