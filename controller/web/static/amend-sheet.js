/* Putting right what was entered: the entries of the hand, and for each what it should have been. docs/amend.md */
import { describeRefusal, t } from "./language.js";
import { describeEntry } from "./entry-description.js";
import { openCardPicker, openChoices, openSheet } from "./sheet.js";
import { capitalize, formatSeatTitle, makeElement } from "./table.js";

const FACT_EVENTS = ["start", "seen"];
const ACT_CHOICES = [[t("Fold"), "fold"], [t("Check"), "check"], [t("Call"), "call"], [t("Bet…"), "bet"], [t("Raise…"), "raise"], [t("All-in"), "all-in"]];

const describeLine = (each, line = each.told) => capitalize(describeEntry({ told: line }, { table: { next: each.due ? [each.due] : [] } }));

function makeEntryRow(each, open) {
  const made = makeElement("button", "", "");
  made.type = "button";
  made.disabled = Boolean(each.out);
  made.append(makeElement("small", "", String(each.entry)));
  const words = makeElement("span", "", "");
  if (each.was || each.out) words.append(makeElement("s", "", describeLine(each, each.was || each.told)), " ");
  words.append(each.out ? t("taken out") : describeLine(each));
  made.append(words);
  if (each.floor) made.append(makeElement("small", "", t("floor")));
  made.addEventListener("click", () => open(each));
  return made;
}

/* The entries, the newest first. `enter` sends a line; `seats` are those that somebody holds. `together`: changes that
   are gathered to be put right in one, where one of them alone does not fit. */
export async function openAmendSheet(enter, seats, refuse, together = null) {
  const answer = await fetch("/entries");
  if (!answer.ok) { refuse(describeRefusal(await answer.json().catch(() => ({}))) || t("Not shown ({status}).", { status: answer.status })); return; }
  const { entries, seen } = await answer.json();
  const again = (gathered) => openAmendSheet(enter, seats, refuse, gathered);
  const amend = (...changes) => {
    if (together) { again([...together, ...changes]); return; }
    const [first, ...also] = changes;
    enter({ ev: "amend", ...first, ...(also.length ? { also } : {}) });
  };
  const list = makeElement("div", "entries");
  if (!entries.length) list.append(makeElement("p", "none", t("Nothing was entered since the hand before.")));
  list.append(...entries.toReversed().map((each) => makeEntryRow(each, (one) => openEntryChoices(one, entries, seats, amend))));
  const head = makeElement("div", "choices");
  head.append(
    makeButton(t("At the end…"), () => openChoices(t("Forgotten at the end"), listInsertions(seen + 1, seats, amend))),
    together
      ? makeButton(t("Put {n} right together", { n: together.length }), () => enter({ ev: "amend", ...together[0], also: together.slice(1) }), !together.length)
      : makeButton(t("Several together…"), () => again([])),
  );
  const body = makeElement("div", "");
  body.append(head, list);
  openSheet(together ? t("What belongs together?") : t("What was entered wrong?"), body, true);
}

function makeButton(text, act, disabled = false) {
  const made = makeElement("button", "", text);
  made.type = "button";
  made.disabled = disabled;
  made.addEventListener("click", act);
  return made;
}

function openEntryChoices(each, entries, seats, amend) {
  const later = entries.slice(entries.indexOf(each) + 1).filter((one) => !one.out && !["start", "card", "seen", "time"].includes(one.told.ev));
  const put = (to) => amend({ line: each.entry, to });
  const keys = [];
  const { ev, seat } = each.told;
  if (ev === "act") for (const [text, act] of ACT_CHOICES) keys.push([text, () => enterAct(act, seat, put)]);
  if (ev === "act") keys.push([t("Another seat…"), () => openChoices(t("Who was it?"), seats.map((one) => [formatSeatTitle(one), () => put({ ...each.told, seat: one }), String(one)]))]);
  if (ev === "card") keys.push([t("Another card…"), () => openCardPicker(t("It was…"), 1, ([card]) => put({ ev: "card", card }))], [t("Not read"), () => put({ ev: "card", card: null })]);
  if (each.told.stack !== undefined) keys.push([t("Another stack…"), () => openAmountSheet(t("The stack"), (stack) => put({ ...each.told, stack }))]);
  if (!FACT_EVENTS.includes(ev) && ev !== "card") keys.push([t("Take it out"), () => put(null)]);
  if (later.length && ev === "act") keys.push([t("Take it out, and the {n} after it", { n: later.length }), () => amend(...[each, ...later].map((one) => ({ line: one.entry, to: null })))]);
  keys.push(...listInsertions(each.entry, seats, amend).map(([text, act]) => [t("Before it: {what}", { what: text }), act]));
  openChoices(`${each.entry}: ${describeLine(each)}`, keys);
}

/* What may have been forgotten just before an entry. */
function listInsertions(entry, seats, amend) {
  const before = (to) => amend({ before: entry, to });
  return [
    [t("an act…"), () => openChoices(t("Who acted?"), seats.map((one) => [formatSeatTitle(one), () => openChoices(formatSeatTitle(one), ACT_CHOICES.map(([text, act]) => [text, () => enterAct(act, one, before)])), String(one)]))],
    [t("a card unread"), () => before({ ev: "card", card: null })],
    [t("a stack…"), () => openChoices(t("Whose stack?"), seats.map((one) => [formatSeatTitle(one), () => openAmountSheet(formatSeatTitle(one), (stack) => before({ ev: "stack", seat: one, stack })), String(one)]))],
  ];
}

/* A bet or a raise needs its total on the round. */
function enterAct(act, seat, put) {
  if (act === "bet" || act === "raise") openAmountSheet(t("Seat {seat}: in all on the round", { seat }), (to) => put({ ev: "act", seat, do: act, to }));
  else put({ ev: "act", seat, do: act });
}

function openAmountSheet(title, done) {
  const body = makeElement("div", "amount");
  const field = makeElement("output", "typed", "");
  field.setAttribute("aria-label", t("Amount"));
  const pad = makeElement("div", "pad");
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "Enter"]) {
    const made = makeElement("button", digit === "Enter" ? "main" : "", digit === "Enter" ? t("Enter") : digit);
    made.type = "button";
    made.dataset.letter = digit === "⌫" ? "Backspace" : digit;
    made.addEventListener("click", () => {
      if (digit === "Enter") { if (field.textContent) done(Number(field.textContent)); return; }
      field.textContent = digit === "⌫" ? field.textContent.slice(0, -1) : (field.textContent + digit).slice(0, 9);
    });
    pad.append(made);
  }
  body.append(field, pad);
  openSheet(title, body, true);
}
