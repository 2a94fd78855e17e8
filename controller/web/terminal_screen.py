"""The table as text: what the dealer's page shows, for a terminal. Pure; the publication is that of the page."""

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from controller.runtime.faults.fault_table import OUT_OF_SERVICE
from controller.web.wording.showdown_wording import reword_steps, word_showdown
from controller.web.wording.step_instructions import add_instructions, format_instruction, format_label

BOLD, REVERSE, PLAIN = "\x1b[1m", "\x1b[7m", "\x1b[0m"

LAMP_LABELS = (
    ("attention", "! LOOK"), ("act", "> ACTS"), ("deal", "v CARD"), ("button", "D"), ("small_blind", "SB"),
    ("middle_blind", "MB"), ("big_blind", "BB"), ("winner_button", "WIN"), ("kill", "KILL"), ("choice", "CHOICE"),
)  # fmt: skip

SYMBOL_BY_SUIT = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

PageState = Mapping[str, Any]


def render_screen(publication: PageState, *, width: int = 80, styled: bool = True) -> list[str]:
    """Return the lines of the screen, each at most `width` long, styles aside."""
    bold, reverse, plain = (BOLD, REVERSE, PLAIN) if styled else ("", "", "")
    table = publication["table"]
    lines = [_render_heading(publication), ""]
    steps = reword_steps(add_instructions(table["next"]), word_showdown(publication.get("showdown")))
    large = steps[0]["text"] if steps else "Shuffle, then start"
    if table["phase"] == "halted":
        large = (
            f"Stop: {', '.join(_format_fault(fault['code']) for fault in publication['faults'])} (when all is "
            f"well: {large})"
        )
    lines += [f"{reverse}{bold} {large[: width - 2]} {plain}", _render_next_steps(steps)[:width], ""]
    lines += [_render_board(table)[:width], ""]
    lines += [_render_seat(publication, seat, bold, plain, width) for seat in _list_seats(publication)]
    lines.append("")
    for fault in publication["faults"]:
        cleared = f" Cleared by {' or '.join(fault['clears'])}." if fault["clears"] else ""
        lines += _wrap_text(f"! {fault['text']} {_get_advice(fault)}{cleared}", width)
    if publication["refusal"]:
        lines += _wrap_text(
            f"Not taken: {publication['refusal']['message']} {_get_advice(publication['refusal'])}", width
        )
    for ruling in publication["rulings"]:
        where = f", seat {ruling['seat']}" if "seat" in ruling else ""
        cites = ", ".join(ruling["cite"])
        taken_back = " (taken back)" if publication["remedy"]["taken_back"] else ""
        lines += _wrap_text(
            f"{format_label(ruling['finding'])}{where}: {format_label(ruling['verdict'])} [{cites}]{taken_back}", width
        )
        lines += _wrap_text(ruling["text"], width)
    lines += [
        f"[{'x' if step['done'] else ' '}] {format_instruction(step)}"[:width]
        for step in publication["remedy"]["steps"]
    ]
    for notice in publication["notices"][:3]:
        lines += _wrap_text(f"* {notice['text']}", width)
    for device in publication["devices"]:
        if device["state"] == "lost":
            lines += _wrap_text(f"* {device['name']} is lost: {device['why']}", width)
    return lines


def _render_heading(publication: PageState) -> str:
    table, setup = publication["table"], publication["setup"]
    lost = [device["name"] for device in publication["devices"] if device["state"] == "lost"]
    parts = [
        publication["mode"].upper(),
        table["phase"].upper(),
        f"hand {table['hand']}",
        table["street"] or "-",
        f"gate {table['gate']}",
        f"LOST {', '.join(lost)}" if lost else "devices well",
        f"{table.get('game') or setup.get('game', '')}, {setup.get('rulebook', '')}",
    ]
    return "  ".join(parts)


def _render_next_steps(steps: Sequence[Mapping[str, Any]]) -> str:
    if steps and steps[0]["step"] == "act":
        step = steps[0]
        amounts = f", {step['to_call']} to call" if step.get("to_call") else ""
        wager = f", raise to {step['min_to']}-{step['max_to']}" if "min_to" in step else ""
        return f" {' / '.join(step['options'])}{amounts}{wager}"
    if steps and steps[0]["step"] in ("floor", "say"):
        return f" {' / '.join(map(format_label, steps[0]['options']))}"
    rest = [step["short"] for step in steps[1:5]]
    more = f" ... ({len(steps) - 5} more)" if len(steps) > 5 else ""
    return f" then {', '.join(rest)}{more}" if rest else ""


def _render_board(table: Mapping[str, Any]) -> str:
    board = " | ".join(" ".join(map(_format_card, board)) for board in table.get("boards", [table["board"]])) or "-"
    pots = ", ".join(str(pot["amount"]) for pot in table.get("pots", ())) or "-"
    slide = f" (slide {table['collection']['due']})" if "collection" in table else ""
    piles = table["piles"]
    aside = f"  aside {piles['aside']}" if piles["aside"] else ""
    return (
        f"board {board}   pot {pots}{slide}   stub {piles['stub']}  burn {piles['burn']}  muck {piles['muck']}{aside}"
    )


def _list_seats(publication: PageState) -> list[str]:
    return sorted(publication["players"], key=int)


def _render_seat(publication: PageState, seat: str, bold: str, plain: str, width: int) -> str:
    table, who = publication["table"], publication["players"][seat]
    lit = [text for role, text in LAMP_LABELS if int(seat) in table["lamps"].get(role, ())]
    held = table["piles"]["seats"].get(seat, 0)
    stack = table.get("stacks", {}).get(seat)
    bet = table.get("bets", {}).get(seat)
    tabled = (publication.get("showdown") or {"hands": {}})["hands"].get(seat)
    up = " ".join(_format_card(card) for card in tabled or table.get("up", {}).get(seat, ()))
    parts = [
        f"{int(seat):3}  {who['player'][:14]:14}",
        f"{'away' if who['away'] else 'waits' if who['waits'] else '' if stack is None else stack:>6}",
        f"{f'bet {bet}' if bet else '':9}",
        f"{'' if tabled else '#' * held:7}",
        up,
        "  ".join(lit),
    ]
    line = " ".join(part for part in parts if part)[:width]
    return f"{bold}{line}{plain}" if {"> ACTS", "v CARD", "! LOOK"} & set(lit) else line


def _format_card(card: str | None) -> str:
    if card is None:
        return "?"
    return card if card == "joker" else f"{card[0].replace('T', '10')}{SYMBOL_BY_SUIT[card[1]]}"


def _get_advice(refusal: Mapping[str, Any]) -> str:
    return refusal.get("dealer") or ""


def _format_fault(code: str) -> str:
    return "out of service" if code == OUT_OF_SERVICE else format_label(code)


def _wrap_text(text: str, width: int) -> list[str]:
    return wrap(text, width) or [""]
