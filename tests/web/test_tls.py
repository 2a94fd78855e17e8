"""The page over TLS: served with the files of the configuration, or not at all."""

import http.client
import json
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from config.config_error import ConfigError
from config.table_file import DEMO_FILE, load_table_file
from controller.app.table.page_access import load_tls
from controller.cli import main
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.serving.listener import list_host_names, listen
from controller.web.serving.page_server import PageServer
from controller.web.serving.tls import Tls, TlsError
from controller.web.site import make_app

NEEDS_OPENSSL = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")


def certificate(directory: Path) -> Tls:
    made = Tls(directory / "page.pem", directory / "page.key")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    more = [
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-out",
        str(made.certificate_path),
        "-keyout",
        str(made.key_path),
    ]
    subprocess.run([*command.split(), *more], check=True, capture_output=True)
    return made


@NEEDS_OPENSSL
def test_watch_looks_at_a_page_over_tls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tls = certificate(tmp_path)
    hub = PageStateHub({})
    bound = listen("127.0.0.1", 0)
    server = PageServer(make_app(hub, list_host_names(bound, ()), None), bound, hub, tls)
    server.start()
    page = f'certificate = "page.pem"\nkey = "page.key"\nport = {bound.getsockname()[1]}'
    file = table_file(tmp_path, page)
    file.write_text(file.read_text().replace("port = 8080\n", ""))
    assert main(["watch", "--once", "--config", str(file)]) == 1
    assert "The table is not up yet" in capsys.readouterr().err
    (tmp_path / "again").mkdir()
    shutil.copy(certificate(tmp_path / "again").certificate_path, tls.certificate_path)
    assert main(["watch", "--once", "--config", str(file)]) == 1
    assert "CERTIFICATE_VERIFY_FAILED" in capsys.readouterr().err
    server.end()


def table_file(directory: Path, page: str) -> Path:
    text = DEMO_FILE.read_text().replace("[page]", f"[page]\n{page}")
    path = directory / "table.toml"
    path.write_text(text.replace('"demo-deck.csv"', f'"{DEMO_FILE.parent / "demo-deck.csv"}"'))
    return path


@NEEDS_OPENSSL
def test_the_page_is_served_over_tls_and_nothing_over_plain_http(tmp_path: Path) -> None:
    tls = certificate(tmp_path)
    tls.check()
    hub = PageStateHub({})
    bound = listen("127.0.0.1", 0)
    server = PageServer(make_app(hub, list_host_names(bound, ()), None), bound, hub, tls)
    server.start()
    port = bound.getsockname()[1]
    assert server.url == f"https://127.0.0.1:{port}/"
    trusted = ssl.create_default_context(cafile=str(tls.certificate_path))
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=trusted)
    connection.request("GET", "/who")
    assert json.load(connection.getresponse())["name"] is None
    connection.close()
    plain = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    plain.request("GET", "/who")
    with pytest.raises((OSError, http.client.HTTPException)):
        plain.getresponse()
    plain.close()
    server.end()


@NEEDS_OPENSSL
def test_the_configuration_names_both_files_beside_itself(tmp_path: Path) -> None:
    made = certificate(tmp_path)
    page = load_table_file(table_file(tmp_path, 'certificate = "page.pem"\nkey = "page.key"')).page
    assert load_tls(page) == made
    assert page.allows_plain_http is False


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ('certificate = "page.pem"', "page.key: is missing; certificate and key go together"),
        ('key = "page.key"', "page.certificate: is missing; certificate and key go together"),
        ("plain = 1", "page.plain: must be true or false, not 1"),
        ("certificate = 1", "page.certificate: must be a file, not 1"),
    ],
)
def test_half_of_it_is_refused(tmp_path: Path, page: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        load_table_file(table_file(tmp_path, page))


def test_files_that_will_not_do_end_the_start_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table_file(tmp_path, 'certificate = "page.pem"\nkey = "page.key"')
    with pytest.raises(TlsError, match="No such file"):
        load_tls(load_table_file(path).page)
    (tmp_path / "page.pem").write_text("no certificate")
    (tmp_path / "page.key").write_text("no key")
    with pytest.raises(TlsError, match="no PEM certificate"):
        load_tls(load_table_file(path).page)
    status = main(["run", "--simulate", "--config", str(path), "--state", str(tmp_path / "state"), "--port", "0"])
    assert status == 1
    assert f"tablectl run: {path}: [page] certificate" in capsys.readouterr().err
