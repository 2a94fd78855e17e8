/* The drop of a day: what the house took, the boxes counted beside it, and the close of the day. */
import { describeRefusal, t } from "/static/language.js";
import { goToSignIn } from "/static/session.js";
import { makeElement, showMenu } from "/room/menu.js";
import { makePartElement } from "/room/report-parts.js";
import { makeButton, makeForm, postRequest, showMessage } from "/room/requests.js";

const $ = (id) => document.getElementById(id);
const OBSTACLES = {
  passed: t("This day lies before the last close, of {names}; what is left of it goes into the next one."),
  ahead: t("This day has not begun; today is {names}."),
  order: t("{names} is not closed yet; close the days in their order."),
  reading: t("The room is still reading the record of {names}; try again in a moment."),
  uncounted: t("No box of {names} is counted; count it at the table, or say why it is not."),
};
let newestRequest = 0, isFloor = false, shown = null, isAsked = false;

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
const formatChips = (total) => total.chips === null ? t("unknown") : String(total.chips);

function describeTotal(total) {
  const text = t("{chips} chips of {hands} hands", { chips: formatChips(total), hands: total.hands });
  return total.unknown ? `${text}, ${t("{unknown} of them unknown", { unknown: total.unknown })}` : text;
}

async function sendLine(line) {
  const reply = await postRequest("/drop", line);
  if (reply) await showDay(shown.day);
  return reply;
}

function makeClosingElements(day) {
  const found = [makeElement("h2", "title", day.day), makeElement("p", "none", `${day.begins} – ${day.ends}`)];
  const say = (className, text) => found.push(makeElement("p", className, text));
  say("total", describeTotal(day.total));
  if (day.close) {
    say("", t("Closed by {by}, {at}", day.close));
    say("", t("The close took {total}", { total: describeTotal(day.close) }));
    if (day.close.late.hands || day.close.late.chips) say("", t("of earlier days: {total}", { total: describeTotal(day.close.late) }));
    if (!day.close.signed) say("alarm", t("Its signature is not that of {by}.", day.close));
  } else if (day.obstacle) {
    say("alarm", fill(OBSTACLES[day.obstacle.kind], day.obstacle));
  }
  for (const each of day.away) say("", t("{table} is away since {until}; what it dropped since comes after the close.", each));
  if (day.close || !isFloor) return found;
  for (const table of day.missing) {
    const form = makeForm([["why", t("Why {table} is not counted", { table })]], t("Enter the reason"), ({ why }) => sendLine({ do: "excuse", day: day.day, table, why }));
    form.querySelector("input").maxLength = 120;
    found.push(form);
  }
  if (!day.obstacle) {
    const text = t("Close the day: {total}", { total: describeTotal(day.next) });
    found.push(makeButton(isAsked ? t("Really? It cannot be taken back.") : text, () => {
      if (!isAsked) { isAsked = true; draw(); return; }
      sendLine({ do: "close", day: day.day, chips: day.next.sum, hands: day.next.hands });
    }, "main"));
  }
  return found;
}

function draw() {
  if (!shown) return;
  $("closing").replaceChildren(...makeClosingElements(shown));
  const others = shown.open.filter((day) => day !== shown.day);
  $("open").replaceChildren(...others.map((day) => makeButton(day, () => showDay(day))));
  if (others.length) $("open").prepend(makeElement("span", "", t("Not closed:")));
}

async function showDay(day) {
  const mine = ++newestRequest;
  const answer = await fetch(`/drop/day${day ? `?day=${day}` : ""}`).catch(() => null);
  if (answer && answer.status === 401) { goToSignIn(); return; }
  const content = answer ? await answer.json().catch(() => ({})) : {};
  if (mine !== newestRequest) return; // a later question is under way
  isAsked = false;
  const isThere = answer && answer.ok;
  showMessage(isThere ? "" : describeRefusal(content) || t("No connection to the room."));
  shown = isThere ? content : null;
  $("report").replaceChildren(...(content.parts || []).map(makePartElement));
  $("closing").replaceChildren();
  draw();
  if (!shown) return;
  $("wanted").elements.day.value = shown.day;
  for (const form of ["csv", "pdf"]) $(form).href = `/drop/day?day=${shown.day}&form=${form}`;
}

$("wanted").addEventListener("submit", (event) => { event.preventDefault(); showDay(new FormData($("wanted")).get("day")); });
showMenu((who) => { isFloor = who.roles.includes("floor"); draw(); });
showDay("");
