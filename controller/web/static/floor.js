/* The floor's page: what waits for a person, with the decisions that the rules allow, the clause, and the hand so far. */
import { drawFloorCall } from "./floor-call.js";
import { followCall, makeRingKey } from "./call-ring.js";
import { openReadingSheet } from "./reading-sheet.js";
import { openAmendSheet } from "./amend-sheet.js";
import { describeRefusal, leaveOutCommands, t } from "./language.js";
import { goToSignIn, post, showPrincipal } from "./session.js";
import { describeEntry, renderAmendedEntry } from "./entry-description.js";
import { playNewSound } from "./sound.js";
import { closeSheet, openChoices } from "./sheet.js";
import { followTerms, openTermsSheet } from "./terms-sheet.js";
import { canTurnUp, describeHandsLeft, describeHold, makeFloorActions, makeTurnUpActions } from "./floor-actions.js";
import { $, appendSeat, capitalize, connect, drawHeader, drawNext, formatFault, formatLabel, formatNoticeSource, formatPeople, formatSeatTitle, makeElement, makeStepList } from "./table.js";

const MEANING_BY_DECISION = {
  misdeal: t("all cards and all money back, the same button deals again"), void: t("the hand never was: all money back"),
  "play-on": t("the cards stand and the hand goes on"), "dead-hand": t("one hand is out; its bets stay in the pot"),
  bind: t("what was done out of turn counts when its turn comes"), release: t("what was done out of turn is taken back"),
};

let state = null;
let principal = null;
let shownRefusal = "";
let currentTab = "ruling";
let handSteps = { hand: 0, entry: 0, found: [] };
let passageByCite = {};

async function enter(line) {
  closeSheet();
  const why = $("why").value.trim();
  const isAsked = state.table.next.some((step) => step.step === "floor");
  if (line.ev === "floor" && line.decide !== "turned-up" && !isAsked && !why) { showRefusal(t("To overrule, say why first.")); $("why").focus(); return; }
  const answer = await post("/entry", { seen: state.entry, line: why && line.ev === "floor" ? { ...line, why } : line });
  if (answer.ok) { $("why").value = ""; return; }
  const refusal = await answer.json().catch(() => ({ message: t("Not taken ({status}).", { status: answer.status }) }));
  showRefusal(describeRefusal(refusal));
}

function showRefusal(message) {
  $("refusal").hidden = !message;
  $("refusal").querySelector(".message").textContent = message || "";
  if (message) $("refusal").scrollIntoView({ block: "nearest" });
}

function makeButton(text, meaning, act, className = "") {
  const button = makeElement("button", className);
  button.type = "button";
  button.append(makeElement("b", "", text));
  if (meaning) button.append(makeElement("small", "", meaning));
  button.addEventListener("click", act);
  return button;
}

function makeDecisionButton(option, seat) {
  const decide = (more = {}) => enter({ ev: "floor", decide: option, ...more });
  if (option !== "dead-hand") return makeButton(capitalize(formatLabel(option)), MEANING_BY_DECISION[option], () => decide());
  if (seat !== undefined) return makeButton(t("Dead hand: seat {seat}", { seat }), MEANING_BY_DECISION[option], () => decide({ seat }));
  const holding = Object.keys(state.table.piles.seats).map(Number);
  return makeButton(t("Dead hand…"), MEANING_BY_DECISION[option], () => openChoices(t("Whose hand is dead?"), holding.map((each) => [formatSeatTitle(each), () => decide({ seat: each }), String(each)])));
}

/* What waits besides a question of the table: a call, a fault that the floor clears, a gate that must rest while a card is due. */
function describeWaiting() {
  const fault = (state.faults || []).find((each) => (each.clears || []).includes("floor"));
  if (fault) return t("{fault}: the floor says when it is over.", { fault: capitalize(formatFault(fault.code)) });
  const held = state.notices.find((each) => each.code === "gate-held");
  return describeHold(state) || (state.floor_called ? t("The dealer wants the floor at the table.") : held ? held.text : describeHandsLeft(state) || t("Nothing waits for the floor."));
}

/* What the floor may tell the table besides; what the table waits for stands with the decisions. */
function drawFloorActions(isFloor) {
  const actions = isFloor ? makeFloorActions(state.for_floor, enter) : [];
  const makeButtons = (some) => some.map(([text, meaning, act]) => makeButton(text, meaning, act));
  const goesOn = actions.filter(([, , , found]) => found === "hand-for-hand go"), rest = actions.filter((each) => !goesOn.includes(each));
  $("options").append(...makeButtons(goesOn));
  $("tell").querySelector(".choices").replaceChildren(...makeButtons(rest));
  $("tell").hidden = !rest.length;
}

function drawQuestion() {
  const step = state.table.next.find((each) => each.step === "floor");
  const questionElement = $("question").querySelector(".asked"), situation = $("question").querySelector(".situation");
  const isFloor = principal && principal.roles.includes("floor");
  $("question").classList.toggle("waits", Boolean(step || describeHold(state)));
  questionElement.textContent = step ? appendSeat(capitalize(formatLabel(step.question)), step.seat) : describeWaiting();
  const last = state.rulings.at(-1);
  situation.textContent = step && last ? capitalize(leaveOutCommands(last.text)) : "";
  const makeTurnUpButtons = (asking) => (canTurnUp(state.table) ? makeTurnUpActions(state.table, enter, asking) : []).map(([text, meaning, act]) => makeButton(text, meaning, act));
  const turnsUp = step && step.options.includes("turned-up");
  const answers = step && isFloor ? step.options.flatMap((option) => (option === "turned-up" ? makeTurnUpButtons(step) : [makeDecisionButton(option, step.seat)])) : [];
  $("options").replaceChildren(...answers, ...(step && isFloor && !turnsUp ? makeTurnUpButtons(null) : []));
  const playing = state.table.hand > 0 && state.table.phase !== "idle";
  $("over").hidden = !isFloor || !state.table.hand;
  const overrule = isFloor && playing && !step ? ["misdeal", "void", "play-on", "dead-hand"].map((option) => makeDecisionButton(option)) : [];
  const holding = Object.keys(state.table.piles.seats).map(Number);
  const amend = isFloor && state.table.hand ? [makeButton(t("Put right…"), t("an entry was wrong: the hand is played again with the true one"), () => openAmendSheet(enter, holding, showRefusal))] : [];
  $("overrule").replaceChildren(...overrule, ...(isFloor && !step ? makeTurnUpButtons(null) : []), ...amend);
  $("over").hidden = $("over").hidden || Boolean(step);
  $("reason").hidden = !isFloor || !playing;
  drawFloorActions(isFloor);
  if (principal && !isFloor) $("options").replaceChildren(makeButton(t("Sign in as floor"), t("deciding needs the floor's own sign-in"), goToSignIn, "main"));
}

/* The sign that the table displays, and its terms, which the floor changes between hands. */
function drawMoney() {
  const { notice } = state;
  $("money").hidden = !notice;
  if (!notice) return;
  $("money").querySelector(".sign").replaceChildren(...notice.sign.map((line) => makeElement("li", "", line)));
  $("terms").hidden = !(principal && principal.roles.includes("floor"));
}

function drawFaults() {
  const faults = state.faults || [];
  $("faults").hidden = !faults.length;
  $("faults").querySelector("ul").replaceChildren(...faults.map((fault) => {
    const item = makeElement("li", "", `${capitalize(formatFault(fault.code))}${formatPeople(fault.people)}: ${fault.text} ${fault.floor || fault.dealer || ""} `);
    if (principal && (fault.clears || []).some((role) => principal.roles.includes(role))) {
      item.append(makeButton(t("It is over"), "", () => enter({ ev: "device", id: fault.id, status: "back" })));
    }
    return item;
  }));
}

/* Which cards everybody came to know by an entry, and by whose: the ones taken back, and those turned up, stand out. */
function drawShown() {
  const shown = state.notices.filter((notice) => notice.code.startsWith("shown-"));
  $("shown").hidden = !shown.length;
  $("shown").querySelector("ul").replaceChildren(...shown.map((notice) => {
    const isLoud = notice.code === "shown-taken-back" || notice.code === "shown-turned-up";
    return makeElement("li", isLoud ? "loud" : "", `${formatNoticeSource(notice)}: ${notice.text}`);
  }));
}

function renderRulingTab() {
  if (!state.rulings.length) return [makeElement("p", "none", t("No ruling yet."))];
  return [
    makeButton(t("Read it to the player"), "", () => openReadingSheet(state.rulings, state.clauses), "read"),
    makeElement("p", "none", state.remedy.taken_back ? t("Hand {n}, taken back", { n: state.ruled_in }) : t("Hand {n}", { n: state.ruled_in })),
    ...state.rulings.flatMap((ruling) => [
      makeElement("p", "verdict", `${appendSeat(capitalize(formatLabel(ruling.finding)), ruling.seat)}: ${formatLabel(ruling.verdict)}`),
      makeElement("p", "why", capitalize(leaveOutCommands(ruling.text))), ...ruling.cite.map((cite) => makeElement("span", "cite", cite)),
    ]),
    makeStepList(state.remedy.steps, null, state.remedy.taken_back),
  ];
}

/* Ours beside the printed one, where the house has put its copy on the table. */
function renderClauseTab() {
  const cites = [...new Set(state.rulings.flatMap((ruling) => ruling.cite))].map((cite) => cite.split("#")[0]);
  if (!cites.length) return [makeElement("p", "none", t("No clause yet."))];
  return [...new Set(cites)].flatMap((cite) => {
    const cases = state.clauses[cite] || Object.entries(state.clauses).find(([id]) => id.split("#")[0] === cite)?.[1] || [];
    const section = cases.length ? `${cases[0].book}: ${cases[0].section}` : cite;
    const sides = makeElement("div", "sides");
    const ours = makeElement("div", "book"), theirs = makeElement("div", "book printed");
    ours.append(makeElement("h2", "", t("In our words")), ...cases.flatMap((each) => [makeElement("p", "when", each.when), makeElement("p", "then", `→ ${each.then}`)]));
    theirs.append(makeElement("h2", "", t("As printed")));
    const found = passageByCite[cite];
    if (found === undefined) fetchPrinted(cite);
    else if (found && found.text) theirs.append(makeElement("p", "none", found.exact ? t("line {n}", { n: found.first }) : t("line {n}, near it", { n: found.first })), makeElement("pre", "", found.text));
    else theirs.append(makeElement("p", "none", describeRefusal(found) || t("Not found in the printed text.")));
    sides.append(ours, theirs);
    return [makeElement("p", "section", `${section} (${cite})`), sides];
  });
}

async function fetchPrinted(cite) {
  passageByCite[cite] = null;
  const answer = await fetch(`/printed/${encodeURIComponent(cite)}`).catch(() => null);
  passageByCite[cite] = answer ? await answer.json().catch(() => ({})) : {};
  if (!answer) delete passageByCite[cite];
  drawTab();
}

async function fetchSteps() {
  const { hand } = state.table, { entry } = state;
  if (!hand || (handSteps.hand === hand && handSteps.entry === entry)) return;
  handSteps = { ...handSteps, hand, entry };
  const answer = await fetch(`/hands/${hand}`).catch(() => null);
  if (!answer || !answer.ok) return;
  handSteps.found = (await answer.json()).steps;
  if (currentTab === "hand") drawTab();
}

function renderHandTab() {
  fetchSteps();
  const list = makeElement("ol", "course");
  list.append(...handSteps.found.map((step, i) => {
    const ruled = step.table.rulings.map((ruling) => `§ ${formatLabel(ruling.finding)}: ${formatLabel(ruling.verdict)}`);
    const item = makeElement("li", step.error ? "refused" : ruled.length ? "ruled" : "", "");
    item.append(...(step.struck ? renderAmendedEntry(step, handSteps.found[i - 1]) : [describeEntry(step, handSteps.found[i - 1])]), ...ruled.map((each) => ` · ${each}`));
    return item;
  }));
  const link = makeElement("a", "", t("Step by step"));
  link.href = `/hands?hand=${state.table.hand}`;
  return handSteps.found.length ? [link, list] : [makeElement("p", "none", t("No hand yet."))];
}

/* What the book asks of people, because the table cannot sense it: each with its clause. */
let reminders = null;

async function fetchReminders() {
  reminders = [];
  const answer = await fetch("/by-people").catch(() => null);
  if (!answer || !answer.ok) { reminders = null; return; }
  reminders = (await answer.json()).rows;
  if (currentTab === "people") drawTab();
}

function renderPeopleTab() {
  if (reminders === null) fetchReminders();
  const rows = (reminders || []).map((row) => {
    const item = makeElement("div", "clause");
    item.append(makeElement("p", "section", `${row.section} (${row.cite})`), makeElement("p", "when", row.when), makeElement("p", "then", `→ ${row.then}`));
    return item;
  });
  return [makeElement("p", "none", t("The table cannot sense this; the book asks it of people.")), ...rows];
}

function drawTab() {
  if (!state) return;
  const ground = $("ground"), at = ground.scrollTop;
  ground.replaceChildren(...{ ruling: renderRulingTab, clause: renderClauseTab, hand: renderHandTab, people: renderPeopleTab }[currentTab]());
  ground.scrollTop = currentTab === "hand" ? ground.scrollHeight : at;
}

for (const each of document.querySelectorAll("#tabs button")) {
  each.addEventListener("click", () => {
    currentTab = each.dataset.tab;
    for (const other of document.querySelectorAll("#tabs button")) other.setAttribute("aria-selected", String(other === each));
    drawTab();
  });
}
$("close").addEventListener("click", () => closeSheet());

$("terms").addEventListener("click", () => openTermsSheet(state.notice, state.setup.collection, () => state.entry, (line) => post("/entry", { seen: state.entry, line })));
$("coming").addEventListener("click", () => post("/call", { wanted: false }));

function drawForPrincipal() { if (state) { drawQuestion(); drawMoney(); drawFaults(); drawShown(); } }

function draw(publication) {
  const hasMoved = !state || publication.entry !== state.entry;
  state = publication;
  playNewSound(state.sound);
  drawHeader(state);
  drawNext(state.table, state.devices, state.faults);
  if (hasMoved) closeSheet(true);
  followTerms(state);
  const refusal = state.refusal && state.refusal.source === "page" ? capitalize(leaveOutCommands(state.refusal.message)) : "";
  if (hasMoved || refusal !== shownRefusal) showRefusal(refusal);
  shownRefusal = refusal;
  $("called-to").hidden = !state.floor_called;
  followCall(Boolean(state.floor_called));
  drawFloorCall($("called-to").querySelector("strong"), t("The dealer calls the floor"), state.floor_called);
  drawForPrincipal();
  drawTab();
}

makeRingKey($("ring"));
connect(draw);
showPrincipal($("who"), (who) => { principal = who; drawForPrincipal(); });
