/* The set-up: what is plugged in, what is played, and the table's file that follows from it, checked before it is used. */
import { reason, t } from "./language.js";
import { post, showWho, signInHere } from "./session.js";

const $ = (id) => document.getElementById(id);
const ASKED_EVERY_MS = 700;
const FIELDS = ["reader", "reader_port", "board_port", "game", "book", "structure", "deck"];
const NUMBERS = ["small", "big", "places"];
let found = null;
const chosen = new Set();  /* what somebody has chosen since the search, and the next look must not change */

function element(tag, text = "", value = null) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (value !== null) made.value = value;
  return made;
}

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => element("option", text, value)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

function kind() { return document.querySelector("input[name=kind]:checked").value; }

function choice() {
  const said = { kind: kind(), second_store: $("second_store").checked };
  for (const name of FIELDS) said[name] = $(name).value || "";
  for (const name of NUMBERS) said[name] = Number($(name).value);
  return said;
}

function drawKind() {
  $("found").hidden = kind() === "no-shoe";
  $("board").hidden = kind() !== "barcode-shoe";
  $("write").disabled = true;
}

function drawPorts() {
  const names = found.ports.map((each) => {
    const heard = found.answered.find((one) => one.port === each.port);
    return `${each.port}${each.what ? ` (${each.what})` : ""}${each.may ? "" : `: ${t("may not be opened")}`}${heard ? `: ${heard.driver} ${heard.how}` : ""}`;
  });
  $("ports").textContent = `${names.join("\n") || t("No serial port is plugged in.")}${found.asking ? `\n${t("Asking {port}. If it is a reader that only speaks when it reads, hold a card to it.", { port: found.asking })}` : ""}`;
  $("search").disabled = Boolean(found.asking);
  for (const [id, drivers] of [["reader_port", (name) => name !== "bridge"], ["board_port", (name) => name === "bridge"]]) {
    const heard = found.answered.find((one) => drivers(one.driver));
    fill($(id), found.ports.map((each) => [each.port, each.port]), heard && !chosen.has(id) ? heard.port : $(id).value);
    if (heard && id === "board_port" && !chosen.has("kinds")) { document.querySelector("input[name=kind][value=barcode-shoe]").checked = true; drawKind(); }
    if (heard && id === "reader_port" && !chosen.has("reader")) $("reader").value = heard.driver;
  }
}

function draw() {
  $("kinds").replaceChildren(...Object.entries(found.kinds).map(([value, text]) => {
    const label = element("label");
    const radio = element("input", "", value);
    radio.type = "radio";
    radio.name = "kind";
    radio.checked = value === (found.ports.length ? found.choice.kind : "no-shoe");
    radio.addEventListener("change", drawKind);
    label.append(radio, t(text));
    return label;
  }));
  fill($("reader"), found.readers.map((name) => [name, name]), found.choice.reader);
  fill($("game"), found.games.map((name) => [name, name]), found.choice.game);
  fill($("book"), Object.entries(found.books), found.choice.book);
  for (const name of [...NUMBERS, "deck", "structure"]) $(name).value = found.choice[name];
  drawKind();
  drawPorts();
}

async function ask() {
  const answer = await fetch("/set-up/found").catch(() => null);
  $("sign").hidden = Boolean(answer && answer.ok);
  $("set-up").hidden = !(answer && answer.ok);
  if (!answer || !answer.ok) return;
  const first = found === null;
  found = await answer.json();
  if (first) draw(); else drawPorts();
  if (found.asking) setTimeout(ask, ASKED_EVERY_MS);
}

async function wish(content) {
  const answer = await post("/set-up", content);
  if (answer.ok) return answer;
  $("said").textContent = reason(await answer.json().catch(() => ({}))) || t("Not done ({status}).", { status: answer.status });
  return null;
}

$("search").addEventListener("click", async () => { chosen.clear(); if (await wish({ do: "search" })) ask(); });
$("set-up").addEventListener("input", (event) => { chosen.add(event.target.id || "kinds"); $("write").disabled = true; });
$("set-up").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("said").textContent = "";
  const answer = await wish({ do: "propose", choice: choice() });
  if (!answer) return;
  const { text, wrong } = await answer.json();
  $("text").textContent = text;
  $("wrong").replaceChildren(...wrong.map((each) => element("li", each)));
  $("write").disabled = wrong.length > 0;
  if (!wrong.length) $("said").textContent = t("Nothing is wrong with it.");
});
$("write").addEventListener("click", async () => {
  $("write").disabled = true;
  if (await wish({ do: "write", choice: choice() })) $("said").textContent = t("The table starts anew with it; sign in again in a moment.");
});
$("sign").querySelector("button").addEventListener("click", signInHere);
showWho(document.createElement("span"), ask);
