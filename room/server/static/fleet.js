/* What runs at each table, and releases that are staged and installed between hands. */
import { t } from "/static/language.js";
import { makeButton, postRequest, showMessage } from "/room/requests.js";
import { formatCode, makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";

const deskElement = document.getElementById("desk");
const contentElement = document.getElementById("shown");
const chosenTables = new Set();
const LABEL_BY_DISK = { journal: t("journal"), system: t("system") };
const COLUMN_HEADS = ["", t("Table"), t("State"), t("Versions"), t("Free"), t("Release")];
let isTechnician = false;
let tableByName = new Map();
let previewByTable = {};

function describeRelease(table) {
  if (!table.wanted) return "";
  const what = table.wanted.release || t("the release before");
  if (table.wanted.done) return t("{what}: installed", { what });
  if (table.wanted.why) return t("{what}: refused, {why}", { what, why: table.wanted.why });
  if (table.wanted.taken) return t("{what}: is being installed", { what });
  const percent = table.wanted.percent;
  if (percent !== null && percent < 100) return t("{what}: {percent} % of it is there", { what, percent });
  return table.wanted.waits_for ? t("{what}: a technician stages it again", { what }) : t("{what}: when no hand is on", { what });
}

function makeCheckbox(table) {
  const box = makeElement("input");
  box.type = "checkbox";
  box.checked = chosenTables.has(table);
  box.setAttribute("aria-label", table);
  box.addEventListener("change", () => { if (box.checked) chosenTables.add(table); else chosenTables.delete(table); });
  return box;
}

const shortenHash = (hash) => hash ? hash.slice(0, 8) : "";
const formatGigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;

/* What most of the tables have of a part; on a tie nobody stands out. */
function findUsual(tables, part) {
  const count = new Map();
  for (const table of tables) if (table.versions && part in table.versions) count.set(formatPart(table, part), (count.get(formatPart(table, part)) || 0) + 1);
  const sorted = [...count].sort((a, b) => b[1] - a[1]);
  return sorted.length > 1 && sorted[0][1] > sorted[1][1] ? sorted[0][0] : null;
}

const formatPart = (table, part) => `${(table.versions || {})[part] || ""} ${shortenHash((table.hashes || {})[part])}`.trim();

/* A part of a table as a line; what most others do not have is marked. */
function makePartElement(table, name, usualByPart, label) {
  const text = formatPart(table, name);
  if (!text) return null;
  const odd = usualByPart.get(name) && usualByPart.get(name) !== text;
  const box = makeElement("div", odd ? "odd" : "", `${label ? `${label} ` : ""}${text}`);
  if (odd) box.title = t("most tables have {what}", { what: usualByPart.get(name) });
  return box;
}

function makeVersionElements(table, usualByPart) {
  const firmware = Object.keys(table.versions || {}).filter((name) => name.startsWith("firmware:"));
  const parts = [makePartElement(table, "program", usualByPart), makePartElement(table, "rulebook", usualByPart),
    ...firmware.map((name) => makePartElement(table, name, usualByPart, name.replace("firmware:", "")))].filter(Boolean);
  return parts.length ? parts : ["–"];
}

function makeFaultElements(table) {
  if (table.away) return [makeElement("span", "flag alarm", table.last ? t("away since {time}", { time: formatTime(table.last) }) : t("never heard"))];
  if (!table.faults.length) return [t("in order")];
  return table.faults.map((code) => makeElement("div", table.halted ? "flag alarm" : "",
    table.since[code] ? t("{what} since {time}", { what: formatCode(code), time: formatTime(table.since[code]) }) : formatCode(code)));
}

function formatTime(seconds) {
  const date = new Date(seconds * 1000);
  return Date.now() - date < 12 * 3600e3 ? date.toLocaleTimeString() : date.toLocaleString();
}

const makeDiskElements = (table) => Object.entries(table.free || {}).map(([disk, bytes]) => makeElement("div", "", `${LABEL_BY_DISK[disk] || disk} ${formatGigabytes(bytes)}`));

function draw() {
  const tables = [...tableByName.values()].sort((a, b) => a.table.localeCompare(b.table));
  if (!tables.length) { contentElement.replaceChildren(makeElement("p", "none", t("Sign in to see the tables."))); return; }
  const parts = new Set(tables.flatMap((one) => Object.keys(one.versions || {})));
  const usualByPart = new Map([...parts].map((name) => [name, findUsual(tables, name)]));
  const body = makeElement("tbody");
  for (const one of tables) {
    const row = makeElement("tr");
    row.dataset.table = one.table;
    const cells = [isTechnician ? [makeCheckbox(one.table)] : [], [one.table], makeFaultElements(one), makeVersionElements(one, usualByPart), makeDiskElements(one), [previewByTable[one.table] || describeRelease(one)]];
    for (const [place, cell] of cells.entries()) {
      const tableCell = makeElement("td");
      if (COLUMN_HEADS[place]) tableCell.dataset.label = COLUMN_HEADS[place];
      tableCell.append(...cell);
      row.append(tableCell);
    }
    body.append(row);
  }
  const head = makeElement("tr");
  head.append(...COLUMN_HEADS.map((text) => makeElement("th", "", text)));
  const top = makeElement("thead");
  top.append(head);
  const table = makeElement("table", "stacks");
  table.append(top, body);
  const scroll = makeElement("div", "scroll");
  scroll.tabIndex = 0;  // what can be scrolled can be reached by the keyboard
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", t("Table"));
  scroll.append(table);
  contentElement.replaceChildren(scroll);
}

/* The releases that the room keeps, to choose from; none: what to do about it. */
async function fillReleaseChoice(choice) {
  const answer = await fetch("/fleet/releases").catch(() => null);
  const names = answer && answer.ok ? await answer.json() : [];
  choice.replaceChildren(...(names.length ? names : [""]).map((name) => {
    const option = makeElement("option", "", name || t("none yet: tablectl room release add FILE"));
    option.value = name;
    return option;
  }));
}

async function previewStaging(release) {
  previewByTable = (await postRequest("/fleet/would", { tables: [...chosenTables], release })) || {};
  draw();
}

async function stageRelease(release) {
  previewByTable = {};
  await postRequest("/fleet/stage", { tables: [...chosenTables], release });
  draw();
}

function chooseAllTables() {
  for (const table of tableByName.keys()) chosenTables.add(table);
  draw();
}

/* One table's file: told by the table, changed here, checked by the table before it takes it. */
async function showFile() {
  if (chosenTables.size !== 1) { showMessage(t("Choose one table: its file is shown.")); return; }
  const [table] = chosenTables;
  const content = await postRequest("/fleet/present", { table });
  if (!content) return;
  const dialog = makeElement("dialog", "file");
  const text = makeElement("textarea");
  text.value = content.text;
  text.spellcheck = false;
  text.setAttribute("aria-label", t("File of {table}", { table }));
  const refused = makeElement("p", "flag alarm");
  refused.setAttribute("role", "status");
  refused.hidden = true;
  const leave = async () => {
    const reply = await postRequest("/fleet/file", { table, text: text.value });
    if (reply) { dialog.close(); showMessage(t("{table} has taken its file; it is in force in a moment.", { table })); return; }
    refused.textContent = readLastMessage();
    refused.hidden = false;
    selectNamedLine(text, refused.textContent);
  };
  const keys = makeElement("div", "keys");
  keys.append(makeButton(t("Have the table check and take it"), leave, "main"), makeButton(t("Close"), () => dialog.close()));
  dialog.append(makeElement("h2", "title", t("File of {table}", { table })), text, refused, keys);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const readLastMessage = () => document.getElementById("said").textContent || t("The table has not answered.");

/* Selects the line that a refusal names. */
function selectNamedLine(text, message) {
  const match = /(?:table\.toml:|line )(\d+)/.exec(message);
  if (!match) return;
  const lines = text.value.split("\n");
  const number = Math.min(Number(match[1]), lines.length);
  const start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(start, start + lines[number - 1].length);
  text.scrollTop = text.scrollHeight * (number - 4) / lines.length;
}

function drawDesk() {
  const field = makeElement("label", "", t("Release"));
  const choice = makeElement("select");
  choice.name = "release";
  field.append(choice);
  fillReleaseChoice(choice);
  const withRelease = (onRelease) => () => choice.value ? onRelease(choice.value) : showMessage(t("The room keeps no release yet: tablectl room release add FILE."));
  deskElement.replaceChildren(field, makeButton(t("What would it do?"), withRelease(previewStaging)), makeButton(t("Stage at the chosen tables"), withRelease(stageRelease), "main"),
    makeButton(t("All tables"), chooseAllTables), makeButton(t("Back by one"), () => stageRelease(null)),
    makeButton(t("Drop"), () => postRequest("/fleet/drop", { tables: [...chosenTables], release: null })), makeButton(t("Its file"), showFile));
}

showMenu((who) => {
  isTechnician = who.roles.includes("technician");
  deskElement.hidden = !isTechnician;
  if (isTechnician && !deskElement.childElementCount) drawDesk();
  if (who.roles.length && !tableByName.size) followFeed("/fleet/events", (now) => { tableByName = now; draw(); });
  draw();
});
