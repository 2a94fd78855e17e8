/* An entry of the record in a few words. */
import { t, translatePlural } from "./language.js";
import { appendSeat, formatLabel, formatSeat, makeElement } from "./table.js";

const SYMBOL_BY_SUIT = { s: "♠", h: "♥", d: "♦", c: "♣" };
const formatCard = (card) => (card === "joker" ? t("joker") : `${card[0] === "T" ? "10" : card[0]}${SYMBOL_BY_SUIT[card[1]]}`);

const TEXT_BY_ACTION = {
  fold: t("{who} folds"), check: t("{who} checks"), call: t("{who} calls"), bet: t("{who} bets"), raise: t("{who} raises"),
  "all-in": t("{who} is all-in"), complete: t("{who} completes"), "bring-in": t("{who} brings it in"), straddle: t("{who} straddles"),
};
const fillWho = (text, who) => text.replace("{who}", who);

function describeAct(line, who) {
  if (!line.do) {
    const chips = line.chips.join(" + ");
    const out = chips ? t("{who} puts out {chips}", { who, chips }) : t("{who} puts out no chips", { who });
    return line.said === undefined ? out : `${out}, ${t("says {words}", { words: line.said })}`;
  }
  const done = TEXT_BY_ACTION[line.do] ? fillWho(TEXT_BY_ACTION[line.do], who) : `${who} ${formatLabel(line.do)}`;
  return line.to === undefined ? done : t("{act} to {total}", { act: done, total: line.to });
}

function describeCard(line, before) {
  const is = line.card ? `: ${formatCard(line.card)}` : "";
  if (!before) return `${t("card")}${is}`;
  const due = before.table.next[0];
  const to = !due ? t("card to nowhere") : due.step === "deal" ? t("card to seat {seat}", { seat: due.seat })
    : { burn: t("card to the burns"), board: t("card to the board") }[due.step] || t("card to nowhere due");
  const odd = [line.foreign ? t("foreign") : "", line.face === "up" ? t("face up in the deck") : ""].filter(Boolean);
  return `${to}${is}${odd.length ? ` (${odd.join(", ")})` : ""}`;
}

function describePenalty(line, who) {
  if (line.hands === 0) return t("{who}: penalty over", { who });
  return line.rounds ? translatePlural("{who} misses 1 round", "{who} misses {n} rounds", line.rounds, { who })
    : translatePlural("{who} misses 1 hand", "{who} misses {n} hands", line.hands, { who });
}

/* What was entered, in a few words; `before` is the step before, whose plan says where a card was going. */
export function describeEntry(step, before) {
  const line = step.told, due = before && before.table.next[0];
  const who = line.seat === undefined ? "" : formatSeat(line.seat);
  switch (line.ev) {
    case "card": return describeCard(line, before);
    case "act": return describeAct(line, who);
    case "draw": return line.discard ? t("{who} draws {n}", { who, n: line.discard }) : t("{who} stands pat", { who });
    case "show": return `${line.asked ? t("{who} shows – seat {seat} asked", { who, seat: line.asked }) : t("{who} shows", { who })}${line.cards ? ` ${line.cards.map(formatCard).join(" ")}` : ""}`;
    case "won": return line.pot ? t("{who} wins side pot {n}", { who, n: line.pot }) : t("{who} wins", { who });
    case "report": return `${t("reported: {what}", { what: appendSeat(formatLabel(line.what), line.seat) })}${line.card ? ` (${formatCard(line.card)})` : ""}`;
    case "floor": return `${t("floor: {decision}", { decision: appendSeat(formatLabel(line.decide), line.seat) })}${line.why ? ` – ${line.why}` : ""}`;
    case "clock": return line.extend ? t("{who} takes a time extension", { who }) : t("time is called on seat {seat}", { seat: line.seat });
    case "penalty": return describePenalty(line, who);
    case "hand-for-hand": return line.go ? t("hand for hand: go on") : line.on ? t("hand for hand") : t("hand for hand is over");
    case "last-hands": return line.hands === undefined ? t("no last hands") : translatePlural("1 hand more today", "{n} hands more today", line.hands);
    case "halt": return line.on === false ? t("play goes on") : t("play halts after this hand");
    case "device": return `${line.id}: ${formatLabel(line.status)}`;
    case "seen": return t("antenna: card at {place}", { place: formatLabel(line.at) });
    case "stack": return t("{who} has {chips}", { who, chips: line.stack });
    case "closed": return t("the betting is over");
    case "start": return t("the hand starts");
    case "amend": {
      const where = line.before === undefined ? t("entry {n}", { n: line.line }) : t("before entry {n}", { n: line.before });
      return t("put right: {where} – {what}", { where, what: line.to ? describeEntry({ told: line.to }) : t("taken out") });
    }
    case "done": return due ? t("done: {step}", { step: formatLabel(due.step) }) : t("done");
    default: return [who, formatLabel(line.ev)].filter(Boolean).join(" ");
  }
}

/* An entry that was put right: its words struck through, and beside them those of what took its place. */
export function renderAmendedEntry(step, before) {
  const { now, entry } = step.struck;
  const beside = now ? describeEntry({ told: now }, now.ev === step.told.ev ? before : undefined) : t("taken out");
  return [makeElement("s", "", describeEntry(step, before)), ` ${beside} (${t("entry {n}", { n: entry })})`];
}
