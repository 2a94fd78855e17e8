"""A tournament as its record of events: entered, begun, paused, eliminated. The same lines give the same tournament."""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.core.rules.questions.house.tournament_rules import SameHandRanking, TournamentRules
from controller.core.tournament.bounties import (
    Knockout,
    is_same_life,
    parse_knockout,
    replace_knockout,
    split_bounty,
)
from controller.core.tournament.finishing_order import Elimination, Finish, award_prizes, rank_finishes
from controller.core.tournament.ledger import Ledger, LedgerKind, LedgerLine, LedgerSide
from controller.core.tournament.money_terms import (
    TENTHS_PER_PERCENT,
    UNSAID_TERMS,
    MoneyTerms,
    parse_cents,
    parse_whole,
)
from controller.core.tournament.payouts import (
    CENTS_PER_UNIT,
    compute_part,
    compute_prizes,
    format_amount,
    split_satellite,
)
from controller.core.tournament.river_jackpot import CardSale, parse_sale, settle_jackpot
from controller.core.tournament.schedule import Schedule
from controller.core.tournament.tournament_clock import ClockError, TournamentClock
from controller.core.values.cards import build_deck
from controller.core.values.plurals import pluralize
from controller.core.values.value import Value, field, replace

MAX_NUMBER = 10**15
"""The largest number of a line, seconds or chips."""
COMMANDS = (
    "start",
    "pause",
    "resume",
    "eliminate",
    "rebuy",
    "add-on",
    "late-entry",
    "re-entry",
    "hand-for-hand",
    "knockout",
    "marker",
    "deal",
    "refund",
    "close",
    "jackpot",
    "river",
)


class TournamentError(ValueError):
    """A line of the record that makes no sense as things stand."""


class ExtraPayment(Value):
    """A rebuy or an add-on: whose, and what of it goes into the prize pool, in whole units."""

    player: str
    amount: int
    kind: LedgerKind


class Tournament(Value):
    """A tournament: its clock, who entered, what was paid (in whole units) and who is out, in the order of time.

    `terms`: what else an entry costs, and where its money goes; those of older records where nobody says any.
    `last_line_s`: the second of the last line. `rules`: whose limits rebuys have; `None` where the event's are
    unlimited. `lost_level_by_player`: player -> level (index from 0) of the last chip; `rebuy_count_by_player`: player
    -> how many. `hand_for_hand_count`: how often the tables have begun to play hand for hand; `is_hand_for_hand`: they
    do now. `late_entry_levels`: until the end of which level one may enter late or again (0: until the event is over);
    `bounty`: what knocking a player out earns, in whole units; `knockouts`: who did it. `marker_buyers`: who was found
    without a bounty marker and has paid for another. `satellite_seat_price`: of a
    satellite, what a seat costs in the event that it leads to, in whole units; 0 for any other event.
    `same_hand_ranking`: the book's word on those who go out on one hand, hand for hand. `deal_cents_by_player`: what
    those who were left have agreed on, in cents; empty where they have not. `refunded_payments`: what was paid for
    entries that do not count, and was paid back. `is_closed`: nothing more is played or paid; `is_abandoned`: the event
    was broken off, and everything is paid back. `card_sale`: of the river jackpot, where cards were sold;
    `river_card`: of the last hand, "" where it had none; `None` until it is said.
    """

    clock: TournamentClock
    entrants: tuple[str, ...]
    buy_in: int
    extra_payments: tuple[ExtraPayment, ...] = ()
    eliminations: tuple[Elimination, ...] = ()
    terms: MoneyTerms = UNSAID_TERMS
    last_line_s: float = 0.0
    rules: TournamentRules | None = None
    lost_level_by_player: Mapping[str, int] = field(default_factory=dict)
    rebuy_count_by_player: Mapping[str, int] = field(default_factory=dict)
    hand_for_hand_count: int = 0
    is_hand_for_hand: bool = False
    late_entry_levels: int = 0
    bounty: int = 0
    knockouts: tuple[Knockout, ...] = ()
    marker_buyers: tuple[str, ...] = ()
    satellite_seat_price: int = 0
    same_hand_ranking: SameHandRanking = SameHandRanking.LARGER_STACK
    deal_cents_by_player: Mapping[str, int] = field(default_factory=dict)
    refunded_payments: tuple[LedgerLine, ...] = ()
    is_closed: bool = False
    is_abandoned: bool = False
    card_sale: CardSale | None = None
    river_card: str | None = None

    @property
    def remaining_players(self) -> tuple[str, ...]:
        """Who still plays."""
        gone = {elimination.player for elimination in self.eliminations}
        return tuple(player for player in self.entrants if player not in gone)

    def split_purse(self) -> tuple[int, int]:
        """(prize pool, what goes to the season's Championship) in cents [FC-10.payouts#a, FC-11.postpay]."""
        terms = self.terms
        buy_ins = self.buy_in * len(self.entrants) * CENTS_PER_UNIT
        more = sum(payment.amount for payment in self.extra_payments) * CENTS_PER_UNIT
        carried = compute_part(buy_ins, terms.carried_tenths)
        more += self.pooled_bounty_cents + self.bounty * len(self.marker_buyers) * CENTS_PER_UNIT
        return buy_ins - carried + more - self.staff_cents + terms.carried_in_cents, carried

    @property
    def pooled_bounty_cents(self) -> int:
        """Bounties in the prize pool, of players whom nobody has knocked out [by default]."""
        return self.bounty * sum(not one.winners for one in self.knockouts) * CENTS_PER_UNIT

    @property
    def staff_cents(self) -> int:
        """What is withheld for the staff of buy-ins, rebuys and add-ons, rounded down to the cent."""
        paid_in = self.buy_in * len(self.entrants) + sum(payment.amount for payment in self.extra_payments)
        return paid_in * CENTS_PER_UNIT * self.terms.staff_tenths // 1000

    def to_championship(self, rakes: int) -> "Tournament":
        """The same event as the Championship of a season: the season's rakes come in, and none goes out.

        A record of an older version has rebuys and add-ons in no such pool: it pays what it paid.
        """
        terms = replace(self.terms, carried_tenths=0, carried_in_cents=rakes * CENTS_PER_UNIT)
        return replace(self, terms=terms, extra_payments=self.extra_payments if self.terms.has_account else ())

    def prizes(self) -> tuple[int, ...]:
        """What each paid place gets, in cents, by the number of players at the start; a seat counts what it costs."""
        purse, players = self.split_purse()[0], len(self.entrants)
        return (
            split_satellite(purse, self.satellite_seat_price * CENTS_PER_UNIT, players)[1]
            if self.satellite_seat_price
            else compute_prizes(self.terms.structure, purse, players)
        )

    @property
    def satellite_seat_count(self) -> int:
        """How many seats of another event a satellite has to give; 0 for any other event."""
        return (
            split_satellite(self.split_purse()[0], self.satellite_seat_price * CENTS_PER_UNIT, len(self.entrants))[0]
            if self.satellite_seat_price
            else 0
        )

    @property
    def is_satellite_over(self) -> bool:
        """Whether a satellite is over: no more players are left than it has seats, or one where it has none."""
        return bool(self.satellite_seat_price) and len(self.remaining_players) <= max(self.satellite_seat_count, 1)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played for: one is left, a satellite's seats are won, or the players have agreed."""
        return len(self.remaining_players) < 2 or self.is_satellite_over or bool(self.deal_cents_by_player)

    def finishes(self) -> tuple[Finish, ...]:
        """The places as far as they are known, with what they win; who is left in a satellite that is over is first.

        Of those who have agreed on a deal the larger share finishes higher, equal ones tie [by default].
        """
        remaining, shares = self.remaining_players, self.deal_cents_by_player
        found = rank_finishes(len(self.entrants), self.eliminations, remaining, self.same_hand_ranking)
        if shares:
            amounts = list(shares.values())
            dealt = [
                Finish(player, 1 + sum(other > share for other in amounts), amounts.count(share), share)
                for player, share in sorted(shares.items(), key=lambda entry: (-entry[1], entry[0]))
            ]
            return (*dealt, *award_prizes(found, self.prizes()))
        left = remaining if self.is_satellite_over and len(remaining) > 1 else ()
        return award_prizes((*(Finish(player, 1, len(left)) for player in left), *found), self.prizes())

    def make_ledger(self) -> Ledger:
        """The event's account as it stands: what was taken in, and what is paid, kept and carried of it.

        Prizes of places and bounties that nobody has yet are still the difference.
        """
        taken = (*self.list_payments(), *self._list_cards_sold())
        brought = LedgerLine(LedgerSide.TAKEN, LedgerKind.SEASON, self.terms.carried_in_cents)
        if self.is_abandoned:
            taken = (*taken, *self.refunded_payments)
            back = [replace(line, side=LedgerSide.PAID, kind=LedgerKind.REFUND) for line in taken]
            brought_in = (brought, self._brought_jackpot)
            given_back = (replace(line, side=LedgerSide.CARRIED) for line in brought_in)
            return _make_ledger(*taken, *brought_in, *back, *given_back)
        refunds = [replace(line, side=LedgerSide.PAID, kind=LedgerKind.REFUND) for line in self.refunded_payments]
        return _make_ledger(
            *taken,
            *self.refunded_payments,
            brought,
            *self._list_prizes(),
            *(
                LedgerLine(LedgerSide.PAID, LedgerKind.BOUNTY, cents, player)
                for player, cents in self.bounty_by_player().items()
            ),
            *refunds,
            LedgerLine(LedgerSide.KEPT, LedgerKind.FEE, sum(one.cents for one in taken if one.kind is LedgerKind.FEE)),
            LedgerLine(LedgerSide.KEPT, LedgerKind.STAFF, self.staff_cents),
            LedgerLine(LedgerSide.CARRIED, LedgerKind.SEASON, self.split_purse()[1]),
            *self._list_jackpot(),
        )

    def list_payments(self) -> tuple[LedgerLine, ...]:
        """What players have paid for entries that count, rebuys and add-ons."""
        terms = self.terms
        entry = ((LedgerKind.BUY_IN, self.buy_in), (LedgerKind.FEE, terms.fee), (LedgerKind.BOUNTY, self.bounty))
        paid = [(player, kind, amount) for player in self.entrants for kind, amount in entry]
        for payment in self.extra_payments:
            fee = terms.rebuy_fee if payment.kind is LedgerKind.REBUY else terms.add_on_fee
            paid += [(payment.player, payment.kind, payment.amount), (payment.player, LedgerKind.FEE, fee)]
            if payment.kind is LedgerKind.REBUY:
                paid.append((payment.player, LedgerKind.BOUNTY, self.bounty))
        paid += [(player, LedgerKind.MARKER, self.bounty) for player in self.marker_buyers]
        return tuple(
            LedgerLine(LedgerSide.TAKEN, kind, amount * CENTS_PER_UNIT, player)
            for player, kind, amount in paid
            if amount
        )

    def _list_cards_sold(self) -> tuple[LedgerLine, ...]:
        sale = self.card_sale
        if sale is None:
            return ()
        buyers = list(sale.buyer_by_card.values())
        return tuple(
            LedgerLine(LedgerSide.TAKEN, LedgerKind.JACKPOT, buyers.count(player) * sale.price * CENTS_PER_UNIT, player)
            for player in dict.fromkeys(buyers)
        )

    @property
    def _brought_jackpot(self) -> LedgerLine:
        cents = self.card_sale.brought_cents if self.card_sale else 0
        return LedgerLine(LedgerSide.TAKEN, LedgerKind.JACKPOT, cents)

    def _list_jackpot(self) -> tuple[LedgerLine, ...]:
        """What rolled over into the jackpot, and what became of it once the last hand's river card is known."""
        if self.card_sale is None or self.river_card is None:
            return (self._brought_jackpot,)
        result = settle_jackpot(self.card_sale, self.river_card)
        return (
            self._brought_jackpot,
            LedgerLine(LedgerSide.PAID, LedgerKind.JACKPOT, result.paid_cents, result.winner),
            LedgerLine(LedgerSide.CARRIED, LedgerKind.JACKPOT, result.rolled_cents),
            LedgerLine(LedgerSide.CARRIED, LedgerKind.SEASON, result.championship_cents),
        )

    def _list_prizes(self) -> tuple[LedgerLine, ...]:
        """What the places that are known have won; one that has a seat of another event has it at what it costs."""
        seats = 0 if self.deal_cents_by_player else self.satellite_seat_count
        return tuple(
            LedgerLine(
                LedgerSide.PAID,
                LedgerKind.SEAT if one.place + one.tied_count - 1 <= seats else LedgerKind.PRIZE,
                one.prize_cents,
                one.player,
            )
            for one in self.finishes()
        )

    def bounty_by_player(self) -> dict[str, int]:
        """What each player has earned by knocking others out, in cents; who is left at the end keeps the own bounty."""
        whole, found = self.bounty * CENTS_PER_UNIT, dict[str, int]()
        kept = len(self.remaining_players) == 1 or (self.is_over and self.terms.has_account)
        own = [Knockout("", (player,)) for player in self.remaining_players] if kept else []
        for knockout in (*self.knockouts, *own) if whole else ():
            for player, cents in split_bounty(whole, knockout).items():
                found[player] = found.get(player, 0) + cents
        return found

    def total_spent(self, player: str) -> int:
        """Buy-in and rebuys of a player, whole units."""
        return self.buy_in + sum(payment.amount for payment in self.extra_payments if payment.player == player)


def _make_ledger(*lines: LedgerLine) -> Ledger:
    return Ledger(tuple(line for line in lines if line.cents))


def has_carried_as_printed(terms: MoneyTerms, rules: TournamentRules) -> bool:
    """Whether a part of the buy-ins goes to the season as the book has it, and by its clause."""
    return bool(terms.carried_tenths) and terms.carried_tenths == TENTHS_PER_PERCENT * rules.carried_percent.value


def require_balance(tournament: Tournament, paid_cents_by_player: Mapping[str, int] | None = None) -> None:
    """Refuse to post an account that does not come out to the cent; raises `TournamentError` with the difference.

    `paid_cents_by_player`: what has been handed out, which is what was won, or nothing where the event is broken off.
    Records of older versions do not say all that was taken in: they have no account.
    """
    if not tournament.terms.has_account:
        return
    paid = {player: cents for player, cents in (paid_cents_by_player or {}).items() if cents}
    if tournament.is_abandoned and paid:
        raise TournamentError(
            f"{', '.join(paid)} has been paid out; what is left is shared by a deal, and nothing is paid back."
        )
    prizes = {finish.player: finish.prize_cents for finish in tournament.finishes()}
    for player, cents in paid.items():
        if cents != prizes.get(player, 0):
            raise TournamentError(
                f"{player} has been paid {format_amount(cents)} and has won {format_amount(prizes.get(player, 0))}: "
                "pay out again, and what is too much comes back."
            )
    ledger = tournament.make_ledger()
    left = ledger.difference_cents
    if not left:
        return
    taken, paid_out = (ledger.sum_kind(side, LedgerKind.BOUNTY) for side in (LedgerSide.TAKEN, LedgerSide.PAID))
    paid_out += tournament.pooled_bounty_cents
    bounties = (
        f" bounties of {format_amount(taken - paid_out)} have nobody: who knocked whom out?"
        if taken != paid_out
        else ""
    )
    if tournament.card_sale is not None and tournament.river_card is None and not tournament.is_abandoned:
        raise TournamentError(
            f"the account does not balance: the jackpot of {format_amount(tournament.card_sale.jackpot_cents)} goes to "
            "nobody yet; which was the river card of the last hand?"
        )
    where = "were taken in and go to nobody" if left > 0 else "go out that were not taken in"
    raise TournamentError(
        f"the account does not balance: {format_amount(abs(left))} {where};{bounties}".rstrip(";")
        + ("" if bounties else ".")
    )


def open_tournament(
    schedule: Schedule, entrants: Sequence[str], buy_in: int, at: float = 0.0, book: TournamentRules | None = None
) -> Tournament:
    """A tournament that has not begun; `book` limits rebuys, where it is given.

    Raises `TournamentError`.
    """
    if len(entrants) < 2 or len(set(entrants)) != len(entrants):
        raise TournamentError("a tournament needs two or more entrants, each with a name of its own.")
    if buy_in < 0:
        raise TournamentError("the buy-in cannot be below 0.")
    return Tournament(TournamentClock(schedule), tuple(entrants), buy_in, last_line_s=at, rules=book)


def apply_line(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """The tournament after a line of its record: `do`, `at` (seconds), what it needs; raises `TournamentError`."""
    at = parse_amount(line, "at")
    if tournament.is_closed:
        raise TournamentError("the event is closed: nothing more is entered.")
    if at < tournament.last_line_s:
        raise TournamentError(f"`at` {at:g} was before the last line of the record, {tournament.last_line_s:g}.")
    return replace(_apply_command(tournament, line, at), last_line_s=at)


def _apply_command(tournament: Tournament, line: Mapping[str, Any], at: float) -> Tournament:
    match line.get("do"):
        case "start" | "pause" | "resume" as word:
            clock = tournament.clock
            change = {"start": clock.start, "pause": clock.pause, "resume": clock.resume}[word]
            try:
                return replace(tournament, clock=change(at))
            except ClockError as error:
                raise TournamentError(str(error)) from error
        case "eliminate":
            return _eliminate_player(tournament, line)
        case "rebuy" | "add-on":
            return _add_payment(tournament, line)
        case "late-entry" | "re-entry":
            return _enter_player(tournament, line)
        case "knockout":
            return _say_knockout_anew(tournament, line)
        case "marker":
            return _buy_marker(tournament, line)
        case "deal":
            return _share_by_deal(tournament, line)
        case "refund":
            return _refund_entry(tournament, line)
        case "jackpot":
            return _sell_jackpot_cards(tournament, line)
        case "river":
            return _say_river_card(tournament, line)
        case "close":
            return _close(tournament, line)
        case "hand-for-hand":
            begun = not tournament.is_hand_for_hand
            return replace(
                tournament, is_hand_for_hand=begun, hand_for_hand_count=tournament.hand_for_hand_count + begun
            )
        case _:
            raise TournamentError(f"`do` cannot be {line.get('do')!r}; it may be {', '.join(COMMANDS)}.")


def _eliminate_player(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    player = _parse_player(line)
    if player not in tournament.remaining_players:
        raise TournamentError(f"{player} does not play any more; there are {', '.join(tournament.remaining_players)}.")
    if len(tournament.remaining_players) == 1:
        raise TournamentError(f"{player} is the last player and has won.")
    _refuse_after_deal(tournament)
    hand, stack, table = int(parse_amount(line, "hand")), int(parse_amount(line, "stack")), str(line.get("table") or "")
    common = tournament.hand_for_hand_count if tournament.is_hand_for_hand else 0
    gone = Elimination(player, hand, stack, bool(line.get("disqualified", False)), table, common)
    if tournament.is_satellite_over and gone.deal_key != (
        tournament.eliminations[-1].deal_key if tournament.eliminations else None
    ):
        raise TournamentError(f"the satellite is over: {_describe_seats_won(tournament)}.")
    before = max((one.hand for one in tournament.eliminations if one.deal_key[0] == gone.deal_key[0]), default=0)
    if hand < before:
        where = f" at table {table}" if table and not common else ""
        raise TournamentError(f"hand {hand} was before hand {before}{where}, on which the last player went out.")
    level = tournament.clock.read(parse_amount(line, "at")).level_index
    knocked, by = tournament.knockouts, _parse_knockout(tournament, line, gone)
    if by is not None:
        knocked = (*knocked, by)
    out, lost = (*tournament.eliminations, gone), {**tournament.lost_level_by_player, player: level}
    return replace(tournament, eliminations=out, lost_level_by_player=lost, knockouts=knocked)


def _parse_knockout(tournament: Tournament, line: Mapping[str, Any], gone: Elimination) -> Knockout | None:
    """Who has knocked a player out, by `by` and `shares` of a line: others who had not gone out before."""
    try:
        by = parse_knockout(line, gone.player, tournament.rebuy_count_by_player.get(gone.player, 0))
    except ValueError as why:
        raise TournamentError(str(why)) from why
    out_before = {one.player for one in tournament.eliminations if one.deal_key[0] == gone.deal_key[0]
                  and one.hand <= gone.hand}  # fmt: skip
    playing = [one for one in tournament.entrants if one not in out_before and one != gone.player]
    for one in by.winners if by else ():
        if one not in playing:
            raise TournamentError(f"{one} does not play any more; there are {', '.join(playing)}.")
    return by


def remove_elimination(tournament: Tournament, player: str) -> Tournament:
    """The same event where a player is not out after all, and nobody has a bounty for it."""
    now = Knockout(player, rebuy_count=tournament.rebuy_count_by_player.get(player, 0))
    return replace(
        tournament,
        eliminations=tuple(gone for gone in tournament.eliminations if gone.player != player),
        knockouts=tuple(one for one in tournament.knockouts if not is_same_life(one, now)),
        lost_level_by_player={one: at for one, at in tournament.lost_level_by_player.items() if one != player},
    )


def _say_knockout_anew(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """Somebody else has knocked out a player who is out, or it is said only now."""
    player = _parse_player(line)
    gone = next((one for one in tournament.eliminations if one.player == player), None)
    if gone is None:
        raise TournamentError(f"{player} is not out: nobody has knocked {player} out.")
    by = _parse_knockout(tournament, line, gone)
    if by is None:
        raise TournamentError("`knockout` wants `by`, who has won the bounty; a list that is empty says nobody.")
    return replace(tournament, knockouts=replace_knockout(tournament.knockouts, by))


def _buy_marker(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """Who is found without a bounty marker pays for another; it is the prize pool's, without a fee [WSOP-T-39.a]."""
    player = _parse_player(line)
    _refuse_after_deal(tournament)
    if not tournament.bounty:
        raise TournamentError("this event has no bounties: nobody needs a marker.")
    if player not in tournament.remaining_players or tournament.is_over:
        raise TournamentError(f"{player} does not play: there are {', '.join(tournament.remaining_players)}.")
    return replace(tournament, marker_buyers=(*tournament.marker_buyers, player))


def _refuse_after_deal(tournament: Tournament) -> None:
    if tournament.deal_cents_by_player:
        raise TournamentError(f"{', '.join(tournament.deal_cents_by_player)} have agreed on a deal: the event is over.")


def _share_by_deal(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """Those who are left share what is left of the prizes, all of them and all of it [R7-15.tourn.37]: `shares`."""
    _refuse_after_deal(tournament)
    left, said = tournament.remaining_players, line.get("shares")
    if len(left) < 2 or tournament.is_satellite_over:
        raise TournamentError("the event is over: there is nothing left to be shared.")
    if not isinstance(said, Mapping) or set(said) != set(left):
        raise TournamentError(f"a deal has a share for everybody who is left (R7-15.tourn.37): {', '.join(left)}.")
    try:
        shares = {player: parse_cents(said[player], f"share of {player}") for player in left}
    except ValueError as why:
        raise TournamentError(str(why)) from why
    prizes = sum(tournament.prizes()[: len(left)])
    apart = sum(shares.values()) - prizes
    if apart:
        raise TournamentError(
            f"{format_amount(prizes)} of prizes are left; the shares come to {format_amount(abs(apart))} "
            f"{'more' if apart > 0 else 'less'}."
        )
    return replace(tournament, deal_cents_by_player=shares)


def _refund_entry(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """An entry does not count: all that was paid for it is paid back, and its player takes no part and has no place."""
    player, left = _parse_player(line), tournament.remaining_players
    _refuse_after_deal(tournament)
    if not tournament.terms.has_account:
        raise TournamentError(
            "this record keeps no account: its `load` says nothing of `payouts`, so nothing is refunded."
        )
    if player not in left or len(left) < 2 or tournament.is_satellite_over:
        raise TournamentError(
            f"{player} cannot be refunded; of those who play, {', '.join(left)}, one at least goes on."
        )
    paid = tuple(one for one in tournament.list_payments() if one.player == player)  # cards of a jackpot stay sold
    return replace(
        tournament,
        entrants=tuple(one for one in tournament.entrants if one != player),
        extra_payments=tuple(one for one in tournament.extra_payments if one.player != player),
        marker_buyers=tuple(one for one in tournament.marker_buyers if one != player),
        knockouts=tuple(one for one in tournament.knockouts if one.player != player),
        refunded_payments=(*tournament.refunded_payments, *paid),
    )


def _sell_jackpot_cards(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """Cards of the river jackpot are sold, once an event: `sold`, `price`, `brought`, `last` [FC-11.side.jackpot]."""
    if not tournament.terms.has_account:
        raise TournamentError("this record keeps no account: no cards are sold here.")
    if tournament.card_sale is not None or tournament.is_over:
        raise TournamentError("the cards of the jackpot are sold once, before the event is over.")
    try:
        brought = parse_cents(line.get("brought", 0), "brought")
        sale = parse_sale(line, tournament.entrants, brought, parse_whole(line.get("price", 1), "price"))
    except ValueError as why:
        raise TournamentError(str(why)) from why
    return replace(tournament, card_sale=sale)


def _say_river_card(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """The river card of the last hand, `card`; "" where that hand ended before it [FC-11.side.jackpot]."""
    card = line.get("card")
    if tournament.card_sale is None:
        raise TournamentError("no cards of a jackpot were sold.")
    if not tournament.is_over:
        raise TournamentError("it is the river card of the last hand that counts, and the event is not over.")
    if not isinstance(card, str) or (card and card not in build_deck()):
        raise TournamentError(f"`river` wants `card`, rank and suit, or an empty text for none; it is {card!r}.")
    return replace(tournament, river_card=card)


def _close(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """Nothing more is played, and the account comes out; `abandon` breaks an event off and pays everything back."""
    is_abandoned = not tournament.is_over and line.get("abandon") is True
    if not tournament.is_over and not is_abandoned:
        raise TournamentError(
            f"{len(tournament.remaining_players)} players still play; `close` with `abandon` breaks the event off."
        )
    closed = replace(tournament, is_closed=True, is_abandoned=is_abandoned)
    require_balance(closed)
    return closed


def _describe_seats_won(tournament: Tournament) -> str:
    return f"{pluralize(tournament.satellite_seat_count, 'seat')} for {', '.join(tournament.remaining_players)}"


def _enter_player(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    """A new entrant with a full stack: a late or alternate player, or one without chips who enters again [WSOP-T-13].

    Who enters again is a participant of its own, `Name (2)`: the place of the first entry stands.
    """
    player, last = _parse_player(line), tournament.late_entry_levels
    level = tournament.clock.read(parse_amount(line, "at")).level_index
    if tournament.is_satellite_over:
        raise TournamentError(f"the satellite is over: {_describe_seats_won(tournament)}.")
    _refuse_after_deal(tournament)
    if (last and level >= last) or len(tournament.remaining_players) < 2:
        raise TournamentError(f"nobody enters any more: entry was open until the end of level {last or level + 1}.")
    if line["do"] == "late-entry":
        if player in tournament.entrants:
            raise TournamentError(f"{player} has entered; who has lost all chips enters again by re-entry.")
        return replace(tournament, entrants=(*tournament.entrants, player))
    entries = [name for name in tournament.entrants if name == player or name.startswith(f"{player} (")]
    if not entries:
        raise TournamentError(f"{player} has not entered; a first entry is late-entry.")
    if entries[-1] in tournament.remaining_players:
        raise TournamentError(f"{entries[-1]} still has chips; who has none left enters again.")
    return replace(tournament, entrants=(*tournament.entrants, f"{player} ({len(entries) + 1})"))


def _add_payment(tournament: Tournament, line: Mapping[str, Any]) -> Tournament:
    player, amount = _parse_player(line), parse_units(line, "amount", has_account=tournament.terms.has_account)
    if player not in tournament.entrants or amount < 1:
        raise TournamentError(f"{line['do']} wants an entrant and an amount above 0.")
    out = tournament.eliminations
    _refuse_after_deal(tournament)
    if tournament.is_satellite_over:
        raise TournamentError(f"the satellite is over: {_describe_seats_won(tournament)}.")
    if line["do"] == "rebuy":
        if player in tournament.remaining_players:
            raise TournamentError(f"{player} still has chips; a rebuy is for who has lost all.")
        _refuse_rebuy(tournament, player, line)
        paid_before = tournament.rebuy_count_by_player.get(player, 0)
        out = tuple(gone for gone in out if gone.player != player)
        tournament = replace(
            tournament, rebuy_count_by_player={**tournament.rebuy_count_by_player, player: paid_before + 1}
        )
    kind = LedgerKind.REBUY if line["do"] == "rebuy" else LedgerKind.ADD_ON
    paid = ExtraPayment(player, amount, kind)
    return replace(tournament, eliminations=out, extra_payments=(*tournament.extra_payments, paid))


def _refuse_rebuy(tournament: Tournament, player: str, line: Mapping[str, Any]) -> None:
    """Refuse a rebuy beyond the book's number, level or time [FC-10.rebuy.2, FC-10.rebuy.4(a)]."""
    book = tournament.rules
    if book is None:
        return
    most, last, made = book.rebuys, book.rebuy_levels, tournament.rebuy_count_by_player.get(player, 0)
    level = tournament.clock.read(parse_amount(line, "at")).level_index
    lost = tournament.lost_level_by_player.get(player, level)
    if most.value and made >= most.value:
        raise TournamentError(f"{player} has had {pluralize(made, 'rebuy')}, no more are allowed ({most.source}).")
    if not last.value:
        return
    if level >= last.value:
        raise TournamentError(f"no rebuy after level {last.value} ({last.source}).")
    if level > lost + 1 or (level > lost and not line.get("last_hand")):
        raise TournamentError(
            f"{player} could buy in again on level {lost + 1}, that of the loss ({last.source}); who went out on its "
            "last hand has two hands more, and `--last-hand` says so."
        )


def parse_amount(line: Mapping[str, Any], key: str) -> float:
    """A number of a line; raises `TournamentError`."""
    value = line.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MAX_NUMBER:
        raise TournamentError(f"`{line.get('do')}` wants `{key}`, a number from 0; it is {value!r}.")
    return value


def parse_units(line: Mapping[str, Any], key: str, *, has_account: bool) -> int:
    """An amount of a line in whole units; raises `TournamentError`.

    In an account nothing is lost of it: half a unit is refused. Records of older versions, which have none, lose it.
    """
    value = parse_amount(line, key)
    if has_account and value != int(value):
        raise TournamentError(f"`{line.get('do')}` wants `{key}` in whole units, without cents; it is {value!r}.")
    return int(value)


def _parse_player(line: Mapping[str, Any]) -> str:
    value = line.get("player")
    if not isinstance(value, str):
        raise TournamentError(f"`{line.get('do')}` wants `player`, a name; it is {value!r}.")
    return value
