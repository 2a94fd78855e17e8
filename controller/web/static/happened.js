/* What may have happened: each with its words, what it is about, and the first steps of the table that it goes with. */
import { typed } from "./keypad.js";
import { choose, picksCards } from "./sheet.js";
import { capital, words } from "./table.js";

const DEAL = ["deal"], STREET = ["burn", "board"], BETTING = ["act", "bet"], SHOWDOWN = ["show", "award"], IDLE = [""];
const GROUPS = [["card", "A card…"], ["board", "The board…"], ["player", "A player…"], ["deck", "The deck…"], ["game", "The game…"]];
const MOST = 6;

/* What the table takes besides its first step, as the table itself says. */
const BESIDES = { straddle: "Straddles", kill: "Kills the pot", open: "Declares the pot open", chop: "Blinds take back", twice: "All-in: deal the rest twice", clock: "Time extension" };

export function besidesKey(line, enter) {
  const text = line.asked ? `Shows: seat ${line.asked} asks to see it` : line.count > 2 ? `All-in: deal the rest ${line.count} times` : BESIDES[line.do || line.ev] || capital(words(line.do || line.ev));
  return [text, () => enter(line)];
}

function seatKeys(seats, act) { return seats.map((seat) => [`Seat ${seat}`, () => act(seat), String(seat)]); }

/* Rows: about, words, what it does, the steps it goes with (first to be offered), its letter. */
function all(state, enter, openSeat) {
  const report = (what, more = {}) => enter({ ev: "report", what, ...more });
  const seated = Object.keys(state.players).map(Number), { burn, cards } = state.coming || { burn: false, cards: 0 };
  const stud = Boolean(state.table.up), board = state.table.board.length;
  const where = (what, more = {}) => choose("Which seat?", seatKeys(seated, (seat) => report(what, { seat, ...more })));
  const rows = [
    ["card", "Exposed", () => report("exposed"), [...DEAL, "return", ...(board ? [] : BETTING)], "X"],
    ["card", "Boxed", () => report("boxed"), [...DEAL, ...STREET], "B"],
    ["card", "Wrong seat…", () => choose("Which seat got the card?", seatKeys(seated, (seat) => report("wrong-seat", { seat }))), DEAL, "W"],
    ["card", "Off the table", () => report("off-table"), [...DEAL, ...STREET], "O"],
    ["board", "No burn", () => report("no-burn"), [...STREET, ...(board ? BETTING : [])], "N"],
    ["board", "Two burns", () => report("double-burn"), STREET, "D"],
    ["board", "Two board cards at once", () => report("two-exposed", { count: 2 }), STREET],
    ["board", "1 card too many", () => report("board-extra", { count: 1 }), board ? [...STREET, ...BETTING, ...SHOWDOWN] : []],
    ["board", "2 cards too many", () => report("board-extra", { count: 2 }), []],
    ...(burn + cards ? [["card", "Premature: 1 card", () => report("premature", { count: 1 }), BETTING]] : []),
    ...(burn + cards > 1 ? [["card", `Premature: ${burn ? `burn and ${cards}` : `${cards} cards`}`, () => report("premature", { count: burn + cards }), BETTING]] : []),
    ...(burn + cards ? [] : [["card", "Premature card", () => report("premature", { count: 1 }), []]]),
    ["player", "String bet", () => report("string-bet"), BETTING],
    ["player", "Bet too large: it should be…", () => typed("The right bet, in all", (to) => report("overpot", { to: Number(to) })), []],
    ["player", "Bet too small: it should be…", () => typed("The right bet, in all", (to) => report("underbet", { to: Number(to) })), []],
    ["player", "Something at a seat…", () => choose("Which seat?", seatKeys(seated, openSeat)), [...BETTING, ...SHOWDOWN, "deal"]],
    ["card", "Misread: it is…", () => picksCards("The last card is…", 1, ([card]) => report("misread", { card })), [...DEAL, ...STREET, ...BETTING, ...SHOWDOWN, "return"]],
    ["card", "Put back into the stub", () => report("put-back"), ["return"]],
    ["card", "Left the shoe unread", () => enter({ ev: "card", card: null }), ["return"]],
    ["card", "Last card came face up", () => report("last-faceup"), stud ? DEAL : []],
    ["player", "Wrong player brought it in", () => report("wrong-opener"), stud ? BETTING : []],
    ["player", "Opened without openers", () => report("false-openers"), []],
    ["board", "Joker", () => report("joker", { where: "board" }), []],
    ["board", "Same card twice", () => report("duplicate", { where: "board" }), SHOWDOWN],
    ["deck", "Stub fouled", () => report("stub-fouled"), SHOWDOWN],
    ["deck", "Not a proper deck", () => report("deck-defective"), [...IDLE, ...SHOWDOWN]],
    ["deck", "Not shuffled", () => report("not-shuffled"), [...IDLE, "deal"]],
    ["deck", "Card shown while cutting", () => report("exposed-cutting"), [...IDLE, "cut"]],
    ["deck", "Joker in the stub", () => report("joker", { where: "stub" }), IDLE],
    ["deck", "Same card twice in the stub", () => report("duplicate", { where: "stub" }), []],
    ["deck", "Card of another deck in the stub", () => report("foreign-back", { where: "stub" }), []],
    ["deck", "Card missing", () => report("missing-card", { where: "stub" }), IDLE],
    ["game", "Button was wrong…", () => where("button-wrong"), IDLE],
    ["game", "Button was wrong last hand…", () => where("button-wrong", { hand: "previous" }), IDLE],
    ...state.besides.filter((line) => line.seat === undefined).map((line) => ["game", ...besidesKey(line, enter), []]),
    ...(state.table.rotation ? state.table.rotation.games.map((game) => ["game", `Game: ${words(game)}`, () => enter({ ev: "game", game }), IDLE]) : []),
    ...(state.table.timer ? [
      ["game", "Next level", () => enter({ ev: "level" }), []], ["game", "Timer: start", () => enter({ ev: "timer", set: "start" }), []],
      ["game", "Timer: pause", () => enter({ ev: "timer", set: "pause" }), []], ["game", "Timer: resume", () => enter({ ev: "timer", set: "resume" }), []],
    ] : []),
  ];
  return rows;
}

/* Those that go with the first step now: at most six, as [words, act, letter]. */
export function fitting(state, enter, openSeat) {
  const step = state.table.next[0] ? state.table.next[0].step : "";
  return all(state, enter, openSeat).filter(([, , , steps]) => steps.includes(step)).slice(0, MOST).map(([, text, act, , letter]) => [text, act, letter]);
}

/* The sheet: what fits the moment, and below it all the rest by what it is about. */
export function openHappened(state, enter, openSeat) {
  const rows = all(state, enter, openSeat);
  const group = (about, text, look) => [text, () => choose(text.replace("…", ": what happened?"), rows.filter((row) => row[0] === about).map(([, words_, act]) => [words_, act])), "", look];
  const groups = GROUPS.filter(([about]) => rows.some((row) => row[0] === about)).map(([about, text], i) => group(about, text, i ? "group" : "group first"));
  choose("What happened?", [...fitting(state, enter, openSeat).map(([text, act]) => [text, act]), ...groups], "six");
}
