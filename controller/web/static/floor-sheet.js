/* The floor at the dealer's own screen: signs in over the dealer, decides by touch, and is signed out with the decision. */
import { openAmendSheet } from "./amend-sheet.js";
import { t } from "./language.js";
import { openNameSheet } from "./keypad.js";
import { openPinSheet } from "./pin-sheet.js";
import { fetchPrincipal, post } from "./session.js";
import { closeSheet, openChoices } from "./sheet.js";
import { canTurnUp, makeFloorActions, makeTurnUpActions } from "./floor-actions.js";
import { appendSeat, capitalize, formatFault, formatLabel, formatSeatTitle } from "./table.js";

const REASONS = [
  t("Players agreed"), t("A card was seen"), t("Rule was misread"), t("Dealer's error"), t("Act was misheard"), t("Chips were miscounted"), t("House rule"),
];
const RENEW_INTERVAL_MS = 30000;
let renewedAt = 0;

/* While the floor touches, it is not signed out for looking on: `/entries` is for whoever is signed in. */
addEventListener("click", () => {
  if (!document.body.dataset.deciding || Date.now() - renewedAt < RENEW_INTERVAL_MS) return;
  renewedAt = Date.now();
  fetch("/entries").catch(() => null);
}, true);

/* Open it: who the floor is, unless it is signed in here, then what is to be decided. `page`: the publication now, what
   enters a line and says whether it was taken, what says why not, and what is told that somebody else is signed in. */
export async function openFloorSheet(page) {
  const principal = await fetchPrincipal(true).catch(() => null);
  if (principal && principal.roles.includes("floor")) openDecisions(page, Boolean(principal.showroom));
  else openPinSheet(t("The floor"), "floor", () => { page.changed(); openDecisions(page, false); });
}

function openDecisions(page, stays) {
  document.body.dataset.deciding = "yes";
  const { table, faults, for_floor: floorLines } = page.state();
  const question = table.next.find((step) => step.step === "floor"), holding = Object.keys(table.piles.seats).map(Number);
  /* Only a decision that was taken signs the floor out: one that was refused can be made otherwise. */
  const enter = async (line) => { if (await page.enter(line) && !stays) signFloorOut(page); };
  const decide = (line) => enter({ ev: "floor", ...line });
  const openSeatChoices = (title, onSeat) => openChoices(title, holding.map((seat) => [formatSeatTitle(seat), () => onSeat(seat), String(seat)]), "", true);
  const decideOption = (word, onDecision) => {
    if (word === "dead-hand" && !(question && question.seat !== undefined)) return openSeatChoices(t("Whose hand is dead?"), (seat) => onDecision({ decide: word, seat }));
    if (word === "play-on" && question && question.question === "false-openers") return openSeatChoices(t("Who declares the pot open? (only a player who has not passed)"), (seat) => onDecision({ decide: word, seat }));
    return onDecision({ decide: word, ...(word === "dead-hand" ? { seat: question.seat } : {}) });
  };
  const openReasonChoices = (line) => openChoices(t("{decision}: why?", { decision: appendSeat(capitalize(formatLabel(line.decide)), line.seat) }), [
    ...REASONS.map((reason) => [reason, () => decide({ ...line, why: reason })]),
    [t("Other…"), () => openNameSheet(t("Why?"), (text) => { if (text) decide({ ...line, why: text }); }, 60)],
  ], "", true);
  const faultChoices = (faults || []).filter((fault) => fault.id && fault.clears.includes("floor"))
    .map((fault) => [t("Over: {fault}", { fault: capitalize(formatFault(fault.code)) }), () => enter({ ev: "device", id: fault.id, status: "back" })]);
  const makeTurnUpChoices = (asking) => (canTurnUp(table) ? makeTurnUpActions(table, enter, asking) : []).map(([text, , act]) => [text, act]);
  const turnsUp = question && question.options.includes("turned-up");
  const askedChoices = question ? question.options.flatMap((word) => (word === "turned-up" ? makeTurnUpChoices(question) : [[capitalize(formatLabel(word)), () => decideOption(word, decide)]])) : [];
  const overruleChoices = !question && table.hand && table.phase !== "idle"
    ? ["play-on", "misdeal", "void", "dead-hand"].map((word) => [t("Overrule: {decision}…", { decision: formatLabel(word) }), () => decideOption(word, openReasonChoices)]) : [];
  const actionChoices = makeFloorActions(floorLines, (line) => (line.ev === "floor" ? openReasonChoices({ decide: line.decide, seat: line.seat }) : enter(line))).map(([text, , act]) => [text, act]);
  const { notice, setup } = page.state(), isIdle = table.phase === "idle";
  const termsChoices = notice && notice.is_shown && isIdle ? [
    ...(notice.terms.kind === "none" ? [] : [[t("The house takes nothing"), () => enter({ ev: "collection", kind: "none" })]]),
    ...(setup.collection ? [[t("The house takes what the table's file says"), () => enter({ ev: "collection", ...setup.collection })]] : []),
  ] : [];
  const amendChoices = table.hand ? [[t("Put right…"), () => openAmendSheet(enter, holding, page.refuse)]] : [];
  const endChoices = stays ? [] : [[t("Nothing: sign out"), () => { closeSheet(); signFloorOut(page); }]];
  openChoices(question ? t("Floor: {decision}", { decision: appendSeat(formatLabel(question.question), question.seat) }) : t("Floor"), [...askedChoices, ...faultChoices, ...overruleChoices, ...(turnsUp ? [] : makeTurnUpChoices(null)), ...actionChoices, ...termsChoices, ...amendChoices, ...endChoices], "", true);
}

async function signFloorOut(page) {
  delete document.body.dataset.deciding;
  await post("/sign-out");
  await fetchPrincipal(true).catch(() => null);
  page.changed();
}
