/* The showdown at the table: hands that were tabled lie open at their seats, and the cards that win are marked. */

import { makeElement } from "./elements.js";
import { t } from "./language.js";

const SYMBOL_BY_SUIT = { s: "♠", h: "♥", d: "♦", c: "♣" };
const formatOpenCard = (card) => (!card ? "?" : card === "joker" ? "★" : `${card[0] === "T" ? "10" : card[0]}${SYMBOL_BY_SUIT[card[1]]}`);

/* The award whose winners are looked at: the one that is due, and once all are pushed the last. */
const findShownAward = (showdown) => showdown?.awards.find((award) => !award.pushed) || showdown?.awards.at(-1);

export const findDueAward = (showdown) => showdown?.awards.find((award) => !award.pushed);

/* The cards of a seat that it tabled, or nothing. */
export const findTabledHand = (showdown, seat) => showdown?.hands[seat] || null;

/* Whether a seat wins what is looked at, with a hand that was tabled. */
export const isWinner = (showdown, seat) => Boolean(findShownAward(showdown)?.winners.some((winner) => winner.cards.length && winner.seat === seat));

/* The cards that play in the hands that win, of a seat or of all. */
export function listPlayingCards(showdown, seat = null) {
  const winners = findShownAward(showdown)?.winners || [];
  return new Set(winners.filter((winner) => seat === null || winner.seat === seat).flatMap((winner) => winner.cards));
}

/* A card of that name is marked where it plays. */
export function markPlayingCard(box, name, playing) {
  if (!playing.has(name)) return box;
  box.classList.add("plays");
  box.title = t("plays");
  return box;
}

/* Open cards in a row at a seat, those that play marked; a tabled hand of two is large. */
export function makeOpenCards(cards, playing, isTabled) {
  const texts = cards.map(formatOpenCard), length = texts.join(" ").length;
  const size = cards.length > 4 ? "many" : length > 13 ? "tens" : isTabled && cards.length < 3 ? "two" : "";
  const row = makeElement("span", `up ${size}`.trim());
  texts.forEach((text, at) => row.append(at ? " " : "", playing.has(cards[at]) ? makeElement("b", "plays", text) : makeElement("span", "", text)));
  return row;
}

/* Who wins what in one line, each award in its turn; of those that are pushed only where all are. */
export function describeAwards(showdown) {
  const awards = showdown?.awards || [], due = awards.filter((award) => !award.pushed);
  return (due.length ? due : awards).map((award, at) => (at ? award.short : award.text)).join(" · ");
}
