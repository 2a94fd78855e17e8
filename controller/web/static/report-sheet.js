/* What may have happened: each with its words, what it is about, and the first steps of the table that it goes with. */
import { formatGameName, t } from "./language.js";
import { openAmountSheet } from "./keypad.js";
import { openCardPicker, openChoices } from "./sheet.js";
import { capitalize, formatLabel, formatSeatTitle } from "./table.js";

const DEAL_STEPS = ["deal"], STREET_STEPS = ["burn", "board"], BETTING_STEPS = ["act", "bet"], SHOWDOWN_STEPS = ["show", "award"], IDLE_STEPS = [""];
const GROUPS = [["card", t("A card…")], ["board", t("The board…")], ["player", t("A player…")], ["deck", t("The deck…")], ["game", t("The game…")]];
const MAX_FITTING_REPORTS = 6;

/* What the table takes besides its first step, as the table itself says. */
const TEXT_BY_AVAILABLE_ENTRY = {
  straddle: t("Straddles"), kill: t("Kills the pot"), open: t("Declares the pot open"), chop: t("Blinds take back"), twice: t("All-in: deal the rest twice"),
  clock: t("Time extension"),
};

export function makeAvailableEntryChoice(line, enter) {
  const text = line.asked ? t("Shows: seat {seat} asks to see it", { seat: line.asked }) : line.count > 2 ? t("All-in: deal the rest {n} times", { n: line.count }) : TEXT_BY_AVAILABLE_ENTRY[line.do || line.ev] || capitalize(formatLabel(line.do || line.ev));
  return [text, () => enter(line)];
}

function makeSeatChoices(seats, act) { return seats.map((seat) => [formatSeatTitle(seat), () => act(seat), String(seat)]); }

/* Rows: about, words, what it does, the steps it goes with (first to be offered), its letter. `makeRow`: one with no words but the report's own. */
function listReports(state, enter, openSeat) {
  const report = (what, more = {}) => enter({ ev: "report", what, ...more });
  const seated = Object.keys(state.players).map(Number), { burn, cards } = state.coming || { burn: false, cards: 0 };
  const stud = Boolean(state.table.up), board = state.table.board.length;
  const reportAtSeat = (what, more = {}) => openChoices(t("Which seat?"), makeSeatChoices(seated, (seat) => report(what, { seat, ...more })));
  const makeRow = (about, what, steps, letter, more) => [about, capitalize(formatLabel(what)), () => report(what, more), steps, letter];
  const rows = [
    ["card", t("Exposed"), () => report("exposed"), [...DEAL_STEPS, "return", ...(board ? [] : BETTING_STEPS)], "X"],
    ["card", t("Boxed"), () => report("boxed"), [...DEAL_STEPS, ...STREET_STEPS], "B"],
    ["card", t("Wrong seat…"), () => openChoices(t("Which seat got the card?"), makeSeatChoices(seated, (seat) => report("wrong-seat", { seat }))), DEAL_STEPS, "W"],
    ["card", t("Off the table"), () => report("off-table"), [...DEAL_STEPS, ...STREET_STEPS], "O"],
    makeRow("board", "no-burn", [...STREET_STEPS, ...(board ? BETTING_STEPS : [])], "N"),
    ["board", t("Two burns"), () => report("double-burn"), STREET_STEPS, "D"],
    ["board", t("Two board cards at once"), () => report("two-exposed", { count: 2 }), STREET_STEPS],
    ["board", t("1 card too many"), () => report("board-extra", { count: 1 }), board ? [...STREET_STEPS, ...BETTING_STEPS, ...SHOWDOWN_STEPS] : []],
    ["board", t("2 cards too many"), () => report("board-extra", { count: 2 }), []],
    ...(burn + cards ? [["card", t("Premature: 1 card"), () => report("premature", { count: 1 }), BETTING_STEPS]] : []),
    ...(burn + cards > 1 ? [["card", burn ? t("Premature: burn and {n}", { n: cards }) : t("Premature: {n} cards", { n: cards }), () => report("premature", { count: burn + cards }), BETTING_STEPS]] : []),
    ...(burn + cards ? [] : [["card", t("Premature card"), () => report("premature", { count: 1 }), []]]),
    makeRow("player", "string-bet", BETTING_STEPS),
    ["player", t("Bet too large: it should be…"), () => openAmountSheet(t("The right bet, in all"), (to) => report("overpot", { to: Number(to) })), []],
    ["player", t("Bet too small: it should be…"), () => openAmountSheet(t("The right bet, in all"), (to) => report("underbet", { to: Number(to) })), []],
    ["player", t("Something at a seat…"), () => openChoices(t("Which seat?"), makeSeatChoices(seated, openSeat)), [...BETTING_STEPS, ...SHOWDOWN_STEPS, "deal"]],
    ["card", t("Misread: it is…"), () => openCardPicker(t("The last card is…"), 1, ([card]) => report("misread", { card })), [...DEAL_STEPS, ...STREET_STEPS, ...BETTING_STEPS, ...SHOWDOWN_STEPS, "return"]],
    ["card", t("Put back into the stub"), () => report("put-back"), ["return"]],
    ["card", t("Left the shoe unread"), () => enter({ ev: "card", card: null }), ["return"]],
    ["card", t("Last card came face up"), () => report("last-faceup"), stud ? DEAL_STEPS : []],
    ["player", t("Wrong player brought it in…"), () => openChoices(t("Which seat opened?"), makeSeatChoices(seated, (seat) => report("wrong-opener", { seat }))), stud ? BETTING_STEPS : []],
    makeRow("player", "false-openers", []),
    makeRow("board", "joker", [], "", { where: "board" }),
    ["board", t("Same card twice"), () => report("duplicate", { where: "board" }), SHOWDOWN_STEPS],
    makeRow("deck", "stub-fouled", SHOWDOWN_STEPS),
    ["deck", t("Not a proper deck"), () => report("deck-defective"), [...IDLE_STEPS, ...SHOWDOWN_STEPS]],
    makeRow("deck", "not-shuffled", [...IDLE_STEPS, "deal"]),
    makeRow("deck", "exposed-cutting", [...IDLE_STEPS, "cut"]),
    ["deck", t("Joker in the stub"), () => report("joker", { where: "stub" }), IDLE_STEPS],
    ["deck", t("Same card twice in the stub"), () => report("duplicate", { where: "stub" }), []],
    ["deck", t("Card of another deck in the stub"), () => report("foreign-back", { where: "stub" }), []],
    ["deck", t("Card missing"), () => report("missing-card", { where: "stub" }), IDLE_STEPS],
    ["game", t("Button was wrong…"), () => reportAtSeat("button-wrong"), IDLE_STEPS],
    ["game", t("Button was wrong last hand…"), () => reportAtSeat("button-wrong", { hand: "previous" }), IDLE_STEPS],
    ...state.besides.filter((line) => line.seat === undefined).map((line) => ["game", ...makeAvailableEntryChoice(line, enter), []]),
    ...(state.table.rotation ? state.table.rotation.games.map((game) => ["game", t("Game: {game}", { game: formatGameName(game) }), () => enter({ ev: "game", game }), IDLE_STEPS]) : []),
    ...(state.table.timer ? [
      ["game", t("Next level"), () => enter({ ev: "level" }), []], ["game", t("Timer: start"), () => enter({ ev: "timer", set: "start" }), []],
      ["game", t("Timer: pause"), () => enter({ ev: "timer", set: "pause" }), []], ["game", t("Timer: resume"), () => enter({ ev: "timer", set: "resume" }), []],
    ] : []),
  ];
  return rows;
}

/* Those that go with the first step now: at most six, as [words, act, letter]. */
export function listFittingReports(state, enter, openSeat) {
  const step = state.table.next[0] ? state.table.next[0].step : "";
  return listReports(state, enter, openSeat).filter(([, , , steps]) => steps.includes(step)).slice(0, MAX_FITTING_REPORTS).map(([, text, act, , letter]) => [text, act, letter]);
}

/* The sheet: what fits the moment, and below it all the rest by what it is about. */
export function openReportSheet(state, enter, openSeat) {
  const rows = listReports(state, enter, openSeat);
  const makeGroupChoice = (about, text, look) => [text, () => openChoices(`${text.replace("…", "")}: ${t("what happened?")}`, rows.filter((row) => row[0] === about).map(([, words_, act]) => [words_, act])), "", look];
  const groups = GROUPS.filter(([about]) => rows.some((row) => row[0] === about)).map(([about, text], i) => makeGroupChoice(about, text, i ? "group" : "group first"));
  openChoices(t("What happened?"), [...listFittingReports(state, enter, openSeat).map(([text, act]) => [text, act]), ...groups], "six");
}
