/* The keys of the seat that acts, each always at its place. */
import { addKeypad } from "./keypad.js";
import { t, translatePlural } from "./language.js";
import { openSheet } from "./sheet.js";
import { capitalize, formatLabel, makeElement } from "./table.js";

const BUTTON_PLACES = ["fold", "call", "least", "all-in"];
const AMOUNT_PLACES = ["half", "pot", "times", "amount"];
const LETTER_BY_PLACE = { half: "H", pot: "Q", times: "3" };

/* What the table offers the seat for its wager (wager_offers.py): a few with a name, round totals, and whether others are taken. */
export const getWagerOffer = (seat, state) => (state.wagers || {})[seat] || { named: [], totals: [], any: true };

/* All that a seat has, as its total of the round: more than any where the table keeps no stacks. */
const computeAllInTotal = (seat, { bets = {}, stacks }) => (stacks ? (bets[seat] || 0) + stacks[seat] : Infinity);

/* [place, words, amount, word of the act, its total, letter, look]. A raise to all that a seat has is its key all-in. */
function listActs(step, state) {
  const acts = [];
  const isAllIn = step.options.includes("all-in") && step.min_to === computeAllInTotal(step.seat, state.table);
  for (const option of step.options) {
    if (option === "fold") acts.push(["fold", t("Fold"), "", option, undefined, "F"]);
    else if (option === "check") acts.push(["call", t("Check"), "", option, undefined, "C", "main"]);
    else if (option === "call") acts.push(["call", t("Call"), step.to_call || "", option, undefined, "C", "main"]);
    else if (option === "bring-in") acts.push(["call", t("Bring-in"), "", option, undefined, "G", "main"]);
    else if (option === "all-in") acts.push(["all-in", t("All-in"), isAllIn ? step.min_to : "", option, undefined, "I"]);
    else if (option === "open") acts.push(["least", t("Open"), "", option, undefined, "O"]);
    else if (!isAllIn) {
      acts.push(["least", capitalize(formatLabel(option)), step.min_to ?? "", option, step.min_to, "R"]);
      if (step.min_to === undefined || step.min_to === step.max_to) continue;
      const offer = getWagerOffer(step.seat, state);
      for (const [place, text, to] of offer.named) acts.push([place, text, to, option, to, LETTER_BY_PLACE[place]]);
      if (offer.any) acts.push(["amount", `${capitalize(formatLabel(option))}…`, "", option, null, "A"]);
    }
  }
  return acts;
}

/* The keys at some of the places; `enter` takes the line that one touch enters. */
function makeButtonsAt(places, step, state, makeButton, enter) {
  return listActs(step, state).filter(([place]) => places.includes(place)).map(([place, text, amount, word, to, letter, look]) => {
    const makeLine = (total) => ({ ev: "act", seat: step.seat, do: word, ...(total === undefined ? {} : { to: total }) });
    const enterTotal = (total) => enter(makeLine(total));
    const button = makeButton(text, () => (to === null ? chooseAmount(step, word, enterTotal, getWagerOffer(step.seat, state).totals) : enterTotal(to)), letter, look);
    button.classList.add("act");
    if (amount !== "") button.insertBefore(makeElement("b", "sum", String(amount)), button.querySelector("kbd"));
    return [button, places.indexOf(place)];
  });
}

/* What the seat does, each at its place. */
export function makeActButtons(step, state, makeButton, enter) {
  return makeButtonsAt(BUTTON_PLACES, step, state, makeButton, enter).map(([button, place]) => {
    button.style.gridArea = `1 / ${2 * place + 1} / auto / span 2`;
    return button;
  });
}

/* The amounts that have a name, and one key for all others. */
export function makeAmountButtons(step, state, makeButton, enter) {
  return makeButtonsAt(AMOUNT_PLACES, step, state, makeButton, enter).map(([button, place]) => {
    button.dataset.place = place; // dealer.css: two rows of two, or one row on a phone
    return button;
  });
}

/* An amount by the pad, or one of the round `totals` by a touch. */
export function chooseAmount(step, word, onTotal, totals = []) {
  const body = makeElement("div", "amount");
  body.append(makeElement("p", "", t("Total bet this round ({least} to {most}):", { least: step.min_to, most: step.max_to })));
  addKeypad(body, capitalize(formatLabel(word)), onTotal);
  const rounds = makeElement("div", "rounds");
  for (const total of totals) {
    const button = makeElement("button", "", String(total));
    button.type = "button";
    button.addEventListener("click", () => onTotal(total));
    rounds.append(button);
  }
  body.append(rounds);
  openSheet(t("Seat {seat}: {word} to…", { seat: step.seat, word: formatLabel(word) }), body);
}

/* Who is still to act on the round, in order. */
const listSeatsToAct = (state) => Object.entries(state.players).filter(([, player]) => player.turn).sort(([, a], [, b]) => a.turn - b.turn).map(([seat]) => Number(seat));

/* What a seat has still to put in; without amounts only whether that is something. */
function computeOwed(seat, { table }) {
  const { bets = {}, stacks } = table;
  if (!stacks) return table.next[0].options.includes("check") ? 0 : 1;
  return Math.max(0, Math.max(0, ...Object.values(bets)) - (bets[seat] || 0));
}

/* The act of a seat that puts nothing in, and that of one that puts in what it owes. */
const makeFoldOrCheck = (seat, state) => ({ ev: "act", seat, do: computeOwed(seat, state) ? "fold" : "check" });
function makeCallOrCheck(seat, state) {
  const due = computeOwed(seat, state), { stacks } = state.table;
  return { ev: "act", seat, do: !due ? "check" : !stacks || stacks[seat] > due ? "call" : "all-in" };
}

/* "Seats 3, 4 fold", "Seat 5 checks". */
export function describeFoldsAndChecks(lines) {
  const listSeats = (word) => lines.filter((line) => line.do === word).map((line) => line.seat);
  const folded = listSeats("fold"), checked = listSeats("check");
  return [
    ...(folded.length ? [translatePlural("Seat {seats} folds", "Seats {seats} fold", folded.length, { seats: folded.join(", ") })] : []),
    ...(checked.length ? [translatePlural("Seat {seats} checks", "Seats {seats} check", checked.length, { seats: checked.join(", ") })] : []),
  ].join(", ");
}

/* Who owes something folds, and who owes nothing checks: to the end of the round, or until one hand is left. */
function listFolds(seats, heldCount, state) {
  const lines = [];
  let leftCount = heldCount;
  for (const seat of seats) {
    if (leftCount === 1) break;
    const line = makeFoldOrCheck(seat, state);
    if (line.do === "fold") leftCount -= 1;
    lines.push(line);
  }
  return lines;
}

/* What is entered where all who are still to act do alike, or one stays in alone, and the round is over: [words, lines,
   letter]. `seat` is the next to act. Nothing where one alone is still to act. */
export function listRoundEndings(seat, state) {
  const step = state.table.next[0], queue = listSeatsToAct(state);
  const seatsToAct = queue.slice(queue.indexOf(seat));
  if (!step || step.step !== "act" || state.table.phase !== "bet" || seatsToAct.length < 2 || step.options.includes("bring-in")) return [];
  const hasAmounts = Boolean(state.table.stacks), due = computeOwed(seat, state);
  const endings = [];
  if (hasAmounts || !due) endings.push([due ? t("All call") : t("All check"), seatsToAct.map((each) => makeCallOrCheck(each, state)), "E"]);
  const heldCount = Object.keys(state.table.piles.seats).length;
  if (due) endings.push([t("All fold"), listFolds(seatsToAct, heldCount, state), "V"]);
  if (due && hasAmounts) endings.push([t("Call, rest fold"), [makeCallOrCheck(seat, state), ...seatsToAct.slice(1).map((each) => makeFoldOrCheck(each, state))], "J"]);
  return endings.filter(([, [first]]) => step.options.includes(first.do)); // a seat that a ruling binds has one act
}
