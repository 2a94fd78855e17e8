/* The dealer's page: the keys, the ruling, and in simulation the showroom. */
import { drawFloorCall } from "./floor-call.js";
import { onContentChanged } from "./tap-guard.js";
import { describeRefusal, leaveOutCommands, t, translatePlural } from "./language.js";
import { listRoundEndings, makeActButtons, makeAmountButtons } from "./act-buttons.js";
import { $, appendSeat, capitalize, connect, drawTable, formatLabel, formatSeatTitle, isOverflowing, isRulingUnderWay, makeElement, makeStepList, refitMiddle, showFitting, showNext } from "./table.js";
import { openFloorSheet } from "./floor-sheet.js";
import { makeTurnUpActions } from "./floor-actions.js";
import { openPinSheet } from "./pin-sheet.js";
import { post, showPrincipal } from "./session.js";
import { findDueAward } from "./showdown.js";
import { openAmendSheet } from "./amend-sheet.js";
import { listFittingReports, makeAvailableEntryChoice, openReportSheet } from "./report-sheet.js";
import * as seatSheet from "./seat-sheet.js";
import { openAmountSheet, openNameSheet } from "./keypad.js";
import { holdAtMishap, openSimulationControls, postSimulation } from "./simulation-controls.js";
import { initScreenSettings } from "./screen-settings.js";
import { playNewSound } from "./sound.js";
import { declineTour, drawTour, offerTour, onTourKey } from "./tour.js";
import { closeSheet, openCardPicker, openChoices, openSheet } from "./sheet.js";

let state = null;
let isFloorSignedIn = false;  /* whether whoever is signed in may decide */
let lastReport = null;  /* what was reported with the last touch, until the table goes on */

const MAX_ANSWER_BUTTONS = 4;  /* keys beside each other with room for their words */

/* What is entered belongs to what was shown: its number goes along, and the table refuses a touch that came too late. */
async function enter(entered) {
  closeSheet();
  if ([entered].flat().some((line) => line.ev === "act")) declineTour(); // the amounts need its room
  const content = Array.isArray(entered) && entered.length > 1 ? { lines: entered } : { line: [entered].flat()[0] };
  lastReport = content.line && content.line.ev === "report" ? content.line : null;
  const answer = await post("/entry", { seen: state.entry, ...content });
  if (answer.ok) return true;
  const refusal = await answer.json().catch(() => ({ message: t("Not taken ({status}).", { status: answer.status }) }));
  showRefusal(describeRefusal(refusal), answer.status === 409 ? t("Touch again if it still holds.") : "");
  return false;
}

function showRefusal(message, advice, code) {
  const refusal = $("refusal");
  refusal.hidden = !message;
  refusal.querySelector(".message").textContent = capitalize(message || "");
  refusal.querySelector(".advice").textContent = advice || "";
  refusal.title = code || "";
  $("notices").hidden = Boolean(message) || !state || !listNotices().length;
}

/* The rank of a card decides that not everybody knows by the table: whoever reported it says which card everybody saw. */
function askForCard() {
  const { refusal } = state, reported = lastReport;
  if (reported && refusal && refusal.source === "page" && refusal.code === "card-unread") openCardPicker(t("Which card did everybody see?"), 1, ([card]) => enter({ ...reported, card }));
}

function report(what, more = {}) { return enter({ ev: "report", what, ...more }); }

/* A key: its text, what it does, the letter that does the same, and how it looks. */
function makeButton(text, act, letter = "", className = "") {
  const button = makeElement("button", className, text);
  button.type = "button";
  button.addEventListener("click", act);
  if (letter) {
    button.dataset.letter = letter;
    button.setAttribute("aria-keyshortcuts", letter);
    button.append(makeElement("kbd", "", letter));
  }
  return button;
}

const MAX_WINNER_KEYS = 4;
const listHoldingSeats = () => Object.keys(state.table.piles.seats).map(Number);
const isRoundTracking = () => state.setup.follow === "rounds";

function makeSeatChoices(seats, act) { return seats.map((seat) => [formatSeatTitle(seat), () => act(seat), String(seat)]); }

/* Reports that need a count come with it, so that one touch is enough. */
function makeReportChoices(what) {
  switch (what) {
    case "premature": {
      const { burn, cards } = state.coming || { burn: false, cards: 0 };
      const choices = [[t("Too early: 1 card"), () => report("premature", { count: 1 })]];
      if (burn + cards > 1) choices.push([burn ? t("Too early: burn and {n}", { n: cards }) : t("Too early: {n} cards", { n: cards }), () => report("premature", { count: burn + cards })]);
      return choices;
    }
    case "board-extra": return [[t("Board: 1 extra"), () => report("board-extra", { count: 1 })], [t("Board: 2 extra"), () => report("board-extra", { count: 2 })]];
    case "opened": return [[t("Somebody opened: who…"), () => openChoices(t("Who opened the pot?"), makeSeatChoices(listHoldingSeats(), (seat) => report("opened", { seat })))]];
    case "passed-out": return [[t("Nobody opened"), () => report("passed-out")]];
    case "acted": return [0, 1, 2, 3].flatMap((count) => [false, true].slice(0, count ? 2 : 1).map((chips) =>
      [!count ? t("Nobody acted") : chips ? t("{n} acted, chips in", { n: count }) : t("{n} acted", { n: count }), () => report("acted", { count, chips })]));
    case "misread": return makeUnreadCardChoices();
    case "two-exposed": return [[t("Two cards at once"), () => report("two-exposed", { count: 2 })]];
    default: return [[capitalize(formatLabel(what)), () => report(what)]];
  }
}

/* An open card that nothing read, of a seat or of the board: which it is. */
function makeUnreadCardChoices() {
  const unreadSeats = Object.entries(state.table.up || {}).filter(([, cards]) => cards.includes(null)).map(([seat]) => Number(seat));
  const pick = (text, place) => [text, () => openCardPicker(text, 1, ([card]) => report("misread", { ...place, card }))];
  const choices = unreadSeats.map((seat) => pick(t("The open card of seat {seat} is…", { seat }), { seat }));
  return choices.length ? choices : [pick(t("The last card is…"), {})];
}

/* A fault that a person must end. The table refuses whoever may not; the key says who may. */
function makeFaultOverButton(fault, i, places) {
  const roleText = state.simulation ? "" : ` (${fault.clears.map(formatLabel).join(", ")})`;
  const text = fault.code === "in-service" ? t("Back in service") : t("Over: {fault}", { fault: capitalize(formatLabel(fault.code)) });
  return makeWideButton(places, `${text}${roleText}`, () => enter({ ev: "device", id: fault.id, status: "back" }), String(i + 1), i ? "" : "main");
}

/* A key that takes so many of the eight places. */
function makeWideButton(places, text, act, letter, look) {
  const button = makeButton(text, act, letter, look);
  button.style.gridColumn = `span ${places}`;
  return button;
}

/* The one key that says that what is first is done; others stand beside it. */
const makeNextButton = (text, line) => makeWideButton(4, text, () => enter(line), "Enter", "main");

/* Answers to a question, with room for their words; what has none is in a sheet. */
function makeAnswerButtons(title, keys) {
  const shownKeys = keys.length > MAX_ANSWER_BUTTONS ? [...keys.slice(0, MAX_ANSWER_BUTTONS - 1), [t("More…"), () => openChoices(title, keys)]] : keys;
  return shownKeys.map(([text, act], i) => makeButton(text, act, String(i + 1), i ? "" : "main"));
}

/* What a touch says that carries out several steps by hand. */
function describeTogether(steps) {
  const names = { n: steps.length, steps: [...new Set(steps.map((step) => formatLabel(step.step)))].join(", ") };
  return steps.length === 2 ? t("Both done: {steps}", names) : t("All {n} done: {steps}", names);
}

const MANUAL_STEPS = ["return", "shuffle", "cut", "move", "discard"];

function makeDoneButtons(steps) {
  const later = steps.findIndex((step) => !MANUAL_STEPS.includes(step.step));
  const together = later < 0 ? steps.length : later;
  const buttons = [makeNextButton(t("Done"), { ev: "done" })];
  if (together > 1) buttons.push(makeWideButton(4, describeTogether(steps.slice(0, together)), () => enter(steps.slice(0, together).map(() => ({ ev: "done" }))), "A"));
  return buttons;
}

/* The pots are pushed: the last of them ends the hand, and the same touch may begin the next. What the house takes of
   them is dropped with the first, by the same touch. */
function makePotPushedButtons(steps) {
  const isUnread = Boolean(findDueAward(state.showdown)?.unread);
  if (isUnread && steps[0].step === "award") return makeWinnerKeys(steps[0]);
  const drops = steps[0].step === "collect" ? [{ ev: "done" }] : [];
  const pots = steps.slice(drops.length).filter((step) => step.step === "award").map(() => ({ ev: "done" }));
  const last = pots.length === steps.length - drops.length;
  if (drops.length && !pots.length) return [makeWideButton(4, t("Dropped"), () => enter(drops), "Enter", "main"), ...(last ? [makeWideButton(3, t("Dropped, next hand"), () => enter([...drops, { ev: "start" }]), "A")] : [])];
  if (drops.length && (isUnread || !steps[1].seats)) return [makeWideButton(4, t("Dropped"), () => enter(drops), "Enter", "main"), makeWinnerButton(steps[1], drops)];
  const allText = pots.length === 2 ? t("Both pushed, next hand") : translatePlural("Pushed, next hand", "All {n} pushed, next hand", pots.length);
  const first = drops.length ? t("Dropped, pot pushed") : t("Done: pot pushed");
  const buttons = [makeWideButton(last ? 3 : 6, first, () => enter([...drops, ...pots.slice(0, 1)]), "Enter", "main")];
  if (last) buttons.push(makeWideButton(3, allText, () => enter([...drops, ...pots, { ev: "start" }]), "A"));
  return [...buttons, makeWinnerButton(steps[drops.length])];
}

/* Who won a pot that the table cannot tell; `lines` go before. */
const makeWon = (award, seat) => ({ ev: "won", seat, pot: award.pot, ...(award.board === undefined ? {} : { board: award.board }) });
const openWinnerChoices = (award, lines) => openChoices(t("Who won this pot?"), makeSeatChoices(listHoldingSeats(), (seat) => enter([...lines, makeWon(award, seat)])));
const makeWinnerButton = (award, lines = []) => makeWideButton(2, t("Winner…"), () => openWinnerChoices(award, lines), "N");

/* A key a seat, where there is room for all. */
function makeWinnerKeys(award) {
  const seats = award.seats || listHoldingSeats();
  if (seats.length > MAX_WINNER_KEYS) return [makeWideButton(4, t("Winner…"), () => openWinnerChoices(award, []), "N", "main")];
  return seats.map((seat, i) => makeWideButton(2, t("Seat {seat} wins", { seat }), () => enter(makeWon(award, seat)), String(i + 1)));
}

/* A seat does not pay; where the book lets nobody decline while several wait for a seat, the dealer says how many do. */
function declineCharge(seat) {
  const enterDecline = (more) => enter({ ev: "collect", seat, paid: false, ...more });
  const most = state.notice && state.notice.most_waiting;
  if (most === null || most === undefined) return enterDecline({});
  const counts = Array.from({ length: most + 1 }, (_, n) => [n ? translatePlural("1 waits", "{n} wait", n) : t("Nobody waits"), () => enterDecline({ waiting: n })]);
  return openChoices(t("Seat {seat} declines: who waits for a seat?", { seat }), [...counts, [t("More wait"), () => enterDecline({ waiting: most + 1 })]]);
}

/* What a seat can do about its time charge: it pays or declines now; after it was dealt out it pays and comes in. */
function makeChargeChoices(seat, occupant) {
  const paid = { ev: "collect", seat };
  if (state.table.next.some((step) => step.step === "collect" && step.seat === seat)) return [[t("Pays its time"), () => enter(paid)], [t("Declines to pay"), () => declineCharge(seat)]];
  if (!occupant || !occupant.unpaid) return [];
  const posts = occupant.away && !state.table.next.length ? [[t("Has paid its time, and posts"), () => enter([paid, { ev: "away", seat }, { ev: "back", seat, post: true }])]] : [];
  return [[t("Has paid its time"), () => enter(paid)], ...posts];
}

/* Each player pays for its time, or declines: all at once, or the first alone. */
function makeTimeChargeButtons(steps) {
  const due = steps.filter((step) => step.step === "collect"), [{ seat }] = due;
  return [
    makeWideButton(3, t("Seat {seat} has paid", { seat }), () => enter({ ev: "done" }), "Enter", "main"),
    ...(due.length > 1 ? [makeWideButton(3, due.length === 2 ? t("Both have paid") : t("All {n} have paid", { n: due.length }), () => enter(due.map(() => ({ ev: "done" }))), "A")] : []),
    makeWideButton(2, t("Declines…"), () => openChoices(t("Who does not pay?"), makeSeatChoices(due.map((step) => step.seat), declineCharge)), "D"),
  ];
}

/* What ends a halt, in one row. In simulation nobody has a hand at the cable: a key plugs it in, before all else. */
function makeHaltButtons() {
  if (state.simulation?.faults.includes("plug")) return [makeWideButton(4, t("Plug the reader in again"), () => postSimulation({ do: "fault", fault: "plug" }), "Enter", "main")];
  const faults = state.faults.filter((fault) => fault.id);
  return faults.map((fault, i) => makeFaultOverButton(fault, i, faults.length > 2 ? 2 : 4));
}

function makeNowButtons() {
  const table = state.table, step = table.next[0];
  if (table.phase === "halted") return makeHaltButtons();
  if (!step) return [makeNextButton(t("Start the hand"), { ev: "start" })];
  const shows = table.next.filter((each) => each.step === "show").map(({ seat }) => ({ ev: "show", seat }));
  switch (step.step) {
    case "act": return makeActButtons(step, state, makeButton, enter);
    case "bet": return [makeNextButton(t("Betting is over"), { ev: "closed" })];
    case "draw": return step.discard ? [makeNextButton(t("Thrown away: {n}", { n: step.discard }), { ev: "draw", seat: step.seat, discard: step.discard })] : [0, 1, 2, 3, 4, 5].map((n) => makeButton(n ? t("Draw {n}", { n }) : t("Pat"), () => enter({ ev: "draw", seat: step.seat, discard: n }), String(n)));
    case "show": return isRoundTracking() ? [
      makeWideButton(2, t("Showdown is over"), () => enter({ ev: "done" }), "Enter", "main"),
      makeWideButton(2, t("Over, next hand"), () => enter([{ ev: "done" }, { ev: "start" }]), "A"),
      makeWideButton(2, t("Seat {seat} shows", { seat: step.seat }), () => enter({ ev: "show", seat: step.seat }), "S"),
      makeWideButton(2, t("Winner…"), () => openChoices(t("Who won the pot?"), makeSeatChoices(listHoldingSeats(), (seat) => enter({ ev: "won", seat, pot: 0 }))), "N"),
    ] : state.showdown?.asked.includes(step.seat) ? [
      makeWideButton(4, t("Seat {seat} shows, cards…", { seat: step.seat }), () => openShownCards(step.seat), "Enter", "main"),
      makeWideButton(2, t("Shows, not named"), () => enter({ ev: "show", seat: step.seat }), "A"),
      makeWideButton(2, t("Mucks"), () => enter({ ev: "muck", seat: step.seat }), "K"),
    ] : [
      makeNextButton(t("Seat {seat} shows", { seat: step.seat }), { ev: "show", seat: step.seat }),
      ...(shows.length > 1 ? [makeWideButton(2, shows.length === 2 ? t("Both show") : t("All {n} show", { n: shows.length }), () => enter(shows), "A")] : []),
      makeWideButton(2, t("Mucks"), () => enter({ ev: "muck", seat: step.seat }), "K"),
    ];
    case "collect": return step.seat ? makeTimeChargeButtons(table.next) : makePotPushedButtons(table.next);
    case "award": return makePotPushedButtons(table.next);
    case "floor": return isFloorSignedIn ? step.options.flatMap((option, i) => makeFloorButtons(step, option, i)) : [makeWideButton(4, t("Call the floor"), callFloor, "L", "main"), makeWideButton(4, t("The floor decides…"), openFloorDecision, "I")];
    case "hold": return [makeWideButton(4, t("Call the floor"), callFloor, "L", "main"), makeWideButton(4, t("The floor decides…"), openFloorDecision, "I")];
    case "say": return makeAnswerButtons(t("What happened?"), step.options.flatMap(makeReportChoices));
    case "deal": case "burn": case "board": return listFittingReports(state, enter, openSeatSheet).slice(0, 4).map(([text, act, letter]) => makeWideButton(2, text, act, letter));
    default: return makeDoneButtons(table.next);
  }
}

function makeFloorButtons(step, option, i) {
  const decide = (more) => enter({ ev: "floor", decide: option, ...more });
  if (step.question === "false-openers" && option === "play-on") return [makeButton(t("Another declares it open…"), () => openChoices(t("Who, not having passed?"), makeSeatChoices(listHoldingSeats(), (seat) => decide({ seat }))), String(i + 1))];
  if (option === "turned-up") return makeTurnUpActions(state.table, enter, step).map(([, , act], n) => makeButton(n ? t("Another card…") : t("Floor: turned up"), act, n ? "C" : String(i + 1)));
  if (option !== "dead-hand") return [makeButton(t("Floor: {decision}", { decision: formatLabel(option) }), () => decide({}), String(i + 1))];
  return [makeButton(t("Floor: dead hand…"), () => openChoices(t("Whose hand is dead?"), makeSeatChoices(listHoldingSeats(), (seat) => decide({ seat }))), String(i + 1))];
}

/* A seat shows cards that nothing has read: which they are, the dealer says. */
const openShownCards = (seat) => openCardPicker(t("Seat {seat} shows…", { seat }), state.table.piles.seats[seat] || 0, (cards) => enter({ ev: "show", seat, cards }));

/* Everything that concerns one seat; of who sits there what the page adds to it. */
function openSeatSheet(seat) {
  const occupant = state.players[seat], isBetween = !state.table.next.length;
  const chips = occupant && state.table.stacks ? makeStackChoices(seat) : [], charges = makeChargeChoices(seat, occupant);
  const besides = isBetween ? [] : state.besides.filter((line) => line.seat === seat).map((line) => makeAvailableEntryChoice(line, enter));
  const first = [...charges, ...besides, ...(isBetween ? chips : [])], sits = occupant ? [] : makeSitChoices(seat);
  return seatSheet.openSeatSheet(seat, () => state, enter, { first, sits, rest: isBetween ? [] : chips });
}

/* A newcomer: with the usual buy-in at once, or with a name and any amount by the pad. */
function makeSitChoices(seat) {
  const usual = state.table.stacks ? { stack: computeBuyIn() } : {};
  const sit = (more) => enter({ ev: "sit", seat, ...more });
  const askName = (more = {}) => openNameSheet(t("Seat {seat}: the player's name", { seat }), (player) => {
    const newcomer = { ...(player ? { player } : {}), ...more };
    if (state.table.stacks) openAmountSheet(t("Seat {seat}: how many chips?", { seat }), (stack) => sit({ ...newcomer, stack })); else sit(newcomer);
  });
  return [
    [usual.stack ? t("Sits down with {chips}", { chips: usual.stack }) : t("Sits down"), () => sit(usual)], [usual.stack ? t("Sits down: name, chips…") : t("Sits down: name…"), () => askName()],
    [t("Sits down and posts"), () => sit({ ...usual, post: true })], [usual.stack ? t("Posts: name, chips…") : t("Posts: name…"), () => askName({ post: true })],
  ];
}

/* Chips of any amount: between hands as they are now, in a hand as they should have been when it began. */
function makeStackChoices(seat) {
  const chips = state.table.stacks[seat] || 0;
  if (!state.table.next.length) return [
    [t("Adds chips…"), () => openAmountSheet(t("Seat {seat} has {chips} and adds:", { seat, chips }), (more) => enter({ ev: "stack", seat, stack: chips + more }))],
    [t("Set the stack…"), () => openAmountSheet(t("Seat {seat} has {chips}; it should be:", { seat, chips }), (stack) => enter({ ev: "stack", seat, stack }))],
  ];
  return [[t("Starting stack was wrong…"), () => openAmountSheet(t("Seat {seat} began this hand with:", { seat }), (stack) => amendStartingStack(seat, stack))]];
}

async function amendStartingStack(seat, stack) {
  const answer = await fetch("/entries");
  const start = answer.ok && (await answer.json()).entries.findLast((each) => each.told.ev === "start");
  if (start) enter({ ev: "amend", before: start.entry, to: { ev: "stack", seat, stack } });
  else showRefusal(t("The entries of this hand cannot be read."), t("Use Put right…."));
}

function computeBuyIn() {
  const betting = state.setup.betting;
  return 100 * (betting.big_blind || betting.small_bet || 2);
}

const openFloorDecision = () => openFloorSheet({ state: () => state, enter, refuse: showRefusal, changed: drawPrincipal });

/* A call that was put aside stays as a key beside the ruling, until the floor is here. */
let isCallAside = false;
const makeFloorKey = () => (state.floor_called ? makeButton(t("The floor is here"), greetFloor, "L", "called") : makeButton(t("Call the floor"), callFloor, "L"));

function greetFloor() {
  post("/call", { wanted: false });
  openFloorDecision();
}

function callFloor() {
  closeSheet();
  post("/call", { wanted: true });
}

const alwaysButtons = [
  makeButton(t("What happened?"), () => openReportSheet(() => state, enter, openSeatSheet), "M"),
  makeButton(t("Put right…"), () => openAmendSheet(enter, listHoldingSeats(), showRefusal), "T"),
  makeButton(t("Undo"), () => enter({ ev: "undo" }), "U"),
];
$("always").append(...alwaysButtons);

/* A time extension on the shot clock that runs, where its seat has one left. */
const makeTimeExtensionButtons = () => state.besides.filter((line) => line.ev === "clock").map((line) => makeButton(t("More time"), () => enter(line), "Y"));

/* The steps of a ruling begin with what the large line says, also where the regular deal goes on before them. */
function prependDueStep(steps) {
  const due = state.table.next[0], first = steps.findIndex((step) => !step.done);
  if (!due || state.table.phase === "halted" || steps[first].text === due.text) return steps;
  return [...steps.slice(0, first), { text: due.text, done: false }, ...steps.slice(first)];
}

function drawRuling() {
  const section = $("ruling"), body = section.querySelector(".body"), back = state.remedy.taken_back;
  const ofThisHand = state.ruled_in === state.table.hand, rulings = ofThisHand ? state.rulings : [];
  const underWay = isRulingUnderWay(state);
  section.classList.toggle("under-way", underWay);
  section.classList.toggle("taken-back", back);
  section.classList.remove("close");
  const heading = back ? t("Taken back") : underWay ? t("Do this") : t("Last ruling");
  section.querySelector("h2").textContent = rulings.length ? t("{heading} – hand {hand}", { heading, hand: state.ruled_in }) : t("Last ruling");
  if (!rulings.length) {
    const none = makeElement("p", "none", t("None in this hand."));
    $("answers").replaceChildren(...makeTimeExtensionButtons(), makeFloorKey());
    showFitting([...showCloser(section, () => body.replaceChildren(none)), ...giveWay(body)], (show) => show(), () => isOverflowing(body));
    return;
  }
  const cites = [...new Set(rulings.flatMap((ruling) => ruling.cite))];
  $("answers").replaceChildren(makeButton(t("§ Clause"), () => showClauses(cites), "P", "cite"), ...makeTimeExtensionButtons(), makeFloorKey());
  const whats = rulings.map((ruling) => {
    const what = makeElement("p", "what", `${appendSeat(capitalize(formatLabel(ruling.finding)), ruling.seat)}: `);
    what.append(makeElement("b", "verdict", formatLabel(ruling.verdict)));
    if (back) what.dataset.heading = `${t("Taken back")}: `; // for where the heading has no room
    return what;
  });
  const steps = underWay ? prependDueStep(state.remedy.steps) : state.remedy.steps;
  const due = steps.filter((step) => !step.done).length;
  const whys = rulings.map((ruling) => makeElement("p", "why", capitalize(leaveOutCommands(ruling.text))));
  /* All of it, or as many of the steps, or else of the rulings, as there is room for; the rest is told with the clause. */
  const stepList = (count) => makeStepList(steps, underWay ? count : null, back);
  const countDown = (most) => [...Array(most).keys()].map((n) => most - n);
  const showRulings = (count) => body.replaceChildren(...whats.slice(0, count).flatMap((what, n) => [what, whys[n]]));
  const showSteps = (count, texts = []) => body.replaceChildren(...whats, stepList(count), ...texts);
  const variants = [() => showSteps(due, whys), ...(underWay ? countDown(due).map((count) => () => showSteps(count)) : countDown(whys.length).map((count) => () => showRulings(count)))];
  const least = [...(underWay ? [] : showCloser(section, () => showRulings(1))), ...showCloser(section, () => body.replaceChildren(whats[0]))];
  showFitting([...variants, ...least, ...giveWay(body)], (show) => show(), () => isOverflowing(body));
}

/* The same below its heading, and then without. */
const showCloser = (section, show) => [false, true].map((isClose) => () => { section.classList.toggle("close", isClose); show(); });

/* No room for one line: none is better than half of it. What is more urgent has the room, and the key of its clause tells the ruling. */
const giveWay = (body) => [() => body.replaceChildren()];

function showClauses(cites) {
  const body = makeElement("div", "clause");
  for (const ruling of state.rulings) body.append(makeElement("p", "then", capitalize(leaveOutCommands(ruling.text))));
  for (const cite of cites) {
    const cases = state.clauses[cite] || [];
    body.append(makeElement("p", "section", cases.length ? `${cases[0].book}: ${cases[0].section} (${cite})` : t("{cite} is not in the catalogue.", { cite })));
    for (const each of cases) body.append(makeElement("p", "when", each.when), makeElement("p", "then", `→ ${each.then}`));
  }
  body.append(makeElement("p", "none", t("{book}, in our words; the printed rulebook decides.", { book: state.setup.rulebook })));
  openSheet(t("The clause"), body);
}

/* What is still so: that the program was cut short is over with the first entry. */
function listNotices() {
  const short = state.power_lost || state.faults.some((fault) => fault.code === "power-lost");
  const dealers = (notice) => !/^(room|shown)-/.test(notice.code) && (notice.code !== "power-lost" || short);
  return state.notices.filter(dealers).slice(0, 2);
}

function drawRefusal() {
  const refused = state.refusal;
  showRefusal(refused ? leaveOutCommands(refused.message) : "", refused ? refused.dealer : "", refused ? refused.code : "");
}

function drawSidePanel() {
  const simulation = state.simulation;
  const empty = simulation && simulation.empty ? [makeElement("li", "", t("The simulated shoe is empty. Finish the hand by keys, or undo back to its start."))] : [];
  $("notices").querySelector("ul").replaceChildren(...empty, ...listNotices().map((notice) => makeElement("li", "", `${notice.text} ${notice.dealer || ""}`)));
  $("simulation").hidden = !simulation;
  if (simulation) {
    $("play").textContent = simulation.playing ? t("Pause") : t("Play");
    $("play").dataset.wish = simulation.playing ? "pause" : "play";
    if (document.activeElement !== $("speed")) $("speed").value = String(simulation.speed);
  }
  holdAtMishap(state);
  drawTour(state); // before the ruling, which takes the room that is left
  drawRuling();
}

function drawButtons() {
  const focused = document.activeElement && $("now").contains(document.activeElement);
  const buttons = makeNowButtons(), step = state.table.next[0];
  $("now").replaceChildren(...buttons);
  $("now").dataset.kind = ["say", "draw"].includes(step && step.step) || (step && step.step === "floor" && isFloorSignedIn) ? "answers" : "places";
  if (focused && buttons.length) buttons[0].focus();
  drawRoundButtons(step);
  fitButtons();
}

/* Words that are long for their key are written closer; the last of these is smaller, too. */
const CLOSER = ["", "narrow", "narrowest", "least"];
function fitButtons() {
  for (const button of document.querySelectorAll(":is(#now, #always, #all, #totals) button")) {
    showFitting(CLOSER, (look) => { button.classList.remove(...CLOSER.filter(Boolean)); if (look) button.classList.add(look); }, () => isOverflowing(button));
  }
}

/* Beside the table: what ends the round by one touch, and amounts for whoever acts. */
function drawRoundButtons(step) {
  const acts = Boolean(step) && step.step === "act" && state.table.phase !== "halted";
  const endings = acts ? listRoundEndings(step.seat, state) : [];
  $("all").replaceChildren(...endings.map(([text, lines, letter]) => {
    const button = makeButton(text, () => enter(lines), letter);
    button.style.gridArea = `1 / ${"EVJ".indexOf(letter) + 1}`;
    return button;
  }));
  const amounts = acts ? makeAmountButtons(step, state, makeButton, enter) : [];
  $("totals").replaceChildren(...amounts);
  $("totals").hidden = !amounts.length;
}

function draw(publication) {
  const hasMoved = !state || publication.entry !== state.entry;
  state = publication;
  playNewSound(state.sound);
  onContentChanged(JSON.stringify(state.table.next[0] || ""));
  isCallAside = isCallAside && state.floor_called;
  const isCallShown = Boolean(state.floor_called) && !isCallAside;
  if ($("called").hidden === isCallShown) {
    $("called").hidden = !isCallShown;
    if (isCallShown) $("floor-came").focus();
  }
  document.body.dataset.ruling = String(isRulingUnderWay(state)); // first: how wide the table is says what fits on it
  const wasRefused = !$("refusal").hidden;
  drawRefusal(); // before the keys, which it takes the room of
  if (hasMoved || !$("now").children.length) drawButtons(); // first: the large line is as large as they leave room for
  else if (wasRefused === $("refusal").hidden) fitButtons();
  drawTable(state, true);
  drawFloorCall($("called").querySelector("strong"), t("FLOOR, PLEASE"), state.floor_called);
  if (hasMoved) closeSheet(true);
  drawSidePanel();
  refitMiddle(state);
  askForCard();
  lastReport = hasMoved || state.refusal ? null : lastReport;
  document.body.dataset.entry = state.entry;
}

/* One touch: in a round that is told as a whole the seat folds; else what may be said of the seat. */
function tapSeat(seat) {
  const step = state.table.next[0];
  if (step && step.step === "bet" && state.table.phase === "bet" && step.seats.includes(seat)) enter({ ev: "act", seat, do: "fold" });
  else openSeatSheet(seat);
}

$("seats").addEventListener("click", (event) => {
  const tile = event.target.closest("[data-seat]");
  if (tile) tapSeat(Number(tile.dataset.seat));
});
$("floor-came").addEventListener("click", greetFloor);
$("put-aside").addEventListener("click", () => { isCallAside = true; $("called").hidden = true; });
$("play").addEventListener("click", () => postSimulation({ do: $("play").dataset.wish }));
$("step").addEventListener("click", () => postSimulation({ do: "step" }));
$("speed").addEventListener("change", () => postSimulation({ do: "speed", speed: Number($("speed").value) }));
onTourKey(drawSidePanel);
$("showroom").addEventListener("click", () => openSimulationControls(state, () => { closeSheet(); offerTour(); }));

/* Keyboard: the letter on a key presses it, first in an open sheet, then on the page. Whoever uses one sees the letters, and whoever
   has used one at this screen since it was switched on. */
const KEYBOARD_KEY = "keyboard";
function showLetters() {
  document.body.dataset.keyboard = "";
  sessionStorage.setItem(KEYBOARD_KEY, "yes");
}
if (sessionStorage.getItem(KEYBOARD_KEY)) showLetters();
document.addEventListener("keydown", (event) => {
  showLetters();
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.target.tagName === "SELECT") return;
  if (event.key === "Enter" && event.target.tagName === "BUTTON") return;
  const name = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const place = $("sheet").open ? $("sheet") : document;
  const found = [...place.querySelectorAll("[data-letter]")].find((button) => button.dataset.letter === name && !button.disabled);
  if (!found) return;
  event.preventDefault();
  found.click();
});

/* Who is signed in; beside a dealer's name the key by which the next one takes over. */
let lastWhoRequest = 0;
function drawPrincipal() {
  const mine = lastWhoRequest += 1;
  showPrincipal($("who"), (principal) => {
    if (mine !== lastWhoRequest) return;
    const was = isFloorSignedIn;
    isFloorSignedIn = principal.roles.includes("floor");
    $("push").hidden = principal.showroom || !principal.roles.includes("dealer");
    if (state && was !== isFloorSignedIn) drawButtons();
  }, () => mine === lastWhoRequest);
}
$("push").addEventListener("click", () => openPinSheet(t("Who deals now?"), "dealer", drawPrincipal));
drawPrincipal();
initScreenSettings(() => { if (state) drawTable(state, true); });
connect(draw);
