/* The keys of the seat that acts, each always at its place, and those of a seat further on, where all between fold. */
import { keypad } from "./keypad.js";
import { counted, t } from "./language.js";
import { openSheet } from "./sheet.js";
import { capital, element, words } from "./table.js";

const PLACES = ["fold", "call", "least", "half", "pot", "times", "amount", "all-in"];
const LETTERS = { half: "H", pot: "Q", times: "3" };
const WAGERS = ["bet", "raise", "complete"];

/* What the table offers the seat for its wager (wager_offers.py): a few with a name, and round totals. */
const offered = (seat, state) => (state.wagers || {})[seat] || { named: [], totals: [] };

/* [place, words, amount, word of the act, its total, letter, look]. */
function acts(step, state) {
  const made = [];
  for (const option of step.options) {
    if (option === "fold") made.push(["fold", t("Fold"), "", option, undefined, "F"]);
    else if (option === "check") made.push(["call", t("Check"), "", option, undefined, "C", "main"]);
    else if (option === "call") made.push(["call", t("Call"), step.to_call || "", option, undefined, "C", "main"]);
    else if (option === "bring-in") made.push(["call", t("Bring-in"), "", option, undefined, "G", "main"]);
    else if (option === "all-in") made.push(["all-in", t("All-in"), "", option, undefined, "I"]);
    else if (option === "open") made.push(["half", t("Open"), "", option, undefined, "O"]);
    else {
      made.push(["least", capital(words(option)), step.min_to ?? "", option, step.min_to, "R"]);
      if (step.min_to === undefined || step.min_to === step.max_to) continue;
      for (const [place, text, to] of offered(step.seat, state).named) made.push([place, text, to, option, to, LETTERS[place]]);
      made.push(["amount", `${capital(words(option))}…`, "", option, null, "A"]);
    }
  }
  return made;
}

/* The keys; `enter` takes the lines that one touch enters, `before` those of seats that fold first. */
export function actKeys(step, state, key, enter, before = []) {
  return acts(step, state).map(([place, text, amount, word, to, letter, look]) => {
    const line = (total) => ({ ev: "act", seat: step.seat, do: word, ...(total === undefined ? {} : { to: total }) });
    const put = (total) => enter([...before, line(total)]);
    const made = key(text, () => (to === null ? chooseAmount(step, word, put) : put(to)), letter, look);
    if (text.length > 6) made.classList.add(to === null && text.length > 7 ? "narrowest" : "narrow");
    if (amount !== "") made.insertBefore(element("b", "sum", String(amount)), made.querySelector("kbd"));
    made.style.gridArea = `1 / ${PLACES.indexOf(place) + 1}`;
    return made;
  });
}

export function chooseAmount(step, word, put) {
  const body = element("div", "amount");
  body.append(element("p", "", t("In all on this round, {least} to {most}:", { least: step.min_to, most: step.max_to })));
  keypad(body, capital(words(word)), put);
  openSheet(t("Seat {seat}: {word} to…", { seat: step.seat, word: words(word) }), body);
}

/* The round totals for which there is room beside the table: a touch each. */
export function totalKeys(step, state, key, enter, before = []) {
  const word = step.options.find((option) => WAGERS.includes(option));
  return (word ? offered(step.seat, state).totals : []).map((to) =>
    key(String(to), () => enter([...before, { ev: "act", seat: step.seat, do: word, to }])));
}

/* Who is still to act on the round, in order. */
const queueOf = (state) => Object.entries(state.players).filter(([, who]) => who.turn).sort(([, a], [, b]) => a.turn - b.turn).map(([seat]) => Number(seat));

/* What a seat has still to put in; without amounts only whether that is something. */
function owes(seat, { table }) {
  const { bets = {}, stacks } = table;
  if (!stacks) return table.next[0].options.includes("check") ? 0 : 1;
  return Math.max(0, Math.max(0, ...Object.values(bets)) - (bets[seat] || 0));
}

/* The act of a seat that puts nothing in, and that of one that puts in what it owes. */
const leaves = (seat, state) => ({ ev: "act", seat, do: owes(seat, state) ? "fold" : "check" });
function stays(seat, state) {
  const due = owes(seat, state), { stacks } = state.table;
  return { ev: "act", seat, do: !due ? "check" : !stacks || stacks[seat] > due ? "call" : "all-in" };
}

/* What those did whose turn comes before this seat, where it acts next: folded, or checked if nothing was to call.
   Nothing, where the seat is not further on. */
export function between(seat, state) {
  const step = state.table.next[0], queue = queueOf(state);
  if (!step || step.step !== "act" || queue.indexOf(seat) < 1) return [];
  return queue.slice(0, queue.indexOf(seat)).map((each) => leaves(each, state));
}

/* "Seats 3, 4 fold", "Seat 5 checks". */
export function inWords(lines) {
  const those = (word) => lines.filter((line) => line.do === word).map((line) => line.seat);
  const folded = those("fold"), checked = those("check");
  return [
    ...(folded.length ? [counted("Seat {seats} folds", "Seats {seats} fold", folded.length, { seats: folded.join(", ") })] : []),
    ...(checked.length ? [counted("Seat {seats} checks", "Seats {seats} check", checked.length, { seats: checked.join(", ") })] : []),
  ].join(", ");
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

/* What is entered where all who are still to act do alike, or one stays in alone, and the round is over: [words, lines,
   letter]. `seat` is the next to act, after those of `before`. Nothing where one alone is still to act. */
export function endsOfRound(seat, state, before = []) {
  const step = state.table.next[0], queue = queueOf(state);
  const still = queue.slice(queue.indexOf(seat));
  if (!step || step.step !== "act" || state.table.phase !== "bet" || still.length < 2 || step.options.includes("bring-in")) return [];
  const known = Boolean(state.table.stacks), due = owes(seat, state);
  const found = [];
  if (known || !due) found.push([due ? t("All call") : t("All check"), still.map((each) => stays(each, state)), "E"]);
  const in_ = Object.keys(state.table.piles.seats).length - before.filter((line) => line.do === "fold").length;
  if (due && !before.length) found.push([t("All fold"), still.map((each) => leaves(each, state)).slice(0, in_ - 1), "V"]);
  if (due && known) found.push([t("Call, rest fold"), [stays(seat, state), ...still.slice(1).map((each) => leaves(each, state))], "J"]);
  return found.map(([text, lines, letter]) => [text, [...before, ...lines], letter]);
}
