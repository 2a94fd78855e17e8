"""The stub."""

from dataclasses import dataclass

from controller.core.rules.rule import Rule, switch


@dataclass(frozen=True, slots=True)
class StubRules:
    """The stub."""

    fouled: Rule[bool] = switch("Is the deal played out from a rebuilt stub when the stub was fouled?")
