/* The spectators' page: the table and the last ruling, nothing to touch. */
import { t } from "./language.js";
import { $, atSeat, capital, connect, drawTable, element, ticked, words } from "./table.js";

function drawRuling(state) {
  const body = $("ruling").querySelector(".body");
  if (!state.rulings.length || state.remedy.taken_back) { body.replaceChildren(element("p", "none", t("None."))); return; }
  body.replaceChildren(...state.rulings.flatMap((ruling) => [
    element("p", "", atSeat(capital(words(ruling.finding)), ruling.seat)),
    element("p", "verdict", words(ruling.verdict)),
    ...ruling.cite.map((cite) => element("span", "cite", cite)),
    element("p", "why", ruling.text),
  ]), ticked(state.remedy.steps));
}

connect((state) => { drawTable(state, false); drawRuling(state); });
