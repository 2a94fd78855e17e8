"""What chips pushed forward, and words, come to: the book says what the seat has done by them [TDA-40 to TDA-61]."""

from controller.core.irregularities.conduct import out_of_turn
from controller.core.model.hand import Announced, Hand, Round
from controller.core.model.setup import Structure
from controller.core.model.state import State
from controller.core.play.betting import pots
from controller.core.play.betting.legal_actions import Options, options_of
from controller.core.play.refusals import not_now
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act, Floor, Motion
from controller.core.protocol.steps import Floor as FloorStep
from controller.core.protocol.vocabulary import Decide, Do, Prior
from controller.core.rules.questions.play.wagers import Undercall, WagerRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.value import Value, replace

CHIPS, UNDERCALL, UNDERBET, OVERPOT = "chips", "undercall", "underbet", "overpot"
WAGERS = (Do.BET, Do.RAISE, Do.COMPLETE)
OPTIONS = (Decide.BIND.value, Decide.FORFEIT.value)


class Reading(Value):
    """What a motion comes to: the act, the clause, and why; without an act a person decides, or it only restricts.

    `rule` is `None` where the chips are just those of the act, and nothing is to be said.
    """

    rule: Rule[object] | None
    sentence: str
    do: Do | None
    to: int | None = None
    finding: str = CHIPS

    def act(self, seat: int) -> Act | None:
        """The act of the seat."""
        return None if self.do is None else Act(seat, self.do, self.to)


class _Seat(Value):
    """How the seat stands before its motion. `total`: what it would have in on the round with the new chips."""

    hand: Hand
    event: Motion
    round: Round
    book: WagerRules
    open: Options
    bet: int
    whole: int
    total: int

    @property
    def facing(self) -> bool:
        """Whether it faces a bet."""
        return bool(self.open.to_call)

    @property
    def wager(self) -> Do | None:
        """The word for its bet or raise; `None` where it may make none."""
        return next((do for do in WAGERS if do.value in self.open.words), None)


def read(hand: Hand, event: Motion) -> Reading:
    """What the book makes of a motion.

    Raises `Refused` (`amount`, `key-missing`, `no-live-hand`, `value`).
    """
    seat = _seat(hand, event)
    if event.said:
        word = event.said[0]
        if isinstance(word, str):
            return _worded(seat, word)
        return _named(seat)
    if not event.chips:
        raise Refused("key-missing", "`act` needs `do`, or the `chips` that were pushed forward, or what was `said`.")
    return _silent(seat) if seat.facing else _wagered(seat, seat.total, "nothing said, no bet to face")


def _seat(hand: Hand, event: Motion) -> _Seat:
    """Raise `Refused` where the motion cannot be read."""
    if not hand.setup.tracked:
        raise Refused("amount", "this table does not track amounts: enter what the seat did with `do`.")
    if event.seat not in hand.betting.live or event.seat in hand.betting.all_in or hand.round is None:
        raise Refused("no-live-hand", f"seat {event.seat} has no hand to act with.")
    bet = hand.chips.bets.get(event.seat, 0)
    whole, pushed = bet + hand.chips.stacks[event.seat], sum(event.chips)
    kept = bet if event.prior is Prior.LEFT else 0
    if kept + pushed > whole:
        raise Refused("value", f"seat {event.seat} has {whole - kept}; chips of {pushed} cannot be its own.")
    book = hand.setup.rulebook.wagers
    return _Seat(hand, event, hand.round, book, options_of(hand, event.seat), bet, whole, kept + pushed)


def _worded(seat: _Seat, word: str) -> Reading:
    """What was said comes first [TDA-40-A]."""
    book, facing = seat.book, seat.facing
    match word:
        case "fold" | "all-in":
            return Reading(book.word, f"{word} was said", Do(word))
        case "call":
            if facing:
                return Reading(book.word, "a call was said: it is a full call", Do.CALL)
            return Reading(book.wrong_word, "a call without a bet is a check", Do.CHECK)
        case "check":
            if facing:
                return Reading(book.wrong_word, "a check facing a bet: it may call or fold, not raise", None)
            return Reading(None, "a check", Do.CHECK)
        case "pot":
            limit = seat.hand.setup.betting.structure is Structure.POT_LIMIT
            most = seat.open.max_to if limit else seat.open.min_to
            return _bound(seat, most or 0, book.pot_word, "the pot was said")
        case _:
            if not seat.event.chips:
                raise Refused("key-missing", f"how much is the {word}? Enter `do` and `to`, or the `chips`.")
            if len(seat.event.chips) == 1:
                why = f"{word} was said: the most that the chip allows"
                return _bound(seat, seat.total, _misnamed(seat, word, book.one_chip), why)
            if seat.open.min_to is not None and seat.total < seat.open.min_to:
                return _bound(seat, seat.total, book.least, f"{word} was said")
            return _bound(seat, seat.total, _misnamed(seat, word, book.word), f"{word} was said")


def _misnamed(seat: _Seat, word: str, rule: Rule[object]) -> Rule[object]:
    """Where a raise was said that can only be a bet, the book's own clause on that decides [TDA-55]."""
    wrong = seat.book.wrong_word
    return _with(wrong, rule) if word == "raise" and seat.wager is Do.BET and not wrong.by_default else rule


def _named(seat: _Seat) -> Reading:
    """An amount alone is as if it had been pushed out; of several meanings the largest not above the pot [TDA-57]."""
    amounts = sorted(each for each in seat.event.said if isinstance(each, int))
    if len(amounts) == 1:
        return _compared(seat, amounts[0], f"{amounts[0]} was said")
    pot = sum(pot.amount for pot in pots.pots(seat.hand)) + sum(seat.hand.chips.bets.values())
    fitting = [amount for amount in amounts if amount <= pot]
    amount = fitting[-1] if fitting else amounts[0]
    reading = _compared(seat, amount, f"of its meanings {amount} is the largest not above the pot of {pot}")
    sentence = (
        reading.sentence if reading.rule else f"of its meanings {amount} is the largest not above the pot of {pot}"
    )
    return replace(reading, rule=_with(reading.rule, seat.book.meanings), sentence=sentence)


def _silent(seat: _Seat) -> Reading:
    """Chips facing a bet, and no word."""
    book, chips, high = seat.book, seat.event.chips, seat.round.high
    if seat.total <= high:
        return _compared(seat, seat.total, "nothing said")
    if seat.event.prior is not Prior.PART:
        if len(chips) == 1 and book.one_chip.value:
            return _with_prior(seat, Reading(book.one_chip, "one chip larger than the bet is a call", Do.CALL))
        if book.chips_needed.value and seat.total - min(chips) < high:
            return _with_prior(seat, Reading(book.chips_needed, "every chip is needed to call: a call", Do.CALL))
    if seat.total == seat.whole and Do.ALL_IN.value in seat.open.words:
        return _with_prior(seat, Reading(book.half, "its last chips, more than a call: all-in", Do.ALL_IN))
    return _compared(seat, seat.total, "nothing said")


def _compared(seat: _Seat, amount: int, why: str) -> Reading:
    """An amount beside the bet that is faced: too little for a call, a call, or half of a raise at least."""
    high, least = seat.round.high, seat.open.min_to
    if not seat.facing:
        return _wagered(seat, amount, why)
    if amount < min(high, seat.whole):
        return _with_prior(seat, _undercalled(seat, amount))
    if amount <= high:
        return Reading(None, "a call", Do.CALL)
    half = seat.book.half
    if least is None or (amount - high) * 100 < half.value * (least - high):
        sentence = f"{why}: beyond the call, less than {half.value} % of a raise: a call, the rest goes back"
        return _with_prior(seat, Reading(half, sentence, Do.CALL))
    return _with_prior(seat, _bound(seat, amount, half, f"{why}: {half.value} % of a raise or more"))


def _undercalled(seat: _Seat, amount: int) -> Reading:
    """Less than a call: made full heads-up and facing the opening bet, or asked of the floor [TDA-51-B]."""
    rule, round_ = seat.book.undercall, seat.round
    opening = round_.full_raises <= (1 if round_.street else 0)
    if rule.value is Undercall.FULL_CALL or opening or len(seat.hand.betting.live) == 2:
        sentence = f"{amount} is less than the call of {round_.high}: it is made a full call"
        return Reading(rule, sentence, Do.CALL, finding=UNDERCALL)
    sentence = (
        f"{amount} is less than the call of {round_.high}: a full call (`bind`), or a fold without them (`forfeit`)"
    )
    return Reading(rule, sentence, None, amount, finding=UNDERCALL)


def _wagered(seat: _Seat, amount: int, why: str) -> Reading:
    """An amount with no bet to face."""
    if amount <= seat.round.high:
        return Reading(None, "a check", Do.CHECK)
    said, chips = bool(seat.event.said), seat.event.chips
    differ = said and bool(chips) and sum(chips) != amount
    rule = seat.book.word if differ else seat.book.one_chip if len(chips) == 1 and not said else None
    return _bound(seat, amount, rule, why)


def _bound(seat: _Seat, amount: int, rule: Rule[object] | None, why: str) -> Reading:
    """The wager of this amount as near as it is legal; where the seat may make none it calls or checks."""
    low, top, word = seat.open.min_to, seat.open.max_to, seat.wager
    if low is None or top is None:
        return Reading(rule, f"{why}: it may not raise", Do.CALL if seat.facing else Do.CHECK)
    to = min(max(amount, low), top)
    if word is None:
        return Reading(rule, f"{why}: all-in", Do.ALL_IN)
    if amount > top:
        limit = seat.hand.setup.betting.structure is Structure.POT_LIMIT
        finding = OVERPOT if limit else CHIPS
        return Reading(seat.book.over_pot if limit else rule, f"{why}: brought down to {to}", word, to, finding)
    if amount < low and not seat.facing:
        return Reading(seat.book.least, f"{why}: brought up to the smallest bet of {to}", word, to, UNDERBET)
    return Reading(rule, f"{why}: {word.value} to {to}", word, to)


def _with_prior(seat: _Seat, reading: Reading) -> Reading:
    """Chips of an earlier bet lie there: the clause that speaks of them stands beside the deciding one [TDA-46]."""
    if not seat.bet or not seat.facing or reading.rule is None:
        return reading
    return replace(reading, rule=_with(reading.rule, seat.book.prior))


def _with(rule: Rule[object] | None, other: Rule[object]) -> Rule[object]:
    if rule is None:
        return other
    return replace(rule, cite=(*rule.cite, *(each for each in other.cite if each not in rule.cite)))


def made(state: State, event: Motion) -> tuple[tuple[Ruling, ...], Act | None]:
    """Rule on a motion of the seat whose turn it is; the act that it comes to, `None` where nothing is done yet.

    Raises `Refused` as `read` does.
    """
    hand, seat = state.hand_in_play, event.seat
    reading = read(hand, event)
    act, rule = reading.act(seat), reading.rule
    round_, sentence = hand.round, f"seat {seat}: {reading.sentence}"
    assert round_ is not None
    if rule is None:
        return (), act
    if act is not None:
        return (ruled(reading.finding, Verdict.BIND, rule, sentence, seat),), act
    if reading.finding != UNDERCALL:
        hand.round = replace(round_, no_raise=round_.no_raise | {seat})
        return (ruled(CHIPS, Verdict.RESTRICT_BET, rule, sentence, seat),), None
    hand.round = replace(round_, early={**round_.early, seat: Announced(UNDERCALL, reading.to)})
    hand.plan = hand.plan.first(FloorStep(UNDERCALL, OPTIONS, seat, ruled=True, concerns=seat))
    return (ruled(UNDERCALL, Verdict.FLOOR, rule, sentence, seat),), None


def in_a_row(state: State, first: FloorStep, event: Motion) -> Ruling:
    """Another undercall behind one that waits for the floor: play goes back to the first [TDA-51-C].

    No chips move: whoever undercalled after it acts when its turn comes, as the floor says. Raises `Refused`
    (`not-now`), and as `read` does.
    """
    hand, rule = state.hand_in_play, state.setup.rulebook.wagers.in_sequence
    seat = _seat(hand, event)
    amount = event.said[0] if len(event.said) == 1 and isinstance(event.said[0], int) else seat.total
    called = "call" in event.said or amount >= min(seat.round.high, seat.whole)
    if not rule.value or event.seat == first.seat or event.seat not in seat.round.queue or called:
        raise not_now(state, "act")
    sentence = f"seat {event.seat} undercalls, too: play goes back to seat {first.seat}, which corrects its bet first"
    return ruled(UNDERCALL, Verdict.FLOOR, rule, sentence, event.seat)


def decided(state: State, step: FloorStep | None, event: Floor) -> tuple[Ruling, ...]:
    """The floor on an undercall: a full call, or a fold that leaves the chips in the pot.

    Raises `Refused` (`nothing-to-bind`).
    """
    hand = state.hand_in_play
    seat, rule = None if step is None else step.seat, hand.setup.rulebook.wagers.undercall
    if seat is None or hand.round is None:
        raise Refused("nothing-to-bind", "no undercall waits for the floor.")
    put_in = hand.round.early[seat].amount or 0
    if event.decide is Decide.BIND:
        noted = ruled(UNDERCALL, Verdict.BIND, rule, f"the floor: seat {seat} makes a full call", seat)
        return (noted, *out_of_turn.in_turn(state, Act(seat, Do.CALL)))
    more = put_in - hand.chips.bets.get(seat, 0)
    if more > 0:
        pots.wager(hand, seat, more)
    noted = ruled(UNDERCALL, Verdict.DEAD_HAND, rule, f"the floor: seat {seat} folds and leaves {put_in} in", seat)
    return (noted, *out_of_turn.in_turn(state, Act(seat, Do.FOLD)))
