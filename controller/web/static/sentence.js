/* An entry of the record in a few words. */
import { element, plural, words } from "./table.js";

const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const named = (card) => (card === "joker" ? "joker" : `${card[0] === "T" ? "10" : card[0]}${SUITS[card[1]]}`);

const DONE = {
  fold: "folds", check: "checks", call: "calls", bet: "bets", raise: "raises", "all-in": "is all-in", complete: "completes", "bring-in": "brings it in",
  straddle: "straddles",
};

/* What was entered, in a few words; `before` is the step before, whose plan says where a card was going. */
export function sentence(step, before) {
  const line = step.told, due = before && before.table.next[0];
  const seat = line.seat === undefined ? "" : `seat ${line.seat} `;
  switch (line.ev) {
    case "card": {
      if (!before) return `card${line.card ? `: ${named(line.card)}` : ""}`;
      const to = !due ? "nowhere" : { deal: `seat ${due.seat}`, burn: "the burns", board: "the board" }[due.step] || "nowhere due";
      const odd = [line.foreign ? "foreign" : "", line.face === "up" ? "face up in the deck" : ""].filter(Boolean);
      return `card to ${to}${line.card ? `: ${named(line.card)}` : ""}${odd.length ? ` (${odd.join(", ")})` : ""}`;
    }
    case "act": if (!line.do) return `${seat}puts out ${line.chips.join(" + ") || "no chips"}${line.said === undefined ? "" : `, says ${line.said}`}`;
      return `${seat}${DONE[line.do] || words(line.do)}${line.to === undefined ? "" : ` to ${line.to}`}`;
    case "draw": return `${seat}${line.discard ? `draws ${line.discard}` : "stands pat"}`;
    case "show": return `${seat}shows${line.asked ? ` – seat ${line.asked} asked` : ""}${line.cards ? ` ${line.cards.map(named).join(" ")}` : ""}`;
    case "won": return `${seat}wins${line.pot ? ` side pot ${line.pot}` : ""}`;
    case "report": return `reported: ${words(line.what)}${line.seat === undefined ? "" : `, seat ${line.seat}`}${line.card ? ` (${named(line.card)})` : ""}`;
    case "floor": return `floor: ${words(line.decide)}${line.seat === undefined ? "" : `, seat ${line.seat}`}${line.why ? ` – ${line.why}` : ""}`;
    case "clock": return line.extend ? `${seat}takes a time extension` : `time is called on seat ${line.seat}`;
    case "penalty": return `${seat}${line.hands === 0 ? "penalty over" : `misses ${line.rounds ? plural(line.rounds, "1 round", "rounds") : plural(line.hands, "1 hand", "hands")}`}`;
    case "hand-for-hand": return `hand for hand${line.go ? ": go on" : line.on ? "" : " is over"}`;
    case "last-hands": return line.hands === undefined ? "no last hands" : `${plural(line.hands, "1 hand", "hands")} more today`;
    case "halt": return line.on === false ? "play goes on" : "play halts after this hand";
    case "device": return `${line.id}: ${words(line.status)}`;
    case "seen": return `antenna: card at ${line.at}`;
    case "stack": return `${seat}has ${line.stack}`;
    case "closed": return "the betting is over";
    case "start": return "the hand starts";
    case "amend": {
      const where = line.before === undefined ? `entry ${line.line}` : `before entry ${line.before}`;
      return `put right: ${where} – ${line.to ? sentence({ told: line.to }) : "taken out"}`;
    }
    case "done": return due ? `done: ${words(due.step)}` : "done";
    default: return `${seat}${words(line.ev)}`;
  }
}

/* An entry that was put right: its words struck through, and beside them those of what took its place. */
export function struckThrough(step, before) {
  const { now, entry } = step.struck;
  const beside = now ? sentence({ told: now }, now.ev === step.told.ev ? before : undefined) : "taken out";
  return [element("s", "", sentence(step, before)), ` ${beside} (entry ${entry})`];
}
