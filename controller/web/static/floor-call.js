/* A call for the floor stands beside the case, with how long it has waited, and in the title of the tab. */
import { t } from "./language.js";

let since = null;
let last = () => {};

function age() {
  const minutes = Math.floor((Date.now() - since) / 60000);
  return minutes ? t("{n} min", { n: minutes }) : t("just now");
}

/* Draw the call into `place`, a text for it; again as time passes. `called`: whether the floor is wanted. */
export function drawCall(place, words, called) {
  if (!called) { since = null; return; }
  since = since || Date.now();
  last = () => { place.textContent = `${words} (${age()})`; };
  last();
  const mark = `☎ ${t("FLOOR")} – `;
  document.title = mark + document.title.replace(mark, "");
}

setInterval(() => { if (since) last(); }, 5000);
