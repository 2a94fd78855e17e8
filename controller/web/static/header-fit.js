/* A header that is too narrow leaves out what it can do without: the book, that all devices are well, the words of the gate, the
   role, the street, the end of a long name, the game that comes next, the end of a tournament's level (dealer.css says how). Game,
   hand and phase stay. */
import { showFitting } from "./elements.js";

const LEVELS = 9, MAX_HEIGHT_REM = 6.2;
let isFollowed = false;

function fitHeader() {
  const header = document.querySelector("body > header"), rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const isCut = () => header.scrollWidth > header.clientWidth + 1 || header.offsetHeight > MAX_HEIGHT_REM * rem;
  showFitting([...Array(LEVELS).keys()], (level) => { header.dataset.without = [...Array(level).keys()].join(" "); }, isCut);
}

/* Now, and whenever somebody signs in or the screen is turned. */
export function keepHeaderFitting() {
  fitHeader();
  if (isFollowed) return;
  isFollowed = true;
  addEventListener("resize", fitHeader);
  const who = document.getElementById("who");
  if (who) new MutationObserver(fitHeader).observe(who, { childList: true, subtree: true });
}
