/* What the floor tells a table besides its decisions: hand for hand, the last hands, a halt, a penalty, a hand that may
   only check, call or fold. The table itself says which of it would be taken now. */
import { openAmountSheet } from "./keypad.js";
import { t, translatePlural } from "./language.js";
import { openChoices } from "./sheet.js";
import { capitalize, formatSeatTitle } from "./table.js";

/* By the line without its number and seat: words, and what they mean. */
const TEXTS_BY_ACTION = {
  "hand-for-hand go": [t("Go on"), t("hand for hand: what waits goes on")],
  "hand-for-hand on": [t("Hand for hand"), t("finish this hand, then each waits for the floor")],
  "hand-for-hand off": [t("Hand for hand is over"), t("hands follow one another again")],
  "last-hands": [t("Last hands…"), t("so many more begin today, and nobody enters late")],
  "last-hands off": [t("No last hands"), t("hands begin as long as there is time")],
  halt: [t("Halt play"), t("this hand is finished; none begins until tables are balanced")],
  "halt off": [t("Play goes on"), t("the table is no longer halted")],
  penalty: [t("Penalty…"), t("the seat is dealt in and posts for this many hands; each hand is dead")],
  floor: [t("Passive…"), t("one hand may only check, call or fold on this round")],
};

function findActionName(line) {
  if (line.ev === "hand-for-hand") return `${line.ev} ${line.go ? "go" : line.on ? "on" : "off"}`;
  if (line.on === false || (line.ev === "last-hands" && line.hands === undefined)) return `${line.ev} off`;
  return line.ev;
}

const listSeats = (lines) => [...new Set(lines.map((line) => line.seat))].sort((a, b) => a - b);
const makeSeatChoices = (lines, act) => listSeats(lines).map((seat) => [formatSeatTitle(seat), () => act(seat), String(seat)]);

function openPenaltySheet(lines, seat, enterLine) {
  const enterPenalty = (more) => enterLine({ ev: "penalty", seat, ...more });
  const over = lines.some((line) => line.seat === seat && line.hands === 0) ? [[t("Penalty is over"), () => enterPenalty({ hands: 0 })]] : [];
  const makeRoundsChoice = (n) => [translatePlural("1 round", "{n} rounds", n), () => enterPenalty({ rounds: n })];
  openChoices(t("Seat {seat} misses…", { seat }), [
    [translatePlural("1 hand", "{n} hands", 1), () => enterPenalty({ hands: 1 })], ...[1, 2, 3, 4].map(makeRoundsChoice),
    [t("So many hands…"), () => openAmountSheet(t("Seat {seat} misses so many hands:", { seat }), (hands) => enterPenalty({ hands }))], ...over,
  ], "", true);
}

/* [words, what they mean, what a touch does, name], one each; `enterLine` enters a line. */
export function makeFloorActions(lines, enterLine) {
  const enterAction = (name, line) => {
    if (name === "penalty") return openChoices(t("Who misses hands?"), makeSeatChoices(lines.filter((each) => each.ev === "penalty"), (seat) => openPenaltySheet(lines.filter((each) => each.ev === "penalty"), seat, enterLine)), "", true);
    if (name === "floor") return openChoices(t("Who may only check, call or fold?"), makeSeatChoices(lines.filter((each) => each.ev === "floor"), (seat) => enterLine({ ...line, seat })), "", true);
    if (name === "last-hands") return openAmountSheet(t("How many hands more today?"), (hands) => enterLine({ ...line, hands }));
    return enterLine(line);
  };
  const first = new Map();
  for (const line of lines) if (!first.has(findActionName(line))) first.set(findActionName(line), line);
  return [...first].map(([found, line]) => [...TEXTS_BY_ACTION[found], () => enterAction(found, line), found]);
}

/* What the one touch says that turns up just the card that the table asks about. */
const describeAskedCard = ({ seat, nth }) => (seat === undefined ? t("Card {n} of the board is turned up", { n: nth }) : t("Card {n} of seat {seat} is turned up", { n: nth, seat }));

/* The floor has a card turned up with everybody looking: where it lies, then which of them. `enterLine` enters a line;
   `step`: the question that is answered with it, whose card needs one touch. [words, what they mean, what a touch does] */
export function makeTurnUpActions(table, enterLine, step = null) {
  const turnUp = (card) => enterLine({ ev: "floor", decide: "turned-up", ...card });
  const openCards = (title, place, count, allText) => openChoices(title, [
    ...Array.from({ length: count }, (_, i) => [t("Card {n}", { n: i + 1 }), () => turnUp({ ...place, nth: i + 1 }), String(i + 1)]),
    ...(count > 1 ? [[allText, () => turnUp(place), "A"]] : []),
  ], "", true);
  const openPlaces = () => {
    const { seats, board, burn } = table.piles;
    openChoices(t("Which card is turned up?"), [
      ...Object.entries(seats).map(([seat, count]) => [formatSeatTitle(seat), () => openCards(t("Seat {seat}: which card?", { seat }), { seat: Number(seat) }, count, t("The whole hand")), seat]),
      ...(board ? [[capitalize(t("board")), () => openCards(t("The board: which card?"), { where: "board" }, board, t("The whole board")), "B"]] : []),
      ...(burn ? [[capitalize(t("burn")), () => openCards(t("The burns: which card?"), { where: "burn" }, burn, t("All burns")), "N"]] : []),
    ], "", true);
  };
  const asked = step && step.nth !== undefined ? [[describeAskedCard(step), t("everybody has seen it, and play goes on by it"), () => turnUp({ ...(step.seat === undefined ? { where: step.where } : { seat: step.seat }), nth: step.nth })]] : [];
  return [...asked, [asked.length ? t("Another card…") : t("Turned up…"), t("with everybody looking: from now on everybody knows the card"), openPlaces]];
}

/* Whether the floor can have a card turned up: one is out, and the hand is not over. */
export const canTurnUp = (table) => table.hand > 0 && !["idle", "halted"].includes(table.phase) && (Object.keys(table.piles.seats).length > 0 || table.piles.board > 0 || table.piles.burn > 0);

/* Why the table waits for the floor, where it does. */
export function describeHold(state) {
  if (!state.table.next.some((step) => step.step === "hold")) return "";
  const names = state.for_floor.map(findActionName);
  if (names.includes("halt off")) return t("Play is halted here.");
  return names.includes("hand-for-hand go") ? t("Hand for hand: the table waits for you.") : t("The last hand of the day has been dealt.");
}

/* How many hands more begin today, where the floor has said so. */
export function describeHandsLeft(state) {
  return state.hands_left ? translatePlural("1 hand more begins today.", "{n} hands more begin today.", state.hands_left) : "";
}
