/* High hands: who leads, for a wall; for the floor the candidates, to be confirmed or refused with a reason. */
import { t } from "/static/language.js";
import { makeButton, makeForm, postRequest } from "/room/requests.js";
import { makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";

const contentElement = document.getElementById("shown");
const SYMBOL_BY_SUIT = { c: "♣", d: "♦", h: "♥", s: "♠" };
let promotionByName = new Map();
let decisionsByName = new Map();
let isFloor = false;
let deskFeed = null;

const formatCards = (list) => list.map((card) => card[0] + SYMBOL_BY_SUIT[card[1]]).join(" ");
const formatTime = (at) => new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
const sendLine = (what) => postRequest("/high-hands", what);

function makeHandElement(one) {
  const row = makeElement("div", "high-hand");
  row.append(makeElement("strong", "", `${formatCards(one.own)} | ${formatCards(one.board)}`));
  row.append(makeElement("span", "", t("{player}, {table}, seat {seat}, hand {hand}", one)));
  return row;
}

function makeCandidateRow(name, one) {
  const row = makeElement("li", "called");
  const about = { promotion: name, number: one.number };
  row.append(makeHandElement(one), makeButton(t("Confirm"), () => sendLine({ do: "confirm", ...about }), "main"));
  row.append(makeForm([["why", t("Why not")]], t("Refuse"), ({ why }) => sendLine({ do: "refuse", why, ...about })));
  return row;
}

function makePromotionCard(one) {
  const card = makeElement("article");
  const head = makeElement("h1", "", one.name);
  head.append(makeElement("span", "none", `${formatTime(one.from)}–${formatTime(one.until)}`));
  const over = Date.now() / 1000 >= one.until;
  card.append(head, makeElement("h2", "", over ? t("Won by") : t("Leads")));
  card.append(one.leader ? makeHandElement({ ...one.leader, player: one.leader.player || t("nobody named") }) : makeElement("p", "none", t("nobody yet")));
  card.append(makeElement("p", "none", t("at least {cards}", { cards: formatCards(one.least) }) + (one.both ? `, ${t("both hole cards play")}` : "")));
  const told = isFloor && decisionsByName.get(one.name);
  if (!told) return card;
  const list = makeElement("ol");
  list.append(...told.candidates.map((each) => makeCandidateRow(one.name, each)));
  list.append(...told.decided.slice(-4).reverse().map((each) => {
    const row = makeElement("li");
    row.append(makeHandElement(each), makeElement("span", "none", each.why ? t("refused by {by}: {why}", each) : t("confirmed by {by}", each)));
    return row;
  }));
  if (list.childElementCount) card.append(list);
  return card;
}

function isTyping() {
  return contentElement.contains(document.activeElement) && document.activeElement.tagName === "INPUT" && document.activeElement.value;
}

function draw() {
  if (isTyping()) return;
  const all = [...promotionByName.values()].sort((a, b) => b.from - a.from);
  const box = makeElement("div", "board");
  box.append(...all.map(makePromotionCard));
  contentElement.replaceChildren(all.length ? box : makeElement("p", "none", t("No promotion has begun today.")));
}

showMenu((who) => {
  isFloor = who.roles.includes("floor");
  if (isFloor && !deskFeed) deskFeed = followFeed("/high-hands/desk", (all) => { decisionsByName = all; draw(); });
  draw();
});
followFeed("/high-hands/events", (all) => { promotionByName = all; draw(); });
