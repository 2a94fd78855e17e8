"""The counts of the drop box that people of the house enter: each a record of the journal, or a sentence."""

from controller.core.engine.table import Table
from controller.core.play.game_flow import house_account
from controller.core.protocol.table_error import Refused
from controller.records.drop_box import BOX_RECORD_KIND
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.loop_messages import BoxCounted
from controller.runtime.loop.signer_keys import SignerKeys

CHANGED_MESSAGE = "Something was dropped meanwhile: look again at what should be in the box."


class BoxCounts:
    """Writes counts down at one table; raises `DatabaseError` where the journal cannot be written."""

    def __init__(self, table: Table, journal: Journal, signer_keys: SignerKeys) -> None:
        self._table = table
        self._journal = journal
        self._signer_keys = signer_keys
        self._last_number = 0
        """The last box that was counted in this run."""

    def take(self, told: BoxCounted) -> None:
        """Write a count down in one record, and say so; or say why not, and write nothing."""
        refused = self._find_refusal(told)
        if refused is None:
            for by in told.signers:
                if "key" in by:
                    self._signer_keys.ensure_recorded(by, BOX_RECORD_KIND)
            body = {"line": dict(told.line), "session": told.session, "account": told.account_chips}
            self._journal.append_note(BOX_RECORD_KIND, body | {"by": [dict(by) for by in told.signers]})
            if "reason" not in told.line:
                self._last_number = told.box
        told.on_result(refused)

    def _find_refusal(self, told: BoxCounted) -> Refused | None:
        """Why a count cannot be written down as the table stands now; whoever asked saw it a moment ago."""
        if "reason" in told.line:
            return None
        state = self._table.outcome.state
        if state.is_hand_on:
            return Refused("not-now", "A hand is on, and its drop goes into the box when it is over: count it then.")
        if told.box <= self._last_number:
            return Refused("not-now", f"Box {told.box} was counted already.")
        if house_account.count_session_chips(state) != told.account_chips:
            return Refused("not-now", CHANGED_MESSAGE)
        return None
