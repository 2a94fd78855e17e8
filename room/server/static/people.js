/* The staff of the room, and at which table the newest list is not yet. */
import { t } from "/static/language.js";
import { ask, key, line, say } from "/room/requests.js";
import { element, showMenu } from "/room/menu.js";
import { follow } from "/room/feed.js";

const ROLES = ["dealer", "floor", "technician", "auditor"];
const desk = document.getElementById("desk");
const shown = document.getElementById("shown");
let technician = false;
let known = new Map();

function rows(heads, values) {
  const table = element("table");
  const head = element("tr");
  head.append(...heads.map((text) => element("th", "", text)));
  const top = element("thead");
  top.append(head);
  const body = element("tbody");
  for (const cells of values) {
    const row = element("tr");
    for (const cell of cells) {
      const made = element("td");
      made.append(cell);
      row.append(made);
    }
    body.append(row);
  }
  table.append(top, body);
  const scroll = element("div", "scroll");
  scroll.append(table);
  return scroll;
}

function sure(name) {
  return key(t("Withdraw"), (event) => {
    const button = event.target;
    if (!button.dataset.sure) {
      button.dataset.sure = "yes";
      button.textContent = t("Sure? Out at every table");
      button.className = "alarm";
      return;
    }
    ask("/people/withdraw", { name });
  });
}

function draw() {
  const values = [...known.entries()];
  const people = values.filter(([id]) => id.startsWith("person:")).map(([, one]) => one).sort((a, b) => a.name.localeCompare(b.name));
  const tables = values.filter(([id]) => id.startsWith("table:")).map(([, one]) => one).sort((a, b) => a.table.localeCompare(b.table));
  const list = known.get("list");
  if (!list) { shown.replaceChildren(element("p", "none", t("Sign in to see the staff."))); return; }
  shown.replaceChildren(
    element("h2", "", t("People")),
    rows([t("Name"), t("Role"), ""], people.map((one) => [one.name, t(one.role), technician ? sure(one.name) : ""])),
    element("h2", "", t("List {number} at the tables", { number: list.number })),
    rows([t("Table"), t("has list"), ""], tables.map((one) => [
      one.table,
      one.number === undefined ? "–" : String(one.number),
      element("span", one.owed ? "flag alarm" : "", one.owed ? one.why || t("not there yet") : one.own.length ? t("keeps people of its own: {names}", { names: one.own.join(", ") }) : t("the newest")),
    ])),
    element("p", "none", t("The key of this room, for the file of each table: {key}", { key: list.key })),
  );
}

async function code(role) {
  const told = await ask("/code", { role });
  if (told) say(t("One-time code: {code}. Whoever it is for enrols with it on the page to sign in.", { code: told.code }));
}

showMenu((who) => {
  technician = who.roles.includes("technician");
  desk.hidden = !technician;
  desk.replaceChildren(...ROLES.map((role) => key(t("Code for: {role}", { role: t(role) }), () => code(role))));
  if (who.roles.length && !known.size) follow("/people/events", (all) => { known = all; draw(); });
  draw();
});
