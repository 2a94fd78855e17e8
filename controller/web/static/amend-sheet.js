/* Putting right what was entered: the entries of the hand, and for each what it should have been. docs/amend.md */
import { reason, t } from "./language.js";
import { sentence } from "./entry-description.js";
import { choose, openSheet, picksCards } from "./sheet.js";
import { capital, element, seatKey } from "./table.js";

const FACTS = ["start", "seen"];
const ACTS = [[t("Fold"), "fold"], [t("Check"), "check"], [t("Call"), "call"], [t("Bet…"), "bet"], [t("Raise…"), "raise"], [t("All-in"), "all-in"]];

const said = (each, line = each.told) => capital(sentence({ told: line }, { table: { next: each.due ? [each.due] : [] } }));

function row(each, open) {
  const made = element("button", "", "");
  made.type = "button";
  made.disabled = Boolean(each.out);
  made.append(element("small", "", String(each.entry)));
  const words = element("span", "", "");
  if (each.was || each.out) words.append(element("s", "", said(each, each.was || each.told)), " ");
  words.append(each.out ? t("taken out") : said(each));
  made.append(words);
  if (each.floor) made.append(element("small", "", t("floor")));
  made.addEventListener("click", () => open(each));
  return made;
}

/* The entries, the newest first. `enter` sends a line; `seats` are those that somebody holds. `together`: changes that
   are gathered to be put right in one, where one of them alone does not fit. */
export async function openEntries(enter, seats, refuse, together = null) {
  const answer = await fetch("/entries");
  if (!answer.ok) { refuse(reason(await answer.json().catch(() => ({}))) || t("Not shown ({status}).", { status: answer.status })); return; }
  const { entries, seen } = await answer.json();
  const again = (gathered) => openEntries(enter, seats, refuse, gathered);
  const amend = (...changes) => {
    if (together) { again([...together, ...changes]); return; }
    const [first, ...also] = changes;
    enter({ ev: "amend", ...first, ...(also.length ? { also } : {}) });
  };
  const list = element("div", "entries");
  if (!entries.length) list.append(element("p", "none", t("Nothing was entered since the hand before.")));
  list.append(...entries.toReversed().map((each) => row(each, (one) => openEntry(one, entries, seats, amend))));
  const head = element("div", "choices");
  head.append(
    key(t("At the end…"), () => choose(t("Forgotten at the end"), insertions(seen + 1, seats, amend))),
    together
      ? key(t("Put {n} right together", { n: together.length }), () => enter({ ev: "amend", ...together[0], also: together.slice(1) }), !together.length)
      : key(t("Several together…"), () => again([])),
  );
  const body = element("div", "");
  body.append(head, list);
  openSheet(together ? t("What belongs together?") : t("What was entered wrong?"), body, true);
}

function key(text, act, disabled = false) {
  const made = element("button", "", text);
  made.type = "button";
  made.disabled = disabled;
  made.addEventListener("click", act);
  return made;
}

function openEntry(each, entries, seats, amend) {
  const later = entries.slice(entries.indexOf(each) + 1).filter((one) => !one.out && !["start", "card", "seen", "time"].includes(one.told.ev));
  const put = (to) => amend({ line: each.entry, to });
  const keys = [];
  const { ev, seat } = each.told;
  if (ev === "act") for (const [text, act] of ACTS) keys.push([text, () => how(act, seat, put)]);
  if (ev === "act") keys.push([t("Another seat…"), () => choose(t("Who was it?"), seats.map((one) => [seatKey(one), () => put({ ...each.told, seat: one }), String(one)]))]);
  if (ev === "card") keys.push([t("Another card…"), () => picksCards(t("It was…"), 1, ([card]) => put({ ev: "card", card }))], [t("Not read"), () => put({ ev: "card", card: null })]);
  if (each.told.stack !== undefined) keys.push([t("Another stack…"), () => typed(t("The stack"), (stack) => put({ ...each.told, stack }))]);
  if (!FACTS.includes(ev) && ev !== "card") keys.push([t("Take it out"), () => put(null)]);
  if (later.length && ev === "act") keys.push([t("Take it out, and the {n} after it", { n: later.length }), () => amend(...[each, ...later].map((one) => ({ line: one.entry, to: null })))]);
  keys.push(...insertions(each.entry, seats, amend).map(([text, act]) => [t("Before it: {what}", { what: text }), act]));
  choose(`${each.entry}: ${said(each)}`, keys);
}

/* What may have been forgotten just before an entry. */
function insertions(entry, seats, amend) {
  const before = (to) => amend({ before: entry, to });
  return [
    [t("an act…"), () => choose(t("Who acted?"), seats.map((one) => [seatKey(one), () => choose(seatKey(one), ACTS.map(([text, act]) => [text, () => how(act, one, before)])), String(one)]))],
    [t("a card unread"), () => before({ ev: "card", card: null })],
    [t("a stack…"), () => choose(t("Whose stack?"), seats.map((one) => [seatKey(one), () => typed(seatKey(one), (stack) => before({ ev: "stack", seat: one, stack })), String(one)]))],
  ];
}

/* A bet or a raise needs its total on the round. */
function how(act, seat, put) {
  if (act === "bet" || act === "raise") typed(t("Seat {seat}: in all on the round", { seat }), (to) => put({ ev: "act", seat, do: act, to }));
  else put({ ev: "act", seat, do: act });
}

function typed(title, done) {
  const body = element("div", "amount");
  const field = element("output", "typed", "");
  field.setAttribute("aria-label", t("Amount"));
  const pad = element("div", "pad");
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "Enter"]) {
    const made = element("button", digit === "Enter" ? "main" : "", digit === "Enter" ? t("Enter") : digit);
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
