/* All tables on one screen, who calls, and the case at a table on one touch. */
import { describeRefusal, formatGameName, t } from "/static/language.js";
import { goToSignIn, post } from "/static/session.js";
import { playSound } from "/static/sound.js";
import { hideDecisions, showDecisions } from "/room/decisions.js";
import { formatCode, makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";

const $ = (id) => document.getElementById(id);
const ALARMS_STORAGE_KEY = "floor.alarms";
const MANY_TABLES = 30;            /* so many tables are small ones, but for those that need somebody */

let principal = { roles: [] };
let calls = { open: [], done: [], escalate: 120 };
let clockOffsetS = 0;              /* seconds that this browser's clock is ahead of the server's */
let soundedCalls = null;           /* calls that this screen has sounded for, and whether as late */
let shownTable = "";             /* the table whose case is open */
const alarmSettings = { sound: false, notify: false, ...JSON.parse(localStorage.getItem(ALARMS_STORAGE_KEY) || "{}") };

const serverNow = () => Date.now() / 1000 - clockOffsetS;
const formatAge = (seconds) => {
  const s = Math.max(0, Math.floor(seconds));
  return s < 3600 ? `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}` : `${Math.floor(s / 3600)} h ${String(Math.floor(s / 60) % 60).padStart(2, "0")}`;
};
const formatTime = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
const isLate = (call) => call.taken === null && serverNow() - call.called >= calls.escalate;

function setText(place, text) { if (place.textContent !== text) place.textContent = text; }

/* A table: made once, and changed where it changed. */
const cardByTable = new Map();

function ensureCard(name) {
  if (!cardByTable.has(name)) {
    const card = $("table-card").content.firstElementChild.cloneNode(true);
    card.dataset.table = name;
    card.addEventListener("click", () => openCase(name));
    cardByTable.set(name, card);
    const laterNames = [...cardByTable.keys()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
    const at = laterNames.indexOf(name);
    $("tables").insertBefore(card, at + 1 < laterNames.length ? cardByTable.get(laterNames[at + 1]) : null);
  }
  return cardByTable.get(name);
}

function formatGame({ game, stakes, ante }) {
  if (!game) return "";
  const played = [formatGameName(game), stakes].filter(Boolean).join(" ");
  return ante ? t("{game}, ante {chips}", { game: played, chips: ante }) : played;
}

function drawTable(name, table) {
  const card = ensureCard(name);
  const findPart = (what) => card.querySelector(`.${what}`);
  const faults = table.faults || [];
  card.className = ["table", table.away && "away", faults.length && "fault", table.ruling && "ruling", table.called && "called"].filter(Boolean).join(" ");
  setText(findPart("name"), name);
  const flag = findPart("flag");
  setText(flag, table.away ? t("away") : table.phase ? formatCode(table.phase) : table.level ? formatCode(table.level) : "");
  flag.dataset.phase = table.phase || "";
  flag.hidden = !flag.textContent;
  setText(findPart("game"), formatGame(table));
  setText(findPart("hand"), table.hand ? t("hand {n}", { n: table.hand }) : "");
  setText(findPart("next"), table.away ? "" : table.next || "");
  const reason = faults.length ? `✖ ${faults.map(formatCode).join(", ")}` : table.ruling ? `§ ${formatCode(table.ruling.finding)}: ${formatCode(table.ruling.verdict)}` : table.wrong || "";
  setText(findPart("why"), reason);
  const seats = table.seats || [];
  setText(findPart("seats"), seats.length ? `${seats.filter((seat) => !seat.away).length}/${table.places || seats.length} ${"●".repeat(seats.filter((seat) => !seat.away).length)}` : "");
  drawAge(name, table);
  card.setAttribute("aria-label", [name, flag.textContent, table.called && t("calls the floor"), formatGame(table), reason].filter(Boolean).join(", "));
}

function drawAge(name, table) {
  const place = cardByTable.get(name).querySelector(".age");
  setText(place, !table.away ? "" : table.seen ? t("last seen {time}", { time: formatTime(table.seen) }) : t("not heard yet"));
}

/* The queue. */
function makeCallRow(call) {
  const item = makeElement("li", "call");
  item.dataset.call = String(call.number);
  const line = makeElement("div", "line");
  line.append(makeElement("span", "name", call.table), makeElement("span", "age"));
  const keys = makeElement("div", "keys");
  const addButton = (text, act, look = "") => {
    const button = makeElement("button", look, text);
    button.type = "button";
    button.addEventListener("click", act);
    keys.append(button);
  };
  if (call.taken === null) addButton(t("I go"), () => answerCall(call, "take"), "main");
  addButton(t("Done"), () => answerCall(call, "done"));
  addButton(t("Case"), () => openCase(call.table));
  item.append(line, makeElement("div", "taken", call.taken === null ? "" : t("{name} goes", { name: call.by })), keys);
  return item;
}

function drawCalls() {
  $("count").textContent = String(calls.open.length);
  document.title = calls.open.length ? `(${calls.open.length}) ${t("Floor")}` : t("Floor");
  $("nobody").hidden = calls.open.length > 0;
  $("open").replaceChildren(...calls.open.map(makeCallRow));
  $("over").hidden = !calls.done.length;
  $("done").replaceChildren(...calls.done.map((call) => {
    const item = makeElement("li");
    item.append(makeElement("span", "", `${call.table} ${formatTime(call.called)}`), makeElement("span", "", `${call.by || call.done_by} ${formatAge((call.taken ?? call.done) - call.called)}`));
    return item;
  }));
  drawAges();
}

function drawAges() {
  for (const call of calls.open) {
    const place = $("open").querySelector(`[data-call="${call.number}"]`);
    if (!place) continue;
    place.className = `call ${call.taken === null ? "waits" : ""} ${isLate(call) ? "late" : ""}`;
    setText(place.querySelector(".age"), formatAge(serverNow() - call.called));
  }
  soundAlarms();
}

/* A sound and a note when somebody calls, and again when nobody has gone in time; not for what stood there before. */
function soundAlarms() {
  const lateByCall = new Map(calls.open.map((call) => [call.number, isLate(call)]));
  if (soundedCalls !== null) {
    for (const call of calls.open) {
      const late = lateByCall.get(call.number);
      const fresh = !soundedCalls.has(call.number) || (late && !soundedCalls.get(call.number));
      if (!fresh || (call.taken !== null && !late)) continue;
      document.body.dataset.heard = `${call.number} ${late ? "late" : "called"}`;
      if (alarmSettings.sound) { playSound(late ? "stop" : "floor"); navigator.vibrate?.([400, 200, 400]); }
      if (alarmSettings.notify && window.Notification && Notification.permission === "granted") {
        new Notification(late ? t("{table} still waits", { table: call.table }) : t("{table} calls the floor", { table: call.table }), { tag: `call-${call.number}`, renotify: late });
      }
    }
  }
  soundedCalls = lateByCall;
}

async function answerCall(call, what) {
  if (!principal.roles.includes("floor")) { goToSignIn(); return; }
  const response = await post("/floor/calls", { call: call.number, do: what }).catch(() => null);
  if (response && response.ok) return;
  const refusal = response ? await response.json().catch(() => ({})) : {};
  showNotice(describeRefusal(refusal) || t("No connection to the room."));
}

function showNotice(text) {
  const place = $("lost");
  place.textContent = text;
  place.hidden = false;
  setTimeout(() => { place.hidden = true; }, 6000);
}

/* The case. */
function makeSection(title, ...parts) {
  const section = makeElement("section");
  section.append(makeElement("h2", "", title), ...parts);
  return section;
}

const makeStepRow = (step) => makeElement("li", step.done ? "done" : "", step.text);

function makeList(items) {
  const list = makeElement("ol");
  list.append(...items);
  return list;
}

/* The case that is on the screen follows its table, one question at a time. */
let isReading = false;

async function followCase() {
  if (isReading || !shownTable) return;
  isReading = true;
  const name = shownTable, { entry } = tableByKey.get(`table:${name}`) || {};
  await openCase(name, true);
  isReading = false;
  if (shownTable && (shownTable !== name || (tableByKey.get(`table:${shownTable}`) || {}).entry !== entry)) followCase();
}

async function openCase(name, isRenewal = false) {
  const response = await fetch(`/floor/case/${encodeURIComponent(name)}`).catch(() => null);
  if (isRenewal && shownTable !== name) return;
  if (response && response.status === 401) { goToSignIn(); return; }
  if (!response || !response.ok) { showNotice(t("No connection to the room.")); return; }
  const content = await response.json();
  const isNew = shownTable !== name;
  shownTable = name;
  $("case-title").textContent = name;
  $("page").hidden = !content.url;
  if (content.url) $("page").href = content.url;
  const parts = [];
  for (const fault of content.faults || []) parts.push(makeSection(t("Fault"), makeElement("p", "verdict", formatCode(fault.code))));
  for (const ruling of content.rulings || []) {
    parts.push(makeSection(
      content.ruled_in ? t("Ruling, hand {n}", { n: content.ruled_in }) : t("Ruling"),
      makeElement("p", "verdict", `${formatCode(ruling.finding)}: ${formatCode(ruling.verdict)}${ruling.seat === null ? "" : ` (${t("seat {seat}", { seat: ruling.seat })})`}`),
      makeElement("p", "", ruling.text), ...ruling.cite.map((cite) => makeElement("span", "cite", cite)),
    ));
  }
  if ((content.remedy || []).length) parts.push(makeSection(t("What the remedy wants"), makeList(content.remedy.map(makeStepRow))));
  if ((content.next || []).length) parts.push(makeSection(t("What comes next"), makeList(content.next.map(makeStepRow))));
  const last = [];
  if (content.steps.length) {
    last.push(makeSection(t("What the table said last"), makeList(content.steps.toReversed().map((step) => makeElement("li", "", `${formatTime(step.at)} ${formatCode(step.phase)}: ${step.text}${step.ruling ? ` § ${formatCode(step.ruling.finding)}` : ""}`)))));
  }
  if (content.wrong) last.push(makeSection(t("Archive"), makeElement("p", "", content.wrong)));
  $("told").replaceChildren(...(parts.length ? parts : [makeElement("p", "none", t("This table tells nothing of its game."))]));
  $("last").replaceChildren(...last);
  if (!$("case").open) $("case").showModal();
  if (isNew) $("case").scrollTop = 0;
  showDecisions(name, content.entry || 0, principal.roles.includes("floor"));
}

$("close").addEventListener("click", () => $("case").close());
$("case").addEventListener("close", () => { shownTable = ""; hideDecisions(); });
$("case").addEventListener("click", (event) => { if (event.target === $("case")) $("case").close(); });

function drawAlarmSettings() {
  for (const [what, on] of Object.entries(alarmSettings)) $(what).setAttribute("aria-pressed", String(on));
  localStorage.setItem(ALARMS_STORAGE_KEY, JSON.stringify(alarmSettings));
}

$("sound").addEventListener("click", () => { alarmSettings.sound = !alarmSettings.sound; if (alarmSettings.sound) playSound("due"); drawAlarmSettings(); });
$("notify").addEventListener("click", async () => {
  alarmSettings.notify = !alarmSettings.notify && Boolean(window.Notification) && (await Notification.requestPermission()) === "granted";
  if (!alarmSettings.notify && window.Notification && Notification.permission === "denied") showNotice(t("This browser allows no notes; allow them in its settings."));
  drawAlarmSettings();
});

const tableByKey = followFeed("/floor/events", (keys, changed, at) => {
  clockOffsetS = Date.now() / 1000 - at;
  for (const key of changed) {
    if (key === "calls") continue;
    const name = key.slice("table:".length);
    if (keys.has(key)) drawTable(name, keys.get(key));
    else { cardByTable.get(name)?.remove(); cardByTable.delete(name); }
  }
  $("tables").toggleAttribute("data-many", cardByTable.size > MANY_TABLES);
  if (changed.has("calls") && keys.has("calls")) {
    calls = keys.get("calls");
    drawCalls();
  }
  if (shownTable && changed.has(`table:${shownTable}`)) followCase();
}, (yes) => { $("lost").hidden = yes; });

/* Who runs the room sees when a webhook wants somebody. */
let webhookFeed = null;

function drawWebhooks(all) {
  const names = [...all.values()].filter((one) => one.alarm).map((one) => one.name).sort();
  $("webhooks").hidden = !names.length;
  setText($("webhooks"), t("Webhook {names}: messages were not delivered", { names: names.join(", ") }));
}

setInterval(drawAges, 1000);
drawAlarmSettings();
showMenu((found) => {
  principal = found;
  const may = principal.roles.some((role) => role === "floor" || role === "technician");
  if (!may) { webhookFeed = null; $("webhooks").hidden = true; }
  if (may && !webhookFeed) webhookFeed = followFeed("/webhooks/events", drawWebhooks);
});
