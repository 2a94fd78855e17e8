/* The floor at the dealer's own screen: signs in over the dealer, decides by touch, and is signed out with the decision. */
import { openEntries } from "./amend-sheet.js";
import { t } from "./language.js";
import { named } from "./keypad.js";
import { askWho } from "./pin-sheet.js";
import { post, signedIn } from "./session.js";
import { choose, closeSheet } from "./sheet.js";
import { floorWords } from "./floor-actions.js";
import { atSeat, capital, faultName, seatKey, words } from "./table.js";

const REASONS = [
  t("Players agreed"), t("A card was seen"), t("Rule was misread"), t("Dealer's error"), t("Act was misheard"), t("Chips were miscounted"), t("House rule"),
];
const RENEW_MS = 30000;
let renewed = 0;

/* While the floor touches, it is not signed out for looking on: `/entries` is for whoever is signed in. */
addEventListener("click", () => {
  if (!document.body.dataset.deciding || Date.now() - renewed < RENEW_MS) return;
  renewed = Date.now();
  fetch("/entries").catch(() => null);
}, true);

/* Open it: who the floor is, unless it is signed in here, then what is to be decided. `page`: the publication now, what
   enters a line and says whether it was taken, what says why not, and what is told that somebody else is signed in. */
export async function openFloor(page) {
  const who = await signedIn(true).catch(() => null);
  if (who && who.roles.includes("floor")) decisions(page, Boolean(who.showroom));
  else askWho(t("The floor"), "floor", () => { page.changed(); decisions(page, false); });
}

function decisions(page, stays) {
  document.body.dataset.deciding = "yes";
  const { table, faults, for_floor: told } = page.state();
  const question = table.next.find((step) => step.step === "floor"), holding = Object.keys(table.piles.seats).map(Number);
  /* Only a decision that was taken signs the floor out: one that was refused can be made otherwise. */
  const enter = async (line) => { if (await page.enter(line) && !stays) leave(page); };
  const decide = (line) => enter({ ev: "floor", ...line });
  const seats = (title, put) => choose(title, holding.map((seat) => [seatKey(seat), () => put(seat), String(seat)]), "", true);
  const option = (word, put) => {
    if (word === "dead-hand" && !(question && question.seat !== undefined)) return seats(t("Whose hand is dead?"), (seat) => put({ decide: word, seat }));
    if (word === "play-on" && question && question.question === "false-openers") return seats(t("Who declares it open, not having passed?"), (seat) => put({ decide: word, seat }));
    return put({ decide: word, ...(word === "dead-hand" ? { seat: question.seat } : {}) });
  };
  const why = (line) => choose(t("{decision}: why?", { decision: atSeat(capital(words(line.decide)), line.seat) }), [
    ...REASONS.map((reason) => [reason, () => decide({ ...line, why: reason })]),
    [t("Other…"), () => named(t("Why?"), (text) => { if (text) decide({ ...line, why: text }); }, 60)],
  ], "", true);
  const over = (faults || []).filter((fault) => fault.id && fault.clears.includes("floor"))
    .map((fault) => [t("{fault} is over", { fault: capital(faultName(fault.code)) }), () => enter({ ev: "device", id: fault.id, status: "back" })]);
  const asked = question ? question.options.map((word) => [capital(words(word)), () => option(word, decide)]) : [];
  const overrule = !question && table.hand && table.phase !== "idle"
    ? ["play-on", "misdeal", "void", "dead-hand"].map((word) => [t("Overrule: {decision}…", { decision: words(word) }), () => option(word, why)]) : [];
  const words_ = floorWords(told, (line) => (line.ev === "floor" ? why({ decide: line.decide, seat: line.seat }) : enter(line))).map(([text, , act]) => [text, act]);
  const more = table.hand ? [[t("Put right…"), () => openEntries(enter, holding, page.refuse)]] : [];
  const end = stays ? [] : [[t("Nothing: sign out"), () => { closeSheet(); leave(page); }]];
  choose(question ? t("Floor: {decision}", { decision: atSeat(words(question.question), question.seat) }) : t("Floor"), [...asked, ...over, ...overrule, ...words_, ...more, ...end], "", true);
}

async function leave(page) {
  delete document.body.dataset.deciding;
  await post("/sign-out");
  await signedIn(true).catch(() => null);
  page.changed();
}
