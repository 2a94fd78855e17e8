/* What may have happened: each with its words, what it is about, and the first steps of the table that it goes with. */
import { t } from "./language.js";
import { typed } from "./keypad.js";
import { choose, picksCards } from "./sheet.js";
import { capital, seatKey, words } from "./table.js";

const DEAL = ["deal"], STREET = ["burn", "board"], BETTING = ["act", "bet"], SHOWDOWN = ["show", "award"], IDLE = [""];
const GROUPS = [["card", t("A card…")], ["board", t("The board…")], ["player", t("A player…")], ["deck", t("The deck…")], ["game", t("The game…")]];
const MOST = 6;

/* What the table takes besides its first step, as the table itself says. */
const BESIDES = {
  straddle: t("Straddles"), kill: t("Kills the pot"), open: t("Declares the pot open"), chop: t("Blinds take back"), twice: t("All-in: deal the rest twice"),
  clock: t("Time extension"),
};

export function besidesKey(line, enter) {
  const text = line.asked ? t("Shows: seat {seat} asks to see it", { seat: line.asked }) : line.count > 2 ? t("All-in: deal the rest {n} times", { n: line.count }) : BESIDES[line.do || line.ev] || capital(words(line.do || line.ev));
  return [text, () => enter(line)];
}

function seatKeys(seats, act) { return seats.map((seat) => [seatKey(seat), () => act(seat), String(seat)]); }

/* Rows: about, words, what it does, the steps it goes with (first to be offered), its letter. */
function all(state, enter, openSeat) {
  const report = (what, more = {}) => enter({ ev: "report", what, ...more });
  const seated = Object.keys(state.players).map(Number), { burn, cards } = state.coming || { burn: false, cards: 0 };
  const stud = Boolean(state.table.up), board = state.table.board.length;
  const where = (what, more = {}) => choose(t("Which seat?"), seatKeys(seated, (seat) => report(what, { seat, ...more })));
  const rows = [
    ["card", t("Exposed"), () => report("exposed"), [...DEAL, "return", ...(board ? [] : BETTING)], "X"],
    ["card", t("Boxed"), () => report("boxed"), [...DEAL, ...STREET], "B"],
    ["card", t("Wrong seat…"), () => choose(t("Which seat got the card?"), seatKeys(seated, (seat) => report("wrong-seat", { seat }))), DEAL, "W"],
    ["card", t("Off the table"), () => report("off-table"), [...DEAL, ...STREET], "O"],
    ["board", t("No burn"), () => report("no-burn"), [...STREET, ...(board ? BETTING : [])], "N"],
    ["board", t("Two burns"), () => report("double-burn"), STREET, "D"],
    ["board", t("Two board cards at once"), () => report("two-exposed", { count: 2 }), STREET],
    ["board", t("1 card too many"), () => report("board-extra", { count: 1 }), board ? [...STREET, ...BETTING, ...SHOWDOWN] : []],
    ["board", t("2 cards too many"), () => report("board-extra", { count: 2 }), []],
    ...(burn + cards ? [["card", t("Premature: 1 card"), () => report("premature", { count: 1 }), BETTING]] : []),
    ...(burn + cards > 1 ? [["card", burn ? t("Premature: burn and {n}", { n: cards }) : t("Premature: {n} cards", { n: cards }), () => report("premature", { count: burn + cards }), BETTING]] : []),
    ...(burn + cards ? [] : [["card", t("Premature card"), () => report("premature", { count: 1 }), []]]),
    ["player", t("String bet"), () => report("string-bet"), BETTING],
    ["player", t("Bet too large: it should be…"), () => typed(t("The right bet, in all"), (to) => report("overpot", { to: Number(to) })), []],
    ["player", t("Bet too small: it should be…"), () => typed(t("The right bet, in all"), (to) => report("underbet", { to: Number(to) })), []],
    ["player", t("Something at a seat…"), () => choose(t("Which seat?"), seatKeys(seated, openSeat)), [...BETTING, ...SHOWDOWN, "deal"]],
    ["card", t("Misread: it is…"), () => picksCards(t("The last card is…"), 1, ([card]) => report("misread", { card })), [...DEAL, ...STREET, ...BETTING, ...SHOWDOWN, "return"]],
    ["card", t("Put back into the stub"), () => report("put-back"), ["return"]],
    ["card", t("Left the shoe unread"), () => enter({ ev: "card", card: null }), ["return"]],
    ["card", t("Last card came face up"), () => report("last-faceup"), stud ? DEAL : []],
    ["player", t("Wrong player brought it in"), () => report("wrong-opener"), stud ? BETTING : []],
    ["player", t("Opened without openers"), () => report("false-openers"), []],
    ["board", t("Joker"), () => report("joker", { where: "board" }), []],
    ["board", t("Same card twice"), () => report("duplicate", { where: "board" }), SHOWDOWN],
    ["deck", t("Stub fouled"), () => report("stub-fouled"), SHOWDOWN],
    ["deck", t("Not a proper deck"), () => report("deck-defective"), [...IDLE, ...SHOWDOWN]],
    ["deck", t("Not shuffled"), () => report("not-shuffled"), [...IDLE, "deal"]],
    ["deck", t("Card shown while cutting"), () => report("exposed-cutting"), [...IDLE, "cut"]],
    ["deck", t("Joker in the stub"), () => report("joker", { where: "stub" }), IDLE],
    ["deck", t("Same card twice in the stub"), () => report("duplicate", { where: "stub" }), []],
    ["deck", t("Card of another deck in the stub"), () => report("foreign-back", { where: "stub" }), []],
    ["deck", t("Card missing"), () => report("missing-card", { where: "stub" }), IDLE],
    ["game", t("Button was wrong…"), () => where("button-wrong"), IDLE],
    ["game", t("Button was wrong last hand…"), () => where("button-wrong", { hand: "previous" }), IDLE],
    ...state.besides.filter((line) => line.seat === undefined).map((line) => ["game", ...besidesKey(line, enter), []]),
    ...(state.table.rotation ? state.table.rotation.games.map((game) => ["game", t("Game: {game}", { game: words(game) }), () => enter({ ev: "game", game }), IDLE]) : []),
    ...(state.table.timer ? [
      ["game", t("Next level"), () => enter({ ev: "level" }), []], ["game", t("Timer: start"), () => enter({ ev: "timer", set: "start" }), []],
      ["game", t("Timer: pause"), () => enter({ ev: "timer", set: "pause" }), []], ["game", t("Timer: resume"), () => enter({ ev: "timer", set: "resume" }), []],
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
  const group = (about, text, look) => [text, () => choose(`${text.replace("…", "")}: ${t("what happened?")}`, rows.filter((row) => row[0] === about).map(([, words_, act]) => [words_, act])), "", look];
  const groups = GROUPS.filter(([about]) => rows.some((row) => row[0] === about)).map(([about, text], i) => group(about, text, i ? "group" : "group first"));
  choose(t("What happened?"), [...fitting(state, enter, openSeat).map(([text, act]) => [text, act]), ...groups], "six");
}
