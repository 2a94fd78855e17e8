/* Putting right what was entered: the entries of the hand, and for each what it should have been. docs/amend.md */
import { describeRefusal, t } from "./language.js";
import { describeEntry } from "./entry-description.js";
import { openAmountSheet } from "./keypad.js";
import { openCardPicker, openChoices, openSheet } from "./sheet.js";
import { capitalize, formatSeatTitle, makeElement } from "./table.js";

const FACT_EVENTS = ["start", "seen"];
const ACT_CHOICES = [[t("Fold"), "fold"], [t("Check"), "check"], [t("Call"), "call"], [t("Bet…"), "bet"], [t("Raise…"), "raise"], [t("All-in"), "all-in"]];

const describeLine = (entry, line = entry.told) => capitalize(describeEntry({ told: line }, { table: { next: entry.due ? [entry.due] : [] } }));

function makeEntryRow(entry, onOpen) {
  const button = makeElement("button", "", "");
  button.type = "button";
  button.disabled = Boolean(entry.out);
  button.append(makeElement("small", "", String(entry.entry)));
  const words = makeElement("span", "", "");
  if (entry.was || entry.out) words.append(makeElement("s", "", describeLine(entry, entry.was || entry.told)), " ");
  words.append(entry.out ? t("taken out") : describeLine(entry));
  button.append(words);
  if (entry.floor) button.append(makeElement("small", "", t("floor")));
  button.addEventListener("click", () => onOpen(entry));
  return button;
}

/* The entries, the newest first. `enter` sends a line; `seats` are those that somebody holds. `together`: changes that
   are gathered to be put right in one, where one of them alone does not fit. */
export async function openAmendSheet(enter, seats, showRefusal, together = null) {
  const answer = await fetch("/entries");
  if (!answer.ok) { showRefusal(describeRefusal(await answer.json().catch(() => ({}))) || t("Not shown ({status}).", { status: answer.status })); return; }
  const { entries, seen } = await answer.json();
  const reopen = (gathered) => openAmendSheet(enter, seats, showRefusal, gathered);
  const amend = (...changes) => {
    if (together) { reopen([...together, ...changes]); return; }
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
      : makeButton(t("Several together…"), () => reopen([])),
  );
  const body = makeElement("div", "");
  body.append(head, list);
  openSheet(together ? t("What belongs together?") : t("What was entered wrong?"), body, true);
}

function makeButton(text, act, disabled = false) {
  const button = makeElement("button", "", text);
  button.type = "button";
  button.disabled = disabled;
  button.addEventListener("click", act);
  return button;
}

function openEntryChoices(entry, entries, seats, amend) {
  const laterEntries = entries.slice(entries.indexOf(entry) + 1).filter((one) => !one.out && !["start", "card", "seen", "time"].includes(one.told.ev));
  const amendTo = (to) => amend({ line: entry.entry, to });
  const keys = [];
  const { ev, seat } = entry.told;
  if (ev === "act") for (const [text, act] of ACT_CHOICES) keys.push([text, () => enterAct(act, seat, amendTo)]);
  if (ev === "act") keys.push([t("Another seat…"), () => openChoices(t("Who was it?"), seats.map((one) => [formatSeatTitle(one), () => amendTo({ ...entry.told, seat: one }), String(one)]))]);
  if (ev === "card") keys.push([t("Another card…"), () => openCardPicker(t("It was…"), 1, ([card]) => amendTo({ ev: "card", card }))], [t("Not read"), () => amendTo({ ev: "card", card: null })]);
  if (entry.told.stack !== undefined) keys.push([t("Another stack…"), () => openAmountSheet(t("The stack"), (stack) => amendTo({ ...entry.told, stack }))]);
  if (!FACT_EVENTS.includes(ev) && ev !== "card") keys.push([t("Delete this entry"), () => amendTo(null)]);
  if (laterEntries.length && ev === "act") keys.push([t("Delete it and the {n} after it", { n: laterEntries.length }), () => amend(...[entry, ...laterEntries].map((one) => ({ line: one.entry, to: null })))]);
  keys.push(...listInsertions(entry.entry, seats, amend).map(([text, act]) => [t("Insert before it: {what}", { what: text }), act]));
  openChoices(`${entry.entry}: ${describeLine(entry)}`, keys);
}

/* What may have been forgotten just before an entry. */
function listInsertions(entry, seats, amend) {
  const insert = (to) => amend({ before: entry, to });
  return [
    [t("an act…"), () => openChoices(t("Who acted?"), seats.map((one) => [formatSeatTitle(one), () => openChoices(formatSeatTitle(one), ACT_CHOICES.map(([text, act]) => [text, () => enterAct(act, one, insert)])), String(one)]))],
    [t("a card unread"), () => insert({ ev: "card", card: null })],
    [t("a stack…"), () => openChoices(t("Whose stack?"), seats.map((one) => [formatSeatTitle(one), () => openAmountSheet(formatSeatTitle(one), (stack) => insert({ ev: "stack", seat: one, stack })), String(one)]))],
  ];
}

/* A bet or a raise needs its total on the round. */
function enterAct(act, seat, enterLine) {
  if (act === "bet" || act === "raise") openAmountSheet(t("Seat {seat}: total bet this round", { seat }), (to) => enterLine({ ev: "act", seat, do: act, to }));
  else enterLine({ ev: "act", seat, do: act });
}
