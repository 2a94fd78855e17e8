/* A ruling as it is read to a player, or shown to one: large, the clause in the whole width of the screen. */
import { leaveOutCommands, t } from "./language.js";
import { openSheet } from "./sheet.js";
import { appendSeat, capitalize, formatLabel, makeElement } from "./table.js";

function makeClause(cite, clauses) {
  const cases = clauses[cite] || Object.entries(clauses).find(([id]) => id.split("#")[0] === cite.split("#")[0])?.[1] || [];
  const part = makeElement("section", "clause");
  part.append(makeElement("h3", "section", cases.length ? `${cases[0].book}: ${cases[0].section}` : cite));
  for (const each of cases) part.append(makeElement("p", "when", each.when), makeElement("p", "then", `→ ${each.then}`));
  return part;
}

/* Open it for the rulings that stand, with their clauses. */
export function openReadingSheet(rulings, clauses) {
  const body = makeElement("div", "reading");
  body.tabIndex = 0;
  for (const ruling of rulings) {
    body.append(
      makeElement("p", "verdict", `${appendSeat(capitalize(formatLabel(ruling.finding)), ruling.seat)}: ${formatLabel(ruling.verdict)}`),
      makeElement("p", "said", capitalize(leaveOutCommands(ruling.text))), ...ruling.cite.map((cite) => makeClause(cite, clauses)),
    );
  }
  openSheet(t("The ruling"), body, true);
}
