"""What the seat whose turn it is may do, and for how much.

The rules of amounts are those of the structure (no-limit, pot-limit, fixed-limit, spread-limit); what the books answer
differently are policies of the rulebook. Where amounts are untracked stacks have no end.
"""

from controller.core.model.hand import Hand, Round
from controller.core.model.setup import BettingStructure
from controller.core.play.betting import all_in_declaration, lowball_betting, raise_cap
from controller.core.rules.policies.opening_pot import OpeningBlinds
from controller.core.values.value import Value

FIXED_LIMIT, SPREAD_LIMIT = BettingStructure.FIXED_LIMIT, BettingStructure.SPREAD_LIMIT
POT_LIMIT = BettingStructure.POT_LIMIT

UNTRACKED_STACK = 1 << 30

DECLARATION_ACTIONS = ("check", "open")
"""What is left to a seat that cannot bet and whose turn it is all the same: to say whether it has openers."""


class LegalActions(Value):
    """What a seat may do. Amounts are `None` where they do not apply, or are not tracked."""

    actions: tuple[str, ...]
    to_call: int | None
    min_total: int | None
    max_total: int | None


def find_legal_actions(hand: Hand, seat: int) -> LegalActions:
    """What the seat may do in the round as it stands."""
    round_ = hand.round_in_play
    if not round_.queue:
        return LegalActions(
            DECLARATION_ACTIONS, *((0, None, None) if hand.setup.tracks_amounts else (None, None, None))
        )
    bet, behind = hand.chips.bet_by_seat.get(seat, 0), stack_of(hand, seat)
    tracked = hand.setup.tracks_amounts
    to_call = min(round_.current_bet - bet, behind)
    range_ = wager_range(hand, round_, seat)
    if seat in round_.bound_action_by_seat:
        return _find_bound_action(hand, round_, seat, to_call, range_)
    words = ["fold", "call" if to_call else "check"][seat in round_.no_fold_seats :]
    if not round_.current_bet and round_.street == 0 and lowball_betting.is_open_or_fold_game(hand.setup):
        words = ["fold"]
    if needs_forced_bet(round_):
        words = ["fold"] if round_.opener_may_fold else []
        if round_.forced_bet < round_.full_raise_size or hand.setup.stakes.bring_in:
            words.append("bring-in")
    if range_ and (
        not needs_forced_bet(round_) or bet + behind > round_.forced_bet or round_.forced_bet >= round_.full_raise_size
    ):
        words.append(wager_name(hand, round_))
    if is_all_in_legal(hand, round_, seat, range_) or all_in_declaration.can_declare_all_in(hand, seat):
        words.append("all-in")
    if not tracked:
        return LegalActions(tuple(words), None, None, None)
    low, top = range_ or (None, None)
    return LegalActions(tuple(words), to_call, low, top)


def _find_bound_action(
    hand: Hand, round_: Round, seat: int, to_call: int, range_: tuple[int, int] | None
) -> LegalActions:
    """The one thing left to a seat that is bound: its word, at its amount as near as that is legal now."""
    word, amount = round_.bound_action_by_seat[seat]
    if word == "all-in" and not is_all_in_legal(hand, round_, seat, range_):
        word, amount = "raise", UNTRACKED_STACK
    if word in ("bet", "raise", "complete"):
        word = wager_name(hand, round_) if range_ else "call"
    if word == "call" and not to_call:
        word = "check"
    if not hand.setup.tracks_amounts:
        return LegalActions((word,), None, None, None)
    if range_ is None or word in ("fold", "check", "call"):
        return LegalActions((word,), to_call, None, None)
    low, top = range_
    if word == "all-in":
        low = top
    elif amount is not None:
        low = top = min(max(amount, low), top)
    return LegalActions((word,), to_call, low, top)


def describe_actions(open_: LegalActions) -> str:
    """The options in words, for a refusal."""
    words = ", ".join(open_.actions)
    amounts = "" if open_.min_total is None else f" (from {open_.min_total} to {open_.max_total})"
    return f"it may {words}{amounts}"


def wager_range(hand: Hand, round_: Round, seat: int) -> tuple[int, int] | None:
    """Smallest and largest total of a bet or raise; `None` where the seat may make none."""
    bet, behind = hand.chips.bet_by_seat.get(seat, 0), stack_of(hand, seat)
    if bet + behind <= round_.current_bet or not can_raise(hand, round_, seat):
        return None
    betting = hand.setup.stakes
    low, top = round_.current_bet + round_.full_raise_size, bet + behind
    base = round_.last_full_wager if is_next_wager_completion(round_) else round_.current_bet
    if betting.structure is FIXED_LIMIT:
        low = base + round_.full_raise_size
        top = min(top, base + max(round_.full_raise_size, round_.larger_limit))
    elif has_short_forced_bet(round_) or betting.structure is SPREAD_LIMIT:
        low = base + round_.full_raise_size
    if hand.setup.tracks_amounts and betting.structure is SPREAD_LIMIT:
        top = min(top, round_.current_bet + betting.max_bet)
    if hand.setup.tracks_amounts and betting.structure is POT_LIMIT:
        top = min(top, round_.current_bet + pot_after_call(hand, round_, seat))
    if round_.max_wager is not None:
        if round_.max_wager < min(low, top):
            return None
        top = min(top, round_.max_wager)
    return _round_to_payable(hand, min(low, top), top, bet + behind)


def _round_to_payable(hand: Hand, low: int, top: int, whole: int) -> tuple[int, int]:
    """The smallest and largest amounts of a range in chips that play [R7-3.betting.7].

    `whole`, an all-in, is always one. Where no payable amount lies between, both are as they were: one who raises an
    odd all-in by the one size that the limit allows is given change.
    """
    chip = hand.setup.stakes.smallest_chip if hand.setup.tracks_amounts else 1
    most = top if top == whole else top - top % chip
    least = low if low == whole else low + -low % chip
    if most < low:
        return low, top
    return min(least, most), most


def can_raise(hand: Hand, round_: Round, seat: int) -> bool:
    """Whether the seat may bet or raise at all, amounts aside."""
    if (
        raise_cap.is_cap_binding(hand, round_)
        or seat in round_.no_raise_seats
        or seat in round_.early_caller_seats
        or seat in hand.betting.early_checker_seats
    ):
        return False
    if round_.max_wager is not None and round_.current_bet >= round_.max_wager:
        return False
    if hand.contenders in ((), (seat,)):
        return False
    if (
        seat in round_.last_action_by_seat
        and not round_.last_action_by_seat[seat].current_bet
        and not can_check_raise(hand)
    ):
        return False
    if seat in round_.last_action_by_seat:
        high, full_raises = round_.last_action_by_seat[seat]
        book = hand.setup.rulebook.betting
        if not high and book.check_keeps_raise.value:
            return True
        reopens = book.reopens.value
        return reopens(round_.current_bet - high, round_.full_raise_size, round_.full_raise_count > full_raises)
    return True


def can_check_raise(hand: Hand) -> bool:
    """Whether a player who checked may raise: not everywhere in lowball [R7-11.a5.2]."""
    book = hand.setup.rulebook.lowball.get(hand.setup.game.rules_form)
    return book is None or book.check_raise_a5_limit.value or not lowball_betting.is_limit_a5(hand.setup)


def pot_after_call(hand: Hand, round_: Round, seat: int) -> int:
    """The pot as pot-limit counts it, once the seat has called [R7-14.intro]."""
    book = hand.setup.rulebook.betting
    lying = sum(hand.chips.bet_by_seat.values()) + sum(hand.chips.paid_earlier_by_seat.values()) + hand.chips.dead_chips
    if round_.street == 0 and hand.positions.big_blinds:
        boarded = any(street.board_count for street in hand.setup.game.streets)
        opening = hand.setup.select_by_mode(book.opening_pot_cash, book.opening_pot_tournament)
        lying += (opening if boarded else book.opening_pot_boardless).value(_pot_limit_blinds(hand, round_, seat))
    return int(lying + round_.current_bet - hand.chips.bet_by_seat.get(seat, 0))


def _pot_limit_blinds(hand: Hand, round_: Round, seat: int) -> OpeningBlinds:
    """The blinds as the pot-limit of the first round counts them, once the seat has called."""
    betting = hand.setup.stakes

    def count_posted(blind: int | None) -> int:
        posted = 0 if blind is None else hand.chips.bet_by_seat.get(blind, 0)
        return round_.current_bet if posted and seat == blind else posted

    middle = zip(betting.middle_blinds, hand.positions.middle_blinds, strict=False)
    return OpeningBlinds(
        small_due=betting.small_blind,
        big_due=betting.big_blind,
        small_posted=count_posted(hand.positions.small_blind),
        big_posted=max(hand.chips.bet_by_seat.get(blind, 0) for blind in hand.positions.big_blinds),
        is_big_blind_to_act=any(blind in round_.queue for blind in hand.positions.big_blinds),
        middle=tuple((due, count_posted(blind)) for due, blind in middle),
        dead_small_count=hand.chips.dead_small_blind_count,
    )


def is_all_in_legal(hand: Hand, round_: Round, seat: int, range_: tuple[int, int] | None) -> bool:
    """Whether going all-in is a legal call, bet or raise."""
    if not hand.setup.tracks_amounts:
        return can_raise(hand, round_, seat) or round_.current_bet > hand.chips.bet_by_seat.get(seat, 0)
    whole = hand.chips.bet_by_seat.get(seat, 0) + hand.chips.stack_by_seat[seat]
    return whole <= (round_.forced_bet if needs_forced_bet(round_) else round_.current_bet) or (
        range_ is not None and whole <= range_[1]
    )


def wager_name(hand: Hand, round_: Round) -> str:
    """What a wager above the call is called now."""
    if (
        has_short_forced_bet(round_)
        and round_.forced_bet < round_.full_raise_size
        and (round_.current_bet < round_.full_raise_size or not hand.setup.tracks_amounts)
    ):
        return "complete"
    if not round_.current_bet:
        return "bet"
    fixed = hand.setup.stakes.structure is FIXED_LIMIT
    return (
        "complete"
        if fixed and round_.current_bet > round_.last_full_wager and is_next_wager_completion(round_)
        else "raise"
    )


def stack_of(hand: Hand, seat: int) -> int:
    """Chips behind."""
    return hand.chips.stack_by_seat[seat] if hand.setup.tracks_amounts else UNTRACKED_STACK


def is_next_wager_completion(round_: Round) -> bool:
    """Whether the next full wager only completes what lies there, a forced bet or an all-in of less than half a bet.

    A short all-in raise of half a bet or more is what must be called, and the next raise is added to it [AU-1.1#raise].
    """
    short = round_.current_bet - round_.last_full_wager
    return short < round_.full_raise_size and not (round_.last_full_wager and 2 * short >= round_.full_raise_size)


def needs_forced_bet(round_: Round) -> bool:
    """Whether the round still waits for its forced bet."""
    return bool(round_.forced_bet) and not round_.current_bet


def has_short_forced_bet(round_: Round) -> bool:
    """Whether the round has a forced bet and nobody has made it a full one [R7-8.stud.6]."""
    return bool(round_.forced_bet) and not round_.last_full_wager
