/* The floor's page: what waits for a person, with the decisions that the rules allow, the clause, and the hand so far. */
import { drawCall } from "./floor-call.js";
import { openEntries } from "./amend-sheet.js";
import { reason, t } from "./language.js";
import { post, showWho, signInHere } from "./session.js";
import { sentence, struckThrough } from "./entry-description.js";
import { hear } from "./sound.js";
import { choose, closeSheet } from "./sheet.js";
import { floorWords, handsLeft, whyItWaits } from "./floor-actions.js";
import { $, atSeat, capital, connect, drawHeader, drawNext, element, faultName, seatKey, ticked, words } from "./table.js";

const MEANING = {
  misdeal: t("all cards and all money back, the same button deals again"), void: t("the hand never was: all money back"),
  "play-on": t("the cards stand and the hand goes on"), "dead-hand": t("one hand is out; its bets stay in the pot"),
  bind: t("what was done out of turn counts when its turn comes"), release: t("what was done out of turn is taken back"),
};

let state = null;
let mine = null;
let refused = "";
let tab = "ruling";
let steps = { hand: 0, entry: 0, found: [] };
let printed = {};

async function enter(line) {
  closeSheet();
  const why = $("why").value.trim();
  const asked = state.table.next.some((step) => step.step === "floor");
  if (line.ev === "floor" && !asked && !why) { refuse(t("To overrule, say why first.")); $("why").focus(); return; }
  const answer = await post("/entry", { seen: state.entry, line: why && line.ev === "floor" ? { ...line, why } : line });
  if (answer.ok) { $("why").value = ""; return; }
  const said = await answer.json().catch(() => ({ message: t("Not taken ({status}).", { status: answer.status }) }));
  refuse(reason(said));
}

function refuse(message) {
  $("refusal").hidden = !message;
  $("refusal").querySelector(".message").textContent = message || "";
}

function key(text, meaning, act, className = "") {
  const made = element("button", className);
  made.type = "button";
  made.append(element("b", "", text));
  if (meaning) made.append(element("small", "", meaning));
  made.addEventListener("click", act);
  return made;
}

function decision(option, seat) {
  const decide = (more = {}) => enter({ ev: "floor", decide: option, ...more });
  if (option !== "dead-hand") return key(capital(words(option)), MEANING[option], () => decide());
  if (seat !== undefined) return key(t("Dead hand: seat {seat}", { seat }), MEANING[option], () => decide({ seat }));
  const holding = Object.keys(state.table.piles.seats).map(Number);
  return key(t("Dead hand…"), MEANING[option], () => choose(t("Whose hand is dead?"), holding.map((each) => [seatKey(each), () => decide({ seat: each }), String(each)])));
}

/* What waits besides a question of the table: a call, or a fault that the floor clears. */
function waiting() {
  const fault = (state.faults || []).find((each) => (each.clears || []).includes("floor"));
  if (fault) return t("{fault}: the floor says when it is over.", { fault: capital(faultName(fault.code)) });
  return whyItWaits(state) || (state.floor_called ? t("The dealer wants the floor at the table.") : handsLeft(state) || t("Nothing waits for the floor."));
}

/* What the floor may tell the table besides; what the table waits for stands with the decisions. */
function drawTold(may) {
  const told = may ? floorWords(state.for_floor, enter) : [];
  const keys = (some) => some.map(([text, meaning, act]) => key(text, meaning, act));
  const goesOn = told.filter(([, , , found]) => found === "hand-for-hand go"), rest = told.filter((each) => !goesOn.includes(each));
  $("options").append(...keys(goesOn));
  $("tell").querySelector(".choices").replaceChildren(...keys(rest));
  $("tell").hidden = !rest.length;
}

function drawQuestion() {
  const step = state.table.next.find((each) => each.step === "floor");
  const asked = $("question").querySelector(".asked"), situation = $("question").querySelector(".situation");
  const may = mine && mine.roles.includes("floor");
  $("question").classList.toggle("waits", Boolean(step || whyItWaits(state)));
  asked.textContent = step ? atSeat(capital(words(step.question)), step.seat) : waiting();
  const last = state.rulings.at(-1);
  situation.textContent = step && last ? last.text : "";
  $("options").replaceChildren(...(step && may ? step.options.map((option) => decision(option, step.seat)) : []));
  const playing = state.table.hand > 0 && state.table.phase !== "idle";
  $("over").hidden = !may || !state.table.hand;
  const overrule = may && playing && !step ? ["misdeal", "void", "play-on", "dead-hand"].map((option) => decision(option)) : [];
  const holding = Object.keys(state.table.piles.seats).map(Number);
  const amend = may && state.table.hand ? [key(t("Put right…"), t("an entry was wrong: the hand is played again with the true one"), () => openEntries(enter, holding, refuse))] : [];
  $("overrule").replaceChildren(...overrule, ...amend);
  $("over").hidden = $("over").hidden || Boolean(step);
  $("reason").hidden = !may || !playing;
  drawTold(may);
  if (mine && !may) $("options").replaceChildren(key(t("Sign in as floor"), t("deciding needs the floor's own sign-in"), signInHere, "main"));
}

function drawFaults() {
  const faults = state.faults || [];
  $("faults").hidden = !faults.length;
  $("faults").querySelector("ul").replaceChildren(...faults.map((fault) => {
    const item = element("li", "", `${capital(faultName(fault.code))}: ${fault.text} ${fault.floor || fault.dealer || ""} `);
    if (mine && (fault.clears || []).some((role) => mine.roles.includes(role))) {
      item.append(key(t("It is over"), "", () => enter({ ev: "device", id: fault.id, status: "back" })));
    }
    return item;
  }));
}

function rulingGround() {
  if (!state.rulings.length) return [element("p", "none", t("No ruling yet."))];
  return [
    element("p", "none", state.remedy.taken_back ? t("Hand {n}, taken back", { n: state.ruled_in }) : t("Hand {n}", { n: state.ruled_in })),
    ...state.rulings.flatMap((ruling) => [
      element("p", "verdict", `${atSeat(capital(words(ruling.finding)), ruling.seat)}: ${words(ruling.verdict)}`),
      element("p", "why", ruling.text), ...ruling.cite.map((cite) => element("span", "cite", cite)),
    ]),
    ticked(state.remedy.steps),
  ];
}

/* Ours beside the printed one, where the house has put its copy on the table. */
function clauseGround() {
  const cites = [...new Set(state.rulings.flatMap((ruling) => ruling.cite))].map((cite) => cite.split("#")[0]);
  if (!cites.length) return [element("p", "none", t("No clause yet."))];
  return [...new Set(cites)].flatMap((cite) => {
    const cases = state.clauses[cite] || Object.entries(state.clauses).find(([id]) => id.split("#")[0] === cite)?.[1] || [];
    const section = cases.length ? `${cases[0].book}: ${cases[0].section}` : cite;
    const sides = element("div", "sides");
    const ours = element("div", "book"), theirs = element("div", "book printed");
    ours.append(element("h2", "", t("In our words")), ...cases.flatMap((each) => [element("p", "when", each.when), element("p", "then", `→ ${each.then}`)]));
    theirs.append(element("h2", "", t("As printed")));
    const found = printed[cite];
    if (found === undefined) fetchPrinted(cite);
    else if (found && found.text) theirs.append(element("p", "none", found.exact ? t("line {n}", { n: found.first }) : t("line {n}, near it", { n: found.first })), element("pre", "", found.text));
    else theirs.append(element("p", "none", reason(found) || t("Not found in the printed text.")));
    sides.append(ours, theirs);
    return [element("p", "section", `${section} (${cite})`), sides];
  });
}

async function fetchPrinted(cite) {
  printed[cite] = null;
  const answer = await fetch(`/printed/${encodeURIComponent(cite)}`).catch(() => null);
  printed[cite] = answer ? await answer.json().catch(() => ({})) : {};
  if (!answer) delete printed[cite];
  drawGround();
}

async function fetchSteps() {
  const { hand } = state.table, { entry } = state;
  if (!hand || (steps.hand === hand && steps.entry === entry)) return;
  steps = { ...steps, hand, entry };
  const answer = await fetch(`/hands/${hand}`).catch(() => null);
  if (!answer || !answer.ok) return;
  steps.found = (await answer.json()).steps;
  if (tab === "hand") drawGround();
}

function handGround() {
  fetchSteps();
  const list = element("ol", "course");
  list.append(...steps.found.map((step, i) => {
    const ruled = step.table.rulings.map((ruling) => `§ ${words(ruling.finding)}: ${words(ruling.verdict)}`);
    const item = element("li", step.error ? "refused" : ruled.length ? "ruled" : "", "");
    item.append(...(step.struck ? struckThrough(step, steps.found[i - 1]) : [sentence(step, steps.found[i - 1])]), ...ruled.map((each) => ` · ${each}`));
    return item;
  }));
  const link = element("a", "", t("Step by step"));
  link.href = `/hands?hand=${state.table.hand}`;
  return steps.found.length ? [link, list] : [element("p", "none", t("No hand yet."))];
}

/* What the book asks of people, because the table cannot sense it: each with its clause. */
let reminders = null;

async function fetchReminders() {
  reminders = [];
  const answer = await fetch("/by-people").catch(() => null);
  if (!answer || !answer.ok) { reminders = null; return; }
  reminders = (await answer.json()).rows;
  if (tab === "people") drawGround();
}

function peopleGround() {
  if (reminders === null) fetchReminders();
  const rows = (reminders || []).map((row) => {
    const item = element("div", "clause");
    item.append(element("p", "section", `${row.section} (${row.cite})`), element("p", "when", row.when), element("p", "then", `→ ${row.then}`));
    return item;
  });
  return [element("p", "none", t("The table cannot sense this; the book asks it of people.")), ...rows];
}

function drawGround() {
  if (!state) return;
  const ground = $("ground"), at = ground.scrollTop;
  ground.replaceChildren(...{ ruling: rulingGround, clause: clauseGround, hand: handGround, people: peopleGround }[tab]());
  ground.scrollTop = tab === "hand" ? ground.scrollHeight : at;
}

for (const each of document.querySelectorAll("#tabs button")) {
  each.addEventListener("click", () => {
    tab = each.dataset.tab;
    for (const other of document.querySelectorAll("#tabs button")) other.setAttribute("aria-selected", String(other === each));
    drawGround();
  });
}
$("close").addEventListener("click", () => closeSheet());

$("coming").addEventListener("click", () => post("/call", { wanted: false }));

function drawMine() { if (state) { drawQuestion(); drawFaults(); } }

function draw(publication) {
  const moved = !state || publication.entry !== state.entry;
  state = publication;
  hear(state.sound);
  drawHeader(state);
  drawNext(state.table, state.devices, state.faults);
  if (moved) closeSheet(true);
  const now = state.refusal && state.refusal.source === "page" ? capital(state.refusal.message) : "";
  if (moved || now !== refused) refuse(now);
  refused = now;
  $("called-to").hidden = !state.floor_called;
  drawCall($("called-to").querySelector("strong"), t("The dealer calls the floor"), state.floor_called);
  drawMine();
  drawGround();
}

connect(draw);
showWho($("who"), (who) => { mine = who; drawMine(); });
