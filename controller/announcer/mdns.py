"""What announces the table's page in the local network (mDNS, RFC 6762 and 6763), as a file of the system's service.

Nothing of ours listens or sends: systemd-resolved reads such a file (systemd.dnssd(5)), or Avahi (avahi.service(5)).
Whoever browses for `_table-controller._tcp` finds name, address and port of every table of the room.
"""

from xml.sax.saxutils import escape

from config.table_file import PageSection
from controller.client.table_client import API_BASE_PATH

SERVICE_TYPE = "_table-controller._tcp"
"""One character longer than RFC 6335, 5.1 allows (15); what browses strictly does not take it."""

RESOLVED_FILE = "/etc/systemd/dnssd/table-controller.dnssd"
AVAHI_FILE = "/etc/avahi/services/table-controller.service"


def build_txt_records(page: PageSection) -> dict[str, str]:
    """What is said of the page besides: whether it speaks TLS, and where on it the API is."""
    return {"tls": "no" if page.certificate is None else "yes", "api": f"{API_BASE_PATH}/"}


def render_resolved_file(page: PageSection) -> str:
    """The file for systemd-resolved; its `%H` is the name of the machine."""
    said = " ".join(f"{key}={value}" for key, value in build_txt_records(page).items())
    return f"[Service]\nName=%H\nType={SERVICE_TYPE}\nPort={page.port}\nTxtText={said}\n"


def render_avahi_file(page: PageSection) -> str:
    """The file for Avahi; its `%h` is the name of the machine."""
    records = "".join(
        f"    <txt-record>{escape(f'{key}={value}')}</txt-record>\n" for key, value in build_txt_records(page).items()
    )
    return (
        '<?xml version="1.0" standalone="no"?>\n<!DOCTYPE service-group SYSTEM "avahi-service.dtd">\n<service-group>\n'
        f'  <name replace-wildcards="yes">%h</name>\n  <service>\n    <type>{SERVICE_TYPE}</type>\n'
        f"    <port>{page.port}</port>\n{records}  </service>\n</service-group>\n"
    )
