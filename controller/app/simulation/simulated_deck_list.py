"""The list of the deck that a simulated table registers for itself, as a technician would from the command line."""

from config.table_file import TableFile
from controller.runtime.devices.deck_list_formats import TagFormat, parse_deck_list
from controller.runtime.devices.deck_store import Deck, DeckError, check_deck_complete


def load_listed_deck(file: TableFile) -> Deck | None:
    """Read the deck that `[simulation] deck_list` lists; `None` where no list is named. Raises `ConfigError`."""
    section = file.simulation
    if file.shoe is None or section.deck_list is None:
        return None
    form = None if section.deck_tags is None else TagFormat(section.deck_tags)
    try:
        text = section.deck_list.read_text(encoding="utf-8")
        deck = parse_deck_list(file.shoe.deck, text, form, width=section.deck_hex_digits)
        check_deck_complete(deck)
    except OSError as why:
        raise file.make_error(f"{section.deck_list} cannot be read: {why.strerror}", "simulation", "deck_list") from why
    except UnicodeDecodeError as why:
        raise file.make_error(f"{section.deck_list} is no UTF-8 text", "simulation", "deck_list") from why
    except DeckError as why:
        text = str(why).replace("say --tags hex or --tags decimal", 'say deck_tags = "hex" or deck_tags = "decimal"')
        text = text.replace("or --tags decimal", 'or deck_tags = "decimal"')
        raise file.make_error(f"{section.deck_list.name}: {text}", "simulation", "deck_list") from why
    return deck
