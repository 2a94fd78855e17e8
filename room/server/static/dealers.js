/* The dealers: who deals where, who rests, the next push by one touch, and what each has dealt today. */
import { t, translatePlural } from "/static/language.js";
import { makeButton, makeForm, postRequest } from "/room/requests.js";
import { makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";

const deskElement = document.getElementById("desk");
const contentElement = document.getElementById("shown");
let isFloor = false;
let valueByKey = new Map();
let feed = null;

const sendLine = (what) => postRequest("/dealers", what);
const formatMinutes = (since) => `${Math.max(0, Math.floor((Date.now() / 1000 - since) / 60))} min`;
const makeAge = (since) => {
  const label = makeElement("span", "since", formatMinutes(since));
  label.dataset.since = since;
  return label;
};

function makeCard(title, rows, none) {
  const card = makeElement("article");
  const list = makeElement("ol");
  list.append(...rows);
  card.append(makeElement("h2", "title", title), rows.length ? list : makeElement("p", "none", none));
  return card;
}

function makeDealingRow(dealer) {
  const row = makeElement("li", dealer.late ? "called" : "");
  row.append(makeElement("span", "", `${dealer.table} · ${dealer.dealer}`), makeAge(dealer.since));
  if (dealer.late) row.append(makeElement("span", "flag", t("down over")));
  if (isFloor) row.append(makeButton(t("Rests"), () => sendLine({ do: "rests", dealer: dealer.dealer })));
  return row;
}

function makeRestingRow(dealer) {
  const row = makeElement("li");
  row.append(makeElement("span", "", dealer.dealer), makeAge(dealer.since));
  if (isFloor) row.append(makeButton(t("Goes home"), () => sendLine({ do: "home", dealer: dealer.dealer })));
  return row;
}

function makePushCard(moves) {
  const card = makeCard(t("Next push"), moves.map(([dealer, table, relieves]) => {
    const row = makeElement("li");
    row.append(makeElement("span", "", `${dealer} → ${table}`));
    if (relieves) row.append(makeElement("span", "none", t("relieves {name}", { name: relieves })));
    return row;
  }), t("Say the string of tables below: it is the order in which dealers go."));
  if (isFloor && moves.length) card.append(makeButton(t("Push"), () => sendLine({ do: "push", moves }), "main"));
  return card;
}

function makeTotalsCard(dealers) {
  const card = makeCard(t("Today"), dealers.map((one) => {
    const row = makeElement("li");
    row.append(makeElement("span", "", one.dealer), makeElement("span", "none",
      `${translatePlural("{n} down", "{n} downs", one.downs)} · ${translatePlural("{n} hand", "{n} hands", one.hands)}`));
    return row;
  }), t("nobody has dealt yet"));
  return card;
}

function draw() {
  const getValue = (name) => valueByKey.get(name) || {};
  if (!valueByKey.size) return;
  const board = makeElement("div", "board");
  board.append(
    makeCard(t("Dealing"), (getValue("dealing").tables || []).map(makeDealingRow), t("nobody is signed in at a table")),
    makePushCard(getValue("push").moves || []),
    makeCard(t("Resting"), (getValue("resting").dealers || []).map(makeRestingRow), t("nobody rests")),
    makeTotalsCard(getValue("done").dealers || []),
  );
  contentElement.replaceChildren(board);
  drawDesk();
}

function drawDesk() {
  deskElement.hidden = !isFloor;
  if (deskElement.hasChildNodes() || !valueByKey.size) return;
  const tables = valueByKey.get("dealing").string;
  deskElement.append(
    makeForm([["tables", t("String of tables"), (tables.length ? tables : valueByKey.get("tables").names).join(" ")]], t("Keep"),
      ({ tables: text }) => sendLine({ do: "string", tables: text.split(/[\s,]+/).filter(Boolean) })),
    makeForm([["dealer", t("Dealer")], ["table", t("Table")]], t("Deals there"), (what) => sendLine({ do: "deals", ...what })),
    makeForm([["dealer", t("Dealer")]], t("Rests"), (what) => sendLine({ do: "rests", ...what })),
  );
}

showMenu((who) => {
  const may = who.roles.includes("floor");
  if (may !== isFloor) { isFloor = may; deskElement.replaceChildren(); }
  if (!who.name) contentElement.replaceChildren(makeElement("p", "none", t("Sign in to see the dealers.")));
  else if (!feed) feed = followFeed("/dealers/events", (all) => { valueByKey = all; draw(); });
  draw();
});
setInterval(() => {  // the time alone: a key that is being touched stays
  for (const place of document.querySelectorAll("[data-since]")) place.textContent = formatMinutes(Number(place.dataset.since));
}, 5000);
