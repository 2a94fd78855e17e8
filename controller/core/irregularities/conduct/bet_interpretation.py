"""What chips pushed forward, and words, come to: the book says what the seat has done by them [TDA-40 to TDA-61]."""

from controller.core.irregularities.conduct import turn_order
from controller.core.model.hand import EarlyAction, Hand, Round
from controller.core.model.setup import BettingStructure
from controller.core.model.table_state import TableState
from controller.core.play.betting import pots
from controller.core.play.betting.legal_actions import LegalActions, find_legal_actions
from controller.core.play.refusal_messages import not_now_refusal
from controller.core.protocol.events import ChipMotion, FloorDecided, PlayerActed
from controller.core.protocol.steps import FloorStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, FloorDecision, PriorChips
from controller.core.rules import ruling_sentences
from controller.core.rules.questions.play.wager_rules import Undercall, WagerRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import Value, replace

CHIPS_FINDING, UNDERCALL_FINDING, UNDERBET_FINDING, OVERPOT_FINDING = "chips", "undercall", "underbet", "overpot"
WAGER_ACTIONS = (ActionType.BET, ActionType.RAISE, ActionType.COMPLETE)
UNDERCALL_OPTIONS = (FloorDecision.BIND.value, FloorDecision.FORFEIT.value)


class BetInterpretation(Value):
    """What a motion comes to: the act, the clause, and why; without an act a person decides, or it only restricts.

    `rule` is `None` where the chips are just those of the act, and nothing is to be said. `is_bound_to_call`: it only
    restricts, and what it leaves is to call or raise.
    """

    rule: Rule[object] | None
    sentence: str
    action_type: ActionType | None
    total: int | None = None
    finding: str = CHIPS_FINDING
    is_bound_to_call: bool = False

    def build_act(self, seat: int) -> PlayerActed | None:
        """The act of the seat."""
        return None if self.action_type is None else PlayerActed(seat, self.action_type, self.total)


class _BettingSituation(Value):
    """How the seat stands before its motion. `motion_total`: what it would have in on the round with the new chips."""

    hand: Hand
    event: ChipMotion
    round: Round
    wager_rules: WagerRules
    legal_actions: LegalActions
    bet: int
    all_in_total: int
    motion_total: int

    @property
    def is_facing_bet(self) -> bool:
        """Whether it faces a bet."""
        return bool(self.legal_actions.to_call)

    @property
    def is_bound_to_call(self) -> bool:
        """Whether it has pulled back a chip of an earlier bet facing a raise [TDA-46]."""
        pulled = self.event.prior_chips is not PriorChips.LEFT and bool(self.bet)
        return (
            self.wager_rules.prior_pulled.value and pulled and self.is_facing_bet and self.round.aggressor is not None
        )

    @property
    def wager_action(self) -> ActionType | None:
        """The word for its bet or raise; `None` where it may make none."""
        return next((do for do in WAGER_ACTIONS if do.value in self.legal_actions.actions), None)


def interpret_motion(hand: Hand, event: ChipMotion) -> BetInterpretation:
    """What the book makes of a motion.

    Raises `Refused` (`amount`, `key-missing`, `no-live-hand`, `value`).
    """
    seat = _build_situation(hand, event)
    if seat.is_bound_to_call and (event.spoken == (ActionType.FOLD.value,) or not (event.spoken or event.chips)):
        return _bind_to_call(seat)
    if event.spoken:
        word = event.spoken[0]
        if isinstance(word, str):
            return _interpret_word(seat, word)
        return _interpret_spoken_amount(seat)
    if not event.chips:
        raise Refused("key-missing", "`act` needs `do`, or the `chips` that were pushed forward, or what was `said`.")
    return (
        _interpret_silent_chips(seat)
        if seat.is_facing_bet
        else _interpret_opening_amount(seat, seat.motion_total, ruling_sentences.NOTHING_SAID_NO_BET)
    )


def _bind_to_call(seat: _BettingSituation) -> BetInterpretation:
    """A chip of an earlier bet is pulled back: no fold counts [TDA-46]."""
    if seat.event.spoken:
        call, call_or_raise = ruling_sentences.PULLED_BACK_FOLD_CALL, ruling_sentences.PULLED_BACK_FOLD_CALL_OR_RAISE
    else:
        call, call_or_raise = ruling_sentences.PULLED_BACK_CALL, ruling_sentences.PULLED_BACK_CALL_OR_RAISE
    sentence = call_or_raise if seat.wager_action else call
    return BetInterpretation(seat.wager_rules.prior_pulled, sentence, None, is_bound_to_call=True)


def _build_situation(hand: Hand, event: ChipMotion) -> _BettingSituation:
    """Raise `Refused` where the motion cannot be read."""
    if not hand.setup.tracks_amounts:
        raise Refused("amount", "this table does not track amounts: enter what the seat did with `do`.")
    if event.seat not in hand.betting.live_seats or event.seat in hand.betting.all_in_seats or hand.round is None:
        raise Refused("no-live-hand", f"seat {event.seat} has no hand to act with.")
    bet = hand.chips.bet_by_seat.get(event.seat, 0)
    whole, pushed = bet + hand.chips.stack_by_seat[event.seat], sum(event.chips)
    kept = bet if event.prior_chips is PriorChips.LEFT else 0
    if kept + pushed > whole:
        raise Refused("value", f"seat {event.seat} has {whole - kept}; chips of {pushed} cannot be its own.")
    book = hand.setup.rulebook.wagers
    return _BettingSituation(
        hand, event, hand.round, book, find_legal_actions(hand, event.seat), bet, whole, kept + pushed
    )


def _interpret_word(seat: _BettingSituation, word: str) -> BetInterpretation:
    """What was said comes first [TDA-40-A]."""
    book, facing = seat.wager_rules, seat.is_facing_bet
    match word:
        case "fold" | "all-in":
            return BetInterpretation(book.word, ruling_sentences.WORD_SAID.format(act=word), ActionType(word))
        case "call":
            if facing:
                return BetInterpretation(book.word, ruling_sentences.CALL_SAID, ActionType.CALL)
            return BetInterpretation(book.wrong_word, ruling_sentences.CALL_IS_CHECK, ActionType.CHECK)
        case "check":
            if seat.is_bound_to_call:
                sentence = ruling_sentences.CHECK_IS_CALL
                return BetInterpretation(_add_clause(book.wrong_word, book.prior_pulled), sentence, ActionType.CALL)
            if facing:
                return BetInterpretation(book.wrong_word, ruling_sentences.CHECK_FACING_BET, None)
            return BetInterpretation(None, "a check", ActionType.CHECK)
        case "pot":
            limit = seat.hand.setup.stakes.structure is BettingStructure.POT_LIMIT
            most = seat.legal_actions.max_total if limit else seat.legal_actions.min_total
            return _clamp_wager(seat, most or 0, book.pot_word, ruling_sentences.POT_SAID)
        case _:
            if not seat.event.chips:
                raise Refused("key-missing", f"how much is the {word}? Enter `do` and `to`, or the `chips`.")
            if len(seat.event.chips) == 1:
                why = ruling_sentences.WORD_SAID_WITH_ONE_CHIP.format(act=word)
                return _clamp_wager(seat, seat.motion_total, _select_misnamed_rule(seat, word, book.one_chip), why)
            why = ruling_sentences.WORD_SAID.format(act=word)
            if seat.legal_actions.min_total is not None and seat.motion_total < seat.legal_actions.min_total:
                return _clamp_wager(seat, seat.motion_total, book.least, why)
            return _clamp_wager(seat, seat.motion_total, _select_misnamed_rule(seat, word, book.word), why)


def _select_misnamed_rule(seat: _BettingSituation, word: str, rule: Rule[object]) -> Rule[object]:
    """Where a raise was said that can only be a bet, the book's own clause on that decides [TDA-55]."""
    wrong = seat.wager_rules.wrong_word
    return (
        _add_clause(wrong, rule)
        if word == "raise" and seat.wager_action is ActionType.BET and not wrong.by_default
        else rule
    )


def _interpret_spoken_amount(seat: _BettingSituation) -> BetInterpretation:
    """An amount alone is as if it had been pushed out; of several meanings the largest not above the pot [TDA-57]."""
    amounts = sorted(each for each in seat.event.spoken if isinstance(each, int))
    if len(amounts) == 1:
        return _interpret_amount(seat, amounts[0], ruling_sentences.WORD_SAID.format(act=amounts[0]))
    pot = sum(pot.amount for pot in pots.build_pots(seat.hand)) + sum(seat.hand.chips.bet_by_seat.values())
    fitting = [amount for amount in amounts if amount <= pot]
    amount = fitting[-1] if fitting else amounts[0]
    template = ruling_sentences.READ_AS_LARGEST if fitting else ruling_sentences.READ_AS_SMALLEST
    why = template.format(amount=amount, pot=pot)
    reading = _interpret_amount(seat, amount, why)
    sentence = reading.sentence if reading.rule else why
    return replace(reading, rule=_add_clause(reading.rule, seat.wager_rules.meanings), sentence=sentence)


def _interpret_silent_chips(seat: _BettingSituation) -> BetInterpretation:
    """Chips facing a bet, and no word."""
    book, chips, high = seat.wager_rules, seat.event.chips, seat.round.current_bet
    if seat.motion_total <= high:
        return _interpret_amount(seat, seat.motion_total, ruling_sentences.NOTHING_SAID)
    if seat.event.prior_chips is not PriorChips.PART:
        if len(chips) == 1 and book.one_chip.value:
            return _add_prior_clause(
                seat, BetInterpretation(book.one_chip, ruling_sentences.ONE_CHIP_IS_CALL, ActionType.CALL)
            )
        if book.chips_needed.value and seat.motion_total - min(chips) < high:
            return _add_prior_clause(
                seat, BetInterpretation(book.chips_needed, ruling_sentences.EVERY_CHIP_NEEDED, ActionType.CALL)
            )
    if seat.motion_total == seat.all_in_total and ActionType.ALL_IN.value in seat.legal_actions.actions:
        return _add_prior_clause(
            seat, BetInterpretation(book.last_chips, ruling_sentences.LAST_CHIPS, ActionType.ALL_IN)
        )
    return _interpret_amount(seat, seat.motion_total, ruling_sentences.NOTHING_SAID)


def _interpret_amount(seat: _BettingSituation, amount: int, why: str) -> BetInterpretation:
    """An amount beside the bet that is faced: too little for a call, a call, or half of a raise at least."""
    high, least = seat.round.current_bet, seat.legal_actions.min_total
    if not seat.is_facing_bet:
        return _interpret_opening_amount(seat, amount, why)
    if amount < min(high, seat.all_in_total):
        return _add_prior_clause(seat, _interpret_undercall(seat, amount))
    if amount <= high:
        return BetInterpretation(None, "a call", ActionType.CALL)
    half, top = seat.wager_rules.half, seat.legal_actions.max_total
    if least == top == seat.all_in_total <= amount:
        template = ruling_sentences.WHOLE_STACK if amount == top else ruling_sentences.MORE_THAN_STACK
        all_of_it = template.format(why=why, amount=top)
        return _add_prior_clause(seat, _clamp_wager(seat, top, seat.wager_rules.word, all_of_it))
    if least is None or (amount - high) * 100 < half.value * (least - high):
        sentence = ruling_sentences.BELOW_HALF_RAISE.format(why=why, percent=half.value)
        return _add_prior_clause(seat, BetInterpretation(half, sentence, ActionType.CALL))
    enough = ruling_sentences.HALF_RAISE.format(why=why, percent=half.value)
    return _add_prior_clause(seat, _clamp_wager(seat, amount, half, enough))


def _interpret_undercall(seat: _BettingSituation, amount: int) -> BetInterpretation:
    """Less than a call: made full heads-up and facing the opening bet, or asked of the floor [TDA-51-B]."""
    rule, round_ = seat.wager_rules.undercall, seat.round
    opening = round_.full_raise_count <= (1 if round_.street else 0)
    if rule.value is Undercall.FULL_CALL or opening or len(seat.hand.betting.live_seats) == 2 or seat.is_bound_to_call:
        sentence = ruling_sentences.UNDERCALL_MADE_FULL.format(amount=amount, bet=round_.current_bet)
        return BetInterpretation(rule, sentence, ActionType.CALL, finding=UNDERCALL_FINDING)
    sentence = ruling_sentences.UNDERCALL_ASKED.format(amount=amount, bet=round_.current_bet)
    return BetInterpretation(rule, sentence, None, amount, finding=UNDERCALL_FINDING)


def _interpret_opening_amount(seat: _BettingSituation, amount: int, why: str) -> BetInterpretation:
    """An amount with no bet to face."""
    if amount <= seat.round.current_bet:
        return BetInterpretation(None, "a check", ActionType.CHECK)
    said, chips = bool(seat.event.spoken), seat.event.chips
    differ = said and bool(chips) and sum(chips) != amount
    rule = seat.wager_rules.word if differ else seat.wager_rules.one_chip if len(chips) == 1 and not said else None
    return _clamp_wager(seat, amount, rule, why)


def _clamp_wager(seat: _BettingSituation, amount: int, rule: Rule[object] | None, why: str) -> BetInterpretation:
    """The wager of this amount as near as it is legal; where the seat may make none it calls or checks."""
    low, top, word = seat.legal_actions.min_total, seat.legal_actions.max_total, seat.wager_action
    if low is None or top is None:
        template = ruling_sentences.MAY_NOT_RAISE if seat.is_facing_bet else ruling_sentences.MAY_NOT_WAGER
        action = ActionType.CALL if seat.is_facing_bet else ActionType.CHECK
        return BetInterpretation(rule, template.format(why=why), action)
    to = min(max(amount, low), top)
    if word is None:
        return BetInterpretation(rule, ruling_sentences.IS_ALL_IN.format(why=why), ActionType.ALL_IN)
    if amount > top:
        limit = seat.hand.setup.stakes.structure is BettingStructure.POT_LIMIT
        finding = OVERPOT_FINDING if limit else CHIPS_FINDING
        above = _select_over_pot_rule(seat) if limit else rule
        return BetInterpretation(above, ruling_sentences.BROUGHT_DOWN.format(why=why, amount=to), word, to, finding)
    if amount < low and not seat.is_facing_bet:
        sentence = ruling_sentences.BROUGHT_UP.format(why=why, amount=to)
        return BetInterpretation(seat.wager_rules.least, sentence, word, to, UNDERBET_FINDING)
    template = ruling_sentences.ALL_IN_FOR if low == seat.all_in_total else ruling_sentences.WAGER_TO
    return BetInterpretation(rule, template.format(why=why, act=word.value, amount=to), word, to)


def _select_over_pot_rule(seat: _BettingSituation) -> Rule[object]:
    """Why a wager above the pot comes down: one chip, silent or with a word alone, is no error [WSOP-L-188]."""
    rules, event = seat.wager_rules, seat.event
    if len(event.chips) != 1 or any(isinstance(each, int) for each in event.spoken):
        return rules.over_pot
    return rules.pot_chip_raise if event.spoken else rules.pot_chip


def _add_prior_clause(seat: _BettingSituation, reading: BetInterpretation) -> BetInterpretation:
    """Chips of an earlier bet lie there: the clause that speaks of them stands beside the deciding one [TDA-46]."""
    if not seat.bet or not seat.is_facing_bet or reading.rule is None:
        return reading
    return replace(reading, rule=_add_clause(reading.rule, seat.wager_rules.prior))


def _add_clause(rule: Rule[object] | None, other: Rule[object]) -> Rule[object]:
    if rule is None:
        return other
    return replace(rule, cite=(*rule.cite, *(each for each in other.cite if each not in rule.cite)))


def rule_on_motion(state: TableState, event: ChipMotion) -> tuple[tuple[Ruling, ...], PlayerActed | None]:
    """Rule on a motion of the seat whose turn it is; the act that it comes to, `None` where nothing is done yet.

    Raises `Refused` as `interpret_motion` does.
    """
    hand, seat = state.hand_in_play, event.seat
    reading = interpret_motion(hand, event)
    act, rule = reading.build_act(seat), reading.rule
    round_ = hand.round_in_play
    sentence = ruling_sentences.MOTION_OF_SEAT.format(seat=seat, why=reading.sentence)
    if rule is None:
        return (), act
    if act is not None:
        return (build_ruling(reading.finding, Verdict.BIND, rule, sentence, seat),), act
    if reading.is_bound_to_call:
        hand.round = replace(round_, no_fold_seats=round_.no_fold_seats | {seat})
        return (build_ruling(CHIPS_FINDING, Verdict.BIND, rule, sentence, seat),), None
    if reading.finding != UNDERCALL_FINDING:
        hand.round = replace(round_, no_raise_seats=round_.no_raise_seats | {seat})
        return (build_ruling(CHIPS_FINDING, Verdict.RESTRICT_BET, rule, sentence, seat),), None
    hand.round = replace(
        round_,
        early_action_by_seat={**round_.early_action_by_seat, seat: EarlyAction(UNDERCALL_FINDING, reading.total)},
    )
    hand.plan = hand.plan.prepend(
        FloorStep(UNDERCALL_FINDING, UNDERCALL_OPTIONS, seat, is_ruled=True, concerned_seat=seat)
    )
    return (build_ruling(UNDERCALL_FINDING, Verdict.FLOOR, rule, sentence, seat),), None


def rule_on_further_undercall(state: TableState, first: FloorStep, event: ChipMotion) -> Ruling:
    """Another undercall behind one that waits for the floor: play goes back to the first [TDA-51-C].

    No chips move: whoever undercalled after it acts when its turn comes, as the floor says. Raises `Refused`
    (`not-now`), and as `interpret_motion` does.
    """
    hand, rule = state.hand_in_play, state.setup.rulebook.wagers.in_sequence
    seat = _build_situation(hand, event)
    amount = event.spoken[0] if len(event.spoken) == 1 and isinstance(event.spoken[0], int) else seat.motion_total
    called = "call" in event.spoken or amount >= min(seat.round.current_bet, seat.all_in_total)
    if not rule.value or event.seat == first.seat or event.seat not in seat.round.queue or called:
        raise not_now_refusal(state, "act")
    sentence = ruling_sentences.UNDERCALLS_TOO.format(seat=event.seat, first=first.seat)
    return build_ruling(UNDERCALL_FINDING, Verdict.FLOOR, rule, sentence, event.seat)


def decide_undercall(state: TableState, step: FloorStep | None, event: FloorDecided) -> tuple[Ruling, ...]:
    """The floor on an undercall: a full call, or a fold that leaves the chips in the pot.

    Raises `Refused` (`nothing-to-bind`).
    """
    hand = state.hand_in_play
    seat, rule = None if step is None else step.seat, hand.setup.rulebook.wagers.undercall
    if seat is None or hand.round is None:
        raise Refused("nothing-to-bind", "no undercall waits for the floor.")
    put_in = hand.round.early_action_by_seat[seat].amount or 0
    if event.decision is FloorDecision.BIND:
        sentence = ruling_sentences.FLOOR_FULL_CALL.format(seat=seat)
        noted = build_ruling(UNDERCALL_FINDING, Verdict.BIND, rule, sentence, seat)
        return (noted, *turn_order.act_in_turn(state, PlayerActed(seat, ActionType.CALL)))
    more = put_in - hand.chips.bet_by_seat.get(seat, 0)
    if more > 0:
        pots.wager(hand, seat, more)
    sentence = ruling_sentences.FLOOR_FOLD_LEAVES.format(seat=seat, amount=put_in)
    noted = build_ruling(UNDERCALL_FINDING, Verdict.DEAD_HAND, rule, sentence, seat)
    return (noted, *turn_order.act_in_turn(state, PlayerActed(seat, ActionType.FOLD)))
