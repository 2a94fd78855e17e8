/* A hand step by step: what the journal holds, handled again and drawn as it was shown. */
import { describeRefusal, formatGameName, leaveOutCommands, t, translatePlural } from "./language.js";
import { describeEntry, renderAmendedEntry } from "./entry-description.js";
import { goToSignIn } from "./session.js";
import { $, capitalize, drawTable, formatLabel, makeElement } from "./table.js";

let steps = [];
let setup = null;
let stepIndex = 0;
let listedJson = "";
let foundHands = [];

const EMPTY_POLL_INTERVAL_MS = 5000;
const MIN_FOUND_HANDS = 50;

const formatDateTime = (began) => new Date(began).toLocaleString([], { dateStyle: "short", timeStyle: "short", hour12: false });
const formatHandPath = (hand) => `${hand.session}/${hand.hand}`;
const formatTime = (timestamp) => new Date(timestamp).toLocaleTimeString([], { hour12: false });

function drawStep() {
  const step = steps[stepIndex];
  if (!step) return;
  const table = step.table;
  drawTable({ table, setup, players: step.players, showdown: step.showdown, devices: [], mode: "record" }, false);
  document.title = t("Hand {hand}, step {step}", { hand: table.hand, step: stepIndex + 1 });
  const stepElement = $("told");
  const what = step.struck ? renderAmendedEntry(step, steps[stepIndex - 1]) : [capitalize(describeEntry(step, steps[stepIndex - 1]))];
  stepElement.querySelector(".what").replaceChildren(...what, step.error ? ` – ${t("not taken")}` : "");
  const by = step.by ? `, ${step.by}` : "";
  stepElement.querySelector(".when").textContent = t("Entry {n}, {time}, from {source}", { n: step.entry, time: formatTime(step.wall), source: step.source }) + by;
  const rulings = table.rulings.flatMap((ruling) => [
    makeElement("p", "verdict", `${capitalize(formatLabel(ruling.finding))}: ${formatLabel(ruling.verdict)}`),
    makeElement("p", "why", capitalize(leaveOutCommands(ruling.text))), ...ruling.cite.map((cite) => makeElement("span", "cite", cite)),
  ]);
  if (step.error) rulings.unshift(makeElement("p", "why", leaveOutCommands(step.error)));
  stepElement.querySelector(".rulings").replaceChildren(...rulings);
  $("at").value = String(stepIndex);
  $("where").textContent = `${stepIndex + 1} / ${steps.length}`;
  for (const item of $("steps").children) {
    if (Number(item.dataset.at) === stepIndex) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  }
  $("steps").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function goToStep(index) { stepIndex = Math.max(0, Math.min(steps.length - 1, index)); drawStep(); }

function drawStepList() {
  $("steps").replaceChildren(...steps.map((step, i) => {
    const marks = [step.error ? "refused" : "", step.table.rulings.length ? "ruled" : ""].filter(Boolean).join(" ");
    const item = makeElement("li", marks, `${step.table.rulings.length ? "§ " : ""}${step.error ? "✖ " : ""}`);
    item.append(...(step.struck ? renderAmendedEntry(step, steps[i - 1]) : [describeEntry(step, steps[i - 1])]));
    item.dataset.at = String(i);
    item.addEventListener("click", () => goToStep(i));
    return item;
  }));
  $("at").max = String(Math.max(0, steps.length - 1));
}

let wantedPath = "";

/* What the table answers. One that is busy says when it may be asked again, and is, unless something else is wanted by then. */
async function fetchJson(path) {
  wantedPath = path;
  const answer = await fetch(path);
  if (answer.status === 401) { goToSignIn(); return null; }
  if (!answer.ok) {
    const refusal = await answer.json().catch(() => ({}));
    $("next").textContent = t("Not shown");
    $("then").textContent = describeRefusal(refusal) || `(${answer.status})`;
    const seconds = Number(answer.headers.get("retry-after"));
    if (!seconds) return null;
    await new Promise((done) => { setTimeout(done, 1000 * seconds); });
    return wantedPath === path ? fetchJson(path) : null;
  }
  return answer.json();
}

async function showHand(path) {
  $("next").textContent = t("Reading the hand…");
  $("then").textContent = "";
  const answer = await fetchJson(`/hands/${path}`);
  if (!answer) return;
  ({ steps, setup } = answer);
  drawStepList();
  goToStep(0);
}

const describeRulings = (hand) => hand.rulings ? translatePlural("1 ruling", "{n} rulings", hand.rulings) : "";

function makeHandOption(hand) {
  const notes = hand.over ? describeRulings(hand) : t("in play");
  const option = makeElement("option", "", `${hand.hand} – ${formatDateTime(hand.began)}${notes ? `, ${notes}` : ""}`);
  option.value = formatHandPath(hand);
  return option;
}

/* What is looked for, as the table takes it: a day is one of this browser's. */
function buildQuery() {
  const form = new FormData($("wanted"));
  const query = new URLSearchParams();
  for (const key of ["player", "dealer", "ruling"]) if (form.get(key).trim()) query.set(key, form.get(key).trim());
  const formatDay = (text, later) => { const [y, m, d] = text.split("-").map(Number); return new Date(y, m - 1, d + later).toISOString(); };
  if (form.get("since")) query.set("since", formatDay(form.get("since"), 0));
  if (form.get("until")) query.set("until", formatDay(form.get("until"), 1));
  return query;
}

/* Looks on where the last look ended, until the list is at its end or there is enough to show. */
async function searchHands() {
  const query = buildQuery();
  const hands = [];
  let answer = null;
  do {
    if (answer) query.set("before", answer.further);
    answer = await fetchJson(`/hands/list?${query}`);
    if (!answer) return null;
    hands.push(...answer.hands);
  } while (answer.further && hands.length < MIN_FOUND_HANDS);
  return { hands, whole: answer.whole, more: Boolean(answer.further) };
}

const describeMoney = (hand) => [...hand.winners, ...hand.taken ? [t("house {chips}", { chips: hand.taken })] : []].join(", ");

function makeHandRow(hand) {
  const cells = [
    `${hand.session}/${hand.hand}`, formatDateTime(hand.began), hand.over ? formatGameName(hand.game) : t("in play"), hand.players.join(", "),
    describeMoney(hand), [...hand.findings.map(formatLabel), ...hand.clauses].join(", "), hand.dealers.join(", "),
  ];
  const row = makeElement("tr");
  row.append(...cells.map((text) => makeElement("td", "", text)));
  const key = makeElement("button", "", cells[0]);
  key.type = "button";
  key.addEventListener("click", () => { chooseHand(formatHandPath(hand)); $("search").close(); });
  row.firstChild.replaceChildren(key);
  return row;
}

function chooseHand(path) { $("chosen").value = path; showHand(path); }

function drawFound(answer) {
  const count = answer.more ? t("{n} newest hands", { n: answer.hands.length }) : translatePlural("1 hand", "{n} hands", answer.hands.length);
  $("count").textContent = answer.whole ? count : t("{count}; the list is being read again from the journal", { count });
  $("found").replaceChildren(...answer.hands.map(makeHandRow));
  $("export").hidden = !answer.hands.some((hand) => hand.over);
}

/* What was found, as a file in the chosen format; says how many hands that format cannot tell. */
async function exportFound() {
  const query = buildQuery();
  query.set("format", $("format").value);
  $("count").textContent = "";
  const answer = await fetch(`/hands/export?${query}`);
  if (answer.status === 401) { goToSignIn(); return; }
  if (!answer.ok) {
    const refusal = await answer.json().catch(() => ({}));
    $("count").textContent = describeRefusal(refusal) || `(${answer.status})`;
    return;
  }
  const file = makeElement("a");
  file.href = URL.createObjectURL(await answer.blob());
  file.download = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))[1];
  file.click();
  URL.revokeObjectURL(file.href);
  const left = Number(answer.headers.get("Left-Out"));
  if (left) $("count").textContent = translatePlural("1 hand left out: this format cannot tell it", "{n} hands left out: this format cannot tell them", left);
}

/* The list again: hands go on while the page is open. The hand that is looked at stays. */
async function refreshList() {
  const answer = await searchHands();
  if (!answer) return;
  ({ hands: foundHands } = answer);
  drawFound(answer);
  if (!foundHands.length) {
    const none = buildQuery().size ? t("No such hand") : t("No hand yet");
    $("next").textContent = answer.whole ? none : t("The list of hands is being read again");
    $("then").textContent = "";
    setTimeout(refreshList, EMPTY_POLL_INTERVAL_MS);
    return;
  }
  if (!answer.whole) setTimeout(refreshList, EMPTY_POLL_INTERVAL_MS);
  const nowJson = JSON.stringify(foundHands);
  if (nowJson === listedJson) return;
  const first = !listedJson;
  const query = new URLSearchParams(location.search);
  const namedHand = foundHands.find((each) => String(each.hand) === query.get("hand") && [null, String(each.session)].includes(query.get("session")));
  const chosenPath = first ? namedHand && formatHandPath(namedHand) : $("chosen").value;
  listedJson = nowJson;
  $("chosen").replaceChildren(...foundHands.map(makeHandOption));
  const there = foundHands.some((each) => formatHandPath(each) === chosenPath);
  if (there) $("chosen").value = chosenPath;
  if (first || !there) showHand($("chosen").value);
}

$("look").addEventListener("click", () => { $("search").showModal(); refreshList(); });
$("export").addEventListener("click", exportFound);
$("close").addEventListener("click", () => $("search").close());
$("wanted").addEventListener("submit", (event) => { event.preventDefault(); refreshList(); });
$("wanted").addEventListener("reset", () => setTimeout(refreshList));
$("chosen").addEventListener("change", () => showHand($("chosen").value));
$("chosen").addEventListener("focus", refreshList);
document.addEventListener("visibilitychange", () => { if (!document.hidden) refreshList(); });
$("at").addEventListener("input", () => goToStep(Number($("at").value)));
$("first").addEventListener("click", () => goToStep(0));
$("back").addEventListener("click", () => goToStep(stepIndex - 1));
$("on").addEventListener("click", () => goToStep(stepIndex + 1));
$("last").addEventListener("click", () => goToStep(steps.length - 1));
document.addEventListener("keydown", (event) => {
  if ($("search").open || event.target instanceof HTMLSelectElement || event.target === $("at")) return;
  const to = { ArrowLeft: stepIndex - 1, ArrowRight: stepIndex + 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); goToStep(to); }
});
refreshList();
