/* The dealer's page: the keys, the ruling, and in simulation the showroom. */
import { $, capital, connect, drawTable, element, plural, ticked, words } from "./table.js";
import { post, showWho, signInHere } from "./session.js";
import { openEntries } from "./amend.js";
import { openShowroom, wish } from "./showroom.js";
import { choose, closeSheet, openSheet, picksCards } from "./sheet.js";

let state = null;
let floorHere = false;  /* whether whoever is signed in may decide */

/* What is entered belongs to what was shown: its number goes along, and the table refuses a touch that came too late. */
async function enter(line) {
  closeSheet();
  const answer = await post("/entry", { seen: state.entry, line });
  if (answer.ok) return;
  const why = await answer.json().catch(() => ({ message: `Not taken (${answer.status}).` }));
  refuse(why.message, answer.status === 409 ? "Touch again if it still holds." : "");
}

function refuse(message, advice, code) {
  const refusal = $("refusal");
  refusal.hidden = !message;
  refusal.querySelector(".message").textContent = capital(message || "");
  refusal.querySelector(".advice").textContent = [advice, code ? `(${code})` : ""].filter(Boolean).join(" ");
  $("notices").hidden = Boolean(message) || !state || !state.notices.length;
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

const seated = () => Object.keys(state.players).map(Number);
const holding = () => Object.keys(state.table.piles.seats).map(Number);

function seatKeys(seats, act) { return seats.map((seat) => [`Seat ${seat}`, () => act(seat), String(seat)]); }

function chooseAmount(step, word) {
  const pot = (state.table.pots || []).reduce((sum, p) => sum + p.amount, 0) + Object.values(state.table.bets || {}).reduce((a, b) => a + b, 0);
  const high = Math.max(0, ...Object.values(state.table.bets || {}));
  const put = (to) => enter({ ev: "act", seat: step.seat, do: word, to });
  const within = (to) => Math.round(Math.max(step.min_to, Math.min(step.max_to, to)));
  const quick = [[`Least ${step.min_to}`, step.min_to], ["½ pot", high + (pot + step.to_call) / 2], ["Pot", high + pot + step.to_call], [`Most ${step.max_to}`, step.max_to]];
  const body = element("div", "amount");
  const field = element("output", "typed", "");
  field.setAttribute("aria-label", "Amount");
  const pad = element("div", "pad");
  const type = (digit) => { field.textContent = digit === "⌫" ? field.textContent.slice(0, -1) : (field.textContent + digit).slice(0, 9); };
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"]) pad.append(key(digit, () => type(digit), digit === "⌫" ? "Backspace" : digit));
  pad.append(key(`${capital(word)}`, () => { if (field.textContent) put(Number(field.textContent)); }, "Enter", "main"));
  const fast = element("div", "choices");
  for (const [text, to] of quick) fast.append(key(text.includes(String(within(to))) ? text : `${text}: ${within(to)}`, () => put(within(to))));
  body.append(element("p", "", `In all on this round, ${step.min_to} to ${step.max_to}:`), field, pad, fast);
  openSheet(`Seat ${step.seat}: ${word} to…`, body);
}

function actKeys(step) {
  const made = [];
  const act = (word, more = {}) => () => enter({ ev: "act", seat: step.seat, do: word, ...more });
  const ranged = step.min_to !== undefined && step.min_to !== step.max_to;
  for (const option of step.options) {
    switch (option) {
      case "fold": made.push(key("Fold", act("fold"), "F")); break;
      case "check": made.push(key("Check", act("check"), "C", "main")); break;
      case "call": made.push(key(step.to_call ? `Call ${step.to_call}` : "Call", act("call"), "C", "main")); break;
      case "bring-in": made.push(key("Bring-in", act("bring-in"), "G", "main")); break;
      case "all-in": made.push(key("All-in", act("all-in"), "I")); break;
      default: {
        const to = step.min_to === undefined ? {} : { to: step.min_to };
        made.push(key(`${capital(option)}${step.min_to === undefined ? "" : ` ${step.min_to}`}`, act(option, to), "R"));
        if (ranged) made.push(key(`${capital(option)}…`, () => chooseAmount(step, option), "A"));
      }
    }
  }
  return made;
}

/* Reports that need a count come with it, so that one touch is enough. */
function reportKeys(what) {
  switch (what) {
    case "premature": {
      const { burn, cards } = state.coming || { burn: false, cards: 0 };
      const made = [["Premature: 1 card", () => report("premature", { count: 1 })]];
      if (burn + cards > 1) made.push([`Premature: ${burn ? "burn and " : ""}${cards}`, () => report("premature", { count: burn + cards })]);
      return made;
    }
    case "board-extra": return [["Board: 1 too many", () => report("board-extra", { count: 1 })], ["Board: 2 too many", () => report("board-extra", { count: 2 })]];
    case "opened": return [["Somebody opened: who…", () => choose("Who opened the pot?", seatKeys(holding(), (seat) => report("opened", { seat })))]];
    case "passed-out": return [["Nobody opened", () => report("passed-out")]];
    case "acted": return [0, 1, 2, 3].flatMap((count) => [false, true].slice(0, count ? 2 : 1).map((chips) =>
      [`${count || "Nobody"} acted${chips ? ", with chips" : ""}`, () => report("acted", { count, chips })]));
    case "two-exposed": return [["Two board cards at once", () => report("two-exposed", { count: 2 })]];
    default: return [[capital(words(what)), () => report(what)]];
  }
}

/* A fault that a person must end. The table refuses whoever may not; the key says who may. */
function overKey(fault, i) {
  const who = state.simulation ? "" : ` (${fault.clears.join(", ")})`;
  const text = fault.code === "in-service" ? "Back in service" : `${capital(words(fault.code))} is over`;
  return key(`${text}${who}`, () => enter({ ev: "device", id: fault.id, status: "back" }), String(i + 1), i ? "" : "main");
}

function nowKeys() {
  const table = state.table, step = table.next[0];
  if (table.phase === "halted") return state.faults.filter((fault) => fault.id).map(overKey);
  if (!step) return [key("Start the hand", () => enter({ ev: "start" }), "Enter", "main")];
  switch (step.step) {
    case "act": return actKeys(step);
    case "bet": return [key("Betting is over", () => enter({ ev: "closed" }), "Enter", "main")];
    case "draw": return [0, 1, 2, 3, 4, 5].map((n) => key(n ? `Draw ${n}` : "Pat", () => enter({ ev: "draw", seat: step.seat, discard: n }), String(n)));
    case "show": return [
      key(`Seat ${step.seat} shows`, () => enter({ ev: "show", seat: step.seat }), "Enter", "main"),
      key("Mucks", () => enter({ ev: "muck", seat: step.seat }), "K"),
    ];
    case "award": return [
      key("Done: pot pushed", () => enter({ ev: "done" }), "Enter", "main"),
      key("Winner…", () => choose("Who won this pot?", seatKeys(holding(), (seat) => enter({ ev: "won", seat, pot: step.pot, board: step.board }))), "N"),
    ];
    case "floor": return floorHere ? step.options.flatMap((option, i) => floorKey(step, option, i)) : [key("Call the floor", callFloor, "L", "main"), key("Floor signs in", signInHere, "I")];
    case "say": return step.options.flatMap(reportKeys).map(([text, act], i) => key(text, act, String(i + 1), i ? "" : "main"));
    case "deal": case "burn": case "board": return [];
    default: return [key("Done", () => enter({ ev: "done" }), "Enter", "main")];
  }
}

function floorKey(step, option, i) {
  const decide = (more) => enter({ ev: "floor", decide: option, ...more });
  if (step.question === "false-openers" && option === "play-on") return [key("Another declares it open…", () => choose("Who, not having passed?", seatKeys(holding(), (seat) => decide({ seat }))), String(i + 1))];
  if (option !== "dead-hand") return [key(`Floor: ${words(option)}`, () => decide({}), String(i + 1))];
  return [key("Floor: dead hand…", () => choose("Whose hand is dead?", seatKeys(holding(), (seat) => decide({ seat }))), String(i + 1))];
}

const MORE = [
  "no-burn", "double-burn", "premature", "board-extra", "two-exposed", "put-back", "off-table", "string-bet", "stub-fouled",
  "deck-defective", "not-shuffled", "exposed-cutting", "wrong-opener", "last-faceup",
  "false-openers",
];

/* What the table takes besides its first step, as the table itself says. */
const BESIDES = { straddle: "Straddles", kill: "Kills the pot", open: "Declares the pot open", chop: "Blinds take back", twice: "All-in: deal the rest twice" };

function besidesKey(line) {
  const text = line.count > 2 ? `All-in: deal the rest ${line.count} times` : BESIDES[line.do || line.ev] || capital(words(line.do || line.ev));
  return [text, () => enter(line)];
}

function openMore() {
  const keys = MORE.flatMap(reportKeys);
  keys.push(
    ["Misread: it is…", () => picksCards("The last card is…", 1, ([card]) => report("misread", { card }))],
    ["Joker in the stub", () => report("joker", { where: "stub" })],
    ["Joker on the board", () => report("joker", { where: "board" })],
    ["Duplicate on the board", () => report("duplicate", { where: "board" })],
    ["Duplicate in the stub", () => report("duplicate", { where: "stub" })],
    ["Foreign card in the stub", () => report("foreign-back", { where: "stub" })],
    ["Card missing", () => report("missing-card", { where: "stub" })],
    ["Card left unread", () => enter({ ev: "card", card: null })],
    ["Button wrong…", () => choose("Where did the button belong?", seatKeys(seated(), (seat) => report("button-wrong", { seat })))],
    ["Button wrong last hand…", () => choose("Where did it belong?", seatKeys(seated(), (seat) => report("button-wrong", { seat, hand: "previous" })))],
    ...state.besides.filter((line) => line.seat === undefined).map(besidesKey),
    ["Next level", () => enter({ ev: "level" })],
    ["Timer: start", () => enter({ ev: "timer", set: "start" })], ["Timer: pause", () => enter({ ev: "timer", set: "pause" })],
    ["Timer: resume", () => enter({ ev: "timer", set: "resume" })],
  );
  choose("What happened? For a player, touch the seat.", keys);
}

/* Everything that concerns one seat: touch the seat, then the key. */
function openSeat(seat) {
  const held = state.table.piles.seats[seat] || 0, who = state.players[seat];
  const keys = [];
  for (let nth = 1; nth <= Math.min(held, 7); nth += 1) keys.push([held === 1 ? "Card exposed" : `Card ${nth} exposed`, () => report("exposed", { seat, nth })]);
  if (held) {
    keys.push(
      ["Player showed a card", () => report("exposed", { seat, by: "player" })],
      ["1 card too many", () => report("extra-card", { seat, count: 1 })], ["2 too many", () => report("extra-card", { seat, count: 2 })],
      ["1 card too few", () => report("short-hand", { seat, count: 1 })], ["2 too few", () => report("short-hand", { seat, count: 2 })],
      ["Not entitled to cards", () => report("not-entitled", { seat })], ["Looked at the cards", () => report("looked", { seat })],
      ["Duplicate in hand", () => report("duplicate", { seat, where: "hand" })], ["Joker in hand", () => report("joker", { seat, where: "hand" })],
      ["Foreign card in hand", () => report("foreign-back", { seat, where: "hand" })],
    );
  }
  if (state.table.next.length) {
    keys.push(["Last card went here", () => report("wrong-seat", { seat })], ["Skipped: got no cards", () => report("skipped", { seat })]);
    if (who) keys.push(["Owes a blind", () => report("owes-blind", { seat })], ["Call time", () => enter({ ev: "clock", seat })]);
    const round = state.table.next[0];
    if (round.step === "bet" && round.seats.includes(seat)) {
      for (const word of ["fold", "all-in", "bet"]) keys.unshift([{ fold: "Folds", "all-in": "Is all-in", bet: "Bets or raises" }[word], () => enter({ ev: "act", seat, do: word })]);
    } else if (who && !state.table.lamps.act.includes(seat) && state.table.phase === "bet") {
      for (const word of ["fold", "check", "call"]) keys.push([`${capital(word)}s out of turn`, () => enter({ ev: "act", seat, do: word })]);
      const word = Object.values(state.table.bets || {}).some(Boolean) ? "raise" : "bet";
      const due = state.table.next[0];
      if (due.min_to !== undefined) keys.push([`${capital(word)}s out of turn…`, () => chooseAmount({ ...due, seat }, word)]);
    }
    if (held && state.table.phase === "showdown") keys.push(["Shows, cards…", () => picksCards(`Seat ${seat} shows…`, held, (cards) => enter({ ev: "show", seat, cards }))], ["Mucks", () => enter({ ev: "muck", seat })]);
    keys.push(...state.besides.filter((line) => line.seat === seat).map(besidesKey));
  }
  if (!who) {
    const stack = state.table.stacks ? { stack: buyIn() } : {};
    keys.push([`Sits down${stack.stack ? ` with ${stack.stack}` : ""}`, () => enter({ ev: "sit", seat, ...stack })], ["Sits down and posts", () => enter({ ev: "sit", seat, ...stack, post: true })]);
  } else if (who.away) keys.push(["Is back", () => enter({ ev: "back", seat })], ["Is back and posts", () => enter({ ev: "back", seat, post: true })], ["Leaves", () => enter({ ev: "leave", seat })]);
  else keys.push(["Misses hands", () => enter({ ev: "away", seat })], ["Leaves", () => enter({ ev: "leave", seat })]);
  choose(`Seat ${seat}${who ? `, ${who.player}` : ""}`, keys);
}

function buyIn() {
  const betting = state.setup.betting;
  return 100 * (betting.big_blind || betting.small_bet || 2);
}

function callFloor() {
  closeSheet();
  post("/call", { wanted: true });
}

const always = [
  key("Exposed", () => report("exposed"), "X"),
  key("Boxed", () => report("boxed"), "B"),
  key("Wrong seat…", () => choose("Which seat got the card?", seatKeys(seated(), (seat) => report("wrong-seat", { seat }))), "W"),
  key("More…", openMore, "M"),
  key("Undo", () => enter({ ev: "undo" }), "U"),
  key("Put right…", () => openEntries(enter, holding(), refuse), "T"),
];
$("always").append(...always);

function drawRuling() {
  const section = $("ruling"), body = section.querySelector(".body"), back = state.remedy.taken_back;
  const underWay = state.remedy.steps.some((step) => !step.done) && !back;
  section.classList.toggle("under-way", underWay);
  section.classList.toggle("taken-back", back);
  const heading = back ? "Taken back" : underWay ? "Do this" : "Last ruling";
  section.querySelector("h2").textContent = state.rulings.length ? `${heading} – hand ${state.ruled_in}` : "Last ruling";
  if (!state.rulings.length) {
    body.replaceChildren(element("p", "none", "None yet."));
    $("answers").replaceChildren(key("Call the floor", callFloor, "L"));
    return;
  }
  const made = [];
  for (const ruling of state.rulings) {
    const where = ruling.seat === undefined ? "" : `, seat ${ruling.seat}`;
    const what = element("p", "what", `${capital(words(ruling.finding))}${where}: `);
    what.append(element("b", "verdict", words(ruling.verdict)));
    made.push(what);
    if (ruling === state.rulings[0]) made.push(ticked(state.remedy.steps));
    made.push(element("p", "why", capital(ruling.text)));
  }
  body.replaceChildren(...made);
  const cites = [...new Set(state.rulings.flatMap((ruling) => ruling.cite))];
  $("answers").replaceChildren(...(cites.length ? [key("§ Clause", () => showClauses(cites), "P", "cite")] : []), key("Call the floor", callFloor, "L"));
}

function showClauses(cites) {
  const body = element("div", "clause");
  for (const cite of cites) {
    const cases = state.clauses[cite] || [];
    body.append(element("p", "section", cases.length ? `${cases[0].book}: ${cases[0].section} (${cite})` : `${cite} is not in the catalogue.`));
    for (const each of cases) body.append(element("p", "when", each.when), element("p", "then", `→ ${each.then}`));
  }
  body.append(element("p", "none", `${state.setup.rulebook}, in our words; the printed rulebook decides.`));
  openSheet("The clause", body);
}

function drawAside() {
  const refused = state.refusal;
  refuse(refused ? refused.message : "", refused ? refused.dealer : "", refused ? refused.code : "");
  drawRuling();
  $("notices").querySelector("ul").replaceChildren(...state.notices.slice(0, 2).map((notice) => element("li", "", `${notice.text} ${notice.dealer || ""}`)));
  const simulation = state.simulation;
  $("simulation").hidden = !simulation;
  if (simulation) {
    $("play").textContent = simulation.playing ? "Pause" : "Play";
    $("play").dataset.wish = simulation.playing ? "pause" : "play";
    if (document.activeElement !== $("speed")) $("speed").value = String(simulation.speed);
  }
}

function drawKeys() {
  const focused = document.activeElement && $("now").contains(document.activeElement);
  const made = nowKeys();
  $("now").replaceChildren(...made);
  if (focused && made.length) made[0].focus();
  const dealt = state.table.hand > 0;
  for (const fixed of always.slice(0, 3)) fixed.disabled = !dealt;
}

function draw(publication) {
  const moved = !state || publication.entry !== state.entry;
  state = publication;
  if ($("called").hidden === Boolean(state.floor_called)) {
    $("called").hidden = !state.floor_called;
    if (state.floor_called) $("floor-came").focus();
  }
  drawTable(state, true);
  drawAside();
  if (moved) { drawKeys(); closeSheet(true); } else if (!$("now").children.length) drawKeys();
  document.body.dataset.entry = state.entry;
}

$("seats").addEventListener("click", (event) => {
  const tile = event.target.closest("[data-seat]");
  if (tile) openSeat(Number(tile.dataset.seat));
});
$("floor-came").addEventListener("click", () => post("/call", { wanted: false }));
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

showWho($("who"), (who) => {
  const was = floorHere;
  floorHere = who.roles.includes("floor");
  if (state && was !== floorHere) drawKeys();
});
connect(draw);
