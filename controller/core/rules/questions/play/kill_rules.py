"""Kill pots."""

from controller.core.rules.questions.rule import Rule, number, switch
from controller.core.values.value import Value


class KillRules(Value):
    """Kill pots, where the house plays them."""

    pots: Rule[int] = number("How many pots in a row, won by one player, make the next one killed?")
    bets: Rule[int] = number("How many full bets beyond the blinds must the last of them hold?")
    scoop: Rule[int] = number("How many times the upper limit must a scooped pot of a split game hold?")
    split_keeps: Rule[bool] = switch("Does a player with a leg up, or who killed, keep it when the pot is split?")
    voluntary: Rule[int] = number("How many times the kill must a player have who kills a pot by choice?")
    one: Rule[bool] = switch("Is only one kill a deal allowed?")
    newcomers: Rule[bool] = switch("May a new player play in a killed pot without killing the next one?")
    owed: Rule[bool] = switch("Must a player who left without posting a kill post it before playing again?")
    again: Rule[bool] = switch("Must a killer who wins again kill again?")
    missed: Rule[bool] = switch("Is a kill that was not posted in time posted off the button and the blinds?")
    straddle: Rule[bool] = switch("May a killed pot be straddled?")
    chop: Rule[bool] = switch("May the blinds be chopped where one of them has killed the pot?")
    bring_in: Rule[bool] = switch("Does the kill stand for the bring-in where there are no blinds?")
