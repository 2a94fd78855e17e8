/* A part of a report as a table: its title, its columns and its rows. */
import { t } from "/static/language.js";
import { makeElement } from "/room/menu.js";

export function makePartElement({ title, columns, rows }) {
  const section = makeElement("section", "part");
  section.append(makeElement("h2", "", title));
  if (!rows.length) { section.append(makeElement("p", "none", t("Nothing."))); return section; }
  const table = makeElement("table");
  const isNumber = columns.map((_, i) => rows.every((row) => row[i] === null || typeof row[i] === "number"));
  const makeRow = (kind, cells) => {
    const row = makeElement("tr");
    row.append(...cells.map((cell, i) => makeElement(kind, isNumber[i] ? "number" : "", cell === null ? "" : String(cell))));
    return row;
  };
  const head = makeElement("thead");
  head.append(makeRow("th", columns));
  const body = makeElement("tbody");
  body.append(...rows.map((row) => makeRow("td", row)));
  table.append(head, body);
  const scroll = makeElement("div", "scroll");
  scroll.tabIndex = 0;  // what can be scrolled can be reached by the keyboard
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", t("Table"));
  scroll.append(table);
  section.append(scroll);
  return section;
}
