"""The page's certificate: made with a local authority, and its end said before browsers say it."""

import re
import shutil
import ssl
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from controller.app.commissioning import table_file_check
from controller.app.table.page_access import make_certificate_watch
from controller.app.table.status_line import format_status_line
from controller.app.upkeep.page_certificate import CertificateError, make_certificate
from controller.cli import main
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.loop.certificate_watch import CHECK_INTERVAL_S
from controller.web.serving.certificate_validity import find_expiry_problem, read_expiry
from controller.web.serving.tls import Tls, TlsError
from tests.app.rig import Rig, demo

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")


def handshake(certificate: Path, key: Path, authority: Path, name: str) -> None:
    """Have a browser that trusts `authority` ask the page for `name`; raises `ssl.SSLError` where it would refuse."""
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(certificate, key)
    trusting = ssl.create_default_context(cafile=str(authority))
    to_page, to_browser = ssl.MemoryBIO(), ssl.MemoryBIO()
    browser = trusting.wrap_bio(to_browser, to_page, server_hostname=name)
    page = serving.wrap_bio(to_page, to_browser, server_side=True)
    for side in (browser, page, browser, page):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue


def test_a_phone_that_trusts_the_authority_trusts_the_page(tmp_path: Path) -> None:
    page, key, authority = make_certificate(tmp_path, ["table-07.local", "192.168.1.20", "poker.example.org"])
    for name in ("table-07.local", "192.168.1.20", "poker.example.org"):
        handshake(page, key, authority, name)
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(page, key, authority, "table-08.local")
    assert key.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "ca.key").stat().st_mode & 0o777 == 0o600
    Tls(page, key).check()


def test_renewing_keeps_the_authority(tmp_path: Path) -> None:
    _, _, authority = make_certificate(tmp_path, ["table-07.local"])
    before = authority.read_bytes()
    page, key, _ = make_certificate(tmp_path, ["table-07.local", "10.0.0.7"])
    assert authority.read_bytes() == before, "nobody has to trust it twice"
    handshake(page, key, authority, "10.0.0.7")


def test_the_authority_speaks_for_no_bank(tmp_path: Path) -> None:
    page, key, authority = make_certificate(tmp_path, ["table-07.local"])
    page, key, _ = make_certificate(tmp_path, ["bank.example.com"])
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        handshake(page, key, authority, "bank.example.com")


@pytest.mark.parametrize("name", ["", "-subj /CN=x", "a,DNS:b", "a\nb"])
def test_what_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CertificateError, match="is no host name and no address"):
        make_certificate(tmp_path, [name])


def test_its_end_is_read_and_said(tmp_path: Path) -> None:
    page, _, authority = make_certificate(tmp_path, ["table-07.local"])
    said = subprocess.run(
        ["openssl", "x509", "-enddate", "-noout", "-in", page], capture_output=True, text=True, check=True
    )
    until = read_expiry(page)
    assert said.stdout.strip() == f"notAfter={until:%b} {until.day:2} {until:%H:%M:%S %Y} GMT"
    assert read_expiry(authority) > until
    day = timedelta(days=1)
    assert find_expiry_problem(page, until - 2 * day) is None
    assert "it ends on" in (find_expiry_problem(page, until - 2 * day, within=3 * day) or "")
    assert "it ended on" in (find_expiry_problem(page, until) or "")


@pytest.mark.parametrize("text", ["", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n", "\xff"])
def test_what_is_no_certificate_is_a_value_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=r"there is no X\.509 certificate in it, as PEM"):
        read_expiry(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        read_expiry(tmp_path / "y")


def test_of_a_chain_the_first_is_read_and_a_key_before_it_is_passed_over(tmp_path: Path) -> None:
    page, key, authority = make_certificate(tmp_path, ["table-07.local"])
    (tmp_path / "chain").write_bytes(key.read_bytes() + page.read_bytes() + authority.read_bytes())
    assert read_expiry(tmp_path / "chain") == read_expiry(page)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(
        '[table]\nrulebook = "roberts-7"\ngame = "holdem"\nbutton = 1\n'
        'betting = { structure = "no-limit", small_blind = 1, big_blind = 2 }\n'
        "seats = [ { seat = 1, stack = 200 }, { seat = 2, stack = 200 } ]\n"
        '[state]\ndirectory = "state"\n[page]\ncertificate = "tls/page.crt"\nkey = "tls/page.key"\n'
    )
    return path


def test_check_and_show(table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["check", str(table)]) == 2
    said = capsys.readouterr().out
    assert "table.toml:10: page.certificate: " in said
    assert "cannot be read: No such file or directory; tablectl certificate make makes one" in said
    assert main(["certificate", "show", "--config", str(table)]) == 1
    make_certificate(table.parent / "tls", ["table-07.local"])
    assert main(["check", str(table)]) == 0
    assert main(["certificate", "show", "--config", str(table)]) == 0
    assert "is good until" in capsys.readouterr().out
    late = datetime.now(UTC) + timedelta(days=400)
    monkeypatch.setattr(table_file_check, "read_wall_clock", lambda: late)
    assert main(["check", str(table)]) == 2
    assert "page.certificate: it ended on" in capsys.readouterr().out


def test_the_command_says_what_to_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certificate", "make", "table-07.local", "--folder", str(tmp_path / "tls")]) == 0
    said = capsys.readouterr().out
    assert f'certificate = "{tmp_path}/tls/page.crt"' in said
    assert 'names = ["table-07.local"]' in said
    assert main(["certificate", "make", "a b", "--folder", str(tmp_path)]) == 1


def test_its_end_is_on_every_page_and_in_the_status_line_and_halts_nothing(tmp_path: Path) -> None:
    path, _, _ = make_certificate(tmp_path / "tls", ["table-07.local"])
    until, day = read_expiry(path), timedelta(days=1)
    now = [until - 60 * day]
    asked = make_certificate_watch(replace(demo().page, certificate=path), lambda: now[0])
    with Rig(tmp_path / "state", certificate=asked) as rig:
        rig.run(0.1)
        assert [notice.code for notice in rig.standing.notices] == []
        rig.press("start")
        now[0] = until - 20 * day
        rig.clock.advance(CHECK_INTERVAL_S)
        rig.run(0.1)
        (soon,) = rig.standing.notices
        assert (soon.code, soon.text[:33]) == (NoticeCode.CERTIFICATE_EXPIRES, "The page's certificate: it ends o")
        assert [fault.code for fault in rig.standing.faults] == []
        now[0] = until
        rig.clock.advance(CHECK_INTERVAL_S)
        rig.run(0.1)
        assert "it ended on" in rig.standing.notices[0].text
        assert [fault.code for fault in rig.standing.faults] == ["certificate-ended"], "pages, API, metrics"
        assert "; faults: certificate-ended" in format_status_line(rig.standing)
        assert rig.output["phase"] == "deal", "the play is not touched"
        make_certificate(tmp_path / "tls", ["table-07.local"])
        now[0] = until - 10 * day
        rig.clock.advance(CHECK_INTERVAL_S)
        rig.run(0.1)
        assert [fault.code for fault in rig.standing.faults] == []


def test_a_page_without_a_certificate_is_asked_nothing() -> None:
    assert make_certificate_watch(demo().page) is None


def test_a_certificate_whose_end_is_no_date_is_refused_in_one_sentence(tmp_path: Path) -> None:
    page, key, _ = make_certificate(tmp_path, ["127.0.0.1"])
    first, *chain = re.split(r"(?<=-----END CERTIFICATE-----\n)", page.read_text())
    whole = ssl.PEM_cert_to_DER_cert(first)
    end = [found.start() for found in re.finditer(rb"[0-9]{12}Z", whole)][1]
    page.write_text(ssl.DER_cert_to_PEM_cert(whole[: end + 2] + b"99" + whole[end + 4 :]) + "".join(chain))
    with pytest.raises(ValueError, match="nobody can read when it ends"):
        read_expiry(page)
    with pytest.raises(TlsError, match=re.escape(f"[page] certificate {page}")):
        Tls(page, key).check()
