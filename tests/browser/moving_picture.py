"""Makes the moving picture of the README anew: `python -m tests.browser.moving_picture`, into docs/screenshots.

The demo table deals, the dealer exposes a card, and the page leads through the remedy. Each picture has a caption
beneath it, and a ring shows where the dealer taps. It is a GIF, because every forge and package index plays one.
"""

import base64
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import disable_tap_guard
from tests.browser.tables import CHROMIUM, THE_TABLES, DealersPage, RunningTable

PLACE = Path(__file__).parents[2] / "docs" / "screenshots" / "mistake.gif"
CAPTION_HEIGHT = 56
COLOURS = 96
"""The page has few colours; more make the file larger and nothing clearer."""

BRIEF_MS, READ_MS, LAST_MS = 400, 2600, 4000
"""How long a picture stays: a card of the deal, something to read, the last one before all begins again."""

CAPTIONED = """
<style>
  * {{ margin: 0; }}
  body {{ background: #16324f; }}
  img {{ display: block; }}
  p {{ color: #fff; font: bold 24px/{height}px "DejaVu Sans", sans-serif; text-align: center; }}
</style>
<img src="data:image/png;base64,{picture}"><p>{caption}</p>
"""

RING = """
box => {
  const ring = document.createElement("div");
  ring.id = "finger";
  ring.style.cssText = `position:fixed; z-index:9999; width:64px; height:64px; border:7px solid #ff4fa3;
    border-radius:50%; left:${box.x + box.width / 2 - 39}px; top:${box.y + box.height / 2 - 39}px;`;
  document.body.append(ring);
}
"""


class Film:
    """The pictures taken so far of a dealer's page, and how long each is shown."""

    def __init__(self, dealer: DealersPage, captioned: Page) -> None:
        self._dealer = dealer
        self._captioned = captioned
        self._pictures: list[Image.Image] = []
        self._durations_ms: list[int] = []

    def take(self, caption: str, duration_ms: int) -> None:
        """Take a picture of the page with a caption beneath it."""
        self._dealer.page.wait_for_timeout(200)
        picture = base64.b64encode(self._dealer.page.screenshot()).decode("ascii")
        self._captioned.set_content(CAPTIONED.format(height=CAPTION_HEIGHT, picture=picture, caption=caption))
        self._pictures.append(Image.open(io.BytesIO(self._captioned.screenshot())).convert("RGB"))
        self._durations_ms.append(duration_ms)

    def tap(self, button: str, caption: str) -> None:
        """Show where the dealer taps, and tap there."""
        place = self._dealer.page.get_by_role("button", name=button).first.bounding_box()
        self._dealer.page.evaluate(RING, place)
        self.take(caption, READ_MS)
        self._dealer.page.evaluate("() => document.getElementById('finger').remove()")
        self._dealer.touch(button)

    def write(self, path: Path) -> None:
        """Write all pictures as one GIF that begins again at its end."""
        # One palette for all of them keeps what does not change the same, so that only the rest is stored.
        sheet = Image.new("RGB", (self._pictures[0].width, sum(each.height for each in self._pictures)))
        for number, picture in enumerate(self._pictures):
            sheet.paste(picture, (0, number * picture.height))
        palette = sheet.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE)
        first, *others = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in self._pictures]
        first.save(path, save_all=True, append_images=others, duration=self._durations_ms, loop=0, optimize=True)


def film_exposed_card(film: Film, dealer: DealersPage) -> None:
    """Expose a card of the second round, deal to the end, and carry out each step of the ruling."""
    film.take("The table says whose card is next.", READ_MS)
    for _ in range(9):
        dealer.step()
        film.take("The shoe reads each card as it is dealt.", BRIEF_MS)
    film.tap("Exposed", "A card is exposed. The dealer taps once.")
    film.take("The page shows the remedy of the house's rulebook.", READ_MS)
    while "replacement" not in dealer.next_step_text:
        dealer.step()
        film.take("The deal goes on. The replacement comes last.", BRIEF_MS)
    film.take("Now the seat gets its replacement.", READ_MS)
    dealer.step()
    film.take("The exposed card becomes the burn card.", READ_MS)
    dealer.step()
    film.take("All is right again. The hand goes on.", LAST_MS)


def make_picture(browser: Browser, directory: Path, path: Path) -> None:
    """Play the mistake on a demo table of its own."""
    width, height = THE_TABLES
    table = RunningTable(directory, arguments=["--no-mistakes"])
    try:
        dealer = DealersPage(browser.new_page(viewport={"width": width, "height": height}), table)
        dealer.page.add_init_script("localStorage.setItem('tour', 'over')")
        dealer.page.route("**/static/tap-guard.js", disable_tap_guard)
        dealer.open()
        dealer.touch("Start the hand")
        captioned = browser.new_page(viewport={"width": width, "height": height + CAPTION_HEIGHT})
        film = Film(dealer, captioned)
        film_exposed_card(film, dealer)
        film.write(path)
    finally:
        table.end()


def main() -> int:
    """Make the picture where it is committed."""
    binary = next((path for path in CHROMIUM if Path(path).exists()), None)
    if binary is None:
        sys.stderr.write(f"no Chromium: {' or '.join(CHROMIUM)}\n")
        return 1
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        make_picture(browser, Path(directory), PLACE)
        browser.close()
    sys.stdout.write(f"{PLACE.name}: {PLACE.stat().st_size // 1000} kB\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
