"""Policies: one question a module, all known answers side by side.

An answer is a plain function with narrow arguments and no access to the table. A rulebook names it; two books that
agree name the same function. Each module ends with `ANSWERS`, name -> function.
"""
