"""What is counted of a table: at the wire, in the journal, on the page; and by a real Prometheus."""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from config.table_file import DEMO_FILE
from controller.core.protocol import events
from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.metrics import MAX_LABEL_VALUES, OTHER_VALUE, Metrics
from controller.runtime.service.systemd_notifier import SystemdNotifier
from controller.runtime.service.watchdog import Watchdog
from controller.web.wording.error_catalogue import load_catalogue
from drivers.contract.driver_interface import NoiseDropped, TagRead
from tests.app.rig import Rig, demo_deck, random_deck
from tests.app.table.test_process import TABLECTL, Running

ROOT = Path(__file__).parents[3]
DASHBOARD = ROOT / "docs/prometheus/dashboard.json"
ALERTS = ROOT / "docs/prometheus/alerts.yml"
PAGE = ROOT / "docs/metrics.md"

PROMTOOL, PROMETHEUS = shutil.which("promtool"), shutil.which("prometheus")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed (apt-get install prometheus)")


def metrics(process: bool = False) -> Metrics:
    return Metrics({"shoe": "shoe", "panel": "shoe"}, ("shoe", "panel"), {"version": "1"}, process=process)


def read_samples(metrics: Metrics) -> dict[str, float]:
    """Every sample, by name and labels as they are written."""
    text = metrics.render_exposition("")[0].decode()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")}


def play_hands(rig: Rig, hands: int) -> None:
    room = rig.room(seed=3, mistakes=0.05)
    while rig.output["hand"] <= hands:
        rig.live(room, 20)


@pytest.fixture
def rig_and_metrics(tmp_path: Path) -> Iterator[tuple[Rig, Metrics]]:
    counting = metrics()
    with Rig(tmp_path, lossless=True, meter=counting) as rig:
        rig.journal.on_commit = counting.on_commit
        rig.loop.subscribe(counting.on_view_published)
        counting.attach_session(rig.loop, Watchdog(SystemdNotifier({}), ()))
        yield rig, counting


def test_what_happens_at_the_table_is_counted(rig_and_metrics: tuple[Rig, Metrics]) -> None:
    rig, counting = rig_and_metrics
    before = rig.journal.last_entry_number
    rig.press("start")
    deck = random_deck(1)
    rig.deal(deck[:3])
    rig.card(deck[0])  # waved past the reader again
    rig.press("start")  # refused
    rig.tag("5D00000001")  # foreign
    there = read_samples(counting)
    assert there["table_cards_total"] == 4.0
    assert there['table_reads_total{reader="shoe"}'] >= 5.0
    assert there['table_misreads_total{kind="again",reader="shoe"}'] == 1.0
    assert there['table_misreads_total{kind="foreign",reader="shoe"}'] == 1.0
    assert there['table_entries_total{word="start"}'] == 1.0
    assert sum(value for name, value in there.items() if name.startswith("table_refusals_total")) == 1.0
    assert there['table_faults_total{fault="deck-foreign"}'] == there['table_fault_up{fault="deck-foreign"}'] == 1.0
    assert there["table_hand_in_progress"] == 1.0
    assert there["table_entry_latency_seconds_count"] == rig.journal.last_entry_number - before
    assert there["table_journal_commit_seconds_count"] >= rig.journal.last_entry_number - before
    assert there["table_hands_total"] == 0.0


def test_hands_that_end_and_rulings_are_counted(rig_and_metrics: tuple[Rig, Metrics]) -> None:
    rig, counting = rig_and_metrics
    play_hands(rig, 3)
    there = read_samples(counting)
    ended = [record for record in rig.journal.read_newest_records("signed") if record.parse_body()["why"] == "hand"]
    assert there["table_hands_total"] == len(ended) >= 3
    made = {tuple(map(str, standing.rulings)) for standing in rig.standings if standing.rulings}
    rulings = {name: value for name, value in there.items() if name.startswith("table_rulings_total")}
    assert sum(rulings.values()) == sum(map(len, made)) >= 1.0
    findings = {str(ruling["finding"]) for standing in rig.standings for ruling in standing.rulings}
    assert set(rulings) == {f'table_rulings_total{{finding="{finding}"}}' for finding in findings}


def test_no_label_is_a_card_a_tag_a_player_or_free_text(rig_and_metrics: tuple[Rig, Metrics]) -> None:
    rig, counting = rig_and_metrics
    play_hands(rig, 2)
    text = counting.render_exposition("")[0].decode()
    values = set(re.findall(r'="((?:[^"\\]|\\.)*)"', text))
    devices = {"shoe", "panel", *rig.device_map.panel_by_device, *(one.name for one in rig.standing.devices)}
    codes = {code for _, code in load_catalogue()} | {code.value for code in NoticeCode} | set(FAULTS)
    free = values - devices - codes - set(events.EVENT_NAME_BY_CLASS.values())
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*|\+Inf|[0-9.]+", value) for value in free), free
    assert not values & set(demo_deck().card_by_tag.values())
    assert not values & set(demo_deck().card_by_tag)
    assert not values & {str(chair["player"]) for chair in rig.standing.player_by_seat.values()}


def test_labels_are_bounded_whatever_comes() -> None:
    counting = metrics()
    for number in range(MAX_LABEL_VALUES + 50):
        counting.on_entry_refused(f"code-{number}")
        counting.on_device_event(TagRead(f"reader {number}", "E0"))
        counting.on_device_event(NoiseDropped(f"device {number}", 1, "?"))
        counting.on_notice(Notice(NoticeCode.NO_EDGE, f"device {number}", "?"))
    counting.on_entry_refused("Ada has As")
    there = read_samples(counting)
    refusals = [name for name in there if name.startswith("table_refusals_total")]
    assert len(refusals) == MAX_LABEL_VALUES + 1
    assert there[f'table_refusals_total{{code="{OTHER_VALUE}"}}'] == 51.0
    assert there[f'table_reads_total{{reader="{OTHER_VALUE}"}}'] == MAX_LABEL_VALUES + 50.0
    assert len(there) < MAX_LABEL_VALUES + 150


def test_where_nothing_is_counted_nothing_is_loaded() -> None:
    code = (
        "import sys\n"
        "import controller.app.table.table_run, controller.app.commissioning.table_upkeep, controller.web.site\n"
        "assert not [name for name in sys.modules if name.startswith('prometheus')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@needs_promtool
def test_promtool_finds_nothing_against_the_names(rig_and_metrics: tuple[Rig, Metrics]) -> None:
    rig, _ = rig_and_metrics
    counting = metrics(process=True)
    counting.attach_session(rig.loop, Watchdog(SystemdNotifier({}), ()))
    counting.on_view_published(rig.standing)
    counting.on_entry_refused("halted")
    content = counting.render_exposition("")[0]
    command = (str(PROMTOOL), "check", "metrics")
    found = subprocess.run(command, input=content, capture_output=True, timeout=60, check=False)
    assert (found.returncode, found.stdout + found.stderr) == (0, b"")


@needs_promtool
def test_the_alerts_are_well_formed() -> None:
    subprocess.run([str(PROMTOOL), "check", "rules", str(ALERTS)], check=True, capture_output=True, timeout=60)


def families(counting: Metrics) -> set[str]:
    text = counting.render_exposition("")[0].decode()
    return {
        family.name + ("_total" if family.type == "counter" else "") for family in text_string_to_metric_families(text)
    }


def test_the_page_of_the_metrics_names_each_of_them_and_no_other(rig_and_metrics: tuple[Rig, Metrics]) -> None:
    rig, _ = rig_and_metrics
    counting = metrics(process=True)
    counting.attach_session(rig.loop, Watchdog(SystemdNotifier({}), ()))
    counting.on_view_published(rig.standing)
    named = set(re.findall(r"^\| `((?:table|process)_\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert named == families(counting)


def queries() -> list[tuple[str, str]]:
    """Every panel's title and expression, as Grafana would fill them in."""
    dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    return [
        (panel["title"], target["expr"].replace("$__rate_interval", "30s").replace("$table", ".*"))
        for panel in dashboard["panels"]
        for target in panel["targets"]
    ]


def test_panels_and_alerts_ask_for_what_there_is(rig_and_metrics: tuple[Rig, Metrics]) -> None:
    rig, _ = rig_and_metrics
    counting = metrics(process=True)
    counting.attach_session(rig.loop, Watchdog(SystemdNotifier({}), ()))
    counting.on_view_published(rig.standing)
    asked = set(re.findall(r"\b(?:table|process)_\w+", " ".join(expr for _, expr in queries())))
    asked |= set(re.findall(r"\b(?:table|process)_\w+", ALERTS.read_text(encoding="utf-8")))
    there = families(counting)
    assert len(asked) > 15
    assert {re.sub("_bucket$", "", name) for name in asked} <= there


@contextmanager
def running(directory: Path) -> Iterator[Running]:
    """A simulated table that counts, twenty times as fast as people are."""
    file = directory / "table.toml"
    text = DEMO_FILE.read_text(encoding="utf-8")
    assert "[page]" in text
    text = text.replace("[page]", "[page]\nmetrics = true", 1)
    file.write_text(text.replace('"demo-deck.csv"', f'"{DEMO_FILE.parent / "demo-deck.csv"}"'), encoding="utf-8")
    command = (*TABLECTL, "run", "--simulate", "--config", str(file), "--state", str(directory), "--port", "0")
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"page at http://127.0.0.1:(\d+)/", line):
                break
        else:
            raise AssertionError("it did not start")
        yield Running(process, int(found[1]))
    finally:
        process.terminate()
        process.communicate(timeout=60)


def free_port() -> int:
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        port: int = there.getsockname()[1]
        return port


@contextmanager
def prometheus(directory: Path, target: int) -> Iterator[str]:
    """A Prometheus that scrapes the table each second and knows its alerts; its address."""
    config = directory / "prometheus.yml"
    config.write_text(
        "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
        f"rule_files: ['{ALERTS}']\n"
        f"scrape_configs: [{{job_name: table, static_configs: [{{targets: ['127.0.0.1:{target}']}}]}}]\n",
        encoding="utf-8",
    )
    address = f"127.0.0.1:{free_port()}"
    command = (str(PROMETHEUS), f"--config.file={config}", f"--storage.tsdb.path={directory / 'tsdb'}")
    with (directory / "prometheus.log").open("w") as log:
        process = subprocess.Popen((*command, f"--web.listen-address={address}"), stdout=log, stderr=log)
        try:
            yield f"http://{address}"
        finally:
            process.terminate()
            process.wait(timeout=60)


def query_prometheus(address: str, expression: str) -> list[dict[str, Any]]:
    url = f"{address}/api/v1/query?{urllib.parse.urlencode({'query': expression})}"
    with urllib.request.urlopen(url, timeout=60) as answer:
        found: list[dict[str, Any]] = json.load(answer)["data"]["result"]
        return found


@pytest.mark.slow
@pytest.mark.skipif(PROMETHEUS is None, reason="prometheus is not installed (apt-get install prometheus)")
def test_every_panel_shows_something_of_a_table_that_a_real_prometheus_scrapes(tmp_path: Path) -> None:
    with running(tmp_path) as table, prometheus(tmp_path, table.port) as address:
        assert table.wish(do="speed", speed=20) == 204
        ends = time.monotonic() + 240
        origin = {"Origin": f"http://127.0.0.1:{table.port}", "Content-Type": "application/json"}
        wanted = [*queries(), ("a hand that ended", "table_hands_total > 0"), ("it is up", 'up{job="table"} == 1')]
        assert table.wish(do="fault", fault="exposed") == 204
        while wanted and time.monotonic() < ends:
            if any("refusals" in expr for _, expr in wanted):  # nobody sits at seat 3
                refused = {"seen": table.state()["entry"], "line": {"ev": "act", "seat": 3, "do": "fold"}}
                table.ask("POST", "/entry", json.dumps(refused), origin)
            time.sleep(0.5)  # Prometheus has a clock of its own
            try:
                wanted = [(title, expr) for title, expr in wanted if not query_prometheus(address, expr)]
            except OSError:
                continue  # it is not up yet
        assert wanted == []
