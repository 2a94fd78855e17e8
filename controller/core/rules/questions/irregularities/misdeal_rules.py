"""Misdeals: until when, and what else."""

from controller.core.rules.policies import misdeal_window
from controller.core.rules.policies.misdeal_window import MisdealWindowPolicy
from controller.core.rules.questions.rule import Rule, policy
from controller.core.values.value import Value


class MisdealRules(Value):
    """Misdeals."""

    window: Rule[MisdealWindowPolicy] = policy(
        misdeal_window.POLICY_BY_NAME, "From when on can a misdeal no longer be called?"
    )
