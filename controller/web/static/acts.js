/* The keys of the seat that acts, each always at its place, and those of a seat further on, where all between fold. */
import { keypad } from "./keypad.js";
import { choose, openSheet } from "./sheet.js";
import { capital, element, totalOf } from "./table.js";

const PLACES = ["fold", "call", "least", "half", "pot", "three", "amount", "all-in"];

/* What a bet of so much of the pot, or so many times the last one, comes to in all on the round. */
function quick(step, table, betting) {
  const bets = Object.values(table.bets || {}), high = Math.max(0, ...bets), chip = betting.chip || 1;
  const pot = totalOf(table) + step.to_call;
  const whole = (to) => Math.round(to / chip) * chip;
  const open = (to) => (to > step.min_to && to < step.max_to ? to : undefined);
  return { half: open(whole(high + pot / 2)), pot: open(whole(high + pot)), three: high ? open(whole(3 * high)) : undefined };
}

/* [place, words, amount, word of the act, its total, letter, look]. */
function acts(step, table, betting) {
  const made = [];
  for (const option of step.options) {
    if (option === "fold") made.push(["fold", "Fold", "", option, undefined, "F"]);
    else if (option === "check") made.push(["call", "Check", "", option, undefined, "C", "main"]);
    else if (option === "call") made.push(["call", "Call", step.to_call || "", option, undefined, "C", "main"]);
    else if (option === "bring-in") made.push(["call", "Bring-in", "", option, undefined, "G", "main"]);
    else if (option === "all-in") made.push(["all-in", "All-in", "", option, undefined, "I"]);
    else if (option === "open") made.push(["half", "Open", "", option, undefined, "O"]);
    else {
      made.push(["least", capital(option), step.min_to ?? "", option, step.min_to, "R"]);
      if (step.min_to === undefined || step.min_to === step.max_to) continue;
      const to = quick(step, table, betting);
      if (to.half) made.push(["half", "½ pot", to.half, option, to.half, "H"]);
      if (to.pot) made.push(["pot", "Pot", to.pot, option, to.pot, "Q"]);
      if (to.three) made.push(["three", "× 3", to.three, option, to.three, "3"]);
      made.push(["amount", `${capital(option)}…`, "", option, null, "A"]);
    }
  }
  return made;
}

/* The keys; `enter` takes the lines that one touch enters, `before` those of seats that fold first. */
export function actKeys(step, state, key, enter, before = []) {
  return acts(step, state.table, state.setup.betting).map(([place, text, amount, word, to, letter, look]) => {
    const line = (total) => ({ ev: "act", seat: step.seat, do: word, ...(total === undefined ? {} : { to: total }) });
    const put = (total) => enter([...before, line(total)]);
    const made = key(text, () => (to === null ? chooseAmount(step, word, put) : put(to)), letter, look);
    if (amount !== "") made.insertBefore(element("b", "sum", String(amount)), made.querySelector("kbd"));
    made.style.gridColumn = PLACES.indexOf(place) + 1;
    return made;
  });
}

export function chooseAmount(step, word, put) {
  const body = element("div", "amount");
  body.append(element("p", "", `In all on this round, ${step.min_to} to ${step.max_to}:`));
  keypad(body, capital(word), put);
  openSheet(`Seat ${step.seat}: ${word} to…`, body);
}

/* Who folds where this seat acts next: all whose turn comes before it. Nobody, where it is not further on. */
export function foldedBefore(seat, state) {
  const turn = (state.players[seat] || {}).turn;
  if (!turn || turn < 2 || !state.table.next[0] || state.table.next[0].step !== "act") return [];
  const earlier = Object.entries(state.players).filter(([, who]) => who.turn && who.turn < turn);
  return earlier.sort(([, a], [, b]) => a.turn - b.turn).map(([each]) => Number(each));
}

/* What the seat can do once they have folded, as the table will find it. */
export function stepAhead(seat, state) {
  const now = state.table.next[0], { bets = {}, stacks } = state.table;
  if (!stacks) return { ...now, seat };
  const high = Math.max(0, ...Object.values(bets)), own = bets[seat] || 0, stack = stacks[seat];
  const toCall = Math.min(Math.max(high - own, 0), stack);
  const wager = now.options.find((word) => ["bet", "raise", "complete"].includes(word));
  const options = ["fold", ...(!toCall ? ["check"] : stack > high - own ? ["call"] : [])];
  if (wager && own + stack >= now.min_to) options.push(wager);
  if (now.options.includes("all-in")) options.push("all-in");
  return { ...now, seat, options, to_call: toCall, max_to: now.max_to === undefined || now.min_to === now.max_to ? now.max_to : Math.min(own + stack, state.setup.betting.structure === "no-limit" ? Infinity : now.max_to) };
}

/* What is entered where everybody who is still to act checks or calls, and the round is over. None where one alone is. */
export function allCall(state) {
  const step = state.table.next[0], { bets = {}, stacks } = state.table;
  if (!step || step.step !== "act" || state.table.phase !== "bet") return [];
  const word = ["check", "call"].find((option) => step.options.includes(option));
  const queue = Object.entries(state.players).filter(([, who]) => who.turn).sort(([, a], [, b]) => a.turn - b.turn).map(([seat]) => Number(seat));
  if (!word || queue.length < 2) return [];
  const high = Math.max(0, ...Object.values(bets));
  const lines = queue.map((seat) => {
    const owes = stacks ? high - (bets[seat] || 0) : word === "call" ? 1 : 0;
    return { ev: "act", seat, do: owes <= 0 ? "check" : !stacks || stacks[seat] > owes ? "call" : "all-in" };
  });
  return stacks || word === "check" ? lines : [];
}
