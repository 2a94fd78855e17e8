/* The waiting lists: a board for everybody, with keys for the floor. */
import { t, translatePlural } from "/static/language.js";
import { makeButton, makeForm, postRequest, showMessage } from "/room/requests.js";
import { makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";

const deskElement = document.getElementById("desk");
const contentElement = document.getElementById("shown");
let isFloor = false;
let valueByKey = new Map();

const sendLine = (what) => postRequest("/lists", what);

/* One to four whole numbers as people write them (1/3, 5-10, 1 2 5); `null`, and said, where it is something else. */
function parseStakes(text) {
  const stakes = /^\s*\d{1,9}(\s*[/,;\s–-]\s*\d{1,9}){0,3}\s*$/.test(text) ? text.match(/\d+/g).map(Number) : null;
  if (!stakes) showMessage(t("Stakes are one to four whole numbers, such as 1/3; not “{text}”.", { text }));
  return stakes;
}

function createList({ list, game, stakes }) {
  const parsedStakes = parseStakes(stakes);
  return parsedStakes && sendLine({ do: "list", list, game, stakes: parsedStakes });
}

function makePlayerRow(list, person, tables) {
  const row = makeElement("li", person.until ? "called" : "");
  const missed = person.missed ? ` · ${translatePlural("{n} page missed", "{n} pages missed", person.missed)}` : "";
  row.append(makeElement("span", "", person.player + missed));
  if (person.chips) row.append(makeElement("span", "flag", t("fetches chips")));
  const until = person.chips ? person.locked_until : person.until;
  if (until) {
    const flag = makeElement("span", "flag", formatTimeLeft(until));
    flag.dataset.until = until;
    row.append(flag);
  }
  if (!isFloor) return row;
  const listAndPlayer = { list: list.name, player: person.player };
  if (!person.until && !list.interest) row.append(makeButton(t("Call"), () => sendLine({ do: "page", ...listAndPlayer })));
  if (person.until && !person.chips) row.append(makeButton(t("Chips"), () => sendLine({ do: "chips", ...listAndPlayer })));
  if (person.until) for (const table of tables) row.append(makeButton(table, () => sendLine({ do: "seat", table, ...listAndPlayer }), "main"));
  row.append(makeButton(t("Off"), () => sendLine({ do: "leave", ...listAndPlayer })));
  return row;
}

function formatTimeLeft(until) {
  const seconds = Math.max(0, Math.round(until - Date.now() / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function makeListCard(list) {
  const card = makeElement("article");
  const head = makeElement("h2", "title", list.name);
  head.append(makeElement("span", "none", list.interest ? t("interest") : list.tables.join(", ")));
  const people = makeElement("ol");
  people.append(...list.people.map((one) => makePlayerRow(list, one, list.tables)));
  card.append(head, list.people.length ? people : makeElement("p", "none", t("nobody waits")));
  if (isFloor) card.append(makeForm([["player", t("Name")]], t("Add"), ({ player }) => sendLine({ do: "join", list: list.name, player })));
  return card;
}

function makeMovesCard(table) {
  const card = makeElement("article");
  card.append(makeElement("h2", "title", t("{table}: must move", { table: table.name })));
  const people = makeElement("ol");
  for (const one of table.moves) people.append(makeElement("li", "", `${one.player} · ${one.table}`));
  card.append(people);
  return card;
}

/* An open table: free chairs, and who is next for them. */
function makeTableCard(table, proposed) {
  const card = makeElement("article");
  const head = makeElement("h2", "title", table.name);
  const free = table.free === null ? t("has not told its chairs") : translatePlural("{n} chair free", "{n} chairs free", table.free);
  head.append(makeElement("span", table.free ? "flag" : "none", free));
  card.append(head);
  const people = makeElement("ol");
  for (const next of proposed.filter((each) => each.table === table.name)) {
    const row = makeElement("li");
    row.append(makeElement("span", "", t("next: {name}", { name: next.player })));
    row.append(makeElement("span", "none", next.from ? t("must move from {table}", { table: next.from }) : t("from the list")));
    people.append(row);
  }
  if (people.childElementCount) card.append(people);
  if (isFloor) card.append(makeButton(t("Close table"), () => sendLine({ do: "close", table: table.name })));
  return card;
}

function isTyping() {
  return contentElement.contains(document.activeElement) && document.activeElement.tagName === "INPUT" && document.activeElement.value;
}

function draw() {
  if (isTyping()) return;
  const values = [...valueByKey.values()];
  const lists = values.filter((one) => "people" in one).sort((a, b) => a.place - b.place);
  const mains = values.filter((one) => one.moves && one.moves.length);
  const board = makeElement("div", "board");
  const open = values.filter((one) => "seated" in one).sort((a, b) => a.name.localeCompare(b.name));
  const proposed = (valueByKey.get("next") || { proposed: [] }).proposed;
  board.append(...lists.map(makeListCard), ...open.map((one) => makeTableCard(one, proposed)), ...mains.map(makeMovesCard));
  contentElement.replaceChildren(lists.length ? board : makeElement("p", "none", t("No list is kept today.")));
}

function drawDesk() {
  deskElement.hidden = !isFloor;
  deskElement.replaceChildren(
    makeForm([["list", t("List")], ["game", t("Game")], ["stakes", t("Stakes")]], t("New list"), createList),
    makeForm([["table", t("Table")], ["list", t("List")]], t("Open table"), (what) => sendLine({ do: "open", ...what })),
    makeForm([["table", t("Table")], ["list", t("List")], ["main", t("Main game")]], t("Open must-move table"),
      (what) => sendLine({ do: "open", ...what })),
  );
}

showMenu((who) => {
  const may = who.roles.includes("floor");
  if (may !== isFloor || !deskElement.hasChildNodes()) { isFloor = may; drawDesk(); }
  draw();
});
followFeed("/lists/events", (all) => { valueByKey = all; draw(); });
setInterval(() => {  // the time alone: a key that is being touched stays
  for (const flag of document.querySelectorAll("[data-until]")) flag.textContent = formatTimeLeft(Number(flag.dataset.until));
}, 1000);
