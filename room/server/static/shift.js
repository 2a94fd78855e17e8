/* A shift summed up: hands an hour, errors by kind and dealer, how calls were answered. */
import { describeRefusal, t } from "/static/language.js";
import { goToSignIn } from "/static/session.js";
import { showMenu } from "/room/menu.js";
import { makePartElement } from "/room/report-parts.js";

const $ = (id) => document.getElementById(id);
const DEFAULT_SHIFT_HOURS = 8, MINUTE_MS = 60000;
let newestRequest = 0;

const formatLocalTime = (date) => new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16);

function readSpan() {
  const form = new FormData($("wanted"));
  return new URLSearchParams({ since: new Date(form.get("since")).toISOString(), until: new Date(form.get("until")).toISOString() });
}

async function showReport() {
  const mine = ++newestRequest, query = readSpan();
  for (const form of ["csv", "pdf"]) $(form).href = `/shift/report?${query}&form=${form}`;
  const answer = await fetch(`/shift/report?${query}`).catch(() => null);
  if (answer && answer.status === 401) { goToSignIn(); return; }
  const content = answer ? await answer.json().catch(() => ({})) : {};
  if (mine !== newestRequest) return; // a later question is under way
  $("count").textContent = answer && answer.ok ? "" : describeRefusal(content) || t("No connection to the room.");
  $("report").replaceChildren(...(content.parts || []).map(makePartElement));
}

const shiftEnd = new Date(Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS); // the field has no seconds, and this minute counts
$("wanted").elements.until.value = formatLocalTime(shiftEnd);
$("wanted").elements.since.value = formatLocalTime(new Date(shiftEnd.getTime() - DEFAULT_SHIFT_HOURS * 3600000));
$("wanted").addEventListener("submit", (event) => { event.preventDefault(); showReport(); });
showMenu();
showReport();
