"""What a table shows on its own screen before anybody is enrolled: name, address, one-time code, and a QR code."""

import io
import socket

import segno

from config.table_file import PageSection
from controller.runtime.staff.staff_store import format_code
from controller.web.serving.host_addresses import list_own_addresses, make_own_host_name

WILDCARD_HOSTS = ("0.0.0.0", "::")

INSTRUCTIONS = """\
Nobody is enrolled yet. Scan this, or open
the page and type the code: it makes you
the table's technician. It is good for a
day and for one person."""


def list_page_urls(page: PageSection) -> list[str]:
    """Where the page is asked for: by the machine's name, then by its addresses."""
    scheme = "http" if page.certificate is None else "https"
    hosts = [make_own_host_name(), *list_own_addresses()] if page.host in WILDCARD_HOSTS else [page.host]
    return [f"{scheme}://{host}:{page.port}/" for host in hosts]


def render_welcome_screen(page: PageSection, code: str | None) -> str:
    """Return the text of the screen; without a `code` somebody is enrolled already, and it only says where the page is.

    The QR code leads to the sign-in page with the code in the part of the address that no browser sends.
    """
    known = list_page_urls(page)
    lines = [f"This table is {socket.gethostname()}.", "", "Its page:", *(f"    {address}" for address in known)]
    if code is None:
        return "\n".join([*lines, "", "Sign in there.", ""])
    first = known[1] if len(known) > 1 else known[0]
    lines += ["", f"One-time code:  {format_code(code)}", "", *INSTRUCTIONS.splitlines()]
    picture = render_qr_code(f"{first}sign-in#{code}").splitlines()
    lines += [""] * (len(picture) - len(lines))
    picture += [""] * (len(lines) - len(picture))
    width = max(len(line) for line in lines)
    return "".join(f"{line:{width}}  {row}".rstrip() + "\n" for line, row in zip(lines, picture, strict=True))


def render_qr_code(address: str) -> str:
    """Draw a QR code with half blocks, two rows of it in one line: light on dark, as a console is."""
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue()
