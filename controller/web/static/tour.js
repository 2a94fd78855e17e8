/* The tour of a simulated table: what this is, and six things to try, each of which ends when it has been done. It is
   offered once in a browser, and again to who asks for it. A live table simulates nothing and has none. */
import { t } from "./language.js";
import { postSimulation } from "./simulation-controls.js";
import { $, isRulingUnderWay, makeElement } from "./table.js";

const STORAGE_KEY = "tour", OVER = "over";
const countHeld = ({ table }) => Object.values(table.piles.seats).reduce((sum, count) => sum + count, 0);
const isRuled = ({ rulings, ruled_in: ruledIn, table }) => rulings.length > 0 && ruledIn === table.hand;
const isExposedRuled = (now) => isRuled(now) && !now.remedy.taken_back && now.rulings.some((ruling) => ruling.finding === "exposed");
const isActing = ({ table }) => Boolean(table.next[0]) && ["act", "bet"].includes(table.next[0].step);

/* Each: its title, what to try, when that is done; `begin` is how the table stood as the step was shown, `before` how it
   stood one entry ago: the tour may begin in the midst of a hand. A step `isFitting` where it can be tried as the table
   stands now, and is left out elsewhere. */
const STEPS = [
  { title: t("Deal a card"), text: t("The table waits for you now. Touch Deal on: it plays until a card comes to a seat."), isDone: (begin, now, before) => countHeld(now) > countHeld(before), act: [t("Deal on"), () => playOn(() => false)] },
  { title: t("Report an exposed card"), text: t("All have seen the last card. Touch What happened?, then Exposed."), isFitting: (now) => now.table.next.length > 0 && countHeld(now) > 0, isDone: (begin, now) => isExposedRuled(now) && JSON.stringify(now.rulings) !== JSON.stringify(begin.rulings) },
  { title: t("Read the clause"), isFitting: isRuled, text: t("The ruling says what to do. Touch § Clause: the rule that it comes from."), touched: "#answers .cite" },
  { title: t("Take it back"), isFitting: isRuled, text: t("Close the clause and touch Undo: the table is as it was before."), isDone: (begin, now) => now.remedy.taken_back || now.entry > begin.entry },
  { title: t("Act for a seat"), text: t("Touch Deal on: it plays until a seat acts. Then touch what it does: Call, Fold, a raise."), isDone: (begin, now, before) => isActing(before) && now.entry > before.entry, act: [t("Deal on"), () => playOn(isActing)] },
  { title: t("Open the floor's page"), text: t("The floor supervisor decides there, on a telephone too. That ends the tour."), link: ["/floor", t("The floor's page")] },
];

let shownIndex = null;  /* the step that is shown; -1: the offer; nothing: no tour */
let begin = null, latest = null;
let isFarEnough = null;  /* where the people in the room stop again; nothing: they do not go on for the tour */

let redraw = () => {};   /* what stands beside the tour gets the room that it leaves, or gives way */

const isOver = () => localStorage.getItem(STORAGE_KEY) === OVER;

function makeKey(text, act, look = "") {
  const key = makeElement("button", look, text);
  key.type = "button";
  key.addEventListener("click", () => { act(); redraw(); });
  return key;
}

const findNextStep = (index) => STEPS.findIndex((step, n) => n > index && (!step.isFitting || step.isFitting(latest)));

function showStep(index) {
  shownIndex = index;
  begin = latest;
  holdPlay();
  const step = STEPS[index], place = $("tour");
  place.hidden = false;
  document.body.dataset.tour = "on";
  if (index < 0) {
    place.replaceChildren(
      makeElement("h2", "", t("A simulated poker table")),
      makeElement("p", "", t("It plays by itself. Touch Pause and you are the dealer. The large line says what comes next.")),
      makeElement("div", "keys"),
    );
    place.lastChild.append(makeKey(t("Six things to try"), startTour, "main"), makeKey(t("No tour"), endTour));
    return;
  }
  place.replaceChildren(makeElement("h2", "", t("{n} of {count}: {what}", { n: index + 1, count: STEPS.length, what: step.title })), makeElement("p", "", step.text), makeElement("div", "keys"));
  if (step.act) place.lastChild.append(makeKey(step.act[0], step.act[1], "main"));
  if (step.link) {
    const link = makeElement("a", "", step.link[1]);
    link.href = step.link[0];
    link.addEventListener("click", endTour);
    place.lastChild.append(link);
  } else place.lastChild.append(makeKey(t("Next"), () => showStep(findNextStep(index))));
  place.lastChild.append(makeEndKey());
}

/* Narrow: the keys of every step stand in one row, and what the table says keeps its room. */
function makeEndKey() {
  const key = makeKey("✕", endTour, "end");
  key.title = t("End the tour");
  key.setAttribute("aria-label", key.title);
  return key;
}

/* The people in the room wait while somebody tries. */
function startTour() {
  if (latest.simulation.playing) postSimulation({ do: "pause" });
  showStep(0);
}

function endTour() {
  localStorage.setItem(STORAGE_KEY, OVER);
  shownIndex = null;
  isFarEnough = null;
  delete document.body.dataset.tour;
  $("tour").hidden = true;
}

/* The offer waits while a ruling has steps to do, which need its room. */
function showOffer(isShown) {
  $("tour").hidden = !isShown;
  if (isShown) document.body.dataset.tour = "on";
  else delete document.body.dataset.tour;
}

/* Who deals a betting round while the tour is only offered wants none now. */
export function declineTour() { if (shownIndex === -1) endTour(); }

/* The people in the room go on until the table stands so, or the step is done; then they wait for whoever tries. */
function playOn(isThere) {
  if (isThere(latest)) return;
  isFarEnough = isThere;
  postSimulation({ do: "play" });
}

function holdPlay() {
  if (!isFarEnough) return;
  isFarEnough = null;
  postSimulation({ do: "pause" });
}

/* With every publication: offers the tour where it has not been, and goes on when the step is done. */
export function drawTour(state) {
  const before = latest;
  latest = state;
  if (!state.simulation) { if (shownIndex !== null) endTour(); return; }
  if (shownIndex === null) {
    if (before || isOver()) return;
    showStep(-1);
  }
  const step = STEPS[shownIndex];
  if (!step) { showOffer(!isRulingUnderWay(state)); return; }
  if (step.isDone && step.isDone(begin, state, before)) showStep(shownIndex + 1);
  else if (isFarEnough && isFarEnough(state)) holdPlay();
}

/* What is to be drawn anew where somebody goes on with the tour or ends it. */
export function onTourKey(draw) { redraw = draw; }

/* Somebody wants to see it again. */
export function offerTour() { if (latest && latest.simulation) showStep(-1); }

document.addEventListener("click", (event) => {
  const step = STEPS[shownIndex];
  if (step && step.touched && event.target.closest(step.touched)) showStep(shownIndex + 1);
});
