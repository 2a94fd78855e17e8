"""A clause is found in a printed rulebook, whatever marks its print uses, and nothing is shown that is not it."""

from controller.web.wording.printed_rulebook import find_passage

BOOK = """# THE BOOK

MISDEALS ..... 7
USING BLINDS ..... 12

## SECTION 3 - GENERAL

### MISDEALS

1. Once action begins, nobody is paid back.
2. A misdeal is
   - (a) a card too many,
   - (b) a card too few.

### DEAD HANDS
- 1. A hand is dead when its holder folds it,
even by mistake.
- 2. Cards in the muck are dead.

## SECTION 4 - BLINDS
### RULES FOR USING BLINDS
1. Each round everybody pays once.
"""

CLAUSES = """9. Ranks
9.1 The ranks are
- (a) straight flush five in
sequence;
- (b) four of a kind;
10. Misdeals
"""


def test_a_rule_is_found_below_its_heading_and_ends_where_the_next_begins() -> None:
    found = find_passage(BOOK, "Section 3, Dead Hands, rule 1")
    assert found is not None
    assert found.is_exact
    assert found.text == "- 1. A hand is dead when its holder folds it,\neven by mistake."
    assert BOOK.splitlines()[found.first_line - 1] == "- 1. A hand is dead when its holder folds it,"


def test_a_table_of_contents_is_no_heading_of_rules() -> None:
    found = find_passage(BOOK, "Section 4, Rules for Using Blinds, rule 1")
    assert found is not None
    assert found.text == "1. Each round everybody pays once."


def test_a_rule_that_a_list_does_not_have_shows_its_heading_and_says_so() -> None:
    found = find_passage(BOOK, "Section 3, Dead Hands, rule 7")
    assert found is not None
    assert not found.is_exact
    assert found.text.startswith("### DEAD HANDS")


def test_a_numbered_clause_with_letters_is_found() -> None:
    found = find_passage(CLAUSES, "clause 9.1(a)")
    assert found is not None
    assert found.is_exact
    assert found.text == "- (a) straight flush five in\nsequence;"


def test_what_the_print_does_not_have_is_not_found() -> None:
    assert find_passage(BOOK, "Section 9, Kill Pots, rule 1") is None
    assert find_passage(CLAUSES, "clause 11.2(c)") is None
    assert find_passage("", "Section 1, Anything, rule 1") is None
