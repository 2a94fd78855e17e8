/* The dealer's page: the keys, the ruling, and in simulation the showroom. */
import { drawCall } from "./floor-call.js";
import { changed } from "./tap-guard.js";
import { counted, reason, t } from "./language.js";
import { actKeys, between, chooseAmount, endsOfRound, inWords, stepAhead, totalKeys } from "./act-buttons.js";
import { $, atSeat, capital, connect, cut, drawTable, element, fitted, say, seatKey, ticked, words } from "./table.js";
import { openFloor } from "./floor-sheet.js";
import { askWho } from "./pin-sheet.js";
import { post, showWho } from "./session.js";
import { openEntries } from "./amend-sheet.js";
import { besidesKey, fitting, openHappened } from "./report-sheet.js";
import { named, typed } from "./keypad.js";
import { openShowroom, wish } from "./simulation-controls.js";
import { settings } from "./screen-settings.js";
import { hear } from "./sound.js";
import { choose, closeSheet, openSheet, picksCards } from "./sheet.js";

let state = null;
let floorHere = false;  /* whether whoever is signed in may decide */
let ahead = null;  /* the seat further on that was touched: all between fold, once a key says what it does */

const ANSWERS = 6;  /* keys beside each other with room for their words */

/* What is entered belongs to what was shown: its number goes along, and the table refuses a touch that came too late. */
async function enter(entered) {
  closeSheet();
  const what = Array.isArray(entered) && entered.length > 1 ? { lines: entered } : { line: [entered].flat()[0] };
  const answer = await post("/entry", { seen: state.entry, ...what });
  if (answer.ok) return true;
  const why = await answer.json().catch(() => ({ message: t("Not taken ({status}).", { status: answer.status }) }));
  refuse(reason(why), answer.status === 409 ? t("Touch again if it still holds.") : "");
  return false;
}

function refuse(message, advice, code) {
  const refusal = $("refusal");
  refusal.hidden = !message;
  refusal.querySelector(".message").textContent = capital(message || "");
  refusal.querySelector(".advice").textContent = [advice, code ? `(${code})` : ""].filter(Boolean).join(" ");
  $("notices").hidden = Boolean(message) || !state || !notices().length;
}

function report(what, more = {}) { return enter({ ev: "report", what, ...more }); }

/* A key: its text, what it does, the letter that does the same, and how it looks. */
function key(text, act, letter = "", className = "") {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", act);
  if (letter) {
    made.dataset.letter = letter;
    made.setAttribute("aria-keyshortcuts", letter);
    made.append(element("kbd", "", letter));
  }
  return made;
}

const holding = () => Object.keys(state.table.piles.seats).map(Number);
const byRounds = () => state.setup.follow === "rounds";

function seatKeys(seats, act) { return seats.map((seat) => [seatKey(seat), () => act(seat), String(seat)]); }

/* Reports that need a count come with it, so that one touch is enough. */
function reportKeys(what) {
  switch (what) {
    case "premature": {
      const { burn, cards } = state.coming || { burn: false, cards: 0 };
      const made = [[t("Too early: 1 card"), () => report("premature", { count: 1 })]];
      if (burn + cards > 1) made.push([burn ? t("Too early: burn and {n}", { n: cards }) : t("Too early: {n} cards", { n: cards }), () => report("premature", { count: burn + cards })]);
      return made;
    }
    case "board-extra": return [[t("Board: 1 extra"), () => report("board-extra", { count: 1 })], [t("Board: 2 extra"), () => report("board-extra", { count: 2 })]];
    case "opened": return [[t("Somebody opened: who…"), () => choose(t("Who opened the pot?"), seatKeys(holding(), (seat) => report("opened", { seat })))]];
    case "passed-out": return [[t("Nobody opened"), () => report("passed-out")]];
    case "acted": return [0, 1, 2, 3].flatMap((count) => [false, true].slice(0, count ? 2 : 1).map((chips) =>
      [!count ? t("Nobody acted") : chips ? t("{n} acted, chips in", { n: count }) : t("{n} acted", { n: count }), () => report("acted", { count, chips })]));
    case "two-exposed": return [[t("Two cards at once"), () => report("two-exposed", { count: 2 })]];
    default: return [[capital(words(what)), () => report(what)]];
  }
}

/* A fault that a person must end. The table refuses whoever may not; the key says who may. */
function overKey(fault, i) {
  const who = state.simulation ? "" : ` (${fault.clears.map(words).join(", ")})`;
  const text = fault.code === "in-service" ? t("Back in service") : t("{fault} is over", { fault: capital(words(fault.code)) });
  return key(`${text}${who}`, () => enter({ ev: "device", id: fault.id, status: "back" }), String(i + 1), i ? "" : "main");
}

/* A key that takes so many of the eight places. */
function wide(places, text, act, letter, look) {
  const made = key(text, act, letter, look);
  made.style.gridColumn = `span ${places}`;
  return made;
}

/* The one key that says that what is first is done; others stand beside it. */
const next = (text, line) => wide(4, text, () => enter(line), "Enter", "main");

/* Answers to a question, with room for their words; what has none is in a sheet. */
function answers(title, keys) {
  const shown = keys.length > ANSWERS ? [...keys.slice(0, ANSWERS - 1), [t("More…"), () => choose(title, keys)]] : keys;
  return shown.map(([text, act], i) => key(text, act, String(i + 1), i ? "" : "main"));
}

const BY_HAND = ["return", "shuffle", "cut", "move", "discard"];

function doneKeys(steps) {
  const later = steps.findIndex((step) => !BY_HAND.includes(step.step));
  const together = later < 0 ? steps.length : later;
  const made = [next(t("Done"), { ev: "done" })];
  if (together > 1) made.push(wide(4, t("All {n} done: {steps}", { n: together, steps: steps.slice(0, together).map((step) => words(step.step)).join(", ") }), () => enter(steps.slice(0, together).map(() => ({ ev: "done" }))), "A"));
  return made;
}

/* The pots are pushed: the last of them ends the hand, and the same touch may begin the next. */
function pushedKeys(steps) {
  const pots = steps.filter((step) => step.step === "award").map(() => ({ ev: "done" }));
  const last = pots.length === steps.length, all = counted("Pushed, next hand", "All {n} pushed, next hand", pots.length);
  const made = [wide(last ? 3 : 6, t("Done: pot pushed"), () => enter({ ev: "done" }), "Enter", "main")];
  if (last) made.push(wide(3, all, () => enter([...pots, { ev: "start" }]), "A"));
  return made;
}

function nowKeys() {
  const table = state.table, step = table.next[0];
  if (table.phase === "halted") return state.faults.filter((fault) => fault.id).map(overKey);
  if (!step) return [next(t("Start the hand"), { ev: "start" })];
  const shows = table.next.filter((each) => each.step === "show").map(({ seat }) => ({ ev: "show", seat }));
  switch (step.step) {
    case "act": {
      if (ahead === null) return actKeys(step, state, key, enter);
      const before = between(ahead, state);
      if (before.filter((line) => line.do === "fold").length + 1 === holding().length) return [wide(8, t("All fold: the pot is seat {seat}'s", { seat: ahead }), () => enter(before), "Enter", "main")];
      return actKeys(stepAhead(ahead, state), state, key, enter, before);
    }
    case "bet": return [next(t("Betting is over"), { ev: "closed" })];
    case "draw": return step.discard ? [next(t("Thrown away: {n}", { n: step.discard }), { ev: "draw", seat: step.seat, discard: step.discard })] : [0, 1, 2, 3, 4, 5].map((n) => key(n ? t("Draw {n}", { n }) : t("Pat"), () => enter({ ev: "draw", seat: step.seat, discard: n }), String(n)));
    case "show": return byRounds() ? [
      wide(2, t("Showdown is over"), () => enter({ ev: "done" }), "Enter", "main"),
      wide(2, t("Over, next hand"), () => enter([{ ev: "done" }, { ev: "start" }]), "A"),
      wide(2, t("Seat {seat} shows", { seat: step.seat }), () => enter({ ev: "show", seat: step.seat }), "S"),
      wide(2, t("Winner…"), () => choose(t("Who won the pot?"), seatKeys(holding(), (seat) => enter({ ev: "won", seat, pot: 0 }))), "N"),
    ] : [
      next(t("Seat {seat} shows", { seat: step.seat }), { ev: "show", seat: step.seat }),
      ...(shows.length > 1 ? [wide(2, t("All {n} show", { n: shows.length }), () => enter(shows), "A")] : []),
      wide(2, t("Mucks"), () => enter({ ev: "muck", seat: step.seat }), "K"),
    ];
    case "award": return [
      ...pushedKeys(table.next),
      wide(2, t("Winner…"), () => choose(t("Who won this pot?"), seatKeys(holding(), (seat) => enter({ ev: "won", seat, pot: step.pot, board: step.board }))), "N"),
    ];
    case "floor": return floorHere ? step.options.flatMap((option, i) => floorKey(step, option, i)) : [wide(4, t("Call the floor"), callFloor, "L", "main"), wide(4, t("The floor decides…"), floorDecides, "I")];
    case "hold": return [wide(4, t("Call the floor"), callFloor, "L", "main"), wide(4, t("The floor decides…"), floorDecides, "I")];
    case "say": return answers(t("What happened?"), step.options.flatMap(reportKeys));
    case "deal": case "burn": case "board": return fitting(state, enter, openSeat).slice(0, 4).map(([text, act, letter]) => wide(2, text, act, letter));
    default: return doneKeys(table.next);
  }
}

function floorKey(step, option, i) {
  const decide = (more) => enter({ ev: "floor", decide: option, ...more });
  if (step.question === "false-openers" && option === "play-on") return [key(t("Another declares it open…"), () => choose(t("Who, not having passed?"), seatKeys(holding(), (seat) => decide({ seat }))), String(i + 1))];
  if (option !== "dead-hand") return [key(t("Floor: {decision}", { decision: words(option) }), () => decide({}), String(i + 1))];
  return [key(t("Floor: dead hand…"), () => choose(t("Whose hand is dead?"), seatKeys(holding(), (seat) => decide({ seat }))), String(i + 1))];
}

/* Everything that concerns one seat: touch the seat, then the key. */
function openSeat(seat) {
  const held = state.table.piles.seats[seat] || 0, who = state.players[seat];
  const keys = [];
  for (let nth = 1; nth <= Math.min(held, 7); nth += 1) keys.push([held === 1 ? t("Card exposed") : t("Card {n} exposed", { n: nth }), () => report("exposed", { seat, nth })]);
  if (held) {
    keys.push(
      [t("Player showed a card"), () => report("exposed", { seat, by: "player" })],
      [t("1 card too many"), () => report("extra-card", { seat, count: 1 })], [t("2 too many"), () => report("extra-card", { seat, count: 2 })],
      [t("1 card too few"), () => report("short-hand", { seat, count: 1 })], [t("2 too few"), () => report("short-hand", { seat, count: 2 })],
      [t("Not entitled to cards"), () => report("not-entitled", { seat })], [t("Looked at the cards"), () => report("looked", { seat })],
      [t("Duplicate in hand"), () => report("duplicate", { seat, where: "hand" })], [t("Joker in hand"), () => report("joker", { seat, where: "hand" })],
      [t("Foreign card in hand"), () => report("foreign-back", { seat, where: "hand" })],
    );
  }
  if (state.table.next.length) {
    keys.push([t("Last card went here"), () => report("wrong-seat", { seat })], [t("Skipped: got no cards"), () => report("skipped", { seat })]);
    if (who) keys.push([t("Owes a blind"), () => report("owes-blind", { seat })], [t("Call time"), () => enter({ ev: "clock", seat })]);
    const round = state.table.next[0];
    if (round.step === "bet" && round.seats.includes(seat)) {
      for (const word of ["fold", "all-in", "bet"]) keys.unshift([{ fold: t("Folds"), "all-in": t("Is all-in"), bet: t("Bets or raises") }[word], () => enter({ ev: "act", seat, do: word })]);
    } else if (who && !state.table.lamps.act.includes(seat) && state.table.phase === "bet") {
      for (const [word, text] of [["fold", t("Folds out of turn")], ["check", t("Checks out of turn")], ["call", t("Calls out of turn")]]) keys.push([text, () => enter({ ev: "act", seat, do: word })]);
      const word = Object.values(state.table.bets || {}).some(Boolean) ? "raise" : "bet";
      const due = state.table.next[0];
      if (due.min_to !== undefined) keys.push([word === "bet" ? t("Bets out of turn…") : t("Raises out of turn…"), () => chooseAmount({ ...due, seat }, word, (to) => enter({ ev: "act", seat, do: word, to }))]);
    }
    if (held && state.table.phase === "showdown") keys.push([t("Shows, cards…"), () => picksCards(t("Seat {seat} shows…", { seat }), held, (cards) => enter({ ev: "show", seat, cards }))], [t("Mucks"), () => enter({ ev: "muck", seat })]);
    keys.push(...state.besides.filter((line) => line.seat === seat).map((line) => besidesKey(line, enter)));
  }
  if (!who) keys.push(...sitKeys(seat));
  else if (state.table.stacks) keys.unshift(...stackKeys(seat));
  if (!who) { /* nobody to leave */ }
  else if (who.away) keys.push([t("Is back"), () => enter({ ev: "back", seat })], [t("Is back and posts"), () => enter({ ev: "back", seat, post: true })], [t("Leaves"), () => enter({ ev: "leave", seat })]);
  else keys.push([t("Misses hands"), () => enter({ ev: "away", seat })], [t("Leaves"), () => enter({ ev: "leave", seat })]);
  choose(seatKey(seat) + (who && who.player !== `seat ${seat}` ? `, ${who.player}` : ""), keys);
}

/* A newcomer: with the usual buy-in at once, or with a name and any amount by the pad. */
function sitKeys(seat) {
  const usual = state.table.stacks ? { stack: buyIn() } : {};
  const sit = (more) => enter({ ev: "sit", seat, ...more });
  const asked = (more = {}) => named(t("Seat {seat}: the player's name", { seat }), (player) => {
    const who = { ...(player ? { player } : {}), ...more };
    if (state.table.stacks) typed(t("Seat {seat}: how many chips?", { seat }), (stack) => sit({ ...who, stack })); else sit(who);
  });
  return [
    [usual.stack ? t("Sits down with {chips}", { chips: usual.stack }) : t("Sits down"), () => sit(usual)], [usual.stack ? t("Sits down: name, chips…") : t("Sits down: name…"), () => asked()],
    [t("Sits down and posts"), () => sit({ ...usual, post: true })], [usual.stack ? t("Posts: name, chips…") : t("Posts: name…"), () => asked({ post: true })],
  ];
}

/* Chips of any amount: between hands as they are now, in a hand as they should have been when it began. */
function stackKeys(seat) {
  const chips = state.table.stacks[seat] || 0;
  if (!state.table.next.length) return [
    [t("Adds chips…"), () => typed(t("Seat {seat} has {chips} and adds:", { seat, chips }), (more) => enter({ ev: "stack", seat, stack: chips + more }))],
    [t("Has so many chips…"), () => typed(t("Seat {seat} has {chips}; it should be:", { seat, chips }), (stack) => enter({ ev: "stack", seat, stack }))],
  ];
  return [[t("Began with other chips…"), () => typed(t("Seat {seat} began this hand with:", { seat }), (stack) => beganWith(seat, stack))]];
}

async function beganWith(seat, stack) {
  const answer = await fetch("/entries");
  const start = answer.ok && (await answer.json()).entries.findLast((each) => each.told.ev === "start");
  if (start) enter({ ev: "amend", before: start.entry, to: { ev: "stack", seat, stack } });
  else refuse(t("The entries of this hand cannot be read."), t("Use Put right…."));
}

function buyIn() {
  const betting = state.setup.betting;
  return 100 * (betting.big_blind || betting.small_bet || 2);
}

const floorDecides = () => openFloor({ state: () => state, enter, refuse, changed: drawWho });

function callFloor() {
  closeSheet();
  post("/call", { wanted: true });
}

const always = [
  key(t("What happened?"), () => openHappened(state, enter, openSeat), "M"),
  key(t("Put right…"), () => openEntries(enter, holding(), refuse), "T"),
  key(t("Undo"), () => enter({ ev: "undo" }), "U"),
];
const aheadKeys = () => [
  key(t("Seat {seat}…", { seat: ahead }), () => { const seat = ahead; lookAhead(null); openSeat(seat); }, "M"),
  key(t("Back"), () => lookAhead(null), "U"),
];
$("always").append(...always);

/* A time extension on the shot clock that runs, where its seat has one left. */
const moreTime = () => state.besides.filter((line) => line.ev === "clock").map((line) => key(t("More time"), () => enter(line), "Y"));

/* The steps of a ruling begin with what the large line says, also where the regular deal goes on before them. */
function fromTheFirst(steps) {
  const due = state.table.next[0], first = steps.findIndex((step) => !step.done);
  if (!due || state.table.phase === "halted" || steps[first].text === due.text) return steps;
  return [...steps.slice(0, first), { text: due.text, done: false }, ...steps.slice(first)];
}

function drawRuling() {
  const section = $("ruling"), body = section.querySelector(".body"), back = state.remedy.taken_back;
  const ofThisHand = state.ruled_in === state.table.hand, rulings = ofThisHand ? state.rulings : [];
  const underWay = ofThisHand && state.remedy.steps.some((step) => !step.done) && !back;
  section.classList.toggle("under-way", underWay);
  document.body.dataset.ruling = String(underWay);
  section.classList.toggle("taken-back", back);
  const heading = back ? t("Taken back") : underWay ? t("Do this") : t("Last ruling");
  section.querySelector("h2").textContent = rulings.length ? t("{heading} – hand {hand}", { heading, hand: state.ruled_in }) : t("Last ruling");
  if (!rulings.length) {
    body.replaceChildren(element("p", "none", t("None in this hand.")));
    $("answers").replaceChildren(...moreTime(), key(t("Call the floor"), callFloor, "L"));
    return;
  }
  const cites = [...new Set(rulings.flatMap((ruling) => ruling.cite))];
  $("answers").replaceChildren(...(cites.length ? [key(t("§ Clause"), () => showClauses(cites), "P", "cite")] : []), ...moreTime(), key(t("Call the floor"), callFloor, "L"));
  const whats = rulings.map((ruling) => {
    const what = element("p", "what", `${atSeat(capital(words(ruling.finding)), ruling.seat)}: `);
    what.append(element("b", "verdict", words(ruling.verdict)));
    return what;
  });
  const steps = underWay ? fromTheFirst(state.remedy.steps) : state.remedy.steps;
  const due = steps.filter((step) => !step.done).length;
  const whys = rulings.map((ruling) => element("p", "why", capital(ruling.text)));
  /* All of it, or as many of the steps as there is room for; the rest is told with the clause. */
  const counts = [...Array(due).keys()].map((n) => due - n);
  fitted([null, ...(underWay ? counts : []), 0], (count) => {
    body.replaceChildren(whats[0], ...(count === 0 ? [] : whats.slice(1)), ...(count === 0 ? [] : [ticked(steps, underWay ? count || due : null)]), ...(count === null ? whys : []));
  }, () => cut(body));
}

function showClauses(cites) {
  const body = element("div", "clause");
  for (const ruling of state.rulings) body.append(element("p", "then", capital(ruling.text)));
  for (const cite of cites) {
    const cases = state.clauses[cite] || [];
    body.append(element("p", "section", cases.length ? `${cases[0].book}: ${cases[0].section} (${cite})` : t("{cite} is not in the catalogue.", { cite })));
    for (const each of cases) body.append(element("p", "when", each.when), element("p", "then", `→ ${each.then}`));
  }
  body.append(element("p", "none", t("{book}, in our words; the printed rulebook decides.", { book: state.setup.rulebook })));
  openSheet(t("The clause"), body);
}

/* What is still so: that the program was cut short is over with the first entry. */
function notices() {
  const short = state.power_lost || state.faults.some((fault) => fault.code === "power-lost");
  const dealers = (notice) => !notice.code.startsWith("room-") && (notice.code !== "power-lost" || short);
  return state.notices.filter(dealers).slice(0, 2);
}

function drawAside() {
  const refused = state.refusal;
  refuse(refused ? refused.message : "", refused ? refused.dealer : "", refused ? refused.code : "");
  $("notices").querySelector("ul").replaceChildren(...notices().map((notice) => element("li", "", `${notice.text} ${notice.dealer || ""}`)));
  const simulation = state.simulation;
  $("simulation").hidden = !simulation;
  if (simulation) {
    $("play").textContent = simulation.playing ? t("Pause") : t("Play");
    $("play").dataset.wish = simulation.playing ? "pause" : "play";
    if (document.activeElement !== $("speed")) $("speed").value = String(simulation.speed);
  }
  drawRuling();
}

function drawKeys() {
  const focused = document.activeElement && $("now").contains(document.activeElement);
  const made = nowKeys(), step = state.table.next[0];
  $("now").replaceChildren(...made);
  $("now").dataset.kind = ["say", "draw"].includes(step && step.step) || (step && step.step === "floor" && floorHere) ? "answers" : "places";
  if (focused && made.length) made[0].focus();
  drawTogether(step);
  $("always").replaceChildren(...(ahead === null ? always : aheadKeys()));
}

/* Beside the table: what ends the round by one touch, and round totals for whoever acts. */
function drawTogether(step) {
  const acts = Boolean(step) && step.step === "act" && state.table.phase !== "halted";
  const seat = ahead === null ? step && step.seat : ahead, before = ahead === null ? [] : between(ahead, state);
  const over = acts ? endsOfRound(seat, state, before) : [];
  $("all").replaceChildren(...over.map(([text, lines, letter]) => {
    const made = key(text, () => enter(lines), letter);
    made.style.gridArea = `1 / ${"EVJ".indexOf(letter) + 1}`;
    return made;
  }));
  const totals = acts ? totalKeys(ahead === null ? step : stepAhead(ahead, state), state, key, enter, before) : [];
  $("totals").replaceChildren(...totals);
  $("totals").hidden = !totals.length;
}

/* A touch on a seat further on: shown, and nothing entered, until a key says what that seat does. */
function lookAhead(seat) {
  ahead = seat;
  changed(`${state.entry} ${seat}`);
  drawTable(state, true);
  drawAhead();
  drawKeys();
}

function drawAhead() {
  if (ahead === null) return;
  const before = between(ahead, state);
  for (const tile of $("seats").querySelectorAll("[data-seat]")) {
    const seat = Number(tile.dataset.seat), line = before.find((each) => each.seat === seat);
    if (line) tile.querySelector(".lamps").replaceChildren(element("span", "lamp attention", line.do === "fold" ? t("FOLDS") : t("CHECKS")));
    tile.classList.toggle("act", seat === ahead);
  }
  say(inWords(before), [t("and seat {seat}…", { seat: ahead })]);
}

function draw(publication) {
  const moved = !state || publication.entry !== state.entry;
  state = publication;
  hear(state.sound);
  if (moved) ahead = null;
  changed(JSON.stringify(state.table.next[0] || ""));
  if ($("called").hidden === Boolean(state.floor_called)) {
    $("called").hidden = !state.floor_called;
    if (state.floor_called) $("floor-came").focus();
  }
  drawTable(state, true);
  drawCall($("called").querySelector("strong"), t("FLOOR, PLEASE"), state.floor_called);
  if (moved) { drawKeys(); closeSheet(true); } else if (!$("now").children.length) drawKeys();
  drawAhead();
  drawAside();
  document.body.dataset.entry = state.entry;
}

/* One touch: in a round that is told as a whole the seat folds; where acts are told, all before it fold and it is next. */
function touchSeat(seat) {
  const step = state.table.next[0];
  if (step && step.step === "bet" && state.table.phase === "bet" && step.seats.includes(seat)) enter({ ev: "act", seat, do: "fold" });
  else if (seat !== ahead && between(seat, state).length) lookAhead(seat);
  else openSeat(seat);
}

$("seats").addEventListener("click", (event) => {
  const tile = event.target.closest("[data-seat]");
  if (tile) touchSeat(Number(tile.dataset.seat));
});
$("floor-came").addEventListener("click", () => { post("/call", { wanted: false }); floorDecides(); });
$("play").addEventListener("click", () => wish({ do: $("play").dataset.wish }));
$("step").addEventListener("click", () => wish({ do: "step" }));
$("speed").addEventListener("change", () => wish({ do: "speed", speed: Number($("speed").value) }));
$("showroom").addEventListener("click", () => openShowroom(state));

/* Keyboard: the letter on a key presses it, first in an open sheet, then on the page. */
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.target.tagName === "SELECT") return;
  if (event.key === "Enter" && event.target.tagName === "BUTTON") return;
  const name = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const place = $("sheet").open ? $("sheet") : document;
  const found = [...place.querySelectorAll("[data-letter]")].find((made) => made.dataset.letter === name && !made.disabled);
  if (!found) return;
  event.preventDefault();
  found.click();
});

/* Who is signed in; beside a dealer's name the key by which the next one takes over. */
let watching = 0;
function drawWho() {
  const mine = watching += 1;
  showWho($("who"), (who) => {
    if (mine !== watching) return;
    const was = floorHere;
    floorHere = who.roles.includes("floor");
    $("push").hidden = who.showroom || !who.roles.includes("dealer");
    if (state && was !== floorHere) drawKeys();
  }, () => mine === watching);
}
$("push").addEventListener("click", () => askWho(t("Who deals now?"), "dealer", drawWho));
drawWho();
settings(() => { if (state) drawTable(state, true); });
connect(draw);
