"""The sign that a casino displays at its table, in words: game, limits, minimum buy-in, commission [AU-7.2, AU-8.1].

One wording for the floor's page, the spectators' page, the terminal and the sheet of paper.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from config.language_file import Language, mark_for_translation

Sign = Mapping[str, Any]


def format_sign(sign: Sign, language: Language) -> list[str]:
    """Say what the house takes, a line for each thing; the first names the kind, the second least and most in chips."""
    return FORMATTER_BY_KIND[sign["kind"]](sign, language)


def _format_rake(sign: Sign, language: Language) -> list[str]:
    percent = f"{sign['percent']:g}"
    lines = [language.translate("Rake: {percent} % of each pot", percent=percent), _format_limits(sign, language)]
    lines += [
        language.translate("Up to {players} players: at most {most} a hand", players=players, most=most)
        for players, most in sign["caps"]
    ]
    lines.append(language.translate("Rounded down to a multiple of {step}", step=sign["step"]))
    if sign["no_flop_no_drop"]:
        lines.append(language.translate("Nothing of a hand that ends in its first betting round"))
    return lines


def _format_hand_fee(sign: Sign, language: Language) -> list[str]:
    return [language.translate("Fee per hand, of the pot"), _format_limits(sign, language)]


def _format_button_fee(sign: Sign, language: Language) -> list[str]:
    return [language.translate("Fee per hand, of the seat with the button"), _format_limits(sign, language)]


def _format_limits(sign: Sign, language: Language) -> str:
    if sign["most"] is None:
        return language.translate("At least {least} a hand, no maximum", least=sign["least"])
    return language.translate("At least {least}, at most {most} a hand", least=sign["least"], most=sign["most"])


def _format_time_charge(sign: Sign, language: Language) -> list[str]:
    hourly = f"{sign['hourly']:.2f}".removesuffix(".00")
    return [
        language.translate("Time charge: at most {hourly} an hour for each player", hourly=hourly),
        language.translate("{fee} every {minutes} minutes, in advance", fee=sign["fee"], minutes=sign["minutes"]),
    ]


FORMATTER_BY_KIND: Mapping[str, Callable[[Sign, Language], list[str]]] = {
    "none": lambda _, language: [language.translate("The house takes nothing")],
    "rake": _format_rake,
    "hand": _format_hand_fee,
    "button": _format_button_fee,
    "time": _format_time_charge,
}


STRUCTURES = tuple(map(mark_for_translation, ("no-limit", "pot-limit", "fixed-limit", "spread-limit")))


def format_blinds(blinds: Sequence[Any]) -> str:
    """Write the blinds of a table line from the button on, `1/2/5`."""
    return "/".join(str(each["amount"] if isinstance(each, dict) else each) for each in blinds)


def format_limits(betting: Mapping[str, Any], language: Language) -> str:
    """Say the betting limits of a game."""
    parts = [language.translate(str(betting["structure"]))] if betting else []
    if betting.get("small_bet"):
        parts.append(
            language.translate("bets {small}/{big}", small=betting["small_bet"], big=betting.get("big_bet", 0))
        )
    if betting.get("max_bet"):
        parts.append(
            language.translate("bets {least} to {most}", least=betting.get("min_bet", 0), most=betting["max_bet"])
        )
    if told := betting.get("blinds"):
        parts.append(language.translate("{n} blinds: {amounts}", n=len(told), amounts=format_blinds(told)))
    elif betting.get("big_blind"):
        small, big = betting.get("small_blind", 0), betting["big_blind"]
        parts.append(language.translate("blinds {small}/{big}", small=small, big=big))
    if betting.get("ante"):
        parts.append(language.translate("ante {chips}", chips=betting["ante"]))
    if betting.get("bring_in"):
        parts.append(language.translate("bring-in {chips}", chips=betting["bring_in"]))
    return ", ".join(parts)


def render_table_notice(notice: Mapping[str, Any], betting: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Render the notice for pages: `terms` and `least_percent` for whoever changes them, the rest in words.

    `sign` says what the house takes; `rows` are label and text of the whole notice; `is_shown`: whether the table has
    or had a collection, so that spectators are told.
    """
    sign = format_sign(notice["sign"], language)
    least = notice["buy_in"]
    buy_in = language.translate("{chips} chips", chips=least) if least else language.translate("none is set")
    return {
        "terms": notice["terms"],
        "least_percent": notice["least_percent"],
        "most_waiting": notice["most_waiting"],
        "is_shown": notice["has_money"],
        "sign": sign,
        "rows": [
            [language.translate("Game"), [notice["game"]]],
            [language.translate("Betting limits"), [format_limits(betting, language)]],
            [language.translate("Minimum buy-in"), [buy_in]],
            [language.translate("Commission of the house"), sign],
        ],
    }
