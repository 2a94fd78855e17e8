/* Codes of the table script as people say them. */
import { t } from "./language.js";

/* Codes that people would not say so. */
const LABEL_BY_CODE = {
  "last-faceup": t("last card face up"), "deck-foreign": t("card of another deck"), "foreign-back": t("card of another deck"),
  "deck-count": t("wrong number of cards"), "deck-defective": t("deck not sound"), "deck-duplicate": t("same card twice"),
  "extra-card": t("too many cards"), "short-hand": t("too few cards"), "board-extra": t("too many board cards"),
  "double-burn": t("two burns"), "two-exposed": t("two cards at once"), "false-openers": t("opened without openers"),
  "exposed-cutting": t("card shown while cutting"), "count-mismatch": t("wrong number of cards"),
  "events-missed": t("cards may be missed"), "idle": t("between hands"), "queue-full": t("too much at once"), "disk-low": t("disk nearly full"),
};
export const formatLabel = (code) => LABEL_BY_CODE[code] || t(String(code).replaceAll("-", " ").replaceAll("_", " "));
