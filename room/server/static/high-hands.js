/* High hands: who leads, for a wall; for the floor the candidates, to be confirmed or refused with a reason. */
import { t } from "/static/language.js";
import { ask, key, line } from "/room/requests.js";
import { element, showMenu } from "/room/menu.js";
import { follow } from "/room/feed.js";

const shown = document.getElementById("shown");
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
let board = new Map();
let desk = new Map();
let floor = false;
let source = null;

const cards = (list) => list.map((card) => card[0] + SUITS[card[1]]).join(" ");
const clock = (at) => new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
const word = (what) => ask("/high-hands", what);

function hand(one) {
  const row = element("div", "high-hand");
  row.append(element("strong", "", `${cards(one.own)} | ${cards(one.board)}`));
  row.append(element("span", "", t("{player}, {table}, seat {seat}, hand {hand}", one)));
  return row;
}

function candidate(name, one) {
  const row = element("li", "called");
  const about = { promotion: name, number: one.number };
  row.append(hand(one), key(t("Confirm"), () => word({ do: "confirm", ...about }), "main"));
  row.append(line([["why", t("Why not")]], t("Refuse"), ({ why }) => word({ do: "refuse", why, ...about })));
  return row;
}

function card(one) {
  const made = element("article");
  const head = element("h1", "", one.name);
  head.append(element("span", "none", `${clock(one.from)}–${clock(one.until)}`));
  const over = Date.now() / 1000 >= one.until;
  made.append(head, element("h2", "", over ? t("Won by") : t("Leads")));
  made.append(one.leader ? hand({ ...one.leader, player: one.leader.player || t("nobody named") }) : element("p", "none", t("nobody yet")));
  made.append(element("p", "none", t("at least {cards}", { cards: cards(one.least) }) + (one.both ? `, ${t("both hole cards play")}` : "")));
  const told = floor && desk.get(one.name);
  if (!told) return made;
  const list = element("ol");
  list.append(...told.candidates.map((each) => candidate(one.name, each)));
  list.append(...told.decided.slice(-4).reverse().map((each) => {
    const row = element("li");
    row.append(hand(each), element("span", "none", each.why ? t("refused by {by}: {why}", each) : t("confirmed by {by}", each)));
    return row;
  }));
  if (list.childElementCount) made.append(list);
  return made;
}

function typing() {
  return shown.contains(document.activeElement) && document.activeElement.tagName === "INPUT" && document.activeElement.value;
}

function draw() {
  if (typing()) return;
  const all = [...board.values()].sort((a, b) => b.from - a.from);
  const made = element("div", "board");
  made.append(...all.map(card));
  shown.replaceChildren(all.length ? made : element("p", "none", t("No promotion has begun today.")));
}

showMenu((who) => {
  floor = who.roles.includes("floor");
  if (floor && !source) source = follow("/high-hands/desk", (all) => { desk = all; draw(); });
  draw();
});
follow("/high-hands/events", (all) => { board = all; draw(); });
