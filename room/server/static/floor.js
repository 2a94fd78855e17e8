/* All tables on one screen, who calls, and the case at a table on one touch. */
import { reason, t } from "/static/language.js";
import { post, signInHere } from "/static/session.js";
import { play } from "/static/sound.js";
import { hideDecisions, showDecisions } from "/room/decisions.js";
import { element, showMenu, words } from "/room/menu.js";
import { follow } from "/room/feed.js";

const $ = (id) => document.getElementById(id);
const ALARMS = "floor.alarms";
const MANY = 30;            /* so many tables are small ones, but for those that need somebody */

let who = { roles: [] };
let calls = { open: [], done: [], escalate: 120 };
let ahead = 0;              /* seconds that this browser's clock is ahead of the server's */
let heard = null;           /* calls that this screen has sounded for, and whether as late */
let shown = "";             /* the table whose case is open */
const wanted = { sound: false, notify: false, ...JSON.parse(localStorage.getItem(ALARMS) || "{}") };

const now = () => Date.now() / 1000 - ahead;
const age = (seconds) => {
  const s = Math.max(0, Math.floor(seconds));
  return s < 3600 ? `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}` : `${Math.floor(s / 3600)} h ${String(Math.floor(s / 60) % 60).padStart(2, "0")}`;
};
const clock = (at) => new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
const isLate = (call) => call.taken === null && now() - call.called >= calls.escalate;

function put(place, text) { if (place.textContent !== text) place.textContent = text; }

/* A table: made once, and changed where it changed. */
const cards = new Map();

function cardOf(name) {
  if (!cards.has(name)) {
    const made = $("table-card").content.firstElementChild.cloneNode(true);
    made.dataset.table = name;
    made.addEventListener("click", () => openCase(name));
    cards.set(name, made);
    const after = [...cards.keys()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
    const at = after.indexOf(name);
    $("tables").insertBefore(made, at + 1 < after.length ? cards.get(after[at + 1]) : null);
  }
  return cards.get(name);
}

function drawTable(name, table) {
  const card = cardOf(name);
  const part = (what) => card.querySelector(`.${what}`);
  const faults = table.faults || [];
  card.className = ["table", table.away && "away", faults.length && "fault", table.ruling && "ruling", table.called && "called"].filter(Boolean).join(" ");
  put(part("name"), name);
  const flag = part("flag");
  put(flag, table.away ? t("away") : table.phase ? words(table.phase) : table.level ? words(table.level) : "");
  flag.dataset.phase = table.phase || "";
  flag.hidden = !flag.textContent;
  put(part("game"), [table.game, table.stakes].filter(Boolean).join(" "));
  put(part("hand"), table.hand ? `#${table.hand}` : "");
  put(part("next"), table.away ? "" : table.next || "");
  const why = faults.length ? `✖ ${faults.map(words).join(", ")}` : table.ruling ? `§ ${words(table.ruling.finding)}: ${words(table.ruling.verdict)}` : table.wrong || "";
  put(part("why"), why);
  const seats = table.seats || [];
  put(part("seats"), seats.length ? `${seats.filter((seat) => !seat.away).length}/${table.places || seats.length} ${"●".repeat(seats.filter((seat) => !seat.away).length)}` : "");
  drawAge(name, table);
  card.setAttribute("aria-label", [name, flag.textContent, table.called && t("calls the floor"), table.game, why].filter(Boolean).join(", "));
}

function drawAge(name, table) {
  const place = cards.get(name).querySelector(".age");
  put(place, !table.away ? "" : table.seen ? t("last seen {time}", { time: clock(table.seen) }) : t("not heard yet"));
}

/* The queue. */
function callLine(call) {
  const made = element("li", "call");
  made.dataset.call = String(call.number);
  const line = element("div", "line");
  line.append(element("span", "name", call.table), element("span", "age"));
  const keys = element("div", "keys");
  const key = (text, act, look = "") => {
    const button = element("button", look, text);
    button.type = "button";
    button.addEventListener("click", act);
    keys.append(button);
  };
  if (call.taken === null) key(t("I go"), () => answer(call, "take"), "main");
  key(t("Done"), () => answer(call, "done"));
  key(t("Case"), () => openCase(call.table));
  made.append(line, element("div", "taken", call.taken === null ? "" : t("{name} goes", { name: call.by })), keys);
  return made;
}

function drawCalls() {
  $("count").textContent = String(calls.open.length);
  document.title = calls.open.length ? `(${calls.open.length}) ${t("Floor")}` : t("Floor");
  $("nobody").hidden = calls.open.length > 0;
  $("open").replaceChildren(...calls.open.map(callLine));
  $("over").hidden = !calls.done.length;
  $("done").replaceChildren(...calls.done.map((call) => {
    const made = element("li");
    made.append(element("span", "", `${call.table} ${clock(call.called)}`), element("span", "", `${call.by || call.done_by} ${age((call.taken ?? call.done) - call.called)}`));
    return made;
  }));
  drawAges();
}

function drawAges() {
  for (const call of calls.open) {
    const place = $("open").querySelector(`[data-call="${call.number}"]`);
    if (!place) continue;
    place.className = `call ${call.taken === null ? "waits" : ""} ${isLate(call) ? "late" : ""}`;
    put(place.querySelector(".age"), age(now() - call.called));
  }
  alarm();
}

/* A sound and a note when somebody calls, and again when nobody has gone in time; not for what stood there before. */
function alarm() {
  const known = new Map(calls.open.map((call) => [call.number, isLate(call)]));
  if (heard !== null) {
    for (const call of calls.open) {
      const late = known.get(call.number);
      const fresh = !heard.has(call.number) || (late && !heard.get(call.number));
      if (!fresh || (call.taken !== null && !late)) continue;
      document.body.dataset.heard = `${call.number} ${late ? "late" : "called"}`;
      if (wanted.sound) play(late ? "stop" : "floor");
      if (wanted.notify && window.Notification && Notification.permission === "granted") {
        new Notification(late ? t("{table} still waits", { table: call.table }) : t("{table} calls the floor", { table: call.table }), { tag: `call-${call.number}`, renotify: late });
      }
    }
  }
  heard = known;
}

async function answer(call, what) {
  if (!who.roles.includes("floor")) { signInHere(); return; }
  const said = await post("/floor/calls", { call: call.number, do: what }).catch(() => null);
  if (said && said.ok) return;
  const why = said ? await said.json().catch(() => ({})) : {};
  tell(reason(why) || t("No connection to the room."));
}

function tell(text) {
  const place = $("lost");
  place.textContent = text;
  place.hidden = false;
  setTimeout(() => { place.hidden = true; }, 6000);
}

/* The case. */
function section(title, ...parts) {
  const made = element("section");
  made.append(element("h2", "", title), ...parts);
  return made;
}

const stepLine = (step) => element("li", step.done ? "done" : "", step.text);

function list(items) {
  const made = element("ol");
  made.append(...items);
  return made;
}

/* The case that is on the screen follows its table, one question at a time. */
let reading = false;

async function followCase() {
  if (reading || !shown) return;
  reading = true;
  const name = shown, { entry } = tables.get(`table:${name}`) || {};
  await openCase(name, true);
  reading = false;
  if (shown && (shown !== name || (tables.get(`table:${shown}`) || {}).entry !== entry)) followCase();
}

async function openCase(name, again = false) {
  const said = await fetch(`/floor/case/${encodeURIComponent(name)}`).catch(() => null);
  if (again && shown !== name) return;
  if (said && said.status === 401) { signInHere(); return; }
  if (!said || !said.ok) { tell(t("No connection to the room.")); return; }
  const told = await said.json();
  const isNew = shown !== name;
  shown = name;
  $("case-title").textContent = name;
  $("page").hidden = !told.url;
  if (told.url) $("page").href = told.url;
  const parts = [];
  for (const fault of told.faults || []) parts.push(section(t("Fault"), element("p", "verdict", words(fault.code))));
  for (const ruling of told.rulings || []) {
    parts.push(section(
      told.ruled_in ? t("Ruling, hand {n}", { n: told.ruled_in }) : t("Ruling"),
      element("p", "verdict", `${words(ruling.finding)}: ${words(ruling.verdict)}${ruling.seat === null ? "" : ` (${t("seat {seat}", { seat: ruling.seat })})`}`),
      element("p", "", ruling.text), ...ruling.cite.map((cite) => element("span", "cite", cite)),
    ));
  }
  if ((told.remedy || []).length) parts.push(section(t("What the remedy wants"), list(told.remedy.map(stepLine))));
  if ((told.next || []).length) parts.push(section(t("What comes next"), list(told.next.map(stepLine))));
  const last = [];
  if (told.steps.length) {
    last.push(section(t("What the table said last"), list(told.steps.toReversed().map((step) => element("li", "", `${clock(step.at)} ${words(step.phase)}: ${step.next}${step.ruling ? ` § ${words(step.ruling.finding)}` : ""}`)))));
  }
  if (told.wrong) last.push(section(t("Archive"), element("p", "", told.wrong)));
  $("told").replaceChildren(...(parts.length ? parts : [element("p", "none", t("This table tells nothing of its game."))]));
  $("last").replaceChildren(...last);
  if (!$("case").open) $("case").showModal();
  if (isNew) $("case").scrollTop = 0;
  showDecisions(name, told.entry || 0, who.roles.includes("floor"));
}

$("close").addEventListener("click", () => $("case").close());
$("case").addEventListener("close", () => { shown = ""; hideDecisions(); });
$("case").addEventListener("click", (event) => { if (event.target === $("case")) $("case").close(); });

function drawWanted() {
  for (const [what, on] of Object.entries(wanted)) $(what).setAttribute("aria-pressed", String(on));
  localStorage.setItem(ALARMS, JSON.stringify(wanted));
}

$("sound").addEventListener("click", () => { wanted.sound = !wanted.sound; if (wanted.sound) play("due"); drawWanted(); });
$("notify").addEventListener("click", async () => {
  wanted.notify = !wanted.notify && Boolean(window.Notification) && (await Notification.requestPermission()) === "granted";
  if (!wanted.notify && window.Notification && Notification.permission === "denied") tell(t("This browser allows no notes; allow them in its settings."));
  drawWanted();
});

const tables = follow("/floor/events", (keys, changed, at) => {
  ahead = Date.now() / 1000 - at;
  for (const key of changed) {
    if (key === "calls") continue;
    const name = key.slice("table:".length);
    if (keys.has(key)) drawTable(name, keys.get(key));
    else { cards.get(name)?.remove(); cards.delete(name); }
  }
  $("tables").toggleAttribute("data-many", cards.size > MANY);
  if (changed.has("calls") && keys.has("calls")) {
    calls = keys.get("calls");
    drawCalls();
  }
  if (shown && changed.has(`table:${shown}`)) followCase();
}, (yes) => { $("lost").hidden = yes; });

/* Who runs the room sees when a webhook wants somebody. */
let webhooks = null;

function drawWebhooks(all) {
  const names = [...all.values()].filter((one) => one.alarm).map((one) => one.name).sort();
  $("webhooks").hidden = !names.length;
  put($("webhooks"), t("Webhook {names}: messages were not delivered", { names: names.join(", ") }));
}

setInterval(drawAges, 1000);
drawWanted();
showMenu((found) => {
  who = found;
  const may = who.roles.some((role) => role === "floor" || role === "technician");
  if (!may) { webhooks = null; $("webhooks").hidden = true; }
  if (may && !webhooks) webhooks = follow("/webhooks/events", drawWebhooks);
});
