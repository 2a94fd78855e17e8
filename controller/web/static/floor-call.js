/* A call for the floor stands beside the case, with how long it has waited, and in the title of the tab. */
import { t } from "./language.js";

let calledAt = null;
let redraw = () => {};

function formatAge() {
  const minutes = Math.floor((Date.now() - calledAt) / 60000);
  return minutes ? t("{n} min", { n: minutes }) : t("just now");
}

/* Draw the call into `place`, a text for it; again as time passes. `called`: whether the floor is wanted. */
export function drawFloorCall(place, words, called) {
  if (!called) { calledAt = null; return; }
  calledAt = calledAt || Date.now();
  redraw = () => { place.textContent = `${words} (${formatAge()})`; };
  redraw();
  const mark = `☎ ${t("FLOOR")} – `;
  document.title = mark + document.title.replace(mark, "");
}

setInterval(() => { if (calledAt) redraw(); }, 5000);
