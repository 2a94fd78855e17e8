/* The showroom, in simulation only: let something go wrong, change game and rulebook, compare the rulebooks' answers. */
import { reason, t } from "./language.js";
import { $, atSeat, capital, element, words } from "./table.js";
import { post } from "./session.js";
import { closeSheet, openSheet } from "./sheet.js";

export async function wish(content) {
  const answer = await post("/simulation", content);
  if (answer.ok) return "";
  const why = await answer.json().catch(() => ({ message: t("Not done ({status}).", { status: answer.status }) }));
  return reason(why);
}

const FAULTS = {
  "exposed": t("Expose a downcard"), "boxed": t("Box the next card"), "off-table": t("Drop a card off the table"), "wrong-seat": t("Deal to the wrong seat"),
  "double-burn": t("Burn two"), "no-burn": t("Forget the burn"), "premature": t("Deal the board too early"), "duplicate": t("Deal a duplicate"),
  "foreign": t("Deal a foreign card"), "unplug": t("Unplug the reader"), "plug": t("Plug the reader in again"),
};

const PAGES = [["/watch", t("Spectators")], ["/floor", t("Floor")], ["/technician", t("Technician")], ["/hands", t("Hands")], ["/train", t("School")]];

function button(text, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function option(value, text, chosen) {
  const made = element("option", "", text);
  made.value = value;
  made.selected = value === chosen;
  return made;
}

function select(label, options, change) {
  const line = element("label", "", `${label} `);
  const made = element("select");
  made.append(...options);
  made.addEventListener("change", () => change(made.value));
  line.append(made);
  return [line, made];
}

export function openShowroom(state) {
  const simulation = state.simulation;
  const body = element("div", "showroom");
  const faults = element("div", "choices");
  for (const fault of simulation.faults) {
    faults.append(button(FAULTS[fault] || words(fault), async () => { await wish({ do: "fault", fault }); closeSheet(); }));
  }
  const message = element("p", "message");
  message.setAttribute("role", "status");
  const [gameLine, games] = select(t("Game"), [], () => {});
  const fill = (book) => games.replaceChildren(...simulation.games[book].map((game) => option(game, words(game), simulation.game)));
  const [bookLine, books] = select(t("Rulebook"), Object.entries(simulation.books).map(([name, title]) => option(name, title, simulation.rulebook)), fill);
  fill(simulation.rulebook);
  const change = button(t("Play this"), async () => {
    const why = await wish({ do: "table", game: games.value, rulebook: books.value });
    if (why) message.textContent = why; else closeSheet();
  });
  const table = element("div", "another");
  table.append(bookLine, gameLine, change);
  body.append(element("h2", "", t("Let something go wrong, as soon as it can")), faults, element("h2", "", t("Between hands: another table")), table, message);
  const compare = button(t("The last ruling by another rulebook"), () => openAnswers());
  compare.disabled = !simulation.ruled;
  const pages = element("nav", "pages");
  pages.setAttribute("aria-label", t("Other pages"));
  for (const [path, name] of PAGES) {
    const link = element("a", "", name);
    link.href = path;
    pages.append(link);
  }
  const last = element("div", "another");
  last.append(compare, pages);
  body.append(element("h2", "", t("Compare, or see another page")), last);
  openSheet(t("Try it"), body, true);
}

function column(answer) {
  const made = element("section", "book");
  made.append(element("h2", "", answer.book));
  if (answer.none) made.append(element("p", "none", answer.none));
  for (const ruling of answer.rulings) {
    made.append(element("p", "what", `${atSeat(capital(words(ruling.finding)), ruling.seat)}:`), element("p", "verdict", words(ruling.verdict)));
    for (const cite of ruling.cite) made.append(element("span", "cite", `§ ${cite}`));
    made.append(element("p", "why", capital(ruling.text)));
  }
  if (!answer.none && !answer.rulings.length) made.append(element("p", "none", t("No ruling.")));
  if (answer.next.length) {
    const steps = element("ol", "steps");
    for (const step of answer.next) steps.append(element("li", "", step.text));
    made.append(element("p", "", t("Steps:")), steps);
  }
  return made;
}

async function openAnswers() {
  const answers = await (await fetch("/answers")).json();
  const body = element("div", "compare");
  const [own, ...others] = answers;
  if (!own) { body.append(element("p", "", t("Nothing has been ruled on yet."))); openSheet(t("Two rulebooks"), body, true); return; }
  const differs = others.findIndex((other) => String(other.rulings.map((r) => r.verdict)) !== String(own.rulings.map((r) => r.verdict)) && !other.none);
  const place = element("div", "other");
  const show = (index) => place.replaceChildren(column(others[index]));
  const [line, picker] = select(t("Compare with"), others.map((other, i) => option(String(i), other.book, "")), (value) => show(Number(value)));
  picker.value = String(Math.max(0, differs));
  show(Math.max(0, differs));
  const sides = element("div", "sides");
  sides.append(column(own), place);
  body.append(line, sides);
  openSheet(t("The same event by two rulebooks"), body, true);
}
