"""Cards of a street that lie elsewhere than the plan sent them, and streets that are dealt again.

The plan sends each card that leaves the shoe to its first step. Where the dealer says that the cards lie otherwise,
they are taken off their steps (`recall_cards`), which come again, and put where they lie (`place_cards`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from controller.core.model.hand import Hand, StreetCard
from controller.core.protocol.steps import (
    AwardStep,
    BoardStep,
    BurnStep,
    CollectStep,
    CutStep,
    DealStep,
    MoveStep,
    ReturnStep,
    ShuffleStep,
    Step,
)
from controller.core.rules import ruling_sentences as said
from controller.core.values.piles import ASIDE, BOARD, BURN, STUB, hand_place, seat_of_place
from controller.core.values.value import replace

RETURN_ORDER = (BOARD, BURN, ASIDE)
"""In which order cards go back to be shuffled."""


def street_cards(hand: Hand, street: int) -> tuple[StreetCard, ...]:
    """The burns and board cards of a street that lie there and that no step takes away, as they left the shoe."""
    away = _departing_serials(hand)
    return tuple(
        card
        for card in hand.cards.street_cards
        if card.street_index == street
        and card.serial not in away
        and hand.cards.piles.find_place(card.serial) in (BURN, BOARD)
    )


def _departing_serials(hand: Hand) -> frozenset[int]:
    """Cards that a step takes away from where they lie."""
    return frozenset(serial for step in hand.plan.steps_of_type(ReturnStep, MoveStep) for serial in step.serials)


def recall_cards(hand: Hand, cards: Sequence[StreetCard]) -> None:
    """These cards have not had their steps: the steps come again, before the other regular ones."""
    for card in reversed(cards):
        board = BoardStep(hand.setup.game.streets[card.street_index].name, 1, street_index=card.street_index)
        hand.plan = hand.plan.repeat_step(
            BurnStep(street_index=card.street_index) if card.is_burn else board, after_ruled=True
        )
    hand.cards = replace(hand.cards, street_cards=tuple(card for card in hand.cards.street_cards if card not in cards))
    _forget_last_card(hand, tuple(card.serial for card in cards))


def _forget_last_card(hand: Hand, serials: Collection[int]) -> None:
    """The step of the last card is not to come again when it proves a scrap of paper: it is ruled on already."""
    if hand.cards.last_dealt is not None and hand.cards.last_dealt.serial in serials:
        hand.cards = replace(hand.cards, last_dealt=None)


def place_cards(hand: Hand, serials: Iterable[int], place: str, *, up: bool = False) -> None:
    """The dealer says that these cards lie at `place`, `up` or on the board; they are no longer asked about."""
    placed = tuple(serials)
    piles = hand.cards.piles.gather_cards(placed, place, up=up or place == BOARD)
    hand.cards = replace(hand.cards.explain_cards(placed), piles=piles)
    _forget_last_card(hand, placed)


def complete_street_steps(hand: Hand, street: int, burned: Iterable[int], boarded: Iterable[int]) -> None:
    """These cards had the street's steps: its burn, and as many of its board cards."""
    boarded = tuple(boarded)
    drop_burn(hand, street)
    board = next((step for step in hand.plan.steps_of_type(BoardStep) if step.street_index == street), None)
    if board and boarded:
        hand.plan = hand.plan.use_cards(board, len(boarded))
    laid = (
        *(StreetCard(serial, street, True) for serial in burned),
        *(StreetCard(serial, street, False) for serial in boarded),
    )
    hand.cards = replace(hand.cards, street_cards=(*hand.cards.street_cards, *laid))


def drop_burn(hand: Hand, street: int) -> bool:
    """The street needs no burn any more; says whether one was on the plan."""
    burn = next((step for step in hand.plan.steps_of_type(BurnStep) if step.street_index == street), None)
    if burn is None:
        return False
    hand.plan = hand.plan.drop_steps(burn)
    return True


def use_as_next_burn(hand: Hand) -> bool:
    """A card stands for the next burn, which falls away; says whether one is due any more."""
    burn = hand.plan.find_step(BurnStep)
    if burn is not None:
        hand.plan = hand.plan.drop_steps(burn)
        return True
    return use_as_burn_ahead(hand, hand.streets.planned_street)


def use_as_burn_ahead(hand: Hand, street: int) -> bool:
    """A card stands for a burn of a street after `street` that is not planned yet; says whether one is due."""
    ahead = range(max(hand.streets.planned_street, street) + 1, len(hand.setup.game.streets))
    if sum(needs_burn(hand, later) for later in ahead) <= hand.cards.burns_ahead:
        return False
    hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead + 1)
    return True


def needs_burn(hand: Hand, street: int) -> bool:
    """Whether a street that is not planned yet burns."""
    change = hand.streets.get_change(street)
    return (
        hand.setup.game.streets[street].has_burn if change.needs_burn is None else change.needs_burn
    ) and not change.is_complete


def restore_next_burn(hand: Hand) -> None:
    """The card does not come to lie there after all: the next street, or draw, burns as always."""
    if hand.cards.burns_ahead > 0 or hand.draw.draws:  # the burn of a draw comes on the plan with its first request
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - 1)
        return
    later = next((step for step in hand.plan.steps_of_type(BoardStep, DealStep) if step.street_index > 0), None)
    if later is not None:
        hand.plan = hand.plan.insert_before(later, BurnStep(street_index=later.street_index))


def list_remaining_deals(hand: Hand, street: int) -> tuple[DealStep, ...]:
    """The cards of a street to the seats that have not been dealt."""
    return tuple(deal for deal in hand.plan.steps_of_type(DealStep) if deal.street_index == street)


def build_seat_move(serial: int, source: int, to: int) -> MoveStep:
    """The step by which a card goes from one seat's hand to another's."""
    return MoveStep(hand_place(source), hand_place(to), "card", 1, (serial,), is_ruled=True, concerned_seat=to)


def build_returns(places: Mapping[str, tuple[int, ...]], what: Mapping[str, str]) -> tuple[Step, ...]:
    """The steps by which cards go back into the stub, a step a pile; `what`: what a return from a place is called."""
    return tuple(
        ReturnStep(what[place], place, STUB, len(places[place]), places[place], is_ruled=True)
        for place in RETURN_ORDER
        if places.get(place)
    )


def build_single_returns(hand: Hand, serials: Sequence[int], what: str) -> tuple[Step, ...]:
    """The cards go back on the stub in turn, the last one first; `what`: what the return of a player's is called."""
    places = ((serial, hand.cards.piles.find_place(serial) or "") for serial in reversed(serials))
    label_by_place = {BURN: "burn", BOARD: "board"}
    return tuple(
        ReturnStep(
            label_by_place.get(place, what),
            place,
            STUB,
            1,
            (serial,),
            is_ruled=True,
            concerned_seat=seat_of_place(place),
        )
        for serial, place in places
    )


def serials_by_place(hand: Hand, serials: Collection[int]) -> dict[str, tuple[int, ...]]:
    """Where these cards lie."""
    return {
        place: tuple(card.serial for card in hand.cards.piles.cards_at(place) if card.serial in serials)
        for place in RETURN_ORDER
    }


def redeal_flop(hand: Hand, street: int, serials: Sequence[int]) -> None:
    """The flop, already recalled, is shuffled back at once and dealt again. `serials`: the board cards that go back."""
    board = hand.setup.rulebook.board[hand.setup.game.rules_form]
    burns = all_burns(hand) if board.burn_back.value else ()
    if burns:
        hand.cards = replace(hand.cards, burns_ahead=0)
    drop_burn(hand, street)
    again = (BurnStep(street_index=street),) if board.burn_again.value else ()
    steps = build_returns(serials_by_place(hand, (*serials, *burns)), {BOARD: "board", BURN: "burn", ASIDE: "board"})
    hand.plan = hand.plan.prepend(*steps, ShuffleStep(is_ruled=True), CutStep(is_ruled=True), *again)
    hand.cards = replace(
        hand.cards, street_cards=tuple(card for card in hand.cards.street_cards if card.street_index != street)
    )


def describe_flop_redeal(hand: Hand, street: int) -> str:
    """What `redeal_flop` has the dealer do."""
    board = hand.setup.rulebook.board[hand.setup.game.rules_form]
    back = any(isinstance(step, ReturnStep) and step.source == BURN for step in hand.plan[:3])
    again = said.FLOP_AGAIN
    if board.burn_again.value:
        again = said.FLOP_AND_BURN_AGAIN if back else said.FLOP_AGAIN_WITH_BURN
    return again.format(turn=hand.setup.game.streets[street].board_count)


def all_burns(hand: Hand) -> tuple[int, ...]:
    """Every card among the burns that no step takes away already."""
    away = _departing_serials(hand)
    return tuple(card.serial for card in hand.cards.piles.cards_at(BURN) if card.serial not in away)


def shuffle_back_before_street(
    hand: Hand, street: int, places: Mapping[str, tuple[int, ...]], burn: bool | None
) -> None:
    """Before a street to come these cards go back into the stub; what goes back there already goes with them."""
    hand.cards = replace(hand.cards, burns_ahead=max(hand.cards.burns_ahead, 0))
    change = hand.streets.get_change(street)
    together = {place: tuple(places.get(place, ())) for place in RETURN_ORDER}
    for step in change.steps_before.steps_of_type(ReturnStep):
        together[step.source] = (*step.serials, *(s for s in together[step.source] if s not in step.serials))
    steps = build_returns(together, {BOARD: "premature", BURN: "burn", ASIDE: "premature"})
    before = change.steps_before.drop_types(ReturnStep, ShuffleStep, CutStep).append(
        *steps, ShuffleStep(is_ruled=True), CutStep(is_ruled=True)
    )
    change = replace(change, steps_before=before, needs_burn=burn, is_complete=False)
    hand.streets = hand.streets.replace_change(street, change)


def drop_planned_awards(hand: Hand) -> None:
    """Cards are still to come: what was planned to be pushed is found anew when they lie there."""
    if len(hand.betting.live_seats) == 1 or not hand.plan.has_step(AwardStep):
        return
    hand.plan = hand.plan.drop_types(AwardStep, CollectStep)
    hand.showdown = replace(hand.showdown, winners_by_part={})
    if all(seat in hand.showdown.tabled_cards_by_seat for seat in hand.betting.live_seats):
        hand.showdown = replace(hand.showdown, are_hands_up=True)


def uncollect(hand: Hand) -> None:
    """The last round is not over after all: its bets lie before the seats again, what nobody had called too."""
    bets = dict(hand.chips.paid_last_round_by_seat)
    if not hand.setup.tracks_amounts:
        hand.chips = replace(hand.chips, bet_by_seat=bets)
        return
    paid = {seat: chips - bets.get(seat, 0) for seat, chips in hand.chips.paid_earlier_by_seat.items()}
    stacks = dict(hand.chips.stack_by_seat)
    for seat, chips in hand.folds.returned_bet_by_seat.items():
        bets[seat] = bets.get(seat, 0) + chips
        stacks[seat] -= chips
        if not stacks[seat]:
            hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats | {seat})
    hand.chips = replace(
        hand.chips, bet_by_seat=bets, paid_earlier_by_seat=paid, stack_by_seat=stacks, paid_last_round_by_seat={}
    )
    hand.folds = replace(hand.folds, returned_bet_by_seat={})
