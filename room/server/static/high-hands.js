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
const formatTime = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
const sendLine = (what) => postRequest("/high-hands", what);

function makeHandElement(hand) {
  const row = makeElement("div", "high-hand");
  row.append(makeElement("strong", "", `${formatCards(hand.own)} | ${formatCards(hand.board)}`));
  row.append(makeElement("span", "", t("{player}, {table}, seat {seat}, hand {hand}", hand)));
  return row;
}

function makeCandidateRow(name, candidate) {
  const row = makeElement("li", "called");
  const about = { promotion: name, number: candidate.number };
  row.append(makeHandElement(candidate), makeButton(t("Confirm"), () => sendLine({ do: "confirm", ...about }), "main"));
  row.append(makeForm([["why", t("Why not")]], t("Refuse"), ({ why }) => sendLine({ do: "refuse", why, ...about })));
  return row;
}

function makePromotionCard(promotion) {
  const card = makeElement("article");
  const head = makeElement("h2", "title", promotion.name);
  head.append(makeElement("span", "none", `${formatTime(promotion.from)}–${formatTime(promotion.until)}`));
  const isOver = Date.now() / 1000 >= promotion.until;
  card.append(head, makeElement("h3", "", isOver ? t("Won by") : t("Leads")));
  card.append(promotion.leader ? makeHandElement({ ...promotion.leader, player: promotion.leader.player || t("nobody named") }) : makeElement("p", "none", t("nobody yet")));
  card.append(makeElement("p", "none", t("at least {cards}", { cards: formatCards(promotion.least) }) + (promotion.both ? `, ${t("both hole cards play")}` : "")));
  const decisions = isFloor && decisionsByName.get(promotion.name);
  if (!decisions) return card;
  const list = makeElement("ol");
  list.append(...decisions.candidates.map((each) => makeCandidateRow(promotion.name, each)));
  list.append(...decisions.decided.slice(-4).reverse().map((each) => {
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
