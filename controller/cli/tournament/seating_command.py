"""`tablectl tournament`, for several tables: balance, seats by lot, the first button, colour-up."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from config import rulebook_file
from controller.cli.tournament.tournament_record import RULEBOOK
from controller.command_table import JSON, Command, Option
from controller.core.play.seating import button
from controller.core.rules.rulebook import Rulebook
from controller.core.tournament.advice import Advice, AdviceKind, advise
from controller.core.tournament.balance import TableOccupancy, assign_drawn_seats
from controller.core.tournament.colour_up import (
    colour_up_stacks,
    count_odd_chips,
    plan_big_stack_purchases,
    race_deal_order,
)
from controller.core.values.cards import ALL_CARDS
from controller.core.values.plurals import pluralize
from controller.strict_json import parse_json

FIELD_KEYS = ("tables", "at_start", "order")
TABLE_KEYS = ("name", "seats", "button", "big", "places", "eliminated", "penalties")


def _print_advice(options: argparse.Namespace) -> None:
    text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8")
    try:
        field = parse_json(text)
        tables, eliminated = _parse_tables(field)
        penalties = _parse_penalties(field)
        at_start, order = int(field.get("at_start", len(tables))), [str(name) for name in field.get("order", ())]
    except (TypeError, OverflowError, RecursionError) as why:
        raise ValueError(f"the tables are not what they must be: {why}; see `balance --help`.") from None
    book = rulebook_file.load_rulebook(options.rulebook)
    found = advise(book.tournament, tables, at_start, order, eliminated)
    if options.json:
        print(json.dumps([_make_json_advice(advice) | _find_moving_penalties(advice, penalties) for advice in found]))
        return
    for advice in found:
        clauses = "; ".join(rulebook_file.load_clauses()[cite] for cite in advice.cite)
        print(f"{_format_advice(advice)} [{clauses}{', by default' if advice.by_default else ''}]")
        for each in _find_moving_penalties(advice, penalties).get("penalties", ()):
            hands = pluralize(each["hands"], "hand")
            source = book.tournament.penalised.source
            print(f"    the penalty of table {each['table']}, seat {each['seat']} goes along: {hands} [{source}]")
    if not found:
        print("the tables play on")


def _parse_tables(field: object) -> tuple[tuple[TableOccupancy, ...], dict[str, list[int]]]:
    """The tables of the file; raises `ValueError` with what is wrong in it."""
    if not isinstance(field, dict) or not isinstance(field.get("tables"), list) or set(field) - set(FIELD_KEYS):
        raise ValueError(f"the tables are an object with {', '.join(FIELD_KEYS)}; `tables` is a list.")
    views, eliminated = [], {}
    for table in field["tables"]:
        if not isinstance(table, dict) or set(table) - set(TABLE_KEYS) or not set(TABLE_KEYS[:4]) <= set(table):
            raise ValueError(
                f"each table has {', '.join(TABLE_KEYS[:4])} and may have {', '.join(TABLE_KEYS[4:])}; not {table!r}."
            )
        name = str(table["name"])
        seats, gone = tuple(sorted(map(int, table["seats"]))), list(map(int, table.get("eliminated", ())))
        views.append(TableOccupancy(name, seats, int(table["button"]), int(table["big"]), int(table.get("places", 10))))
        eliminated[name] = gone
        if (
            not seats
            or set(gone) & set(seats)
            or any(not 1 <= seat <= views[-1].seat_count for seat in (*seats, *gone))
        ):
            raise ValueError(
                f"table {name}: seats are 1 to {views[-1].seat_count}, and nobody eliminated still sits there."
            )
    return tuple(views), eliminated


def _parse_penalties(field: dict[str, Any]) -> dict[tuple[str, int], int]:
    """How many hands of a penalty whoever sits at a table and seat still misses; raises `ValueError`."""
    found = {}
    for table in field["tables"]:
        given = table.get("penalties", {})
        if not isinstance(given, dict):
            raise ValueError('`penalties` of a table is an object of seats and the hands still to be missed: {"2": 3}.')
        for seat, hands in given.items():
            if int(seat) not in map(int, table["seats"]) or isinstance(hands, bool) or int(hands) < 1:
                raise ValueError(f"table {table['name']}: penalties are 1 hand or more, of somebody who sits there.")
            found[str(table["name"]), int(seat)] = int(hands)
    return found


def _find_moving_penalties(advice: Advice, penalties: Mapping[tuple[str, int], int]) -> dict[str, Any]:
    """The penalties of those who change tables by an advice."""
    found = [
        {"table": at[0], "seat": at[1], "hands": hands} for at, hands in penalties.items() if _is_moved(advice, at)
    ]
    return {"penalties": found} if found else {}


def _is_moved(advice: Advice, at: tuple[str, int]) -> bool:
    return advice.kind in (AdviceKind.REDRAW, AdviceKind.FINAL_TABLE) or at == (advice.table, advice.seat)


def _make_json_advice(advice: Advice) -> dict[str, Any]:
    shown: dict[str, Any] = {"do": advice.kind.value, "cite": list(advice.cite)}
    if advice.by_default:
        shown["by_default"] = True
    if advice.table:
        shown["table"] = advice.table
    if advice.to_table:
        shown |= {"seat": advice.seat, "to": advice.to_table, "to_seat": advice.to_seat}
    return shown


def _format_advice(advice: Advice) -> str:
    match advice.kind:
        case AdviceKind.MOVE:
            return f"table {advice.table}, seat {advice.seat} moves to table {advice.to_table}, seat {advice.to_seat}"
        case AdviceKind.BREAK:
            return f"table {advice.table} breaks"
        case AdviceKind.REDRAW:
            return "draw all seats anew"
        case AdviceKind.HAND_FOR_HAND:
            return "play hand for hand; the timer runs on"
        case AdviceKind.FINAL_TABLE:
            return "form the final table: draw its seats, the timer stands still meanwhile"


def draw_lot(count: int, seed: int | None) -> list[int]:
    """The numbers from 0 in an order drawn by lot: of the system's chance, or that which `seed` gives once more."""
    numbers = list(range(count))
    (SystemRandom() if seed is None else Random(seed)).shuffle(numbers)
    return numbers


def _draw_seats(options: argparse.Namespace) -> None:
    numbers = draw_lot(options.places * len(options.tables), options.seed)
    if len(set(options.players)) != len(options.players):
        raise ValueError("each player needs a name of its own.")
    drawn = assign_drawn_seats(options.players, options.tables, options.places, numbers)
    if options.json:
        print(json.dumps({player: {"table": table, "seat": seat} for player, (table, seat) in drawn.items()}))
        return
    for player, (table, seat) in sorted(drawn.items(), key=lambda entry: entry[1]):
        print(f"table {table}, seat {seat:>2}  {player}")


def _print_first_button(options: argparse.Namespace) -> None:
    book: Rulebook = rulebook_file.load_rulebook(options.rulebook)
    rule = book.tournament.first_button
    places = button.seat_draw_order(options.seats)
    cards = dict(zip(places, options.cards, strict=False))
    if options.cards and (len(cards) != len(options.cards) or len(cards) != len(places)):
        raise ValueError(
            f"the cards go to seats {', '.join(map(str, places))}: {len(places)}, not {len(options.cards)}."
        )
    if any(card not in ALL_CARDS for card in options.cards):
        raise ValueError("a card is written as rank and suit, as Ks or Td.")
    if not cards and button.is_button_drawn_for(rule.value):
        print(f"deal a card each to seats {', '.join(map(str, places))}, and enter them with --cards ({rule.source})")
        return
    print(
        f"seat {button.find_first_button(rule.value, options.places, cards or dict.fromkeys(places, ''), False)} "
        f"({rule.source})"
    )


def _parse_stacks(words: list[str]) -> dict[int, int]:
    found = {}
    for word in words:
        seat, equals, amount = word.partition("=")
        if not equals or not seat.isdecimal() or not amount.isdecimal():
            raise ValueError(f"{word!r} is no SEAT=STACK, as 3=1075.")
        found[int(seat)] = int(amount)
    return found


def _print_colour_up(options: argparse.Namespace) -> None:
    stacks = _parse_stacks(options.stacks)
    if options.big is not None:
        _print_big_stack_buys(stacks, options)
        return
    rule = rulebook_file.load_rulebook(options.rulebook).tournament.odd_chips
    odd = count_odd_chips(stacks, options.chip, options.to)
    if rule.value.value == "race" and not options.cards and any(odd.values()):
        print(f"a card for each odd chip, dealt to seats {' '.join(map(str, race_deal_order(odd)))} ({rule.source})")
        return
    found = colour_up_stacks(rule.value, stacks, options.chip, options.to, options.cards)
    if options.json:
        print(json.dumps({"stacks": found.stack_by_seat, "awarded": found.awarded_by_seat}))
        return
    for seat, stack in found.stack_by_seat.items():
        print(f"seat {seat:>2}  {stacks[seat]:>9,}  {stack:>9,}{_format_gain(found.awarded_by_seat, seat, options.to)}")


def _format_gain(awarded: Mapping[int, int], seat: int, chip: int) -> str:
    return f"  {awarded[seat]} of {chip:,} for odd chips" if awarded.get(seat) else ""


def _print_big_stack_buys(counts: Mapping[int, int], options: argparse.Namespace) -> None:
    count_odd_chips({}, options.chip, options.to)
    if options.big not in counts:
        raise ValueError(f"seat {options.big} of --big is not among the seats {', '.join(map(str, counts))}.")
    for one in plan_big_stack_purchases(counts, options.big, options.to // options.chip):
        print(
            f"seat {one.seat:>2}  gives {one.chips_taken} of {options.chip:,} to seat {options.big} "
            f"for {one.chips_given} of {options.to:,}, keeps {one.odd_chips}"
        )


COMMANDS = (
    Command(
        "balance",
        "who moves to which seat, which table breaks, when seats are drawn anew",
        Option("file FILE", "how the tables stand; - for input"),
        RULEBOOK,
        JSON,
        description="Reads how the tables stand from JSON: "
        '{"at_start": 3, "order": ["C"], "tables": [{"name": "A", "seats": [1, 2, 5], "button": 1, "big": 5, '
        '"places": 10, "eliminated": [4], "penalties": {"2": 3}}]}, and says what the director does next, by '
        "which clause. Whoever moves takes along what is left of a penalty, in hands.",
        action=_print_advice,
    ),
    Command(
        "seats",
        "draw seats by lot",
        Option("players PLAYER", "who is seated", nargs="+"),
        Option("--tables NAME", "the tables (one, named 1)", nargs="+", default=["1"]),
        Option("--places N", "chairs at each table (10)", int, default=10),
        Option("--seed N", "draw what this number gives, to show a draw again", int),
        JSON,
        description="Draws a seat for every player, as evenly as possible.",
        action=_draw_seats,
    ),
    Command(
        "button",
        "where the first button goes",
        Option("--seats SEAT", "the seats that are taken", int, nargs="+", required=True),
        Option("--cards CARD", "the cards, in the order dealt", nargs="+", default=[]),
        Option("--places N", "chairs at the table (10)", int, default=10),
        RULEBOOK,
        description="Names the seat of the first button; cards are dealt for it clockwise from the dealer's left.",
        action=_print_first_button,
    ),
    Command(
        "colour-up",
        "what becomes of stacks when a chip leaves the table",
        Option("stacks SEAT=STACK", "the stack of each seat", nargs="+"),
        Option("--chip VALUE", "the chip that leaves", int, required=True),
        Option("--to VALUE", "the next larger chip", int, required=True),
        Option("--cards CARD", "the cards of the race, as dealt", nargs="+", default=[]),
        Option("--big SEAT", "the big stack; SEAT=STACK then counts small chips", int),
        RULEBOOK,
        JSON,
        description="Changes all chips of a value into larger ones: without --cards it says to whom the cards of a "
        "race go, with --big what the big stack buys beforehand.",
        action=_print_colour_up,
    ),
)
