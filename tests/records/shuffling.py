"""Decks that are dealt, gathered and shuffled as people do it: riffles as Gilbert, Shannon and Reeds have them."""

from collections.abc import Iterator
from random import Random

from controller.core.values.cards import build_deck
from controller.records.shuffle_watch import Deal

PLAYERS = 8
STREETS = ((0.25, 0), (0.50, 4), (0.65, 6), (1.0, 8))
"""Up to which chance a hand of hold'em ends with how many cards of board and burns."""


def riffle_cards(cards: list[str], times: int, chance: Random) -> list[str]:
    """Riffle so many times: as one shuffle of 2^times packets (Bayer and Diaconis 1992, lemma 1)."""
    packets = 1 << times
    labels = chance.choices(range(packets), k=len(cards))
    starts, at = [0] * packets, 0
    for packet in range(packets) if packets <= 64 else sorted(set(labels)):
        starts[packet] = at
        at += labels.count(packet)
    out: list[str] = []
    for label in labels:
        out.append(cards[starts[label]])
        starts[label] += 1
    return out


def cut(cards: list[str], chance: Random) -> list[str]:
    """Cut somewhere in the middle half."""
    at = chance.randrange(len(cards) // 4, 3 * len(cards) // 4)
    return cards[at:] + cards[:at]


def deals(riffles: int | None, seed: int, *, tidy: bool = True) -> Iterator[Deal]:
    """Deal hold'em without end, with so many riffles and a cut in between; `None`: fair shuffles.

    `tidy`: what was out is gathered as it lay; else hands, board and burns are scooped up in any order and either way.
    """
    chance = Random(seed)
    cards = list(build_deck())
    chance.shuffle(cards)
    hand = 0
    while True:
        hand += 1
        draw = chance.random()
        count = 2 * PLAYERS + next(more for upto, more in STREETS if draw < upto)
        order = cards[:count]
        hands = [[order[seat], order[seat + PLAYERS]] for seat in range(PLAYERS)]
        rest = order[2 * PLAYERS :]
        burns = [rest[index] for index in (0, 4, 6) if index < len(rest)]
        board = [card for card in rest if card not in burns]
        chance.shuffle(hands)  # the order in which they fold
        gathered = [card for two in hands for card in two] + board + burns
        yield Deal(1, hand, "Ada", "red", 52, tuple(order), tuple(gathered))
        packets = [*hands, board, burns]
        if not tidy:
            chance.shuffle(packets)
            packets = [packet[:: chance.choice((1, -1))] for packet in packets]
        back = [card for packet in packets for card in packet]
        stub = cards[count:]
        cards = back + stub if chance.random() < 0.5 else stub + back
        if riffles is None:
            chance.shuffle(cards)
        else:
            cards = cut(riffle_cards(cards, riffles, chance), chance)
