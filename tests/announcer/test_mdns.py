"""The table in the local network: the files by which the system's own service announces it."""

import configparser
import tomllib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from config.table_file import PageSection, load_table_file
from controller.announcer.mdns import SERVICE_TYPE, render_avahi_file, render_resolved_file
from controller.client.table_client import API_BASE_PATH

Tablectl = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "image"
KEYS = {"Name", "Type", "Port", "Priority", "Weight", "TxtText", "TxtData"}
"""What `[Service]` may hold (systemd.dnssd(5))."""


def read(text: str) -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # keys are written as they are
    parser.read_string(text)
    assert parser.sections() == ["Service"]
    return dict(parser["Service"])


def test_the_file_for_resolved_has_what_it_documents() -> None:
    told = read(render_resolved_file(PageSection("0.0.0.0", 8080)))
    assert set(told) <= KEYS
    assert told == {"Name": "%H", "Type": SERVICE_TYPE, "Port": "8080", "TxtText": f"tls=no api={API_BASE_PATH}/"}


def test_the_file_for_avahi_is_a_service_group() -> None:
    group = ElementTree.fromstring(render_avahi_file(PageSection("0.0.0.0", 8443, certificate=Path("page.crt"))))
    assert group.tag == "service-group"
    assert group.find("name").get("replace-wildcards") == "yes"  # type: ignore[union-attr]
    assert group.findtext("service/type") == SERVICE_TYPE
    assert group.findtext("service/port") == "8443"
    assert {record.text for record in group.iterfind("service/txt-record")} == {"tls=yes", f"api={API_BASE_PATH}/"}


def test_the_service_has_the_form_that_resolved_and_avahi_take() -> None:
    name, protocol = SERVICE_TYPE.split(".")
    assert (name[0], protocol) == ("_", "_tcp")
    assert name[1].isalpha()
    assert name[1:].replace("-", "").isalnum()


def test_the_image_announces_its_page() -> None:
    page = tomllib.loads((IMAGE / "table.toml").read_text(encoding="utf-8"))["page"]
    section = PageSection(page["host"], page["port"], certificate=Path(page["certificate"]))
    announced = (IMAGE / "files/etc/systemd/dnssd/table-controller.dnssd").read_text(encoding="utf-8")
    assert read(announced) == read(render_resolved_file(section))


def test_the_command_prints_the_file_of_this_table(tmp_path: Path, tablectl: Tablectl) -> None:
    text = (ROOT / "config/tables/demo.toml").read_text(encoding="utf-8")
    path = tmp_path / "table.toml"
    path.write_text(text.replace('host = "127.0.0.1"', 'host = "0.0.0.0"'), encoding="utf-8")
    status, said, where = tablectl("announce", "mdns", "--config", path)
    assert (status, said) == (0, render_resolved_file(load_table_file(path).page))
    assert "/etc/systemd/dnssd/table-controller.dnssd" in where
    assert tablectl("announce", "mdns", "--avahi", "--config", path)[1] == render_avahi_file(load_table_file(path).page)


def test_a_page_for_this_machine_alone_is_not_announced(tablectl: Tablectl) -> None:
    status, said, why = tablectl("announce", "mdns", "--config", ROOT / "config/tables/demo.toml")
    assert (status, said) == (1, "")
    assert "nobody in the network can open it" in why
