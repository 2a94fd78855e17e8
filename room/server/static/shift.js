/* A shift summed up: hands an hour, errors by kind and dealer, how calls were answered. */
import { reason, t } from "/static/language.js";
import { signInHere } from "/static/session.js";
import { element, showMenu } from "/room/menu.js";

const $ = (id) => document.getElementById(id);
const HOURS = 8, MINUTE = 60000;
let newest = 0;

const local = (date) => new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16);

function span() {
  const form = new FormData($("wanted"));
  return new URLSearchParams({ since: new Date(form.get("since")).toISOString(), until: new Date(form.get("until")).toISOString() });
}

function part({ title, columns, rows }) {
  const made = element("section", "part");
  made.append(element("h2", "", title));
  if (!rows.length) { made.append(element("p", "none", t("Nothing."))); return made; }
  const table = element("table");
  const isNumber = columns.map((_, i) => rows.every((row) => row[i] === null || typeof row[i] === "number"));
  const line = (kind, cells) => {
    const row = element("tr");
    row.append(...cells.map((cell, i) => element(kind, isNumber[i] ? "number" : "", cell === null ? "" : String(cell))));
    return row;
  };
  const head = element("thead");
  head.append(line("th", columns));
  const body = element("tbody");
  body.append(...rows.map((row) => line("td", row)));
  table.append(head, body);
  const scroll = element("div", "scroll");
  scroll.append(table);
  made.append(scroll);
  return made;
}

async function show() {
  const mine = ++newest, asked = span();
  for (const form of ["csv", "pdf"]) $(form).href = `/shift/report?${asked}&form=${form}`;
  const answer = await fetch(`/shift/report?${asked}`).catch(() => null);
  if (answer && answer.status === 401) { signInHere(); return; }
  const told = answer ? await answer.json().catch(() => ({})) : {};
  if (mine !== newest) return; // a later question is under way
  $("count").textContent = answer && answer.ok ? "" : reason(told) || t("No connection to the room.");
  $("report").replaceChildren(...(told.parts || []).map(part));
}

const until = new Date(Math.ceil(Date.now() / MINUTE) * MINUTE); // the field has no seconds, and this minute counts
$("wanted").elements.until.value = local(until);
$("wanted").elements.since.value = local(new Date(until.getTime() - HOURS * 3600000));
$("wanted").addEventListener("submit", (event) => { event.preventDefault(); show(); });
showMenu();
show();
