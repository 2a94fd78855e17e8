"""Cards of a street that lie elsewhere than the plan sent them, and streets that are dealt again.

The plan sends each card that leaves the shoe to its first step. Where the dealer says that the cards lie otherwise,
they are taken off their steps (`recalled`), which come again, and put where they lie (`lie`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from controller.core.model.hand import Hand, Laid, StreetChange
from controller.core.protocol.steps import Award, Board, Burn, Cut, Deal, Move, Return, Shuffle, Step
from controller.core.values.piles import ASIDE, BOARD, BURN, STUB
from controller.core.values.value import replace

ORDER = (BOARD, BURN, ASIDE)
"""In which order cards go back to be shuffled."""


def cards_of(hand: Hand, street: int) -> tuple[Laid, ...]:
    """The burns and board cards of a street that lie there and that no step takes away, as they left the shoe."""
    away = _leaving(hand)
    return tuple(
        card
        for card in hand.cards.laid
        if card.of == street and card.serial not in away and hand.cards.piles.place_of(card.serial) in (BURN, BOARD)
    )


def _leaving(hand: Hand) -> frozenset[int]:
    """Cards that a step takes away from where they lie."""
    return frozenset(serial for step in hand.plan.every(Return, Move) for serial in step.cards)


def recalled(hand: Hand, cards: Sequence[Laid]) -> None:
    """These cards have not had their steps: the steps come again, before the other regular ones."""
    for card in reversed(cards):
        board = Board(hand.setup.game.streets[card.of].name, 1, of=card.of)
        hand.plan = hand.plan.once_more(Burn(of=card.of) if card.burned else board, after_ruled=True)
    hand.cards = replace(hand.cards, laid=tuple(card for card in hand.cards.laid if card not in cards))
    _forget(hand, tuple(card.serial for card in cards))


def _forget(hand: Hand, serials: Collection[int]) -> None:
    """The step of the last card is not to come again when it proves a scrap of paper: it is ruled on already."""
    if hand.cards.last is not None and hand.cards.last.serial in serials:
        hand.cards = replace(hand.cards, last=None)


def lie(hand: Hand, serials: Iterable[int], place: str) -> None:
    """The dealer says that these cards lie at `place`; they are no longer asked about."""
    placed = tuple(serials)
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.sent(placed, place, up=place == BOARD),
        undue=tuple(serial for serial in hand.cards.undue if serial not in placed),
    )
    _forget(hand, placed)


def had(hand: Hand, street: int, burned: Iterable[int], boarded: Iterable[int]) -> None:
    """These cards had the street's steps: its burn, and as many of its board cards."""
    boarded = tuple(boarded)
    without_burn(hand, street)
    board = next((step for step in hand.plan.every(Board) if step.of == street), None)
    if board and boarded:
        hand.plan = hand.plan.served(board, len(boarded))
    laid = (*(Laid(serial, street, True) for serial in burned), *(Laid(serial, street, False) for serial in boarded))
    hand.cards = replace(hand.cards, laid=(*hand.cards.laid, *laid))


def without_burn(hand: Hand, street: int) -> bool:
    """The street needs no burn any more; says whether one was on the plan."""
    burn = next((step for step in hand.plan.every(Burn) if step.of == street), None)
    if burn is None:
        return False
    hand.plan = hand.plan.less(burn)
    return True


def burn_made(hand: Hand) -> bool:
    """A card stands for the next burn, which falls away; says whether one is due any more."""
    burn = hand.plan.next(Burn)
    if burn is not None:
        hand.plan = hand.plan.less(burn)
        return True
    if (
        sum(burns(hand, street) for street in range(hand.streets.planned + 1, len(hand.setup.game.streets)))
        <= hand.cards.burns_made
    ):
        return False
    hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made + 1)
    return True


def burns(hand: Hand, street: int) -> bool:
    """Whether a street that is not planned yet burns."""
    change = hand.streets.changes.get(street, StreetChange())
    return (hand.setup.game.streets[street].burn if change.burn is None else change.burn) and not change.whole


def burn_unmade(hand: Hand) -> None:
    """The card does not come to lie there after all: the next street burns as always."""
    if hand.cards.burns_made > 0:
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made - 1)
        return
    later = next((step for step in hand.plan.every(Board, Deal) if step.of > 0), None)
    if later is not None:
        hand.plan = hand.plan.before(later, Burn(of=later.of))


def back(places: Mapping[str, tuple[int, ...]], what: Mapping[str, str]) -> tuple[Step, ...]:
    """The steps by which cards go back into the stub, a step a pile; `what`: what a return from a place is called."""
    return tuple(
        Return(what[place], place, STUB, len(places[place]), places[place], ruled=True)
        for place in ORDER
        if places.get(place)
    )


def lying(hand: Hand, serials: Collection[int]) -> dict[str, tuple[int, ...]]:
    """Where these cards lie."""
    return {
        place: tuple(card.serial for card in hand.cards.piles.at(place) if card.serial in serials) for place in ORDER
    }


def flop_again(hand: Hand, street: int, serials: Sequence[int]) -> None:
    """The flop, already recalled, is shuffled back at once and dealt again. `serials`: the board cards that go back."""
    board = hand.setup.rulebook.board[hand.setup.game.form]
    burns = all_burns(hand) if board.burn_back.value else ()
    if burns:
        hand.cards = replace(hand.cards, burns_made=0)
    without_burn(hand, street)
    again = (Burn(of=street),) if board.burn_again.value else ()
    steps = back(lying(hand, (*serials, *burns)), {BOARD: "board", BURN: "burn", ASIDE: "board"})
    hand.plan = hand.plan.first(*steps, Shuffle(ruled=True), Cut(ruled=True), *again)
    hand.cards = replace(hand.cards, laid=tuple(card for card in hand.cards.laid if card.of != street))


def all_burns(hand: Hand) -> tuple[int, ...]:
    """Every card among the burns that no step takes away already."""
    away = _leaving(hand)
    return tuple(card.serial for card in hand.cards.piles.at(BURN) if card.serial not in away)


def shuffled_back_before(hand: Hand, street: int, places: Mapping[str, tuple[int, ...]], burn: bool | None) -> None:
    """Before a street to come these cards go back into the stub; what goes back there already goes with them."""
    hand.cards = replace(hand.cards, burns_made=max(hand.cards.burns_made, 0))
    change = hand.streets.changes.get(street, StreetChange())
    together = {place: tuple(places.get(place, ())) for place in ORDER}
    for step in change.before.every(Return):
        together[step.source] = (*step.cards, *(s for s in together[step.source] if s not in step.cards))
    steps = back(together, {BOARD: "premature", BURN: "burn", ASIDE: "premature"})
    before = change.before.without(Return, Shuffle, Cut).then(*steps, Shuffle(ruled=True), Cut(ruled=True))
    hand.streets = replace(
        hand.streets, changes={**hand.streets.changes, street: replace(change, before=before, burn=burn, whole=False)}
    )


def awards_off(hand: Hand) -> None:
    """Cards are still to come: what was planned to be pushed is found anew when they lie there."""
    if len(hand.betting.live) == 1 or not hand.plan.has(Award):
        return
    hand.plan = hand.plan.without(Award)
    hand.showdown = replace(hand.showdown, won={})
    if all(seat in hand.showdown.tabled for seat in hand.betting.live):
        hand.showdown = replace(hand.showdown, hands_up=True)


def uncollected(hand: Hand) -> None:
    """The last round is not over after all: its bets lie before the seats again, what nobody had called too."""
    bets = dict(hand.chips.paid_last)
    if not hand.setup.tracked:
        hand.chips = replace(hand.chips, bets=bets)
        return
    paid = {seat: chips - bets.get(seat, 0) for seat, chips in hand.chips.paid.items()}
    stacks = dict(hand.chips.stacks)
    for seat, chips in hand.given_up.uncalled.items():
        bets[seat] = bets.get(seat, 0) + chips
        stacks[seat] -= chips
        if not stacks[seat]:
            hand.betting = replace(hand.betting, all_in=hand.betting.all_in | {seat})
    hand.chips = replace(hand.chips, bets=bets, paid=paid, stacks=stacks, paid_last={})
    hand.given_up = replace(hand.given_up, uncalled={})
