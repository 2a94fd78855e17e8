"""The tokens of the API: made once, kept as a hash, withdrawn at once, and tried in vain."""

import stat
from pathlib import Path

import pytest

from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import TokenRole
from controller.runtime.staff.rate_limit import FREE_TRIES, MAX_WAIT_S
from controller.runtime.staff.token_store import MAX_TOKENS, TokenStore
from controller.runtime.storage.store_mark import MARK_SUFFIXES


class Wall:
    at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def tokens(tmp_path: Path, wall: Wall) -> TokenStore:
    return TokenStore(tmp_path / "tokens.sqlite", now=wall)


def code_of(tokens: TokenStore, text: str) -> RefusalCode | None:
    try:
        tokens.find(text)
    except AdmissionError as why:
        return why.code
    return None


def test_a_table_without_tokens_has_no_file_of_them_and_lets_nobody_in(tokens: TokenStore) -> None:
    assert tokens.list_tokens() == []
    assert [code_of(tokens, "tct_x") for _ in range(20)] == [RefusalCode.TOKEN_WRONG] * 20
    assert not tokens.path.exists()


def test_a_token_is_kept_as_a_hash_in_a_file_of_its_owners_alone(tokens: TokenStore) -> None:
    text = tokens.add("hall display", TokenRole.WATCH)
    assert len(text) == 47
    assert tokens.find(text).role is TokenRole.WATCH
    tokens.close()
    assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600
    for path in tokens.path.parent.iterdir():
        assert text.removeprefix("tct_").encode() not in path.read_bytes()


def test_a_token_that_is_withdrawn_by_another_process_is_let_in_no_more(tokens: TokenStore, wall: Wall) -> None:
    text = tokens.add("hall", TokenRole.WATCH)
    token = tokens.find(text)
    TokenStore(tokens.path, now=wall).revoke(" HALL ")
    assert code_of(tokens, text) is RefusalCode.TOKEN_WRONG
    assert not tokens.is_valid(token)
    with pytest.raises(AdmissionError, match="There is no token of that name; there is: none"):
        tokens.revoke("hall")


def remove_marks(path: Path) -> None:
    """As somebody does who means what has become of a file."""
    for suffix in MARK_SUFFIXES:
        path.with_suffix(suffix).unlink()


@pytest.mark.parametrize("beside", [(), ("-wal", "-shm")])
def test_a_file_of_tokens_that_is_made_anew_counts_at_once(
    tokens: TokenStore, wall: Wall, beside: tuple[str, ...]
) -> None:
    old = tokens.add("hall", TokenRole.WATCH)
    token = tokens.find(old)
    for end in ("", *beside):
        tokens.path.with_name(tokens.path.name + end).unlink()
    assert code_of(tokens, old) is RefusalCode.STAFF_FILE_UNUSABLE, "somebody may have lost it"
    remove_marks(tokens.path)
    assert code_of(tokens, old) is RefusalCode.TOKEN_WRONG
    assert not tokens.path.exists()
    other = TokenStore(tokens.path, now=wall)
    new = other.add("hall", TokenRole.WATCH)
    assert tokens.find(new).name == "hall"
    assert code_of(tokens, old) is RefusalCode.TOKEN_WRONG
    assert not tokens.is_valid(token)
    other.close()


def test_a_file_of_tokens_that_is_replaced_while_nobody_asks_counts_at_once(tokens: TokenStore, wall: Wall) -> None:
    old = tokens.add("hall", TokenRole.WATCH)
    tokens.find(old)
    other = TokenStore(tokens.path.with_name("other.sqlite"), now=wall)
    new = other.add("hall", TokenRole.WATCH)
    other.close()
    for end in ("-wal", "-shm"):
        tokens.path.with_name(tokens.path.name + end).unlink()
    other.path.replace(tokens.path)
    assert code_of(tokens, new) is RefusalCode.STAFF_FILE_UNUSABLE
    remove_marks(tokens.path)
    assert tokens.find(new).name == "hall"
    assert code_of(tokens, old) is RefusalCode.TOKEN_WRONG


def test_names_are_unique_and_tokens_bounded(tokens: TokenStore) -> None:
    for number in range(MAX_TOKENS):
        tokens.add(f"display {number}", TokenRole.WATCH)
    with pytest.raises(AdmissionError, match="withdraw one first"):
        tokens.add("one more", TokenRole.WATCH)
    tokens.revoke("display 7")
    with pytest.raises(AdmissionError, match="a token 'DISPLAY 8' already"):
        tokens.add("DISPLAY 8", TokenRole.METRICS)
    with pytest.raises(AdmissionError, match="A name has"):
        tokens.add("../x", TokenRole.WATCH)
    assert len(tokens.list_tokens()) == MAX_TOKENS - 1


def test_wrong_tries_wait_and_a_right_token_never_does(tokens: TokenStore, wall: Wall) -> None:
    text = tokens.add("hall", TokenRole.WATCH)
    found = [code_of(tokens, f"tct_{number}") for number in range(FREE_TRIES + 3)]
    assert found == [RefusalCode.TOKEN_WRONG] * FREE_TRIES + [RefusalCode.WAIT] * 3
    with pytest.raises(AdmissionError, match=r"This token is wrong.*Wait 15 seconds"):
        tokens.find("tct_x")
    assert code_of(tokens, text) is None
    wall.at += MAX_WAIT_S
    assert [code_of(tokens, "tct_x"), code_of(tokens, "tct_x")] == [RefusalCode.TOKEN_WRONG, RefusalCode.WAIT]
    tokens.add("another", TokenRole.WATCH)
    assert code_of(tokens, "tct_x") is RefusalCode.TOKEN_WRONG, "whoever makes a token begins anew"


def test_a_damaged_file_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "tokens.sqlite").write_bytes(b"no database" * 300)
    with pytest.raises(AdmissionError, match=r"tokens\.sqlite") as why:
        TokenStore(tmp_path / "tokens.sqlite").find("tct_x")
    assert why.value.code is RefusalCode.STAFF_FILE_UNUSABLE
