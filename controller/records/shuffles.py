"""Shuffle watch: does a deck come out of the shuffle as if every order were as likely as any other?

Theory of operation. Of a deal only the cards that left the shoe are known, and of what went back only how it lay on
the table when the hand was over; who gathered it how, nobody knows. So nothing is assumed of that. Each *test* makes,
before each card, a bet on some of the cards that are still to come, such as those that lay beside the card just dealt.
If all orders are equally likely, every card that has not come yet is as likely as any other, whatever was seen before
and whatever the gathering was: so what a bet is worth is known exactly, and the product of what the bets have returned
has the expectation 1 (it is a test martingale, at whatever card a hand ends). How it was gathered matters only for how
soon a bad shuffle is seen.

The bets of one hand after the other are summed up as Shiryaev and Roberts do, `R = (1 + R) * returned`, so that a
shuffle that becomes bad is found however long it was good. With fair shuffles the expectation of R after n of them is
n; so there is less than one alarm in `ALARM` shuffles on the average, without any approximation.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

ALARM = 4_000_000.0
"""One false alarm at most in so many fair shuffles of a dealer, and in so many of a deck."""

NEAR = 8
"""So many cards back count as near: cards that lay side by side are seldom further apart after three riffles."""


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """What is known of one deal when it is over. It names cards that nobody showed, so it has no `repr` of them.

    `order`: the cards in the order in which they left the shoe, up to the first that was not read or is none of the
    deck's; `gathered`: what lay outside the stub at the end, as it lay: muck, hands, board, burns. `size`: cards of the
    deck.
    """

    session: int
    hand: int
    dealer: str
    deck: str
    size: int
    order: tuple[str, ...]
    gathered: tuple[str, ...]

    def __repr__(self) -> str:
        """Name the deal without its cards."""
        return f"<Deal {self.session}/{self.hand}>"


ODDS: Mapping[str, float] = {
    "clump": 4.0,
    "near": 1.5,
    "rising": 1.5,
    "falling": 1.5,
    "position": 6.0,
    "top": 6.0,
}
"""Test -> how many times as likely as the others it takes the cards on which it bets.

`clump`: they lay beside the card just dealt. `near`: beside one of the `NEAR` cards before. `rising`, `falling`: the
card that lay before them, or after them, has come already; of the cards that were out, one rising sequence less each
time. `position`: it came at this place in the deal before. `top`: the first card is the first or last of what was
gathered, or the first of the deal before. The odds are near the best against three to five riffles; they change how
soon a bad shuffle is seen, never how often a fair one is blamed.
"""


@dataclass(slots=True)
class Tally:
    """What one test has seen: how many bets came true, how many would with fair shuffles, and the variance of that.

    `returned`: what its bets have returned, of 1.
    """

    hits: int = 0
    expected: float = 0.0
    variance: float = 0.0
    returned: float = 1.0

    def bet(self, odds: float, chance: float, *, hit: bool) -> None:
        """Settle a bet that comes true with this chance if the shuffle is fair."""
        self.returned *= (odds if hit else 1.0) / (1.0 + (odds - 1.0) * chance)
        self.hits += hit
        self.expected += chance
        self.variance += chance * (1.0 - chance)

    def add(self, other: "Tally") -> None:
        """Count what another has seen, too; what it returned is of that other deal."""
        self.hits += other.hits
        self.expected += other.expected
        self.variance += other.variance

    @property
    def deviation(self) -> float:
        """By how many standard deviations there were more hits than with fair shuffles."""
        return (self.hits - self.expected) / self.variance**0.5 if self.variance else 0.0


def settle(before: Deal, after: Deal) -> dict[str, Tally]:
    """Settle the bets of every test on the order of `after`, which the same deck had after `before`."""
    tallies = {test: Tally() for test in ODDS}
    lay = before.gathered
    place = {card: index for index, card in enumerate(lay)}
    beside = {card: (*lay[max(0, index - 1) : index], *lay[index + 1 : index + 2]) for card, index in place.items()}
    dealt: set[str] = set()
    recent: list[str] = []
    left, come_after, come_before = len(lay), 0, 0
    for index, card in enumerate(after.order[: after.size - 1]):
        still = after.size - index
        if index == 0:
            tops = {*lay[:1], *lay[-1:], *before.order[:1]}
            tallies["top"].bet(ODDS["top"], len(tops) / still, hit=card in tops)
        if index < len(before.order) and (same := before.order[index]) not in dealt:
            tallies["position"].bet(ODDS["position"], 1 / still, hit=card == same)
        clump = [one for last in recent[-1:] for one in beside.get(last, ()) if one not in dealt]
        if clump:
            tallies["clump"].bet(ODDS["clump"], len(clump) / still, hit=card in clump)
        if card not in clump:  # among the others, then
            near = {one for back in recent[:-1] for one in beside.get(back, ()) if one not in dealt}.difference(clump)
            if near:
                tallies["near"].bet(ODDS["near"], len(near) / (still - len(clump)), hit=card in near)
        at = place.get(card)
        if at is not None:  # among those that were gathered, then
            below, above = lay[at - 1] if at else None, lay[at + 1] if at + 1 < len(lay) else None
            rises, falls = below in dealt, above in dealt
            tallies["rising"].bet(ODDS["rising"], come_after / left, hit=rises)
            tallies["falling"].bet(ODDS["falling"], come_before / left, hit=falls)
            come_after += (above is not None and not falls) - rises
            come_before += (below is not None and not rises) - falls
            left -= 1
        dealt.add(card)
        recent = [*recent[1 - NEAR :], card]
    return tallies


@dataclass(frozen=True, slots=True)
class Alarm:
    """The shuffles of a dealer or of a deck (`kind`, `name`) are not fair; `test` saw it most clearly.

    `shuffles`: since the alarm before. `session` and `hand`: the deal with which it was raised.
    """

    kind: str
    name: str
    test: str
    shuffles: int
    session: int
    hand: int


@dataclass(slots=True)
class Stream:
    """The shuffles of one dealer, or of one deck."""

    kind: str
    name: str
    shuffles: int = 0
    tallies: dict[str, Tally] = field(default_factory=lambda: {test: Tally() for test in ODDS})
    _evidence: dict[str, float] = field(default_factory=lambda: dict.fromkeys(ODDS, 0.0))
    _since: int = 0

    @property
    def evidence(self) -> float:
        """What speaks against these shuffles: with fair ones at most the number of them, on the average."""
        return sum(self._evidence.values()) / len(self._evidence)

    def add(self, deal: Deal, settled: Mapping[str, Tally]) -> Alarm | None:
        """Take what the bets on a deal came to; return the alarm that it raises."""
        self.shuffles += 1
        self._since += 1
        for test, tally in settled.items():
            self.tallies[test].add(tally)
            self._evidence[test] = (1.0 + self._evidence[test]) * tally.returned
        if self.evidence < ALARM:
            return None
        test = max(self._evidence, key=self._evidence.__getitem__)
        alarm = Alarm(self.kind, self.name, test, self._since, deal.session, deal.hand)
        self._evidence, self._since = dict.fromkeys(ODDS, 0.0), 0
        return alarm


MOST_STREAMS = 500
"""So many dealers and decks are told apart; those that come later are watched together."""


class ShuffleWatch:
    """Watches the deals of a table in their order, by dealer and by deck."""

    def __init__(self) -> None:
        self.streams: dict[tuple[str, str], Stream] = {}
        self._last: dict[str, Deal] = {}

    def add(self, deal: Deal) -> Iterator[Alarm]:
        """Take the next deal of the table; yield the alarms that it raises."""
        before = self._last.get(deal.deck)
        self._last[deal.deck] = deal
        if before is None or before.size != deal.size or not before.gathered:
            return
        settled = settle(before, deal)
        for kind, name in (("dealer", deal.dealer), ("deck", deal.deck)):
            alarm = self._stream(kind, name).add(deal, settled)
            if alarm is not None:
                yield alarm

    def _stream(self, kind: str, name: str) -> Stream:
        name = name or "unnamed"
        if (kind, name) not in self.streams and len(self.streams) >= MOST_STREAMS:
            name = "others"
        return self.streams.setdefault((kind, name), Stream(kind, name))
