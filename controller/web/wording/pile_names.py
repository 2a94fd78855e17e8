"""How a pile or a seat, as a step or a sentence of the table script names it, is said to people."""

from config.language_file import Language, mark_for_translation

TEXT_BY_PILE = {
    "stub-bottom": mark_for_translation("bottom of the stub"), "burn": mark_for_translation("burns"),
    "stub": mark_for_translation("stub"),
    "muck": mark_for_translation("muck"), "board": mark_for_translation("board"),
    "aside": mark_for_translation("aside"), "deck": mark_for_translation("deck"),
}  # fmt: skip


def format_pile(name: str, language: Language) -> str:
    """Say a place of cards: a pile by its name, a hand by its seat."""
    if name in TEXT_BY_PILE:
        return language.translate(TEXT_BY_PILE[name])
    kind, _, seat = name.partition(" ")
    if kind == "seat" and seat:
        return language.translate("seat {seat}", seat=seat)
    return language.translate(name)
