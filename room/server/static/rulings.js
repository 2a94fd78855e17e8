/* Rulings of all tables, found by clause, table, dealer, person and time; the hand step by step on one touch. */
import { describeRefusal, t, translatePlural } from "/static/language.js";
import { goToSignIn } from "/static/session.js";
import { describeEntry, renderAmendedEntry } from "/static/entry-description.js";
import { formatCode, makeElement, showMenu } from "/room/menu.js";

const $ = (id) => document.getElementById(id);
let lastRulingCursor = "";
let shownCount = 0;
const newestRequest = { look: 0, hand: 0 };

const formatTime = (at) => new Date(at).toLocaleString([], { dateStyle: "short", timeStyle: "short", hour12: false });

async function fetchJson(path) {
  const answer = await fetch(path).catch(() => null);
  if (answer && answer.status === 401) { goToSignIn(); return null; }
  if (answer && answer.ok) return answer.json();
  const refusal = answer ? await answer.json().catch(() => ({})) : {};
  $("count").textContent = describeRefusal(refusal) || t("No connection to the room.");
  return null;
}

/* What is looked for; a day is one of this browser's. */
function readQuery() {
  const form = new FormData($("wanted"));
  const query = new URLSearchParams();
  for (const key of ["ruling", "table", "dealer", "person"]) if (form.get(key).trim()) query.set(key, form.get(key).trim());
  const formatDay = (text, later) => { const [y, m, d] = text.split("-").map(Number); return new Date(y, m - 1, d + later).toISOString(); };
  if (form.get("since")) query.set("since", formatDay(form.get("since"), 0));
  if (form.get("until")) query.set("until", formatDay(form.get("until"), 1));
  return query;
}

function makeRulingRow(ruling) {
  const item = makeElement("li");
  const key = makeElement("button");
  key.type = "button";
  const verdict = makeElement("span", "verdict", `${formatCode(ruling.finding)}: ${formatCode(ruling.verdict)}`);
  verdict.append(...ruling.cites.map((cite) => makeElement("span", "cite", cite)));
  const people = [ruling.player, ruling.by || ruling.dealer].filter(Boolean).join(", ");
  key.append(makeElement("span", "people", `${ruling.table} ${formatTime(ruling.at)}`), verdict, makeElement("span", "people", people), makeElement("span", "text", ruling.text));
  key.addEventListener("click", () => openHand(ruling));
  item.append(key);
  return item;
}

async function searchRulings(on = false) {
  const mine = ++newestRequest.look, query = readQuery();
  if (on) query.set("before", lastRulingCursor);
  const answer = await fetchJson(`/rulings/list?${query}`);
  if (!answer || mine !== newestRequest.look) return; // or a later question is under way
  const lines = answer.rulings.map(makeRulingRow);
  if (on) $("found").append(...lines); else $("found").replaceChildren(...lines);
  shownCount = on ? shownCount + lines.length : lines.length;
  $("count").textContent = shownCount ? translatePlural("1 ruling", "{n} rulings", shownCount) : t("No such ruling.");
  $("more").hidden = lines.length < 50;
  const end = answer.rulings.at(-1);
  if (end) lastRulingCursor = [end.at, end.journal, end.entry, end.place].join("/");
}

async function openHand(ruling) {
  const mine = ++newestRequest.hand;
  $("hand-title").textContent = t("{table}, hand {n}", { table: ruling.table, n: ruling.hand });
  $("steps").replaceChildren(makeElement("li", "none", t("Being read…")));
  if (!$("hand").open) $("hand").showModal();
  const answer = await fetchJson(`/rulings/${ruling.journal}/${ruling.session}/${ruling.hand}`);
  if (mine !== newestRequest.hand) return; // another hand has been opened meanwhile
  if (!answer) { $("hand").close(); return; }
  $("steps").replaceChildren(...answer.steps.map((step, i) => {
    const item = makeElement("li", [step.error && "refused", step.entry === ruling.entry && "here"].filter(Boolean).join(" "));
    const description = step.struck ? renderAmendedEntry(step, answer.steps[i - 1]) : [describeEntry(step, answer.steps[i - 1])];
    item.append(...description, makeElement("span", "when", ` ${new Date(step.wall).toLocaleTimeString([], { hour12: false })}${step.by ? `, ${step.by}` : ""}`));
    if (step.error) item.append(makeElement("div", "", `${t("not taken")}: ${step.error}`));
    for (const each of step.table.rulings || []) {
      const verdict = makeElement("div", "verdict", `§ ${formatCode(each.finding)}: ${formatCode(each.verdict)}`);
      verdict.append(...each.cite.map((cite) => makeElement("span", "cite", cite)));
      item.append(verdict, makeElement("div", "", each.text));
    }
    return item;
  }));
  $("steps").querySelector(".here")?.scrollIntoView({ block: "center" });
}

$("wanted").addEventListener("submit", (event) => { event.preventDefault(); searchRulings(); });
$("wanted").addEventListener("reset", () => setTimeout(searchRulings));
$("more").addEventListener("click", () => searchRulings(true));
$("close").addEventListener("click", () => $("hand").close());
showMenu();
searchRulings();
