/* What the house took, summed up, and the box: what should be in it, what was counted, by whom. */

import { makeElement } from "./elements.js";
import { describeRefusal, formatGameName, t } from "./language.js";
import { post, showPrincipal } from "./session.js";

const $ = (id) => document.getElementById(id);

const KIND_NAMES = { rake: t("rake"), hand: t("fee of each hand"), button: t("fee of the button"), time: t("time charge"), none: t("nothing") };
const COLUMN_NAMES = {
  hand: t("Hand"), over: t("Over"), game: t("Game"), kind: t("Kind"), amount: t("Amount"), dealer: t("Dealer"), seats: t("Paid for time"),
  hour: t("Hour"), shift: t("Shift"), hands: t("Hands"), box: t("Box"), at: t("Counted at"), expected: t("Should be"),
  counted: t("Counted"), difference: t("Difference"), counter: t("Who counted"), watcher: t("Who watched"), reason: t("Why corrected"),
};

let shown = null;
let isShowroom = false;

function describeCell(column, cell) {
  if (column === "kind") return KIND_NAMES[cell] || cell;
  if (column === "game") return formatGameName(cell);
  if (cell === "unknown") return t("unknown");
  const [, chips, count] = cell.match(/^(\d+) and (\d+) unknown$/) || [];
  return chips === undefined ? cell : t("{n} and {hands} hands unknown", { n: chips, hands: count });
}

function drawTable(place, table) {
  const makeRow = (cells, tag) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell, i) => makeElement(tag, table.numbers.includes(i) ? "number" : "", cell)));
    return row;
  };
  const head = document.createElement("thead");
  head.append(makeRow(table.columns.map((name) => COLUMN_NAMES[name] || name), "th"));
  const body = document.createElement("tbody");
  body.append(...table.lines.map((line) => makeRow(line.map((cell, i) => describeCell(table.columns[i], cell)), "td")));
  place.replaceChildren(head, body);
  if (!table.total.length) return;
  const foot = document.createElement("tfoot");
  foot.append(makeRow(table.total.map((cell, i) => (i ? describeCell("", cell) : t("Total"))), "td"));
  place.append(foot);
}

function drawBoxNumbers() {
  const chosen = Number($("number").value) || shown.next;
  const numbers = [shown.next, ...shown.counted.map((box) => box.box).reverse()];
  $("number").replaceChildren(...numbers.map((number) => {
    const option = makeElement("option", "", number === shown.next ? t("{n}, not counted yet", { n: number }) : t("{n}, to be corrected", { n: number }));
    option.value = String(number);
    return option;
  }));
  $("number").value = String(numbers.includes(chosen) ? chosen : shown.next);
  drawChosenBox();
}

function drawChosenBox() {
  const box = shown.counted.find((each) => each.box === Number($("number").value));
  const expected = box ? box.expected : shown.expected;
  $("reason-label").hidden = !box;
  $("reason").required = Boolean(box);
  $("expected").textContent = expected === null ? t("Nobody knows what should be in the box: amounts are not tracked.")
    : t("In the box should be {n}.", { n: expected });
  if (!box && shown.hand_on) $("expected").append(" ", t("A hand is on: count when it is over."));
}

function drawDrop() {
  const scope = [$("open").checked ? t("since the last count") : "", $("day").value].filter(Boolean).join(", ");
  $("sums-title").textContent = scope ? `${t("What was dropped")}: ${scope}` : t("What was dropped");
  drawTable($("sums"), shown.sums);
  drawTable($("boxes"), shown.boxes);
  $("more").textContent = shown.sums.left_out ? t("{n} more are in the CSV.", { n: shown.sums.left_out }) : "";
  $("reading").textContent = shown.unreadable.length ? t("Some of the record cannot be read: what follows is not all.") : "";
  drawBoxNumbers();
}

const makeQuery = () => new URLSearchParams({ by: $("by").value, open: $("open").checked ? "1" : "0", day: $("day").value });

async function refresh() {
  $("reading").textContent = t("The record is read…");
  const answer = await fetch(`/drop/list?${makeQuery()}`).catch(() => null);
  if (answer && answer.status === 429) { setTimeout(refresh, 1500); return; }
  const content = answer && await answer.json().catch(() => null);
  if (!answer || !answer.ok) {
    $("reading").textContent = answer ? describeRefusal(content) : t("No connection");
    return;
  }
  shown = content;
  drawDrop();
}

async function listWatchers(principal) {
  isShowroom = principal.showroom;
  $("box").querySelector("form").hidden = !principal.roles.includes("floor");
  $("watcher").hidden = $("pin-label").hidden = isShowroom;
  $("watcher-name").hidden = !isShowroom;
  const answer = isShowroom ? null : await fetch("/staff").catch(() => null);
  const people = answer && answer.ok ? (await answer.json()).staff : [];
  const others = people.filter((person) => person.name !== principal.name);
  $("watcher").replaceChildren(...others.map((person) => makeElement("option", "", person.name)));
}

async function countBox() {
  const number = Number($("number").value);
  const text = $("counted").value.trim();
  const content = {
    box: number, counted: /^\d+$/.test(text) ? Number(text) : text, expected: shown.expected,
    watcher: isShowroom ? $("watcher-name").value : $("watcher").value, pin: $("pin").value,
    ...(number === shown.next ? {} : { reason: $("reason").value }),
  };
  const answer = await post("/drop/count", content);
  $("pin").value = "";
  $("why").textContent = answer.ok ? "" : describeCountRefusal(await answer.json().catch(() => null));
  if (!answer.ok) return;
  $("counted").value = $("reason").value = "";
  $("number").value = "";
  await refresh();
}

/* What the table itself says of a count stands in no catalogue of reasons. */
const describeCountRefusal = (refusal) => (refusal && ["not-now-here", "not-understood"].includes(refusal.code) ? refusal.message : describeRefusal(refusal));

$("choice").addEventListener("change", refresh);
$("choice").addEventListener("submit", (event) => event.preventDefault());
$("number").addEventListener("change", drawChosenBox);
$("counting").addEventListener("submit", (event) => { event.preventDefault(); countBox(); });
$("export").addEventListener("click", () => location.assign(`/drop/export?${makeQuery()}`));
$("paper").addEventListener("click", () => window.print());
showPrincipal($("who"), async (principal) => { await listWatchers(principal); await refresh(); });
