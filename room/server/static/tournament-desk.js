/* The director's desk: what is to be confirmed, what tables have been asked, entries, seats, places. */
import { reason, t } from "/static/language.js";
import { post, signInHere } from "/static/session.js";
import { element, showMenu } from "/room/menu.js";
import { follow } from "/room/feed.js";
import { chosen, leftOf, length, money, seat, setTime, stage, stakes, tablesOf } from "/room/tournament-common.js";

const $ = (id) => document.getElementById(id);
let keys = new Map(), desk = new Map(), name = null, mine = false;

async function say(what) {
  const answer = await post(`/events/${name}/say`, what);
  if (answer.status === 401) { signInHere(); return; }
  $("said").textContent = answer.ok ? "" : reason(await answer.json().catch(() => null));
}

function key(text, what, main = false) {
  const made = element("button", main ? "main" : "", text);
  made.type = "button";
  made.addEventListener("click", () => say(typeof what === "function" ? what() : what));
  return made;
}

function sentence(line) {
  switch (line.do) {
    case "eliminate": return t("{player} is out", line);
    case "late-entry": return t("{player} enters at {seat}", { player: line.player, seat: seat(line.seat) });
    case "move": return line.moves.map(([player, ...to]) => t("{player} moves to {seat}", { player, seat: seat(to) })).join("; ");
    case "break": return t("{table} breaks: {n} players move, by lot", { table: line.table, n: line.moves.length });
    case "redraw": return line.tables.length > 1 ? t("All seats are drawn anew, at {n} tables", { n: line.tables.length }) : t("The final table is formed at {table}", { table: line.tables[0] });
    case "hand-for-hand": return line.on ? t("Play hand for hand") : t("Hand for hand is over");
    case "go": return t("All have done their hand: deal the next");
    case "turn-up": return t("All others wait: turn the hands up at {tables}", { tables: line.tables.join(", ") });
    default: return line.do;
  }
}

function drawProposals() {
  const found = (desk.get("proposals") || { list: [] }).list;
  $("due").hidden = !found.length;
  const drawn = JSON.stringify(found);
  if ($("proposals").dataset.drawn === drawn) return;
  $("proposals").dataset.drawn = drawn;
  $("proposals").replaceChildren(...found.slice(0, 12).map((one) => {
    const row = element("li");
    row.append(element("span", "", sentence(one.line)));
    if (one.cite) row.append(element("small", "none", one.by_default ? t("{clause}, by default", { clause: one.cite }) : one.cite));
    if (one.line.do === "eliminate" && !one.line.sure) {
      const hand = field(t("Hand"), one.line.hand), stack = field(t("Chips at its start"), one.line.stack);
      row.append(hand, stack, key(t("Confirm"), () => ({ confirm: one.line, hand: +hand.lastChild.value, stack: +stack.lastChild.value }), true));
    } else row.append(key(t("Confirm"), { confirm: one.line }, true));
    return row;
  }));
}

function field(label, value) {
  const made = element("label", "", `${label} `), box = element("input");
  box.type = "number"; box.min = 0; box.value = value;
  made.append(box);
  return made;
}

function duty(one) {
  const { line } = one;
  switch (line.ev) {
    case "sit": return t("{player} sits at seat {seat}", { player: one.player, seat: line.seat });
    case "leave": return t("{player} leaves seat {seat}", { player: one.player, seat: line.seat });
    case "penalty": return t("{player} still misses {n} hands", { player: one.player, n: line.hands });
    case "halt": return line.on === false ? t("play goes on") : t("no hand begins");
    case "hand-for-hand": return line.go ? t("go on") : line.on ? t("hand for hand") : t("hand for hand is over");
    default: return [line.ev, line.set].filter(Boolean).join(" ");
  }
}

const WALL = 3;   /* so many refusals of one table in the same words are one row */

function wallsOf(list) {
  const found = new Map();
  for (const one of list.filter((each) => each.how === "refused" && each.line.ev !== "leave")) {
    const same = `${one.table} ${one.line.ev} ${one.why}`;
    found.set(same, [...(found.get(same) || []), one]);
  }
  return [...found.values()].filter((wall) => wall.length >= WALL);
}

function wallRow(wall) {
  const row = element("li", "refused"), all = (word) => async () => { for (const one of wall) await say({ do: word, duty: one.number }); };
  row.append(element("b", "", wall[0].table), element("span", "", wall.map(duty).join("; ")), element("span", "flag", t("{n} refused", { n: wall.length })));
  if (wall[0].why) row.append(element("small", "", wall[0].why));
  for (const [word, text] of [["again", t("Ask again")], ["by-hand", t("Done by hand")], ["drop", t("Drop")]]) {
    const made = element("button", "", text);
    made.type = "button";
    made.addEventListener("click", all(word));
    row.append(made);
  }
  return row;
}

function drawDuties() {
  const found = desk.get("duties") || { open: 0, list: [] };
  $("asked").hidden = !found.open;
  const drawn = JSON.stringify(found.list);
  if ($("duties").dataset.drawn === drawn) return;
  $("duties").dataset.drawn = drawn;
  const walls = wallsOf(found.list), others = found.list.filter((one) => !walls.some((wall) => wall.includes(one)));
  $("stuck").hidden = !found.list.some((one) => one.how === "refused");
  $("duties").replaceChildren(...walls.map(wallRow), ...others.slice(0, 24).map((one) => {
    const row = element("li", one.how);
    row.append(element("b", "", one.table), element("span", "", duty(one)));
    row.append(element("span", "flag", { open: t("not yet"), asked: t("asked"), refused: t("refused") }[one.how]));
    if (one.why) row.append(element("small", "", one.why));
    if (one.how === "refused") {
      row.append(key(t("Ask again"), { do: "again", duty: one.number }));
      if (one.line.ev === "leave") {
        const stack = field(t("Chips"), 0);
        row.append(stack, key(t("Done by hand"), () => ({ do: "by-hand", duty: one.number, stack: +stack.lastChild.value })));
      } else row.append(key(t("Done by hand"), { do: "by-hand", duty: one.number }));
      row.append(key(t("Drop"), { do: "drop", duty: one.number }));
    }
    return row;
  }));
}

function drawClocks() {
  const found = (desk.get("clocks") || { list: [] }).list;
  $("apart").hidden = !found.length;
  const drawn = JSON.stringify(found);
  if ($("clocks").dataset.drawn === drawn) return;
  $("clocks").dataset.drawn = drawn;
  $("clocks").replaceChildren(...found.slice(0, 12).map((one) => {
    const row = element("li");
    row.append(element("b", "", one.table), element("span", "", one.ahead > 0 ? t("{time} ahead", { time: length(one.ahead) }) : t("{time} behind", { time: length(-one.ahead) })));
    if (one.lines.length) row.append(key(t("Bring together"), { do: "tell", tables: [one.table], lines: one.lines }));
    return row;
  }));
}

function drawRound() {
  const round = desk.get("round") || { number: 0 };
  $("together").hidden = !round.number;
  if (round.number) $("round").textContent = t("Hand {n}: {done} done, {all_in} all-in, still playing: {behind}", { n: round.number, done: round.done.length, all_in: round.all_in.length, behind: round.behind.join(", ") || "–" });
}

function drawWords(event, clock) {
  const plays = event.started && !event.over && !event.closed;
  const drawn = JSON.stringify([mine, event.started, event.drawn, event.over, event.closed, clock.running, event.hand_for_hand > 0]);
  if ($("words").dataset.drawn === drawn) return;
  $("words").dataset.drawn = drawn;
  const found = [];
  if (mine && !event.started && !event.closed) found.push(key(event.drawn ? t("Draw again") : t("Draw seats"), { do: "draw" }));
  if (mine && event.drawn && !event.started && !event.closed) found.push(key(t("Start"), { do: "start" }, true));
  if (mine && plays) {
    found.push(clock.running ? key(t("Pause"), { do: "pause" }) : key(t("Go on"), { do: "resume" }), key(t("Next level"), () => ({ do: "level", to: keys.get("clock").level + 1 })));
    found.push(event.hand_for_hand ? key(t("End hand for hand"), { do: "hand-for-hand", on: false }) : key(t("Hand for hand"), { do: "hand-for-hand", on: true }));
  }
  if (mine && !event.closed) found.push(plays ? breakOffKey(event) : key(t("Close tournament"), { do: "close" }, event.over));
  const links = [["slips", t("Slips")], ["slips?moves", t("Slips of moves")]].map(([path, text]) => [`/events/${name}/${path}`, text]);
  for (const [path, text] of [...links, [`/events/board?event=${name}`, t("Board")]]) {
    const link = element("a", "key", text);
    link.href = path; link.target = "_blank";
    found.push(link);
  }
  $("words").replaceChildren(...found);
}

/* Who breaks off what is still played is asked a second time. */
function breakOffKey(event) {
  const made = element("button", "", t("Break off"));
  made.type = "button";
  made.addEventListener("click", () => {
    const sure = element("span");
    sure.append(element("b", "", t("{n} players still play.", { n: keys.get("event").players })), key(t("Break off and close"), { do: "close", abandon: true }, true));
    made.replaceWith(sure);
  });
  return made;
}

function drawSeats(event) {
  const tables = tablesOf(keys);
  $("tables").hidden = !event.drawn;
  const plays = event.started && !event.over && !event.closed;
  const drawn = JSON.stringify([tables, mine, plays]);
  if ($("seats").dataset.drawn === drawn) return;
  $("seats").dataset.drawn = drawn;
  $("seats").replaceChildren(...tables.map(([table, { seats, places }]) => {
    const card = element("div", "card"), list = element("ul");
    card.append(element("h2", "", `${table}  ${Object.keys(seats).length}/${places}`), list);
    for (const [chair, player] of Object.entries(seats)) {
      const row = element("li");
      row.append(element("span", "place", chair), element("span", "who", player));
      if (mine && plays) row.append(outKey(player));
      list.append(row);
    }
    return card;
  }));
}

function outKey(player) {
  const made = element("button", "small", t("Out"));
  made.type = "button";
  made.addEventListener("click", () => {
    const form = element("span"), hand = field(t("Hand"), 1), stack = field(t("Chips at its start"), 0);
    form.append(hand, stack, key(t("Confirm"), () => ({ do: "eliminate", player, hand: +hand.lastChild.value, stack: +stack.lastChild.value }), true));
    made.replaceWith(form);
  });
  return made;
}

function drawPlaces(event) {
  $("paid").hidden = !event.places.length;
  const drawn = JSON.stringify([event.places, mine]);
  if ($("places").dataset.drawn === drawn) return;
  $("places").dataset.drawn = drawn;
  $("places").replaceChildren(...event.places.map((one) => {
    const row = element("tr");
    row.append(element("td", "number", `${one.place}.`), element("td", "", one.player), element("td", "number", one.prize ? money(one.prize) : ""));
    const last = element("td");
    if (one.paid) last.append(element("span", "flag", t("paid out")));
    else if (mine && one.prize) last.append(key(t("Pay out"), { do: "pay", player: one.player }));
    row.append(last);
    return row;
  }));
}

function tick() {
  const event = keys.get("event"), clock = keys.get("clock");
  if (!event || !clock) return;
  $("title").textContent = event.title;
  $("stage").textContent = stage(clock);
  $("left").textContent = length(leftOf(clock));
  $("stakes").textContent = stakes(clock.stakes);
  $("players").textContent = t("{left} of {all} players, {tables} tables", { left: event.players, all: event.entrants, tables: event.tables });
}

function draw() {
  const event = keys.get("event"), clock = keys.get("clock");
  if (!event || !clock) return;
  $("head").hidden = false;
  $("closed").textContent = event.closed ? t("Closed by {name}, {time}.", { name: event.closed[0], time: new Date(1000 * event.closed[1]).toLocaleString() }) : "";
  $("entries").hidden = !mine || event.over || Boolean(event.closed);
  $("samples").hidden = !found.samples || event.started;
  $("opening").hidden = !mine || !(event.over || event.closed);
  const people = desk.get("people") || { registered: [], alternates: [] };
  $("registered").textContent = people.registered.length && !event.started ? t("Entered: {names}", { names: people.registered.join(", ") }) : "";
  $("waiting").textContent = people.alternates.length ? t("Alternates: {names}", { names: people.alternates.join(", ") }) : "";
  tick(); drawWords(event, clock); drawSeats(event); drawPlaces(event);
  drawProposals(); drawDuties(); drawClocks(); drawRound();
}

$("register").addEventListener("submit", async (event) => {
  event.preventDefault();
  const player = $("name").value.trim(), state = keys.get("event");
  const full = state.alternates > 0 || state.players >= state.capacity;
  await say({ do: state.started && !full ? "late-entry" : "register", player });
  if (!$("said").textContent) $("name").value = "";
  $("name").focus();
});

$("withdraw").addEventListener("click", async () => {
  if (!$("register").reportValidity()) return;
  await say({ do: "withdraw", player: $("name").value.trim() });
  if (!$("said").textContent) $("name").value = "";
  $("name").focus();
});

/* Sample players have numbers for names, and go on after the last. */
$("samples").addEventListener("submit", async (event) => {
  event.preventDefault();
  const state = keys.get("event"), entered = state.players + state.alternates, button = event.target.querySelector("button");
  button.disabled = true;
  for (let number = 1; number <= +$("many").value; number += 1) await say({ do: "register", player: `Player ${entered + number}` });
  button.disabled = false;
});

$("open").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = Object.fromEntries(new FormData(event.target));
  const whole = (value) => Number.parseInt(value, 10) || 0;
  const tables = form.tables.split(/[\s,]+/).filter(Boolean).map((one) => ({ name: one, places: whole(form.places) }));
  const numbers = Object.fromEntries(["buy_in", "stack", "capacity", "late_levels", "bounty"].map((one) => [one, whole(form[one])]));
  const answer = await post("/events/open", { title: form.title, rulebook: form.rulebook, schedule: form.schedule, tables, by_tables: "by_tables" in form, ...numbers });
  if (answer.status === 401) signInHere();
  else if (answer.ok) location.assign(`/events?event=${(await answer.json()).event}`);
  else { $("head").hidden = false; $("said").textContent = reason(await answer.json().catch(() => null)); }
});

const found = await chosen();
name = found.event;
for (const [place, names] of [["rulebook", found.rulebooks], ["schedule", found.schedules]]) {
  document.querySelector(`[name=${place}]`).replaceChildren(...names.map((one) => new Option(one, one)));
}
for (const [place, value] of Object.entries(found.proposed || {})) document.querySelector(`[name=${place}]`).value = value;
const others = found.events.filter((one) => one.event !== name).map((one) => [one.event, one.closed ? t("{title}, closed", one) : one.title]);
if (name !== null) others.push(["new", t("New tournament")]);
$("others").replaceChildren(...others.map(([event, text]) => {
  const link = element("a", "key", text);
  link.href = `/events?event=${event}`;
  return link;
}));
let following = false;
showMenu((who) => {
  mine = (who.roles || []).includes("floor");
  $("opening").hidden = !mine || name !== null;
  if (mine && name && !following) {
    following = true;
    follow(`/events/${name}/desk`, (all) => { desk = all; draw(); });
  }
  draw();
});
if (name) follow(`/events/${name}/told`, (all, changed) => { keys = all; if (changed.has("time")) setTime(all.get("time")); draw(); });
setInterval(tick, 500);
