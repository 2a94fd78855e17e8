"""What lies in the state directory of a table."""

JOURNAL_FILE = "journal.sqlite"
"""The journal: `controller.runtime.journal.journal`."""

TABLE_DATABASE_FILE = "table.sqlite"
"""The table's own database: registered decks, `controller.runtime.devices.deck_store`."""

LOCK_FILE = "lock"
"""Held by the controller that runs."""

HAND_KEY_FILE = "hand.key"
"""What the journal keeps while a hand lives, and empties at its end."""

STAFF_FILE = "staff.sqlite"
"""Who of the house may do what, with which PIN: `controller.runtime.staff.staff_store`."""

TOKENS_FILE = "tokens.sqlite"
"""Which machines of the house may read what: `controller.runtime.staff.token_store`; there once a token was made."""

DECK_IN_PLAY_FILE = "deck-in-play"
"""The name of the deck that was dealt last, where the table has several."""
