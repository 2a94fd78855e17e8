"""How the evenings of a campaign are played: a few of them see most kinds, and campaigns all of them."""

from tests.evenings.evening import KINDS, draw_kind


def test_three_evenings_are_of_three_kinds_the_first_of_them_live() -> None:
    seen: set[str] = set()
    for campaign in (4120, 4121, 4122):
        kinds = [draw_kind(campaign, number) for number in range(3)]
        assert kinds[0] == "live"
        assert len(set(kinds)) == 3
        seen.update(kinds)
    assert seen == set(KINDS)


def test_most_evenings_of_a_long_campaign_are_live() -> None:
    kinds = [draw_kind(7, number) for number in range(400)]
    assert set(kinds) == set(KINDS)
    assert kinds.count("live") > 240
