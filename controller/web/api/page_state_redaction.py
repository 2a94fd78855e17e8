"""What a token is told of a publication. A publication names no card that lies face down; this leaves out more.

Everybody is told what stands on the spectators' page. `permissions.STAFF_TOKENS` are told of devices, notices and
refused entries besides, and of a fault the device and who clears it.
"""

from collections.abc import Mapping
from typing import Any

from controller.client.api_types import Fault, Seat, Staff, Table
from controller.runtime.staff.permissions import STAFF_TOKENS, TokenRole

PageState = Mapping[str, Any]


def redact_page_state(publication: PageState, role: TokenRole) -> Table:
    """Return a publication as a token of this role is told it."""
    shown, setup = publication["table"], publication["setup"]
    staff = role in STAFF_TOKENS
    table: Table = {
        "number": publication["number"],
        "entry": publication["entry"],
        "mode": publication["mode"],
        "program": setup.get("program", ""),
        "rulebook": setup.get("rulebook", ""),
        "game": setup.get("game", ""),
        "tournament": setup.get("tournament", False),
        "places": setup.get("places", 0),
        "betting": setup.get("betting", {}),
        "hand": shown.get("hand", 0),
        "phase": shown.get("phase", "idle"),
        "street": shown.get("street"),
        "halted": shown.get("phase") == "halted",
        "next": shown.get("next", []),
        "lamps": shown.get("lamps", {}),
        "gate": shown.get("gate", "locked"),
        "board": shown.get("board", []),
        "pots": shown.get("pots", []),
        "piles": shown.get("piles", {}),
        "seats": [_build_seat(int(seat), who, shown) for seat, who in publication["players"].items()],
        "rulings": publication["rulings"],
        "ruled_in": publication["ruled_in"],
        "remedy": publication["remedy"]["steps"],
        "faults": [_build_fault(fault, staff=staff) for fault in publication["faults"]],
        "floor_called": publication["floor_called"],
    }
    if "out" in shown:
        table["out"] = shown["out"]
    if "timer" in shown:
        table["timer"] = shown["timer"]
    notice = publication.get("notice")
    if notice is not None and notice["is_shown"]:
        due = shown.get("collection", {}).get("due", 0)
        table["collection"] = {"terms": notice["terms"], "sign": notice["sign"], "due": due}
    if staff:
        table["staff"] = _build_staff(publication)
    return table


def _build_seat(number: int, who: Mapping[str, Any], shown: Mapping[str, Any]) -> Seat:
    key = str(number)
    seat: Seat = {
        "seat": number,
        "player": who.get("player"),
        "away": bool(who.get("away")),
        "waits": bool(who.get("waits")),
        "cards": shown.get("piles", {}).get("seats", {}).get(key, 0),
    }
    if "turn" in who:
        seat["turn"] = who["turn"]
    if "misses" in who:
        seat["misses"] = who["misses"]
    if "stacks" in shown:
        seat["stack"] = shown["stacks"].get(key, 0)
        seat["bet"] = shown.get("bets", {}).get(key, 0)
    if key in shown.get("up", {}):
        seat["up"] = shown["up"][key]
    return seat


def _build_fault(fault: Mapping[str, Any], *, staff: bool) -> Fault:
    told: Fault = {"code": fault["code"], "stops": fault["stops"]}
    if staff:
        told["text"] = fault["text"]
        told["clears"] = list(fault["clears"])
        told["dealer"] = fault["dealer"]
        told["since"] = fault["since"]
    return told


def _build_staff(publication: PageState) -> Staff:
    refusal = publication["refusal"]
    return {
        "devices": publication["devices"],
        "notices": [
            {"code": notice["code"], "device": notice["device"], "text": notice["text"]}
            for notice in publication["notices"]
        ],
        "refusal": refusal and {"code": refusal["code"], "message": refusal["message"], "source": refusal["source"]},
        "power_lost": publication["power_lost"],
        "longest_delay": publication["longest_delay"],
    }
