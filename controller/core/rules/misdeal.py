"""Misdeals: until when, and what else."""

from dataclasses import dataclass

from controller.core.policies import misdeal_window
from controller.core.policies.misdeal_window import Closed
from controller.core.rules.rule import Rule, policy


@dataclass(frozen=True, slots=True)
class MisdealRules:
    """Misdeals."""

    window: Rule[Closed] = policy(misdeal_window.ANSWERS, "From when on can a misdeal no longer be called?")
