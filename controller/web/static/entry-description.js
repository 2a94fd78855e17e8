/* An entry of the record in a few words. */
import { t, translatePlural } from "./language.js";
import { appendSeat, formatLabel, formatSeat, makeElement } from "./table.js";

const SYMBOL_BY_SUIT = { s: "♠", h: "♥", d: "♦", c: "♣" };
const formatCard = (card) => (card === "joker" ? t("joker") : `${card[0] === "T" ? "10" : card[0]}${SYMBOL_BY_SUIT[card[1]]}`);

const TEXT_BY_ACTION = {
  fold: t("{who} folds"), check: t("{who} checks"), call: t("{who} calls"), bet: t("{who} bets"), raise: t("{who} raises"),
  "all-in": t("{who} is all-in"), complete: t("{who} completes"), "bring-in": t("{who} brings it in"), straddle: t("{who} straddles"),
};
const fillWho = (text, subject) => text.replace("{who}", subject);

function describeAct(line, subject) {
  if (!line.do) {
    const chips = line.chips.join(" + ");
    const chipsOut = chips ? t("{who} puts out {chips}", { who: subject, chips }) : t("{who} puts out no chips", { who: subject });
    return line.said === undefined ? chipsOut : `${chipsOut}, ${t("says {words}", { words: line.said })}`;
  }
  const text = TEXT_BY_ACTION[line.do] ? fillWho(TEXT_BY_ACTION[line.do], subject) : `${subject} ${formatLabel(line.do)}`;
  return line.to === undefined ? text : t("{act} to {total}", { act: text, total: line.to });
}

function describeCard(line, previousStep) {
  const is = line.card ? `: ${formatCard(line.card)}` : "";
  if (!previousStep) return `${t("card")}${is}`;
  const due = previousStep.table.next[0];
  const targetText = !due ? t("card to nowhere") : due.step === "deal" ? t("card to seat {seat}", { seat: due.seat })
    : { burn: t("card to the burns"), board: t("card to the board") }[due.step] || t("card to nowhere due");
  const odd = [line.foreign ? t("foreign") : "", line.duplicate ? t("duplicate") : "", line.face === "up" ? t("face up in the deck") : ""].filter(Boolean);
  return `${targetText}${is}${odd.length ? ` (${odd.join(", ")})` : ""}`;
}

function describePenalty(line, subject) {
  if (line.hands === 0) return t("{who}: penalty over", { who: subject });
  return line.rounds ? translatePlural("{who} misses 1 round", "{who} misses {n} rounds", line.rounds, { who: subject })
    : translatePlural("{who} misses 1 hand", "{who} misses {n} hands", line.hands, { who: subject });
}

/* A decision: with the seat, and of a card that was turned up where it lies and which of them it is. */
function describeDecision(line) {
  const place = line.where === undefined ? "" : `, ${formatLabel(line.where)}`, which = line.nth === undefined ? "" : `, ${t("card {n}", { n: line.nth })}`;
  return `${appendSeat(formatLabel(line.decide), line.seat)}${place}${which}`;
}

const describeTimeCharge = (who, paid) => paid ? t("{who} pays for the time", { who }) : t("{who} does not pay for the time", { who });

/* A pot that was pushed, in the words of the step that was due where it has any. */
function describePush(due) {
  if (due.short) return t("pushed: {what}", { what: due.short });
  if (!due.amounts) return t("done: {step}", { step: formatLabel(due.step) });
  return t("pushed: {what}", { what: due.amounts.map((chips, at) => t("{chips} to seat {seat}", { chips, seat: due.seats[at] })).join(", ") });
}

function describeDone(due) {
  if (due?.step === "award") return describePush(due);
  if (due?.step !== "collect" || !due.amount) return due ? t("done: {step}", { step: formatLabel(due.step) }) : t("done");
  return due.seat ? describeTimeCharge(formatSeat(due.seat), true) : t("the house takes {chips}", { chips: due.amount });
}

/* What was entered, in a few words; `before` is the step before, whose plan says where a card was going. */
export function describeEntry(step, previousStep) {
  const line = step.told, due = previousStep && previousStep.table.next[0];
  const subject = line.seat === undefined ? "" : formatSeat(line.seat);
  switch (line.ev) {
    case "card": return describeCard(line, previousStep);
    case "act": return describeAct(line, subject);
    case "draw": return line.discard ? t("{who} draws {n}", { who: subject, n: line.discard }) : t("{who} stands pat", { who: subject });
    case "show": return `${line.asked ? t("{who} shows – seat {seat} asked", { who: subject, seat: line.asked }) : t("{who} shows", { who: subject })}${line.cards ? ` ${line.cards.map(formatCard).join(" ")}` : ""}`;
    case "won": return line.pot ? t("{who} wins side pot {n}", { who: subject, n: line.pot }) : t("{who} wins", { who: subject });
    case "report": return `${t("reported: {what}", { what: appendSeat(formatLabel(line.what), line.seat) })}${line.card ? ` (${formatCard(line.card)})` : ""}`;
    case "floor": return `${t("floor: {decision}", { decision: describeDecision(line) })}${line.why ? ` – ${line.why}` : ""}`;
    case "clock": return line.extend ? t("{who} takes a time extension", { who: subject }) : t("time is called on seat {seat}", { seat: line.seat });
    case "penalty": return describePenalty(line, subject);
    case "hand-for-hand": return line.go ? t("hand for hand: go on") : line.on ? t("hand for hand") : t("hand for hand is over");
    case "last-hands": return line.hands === undefined ? t("no last hands") : translatePlural("1 hand more today", "{n} hands more today", line.hands);
    case "halt": return line.on === false ? t("play goes on") : t("play halts after this hand");
    case "tournament-over": return t("the tournament is over at this table: it is free");
    case "device": return `${line.id}: ${formatLabel(line.status)}`;
    case "seen": return t("antenna: card at {place}", { place: formatLabel(line.at) });
    case "stack": return t("{who} has {chips}", { who: subject, chips: line.stack });
    case "closed": return t("the betting is over");
    case "start": return t("the hand starts");
    case "amend": {
      const placeText = line.before === undefined ? t("entry {n}", { n: line.line }) : t("before entry {n}", { n: line.before });
      return t("put right: {where} – {what}", { where: placeText, what: line.to ? describeEntry({ told: line.to }) : t("taken out") });
    }
    case "collect": return describeTimeCharge(subject, line.paid !== false);
    case "done": return describeDone(due);
    default: return [subject, formatLabel(line.ev)].filter(Boolean).join(" ");
  }
}

/* An entry that was put right: its words struck through, and beside them those of what took its place. */
export function renderAmendedEntry(step, previousStep) {
  const { now, entry } = step.struck;
  const beside = now ? describeEntry({ told: now }, now.ev === step.told.ev ? previousStep : undefined) : t("taken out");
  return [makeElement("s", "", describeEntry(step, previousStep)), ` ${beside} (${t("entry {n}", { n: entry })})`];
}
