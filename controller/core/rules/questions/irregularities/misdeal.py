"""Misdeals: until when, and what else."""

from controller.core.rules.policies import misdeal_window
from controller.core.rules.policies.misdeal_window import Closed
from controller.core.rules.questions.rule import Rule, policy
from controller.core.values.data import dataclass


@dataclass(frozen=True, slots=True)
class MisdealRules:
    """Misdeals."""

    window: Rule[Closed] = policy(misdeal_window.ANSWERS, "From when on can a misdeal no longer be called?")
