/* A hand step by step: what the journal holds, handled again and drawn as it was shown. */
import { counted, reason, t } from "./language.js";
import { sentence, struckThrough } from "./entry-description.js";
import { signInHere } from "./session.js";
import { $, capital, drawTable, element, words } from "./table.js";

let steps = [];
let setup = null;
let at = 0;
let listed = "";
let found = [];

const EMPTY_POLL_MS = 5000;
const FOUND_AT_ONCE = 50;

const when = (began) => new Date(began).toLocaleString([], { dateStyle: "short", timeStyle: "short", hour12: false });
const place = (hand) => `${hand.session}/${hand.hand}`;
const clockTime = (when) => new Date(when).toLocaleTimeString([], { hour12: false });

function drawStep() {
  const step = steps[at];
  if (!step) return;
  const table = step.table;
  const up = { ...table.up, ...step.tabled };
  drawTable({ table: { ...table, up }, setup, players: step.players, devices: [], mode: "record" }, false);
  document.title = t("Hand {hand}, step {step}", { hand: table.hand, step: at + 1 });
  const told = $("told");
  const what = step.struck ? struckThrough(step, steps[at - 1]) : [capital(sentence(step, steps[at - 1]))];
  told.querySelector(".what").replaceChildren(...what, step.error ? ` – ${t("not taken")}` : "");
  const by = step.by ? `, ${step.by}` : "";
  told.querySelector(".when").textContent = t("Entry {n}, {time}, from {source}", { n: step.entry, time: clockTime(step.wall), source: step.source }) + by;
  const rulings = table.rulings.flatMap((ruling) => [
    element("p", "verdict", `${capital(words(ruling.finding))}: ${words(ruling.verdict)}`),
    element("p", "why", ruling.text), ...ruling.cite.map((cite) => element("span", "cite", cite)),
  ]);
  if (step.error) rulings.unshift(element("p", "why", step.error));
  told.querySelector(".rulings").replaceChildren(...rulings);
  $("at").value = String(at);
  $("where").textContent = `${at + 1} / ${steps.length}`;
  for (const item of $("steps").children) {
    if (Number(item.dataset.at) === at) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  }
  $("steps").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function go(to) { at = Math.max(0, Math.min(steps.length - 1, to)); drawStep(); }

function drawCourse() {
  $("steps").replaceChildren(...steps.map((step, i) => {
    const marks = [step.error ? "refused" : "", step.table.rulings.length ? "ruled" : ""].filter(Boolean).join(" ");
    const item = element("li", marks, `${step.table.rulings.length ? "§ " : ""}${step.error ? "✖ " : ""}`);
    item.append(...(step.struck ? struckThrough(step, steps[i - 1]) : [sentence(step, steps[i - 1])]));
    item.dataset.at = String(i);
    item.addEventListener("click", () => go(i));
    return item;
  }));
  $("at").max = String(Math.max(0, steps.length - 1));
}

async function fetched(path) {
  const answer = await fetch(path);
  if (answer.status === 401) { signInHere(); return null; }
  if (!answer.ok) {
    const why = await answer.json().catch(() => ({}));
    $("next").textContent = t("Not shown");
    $("then").textContent = reason(why) || `(${answer.status})`;
    return null;
  }
  return answer.json();
}

async function show(chosen) {
  const answer = await fetched(`/hands/${chosen}`);
  if (!answer) return;
  ({ steps, setup } = answer);
  drawCourse();
  go(0);
}

const ruled = (hand) => hand.rulings ? counted("1 ruling", "{n} rulings", hand.rulings) : "";

function option(hand) {
  const notes = hand.over ? ruled(hand) : t("in play");
  const made = element("option", "", `${hand.hand} – ${when(hand.began)}${notes ? `, ${notes}` : ""}`);
  made.value = place(hand);
  return made;
}

/* What is looked for, as the table takes it: a day is one of this browser's. */
function wanted() {
  const form = new FormData($("wanted"));
  const asked = new URLSearchParams();
  for (const key of ["player", "dealer", "ruling"]) if (form.get(key).trim()) asked.set(key, form.get(key).trim());
  const day = (text, later) => { const [y, m, d] = text.split("-").map(Number); return new Date(y, m - 1, d + later).toISOString(); };
  if (form.get("since")) asked.set("since", day(form.get("since"), 0));
  if (form.get("until")) asked.set("until", day(form.get("until"), 1));
  return asked;
}

/* Looks on where the last look ended, until the list is at its end or there is enough to show. */
async function look() {
  const asked = wanted();
  const hands = [];
  let answer = null;
  do {
    if (answer) asked.set("before", answer.further);
    answer = await fetched(`/hands/list?${asked}`);
    if (!answer) return null;
    hands.push(...answer.hands);
  } while (answer.further && hands.length < FOUND_AT_ONCE);
  return { hands, whole: answer.whole, more: Boolean(answer.further) };
}

function row(hand) {
  const cells = [
    `${hand.session}/${hand.hand}`, when(hand.began), hand.over ? hand.game : t("in play"), hand.players.join(", "),
    hand.winners.join(", "), [...hand.findings.map(words), ...hand.clauses].join(", "), hand.dealers.join(", "),
  ];
  const made = element("tr");
  made.append(...cells.map((text) => element("td", "", text)));
  const key = element("button", "", cells[0]);
  key.type = "button";
  key.addEventListener("click", () => { choose(place(hand)); $("search").close(); });
  made.firstChild.replaceChildren(key);
  return made;
}

function choose(chosen) { $("chosen").value = chosen; show(chosen); }

function drawFound(answer) {
  const count = answer.more ? t("{n} newest hands", { n: answer.hands.length }) : counted("1 hand", "{n} hands", answer.hands.length);
  $("count").textContent = answer.whole ? count : t("{count}; the list is being read again from the journal", { count });
  $("found").replaceChildren(...answer.hands.map(row));
  $("export").hidden = !answer.hands.some((hand) => hand.over);
}

/* What was found, as a file in the chosen format; says how many hands that format cannot tell. */
async function exportFound() {
  const asked = wanted();
  asked.set("format", $("format").value);
  $("count").textContent = "";
  const answer = await fetch(`/hands/export?${asked}`);
  if (answer.status === 401) { signInHere(); return; }
  if (!answer.ok) {
    const why = await answer.json().catch(() => ({}));
    $("count").textContent = reason(why) || `(${answer.status})`;
    return;
  }
  const file = element("a");
  file.href = URL.createObjectURL(await answer.blob());
  file.download = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))[1];
  file.click();
  URL.revokeObjectURL(file.href);
  const left = Number(answer.headers.get("Left-Out"));
  if (left) $("count").textContent = counted("1 hand left out: this format cannot tell it", "{n} hands left out: this format cannot tell them", left);
}

/* The list again: hands go on while the page is open. The hand that is looked at stays. */
async function list() {
  const answer = await look();
  if (!answer) return;
  ({ hands: found } = answer);
  drawFound(answer);
  if (!found.length) {
    const none = wanted().size ? t("No such hand") : t("No hand yet");
    $("next").textContent = answer.whole ? none : t("The list of hands is being read again");
    $("then").textContent = "";
    setTimeout(list, EMPTY_POLL_MS);
    return;
  }
  if (!answer.whole) setTimeout(list, EMPTY_POLL_MS);
  const now = JSON.stringify(found);
  if (now === listed) return;
  const first = !listed;
  const asked = new URLSearchParams(location.search);
  const named = found.find((each) => String(each.hand) === asked.get("hand") && [null, String(each.session)].includes(asked.get("session")));
  const chosen = first ? named && place(named) : $("chosen").value;
  listed = now;
  $("chosen").replaceChildren(...found.map(option));
  const there = found.some((each) => place(each) === chosen);
  if (there) $("chosen").value = chosen;
  if (first || !there) show($("chosen").value);
}

$("look").addEventListener("click", () => { $("search").showModal(); list(); });
$("export").addEventListener("click", exportFound);
$("close").addEventListener("click", () => $("search").close());
$("wanted").addEventListener("submit", (event) => { event.preventDefault(); list(); });
$("wanted").addEventListener("reset", () => setTimeout(list));
$("chosen").addEventListener("change", () => show($("chosen").value));
$("chosen").addEventListener("focus", list);
document.addEventListener("visibilitychange", () => { if (!document.hidden) list(); });
$("at").addEventListener("input", () => go(Number($("at").value)));
$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(at - 1));
$("on").addEventListener("click", () => go(at + 1));
$("last").addEventListener("click", () => go(steps.length - 1));
document.addEventListener("keydown", (event) => {
  if ($("search").open || event.target instanceof HTMLSelectElement || event.target === $("at")) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); go(to); }
});
list();
