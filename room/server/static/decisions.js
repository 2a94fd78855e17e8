/* Decides at a table from the room: what the table would take now, looked at before it is sent, and what the table answers. */
import { describeRefusal, t } from "/static/language.js";
import { describeEntry } from "/static/entry-description.js";
import { goToSignIn, post } from "/static/session.js";
import { makeElement } from "/room/menu.js";

const MEANING_BY_DECISION = {
  misdeal: t("all cards and all money back, the same button deals again"), void: t("the hand never was: all money back"),
  "play-on": t("the cards stand and the hand goes on"), "dead-hand": t("one hand is out; its bets stay in the pot"),
  bind: t("what was done out of turn counts when its turn comes"), release: t("what was done out of turn is taken back"),
  "turned-up": t("with everybody looking: from now on everybody knows the card"),
};

const decisionElement = document.getElementById("decide");
let shownCase = { table: "", entry: 0 };  /* what the case on the screen is of */
let tableOffers = null;                   /* what the table said that it would take, and at which entry */
let isAsking = false;
let chosenLine = null;                    /* the line that is being looked at, and the entry at which it was chosen */
let resultText = "";

function makeButton(text, act, look = "") {
  const button = makeElement("button", look, text);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

function describeLine(line) {
  try { return describeEntry({ told: line }).replace(/^./, (letter) => letter.toUpperCase()); } catch { return line.ev; }  // the table says what is wrong with it
}
const hasMovedOn = () => chosenLine && chosenLine.entry !== shownCase.entry;

/* Shows a table's decisions in the case that is open; `floor`: whether whoever is signed in may decide. */
export function showDecisions(table, entry, floor) {
  const isOtherTable = table !== shownCase.table;
  shownCase = { table, entry };
  if (isOtherTable) { tableOffers = null; chosenLine = null; resultText = ""; }
  decisionElement.hidden = false;
  if (!floor) {
    decisionElement.replaceChildren(makeElement("h2", "", t("Decide")), makeElement("p", "", t("deciding needs the floor's own sign-in")), makeButton(t("Sign in as floor"), goToSignIn, "main"));
    return;
  }
  if (isOtherTable) draw();
  if (chosenLine) drawMoved(); else if (!tableOffers || tableOffers.entry !== entry) fetchOffers();
}

export function hideDecisions() { shownCase = { table: "", entry: 0 }; chosenLine = null; tableOffers = null; resultText = ""; }

/* One question at a time, and once more where the table went on meanwhile. */
async function fetchOffers() {
  if (isAsking) return;
  isAsking = true;
  const { table, entry } = shownCase;
  const answer = await fetch(`/decide/${encodeURIComponent(table)}`).catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  isAsking = false;
  if (!shownCase.table) return;
  if (table !== shownCase.table) { fetchOffers(); return; }
  tableOffers = answer && answer.ok ? content : { entry, refused: describeRefusal(content) || t("No connection to the room.") };
  if (!chosenLine && !decisionElement.contains(document.activeElement)) draw(); else if (!chosenLine) drawOffers();
  if (shownCase.entry !== entry && shownCase.entry !== tableOffers.entry) fetchOffers();
}

function makeOfferElements() {
  if (!tableOffers) return [makeElement("p", "none", t("The table is asked…"))];
  if (tableOffers.refused) return [makeElement("p", "refused", tableOffers.refused)];
  const makeOfferButton = (offer) => {
    const button = makeButton(describeLine(offer.line), () => chooseLine(offer.line, offer.why), offer.asked ? "main" : "");
    button.dataset.line = JSON.stringify(offer.line);
    return button;
  };
  const makeButtonRow = (some) => { const box = makeElement("div", "keys"); box.append(...some.map(makeOfferButton)); return box; };
  const askedOffers = tableOffers.offers.filter((offer) => offer.asked), unaskedOffers = tableOffers.offers.filter((offer) => !offer.asked);
  const elements = [askedOffers.length ? makeButtonRow(askedOffers) : makeElement("p", "none", t("The table waits for no decision."))];
  if (unaskedOffers.length) {
    const more = makeElement("details");
    more.append(makeElement("summary", "", t("Unasked")), makeButtonRow(unaskedOffers));
    elements.push(more);
  }
  return elements;
}

function drawOffers() {
  const open = Boolean(decisionElement.querySelector("details[open]"));
  decisionElement.querySelector(".offers")?.replaceChildren(...makeOfferElements());
  if (open) decisionElement.querySelector("details")?.setAttribute("open", "");
}

function draw() {
  const offersElement = makeElement("div", "offers");
  const resultElement = makeElement("p", "result", resultText);
  resultElement.setAttribute("role", "status");
  resultElement.hidden = !resultText;
  decisionElement.replaceChildren(makeElement("h2", "", t("Decide")), resultElement, offersElement);
  drawOffers();
  if (!tableOffers || tableOffers.refused) return;
  decisionElement.append(
    makeForm("script", t("A line of the table script"), '{"ev": "…"}', t("Look at it"), chooseScriptLine),
    makeForm("say", t("Say to the dealer"), "", t("Say it"), sayToDealer),
  );
}

function makeForm(name, label, hint, text, act) {
  const form = makeElement("form"), field = makeElement("label", "", label), input = makeElement("input");
  Object.assign(input, { name, autocomplete: "off", required: true, placeholder: hint, maxLength: name === "say" ? 200 : 2000, spellcheck: name === "say" });
  field.append(input);
  form.append(field, makeElement("button", "", text));
  form.addEventListener("submit", (event) => { event.preventDefault(); act(input.value.trim()); });
  return form;
}

function showResult(text) { resultText = text; chosenLine = null; draw(); }

function chooseScriptLine(text) {
  let line = null;
  try { line = JSON.parse(text); } catch { /* said below */ }
  if (line && typeof line === "object" && !Array.isArray(line) && typeof line.ev === "string") chooseLine(line, false);
  else showResult(t("That is no line of the table script; one is {example}.", { example: '{"ev": "floor", "decide": "misdeal"}' }));
}

/* What will be entered, to be looked at before it is sent. */
function chooseLine(line, needsReason) {
  chosenLine = { line, entry: shownCase.entry };
  resultText = "";
  const sure = makeElement("form", "sure");
  sure.append(
    makeElement("p", "", t("This will be entered at {table}, after entry {n}:", { table: shownCase.table, n: chosenLine.entry })),
    makeElement("p", "verdict", describeLine(line)), ...(MEANING_BY_DECISION[line.decide] ? [makeElement("p", "", MEANING_BY_DECISION[line.decide])] : []), makeElement("code", "", JSON.stringify(line)),
  );
  const input = makeElement("input");
  if (needsReason) {
    const field = makeElement("label", "", t("Why?"));
    Object.assign(input, { name: "why", required: true, maxLength: 200, autocomplete: "off" });
    field.append(input);
    sure.append(field);
  }
  const keys = makeElement("div", "keys");
  keys.append(makeElement("button", "main", t("Enter it")), makeButton(t("Not this"), () => { showResult(""); fetchOffers(); }));
  sure.append(makeElement("p", "moved refused", t("The table has moved on since; look again.")), keys);
  sure.addEventListener("submit", (event) => { event.preventDefault(); enterLine(needsReason ? { ...line, why: input.value.trim() } : line); });
  decisionElement.replaceChildren(makeElement("h2", "", t("Decide")), sure);
  drawMoved();
  decisionElement.scrollIntoView({ block: "nearest" });
}

function drawMoved() {
  const sure = decisionElement.querySelector(".sure");
  if (!sure) return;
  sure.querySelector(".moved").hidden = !hasMovedOn();
  sure.querySelector("button.main").disabled = Boolean(hasMovedOn());
}

async function enterLine(line) {
  if (!chosenLine || hasMovedOn()) return;
  const { entry } = chosenLine, { table } = shownCase;
  decisionElement.querySelector(".sure button.main").disabled = true;
  const answer = await post("/decide", { table, seen: entry, line }).catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  if (table !== shownCase.table) return;
  showResult(content.taken ? t("Entered as entry {n}.", { n: content.entry }) : t("Not entered: {why}", { why: describeRefusal(content) || t("No connection to the room.") }));
  fetchOffers();
}

async function sayToDealer(text) {
  const { table } = shownCase;
  const answer = await post("/decide", { table, say: text }).catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  if (table !== shownCase.table) return;
  showResult(answer && answer.ok ? t("Said at {table}.", { table }) : t("Not said: {why}", { why: describeRefusal(content) || t("No connection to the room.") }));
}
