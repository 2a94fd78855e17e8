"""What the rulebooks say of compulsory blinds, written from their texts alone: who posts which, who acts first."""

from itertools import pairwise

ON_BUTTON_BOOKS = ("roberts-7", "house-rules", "fish-n-chips", "maryport", "tda-2024", "wsop-2024", "wsop-live-2024")
"""Heads-up with two blinds the small one is on the button; AU says nothing else than left of the button."""


def find_left_of(seat: int, players: list[int]) -> int:
    """The next player clockwise."""
    return next((other for other in sorted(players) if other > seat), min(players))


def ring_after(seat: int, players: list[int]) -> list[int]:
    """All players clockwise from the left of a seat."""
    found = [find_left_of(seat, players)]
    while len(found) < len(players):
        found.append(find_left_of(found[-1], players))
    return found


def place_from_button(book: str, button: int, players: list[int], blinds: list[int], first: int) -> dict[int, int]:
    """The blinds by a button at a player's chair: the first at `first` (0 the button, 1 its left), each next one on.

    Nobody posts two: of more blinds than players the last ones are posted. Two players, two blinds: see the books.
    """
    posted = blinds[-len(players) :]
    begin = first
    if len(players) == 2 == len(posted) and book in ON_BUTTON_BOOKS:
        begin = 0
    ring = [button, *ring_after(button, players)] if begin == 0 else ring_after(button, players)
    return dict(zip(ring, posted, strict=False))


def first_round_order(players: list[int], blinds: dict[int, int]) -> list[int]:
    """Who acts first, and so on: left of the last blind, which acts last [R7-4.intro#d, AU-11.2(a)]."""
    last = max(blinds.values())
    big = [seat for seat, amount in blinds.items() if amount == last][-1]
    return ring_after(big, players)


def has_each_blind_once(hands: list[dict[int, int]], players: list[int], blinds: list[int]) -> bool:
    """Whether over a round every player met the total amount of the blinds, each of them once [R7-4.blinds.2]."""
    return all(sorted(hand[seat] for hand in hands if seat in hand) == sorted(blinds) for seat in players)


def chairs_follow(chairs: list[tuple[int, ...]]) -> bool:
    """By the dead button each blind goes to the chair where the next one was, the button to that of the first."""
    return all(now[:-1] == before[1:] for before, now in pairwise(chairs))
