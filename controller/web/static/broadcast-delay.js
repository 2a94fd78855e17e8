/* Where floor and technician agree to show hole cards sooner than when the hand is over, and take that back. */

import { describeRefusal, t } from "./language.js";
import { post, showPrincipal } from "./session.js";

const $ = (id) => document.getElementById(id);

function drawDelay(state) {
  $("holds").textContent = state.delay === null ? t("Hole cards are broadcast after the hand.")
    : t("Hole cards are broadcast {n} seconds later.", { n: state.delay });
  $("asked").textContent = state.said.length ? t("{names}: {n} seconds. Somebody else has to agree.", { names: state.said.join(", "), n: state.asked }) : "";
  $("delay").min = state.shortest;
  $("delay").max = state.longest;
  if (!$("delay").value) $("delay").value = state.asked || state.shortest;
  $("back").hidden = state.delay === null && !state.said.length;
}

async function refresh() {
  const answer = await fetch("/broadcast/delay").catch(() => null);
  if (answer && answer.ok) drawDelay(await answer.json());
  else $("holds").textContent = answer ? describeRefusal(await answer.json().catch(() => null)) : t("No connection");
}

async function requestDelay(delay) {
  const answer = await post("/broadcast/delay", { delay });
  const content = await answer.json().catch(() => null);
  $("why").textContent = answer.ok ? "" : describeRefusal(content);
  if (answer.ok) drawDelay(content);
}

$("sooner").addEventListener("submit", (event) => { event.preventDefault(); requestDelay(Number($("delay").value)); });
$("back").addEventListener("click", () => requestDelay(null));
showPrincipal($("who"), refresh);
setInterval(refresh, 5000);
