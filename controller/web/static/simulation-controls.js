/* The showroom, in simulation only: let something go wrong, change game and rulebook, compare the rulebooks' answers. */
import { describeRefusal, formatGameName, leaveOutCommands, t } from "./language.js";
import { appendSeat, capitalize, formatLabel, makeElement } from "./table.js";
import { post } from "./session.js";
import { closeSheet, openSheet } from "./sheet.js";

export async function postSimulation(content) {
  const answer = await post("/simulation", content);
  if (answer.ok) return "";
  const refusal = await answer.json().catch(() => ({ message: t("Not done ({status}).", { status: answer.status }) }));
  return describeRefusal(refusal);
}

const TEXT_BY_MISHAP = {
  "exposed": t("Expose a downcard"), "boxed": t("Box the next card"), "off-table": t("Drop a card off the table"), "wrong-seat": t("Deal to the wrong seat"),
  "double-burn": t("Burn two"), "no-burn": t("Forget the burn"), "premature": t("Deal the board too early"), "duplicate": t("Deal a duplicate"),
  "foreign": t("Deal a foreign card"), "unplug": t("Unplug the reader"), "plug": t("Plug the reader in again"),
};

const PAGES = [["/watch", t("Spectators")], ["/floor", t("Floor")], ["/technician", t("Technician")], ["/hands", t("Hands")], ["/drop", t("The drop")], ["/train", t("School")]];

let begunAt = null;  /* the rulings that stood when somebody asked for a mishap; nothing: nobody did */

/* What somebody let go wrong waits for them: the people in the room stop at its ruling. */
export function holdAtMishap({ rulings, simulation }) {
  if (begunAt === null || !rulings.length || JSON.stringify(rulings) === begunAt) return;
  begunAt = null;
  if (simulation.playing) postSimulation({ do: "pause" });
}

function makeButton(text, act) {
  const button = makeElement("button", "", text);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

function makeOption(value, text, chosenValue) {
  const option = makeElement("option", "", text);
  option.value = value;
  option.selected = value === chosenValue;
  return option;
}

function makeSelect(label, options, onChange) {
  const line = makeElement("label", "", `${label} `);
  const select = makeElement("select");
  select.append(...options);
  select.addEventListener("change", () => onChange(select.value));
  line.append(select);
  return [line, select];
}

export function openSimulationControls(state, onTourWanted) {
  const simulation = state.simulation;
  const body = makeElement("div", "showroom");
  const faults = makeElement("div", "choices");
  for (const fault of simulation.faults) {
    faults.append(makeButton(TEXT_BY_MISHAP[fault] || formatLabel(fault), () => causeMishap(fault)));
  }
  const message = makeElement("p", "message");
  message.setAttribute("role", "status");
  const causeMishap = async (fault) => {
    const refusal = await postSimulation({ do: "fault", fault }), isCable = ["plug", "unplug"].includes(fault);
    if (!refusal && !isCable) begunAt = JSON.stringify(state.rulings);
    if (refusal || isCable || simulation.playing) closeSheet();
    else message.textContent = t("It comes with the next card that it fits. Touch Play or Step.");
  };
  const [gameLine, games] = makeSelect(t("Game"), [], () => {});
  const fillGames = (book) => games.replaceChildren(...simulation.games[book].map((game) => makeOption(game, formatGameName(game), simulation.game)));
  const [bookLine, books] = makeSelect(t("Rulebook"), Object.entries(simulation.books).map(([name, title]) => makeOption(name, title, simulation.rulebook)), fillGames);
  fillGames(simulation.rulebook);
  const playButton = makeButton(t("Play this"), async () => {
    const refusal = await postSimulation({ do: "table", game: games.value, rulebook: books.value });
    if (refusal) message.textContent = refusal; else closeSheet();
  });
  const table = makeElement("div", "another");
  table.append(bookLine, gameLine, playButton);
  body.append(makeElement("h2", "", t("Let something go wrong, as soon as it can")), faults, makeElement("h2", "", t("Between hands: another table")), table, message);
  const compare = makeButton(t("The last ruling by another rulebook"), () => openRulebookComparison());
  compare.disabled = !simulation.ruled;
  const pages = makeElement("nav", "pages");
  pages.setAttribute("aria-label", t("Other pages"));
  for (const [path, name] of PAGES) {
    const link = makeElement("a", "", name);
    link.href = path;
    pages.append(link);
  }
  const last = makeElement("div", "another");
  last.append(compare, makeButton(t("Words of the table"), async () => { (await import("./words-sheet.js")).openWords(); }), makeButton(t("Show the tour"), onTourWanted), pages);
  body.append(makeElement("h2", "", t("Compare, or see another page")), last);
  openSheet(t("Try it"), body, true);
}

function makeRulebookColumn(answer) {
  const section = makeElement("section", "book");
  section.append(makeElement("h2", "", answer.book));
  if (answer.none) section.append(makeElement("p", "none", answer.none));
  for (const ruling of answer.rulings) {
    section.append(makeElement("p", "what", `${appendSeat(capitalize(formatLabel(ruling.finding)), ruling.seat)}:`), makeElement("p", "verdict", formatLabel(ruling.verdict)));
    for (const cite of ruling.cite) section.append(makeElement("span", "cite", `§ ${cite}`));
    section.append(makeElement("p", "why", capitalize(leaveOutCommands(ruling.text))));
  }
  if (!answer.none && !answer.rulings.length) section.append(makeElement("p", "none", t("No ruling.")));
  if (answer.next.length) {
    const steps = makeElement("ol", "steps");
    for (const step of answer.next) steps.append(makeElement("li", "", step.text));
    section.append(makeElement("p", "", t("Steps:")), steps);
  }
  return section;
}

async function openRulebookComparison() {
  const answers = await (await fetch("/answers")).json();
  const body = makeElement("div", "compare");
  const [own, ...others] = answers;
  if (!own) { body.append(makeElement("p", "", t("Nothing has been ruled on yet."))); openSheet(t("Two rulebooks"), body, true); return; }
  const differs = others.findIndex((other) => String(other.rulings.map((r) => r.verdict)) !== String(own.rulings.map((r) => r.verdict)) && !other.none);
  const place = makeElement("div", "other");
  const showRulebook = (index) => place.replaceChildren(makeRulebookColumn(others[index]));
  const [line, picker] = makeSelect(t("Compare with"), others.map((other, i) => makeOption(String(i), other.book, "")), (value) => showRulebook(Number(value)));
  picker.value = String(Math.max(0, differs));
  showRulebook(Math.max(0, differs));
  const sides = makeElement("div", "sides");
  sides.append(makeRulebookColumn(own), place);
  body.append(line, sides);
  openSheet(t("The same event by two rulebooks"), body, true);
}
