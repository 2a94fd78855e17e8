"""A language for tests: what the catalogues have stands between ⟦ and ⟧, so that all else is seen to be outside."""

from functools import cache
from types import MappingProxyType

from config.language_file import Language
from tests.languages.catalogues import Text, texts


def _mark_text(text: Text) -> tuple[str, tuple[str, ...]]:
    forms = (text,) if isinstance(text, str) else text
    return forms[0], tuple(f"⟦{each}⟧" for each in forms)


@cache  # three seconds: every source is read
def make_pseudo_language() -> Language:
    return Language("xx", MappingProxyType(dict(_mark_text(text) for text in texts())))
