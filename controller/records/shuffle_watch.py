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
n; so there is less than one alarm in `ALARM_THRESHOLD` shuffles on the average, without any approximation.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

ALARM_THRESHOLD = 4_000_000.0
"""One false alarm at most in so many fair shuffles of a dealer, and in so many of a deck."""

NEAR_CARD_COUNT = 8
"""So many cards back count as near: cards that lay side by side are seldom further apart after three riffles."""


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """What is known of one deal when it is over. It names cards that nobody showed, so it has no `repr` of them.

    `dealt_cards`: the cards in the order in which they left the shoe, up to the first that was not read or is none of
    the deck's; `gathered_cards`: what lay outside the stub at the end, as it lay: muck, hands, board, burns.
    `deck_size`: cards of the deck.
    """

    session: int
    hand: int
    dealer_name: str
    deck_name: str
    deck_size: int
    dealt_cards: tuple[str, ...]
    gathered_cards: tuple[str, ...]

    def __repr__(self) -> str:
        """Name the deal without its cards."""
        return f"<Deal {self.session}/{self.hand}>"


ODDS_BY_TEST: Mapping[str, float] = {
    "clump": 4.0,
    "near": 1.5,
    "rising": 1.5,
    "falling": 1.5,
    "position": 6.0,
    "top": 6.0,
}
"""Test -> how many times as likely as the others it takes the cards on which it bets.

`clump`: they lay beside the card just dealt. `near`: beside one of the `NEAR_CARD_COUNT` cards before. `rising`,
`falling`: the card that lay before them, or after them, has come already; of the cards that were out, one rising
sequence less each time. `position`: it came at this place in the deal before. `top`: the first card is the first or
last of what was gathered, or the first of the deal before. The odds are near the best against three to five riffles;
they change how soon a bad shuffle is seen, never how often a fair one is blamed.
"""


@dataclass(slots=True)
class TestTally:
    """What one test has seen: how many bets came true, how many would with fair shuffles, and the variance of that.

    `returned_odds`: what its bets have returned, of 1.
    """

    hit_count: int = 0
    expected_hits: float = 0.0
    variance: float = 0.0
    returned_odds: float = 1.0

    def settle_bet(self, odds: float, chance: float, *, hit: bool) -> None:
        """Settle a bet that comes true with this chance if the shuffle is fair."""
        self.returned_odds *= (odds if hit else 1.0) / (1.0 + (odds - 1.0) * chance)
        self.hit_count += hit
        self.expected_hits += chance
        self.variance += chance * (1.0 - chance)

    def add(self, other: "TestTally") -> None:
        """Count what another has seen, too; what it returned is of that other deal."""
        self.hit_count += other.hit_count
        self.expected_hits += other.expected_hits
        self.variance += other.variance

    @property
    def deviation(self) -> float:
        """By how many standard deviations there were more hits than with fair shuffles."""
        return (self.hit_count - self.expected_hits) / self.variance**0.5 if self.variance else 0.0


def settle_bets(before: Deal, after: Deal) -> dict[str, TestTally]:
    """Settle the bets of every test on the order of `after`, which the same deck had after `before`."""
    tallies = {test: TestTally() for test in ODDS_BY_TEST}
    lay = before.gathered_cards
    place = {card: index for index, card in enumerate(lay)}
    beside = {card: (*lay[max(0, index - 1) : index], *lay[index + 1 : index + 2]) for card, index in place.items()}
    dealt: set[str] = set()
    recent: list[str] = []
    left, come_after, come_before = len(lay), 0, 0
    for index, card in enumerate(after.dealt_cards[: after.deck_size - 1]):
        still = after.deck_size - index
        if index == 0:
            tops = {*lay[:1], *lay[-1:], *before.dealt_cards[:1]}
            tallies["top"].settle_bet(ODDS_BY_TEST["top"], len(tops) / still, hit=card in tops)
        if index < len(before.dealt_cards) and (same := before.dealt_cards[index]) not in dealt:
            tallies["position"].settle_bet(ODDS_BY_TEST["position"], 1 / still, hit=card == same)
        clump = [one for last in recent[-1:] for one in beside.get(last, ()) if one not in dealt]
        if clump:
            tallies["clump"].settle_bet(ODDS_BY_TEST["clump"], len(clump) / still, hit=card in clump)
        if card not in clump:  # among the others, then
            near = {one for back in recent[:-1] for one in beside.get(back, ()) if one not in dealt}.difference(clump)
            if near:
                tallies["near"].settle_bet(ODDS_BY_TEST["near"], len(near) / (still - len(clump)), hit=card in near)
        at = place.get(card)
        if at is not None:  # among those that were gathered, then
            below, above = lay[at - 1] if at else None, lay[at + 1] if at + 1 < len(lay) else None
            rises, falls = below in dealt, above in dealt
            tallies["rising"].settle_bet(ODDS_BY_TEST["rising"], come_after / left, hit=rises)
            tallies["falling"].settle_bet(ODDS_BY_TEST["falling"], come_before / left, hit=falls)
            come_after += (above is not None and not falls) - rises
            come_before += (below is not None and not rises) - falls
            left -= 1
        dealt.add(card)
        recent = [*recent[1 - NEAR_CARD_COUNT :], card]
    return tallies


@dataclass(frozen=True, slots=True)
class ShuffleAlarm:
    """The shuffles of a dealer or of a deck (`kind`, `name`) are not fair; `test` saw it most clearly.

    `shuffle_count`: since the alarm before. `session` and `hand`: the deal with which it was raised.
    """

    kind: str
    name: str
    test: str
    shuffle_count: int
    session: int
    hand: int


@dataclass(slots=True)
class ShuffleSeries:
    """The shuffles of one dealer, or of one deck."""

    kind: str
    name: str
    shuffle_count: int = 0
    tally_by_test: dict[str, TestTally] = field(default_factory=lambda: {test: TestTally() for test in ODDS_BY_TEST})
    _evidence_by_test: dict[str, float] = field(default_factory=lambda: dict.fromkeys(ODDS_BY_TEST, 0.0))
    _shuffles_since_alarm: int = 0

    @property
    def evidence(self) -> float:
        """What speaks against these shuffles: with fair ones at most the number of them, on the average."""
        return sum(self._evidence_by_test.values()) / len(self._evidence_by_test)

    def add_deal(self, deal: Deal, settled: Mapping[str, TestTally]) -> ShuffleAlarm | None:
        """Take what the bets on a deal came to; return the alarm that it raises."""
        self.shuffle_count += 1
        self._shuffles_since_alarm += 1
        for test, tally in settled.items():
            self.tally_by_test[test].add(tally)
            self._evidence_by_test[test] = (1.0 + self._evidence_by_test[test]) * tally.returned_odds
        if self.evidence < ALARM_THRESHOLD:
            return None
        test = max(self._evidence_by_test, key=self._evidence_by_test.__getitem__)
        alarm = ShuffleAlarm(self.kind, self.name, test, self._shuffles_since_alarm, deal.session, deal.hand)
        self._evidence_by_test, self._shuffles_since_alarm = dict.fromkeys(ODDS_BY_TEST, 0.0), 0
        return alarm


MAX_SERIES = 500
"""So many dealers and decks are told apart; those that come later are watched together."""


class ShuffleWatch:
    """Watches the deals of a table in their order, by dealer and by deck."""

    def __init__(self) -> None:
        self.series_by_name: dict[tuple[str, str], ShuffleSeries] = {}
        self._last_deal_by_deck: dict[str, Deal] = {}

    def add_deal(self, deal: Deal) -> Iterator[ShuffleAlarm]:
        """Take the next deal of the table; yield the alarms that it raises."""
        before = self._last_deal_by_deck.get(deal.deck_name)
        self._last_deal_by_deck[deal.deck_name] = deal
        if before is None or before.deck_size != deal.deck_size or not before.gathered_cards:
            return
        settled = settle_bets(before, deal)
        for kind, name in (("dealer", deal.dealer_name), ("deck", deal.deck_name)):
            alarm = self._find_series(kind, name).add_deal(deal, settled)
            if alarm is not None:
                yield alarm

    def _find_series(self, kind: str, name: str) -> ShuffleSeries:
        name = name or "unnamed"
        if (kind, name) not in self.series_by_name and len(self.series_by_name) >= MAX_SERIES:
            name = "others"
        return self.series_by_name.setdefault((kind, name), ShuffleSeries(kind, name))
