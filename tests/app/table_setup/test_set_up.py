"""The set-up page's file is right for every game and book, and who answers at a port is found out."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from config import game_file, rulebook_file
from config.table_file import DEMO_FILE, PageSection, TableFile, load_table_file
from controller.app.commissioning import table_upkeep, welcome_screen
from controller.app.commissioning.table_file_check import find_problems
from controller.app.commissioning.table_upkeep import (
    SetupChoice,
    TableUpkeep,
    UpkeepError,
    detect_devices,
    render_table_file,
)
from controller.runtime.storage.state_directory import HAND_KEY_FILE
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock

IMAGE = Path(__file__).parents[3] / "image" / "table.toml"


@pytest.fixture
def present(tmp_path: Path) -> TableFile:
    """The file that the image comes with."""
    path = tmp_path / "table.toml"
    path.write_text(IMAGE.read_text().replace("/var/lib/table-controller", str(tmp_path / "state")))
    (tmp_path / "tls").mkdir()
    for name in ("page.crt", "page.key", "ca.crt"):
        (tmp_path / "tls" / name).touch()
    (tmp_path / "state").mkdir()
    return load_table_file(path)


CHOICE = {
    "kind": "rfid-shoe", "reader": "pn532", "reader_port": "/dev/serial/by-id/reader",
    "board_port": "/dev/table/bridge", "seats_port": "/dev/serial/by-id/pepper",
}  # fmt: skip


def test_the_image_comes_with_a_right_file() -> None:
    assert find_problems(IMAGE) == []


@pytest.mark.parametrize(("kind", "reader"), [*product(table_upkeep.EXAMPLE_LABELS, table_upkeep.list_readers())])
def test_every_reader_gives_a_right_file(kind: str, reader: str, present: TableFile, tmp_path: Path) -> None:
    choice = SetupChoice.from_json(CHOICE | {"kind": kind, "reader": reader})
    path = tmp_path / "new.toml"
    path.write_text(render_table_file(choice, present.path.read_text()))
    assert [str(each) for each in find_problems(path)] == []
    made = load_table_file(path)
    assert (made.page, made.state_directory) == (present.page, present.state_directory), (
        "page and state are as they were"
    )
    assert kind == "no-shoe" or (made.devices["shoe"].driver, made.devices["shoe"].port) == (
        reader,
        CHOICE["reader_port"],
    )


@pytest.mark.parametrize("kind", ["starter", "no-shoe"])
def test_what_the_house_takes_stays(kind: str, present: TableFile, tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    section = '\n[collection]\nkind = "rake"\npercent = 5\ncaps = [\n  { dealt = 3, cap = 2 },\n]\n'
    choice = SetupChoice.from_json(CHOICE | {"kind": kind, "reader": "rdm6300"})
    path.write_text(render_table_file(choice, present.path.read_text() + section))
    kept = {"kind": "rake", "percent": 5, "caps": [{"dealt": 3, "cap": 2}]}
    assert load_table_file(path).table_line["collection"] == kept


def test_every_example_can_be_chosen() -> None:
    """Who has no terminal sets up what the pages of docs/hardware say how to build."""
    pages = Path(__file__).parents[3] / "docs" / "hardware"
    examples = table_upkeep.EXAMPLE_LABELS.keys() - {"no-shoe"}
    assert examples >= {"starter", "rfid-shoe", "barcode-shoe", "seat-leds", "seat-antennas"}
    assert all((pages / f"{example}.md").exists() for example in examples)
    readers = table_upkeep.read_example_readers()
    assert {*readers} == examples
    assert (readers["starter"], readers["barcode-shoe"]) == ("rdm6300", "ssi")


def test_the_reader_of_the_seats_is_where_it_was_found(present: TableFile, tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    choice = SetupChoice.from_json(CHOICE | {"kind": "seat-antennas"})
    path.write_text(render_table_file(choice, present.path.read_text()))
    made = load_table_file(path)
    assert (made.devices["seats"].driver, made.devices["seats"].port) == ("pepper_c1", CHOICE["seats_port"])
    assert len(made.places_by_reader["seats"]) == choice.places


@pytest.mark.parametrize("kind", sorted(table_upkeep.EXAMPLE_LABELS.keys() - {"no-shoe"}))
def test_no_more_seats_are_offered_than_the_example_has_lamps(kind: str, present: TableFile, tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    path.write_text(render_table_file(SetupChoice.from_json(CHOICE | {"kind": kind}), present.path.read_text()))
    example = load_table_file(DEMO_FILE.parent / f"{kind}.toml")
    assert load_table_file(path).table_line["places"] == example.table_line["places"]


@pytest.mark.parametrize("game", game_file.list_games())
def test_every_game_gives_a_right_file(game: str, present: TableFile, tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    for structure, book in product(("no-limit", "pot-limit", "fixed-limit"), ("roberts-7", "casino-au")):
        choice = SetupChoice.from_json(
            CHOICE | {"game": game, "book": book, "structure": structure, "small": 5, "big": 10}
        )
        path.write_text(render_table_file(choice, present.path.read_text()))
        if not find_problems(path):
            assert load_table_file(path).table_line["game"] == game
            return
    pytest.fail(f"no structure fits {game}: {find_problems(path)}")


@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
def test_every_book_gives_a_right_file(book: str, present: TableFile, tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    path.write_text(render_table_file(SetupChoice.from_json(CHOICE | {"book": book}), present.path.read_text()))
    assert [str(each) for each in find_problems(path)] == []


def test_a_second_store_is_written_down(present: TableFile, tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    path.write_text(render_table_file(SetupChoice.from_json(CHOICE | {"second_store": True}), present.path.read_text()))
    store = load_table_file(path).second_store
    assert store is not None
    assert store.directory == Path("/var/lib/table-copy")


@pytest.mark.parametrize(
    "said",
    [
        {"kind": "other"}, {"colour": "red"}, {"small": "1"}, {"small": True}, {"reader": 'pn532"\nx = 1'},
        {"deck": "a" * 300}, {"book": "\n[page]"},
    ],
)  # fmt: skip
def test_what_is_no_choice_is_refused(said: dict[str, object]) -> None:
    with pytest.raises(UpkeepError):
        SetupChoice.from_json(said)


def test_the_file_is_left_for_root_only_when_it_is_right(
    present: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_upkeep, "find_weaknesses", lambda _: [])  # the certificates of this test are empty files
    upkeep = TableUpkeep(present, tmp_path / "state")
    assert upkeep.ca_certificate() == tmp_path / "tls" / "ca.crt"
    with pytest.raises(UpkeepError, match="the file has mistakes: "):
        upkeep.request_chosen_file(CHOICE | {"game": "whist"})
    assert not (tmp_path / "state" / table_upkeep.TABLE_FILE_REQUEST).exists()
    upkeep.request_chosen_file(CHOICE)
    assert upkeep.read_present_file() == present.path.read_text()
    left = tmp_path / "state" / table_upkeep.TABLE_FILE_REQUEST
    assert left.read_text() == upkeep.propose(CHOICE)["text"]
    assert find_problems(left) == []


def test_a_port_named_by_the_order_of_plugging_is_wrong(present: TableFile, tmp_path: Path) -> None:
    (present.path.parent / "tls" / "page.crt").write_text("")
    proposed = TableUpkeep(present, tmp_path / "state").propose(CHOICE | {"reader_port": "/dev/ttyUSB0"})
    assert any("is another device when the plugs are in another order" in each for each in proposed["wrong"])


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def bench(clock: ManualClock) -> Iterator[Bench]:
    with Bench(clock=clock) as bench:
        yield bench


@pytest.mark.parametrize("driver", ["pn532", "feig", "cr95hf", "ssi", "bridge", "s6350"])
def test_who_answers_at_a_port_is_found_out(driver: str, bench: Bench, clock: ManualClock) -> None:
    bench.add_port(f"sim://{driver}/there")
    found = detect_devices(f"sim://{driver}/there", clock, clock.advance)
    assert [each.driver for each in found] == [driver]


def test_a_silent_reader_is_found_by_a_card(bench: Bench, clock: ManualClock) -> None:
    bench.add_port("sim://rdm6300/there")

    reader = bench.reader("there")

    def wait(seconds: float) -> None:
        """A card comes and goes twice a second."""
        clock.advance(seconds)
        (reader.present if clock() % 0.5 < 0.25 else reader.remove)("6F007B3972")

    found = detect_devices("sim://rdm6300/there", clock, wait)
    assert [(each.driver, each.how) for each in found] == [("rdm6300", "has read a card")]


def test_a_port_that_cannot_be_opened_has_nobody() -> None:
    assert detect_devices("/dev/nowhere") == []


def test_the_welcome_fits_a_console(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(welcome_screen, "list_own_addresses", lambda: ["192.168.100.200"])
    monkeypatch.setattr(welcome_screen, "make_own_host_name", lambda: "table-07.local")
    monkeypatch.setattr("socket.gethostname", lambda: "table-07")
    page = PageSection(host="0.0.0.0", port=8443, certificate=Path("x"))
    said = welcome_screen.render_welcome_screen(page, "48217730")
    lines = said.splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    assert "This table is table-07." in said
    assert "https://table-07.local:8443/" in said
    assert "One-time code:  4821-7730" in said
    assert "█" in said
    later = welcome_screen.render_welcome_screen(page, None)
    assert "code" not in later
    assert "https://192.168.100.200:8443/" in later


def test_the_picture_is_a_square() -> None:
    rows = welcome_screen.render_qr_code("https://192.168.100.200:8443/sign-in#48217730").splitlines()
    assert len({len(row) for row in rows}) == 1
    assert len(rows) * 2 - len(rows[0]) in (0, 1)


def test_a_table_without_a_certificate_says_http() -> None:
    assert welcome_screen.list_page_urls(replace(PageSection(), host="127.0.0.1")) == ["http://127.0.0.1:8080/"]


def test_a_certificate_of_the_tables_own_authority_is_asked_for_between_hands(
    present: TableFile, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    upkeep = TableUpkeep(present, state)
    assert upkeep.describe_certificate() == {"until": None, "own": True}, "what is there is no certificate"
    (state / HAND_KEY_FILE).write_bytes(b"x")
    with pytest.raises(UpkeepError, match="finish the hand first"):
        upkeep.renew()
    (state / HAND_KEY_FILE).unlink()
    upkeep.renew()
    assert (state / table_upkeep.CERTIFICATE_REQUEST).exists()
    (tmp_path / "tls" / "ca.crt").unlink()
    with pytest.raises(UpkeepError, match="where it came from"):
        upkeep.renew()
    assert upkeep.describe_certificate() == {"until": None, "own": False}
