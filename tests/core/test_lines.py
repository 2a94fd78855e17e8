"""Lines of the table script that no dealer would write and a page, a key map or a damaged file can bring."""

import pytest

from controller.core import script
from controller.core.errors import Refused


@pytest.mark.parametrize("word", [[], {}, None, 7, ["card"]])
def test_a_word_that_is_no_text_is_refused(word: object) -> None:
    with pytest.raises(Refused, match="`ev` cannot be"):
        script.read({"ev": word})


def test_half_a_sign_is_refused_because_no_journal_can_keep_it() -> None:
    with pytest.raises(Refused, match="whole signs"):
        script.read({"ev": "sit", "seat": 3, "player": "Ana\ud800", "stack": 200})
    assert script.read({"ev": "sit", "seat": 3, "player": "Ana \U0001f0a1", "stack": 200})
