/* The set-up: what is plugged in, what is played, and the table's file that follows from it, checked before it is used. */
import { describeRefusal, formatGameName, t } from "./language.js";
import { goToSignIn, post, showPrincipal } from "./session.js";

const $ = (id) => document.getElementById(id);
const POLL_INTERVAL_MS = 700;
const TEXT_FIELDS = ["reader", "reader_port", "board_port", "seats_port", "game", "book", "structure", "deck"];
const NUMBER_FIELDS = ["small", "big", "places"];
let setup = null;
const chosenFields = new Set();  /* what somebody has chosen since the search, and the next look must not change */

function makeElement(tag, text = "", value = null) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (value !== null) element.value = value;
  return element;
}

function fillSelect(select, options, chosenValue) {
  select.replaceChildren(...options.map(([value, text]) => makeElement("option", text, value)));
  if (options.some(([value]) => value === chosenValue)) select.value = chosenValue;
}

function getKind() { return document.querySelector("input[name=kind]:checked").value; }

function readChoice() {
  const choice = { kind: getKind(), second_store: $("second_store").checked };
  for (const name of TEXT_FIELDS) choice[name] = $(name).value || "";
  for (const name of NUMBER_FIELDS) choice[name] = Number($(name).value);
  return choice;
}

/* Which of the table's devices a driver that answered is. */
function findPortField(driver) {
  if (driver === "bridge") return "board_port";
  return driver === "pepper_c1" && getKind() === "seat-antennas" ? "seats_port" : "reader_port";
}

function drawKind() {
  $("found").hidden = getKind() === "no-shoe";
  $("board").hidden = getKind() !== "barcode-shoe";
  $("seats").hidden = getKind() !== "seat-antennas";
  const heard = setup.answered.some((one) => findPortField(one.driver) === "reader_port");
  if (!heard && !chosenFields.has("reader")) $("reader").value = setup.reader_by_kind[getKind()] ?? setup.choice.reader;
  $("write").disabled = true;
}

function drawPorts() {
  const names = setup.ports.map((each) => {
    const answeredPort = setup.answered.find((one) => one.port === each.port);
    return `${each.port}${each.what ? ` (${each.what})` : ""}${each.may ? "" : `: ${t("may not be opened")}`}${answeredPort ? `: ${answeredPort.driver} ${answeredPort.how}` : ""}`;
  });
  $("ports").textContent = `${names.join("\n") || t("No serial port is plugged in.")}${setup.asking ? `\n${t("Asking {port}. If it is a reader that only speaks when it reads, hold a card to it.", { port: setup.asking })}` : ""}`;
  $("search").disabled = Boolean(setup.asking);
  for (const id of ["reader_port", "board_port", "seats_port"]) {
    const answeredPort = setup.answered.find((one) => findPortField(one.driver) === id);
    fillSelect($(id), setup.ports.map((each) => [each.port, each.port]), answeredPort && !chosenFields.has(id) ? answeredPort.port : $(id).value);
    if (answeredPort && id === "board_port" && !chosenFields.has("kinds")) { document.querySelector("input[name=kind][value=barcode-shoe]").checked = true; drawKind(); }
    if (answeredPort && id === "reader_port" && !chosenFields.has("reader")) $("reader").value = answeredPort.driver;
  }
}

function draw() {
  $("kinds").replaceChildren(...Object.entries(setup.kinds).map(([value, text]) => {
    const label = makeElement("label");
    const radio = makeElement("input", "", value);
    radio.type = "radio";
    radio.name = "kind";
    radio.checked = value === (setup.ports.length ? setup.choice.kind : "no-shoe");
    radio.addEventListener("change", () => { drawKind(); drawPorts(); });
    label.append(radio, t(text));
    return label;
  }));
  fillSelect($("reader"), setup.readers.map((name) => [name, name]), setup.choice.reader);
  fillSelect($("game"), setup.games.map((name) => [name, formatGameName(name)]), setup.choice.game);
  fillSelect($("book"), Object.entries(setup.books), setup.choice.book);
  for (const name of [...NUMBER_FIELDS, "deck", "structure"]) $(name).value = setup.choice[name];
  drawKind();
  drawPorts();
}

async function fetchSetup() {
  const answer = await fetch("/set-up/found").catch(() => null);
  $("sign").hidden = Boolean(answer && answer.ok);
  $("set-up").hidden = !(answer && answer.ok);
  if (!answer || !answer.ok) return;
  const first = setup === null;
  setup = await answer.json();
  if (first) draw(); else drawPorts();
  if (setup.asking) setTimeout(fetchSetup, POLL_INTERVAL_MS);
}

async function postSetup(content) {
  const answer = await post("/set-up", content);
  if (answer.ok) return answer;
  $("said").textContent = describeRefusal(await answer.json().catch(() => ({}))) || t("Not done ({status}).", { status: answer.status });
  return null;
}

$("search").addEventListener("click", async () => { chosenFields.clear(); if (await postSetup({ do: "search" })) fetchSetup(); });
$("set-up").addEventListener("input", (event) => { chosenFields.add(event.target.id || "kinds"); $("write").disabled = true; });
$("set-up").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("said").textContent = "";
  const answer = await postSetup({ do: "propose", choice: readChoice() });
  if (!answer) return;
  const { text, wrong } = await answer.json();
  $("text").textContent = text;
  $("wrong").replaceChildren(...wrong.map((each) => makeElement("li", each)));
  $("write").disabled = wrong.length > 0;
  if (!wrong.length) $("said").textContent = t("Nothing is wrong with it.");
});
$("write").addEventListener("click", async () => {
  $("write").disabled = true;
  if (await postSetup({ do: "write", choice: readChoice() })) $("said").textContent = t("The table starts anew with it; sign in again in a moment.");
});
$("sign").querySelector("button").addEventListener("click", goToSignIn);
showPrincipal(document.createElement("span"), fetchSetup);
