"""Forced bets: antes, blinds, posts and straddles, and the first betting round that they open."""

from collections.abc import Mapping

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.setup import AntePayer, BettingStructure, Setup, Stakes
from controller.core.play.betting import betting_round, pots
from controller.core.play.posting import kill_pots, position_poker
from controller.core.protocol.steps import PostStep
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.games import StreetOpener
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.plurals import pluralize
from controller.core.values.seat_order import seats_after
from controller.core.values.seat_state import SeatState
from controller.core.values.value import replace


def post_forced_bets(
    hand: Hand, posting: tuple[SeatState, ...], missed: Mapping[int, int], full_stakes: Stakes
) -> None:
    """Antes with those `missed`, blinds, then the posts of those who make up blinds or enter.

    `full_stakes`: with the blinds that fall away on this hand, as somebody may owe one.
    """
    stakes = hand.setup.stakes
    if hand.setup.tracks_amounts:
        _post_antes(hand, missed)
        if hand.positions.small_blind is not None and stakes.small_blind:
            pots.wager(hand, hand.positions.small_blind, stakes.small_blind)
        for middle, amount in zip(hand.positions.middle_blinds, stakes.middle_blinds, strict=False):
            if middle is not None:
                pots.wager(hand, middle, amount)
        for seat in hand.positions.big_blinds:
            if stakes.big_blind:
                pots.wager(hand, seat, stakes.big_blind)
        for chair in posting:
            posted = hand.chips.bet_by_seat.get(chair.seat, 0)
            full = hand.setup.replace_stakes(full_stakes)
            live, dead = amounts_to_post(full, chair, posted, kills=chair.seat == hand.kill.killer)
            pots.wager(hand, chair.seat, live)
            if dead:
                pots.post_dead_money(hand, chair.seat, dead)
                smalls = hand.chips.dead_small_blind_count + chair.owes_small_blind
                hand.chips = replace(hand.chips, dead_small_blind_count=smalls)
        if stakes.button_ante:
            for seat in hand.dealing_order:
                pots.wager(hand, seat, stakes.ante * (2 if seat == hand.positions.button else 1))
        if stakes.ante and stakes.ante_payer is AntePayer.BIG_BLIND and hand.positions.big_blinds:
            payer = last_blind_seat(hand)
            assert payer is not None
            pots.post_dead_money(hand, payer, stakes.ante)
    elif stakes.button_ante:
        hand.chips = replace(
            hand.chips,
            bet_by_seat={
                seat: betting_round.UNTRACKED_WAGER if seat == hand.positions.button else 1
                for seat in hand.dealing_order
            },
        )
    elif hand.positions.big_blinds:
        whole = [
            chair.seat
            for chair in posting
            if chair.was_never_dealt_in or chair.owes_big_blind or _posts_last_blind(hand.setup, chair, full_stakes)
        ]
        hand.chips = replace(
            hand.chips, bet_by_seat=dict.fromkeys((*hand.positions.big_blinds, *whole), betting_round.UNTRACKED_WAGER)
        )
        hand.chips = replace(
            hand.chips,
            bet_by_seat=hand.chips.bet_by_seat | ({chair.seat: 1 for chair in posting if chair.seat not in whole}),
        )
        if hand.positions.small_blind is not None and hand.positions.small_blind not in whole:
            hand.chips = replace(hand.chips, bet_by_seat={**hand.chips.bet_by_seat, hand.positions.small_blind: 1})
        lesser = {
            seat: betting_round.UNTRACKED_WAGER if amount == stakes.big_blind else 1
            for seat, amount in zip(hand.positions.middle_blinds, stakes.middle_blinds, strict=False)
            if seat is not None and seat not in whole
        }
        hand.chips = replace(hand.chips, bet_by_seat={**hand.chips.bet_by_seat, **lesser})


def _posts_last_blind(setup: Setup, chair: SeatState, stakes: Stakes) -> bool:
    """Whether what it owes of several blinds is dead, and the last one is posted live beside it."""
    return bool(stakes.middle_blinds) and setup.rulebook.people.missed_lesser_dead.value and chair.owes_blinds


def amounts_to_post(setup: Setup, chair: SeatState, blind: int, *, kills: bool = True) -> tuple[int, int]:
    """What a chair posts to come in, beside a regular `blind` that it has posted: (live, dead).

    A newcomer posts the big blind [R7-4.blinds.5b], or `kills` the pot, and then the kill is all of it. A player who
    missed blinds posts all of them; up to the opening bet is live, the rest goes dead to the pot [R7-4.blinds.10,
    HR-blinds.9], or only the big blind is live [WSOP-L-156]. Of three blinds or more the lesser ones may be dead,
    beside the last one [WSOP-L-187].
    """
    stakes, people = setup.stakes, setup.rulebook.people
    is_posting_kill = kill_pots.is_posting_kill(setup, chair)
    if is_posting_kill and not kills:
        return max(0, stakes.big_blind - blind), 0
    if is_posting_kill or (chair.pledges_kill and setup.game.rules_form in setup.rulebook.lowball):
        return 0, 0
    if chair.was_never_dealt_in:
        book = setup.rulebook.procedure[setup.game.rules_form]
        big_bet = stakes.structure in (BettingStructure.NO_LIMIT, BettingStructure.POT_LIMIT)
        return 0 if big_bet and not book.entry_post_big_bet.value else book.entry_post.value * stakes.big_blind, 0
    lesser = stakes.small_blind * chair.owes_small_blind
    lesser += sum(amount for place, amount in enumerate(stakes.middle_blinds) if place in chair.owed_middle_blinds)
    if _posts_last_blind(setup, chair, stakes):
        return max(0, stakes.big_blind - blind), lesser
    owed_big = stakes.big_blind * chair.owes_big_blind
    owed = owed_big + lesser
    may_live = owed_big if people.missed_lesser_dead.value else owed
    live = min(may_live, max(0, stakes.big_blind - blind)) if people.missed_dead.value else owed
    return live, owed - live


def _post_antes(hand: Hand, missed: Mapping[int, int]) -> None:
    """The antes; a player without chips has none to pay and is all-in."""
    stakes = hand.setup.stakes
    each = stakes.ante if stakes.ante_payer is AntePayer.EACH else 0
    for seat in hand.dealing_order:
        due = each + missed.get(seat, 0)
        if due or not hand.chips.stack_by_seat[seat]:
            pots.ante(hand, seat, due)
    hand.openers = replace(hand.openers, ante_by_seat=dict(hand.chips.paid_earlier_by_seat))


def open_first_round(hand: Hand) -> None:
    """Begin the betting before the flop: left of the blinds, or left of the button where there are none.

    A kill is a blind; without any other the action begins left of the killer, who acts last [WSOP-L-190].
    """
    opener = hand.setup.game.streets[0].opener
    if hand.kill.killer is None and opener not in (StreetOpener.LEFT_OF_BLINDS, StreetOpener.LEFT_OF_BUTTON):
        return
    stakes = hand.setup.stakes
    blind = (
        kill_pots.find_kill_amount(hand)
        if hand.kill.killer is not None
        else stakes.big_blind
        if hand.positions.big_blinds
        else stakes.small_blind
        if hand.positions.small_blind is not None
        else stakes.button_ante
    )
    forced = (betting_round.UNTRACKED_WAGER if blind else 0) if not hand.setup.tracks_amounts else blind
    last = last_blind_seat(hand)
    ring = position_poker.preflop_order(
        hand, hand.dealing_order if last is None else seats_after(hand.dealing_order, last)
    )
    if hand.kill.killer is not None and kill_pots.is_killer_last_to_act(hand.setup):
        ring = (*(seat for seat in ring if seat != hand.kill.killer), hand.kill.killer)
    betting_round.begin_round(hand, 0, ring, forced)


def last_blind_seat(hand: Hand) -> int | None:
    """The blind farthest clockwise from the button, one posted on the button itself aside; an over-blind is one."""
    if hand.chips.straddler is not None:
        return hand.chips.straddler
    if hand.positions.button is None:
        return hand.kill.killer
    if not hand.setup.stakes.big_blind or not hand.positions.big_blinds:
        return hand.positions.small_blind
    button = None if is_big_blind_on_button(hand) else hand.positions.button
    others = [seat for seat in hand.positions.big_blinds if seat != button] or hand.positions.big_blinds
    return max(others, key=lambda seat: hand.dealing_order.index(seat) if seat in hand.dealing_order else -1)


def is_big_blind_on_button(hand: Hand) -> bool:
    """Whether the last of as many blinds as players is the button's own, so that it is the last of the ring."""
    stakes, players = hand.setup.stakes, len(hand.dealing_order)
    return bool(stakes.middle_blinds) and not stakes.is_first_blind_on_button and len(stakes.blinds) == players


def accept_post(hand: Hand, step: PostStep) -> None:
    """A post that the dealer had to see to lies there: a dead one in the pot, any other before the seat."""
    if not hand.setup.tracks_amounts:
        return
    if step.kind == "dead":
        pots.post_dead_money(hand, step.seat, step.amount)
    else:
        pots.wager(hand, step.seat, step.amount)
    if hand.round is not None and step.seat in hand.betting.all_in_seats:
        hand.round = replace(hand.round, queue=tuple(seat for seat in hand.round.queue if seat != step.seat))
        betting_round.close_round_if_no_action(hand)


def chop(hand: Hand) -> None:
    """Everybody else has folded: the blinds take their bets back and the hand ends [R7-2.proc.15#b].

    Raises `Refused` (`chop`).
    """
    people, round_ = hand.setup.rulebook.people, hand.round
    rule = people.chop_tournament if hand.setup.mode is GameMode.TOURNAMENT and people.chop.value else people.chop
    blinds = set(hand.positions.blind_seats)
    if not rule.value:
        where = " in a tournament" if rule is people.chop_tournament else ""
        raise Refused("chop", f"the blinds may not take their bets back{where} ({rule.source}); play the hand.")
    if (
        round_ is None
        or round_.street
        or not set(hand.betting.live_seats) <= blinds
        or len(hand.betting.live_seats) != len(blinds)
    ):
        raise Refused("chop", "blinds are taken back before the flop, when everybody but the blinds has folded.")
    kill = hand.setup.rulebook.kill.chop
    if hand.kill.killer in blinds and not kill.value:
        why = f"the blind of seat {hand.kill.killer} killed the pot"
        raise Refused("chop", f"{why}: nobody takes a blind back ({kill.source}); play the hand.")
    others = any(bet and seat not in blinds for seat, bet in hand.chips.bet_by_seat.items())
    if (
        round_.aggressor is not None
        or hand.chips.straddle_count
        or others
        or hand.chips.paid_earlier_by_seat
        or hand.chips.dead_chips
    ):
        raise Refused("chop", "there are other chips in the pot than the blinds; play the hand.")
    if hand.setup.tracks_amounts:
        hand.chips = replace(
            hand.chips,
            stack_by_seat={
                seat: stack + hand.chips.bet_by_seat.get(seat, 0) for seat, stack in hand.chips.stack_by_seat.items()
            },
        )
    hand.chips = replace(hand.chips, bet_by_seat={})
    hand.betting = replace(hand.betting, all_in_seats=frozenset())
    hand.plan = NO_STEPS


def max_straddles_rule(setup: Setup) -> Rule[int]:
    """How many live straddles a hand may have at these stakes."""
    book = setup.rulebook.betting
    return book.straddle_limit if _is_limit(setup) else book.straddle_big_bet


def _is_limit(setup: Setup) -> bool:
    return setup.stakes.structure in (BettingStructure.FIXED_LIMIT, BettingStructure.SPREAD_LIMIT)


def straddle(hand: Hand, seat: int, to: int | None = None, *, comes_in: bool = False) -> tuple[Ruling, ...]:
    """Post a live straddle: twice the last blind or straddle, last to act before the flop [R7-14.nl.15, HR-nl.11].

    It sets the minimum bet of every round [R7-14.nl.2, R7-14.nl.3, HR-nl.2#b]. `to`: its size, where it is named. The
    one straddle from under the gun goes back when the button straddles [WSOP-L-11], unless its player `comes_in` by it.

    Raises `Refused` (`straddle-late`, `straddle-not-allowed`, `amount`).
    """
    round_ = hand.round
    book = hand.setup.rulebook.betting
    limit, rule = _is_limit(hand.setup), max_straddles_rule(hand.setup)
    draw = hand.setup.rulebook.exchange.get(hand.setup.game.rules_form)
    if draw is not None and not rule.value:
        rule = draw.over_blind
    allowed = 0 if hand.setup.mode is GameMode.TOURNAMENT else rule.value
    if hand.cards.piles.dealt_count:
        raise Refused("straddle-late", "a straddle is posted before the first card; a card has left the shoe.")
    if not allowed or round_ is None or not hand.positions.big_blinds:
        raise Refused("straddle-not-allowed", f"no straddle here ({rule.source}); deal the first card.")
    killed = hand.setup.rulebook.kill.straddle
    if hand.kill.killer is not None and not killed.value:
        raise Refused("straddle-not-allowed", f"no straddle in a killed pot ({killed.source}); deal the first card.")
    button = hand.positions.button if book.straddle_button.value and not limit else None
    button = button if button in hand.dealing_order else None
    said: tuple[Ruling, ...] = ()
    if hand.chips.straddle_count >= allowed:
        if seat != button or not hand.chips.yielding_straddle:
            raise Refused(
                "straddle-not-allowed", f"this hand has its {pluralize(allowed, 'straddle')} ({rule.source})."
            )
        said = (_return_straddle(hand, seat),)
        round_ = hand.round_in_play
    last = round_.acting_order[-1] if hand.chips.straddle_count else last_blind_seat(hand)
    due = seats_after(hand.dealing_order, last)[0] if last is not None else round_.acting_order[0]
    if seat not in (due, button):
        raise Refused("straddle-not-allowed", f"only seat {due}, left of the last blind, may straddle.")
    amount = 2 * round_.current_bet if hand.setup.tracks_amounts else round_.current_bet + betting_round.UNTRACKED_WAGER
    if to not in (None, amount if hand.setup.tracks_amounts else None):
        size = (
            f"a straddle of seat {seat} is {amount}, not {to}" if hand.setup.tracks_amounts else "amounts are untracked"
        )
        raise Refused("amount", f"{size}; leave `to` out.")
    added = amount - hand.chips.bet_by_seat.get(seat, 0)
    yields = added if button not in (None, seat) and allowed == 1 and not comes_in else 0
    if hand.setup.tracks_amounts:
        hand.chips = replace(hand.chips, straddle_total=amount if book.straddle_doubles.value else 0)
        if hand.chips.stack_by_seat[seat] < added:
            raise Refused(
                "straddle-not-allowed", f"a straddle is {amount}; seat {seat} has {hand.chips.stack_by_seat[seat]}."
            )
        pots.wager(hand, seat, added)
    else:
        hand.chips = replace(hand.chips, bet_by_seat={**hand.chips.bet_by_seat, seat: amount})
    hand.chips = replace(
        hand.chips, straddle_count=hand.chips.straddle_count + 1, straddler=seat, yielding_straddle=yields
    )
    ring = (*(other for other in round_.acting_order if other != seat), seat)
    if seat != due and book.straddle_button_opens_left.value:
        ring = seats_after(hand.dealing_order, seat)
    betting_round.begin_round(hand, 0, ring, amount)
    assert hand.round is not None
    full = hand.round.full_raise_size if book.straddle_doubles.value else round_.full_raise_size
    hand.round = replace(hand.round, wager_count=round_.wager_count, full_raise_size=full)
    return said


def _return_straddle(hand: Hand, button: int) -> Ruling:
    """The straddle from under the gun goes back to its player: the button has precedence [WSOP-L-11]."""
    chips, seat = hand.chips, hand.chips.straddler
    assert seat is not None
    left = chips.bet_by_seat[seat] - chips.yielding_straddle
    others = {other: bet for other, bet in chips.bet_by_seat.items() if other != seat}
    stack = {seat: chips.stack_by_seat[seat] + chips.yielding_straddle} if hand.setup.tracks_amounts else {}
    hand.chips = replace(
        chips,
        stack_by_seat=chips.stack_by_seat | stack,
        bet_by_seat=others | ({seat: left} if left else {}),
        straddle_count=0,
        straddler=None,
        straddle_total=0,
        yielding_straddle=0,
    )
    hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats - {seat})
    open_first_round(hand)
    sentence = said.STRADDLE_YIELDS.format(seat=seat, button=button)
    return build_ruling("straddle", Verdict.CORRECT, hand.setup.rulebook.betting.straddle_button, sentence, seat)
