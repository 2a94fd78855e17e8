/* What runs at each table, and releases that are staged and installed between hands. */
import { t } from "/static/language.js";
import { ask, key, say } from "/room/requests.js";
import { element, showMenu, words } from "/room/menu.js";
import { follow } from "/room/feed.js";

const desk = document.getElementById("desk");
const shown = document.getElementById("shown");
const chosen = new Set();
const DISKS = { journal: t("journal"), system: t("system") };
const HEADS = ["", t("Table"), t("State"), t("Versions"), t("Free"), t("Release")];
let technician = false;
let known = new Map();
let said = {};

function wanted(one) {
  if (!one.wanted) return "";
  const what = one.wanted.release || t("the release before");
  if (one.wanted.done) return t("{what}: installed", { what });
  if (one.wanted.why) return t("{what}: refused, {why}", { what, why: one.wanted.why });
  if (one.wanted.taken) return t("{what}: is being installed", { what });
  const percent = one.wanted.percent;
  if (percent !== null && percent < 100) return t("{what}: {percent} % of it is there", { what, percent });
  return one.wanted.waits_for ? t("{what}: a technician stages it again", { what }) : t("{what}: when no hand is on", { what });
}

function choose(table) {
  const box = element("input");
  box.type = "checkbox";
  box.checked = chosen.has(table);
  box.setAttribute("aria-label", table);
  box.addEventListener("change", () => { if (box.checked) chosen.add(table); else chosen.delete(table); });
  return box;
}

const short = (hash) => hash ? hash.slice(0, 8) : "";
const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;

/* What most of the tables have of a part; on a tie nobody stands out. */
function usual(tables, part) {
  const count = new Map();
  for (const one of tables) if (one.versions && part in one.versions) count.set(of(one, part), (count.get(of(one, part)) || 0) + 1);
  const sorted = [...count].sort((a, b) => b[1] - a[1]);
  return sorted.length > 1 && sorted[0][1] > sorted[1][1] ? sorted[0][0] : null;
}

const of = (one, part) => `${(one.versions || {})[part] || ""} ${short((one.hashes || {})[part])}`.trim();

/* A part of a table as a line; what most others do not have is marked. */
function part(one, name, most, label) {
  const text = of(one, name);
  if (!text) return null;
  const odd = most.get(name) && most.get(name) !== text;
  const made = element("div", odd ? "odd" : "", `${label ? `${label} ` : ""}${text}`);
  if (odd) made.title = t("most tables have {what}", { what: most.get(name) });
  return made;
}

function versions(one, most) {
  const firmware = Object.keys(one.versions || {}).filter((name) => name.startsWith("firmware:"));
  const found = [part(one, "program", most), part(one, "rulebook", most),
    ...firmware.map((name) => part(one, name, most, name.replace("firmware:", "")))].filter(Boolean);
  return found.length ? found : ["–"];
}

function faults(one) {
  if (one.away) return [element("span", "flag alarm", one.last ? t("away since {time}", { time: clock(one.last) }) : t("never heard"))];
  if (!one.faults.length) return [t("in order")];
  return one.faults.map((code) => element("div", one.halted ? "flag alarm" : "",
    one.since[code] ? t("{what} since {time}", { what: words(code), time: clock(one.since[code]) }) : words(code)));
}

function clock(seconds) {
  const at = new Date(seconds * 1000);
  return Date.now() - at < 12 * 3600e3 ? at.toLocaleTimeString() : at.toLocaleString();
}

const free = (one) => Object.entries(one.free || {}).map(([disk, bytes]) => element("div", "", `${DISKS[disk] || disk} ${gigabytes(bytes)}`));

function draw() {
  const tables = [...known.values()].sort((a, b) => a.table.localeCompare(b.table));
  if (!tables.length) { shown.replaceChildren(element("p", "none", t("Sign in to see the tables."))); return; }
  const parts = new Set(tables.flatMap((one) => Object.keys(one.versions || {})));
  const most = new Map([...parts].map((name) => [name, usual(tables, name)]));
  const body = element("tbody");
  for (const one of tables) {
    const row = element("tr");
    row.dataset.table = one.table;
    const cells = [technician ? [choose(one.table)] : [], [one.table], faults(one), versions(one, most), free(one), [said[one.table] || wanted(one)]];
    for (const [place, cell] of cells.entries()) {
      const made = element("td");
      if (HEADS[place]) made.dataset.label = HEADS[place];
      made.append(...cell);
      row.append(made);
    }
    body.append(row);
  }
  const head = element("tr");
  head.append(...HEADS.map((text) => element("th", "", text)));
  const top = element("thead");
  top.append(head);
  const table = element("table", "stacks");
  table.append(top, body);
  const scroll = element("div", "scroll");
  scroll.append(table);
  shown.replaceChildren(scroll);
}

/* The releases that the room keeps, to choose from; none: what to do about it. */
async function offered(choice) {
  const answer = await fetch("/fleet/releases").catch(() => null);
  const names = answer && answer.ok ? await answer.json() : [];
  choice.replaceChildren(...(names.length ? names : [""]).map((name) => {
    const option = element("option", "", name || t("none yet: tablectl room release add FILE"));
    option.value = name;
    return option;
  }));
}

async function would(release) {
  said = (await ask("/fleet/would", { tables: [...chosen], release })) || {};
  draw();
}

async function stage(release) {
  said = {};
  await ask("/fleet/stage", { tables: [...chosen], release });
  draw();
}

function all() {
  for (const table of known.keys()) chosen.add(table);
  draw();
}

/* One table's file: told by the table, changed here, checked by the table before it takes it. */
async function showFile() {
  if (chosen.size !== 1) { say(t("Choose one table: its file is shown.")); return; }
  const [table] = chosen;
  const told = await ask("/fleet/present", { table });
  if (!told) return;
  const dialog = element("dialog", "file");
  const text = element("textarea");
  text.value = told.text;
  text.spellcheck = false;
  text.setAttribute("aria-label", t("File of {table}", { table }));
  const refused = element("p", "flag alarm");
  refused.setAttribute("role", "status");
  refused.hidden = true;
  const leave = async () => {
    const taken = await ask("/fleet/file", { table, text: text.value });
    if (taken) { dialog.close(); say(t("{table} has taken its file; it is in force in a moment.", { table })); return; }
    refused.textContent = lastSaid();
    refused.hidden = false;
    mark(text, refused.textContent);
  };
  const keys = element("div", "keys");
  keys.append(key(t("Have the table check and take it"), leave, "main"), key(t("Close"), () => dialog.close()));
  dialog.append(element("h1", "", t("File of {table}", { table })), text, refused, keys);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const lastSaid = () => document.getElementById("said").textContent || t("The table has not answered.");

/* Selects the line that a refusal names. */
function mark(text, why) {
  const found = /(?:table\.toml:|line )(\d+)/.exec(why);
  if (!found) return;
  const lines = text.value.split("\n");
  const number = Math.min(Number(found[1]), lines.length);
  const before = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(before, before + lines[number - 1].length);
  text.scrollTop = text.scrollHeight * (number - 4) / lines.length;
}

function drawDesk() {
  const field = element("label", "", t("Release"));
  const choice = element("select");
  choice.name = "release";
  field.append(choice);
  offered(choice);
  const named = (then) => () => choice.value ? then(choice.value) : say(t("The room keeps no release yet: tablectl room release add FILE."));
  desk.replaceChildren(field, key(t("What would it do?"), named(would)), key(t("Stage at the chosen tables"), named(stage), "main"),
    key(t("All tables"), all), key(t("Back by one"), () => stage(null)),
    key(t("Drop"), () => ask("/fleet/drop", { tables: [...chosen], release: null })), key(t("Its file"), showFile));
}

showMenu((who) => {
  technician = who.roles.includes("technician");
  desk.hidden = !technician;
  if (technician && !desk.childElementCount) drawDesk();
  if (who.roles.length && !known.size) follow("/fleet/events", (now) => { known = now; draw(); });
  draw();
});
