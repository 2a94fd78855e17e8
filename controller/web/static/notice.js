/* The notice of a table, to be printed and displayed: game, limits, minimum buy-in, what the house takes. */
import { makeElement } from "./elements.js";
import { $, connect } from "./table.js";

function draw({ notice, setup }) {
  $("rulebook").textContent = setup.rulebook || "";
  $("none").hidden = Boolean(notice);
  $("rows").replaceChildren(...(notice ? notice.rows : []).flatMap(([label, lines]) => [makeElement("dt", "", label), ...lines.map((line) => makeElement("dd", "", line))]));
}

$("print").addEventListener("click", () => print());
connect(draw);
