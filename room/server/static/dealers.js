/* The dealers: who deals where, who rests, the next push by one touch, and what each has dealt today. */
import { counted, t } from "/static/language.js";
import { ask, key, line } from "/room/requests.js";
import { element, showMenu } from "/room/menu.js";
import { follow } from "/room/feed.js";

const desk = document.getElementById("desk");
const shown = document.getElementById("shown");
let floor = false;
let known = new Map();
let source = null;

const word = (what) => ask("/dealers", what);
const minutes = (since) => `${Math.max(0, Math.floor((Date.now() / 1000 - since) / 60))} min`;
const timed = (since) => {
  const made = element("span", "since", minutes(since));
  made.dataset.since = since;
  return made;
};

function card(title, rows, none) {
  const made = element("article");
  const list = element("ol");
  list.append(...rows);
  made.append(element("h1", "", title), rows.length ? list : element("p", "none", none));
  return made;
}

function dealing(one) {
  const row = element("li", one.late ? "called" : "");
  row.append(element("span", "", `${one.table} · ${one.dealer}`), timed(one.since));
  if (one.late) row.append(element("span", "flag", t("down over")));
  if (floor) row.append(key(t("Rests"), () => word({ do: "rests", dealer: one.dealer })));
  return row;
}

function resting(one) {
  const row = element("li");
  row.append(element("span", "", one.dealer), timed(one.since));
  if (floor) row.append(key(t("Gone home"), () => word({ do: "home", dealer: one.dealer })));
  return row;
}

function push(moves) {
  const made = card(t("Next push"), moves.map(([dealer, table, relieves]) => {
    const row = element("li");
    row.append(element("span", "", `${dealer} → ${table}`));
    if (relieves) row.append(element("span", "none", t("relieves {name}", { name: relieves })));
    return row;
  }), t("Say the string of tables below: it is the order in which dealers go."));
  if (floor && moves.length) made.append(key(t("Push"), () => word({ do: "push", moves }), "main"));
  return made;
}

function done(dealers) {
  const made = card(t("Today"), dealers.map((one) => {
    const row = element("li");
    row.append(element("span", "", one.dealer), element("span", "none",
      `${counted("{n} down", "{n} downs", one.downs)} · ${counted("{n} hand", "{n} hands", one.hands)}`));
    return row;
  }), t("nobody has dealt yet"));
  return made;
}

function draw() {
  const told = (name) => known.get(name) || {};
  if (!known.size) return;
  const board = element("div", "board");
  board.append(
    card(t("Dealing"), (told("dealing").tables || []).map(dealing), t("nobody is signed in at a table")),
    push(told("push").moves || []),
    card(t("Resting"), (told("resting").dealers || []).map(resting), t("nobody rests")),
    done(told("done").dealers || []),
  );
  shown.replaceChildren(board);
  keys();
}

function keys() {
  desk.hidden = !floor;
  if (desk.hasChildNodes() || !known.size) return;
  const tables = known.get("dealing").string;
  desk.append(
    line([["tables", t("String of tables"), (tables.length ? tables : known.get("tables").names).join(" ")]], t("Keep"),
      ({ tables: text }) => word({ do: "string", tables: text.split(/[\s,]+/).filter(Boolean) })),
    line([["dealer", t("Dealer")], ["table", t("Table")]], t("Deals there"), (what) => word({ do: "deals", ...what })),
    line([["dealer", t("Dealer")]], t("Rests"), (what) => word({ do: "rests", ...what })),
  );
}

showMenu((who) => {
  const may = who.roles.includes("floor");
  if (may !== floor) { floor = may; desk.replaceChildren(); }
  if (!who.name) shown.replaceChildren(element("p", "none", t("Sign in to see the dealers.")));
  else if (!source) source = follow("/dealers/events", (all) => { known = all; draw(); });
  draw();
});
setInterval(() => {  // the time alone: a key that is being touched stays
  for (const place of document.querySelectorAll("[data-since]")) place.textContent = minutes(Number(place.dataset.since));
}, 5000);
