/* Words of a table and what they mean, for whoever has never dealt. */
import { t } from "./language.js";
import { makeElement } from "./table.js";
import { openSheet } from "./sheet.js";

const WORDS = [
  [t("Gate"), t("The lock of the card shoe. It opens when a card is due.")],
  [t("Board"), t("The cards in the middle, which all players share.")],
  [t("Stub"), t("The cards that are not dealt yet.")],
  [t("Burn card"), t("A card that is laid aside face down before the board's next cards.")],
  [t("Muck"), t("The pile of folded cards.")],
  [t("Button"), t("The mark at the seat that would deal. It moves one seat each hand.")],
  [t("Blinds"), t("Bets that two seats must make before the cards come.")],
  [t("Exposed card"), t("A card that was seen and should not have been.")],
  [t("Boxed card"), t("A card that lies face up in the deck.")],
  [t("Misdeal"), t("The deal does not count. All cards come back and are dealt again.")],
  [t("Dead hand"), t("A hand that can no longer win.")],
  [t("Tabled hand"), t("A hand that its player has laid face up.")],
  [t("Clause"), t("The rule of the house's book behind a ruling.")],
  [t("Floor"), t("The supervisor. The floor decides what the dealer may not.")],
  [t("Side pot"), t("What is bet beyond the chips of a player who is all-in. That player cannot win it.")],
];

export function openWords() {
  const list = makeElement("dl", "glossary");
  list.append(...WORDS.flatMap(([word, meaning]) => [makeElement("dt", "", word), makeElement("dd", "", meaning)]));
  openSheet(t("Words of the table"), list, true);
}
