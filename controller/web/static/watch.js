/* The spectators' page: the table and the last ruling, nothing to touch. */
import { leaveOutCommands, t } from "./language.js";
import { $, appendSeat, capitalize, connect, drawTable, formatLabel, makeElement, makeStepList } from "./table.js";

function drawRuling(state) {
  const body = $("ruling").querySelector(".body");
  if (!state.rulings.length || state.remedy.taken_back) { body.replaceChildren(makeElement("p", "none", t("None."))); return; }
  body.replaceChildren(...state.rulings.flatMap((ruling) => [
    makeElement("p", "", appendSeat(capitalize(formatLabel(ruling.finding)), ruling.seat)),
    makeElement("p", "verdict", formatLabel(ruling.verdict)),
    ...ruling.cite.map((cite) => makeElement("span", "cite", cite)),
    makeElement("p", "why", capitalize(leaveOutCommands(ruling.text))),
  ]), makeStepList(state.remedy.steps));
}

/* The sign of the house's commission, which changes with it. */
function drawSign({ notice }) {
  $("sign").hidden = !notice || !notice.is_shown;
  $("sign").querySelector(".sign").replaceChildren(...(notice ? notice.sign : []).map((line) => makeElement("li", "", line)));
}

connect((state) => { drawTable(state, false); drawSign(state); drawRuling(state); });
