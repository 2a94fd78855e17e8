/* What may have happened: each with its words, what it is about, and the first steps of the table that it goes with. */
import { formatGameName, t } from "./language.js";
import { openAmountSheet } from "./keypad.js";
import { openCardPicker, openChoices } from "./sheet.js";
import { capitalize, formatLabel, formatSeatTitle } from "./table.js";

const DEAL_STEPS = ["deal"], STREET_STEPS = ["burn", "board"], BETTING_STEPS = ["act", "bet"], SHOWDOWN_STEPS = ["show", "award"], IDLE_STEPS = [""];
const ABOUTS = ["card", "player", "board", "deck", "game"];
const BESIDES_STEPS = [];  /* what the table takes beside its first step, as it says itself: rare, and meant for this moment */
const MAX_FITTING_REPORTS = 6;

/* What the table takes besides its first step, as the table itself says. */
const TEXT_BY_AVAILABLE_ENTRY = {
  straddle: t("Straddles"), kill: t("Kills the pot"), open: t("Declares the pot open"), chop: t("Chop the blinds"), twice: t("All-in: deal the rest twice"),
  clock: t("Time extension"),
};

export function makeAvailableEntryChoice(line, enter) {
  const text = line.asked ? t("Shows: seat {seat} asks to see it", { seat: line.asked }) : line.count > 2 ? t("All-in: deal the rest {n} times", { n: line.count }) : TEXT_BY_AVAILABLE_ENTRY[line.do || line.ev] || capitalize(formatLabel(line.do || line.ev));
  return [text, () => enter(line)];
}

function makeSeatChoices(seats, act) { return seats.map((seat) => [formatSeatTitle(seat), () => act(seat), String(seat)]); }

/* Whether the table has said that it takes such a line now; a table that has not said so is asked by the touch. */
export const isOffered = (lines, wanted) => !lines || lines.some((line) => Object.entries(wanted).every(([key, value]) => line[key] === value));

/* What the table would take now, of a seat or of all; `null` where nobody says, and the touch itself is asked. */
export async function fetchOffers(seat) {
  const answer = await fetch(seat === undefined ? "/offers" : `/offers?seat=${seat}`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/* Rows: about, words, what is entered, the steps it goes with (first to be offered), its letter, what else the touch
   does where more is asked. None is here that the table would not take: which game has openers or boards it knows. */
function listReports(state, enter, openSeat, offered) {
  const report = (what, more = {}) => enter({ ev: "report", what, ...more });
  const seated = Object.keys(state.players).map(Number), { burn, cards } = state.coming || { burn: false, cards: 0 };
  const stud = Boolean(state.table.up), board = state.table.board.length, burns = state.table.piles.burn;
  const makeRow = (about, text, what, more, steps, letter, act = () => report(what, more)) => [about, text, { ev: "report", what, ...more }, steps, letter, act];
  const makeNamedRow = (about, what, steps, letter) => makeRow(about, capitalize(formatLabel(what)), what, {}, steps, letter);
  const makeSeatRow = (about, text, title, what, more, steps, letter) => {
    const isFor = (seat) => isOffered(offered, { ev: "report", what, seat, ...more });
    return makeRow(about, text, what, more, steps, letter, () => openChoices(title, makeSeatChoices(seated.filter(isFor), (seat) => report(what, { seat, ...more }))));
  };
  const askAmount = (what) => () => openAmountSheet(t("The right bet, in all"), (to) => report(what, { to: Number(to) }));
  const makeEntryRow = (line, text, steps) => ["game", text, line, steps, "", () => enter(line)];
  const rows = [
    makeRow("card", t("Exposed"), "exposed", {}, [...DEAL_STEPS, "return", ...(board ? [] : BETTING_STEPS)], "X"),
    makeRow("card", t("Boxed"), "boxed", {}, [...DEAL_STEPS, ...STREET_STEPS], "B"),
    makeSeatRow("card", t("Wrong seat…"), t("Which seat got the card?"), "wrong-seat", {}, DEAL_STEPS, "W"),
    makeRow("card", t("Off the table"), "off-table", {}, [...DEAL_STEPS, ...STREET_STEPS], "O"),
    makeNamedRow("board", "no-burn", board || burns ? [...STREET_STEPS, ...(board ? BETTING_STEPS : [])] : [], "N"),
    makeRow("board", t("Two burns"), "double-burn", {}, burns ? STREET_STEPS : [], "D"),
    makeRow("board", t("Two board cards at once"), "two-exposed", { count: 2 }, board || burns ? STREET_STEPS : []),
    makeRow("board", t("1 card too many"), "board-extra", { count: 1 }, board ? [...STREET_STEPS, ...BETTING_STEPS, ...SHOWDOWN_STEPS] : []),
    makeRow("board", t("2 cards too many"), "board-extra", { count: 2 }, []),
    makeRow("card", t("Premature: 1 card"), "premature", { count: 1 }, BETTING_STEPS),
    ...(burn + cards > 1 ? [makeRow("card", burn ? t("Premature: burn and {n}", { n: cards }) : t("Premature: {n} cards", { n: cards }), "premature", { count: burn + cards }, BETTING_STEPS)] : []),
    makeNamedRow("player", "string-bet", BETTING_STEPS),
    ["player", t("Something at a seat…"), null, [...BETTING_STEPS, ...SHOWDOWN_STEPS, "deal"], "", () => openChoices(t("Which seat?"), makeSeatChoices(seated, openSeat))],
    makeRow("player", t("Bet too large: it should be…"), "overpot", {}, BETTING_STEPS, "", askAmount("overpot")),
    makeRow("player", t("Bet too small: it should be…"), "underbet", {}, BETTING_STEPS, "", askAmount("underbet")),
    makeSeatRow("player", t("Wrong player brought it in…"), t("Which seat opened?"), "wrong-opener", {}, stud ? BETTING_STEPS : []),
    makeNamedRow("player", "false-openers", [...BETTING_STEPS, "draw", ...SHOWDOWN_STEPS]),
    makeRow("card", t("Misread: it is…"), "misread", {}, [...DEAL_STEPS, ...STREET_STEPS, ...BETTING_STEPS, ...SHOWDOWN_STEPS, "return"], "", () => openCardPicker(t("The last card is…"), 1, ([card]) => report("misread", { card }))),
    makeRow("card", t("Put back into the stub"), "put-back", {}, ["return"]),
    ["card", t("Left the shoe unread"), { ev: "card" }, ["return"], "", () => enter({ ev: "card", card: null })],
    makeRow("card", t("Last card came face up"), "last-faceup", {}, stud ? DEAL_STEPS : []),
    makeRow("board", capitalize(formatLabel("joker")), "joker", { where: "board" }, []),
    makeRow("board", t("Same card twice"), "duplicate", { where: "board" }, SHOWDOWN_STEPS),
    makeNamedRow("deck", "stub-fouled", SHOWDOWN_STEPS),
    makeRow("deck", t("Not a proper deck"), "deck-defective", {}, [...IDLE_STEPS, ...SHOWDOWN_STEPS]),
    makeNamedRow("deck", "not-shuffled", [...IDLE_STEPS, "deal"]),
    makeNamedRow("deck", "exposed-cutting", [...IDLE_STEPS, "cut"]),
    makeRow("deck", t("Joker in the stub"), "joker", { where: "stub" }, IDLE_STEPS),
    makeRow("deck", t("Same card twice in the stub"), "duplicate", { where: "stub" }, []),
    makeRow("deck", t("Card of another deck in the stub"), "foreign-back", { where: "stub" }, []),
    makeRow("deck", t("Card missing"), "missing-card", { where: "stub" }, IDLE_STEPS),
    makeSeatRow("game", t("Button was wrong…"), t("Which seat?"), "button-wrong", { hand: undefined }, IDLE_STEPS),
    makeSeatRow("game", t("Button was wrong last hand…"), t("Which seat?"), "button-wrong", { hand: "previous" }, IDLE_STEPS),
    ...state.besides.filter((line) => line.seat === undefined).map((line) => { const [text, act] = makeAvailableEntryChoice(line, enter); return ["game", text, null, BESIDES_STEPS, "", act]; }),
    ...(state.table.rotation ? state.table.rotation.games.map((game) => makeEntryRow({ ev: "game", game }, t("Game: {game}", { game: formatGameName(game) }), IDLE_STEPS)) : []),
    ...(state.table.timer ? [
      makeEntryRow({ ev: "level" }, t("Next level"), []), makeEntryRow({ ev: "timer", set: "start" }, t("Timer: start"), []),
      makeEntryRow({ ev: "timer", set: "pause" }, t("Timer: pause"), []), makeEntryRow({ ev: "timer", set: "resume" }, t("Timer: resume"), []),
    ] : []),
  ];
  return rows.filter(([, , wanted]) => !wanted || isOffered(offered, wanted));
}

/* Those that go with the first step and have a letter, the most likely first, as [words, act, letter]: what a key has
   room for. The table is not asked for them. */
export function listFittingReports(state, enter, openSeat) {
  return splitReports(state, enter, openSeat).fitting.filter(([, , , , letter]) => letter).map(([, text, , , letter, act]) => [text, act, letter]);
}

/* Those that go with the first step, and the others, by what they are about. */
function splitReports(state, enter, openSeat, offered) {
  const step = state.table.next[0] ? state.table.next[0].step : "";
  const rows = listReports(state, enter, openSeat, offered), isFitting = ([, , , steps]) => steps.includes(step);
  return { fitting: rows.filter(isFitting), others: ABOUTS.flatMap((about) => rows.filter((row) => row[0] === about && !isFitting(row))) };
}

/* The sheet: six that may have happened now, and behind one key all the rest. */
export async function openReportSheet(getState, enter, openSeat) {
  const entry = getState().entry, offers = await fetchOffers(), state = getState();
  if (state.entry !== entry) return;
  const { fitting, others } = splitReports(state, enter, openSeat, offers && offers.lines);
  const ofThisMoment = others.filter(([, , , steps]) => steps === BESIDES_STEPS);
  const rows = [...ofThisMoment, ...fitting, ...others.filter((row) => !ofThisMoment.includes(row))], toKeys = (some) => some.map(([, text, , , , act]) => [text, act]);
  const rest = rows.slice(MAX_FITTING_REPORTS);
  const more = rest.length ? [[t("Something else…"), () => openChoices(t("What else happened?"), toKeys(rest)), "", "group first"]] : [];
  openChoices(t("What happened?"), [...toKeys(rows.slice(0, MAX_FITTING_REPORTS)), ...more], "six");
}
