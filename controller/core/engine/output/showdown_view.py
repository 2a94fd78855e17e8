"""The showdown as everybody at the table sees it: hands that were tabled, who wins what, and with which hand.

It stands beside the output line and is no part of it (`docs/showdown.md`). It names tabled hands of seats that are
still in, and the board: what everybody knows (`docs/known-cards.md`). A hand that was folded, mucked or killed, or that
wins because everybody else is out, is not named.
"""

from collections.abc import Mapping
from typing import Any

from controller.core.model.hand import Hand, PotPart
from controller.core.model.table_state import TableState
from controller.core.play.betting.pots import Pot, split_into_pots
from controller.core.play.showdown import pot_awards, unknown_discards
from controller.core.play.showdown.evaluation import HandStrength
from controller.core.play.showdown.hand_name import HandName, count_deciding_ranks, name_hand
from controller.core.protocol.steps import AwardStep, CollectStep, ShowStep
from controller.core.rules.games import Ranking
from controller.core.values.piles import hand_place

Strengths = Mapping[int, HandStrength]
"""Seat -> how good its hand is, of those that contest a part of a pot."""


def render_showdown(state: TableState) -> dict[str, Any] | None:
    """What there is to see of the showdown; `None` while nothing is.

    `hands`: seat -> the cards that it tabled. `asked`: seats that are to show and whose cards nobody can read, so that
    they must be named. `awards`: while a pot is due, and after the last was pushed, what was pushed and what is to be,
    in that order; `side_pots`: how many side pots these are of.
    """
    hand = state.hand
    if hand is None:
        return None
    tabled = hand.showdown.tabled_cards_by_seat
    hands = {str(seat): list(cards) for seat in _list_contenders(hand) if (cards := tabled.get(seat))}
    asked = [step.seat for step in hand.plan.steps_of_type(ShowStep) if _is_unreadable(hand, step.seat)]
    awards = _render_awards(hand)
    if not hands and not asked and not awards:
        return None
    return {
        "hands": hands,
        "asked": asked,
        "awards": awards,
        "side_pots": len({award["pot"] for award in awards} - {0}),
    }


def _list_contenders(hand: Hand) -> tuple[int, ...]:
    """The seats that are still in, ascending; once the hand is over, those of them that tabled a hand."""
    if hand.plan or hand.betting.live_seats:
        return tuple(sorted(hand.betting.live_seats))
    lost = hand.betting.killed_seats | hand.folds.folded_hand_by_seat.keys()
    return tuple(sorted(seat for seat in hand.showdown.tabled_cards_by_seat if seat not in lost))


def _list_pots(hand: Hand) -> tuple[Pot, ...]:
    """The pots with the seats that contest them; of a hand that is over from what each had paid, without dead chips."""
    if hand.plan or not hand.setup.tracks_amounts:
        return pot_awards.list_pots_to_award(hand) if hand.plan else (Pot(0, _list_contenders(hand)),)
    return split_into_pots(hand.showdown.contribution_by_seat, _list_contenders(hand), 0)


def _is_unreadable(hand: Hand, seat: int) -> bool:
    """Whether nothing has read all cards of a hand, or nobody knows which of them it kept."""
    held = hand.cards.piles.cards_at(hand_place(seat))
    return any(lying.card is None for lying in held) or unknown_discards.is_in_doubt(hand, seat)


def _render_awards(hand: Hand) -> list[dict[str, Any]]:
    first, pushed = hand.plan.next_step, hand.showdown.pushed_awards
    planned = hand.plan.steps_of_type(AwardStep)
    if not (isinstance(first, AwardStep | CollectStep) and planned) and (first is not None or not pushed):
        return []
    awards = [*((award, True) for award in pushed), *((award, False) for award in planned)]
    count_by_part: dict[PotPart, int] = {}
    for award, _ in awards:
        part = pot_awards.pot_part(award)
        count_by_part[part] = count_by_part.get(part, 0) + 1
    reasons_by_part = {part: _find_reasons(hand, part, count) for part, count in count_by_part.items()}
    place_by_part = dict.fromkeys(count_by_part, 0)
    told = []
    for award, is_pushed in awards:
        part = pot_awards.pot_part(award)
        reasons, place = reasons_by_part[part], place_by_part[part]
        place_by_part[part] = place + 1
        if award.amounts is None or any(award.amounts):
            told.append({**_render_award(hand, award, reasons[place] if reasons else None), "pushed": is_pushed})
            told[-1] |= _render_half(hand, reasons, place)
    return told


def _render_half(hand: Hand, reasons: list[tuple[Ranking, Strengths]], place: int) -> dict[str, Any]:
    """Which half of a high-low pot an award is, by its ranking; `no_low`: no hand makes the other one."""
    if len(hand.setup.game.rankings) < 2 or not reasons:
        return {}
    return {"half": reasons[place][0].value} if len(reasons) > 1 else {"no_low": True}


def _find_reasons(hand: Hand, part: PotPart, count: int) -> list[tuple[Ranking, Strengths]]:
    """By what the awards of a part are decided, one after the other; empty where no tabled hands decide them."""
    pots = _list_pots(hand)
    if part in hand.showdown.winners_by_part or part.pot >= len(pots) or len(pots[part.pot].seats) < 2:
        return []
    ranked = pot_awards.rank_tabled_hands(hand, pots[part.pot].seats, part.board) or ()
    reasons: list[tuple[Ranking, Strengths]] = [(kind, strengths) for kind, strengths in ranked if strengths]
    return reasons if len(reasons) == count else []


def _render_award(hand: Hand, award: AwardStep, reason: tuple[Ranking, Strengths] | None) -> dict[str, Any]:
    """An award: its seats with their shares, whether an odd chip is in them, and by which cards and hand they win."""
    amounts = award.amounts or (None,) * len(award.seats)
    least = min(award.amounts or (0,))
    told: dict[str, Any] = {
        "pot": award.pot,
        "board": award.board,
        "chips": None if award.amounts is None else sum(award.amounts),
        "unread": award.is_unread,
        "winners": [
            {"seat": seat, "chips": chips, "odd": chips is not None and chips > least, "cards": []}
            for seat, chips in zip(award.seats, amounts, strict=True)
        ],
    }
    if reason is None or award.is_unread:
        return told
    kind, strengths = reason
    if pot_awards.find_best_seats(strengths) != tuple(sorted(award.seats)):
        return told
    size = hand.setup.deck_size
    names = {seat: name_hand(kind, (*each.used_cards, *each.board_cards), size) for seat, each in strengths.items()}
    for winner in told["winners"]:
        strength = strengths[winner["seat"]]
        winner["cards"] = [*strength.used_cards, *strength.board_cards]
    told["hand"] = _render_name(
        names[award.seats[0]], [name for seat, name in names.items() if seat not in award.seats]
    )
    return told


def _render_name(name: HandName, beaten: list[HandName]) -> dict[str, Any]:
    told = name.told_rank_count
    return {
        "category": name.category.value,
        "ranks": list(name.ranks[:told]),
        "kickers": list(name.ranks[told : count_deciding_ranks(name, beaten)]),
    }
