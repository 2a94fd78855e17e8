/* The director's desk: what is to be confirmed, what tables have been asked, entries, seats, places. */
import { describeRefusal, t } from "/static/language.js";
import { goToSignIn, post } from "/static/session.js";
import { makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";
import { fetchTournament, formatDuration, formatMoney, formatNumber, formatSeat, formatStage, formatStakes, listTables, secondsLeft, setServerTime } from "/room/tournament-common.js";

const $ = (id) => document.getElementById(id);
let boardByKey = new Map(), deskByKey = new Map(), tournamentId = null, isFloor = false;

async function sendLine(what) {
  const answer = await post(`/events/${tournamentId}/say`, what);
  if (answer.status === 401) { goToSignIn(); return; }
  $("said").textContent = answer.ok ? "" : describeRefusal(await answer.json().catch(() => null));
}

function makeButton(text, what, main = false) {
  const button = makeElement("button", main ? "main" : "", text);
  button.type = "button";
  button.addEventListener("click", () => sendLine(typeof what === "function" ? what() : what));
  return button;
}

function describeProposal(line) {
  switch (line.do) {
    case "eliminate": return line.knocked_by ? t("{player} is out, knocked out by {names}", { player: line.player, names: formatKnockers(line) }) : t("{player} is out", line);
    case "knockout": return t("The bounty of {player} is for {names}", { player: line.player, names: formatKnockers(line) });
    case "late-entry": return t("{player} enters at {seat}", { player: line.player, seat: formatSeat(line.seat) });
    case "move": return line.moves.map(([player, ...to]) => t("{player} moves to {seat}", { player, seat: formatSeat(to) })).join("; ");
    case "break": return t("{table} breaks: {n} players move, by lot", { table: line.table, n: line.moves.length });
    case "redraw": return line.tables.length > 1 ? t("All seats are drawn anew, at {n} tables", { n: line.tables.length }) : t("The final table is formed at {table}", { table: line.tables[0] });
    case "hand-for-hand": return line.on ? t("Play hand for hand") : t("Hand for hand is over");
    case "go": return t("All have done their hand: deal the next");
    case "river": return line.card ? t("The river card of the last hand is {card}", line) : t("The last hand had no river card");
    case "turn-up": return t("All others wait: turn the hands up at {tables}", { tables: line.tables.join(", ") });
    default: return line.do;
  }
}

/* Who has a bounty, with the part of each where they are not the same. */
function formatKnockers({ knocked_by: names, shares }) {
  if (!names.length) return t("nobody");
  const whole = (shares || []).reduce((sum, share) => sum + share, 0);
  return names.map((name, at) => (shares ? `${name} ${shares[at]}/${whole}` : name)).join(", ");
}

/* Nobody's name says that it is not known yet: that nobody has won a bounty has a key of its own. */
function parseNames(text) {
  const names = text.split(",").map((name) => name.trim()).filter(Boolean);
  return names.length ? names : null;
}

function makeNamesField(label, names) {
  const field = makeElement("label", "", `${label} `), box = makeElement("input");
  box.value = names.join(", ");
  field.append(box);
  return field;
}

function drawProposals() {
  const proposals = (deskByKey.get("proposals") || { list: [] }).list;
  $("due").hidden = !proposals.length;
  const drawnJson = JSON.stringify(proposals);
  if ($("proposals").dataset.drawn === drawnJson) return;
  $("proposals").dataset.drawn = drawnJson;
  $("proposals").replaceChildren(...proposals.slice(0, 12).map((one) => {
    const row = makeElement("li");
    row.append(makeElement("span", "", describeProposal(one.line)));
    if (one.cite) row.append(makeElement("small", "none", one.by_default ? t("{clause}, by default", { clause: one.cite }) : one.cite));
    const event = boardByKey.get("event") || {}, isBounty = event.bounty > 0 && one.line.do === "eliminate";
    const names = makeNamesField(t("Knocked out by"), one.line.knocked_by || []), said = names.lastChild.value;
    const readKnockers = () => (isBounty && names.lastChild.value !== said ? { knocked_by: parseNames(names.lastChild.value) } : {});
    if (isBounty) row.append(names);
    if (one.line.do === "eliminate" && !one.line.sure) {
      const hand = makeNumberField(t("Hand"), one.line.hand), stack = makeNumberField(t("Chips at its start"), one.line.stack);
      row.append(hand, stack, makeButton(t("Confirm"), () => ({ confirm: one.line, hand: +hand.lastChild.value, stack: +stack.lastChild.value, ...readKnockers() }), true));
    } else if (isBounty) row.append(makeButton(t("Confirm"), () => ({ confirm: one.line, ...readKnockers() }), true));
    else row.append(makeButton(t("Confirm"), { confirm: one.line }, true));
    return row;
  }));
}

function makeNumberField(label, value) {
  const field = makeElement("label", "", `${label} `), box = makeElement("input");
  box.type = "number"; box.min = 0; box.value = value;
  field.append(box);
  return field;
}

function describeInstruction(one) {
  const { line } = one;
  switch (line.ev) {
    case "sit": return t("{player} sits at seat {seat}", { player: one.player, seat: line.seat });
    case "leave": return t("{player} leaves seat {seat}", { player: one.player, seat: line.seat });
    case "penalty": return t("{player} still misses {n} hands", { player: one.player, n: line.hands });
    case "tournament-over": return t("the table is let go");
    case "halt": return line.on === false ? t("play goes on") : t("no hand begins");
    case "hand-for-hand": return line.go ? t("go on") : line.on ? t("hand for hand") : t("hand for hand is over");
    default: return [line.ev, line.set].filter(Boolean).join(" ");
  }
}

const MIN_GROUPED_REFUSALS = 3;   /* so many refusals of one table in the same words are one row */

function groupRefusals(list) {
  const refusalsByKey = new Map();
  for (const one of list.filter((each) => each.how === "refused" && each.line.ev !== "leave")) {
    const key = `${one.table} ${one.line.ev} ${one.why}`;
    refusalsByKey.set(key, [...(refusalsByKey.get(key) || []), one]);
  }
  return [...refusalsByKey.values()].filter((wall) => wall.length >= MIN_GROUPED_REFUSALS);
}

function makeRefusalsRow(wall) {
  const row = makeElement("li", "refused"), makeHandler = (word) => async () => { for (const one of wall) await sendLine({ do: word, duty: one.number }); };
  row.append(makeElement("b", "", wall[0].table), makeElement("span", "", wall.map(describeInstruction).join("; ")), makeElement("span", "flag", t("{n} refused", { n: wall.length })));
  if (wall[0].why) row.append(makeElement("small", "", wall[0].why));
  for (const [word, text] of [["again", t("Ask again")], ["by-hand", t("Done by hand")], ["drop", t("Drop")]]) {
    const button = makeElement("button", "", text);
    button.type = "button";
    button.addEventListener("click", makeHandler(word));
    row.append(button);
  }
  return row;
}

function drawInstructions() {
  const found = deskByKey.get("duties") || { open: 0, list: [] };
  $("asked").hidden = !found.open;
  const drawnJson = JSON.stringify(found.list);
  if ($("duties").dataset.drawn === drawnJson) return;
  $("duties").dataset.drawn = drawnJson;
  const walls = groupRefusals(found.list), ungrouped = found.list.filter((one) => !walls.some((wall) => wall.includes(one)));
  $("stuck").hidden = !found.list.some((one) => one.how === "refused");
  $("duties").replaceChildren(...walls.map(makeRefusalsRow), ...ungrouped.slice(0, 24).map((one) => {
    const row = makeElement("li", one.how);
    row.append(makeElement("b", "", one.table), makeElement("span", "", describeInstruction(one)));
    row.append(makeElement("span", "flag", { open: t("not yet"), asked: t("asked"), refused: t("refused") }[one.how]));
    if (one.why) row.append(makeElement("small", "", one.why));
    if (one.how === "refused") {
      row.append(makeButton(t("Ask again"), { do: "again", duty: one.number }));
      if (one.line.ev === "leave") {
        const stack = makeNumberField(t("Chips"), 0);
        row.append(stack, makeButton(t("Done by hand"), () => ({ do: "by-hand", duty: one.number, stack: +stack.lastChild.value })));
      } else row.append(makeButton(t("Done by hand"), { do: "by-hand", duty: one.number }));
      row.append(makeButton(t("Drop"), { do: "drop", duty: one.number }));
    }
    return row;
  }));
}

function drawClocks() {
  const found = (deskByKey.get("clocks") || { list: [] }).list;
  $("apart").hidden = !found.length;
  const drawnJson = JSON.stringify(found);
  if ($("clocks").dataset.drawn === drawnJson) return;
  $("clocks").dataset.drawn = drawnJson;
  $("clocks").replaceChildren(...found.slice(0, 12).map((one) => {
    const row = makeElement("li");
    row.append(makeElement("b", "", one.table), makeElement("span", "", one.ahead > 0 ? t("{time} ahead", { time: formatDuration(one.ahead) }) : t("{time} behind", { time: formatDuration(-one.ahead) })));
    if (one.lines.length) row.append(makeButton(t("Bring together"), { do: "tell", tables: [one.table], lines: one.lines }));
    return row;
  }));
}

/* Who is not seated yet before the first hand, and at which table; nobody deals until all are, or somebody says so. */
function drawSeating() {
  const found = deskByKey.get("seating") || { on: false };
  $("seating").hidden = !found.on;
  const drawnJson = JSON.stringify([found, isFloor]);
  if ($("unseated").dataset.drawn === drawnJson) return;
  $("unseated").dataset.drawn = drawnJson;
  if (!found.on) {
    for (const place of [$("unseated"), $("begin")]) place.replaceChildren();
    delete $("begin").dataset.drawn;
    return;
  }
  const tables = found.tables.map((one) => one.table).join(", ");
  $("unseated-count").textContent = found.left ? t("{left} of {all} not yet seated: {tables}", { left: found.left, all: found.all, tables }) : t("All are seated. Play begins.");
  $("unseated").replaceChildren(...found.tables.slice(0, 24).map((one) => {
    const row = makeElement("li");
    row.append(makeElement("b", "", one.table), makeElement("span", "", one.players.map(([seat, player]) => `${seat} ${player}`).join(", ")));
    if (one.why || !one.heard) row.append(makeElement("small", "", one.why || t("The room has not heard this table yet.")));
    return row;
  }));
  const begunJson = JSON.stringify([found.left, isFloor]);
  if ($("begin").dataset.drawn === begunJson) return; // who is being asked a second time is not asked from the start
  $("begin").dataset.drawn = begunJson;
  $("begin").replaceChildren(...(isFloor ? [makeBeginButton(found.left)] : []));
}

/* Who begins without some is asked a second time: they are not dealt in. */
function makeBeginButton(left) {
  const begin = { do: "begin", anyway: true };
  if (!left) return makeButton(t("Begin"), begin, true);
  const button = makeElement("button", "", t("Begin without them"));
  button.type = "button";
  button.addEventListener("click", () => {
    const sure = makeElement("span");
    sure.append(makeElement("b", "", t("Not dealt in on the first hand: {n}.", { n: left })), makeButton(t("Begin all the same"), begin, true));
    button.replaceWith(sure);
  });
  return button;
}

function drawRound() {
  const round = deskByKey.get("round") || { number: 0 };
  $("together").hidden = !round.number;
  if (round.number) $("round").textContent = t("Hand {n}: {done} done, {all_in} all-in, still playing: {behind}", { n: round.number, done: round.done.length, all_in: round.all_in.length, behind: round.behind.join(", ") || "–" });
}

function drawActions(event, clock) {
  const plays = event.started && !event.over && !event.closed, seating = Boolean(event.seating);
  const drawnJson = JSON.stringify([isFloor, seating, event.held, event.started, event.drawn, event.over, event.closed, clock.running, event.hand_for_hand > 0]);
  if ($("words").dataset.drawn === drawnJson) return;
  $("words").dataset.drawn = drawnJson;
  const found = [];
  isBreakOffAsked &&= plays;
  if (isFloor && !event.started && !event.closed) found.push(makeButton(event.drawn ? t("Draw again") : t("Draw seats"), { do: "draw" }));
  if (isFloor && event.drawn && !event.started && !event.closed) found.push(makeButton(t("Start"), { do: "start" }, true));
  if (isFloor && plays && !seating) {
    found.push(clock.running ? makeButton(t("Pause"), { do: "pause" }) : makeButton(t("Go on"), { do: "resume" }), makeButton(t("Next level"), () => ({ do: "level", to: boardByKey.get("clock").level + 1 })));
    found.push(event.hand_for_hand ? makeButton(t("End hand for hand"), { do: "hand-for-hand", on: false }) : makeButton(t("Hand for hand"), { do: "hand-for-hand", on: true }));
  }
  if (isFloor && !event.closed) found.push(plays ? makeBreakOffButton() : makeButton(t("Close tournament"), { do: "close" }, event.over));
  if (isFloor && event.closed && event.held.length) found.push(makeButton(t("Let the tables go: {tables}", { tables: event.held.join(", ") }), { do: "let-go" }));
  const links = [["slips", t("Slips")], ["slips?moves", t("Slips of moves")]].map(([path, text]) => [`/events/${tournamentId}/${path}`, text]);
  for (const [path, text] of [...links, [`/events/board?event=${tournamentId}`, t("Board")]]) {
    const link = makeElement("a", "key", text);
    link.href = path; link.target = "_blank";
    found.push(link);
  }
  $("words").replaceChildren(...found);
}

/* Who breaks off what is still played is asked a second time, and stays asked while the keys are drawn anew. */
let isBreakOffAsked = false;

function makeBreakOffButton() {
  if (isBreakOffAsked) return makeBreakOffQuestion();
  const button = makeElement("button", "", t("Break off"));
  button.type = "button";
  button.addEventListener("click", () => {
    isBreakOffAsked = true;
    button.replaceWith(makeBreakOffQuestion());
  });
  return button;
}

function makeBreakOffQuestion() {
  const sure = makeElement("span");
  sure.append(makeElement("b", "", t("{n} players still play.", { n: boardByKey.get("event").players })), makeButton(t("Break off and close"), { do: "close", abandon: true }, true));
  return sure;
}

function drawSeats(event) {
  const tables = listTables(boardByKey);
  $("tables").hidden = !event.drawn;
  const plays = event.started && !event.over && !event.closed;
  const drawnJson = JSON.stringify([tables, isFloor, plays]);
  if ($("seats").dataset.drawn === drawnJson) return;
  $("seats").dataset.drawn = drawnJson;
  const seated = new Set(tables.flatMap(([, { seats }]) => Object.values(seats))), typedInto = document.activeElement;
  for (const player of outFormByPlayer.keys()) if (!plays || !seated.has(player)) outFormByPlayer.delete(player);
  $("seats").replaceChildren(...tables.map(([table, { seats, places }]) => {
    const card = makeElement("div", "card"), list = makeElement("ul");
    card.append(makeElement("h2", "", `${table}  ${Object.keys(seats).length}/${places}`), list);
    for (const [chair, player] of Object.entries(seats)) {
      const row = makeElement("li");
      row.append(makeElement("span", "place", chair), makeElement("span", "who", player));
      if (isFloor && plays) row.append(makeOutButton(player));
      list.append(row);
    }
    return card;
  }));
  if (typedInto?.closest("#seats")) typedInto.focus();
}

/* Whoever is put out by hand: what was typed stays while the seats are drawn anew. */
const outFormByPlayer = new Map();

function makeOutButton(player) {
  if (outFormByPlayer.has(player)) return outFormByPlayer.get(player);
  const button = makeElement("button", "small", t("Out"));
  button.type = "button";
  button.addEventListener("click", () => {
    const form = makeElement("span"), hand = makeNumberField(t("Hand"), 1), stack = makeNumberField(t("Chips at its start"), 0);
    form.append(hand, stack, makeButton(t("Confirm"), () => ({ do: "eliminate", player, hand: +hand.lastChild.value, stack: +stack.lastChild.value }), true));
    outFormByPlayer.set(player, form);
    button.replaceWith(form);
  });
  return button;
}

function drawPlaces(event) {
  $("paid").hidden = !event.places.length;
  const drawnJson = JSON.stringify([event.places, isFloor]);
  if ($("places").dataset.drawn === drawnJson) return;
  $("places").dataset.drawn = drawnJson;
  $("places").replaceChildren(...event.places.map((one) => {
    const row = makeElement("tr");
    row.append(makeElement("td", "number", `${one.place}.`), makeElement("td", "", one.player), makeElement("td", "number", one.prize ? formatMoney(one.prize) : ""));
    const last = makeElement("td");
    if (one.paid) last.append(makeElement("span", "flag", t("paid out")));
    else if (isFloor && one.prize) last.append(makeButton(t("Pay out"), { do: "pay", player: one.player }));
    row.append(last);
    return row;
  }));
}

/* Who has earned what, and keys to say it anew: who has knocked out whom, nobody, a marker that is paid for again. */
function drawBounties(event) {
  const players = listTables(boardByKey).flatMap(([, { seats }]) => Object.values(seats));
  const isShown = event.bounty > 0 && event.started;
  $("bounty").hidden = !isShown;
  const drawnJson = JSON.stringify([event.bounties, event.knockouts, isFloor, event.closed, event.over, players]);
  if (!isShown || $("bounties").dataset.drawn === drawnJson) return;
  $("bounties").dataset.drawn = drawnJson;
  $("bounties").replaceChildren(...Object.entries(event.bounties).sort((one, other) => other[1] - one[1]).map(([player, cents]) => {
    const row = makeElement("tr");
    row.append(makeElement("td", "", player), makeElement("td", "number", formatMoney(cents)));
    return row;
  }));
  const keys = [];
  const unsaid = event.knockouts.filter((one) => !one.knocked_by);
  if (isFloor && !event.closed && event.knockouts.length) {
    const who = makeElement("select"), names = makeNamesField(t("Knocked out by"), []), row = makeElement("p", "keys");
    who.setAttribute("aria-label", t("Player"));
    const formatOut = (one) => (one.knocked_by ? `${one.player}: ${formatKnockers(one)}` : `${one.player}: ?`);
    who.append(...[...unsaid, ...event.knockouts.filter((one) => one.knocked_by)].map((one) => new Option(formatOut(one), one.player)));
    row.append(who, names, makeButton(t("Confirm"), () => ({ do: "knockout", player: who.value, knocked_by: parseNames(names.lastChild.value) })));
    row.append(makeButton(t("Nobody"), () => ({ do: "knockout", player: who.value, knocked_by: [] })));
    keys.push(row);
  }
  if (isFloor && !event.closed && !event.over && players.length) {
    const who = makeElement("select"), row = makeElement("p", "keys");
    who.setAttribute("aria-label", t("Player"));
    who.append(...players.map((player) => new Option(player, player)));
    row.append(who, makeButton(t("Has no marker: pays for another"), () => ({ do: "marker", player: who.value })));
    keys.push(row);
  }
  $("bounty-keys").replaceChildren(...keys);
}

const SIDES = () => [["taken", t("Taken in")], ["paid", t("Paid")], ["kept", t("Kept")], ["carried", t("To the season")]];
const formatKind = (kind) => ({ "buy-in": t("buy-ins"), rebuy: t("rebuys"), "add-on": t("add-ons"), fee: t("fees"), bounty: t("bounties"), season: t("season"), jackpot: t("jackpot"), prize: t("prizes"), seat: t("seats"), refund: t("refunds"), marker: t("markers"), staff: t("staff") }[kind] || kind);
const formatUnits = (amount) => (Number.isInteger(amount) ? formatNumber(amount) : `${formatNumber(Math.trunc(amount))}.${amount.toFixed(2).slice(-2)}`);

/* What was taken in, and what became of it; an event that is over has no difference left, or is not paid out. */
function drawAccount(event) {
  const account = deskByKey.get("account") || {}, hasAccount = Boolean(account.taken);
  $("money").hidden = !hasAccount;
  const drawnJson = JSON.stringify([account, event.over, event.closed]);
  if ($("account").dataset.drawn === drawnJson) return;
  $("account").dataset.drawn = drawnJson;
  if (!hasAccount) return;
  const makeRow = (name, amount, parts, mark = "") => {
    const row = makeElement("tr", mark);
    row.append(makeElement("td", "", name), makeElement("td", "number", formatUnits(amount)), makeElement("td", "", parts));
    return row;
  };
  const rows = SIDES().map(([side, name]) => {
    const kinds = Object.entries(account[side]);
    const clause = side === "carried" && account.season_cite ? ` (${account.season_cite})` : "";
    const parts = kinds.map(([kind, amount]) => `${formatKind(kind)} ${formatUnits(amount)}`).join(", ") + clause;
    return makeRow(name, kinds.reduce((sum, [, amount]) => sum + Math.round(100 * amount), 0) / 100, parts);
  });
  const isPlayed = !event.over && !event.closed;
  rows.push(makeRow(isPlayed ? t("Still to be won") : t("Difference"), account.difference, "", account.difference && !isPlayed ? "flag" : ""));
  if (account.uncollected) rows.push(makeRow(t("Not collected"), account.uncollected, ""));
  $("account").replaceChildren(...rows);
  $("structure").textContent = account.cite ? t("Payouts: {name} ({clause})", { name: account.structure, clause: account.cite }) : t("Payouts: {name}, by default", { name: account.structure });
  $("account-file").href = `/events/${tournamentId}/account.csv`;
}

function drawClock() {
  const event = boardByKey.get("event"), clock = boardByKey.get("clock");
  if (!event || !clock) return;
  $("title").textContent = event.title;
  $("stage").textContent = event.seating ? t("Seating: {left} of {all} not yet seated", { left: event.seating[0], all: event.seating[1] }) : formatStage(clock);
  $("left").textContent = formatDuration(secondsLeft(clock));
  $("stakes").textContent = formatStakes(clock.stakes);
  $("players").textContent = t("{left} of {all} players, {tables} tables", { left: event.players, all: event.entrants, tables: event.tables });
}

function draw() {
  const event = boardByKey.get("event"), clock = boardByKey.get("clock");
  if (!event || !clock) return;
  $("head").hidden = false;
  $("closed").textContent = event.closed ? t("Closed by {name}, {time}.", { name: event.closed[0], time: new Date(1000 * event.closed[1]).toLocaleString() }) : "";
  $("entries").hidden = !isFloor || event.over || Boolean(event.closed);
  $("samples").hidden = !tournamentList.samples || event.started;
  $("opening").hidden = !isFloor || !(event.over || event.closed);
  const people = deskByKey.get("people") || { registered: [], alternates: [] };
  $("registered").textContent = people.registered.length && !event.started ? t("Entered: {names}", { names: people.registered.join(", ") }) : "";
  $("waiting").textContent = people.alternates.length ? t("Alternates: {names}", { names: people.alternates.join(", ") }) : "";
  drawClock(); drawActions(event, clock); drawSeats(event); drawPlaces(event); drawBounties(event); drawAccount(event);
  drawProposals(); drawInstructions(); drawClocks(); drawSeating(); drawRound();
}

$("register").addEventListener("submit", async (event) => {
  event.preventDefault();
  const player = $("name").value.trim(), state = boardByKey.get("event");
  const full = state.alternates > 0 || state.players >= state.capacity;
  await sendLine({ do: state.started && !full ? "late-entry" : "register", player });
  if (!$("said").textContent) $("name").value = "";
  $("name").focus();
});

$("withdraw").addEventListener("click", async () => {
  if (!$("register").reportValidity()) return;
  await sendLine({ do: "withdraw", player: $("name").value.trim() });
  if (!$("said").textContent) $("name").value = "";
  $("name").focus();
});

/* Sample players have numbers for names, and go on after the last. */
$("samples").addEventListener("submit", async (event) => {
  event.preventDefault();
  const state = boardByKey.get("event"), entered = state.players + state.alternates, button = event.target.querySelector("button");
  button.disabled = true;
  for (let number = 1; number <= +$("many").value; number += 1) await sendLine({ do: "register", player: `Player ${entered + number}` });
  button.disabled = false;
});

$("open").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = Object.fromEntries(new FormData(event.target));
  const parseWhole = (value) => Number.parseInt(value, 10) || 0;
  const tables = form.tables.split(/[\s,]+/).filter(Boolean).map((one) => ({ name: one, places: parseWhole(form.places) }));
  const numbers = Object.fromEntries(["buy_in", "stack", "capacity", "late_levels", "bounty", "fee", "rebuy_fee", "add_on_fee"].map((one) => [one, parseWhole(form[one])]));
  const parts = Object.fromEntries(["staff", "carried", "carried_in"].filter((one) => form[one] !== "").map((one) => [one, Number(form[one])]));
  const answer = await post("/events/open", { title: form.title, rulebook: form.rulebook, schedule: form.schedule, tables, by_tables: "by_tables" in form, payouts: form.payouts, ...numbers, ...parts });
  if (answer.status === 401) goToSignIn();
  else if (answer.ok) location.assign(`/events?event=${(await answer.json()).event}`);
  else { $("head").hidden = false; $("said").textContent = describeRefusal(await answer.json().catch(() => null)); }
});

const tournamentList = await fetchTournament();
tournamentId = tournamentList.event;
for (const [place, names] of [["rulebook", tournamentList.rulebooks], ["schedule", tournamentList.schedules]]) {
  document.querySelector(`[name=${place}]`).replaceChildren(...names.map((one) => new Option(one, one)));
}
document.querySelector("[name=payouts]").append(...tournamentList.payouts.map((one) => new Option(one, one)));
for (const [place, value] of Object.entries(tournamentList.proposed || {})) document.querySelector(`[name=${place}]`).value = value;
const otherTournaments = tournamentList.events.filter((one) => one.event !== tournamentId).map((one) => [one.event, one.closed ? t("{title}, closed", one) : one.title]);
if (tournamentId !== null) otherTournaments.push(["new", t("New tournament")]);
$("others").replaceChildren(...otherTournaments.map(([event, text]) => {
  const link = makeElement("a", "key", text);
  link.href = `/events?event=${event}`;
  return link;
}));
let isFollowingDesk = false;
showMenu((who) => {
  isFloor = (who.roles || []).includes("floor");
  $("opening").hidden = !isFloor || tournamentId !== null;
  if (isFloor && tournamentId && !isFollowingDesk) {
    isFollowingDesk = true;
    followFeed(`/events/${tournamentId}/desk`, (all) => { deskByKey = all; draw(); });
  }
  draw();
});
if (tournamentId) followFeed(`/events/${tournamentId}/told`, (all, changed) => { boardByKey = all; if (changed.has("time")) setServerTime(all.get("time")); draw(); });
setInterval(drawClock, 500);
