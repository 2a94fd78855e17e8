/* What the floor tells a table besides its decisions: hand for hand, the last hands, a halt, a penalty, a hand that may
   only check, call or fold. The table itself says which of it would be taken now. */
import { typed } from "./keypad.js";
import { choose } from "./sheet.js";

/* By the line without its number and seat: words, and what they mean. */
const WORDS = {
  "hand-for-hand go": ["Go on", "hand for hand: what waits goes on"],
  "hand-for-hand on": ["Hand for hand", "finish this hand, then each waits for the floor"],
  "hand-for-hand off": ["Hand for hand is over", "hands follow one another again"],
  "last-hands": ["Last hands…", "so many more begin today, and nobody enters late"],
  "last-hands off": ["No last hands", "hands begin as long as there is time"],
  halt: ["Halt play", "this hand is finished; none begins until tables are balanced"],
  "halt off": ["Play goes on", "the table is no longer halted"],
  penalty: ["Penalty…", "so many hands are dealt, posted for and killed"],
  floor: ["Passive…", "one hand may only check, call or fold on this round"],
};

function name(line) {
  if (line.ev === "hand-for-hand") return `${line.ev} ${line.go ? "go" : line.on ? "on" : "off"}`;
  if (line.on === false || (line.ev === "last-hands" && line.hands === undefined)) return `${line.ev} off`;
  return line.ev;
}

const seatsOf = (lines) => [...new Set(lines.map((line) => line.seat))].sort((a, b) => a - b);
const seatKeys = (lines, act) => seatsOf(lines).map((seat) => [`Seat ${seat}`, () => act(seat), String(seat)]);

function penalty(lines, seat, put) {
  const misses = (more) => put({ ev: "penalty", seat, ...more });
  const over = lines.some((line) => line.seat === seat && line.hands === 0) ? [["Penalty is over", () => misses({ hands: 0 })]] : [];
  choose(`Seat ${seat} misses…`, [
    ["1 hand", () => misses({ hands: 1 })], ["1 round", () => misses({ rounds: 1 })],
    ...[2, 3, 4].map((rounds) => [`${rounds} rounds`, () => misses({ rounds })]),
    ["So many hands…", () => typed(`Seat ${seat} misses so many hands:`, (hands) => misses({ hands }))], ...over,
  ], "", true);
}

/* [words, what they mean, what a touch does, name], one each; `put` enters a line. */
export function floorWords(lines, put) {
  const act = (found, line) => {
    if (found === "penalty") return choose("Who misses hands?", seatKeys(lines.filter((each) => each.ev === "penalty"), (seat) => penalty(lines.filter((each) => each.ev === "penalty"), seat, put)), "", true);
    if (found === "floor") return choose("Who may only check, call or fold?", seatKeys(lines.filter((each) => each.ev === "floor"), (seat) => put({ ...line, seat })), "", true);
    if (found === "last-hands") return typed("How many hands more today?", (hands) => put({ ...line, hands }));
    return put(line);
  };
  const first = new Map();
  for (const line of lines) if (!first.has(name(line))) first.set(name(line), line);
  return [...first].map(([found, line]) => [...WORDS[found], () => act(found, line), found]);
}

/* Why the table waits for the floor, where it does. */
export function whyItWaits(state) {
  if (!state.table.next.some((step) => step.step === "hold")) return "";
  const names = state.for_floor.map(name);
  if (names.includes("halt off")) return "Play is halted here.";
  return names.includes("hand-for-hand go") ? "Hand for hand: the table waits for you." : "The last hand of the day has been dealt.";
}
