/* What runs at each table, and releases that are staged and installed between hands. */
import { t } from "/static/language.js";
import { ask, key, line } from "/room/asks.js";
import { element, showMenu } from "/room/menu.js";
import { follow } from "/room/topic.js";

const desk = document.getElementById("desk");
const shown = document.getElementById("shown");
const chosen = new Set();
let technician = false;
let known = new Map();
let said = {};

function wanted(one) {
  if (!one.wanted) return "";
  const what = one.wanted.release || t("the release before");
  if (one.wanted.done) return t("{what}: installed", { what });
  if (one.wanted.why) return t("{what}: refused, {why}", { what, why: one.wanted.why });
  if (one.wanted.taken) return t("{what}: is being installed", { what });
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

function draw() {
  const tables = [...known.values()].sort((a, b) => a.table.localeCompare(b.table));
  if (!tables.length) { shown.replaceChildren(element("p", "none", t("Sign in to see the tables."))); return; }
  const body = element("tbody");
  for (const one of tables) {
    const row = element("tr");
    const state = one.away ? element("span", "flag alarm", one.last ? t("away since {time}", { time: new Date(one.last * 1000).toLocaleTimeString() }) : t("never heard"))
      : element("span", one.halted ? "flag alarm" : "", one.faults.join(", ") || t("in order"));
    const versions = Object.entries(one.versions || {}).map(([name, value]) => `${name} ${value}`).join(", ");
    const free = one.free == null ? "–" : `${(one.free / 1e9).toFixed(1)} GB`;
    for (const cell of [technician ? choose(one.table) : "", one.table, state, versions || "–", free, said[one.table] || wanted(one)]) {
      const made = element("td");
      made.append(cell);
      row.append(made);
    }
    body.append(row);
  }
  const head = element("tr");
  head.append(...["", t("Table"), t("State"), t("Versions"), t("Free"), t("Release")].map((text) => element("th", "", text)));
  const top = element("thead");
  top.append(head);
  const table = element("table");
  table.append(top, body);
  const scroll = element("div", "scroll");
  scroll.append(table);
  shown.replaceChildren(scroll);
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

showMenu((who) => {
  technician = who.roles.includes("technician");
  desk.hidden = !technician;
  const form = line([["release", t("Archive")]], t("Stage at the chosen tables"), ({ release }) => stage(release));
  const release = () => form.elements.release.value || null;
  desk.replaceChildren(form, key(t("What would it do?"), () => would(release())), key(t("All tables"), all),
    key(t("Back by one"), () => stage(null)), key(t("Drop"), () => ask("/fleet/drop", { tables: [...chosen], release: null })));
  if (who.roles.length && !known.size) follow("/fleet/events", (now) => { known = now; draw(); });
  draw();
});
