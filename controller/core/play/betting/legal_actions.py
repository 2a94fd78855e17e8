"""What the seat whose turn it is may do, and for how much.

The rules of amounts are those of the structure (no-limit, pot-limit, fixed-limit, spread-limit); what the books answer
differently are policies of the rulebook. Where amounts are untracked stacks have no end.
"""

from controller.core.model.hand import Hand, Round
from controller.core.model.setup import Structure
from controller.core.play.betting import declared_all_in, lowball, raise_cap
from controller.core.rules.policies.opening_pot import Blinds
from controller.core.values.value import Value

UNTRACKED_STACK = 1 << 30

DECLARING = ("check", "open")
"""What is left to a seat that cannot bet and whose turn it is all the same: to say whether it has openers."""


class Options(Value):
    """What a seat may do. Amounts are `None` where they do not apply, or are not tracked."""

    words: tuple[str, ...]
    to_call: int | None
    min_to: int | None
    max_to: int | None


def options_of(hand: Hand, seat: int) -> Options:
    """What the seat may do in the round as it stands."""
    round_ = hand.round
    assert round_ is not None
    if not round_.queue:
        return Options(DECLARING, *((0, None, None) if hand.setup.tracked else (None, None, None)))
    bet, behind = hand.chips.bets.get(seat, 0), stack_of(hand, seat)
    tracked = hand.setup.tracked
    to_call = min(round_.high - bet, behind)
    range_ = bounds(hand, round_, seat)
    if seat in round_.bound:
        return _bound_options(hand, round_, seat, to_call, range_)
    words = ["fold", "call" if to_call else "check"]
    if not round_.high and round_.street == 0 and lowball.open_or_fold(hand.setup):
        words = ["fold"]
    if must_open(round_):
        words = ["fold"] if round_.free else []
        if round_.due < round_.full or hand.setup.betting.bring_in:
            words.append("bring-in")
    if range_ and (not must_open(round_) or bet + behind > round_.due or round_.due >= round_.full):
        words.append(raise_word(hand, round_))
    if all_in_is_legal(hand, round_, seat, range_) or declared_all_in.open_to(hand, seat):
        words.append("all-in")
    if not tracked:
        return Options(tuple(words), None, None, None)
    low, top = range_ or (None, None)
    return Options(tuple(words), to_call, low, top)


def _bound_options(hand: Hand, round_: Round, seat: int, to_call: int, range_: tuple[int, int] | None) -> Options:
    """The one thing left to a seat that is bound: its word, at its amount as near as that is legal now."""
    word, amount = round_.bound[seat]
    if word == "all-in" and not all_in_is_legal(hand, round_, seat, range_):
        word, amount = "raise", UNTRACKED_STACK
    if word in ("bet", "raise", "complete"):
        word = raise_word(hand, round_) if range_ else "call"
    if word == "call" and not to_call:
        word = "check"
    if not hand.setup.tracked:
        return Options((word,), None, None, None)
    if range_ is None or word in ("fold", "check", "call"):
        return Options((word,), to_call, None, None)
    low, top = range_
    if word == "all-in":
        low = top
    elif amount is not None:
        low = top = min(max(amount, low), top)
    return Options((word,), to_call, low, top)


def described(open_: Options) -> str:
    """The options in words, for a refusal."""
    words = ", ".join(open_.words)
    amounts = "" if open_.min_to is None else f" (from {open_.min_to} to {open_.max_to})"
    return f"it may {words}{amounts}"


def bounds(hand: Hand, round_: Round, seat: int) -> tuple[int, int] | None:
    """Smallest and largest total of a bet or raise; `None` where the seat may make none."""
    bet, behind = hand.chips.bets.get(seat, 0), stack_of(hand, seat)
    if bet + behind <= round_.high or not may_raise(hand, round_, seat):
        return None
    betting = hand.setup.betting
    low, top = round_.high + round_.full, bet + behind
    base = round_.level if completes(round_) else round_.high
    if betting.structure is Structure.FIXED_LIMIT:
        low = base + round_.full
        top = min(top, base + max(round_.full, round_.option))
    elif is_short(round_) or betting.structure is Structure.SPREAD_LIMIT:
        low = base + round_.full
    if hand.setup.tracked and betting.structure is Structure.SPREAD_LIMIT:
        top = min(top, round_.high + betting.max_bet)
    if hand.setup.tracked and betting.structure is Structure.POT_LIMIT:
        top = min(top, round_.high + pot_after_call(hand, round_, seat))
    if round_.ceiling is not None:
        if round_.ceiling < min(low, top):
            return None
        top = min(top, round_.ceiling)
    return _payable(hand, min(low, top), top, bet + behind)


def _payable(hand: Hand, low: int, top: int, whole: int) -> tuple[int, int]:
    """The smallest and largest amounts of a range in chips that play [R7-3.betting.7].

    `whole`, an all-in, is always one. Where no payable amount lies between, both are as they were: one who raises an
    odd all-in by the one size that the limit allows is given change.
    """
    chip = hand.setup.betting.chip if hand.setup.tracked else 1
    most = top if top == whole else top - top % chip
    least = low if low == whole else low + -low % chip
    if most < low:
        return low, top
    return min(least, most), most


def may_raise(hand: Hand, round_: Round, seat: int) -> bool:
    """Whether the seat may bet or raise at all, amounts aside."""
    if (
        raise_cap.binds(hand, round_)
        or seat in round_.no_raise
        or seat in round_.called_early
        or seat in hand.betting.checked_early
    ):
        return False
    if round_.ceiling is not None and round_.high >= round_.ceiling:
        return False
    if hand.contenders in ((), (seat,)):
        return False
    if seat in round_.acted and not round_.acted[seat].high and not may_check_raise(hand):
        return False
    if seat in round_.acted:
        high, full_raises = round_.acted[seat]
        book = hand.setup.rulebook.betting
        if not high and book.check_keeps_raise.value:
            return True
        reopens = book.reopens.value
        return reopens(round_.high - high, round_.full, round_.full_raises > full_raises)
    return True


def may_check_raise(hand: Hand) -> bool:
    """Whether a player who checked may raise: not everywhere in lowball [R7-11.a5.2]."""
    book = hand.setup.rulebook.lowball.get(hand.setup.game.form)
    return book is None or book.check_raise_a5_limit.value or not lowball.is_limit_a5(hand.setup)


def pot_after_call(hand: Hand, round_: Round, seat: int) -> int:
    """The pot as pot-limit counts it, once the seat has called [R7-14.intro]."""
    book = hand.setup.rulebook.betting
    lying = sum(hand.chips.bets.values()) + sum(hand.chips.paid.values()) + hand.chips.dead
    if round_.street == 0 and hand.positions.big:
        boarded = any(street.board for street in hand.setup.game.streets)
        opening = hand.setup.for_mode(book.opening_pot_cash, book.opening_pot_tournament)
        lying += (opening if boarded else book.opening_pot_boardless).value(_blinds(hand, round_, seat))
    return int(lying + round_.high - hand.chips.bets.get(seat, 0))


def _blinds(hand: Hand, round_: Round, seat: int) -> Blinds:
    """The blinds as the pot-limit of the first round counts them, once the seat has called."""
    betting = hand.setup.betting
    small = 0 if hand.positions.small is None else hand.chips.bets.get(hand.positions.small, 0)
    return Blinds(
        small_due=betting.small_blind,
        big_due=betting.big_blind,
        small=round_.high if small and seat == hand.positions.small else small,
        big=max(hand.chips.bets.get(blind, 0) for blind in hand.positions.big),
        waiting=any(blind in round_.queue for blind in hand.positions.big),
    )


def all_in_is_legal(hand: Hand, round_: Round, seat: int, range_: tuple[int, int] | None) -> bool:
    """Whether going all-in is a legal call, bet or raise."""
    if not hand.setup.tracked:
        return may_raise(hand, round_, seat) or round_.high > hand.chips.bets.get(seat, 0)
    whole = hand.chips.bets.get(seat, 0) + hand.chips.stacks[seat]
    return whole <= (round_.due if must_open(round_) else round_.high) or (range_ is not None and whole <= range_[1])


def raise_word(hand: Hand, round_: Round) -> str:
    """What a wager above the call is called now."""
    if is_short(round_) and round_.due < round_.full and (round_.high < round_.full or not hand.setup.tracked):
        return "complete"
    if not round_.high:
        return "bet"
    fixed = hand.setup.betting.structure is Structure.FIXED_LIMIT
    return "complete" if fixed and round_.high > round_.level and completes(round_) else "raise"


def stack_of(hand: Hand, seat: int) -> int:
    """Chips behind."""
    return hand.chips.stacks[seat] if hand.setup.tracked else UNTRACKED_STACK


def completes(round_: Round) -> bool:
    """Whether the next full wager only completes what lies there, a forced bet or an all-in of less than half a bet.

    A short all-in raise of half a bet or more is what must be called, and the next raise is added to it [AU-1.1#raise].
    """
    short = round_.high - round_.level
    return short < round_.full and not (round_.level and 2 * short >= round_.full)


def must_open(round_: Round) -> bool:
    """Whether the round still waits for its forced bet."""
    return bool(round_.due) and not round_.high


def is_short(round_: Round) -> bool:
    """Whether the round has a forced bet and nobody has made it a full one [R7-8.stud.6]."""
    return bool(round_.due) and not round_.level
