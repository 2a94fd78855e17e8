/* The waiting lists: a board for everybody, with keys for the floor. */
import { counted, t } from "/static/language.js";
import { ask, key, line, say } from "/room/requests.js";
import { element, showMenu } from "/room/menu.js";
import { follow } from "/room/feed.js";

const desk = document.getElementById("desk");
const shown = document.getElementById("shown");
let floor = false;
let known = new Map();

const word = (what) => ask("/lists", what);

/* One to four whole numbers as people write them (1/3, 5-10, 1 2 5); `null`, and said, where it is something else. */
function stakesOf(text) {
  const found = /^\s*\d{1,9}(\s*[/,;\s–-]\s*\d{1,9}){0,3}\s*$/.test(text) ? text.match(/\d+/g).map(Number) : null;
  if (!found) say(t("Stakes are one to four whole numbers, such as 1/3; not “{text}”.", { text }));
  return found;
}

function newList({ list, game, stakes }) {
  const found = stakesOf(stakes);
  return found && word({ do: "list", list, game, stakes: found });
}

function waits(list, one, tables) {
  const row = element("li", one.until ? "called" : "");
  const missed = one.missed ? ` · ${counted("{n} page missed", "{n} pages missed", one.missed)}` : "";
  row.append(element("span", "", one.player + missed));
  if (one.chips) row.append(element("span", "flag", t("fetches chips")));
  else if (one.until) {
    const flag = element("span", "flag", left(one.until));
    flag.dataset.until = one.until;
    row.append(flag);
  }
  if (!floor) return row;
  const who = { list: list.name, player: one.player };
  if (!one.until && !list.interest) row.append(key(t("Call"), () => word({ do: "page", ...who })));
  if (one.until && !one.chips) row.append(key(t("Chips"), () => word({ do: "chips", ...who })));
  if (one.until) for (const table of tables) row.append(key(table, () => word({ do: "seat", table, ...who }), "main"));
  row.append(key(t("Off"), () => word({ do: "leave", ...who })));
  return row;
}

function left(until) {
  const seconds = Math.max(0, Math.round(until - Date.now() / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function card(list) {
  const made = element("article");
  const head = element("h1", "", list.name);
  head.append(element("span", "none", list.interest ? t("interest") : list.tables.join(", ")));
  const people = element("ol");
  people.append(...list.people.map((one) => waits(list, one, list.tables)));
  made.append(head, list.people.length ? people : element("p", "none", t("nobody waits")));
  if (floor) made.append(line([["player", t("Name")]], t("Add"), ({ player }) => word({ do: "join", list: list.name, player })));
  return made;
}

function moves(table) {
  const made = element("article");
  made.append(element("h1", "", t("{table}: must move", { table: table.name })));
  const people = element("ol");
  for (const one of table.moves) people.append(element("li", "", `${one.player} · ${one.table}`));
  made.append(people);
  return made;
}

/* An open table: free chairs, and who is next for them. */
function table(one, proposed) {
  const made = element("article");
  const head = element("h1", "", one.name);
  const free = one.free === null ? t("has not told its chairs") : counted("{n} chair free", "{n} chairs free", one.free);
  head.append(element("span", one.free ? "flag" : "none", free));
  made.append(head);
  const people = element("ol");
  for (const next of proposed.filter((each) => each.table === one.name)) {
    const row = element("li");
    row.append(element("span", "", t("next: {name}", { name: next.player })));
    row.append(element("span", "none", next.from ? t("must move from {table}", { table: next.from }) : t("from the list")));
    people.append(row);
  }
  if (people.childElementCount) made.append(people);
  if (floor) made.append(key(t("Close table"), () => word({ do: "close", table: one.name })));
  return made;
}

function typing() {
  return shown.contains(document.activeElement) && document.activeElement.tagName === "INPUT" && document.activeElement.value;
}

function draw() {
  if (typing()) return;
  const values = [...known.values()];
  const lists = values.filter((one) => "people" in one).sort((a, b) => a.place - b.place);
  const mains = values.filter((one) => one.moves && one.moves.length);
  const board = element("div", "board");
  const open = values.filter((one) => "seated" in one).sort((a, b) => a.name.localeCompare(b.name));
  const proposed = (known.get("next") || { proposed: [] }).proposed;
  board.append(...lists.map(card), ...open.map((one) => table(one, proposed)), ...mains.map(moves));
  shown.replaceChildren(lists.length ? board : element("p", "none", t("No list is kept today.")));
}

function keys() {
  desk.hidden = !floor;
  desk.replaceChildren(
    line([["list", t("List")], ["game", t("Game")], ["stakes", t("Stakes")]], t("New list"), newList),
    line([["table", t("Table")], ["list", t("List")]], t("Open table"), (what) => word({ do: "open", ...what })),
    line([["table", t("Table")], ["list", t("List")], ["main", t("Main game")]], t("Open must-move table"),
      (what) => word({ do: "open", ...what })),
  );
}

showMenu((who) => {
  const may = who.roles.includes("floor");
  if (may !== floor || !desk.hasChildNodes()) { floor = may; keys(); }
  draw();
});
follow("/lists/events", (all) => { known = all; draw(); });
setInterval(() => {  // the time alone: a key that is being touched stays
  for (const flag of document.querySelectorAll("[data-until]")) flag.textContent = left(Number(flag.dataset.until));
}, 1000);
