"""What a table shows on its own screen before anybody is enrolled: name, address, one-time code, and a QR code."""

import io
import socket

import segno

from config.table_file import PageSection
from controller.runtime.staff.staff import readable
from controller.web.serving.addresses import own_addresses, own_name

EVERYWHERE = ("0.0.0.0", "::")

ABOUT = """\
Nobody is enrolled yet. Scan this, or open
the page and type the code: it makes you
the table's technician. It is good for a
day and for one person."""


def addresses(page: PageSection) -> list[str]:
    """Where the page is asked for: by the machine's name, then by its addresses."""
    scheme = "http" if page.certificate is None else "https"
    hosts = [own_name(), *own_addresses()] if page.host in EVERYWHERE else [page.host]
    return [f"{scheme}://{host}:{page.port}/" for host in hosts]


def screen(page: PageSection, code: str | None) -> str:
    """Return the text of the screen; without a `code` somebody is enrolled already, and it only says where the page is.

    The QR code leads to the sign-in page with the code in the part of the address that no browser sends.
    """
    known = addresses(page)
    lines = [f"This table is {socket.gethostname()}.", "", "Its page:", *(f"    {address}" for address in known)]
    if code is None:
        return "\n".join([*lines, "", "Sign in there.", ""])
    first = known[1] if len(known) > 1 else known[0]
    lines += ["", f"One-time code:  {readable(code)}", "", *ABOUT.splitlines()]
    picture = as_text(f"{first}sign-in#{code}").splitlines()
    lines += [""] * (len(picture) - len(lines))
    picture += [""] * (len(lines) - len(picture))
    width = max(len(line) for line in lines)
    return "".join(f"{line:{width}}  {row}".rstrip() + "\n" for line, row in zip(lines, picture, strict=True))


def as_text(address: str) -> str:
    """Draw a QR code with half blocks, two rows of it in one line: light on dark, as a console is."""
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue()
