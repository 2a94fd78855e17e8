/* A hand step by step: what the journal holds, handled again and drawn as it was shown. */
import { sentence, struckThrough } from "./sentence.js";
import { signInHere } from "./session.js";
import { $, capital, drawTable, element, words } from "./table.js";

let steps = [];
let setup = null;
let at = 0;
let listed = "";

const EMPTY_POLL_MS = 5000;

const clockTime = (when) => new Date(when).toLocaleTimeString([], { hour12: false });

function drawStep() {
  const step = steps[at];
  if (!step) return;
  const table = step.table;
  const up = { ...table.up, ...step.tabled };
  drawTable({ table: { ...table, up }, setup, players: step.players, devices: [], mode: "record" }, false);
  document.title = `Hand ${table.hand}, step ${at + 1}`;
  const told = $("told");
  const what = step.struck ? struckThrough(step, steps[at - 1]) : [capital(sentence(step, steps[at - 1]))];
  told.querySelector(".what").replaceChildren(...what, step.error ? " – not taken" : "");
  const by = step.by ? `, ${step.by}` : "";
  told.querySelector(".when").textContent = `Entry ${step.entry}, ${clockTime(step.wall)}, from ${step.source}${by}`;
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
    $("next").textContent = "Not shown";
    $("then").textContent = why.message || `(${answer.status})`;
    return null;
  }
  return answer.json();
}

async function show(hand) {
  const found = await fetched(`/hands/${hand}`);
  if (!found) return;
  ({ steps, setup } = found);
  drawCourse();
  go(0);
}

function option(hand) {
  const ruled = hand.rulings ? `, ${hand.rulings} ruling${hand.rulings > 1 ? "s" : ""}` : "";
  const made = element("option", "", `${hand.hand} – ${clockTime(hand.began)}${ruled}`);
  made.value = String(hand.hand);
  return made;
}

/* The list again: hands go on while the page is open. The hand that is looked at stays. */
async function list() {
  const found = await fetched("/hands/list");
  if (!found) return;
  if (!found.hands.length) {
    $("next").textContent = found.whole ? "No hand yet" : "The list of hands is being read again";
    setTimeout(list, EMPTY_POLL_MS);
    return;
  }
  if (!found.whole) setTimeout(list, EMPTY_POLL_MS);
  const now = JSON.stringify(found.hands);
  if (now === listed) return;
  const first = !listed;
  const wanted = first ? new URLSearchParams(location.search).get("hand") : $("chosen").value;
  listed = now;
  $("chosen").replaceChildren(...found.hands.map(option));
  const there = wanted && found.hands.some((each) => String(each.hand) === wanted);
  if (there) $("chosen").value = wanted;
  if (first || !there) show($("chosen").value);
}

$("chosen").addEventListener("change", () => show($("chosen").value));
$("chosen").addEventListener("focus", list);
document.addEventListener("visibilitychange", () => { if (!document.hidden) list(); });
$("at").addEventListener("input", () => go(Number($("at").value)));
$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(at - 1));
$("on").addEventListener("click", () => go(at + 1));
$("last").addEventListener("click", () => go(steps.length - 1));
document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLSelectElement || event.target === $("at")) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); go(to); }
});
list();
