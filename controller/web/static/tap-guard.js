/* A finger that touches twice means one thing. After a change of what is first, or of what a sheet shows, the place of
   the last touch (and the letter of the last key) takes nothing for a moment. */
const QUIET_MS = 300;
const NEAR_PX = 70;
let lastTap = null;
let changedAt = -Infinity;
let shownContent = "";

/* What is first has changed, if `first` differs from before. */
export function onContentChanged(first) {
  if (first === shownContent) return;
  shownContent = first;
  changedAt = performance.now();
}

/* Whether a touch or a key counts; one that does is the last one from now on. */
function acceptTap(place) {
  const same = lastTap && lastTap.name === place.name && Math.hypot(lastTap.x - place.x, lastTap.y - place.y) < NEAR_PX;
  if (same && changedAt >= lastTap.at && performance.now() - changedAt < QUIET_MS) return false;
  lastTap = { ...place, at: performance.now() };
  return true;
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

addEventListener("click", (event) => {
  if (!event.isTrusted || event.target.closest("#simulation")) return;
  if (!acceptTap({ name: "", x: event.clientX, y: event.clientY })) swallow(event);
}, true);
addEventListener("keydown", (event) => {
  if (event.isTrusted && !event.repeat && !acceptTap({ name: event.key, x: 0, y: 0 })) swallow(event);
}, true);
