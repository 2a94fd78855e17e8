/* The staff of the room, and at which table the newest list is not yet. */
import { t } from "/static/language.js";
import { makeButton, postRequest, showMessage } from "/room/requests.js";
import { makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";

const ROLES = ["dealer", "floor", "technician", "auditor"];
const deskElement = document.getElementById("desk");
const contentElement = document.getElementById("shown");
let isTechnician = false;
let valueByKey = new Map();

function makeTable(heads, values) {
  const table = makeElement("table");
  const head = makeElement("tr");
  head.append(...heads.map((text) => makeElement("th", "", text)));
  const top = makeElement("thead");
  top.append(head);
  const body = makeElement("tbody");
  for (const cells of values) {
    const row = makeElement("tr");
    for (const cell of cells) {
      const tableCell = makeElement("td");
      tableCell.append(cell);
      row.append(tableCell);
    }
    body.append(row);
  }
  table.append(top, body);
  const scroll = makeElement("div", "scroll");
  scroll.tabIndex = 0;  // what can be scrolled can be reached by the keyboard
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", t("Table"));
  scroll.append(table);
  return scroll;
}

function makeWithdrawButton(name) {
  return makeButton(t("Withdraw"), (event) => {
    const button = event.target;
    if (!button.dataset.sure) {
      button.dataset.sure = "yes";
      button.textContent = t("Sure? Out at every table");
      button.className = "alarm";
      return;
    }
    postRequest("/people/withdraw", { name });
  });
}

function draw() {
  const values = [...valueByKey.entries()];
  const people = values.filter(([id]) => id.startsWith("person:")).map(([, one]) => one).sort((a, b) => a.name.localeCompare(b.name));
  const tables = values.filter(([id]) => id.startsWith("table:")).map(([, one]) => one).sort((a, b) => a.table.localeCompare(b.table));
  const list = valueByKey.get("list");
  if (!list) { contentElement.replaceChildren(makeElement("p", "none", t("Sign in to see the staff."))); return; }
  contentElement.replaceChildren(
    makeElement("h2", "", t("People")),
    makeTable([t("Name"), t("Role"), t("Withdraw")], people.map((one) => [one.name, t(one.role), isTechnician ? makeWithdrawButton(one.name) : ""])),
    makeElement("h2", "", t("List {number} at the tables", { number: list.number })),
    makeTable([t("Table"), t("has list"), t("state")], tables.map((one) => [
      one.table,
      one.number === undefined ? "–" : String(one.number),
      makeElement("span", one.owed ? "flag alarm" : "", one.owed ? one.why || t("not there yet") : one.own.length ? t("keeps people of its own: {names}", { names: one.own.join(", ") }) : t("the newest")),
    ])),
    makeElement("p", "none", t("The key of this room, for the file of each table: {key}", { key: list.key })),
  );
}

async function requestCode(role) {
  const content = await postRequest("/code", { role });
  if (!content) return;
  const others = content.open.slice(0, -1).map((each) => t(each)).join(", ");
  showMessage([
    t("One-time code for one {role}: {code}. Whoever it is for enrols with it on the page to sign in.", { role: t(role), code: content.code }),
    content.voided ? t("The oldest code, for one {role}, is void now.", { role: t(content.voided) }) : "",
    others ? t("Open besides: {roles}.", { roles: others }) : "",
  ].filter(Boolean).join(" "));
}

showMenu((who) => {
  isTechnician = who.roles.includes("technician");
  deskElement.hidden = !isTechnician;
  deskElement.replaceChildren(...ROLES.map((role) => makeButton(t("Code for: {role}", { role: t(role) }), () => requestCode(role))));
  if (who.roles.length && !valueByKey.size) followFeed("/people/events", (all) => { valueByKey = all; draw(); });
  draw();
});
