/* Draws what the controller publishes: the same table for the dealer and for spectators. Every publication is whole. */

export const $ = (id) => document.getElementById(id);
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const RANKS = { T: "10" };
const LAMPS = [
  ["attention", "! LOOK"], ["act", "▶ ACTS"], ["deal", "▼ CARD"], ["button", "D"], ["small_blind", "SB"], ["big_blind", "BB"],
  ["winner_button", "WIN"], ["kill", "KILL"], ["choice", "CHOICE"],
];
export const plural = (n, one, many) => (n === 1 ? one : `${n} ${many}`);
export const words = (code) => String(code).replaceAll("-", " ").replaceAll("_", " ");
export const capital = (text) => text.replace(/^./, (c) => c.toUpperCase());

export function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/* Level and next break of a tournament; the minutes that are left, begun ones counted. */
function tournament(timer) {
  if (!timer) return "";
  const blinds = (stakes) => `${stakes[0]}/${stakes[1]}${stakes[2] ? ` ante ${stakes[2]}` : ""}`;
  const minutes = (seconds) => `${Math.ceil(seconds / 60)} min`;
  const then = timer.then ? `, then ${blinds(timer.then)}` : "";
  const still = timer.running ? "" : " (timer stands still)";
  if (timer.stage === "break") return ` · break, ${minutes(timer.left)}${then}${still}`;
  if (timer.stage === "over") return ` · level ${timer.level}: ${blinds(timer.stakes)}`;
  const rest = timer.to_break === null ? "" : `, break in ${minutes(timer.to_break)}`;
  return ` · level ${timer.level}: ${blinds(timer.stakes)}, ${minutes(timer.left)}${then}${rest}${still}`;
}

function amounts(step) {
  if (step.step !== "act") return "";
  const parts = [];
  if (step.to_call) parts.push(`${step.to_call} to call`);
  const word = ["raise to", "bet", "complete to"].find((w) => step.options.includes(w.split(" ")[0])) || "all-in";
  if (step.min_to !== undefined) parts.push(step.min_to === step.max_to ? `${word} ${step.min_to}` : `${word} ${step.min_to} – ${step.max_to}`);
  return parts.join(" · ");
}

/* The fault `in-service` is the technician's work, for which the table is out of service. */
export const faultName = (code) => (code === "in-service" ? "out of service" : words(code));

export function drawNext(table, devices, faults = [], follow = "acts") {
  const steps = table.next;
  const footer = document.querySelector("footer");
  let large = table.phase === "idle" ? "Shuffle, then start" : "Wait";
  let then = "";
  if (steps.length) {
    large = steps[0].text;
    const rest = steps.slice(1);
    const shown = rest.slice(0, 7).map((step) => step.short).join(", ") + (rest.length > 7 ? ` … (${rest.length - 7} more)` : "");
    then = amounts(steps[0]) || (rest.length ? `then ${shown}` : "");
  }
  if (steps.length && steps[0].step === "show" && follow === "rounds") {
    large = "Showdown";
    then = `seats ${steps.filter((step) => step.step === "show").map((step) => step.seat).join(", ")}`;
  }
  const kind = { remedy: "remedy", floor: "alarm", halted: "alarm" }[table.phase] || "";
  if (table.phase === "halted") {
    const lost = devices.filter((device) => device.state === "lost").map((device) => `${device.name}: ${device.why}`);
    then = [...faults.map((fault) => fault.text), ...lost, `when all is well: ${large}`].join("   ·   ");
    large = `Stop: ${faults.map((fault) => faultName(fault.code)).join(", ")}`;
  }
  footer.dataset.kind = kind;
  const next = $("next");
  if (next.textContent !== large) next.textContent = large;
  next.className = large.length > 44 ? "longest" : large.length > 30 ? "longer" : large.length > 20 ? "long" : "";
  $("then").textContent = then;
  document.title = `${large} – hand ${table.hand}`;
}

export function card(name) {
  if (name === null) {
    const made = element("div", "card unread");
    made.append(element("b", "", "?"));
    made.title = "not read";
    return made;
  }
  if (name === "joker") return element("div", "card", "★");
  const made = element("div", "hd".includes(name[1]) ? "card red" : "card");
  made.append(element("span", "", RANKS[name[0]] || name[0]), element("span", "", SUITS[name[1]]));
  return made;
}

/* Clockwise from the dealer's left hand, so that the page is the table as the dealer sees it. */
function spot(index, count) {
  const from = 122, to = 418;
  const angle = ((count === 1 ? 270 : from + (index * (to - from)) / (count - 1)) * Math.PI) / 180;
  return [50 + 39.5 * Math.cos(angle), 48 + 38 * Math.sin(angle)];
}

/* `touchable` makes each seat a key. */
function drawSeats(state, touchable) {
  const table = state.table, seats = $("seats"), count = state.setup.places;
  const dealt = Object.keys(table.piles.seats).length > 0 && !table.next.some((step) => step.step === "deal");
  const focused = document.activeElement && document.activeElement.dataset.seat;
  const isDue = table.phase !== "halted";
  const made = [];
  for (let seat = 1; seat <= count; seat += 1) {
    const who = state.players[seat];
    const lit = LAMPS.filter(([role]) => table.lamps[role].includes(seat) && (isDue || !["act", "deal"].includes(role)));
    const classes = ["seat", ...lit.map(([role]) => role)];
    if (!who) classes.push("empty");
    else if (who.away || who.waits || (dealt && !table.piles.seats[seat])) classes.push("out");
    const tile = element(touchable ? "button" : "div", classes.join(" "));
    if (touchable) { tile.type = "button"; tile.dataset.seat = seat; }
    const [x, y] = spot(seat - 1, count);
    tile.style.left = `${"mirrored" in document.body.dataset ? 100 - x : x}%`;
    tile.style.top = `${y}%`;
    const line = element("span", "who");
    const name = !who ? "empty" : who.player === `seat ${seat}` ? "" : who.player;
    const held = table.piles.seats[seat] || 0;
    line.append(element("span", "number", seat), element("span", "name", name));
    if (held) {
      const backs = element("span", "backs", held > 5 ? `▮×${held}` : "▮".repeat(held));
      backs.setAttribute("role", "img");
      backs.setAttribute("aria-label", plural(held, "1 card", "cards"));
      line.append(backs);
    }
    tile.append(line);
    if (who) {
      const chips = element("span", "chips");
      const stack = table.stacks && table.stacks[seat], bet = table.bets && table.bets[seat];
      const up = (table.up && table.up[seat]) || [];
      const parts = [];
      if (who.away) parts.push("away");
      else if (who.waits) parts.push("waits");
      if (stack === 0 && held) parts.push("ALL-IN");
      else if (stack !== undefined && stack !== null) parts.push(`${stack}`);
      chips.textContent = parts.join(" · ");
      if (bet) chips.append(" ", element("b", "", `bet ${bet}`));
      tile.append(chips);
      if (up.length) tile.append(element("span", "up", up.map((c) => (c ? (RANKS[c[0]] || c[0]) + SUITS[c[1]] : "?")).join(" ")));
    }
    const lamps = element("span", "lamps");
    for (const [role, text] of lit) lamps.append(element("span", `lamp ${role}`, text));
    if (who || lit.length) tile.append(lamps);
    made.push(tile);
  }
  seats.replaceChildren(...made);
  if (focused) seats.querySelector(`[data-seat="${focused}"]`)?.focus();
}

function drawMiddle(table) {
  const due = table.next.filter((step) => step.step === "board").reduce((sum, step) => sum + step.n, 0);
  const cards = table.board.map(card);
  for (const board of (table.boards || []).slice(1)) cards.push(element("span", "", "|"), ...board.map(card));
  for (let i = 0; i < due && cards.length < 5; i += 1) cards.push(element("div", "card space"));
  $("board").replaceChildren(...cards);
  const bets = Object.values(table.bets || {}).reduce((sum, bet) => sum + bet, 0);
  const pots = (table.pots || []).map((pot, i) => `${i === 0 ? "Pot" : `Side pot ${i}:`} ${pot.amount}`);
  $("pots").textContent = pots.join("  ·  ") || (bets ? `Bets ${bets}` : "");
  $("pots").className = pots.length > 1 ? "several" : "";
  const piles = table.piles;
  const counts = [["stub", piles.stub], ["burn", piles.burn], ["muck", piles.muck]];
  if (piles.aside) counts.push(["aside", piles.aside]);
  $("piles").replaceChildren(...counts.flatMap(([name, n], i) => [i ? " · " : "", `${name} `, element("b", "", n)]));
}

export function drawHeader(state) {
  const table = state.table;
  $("mode").textContent = state.mode;
  $("mode").dataset.mode = state.mode;
  $("phase").textContent = table.phase;
  $("phase").dataset.phase = table.phase;
  $("hand").textContent = (table.hand ? `Hand ${table.hand}` : "No hand yet") + tournament(table.timer);
  $("street").textContent = table.street ? words(table.street) : "";
  $("gate").hidden = state.setup.gate === false;
  $("gate").textContent = table.gate === "open" ? "◇ gate open" : "▣ gate locked";
  $("gate").dataset.gate = table.gate;
  const lost = state.devices.filter((device) => device.state === "lost");
  $("devices").textContent = lost.length ? `✖ ${lost.map((device) => device.name).join(", ")}` : "✔ devices";
  $("devices").className = lost.length ? "lost" : "";
  $("devices").title = state.devices.map((device) => `${device.name}: ${device.state}${device.why ? ` (${device.why})` : ""}`).join("\n");
  $("game").textContent = `${gameShown(state)} · ${state.setup.rulebook}`;
}

/* The game; in a rotation how many hands of it are still to begin, and what comes then. */
function gameShown({ table, setup }) {
  const { left, then } = table.rotation || {};
  const more = [left === undefined ? "" : `${plural(left, "1 hand", "hands")} left`, then ? `then ${then}` : ""].filter(Boolean);
  return `${table.game || setup.game}${more.length ? ` (${more.join(", ")})` : ""}`;
}

export function drawTable(state, touchable) {
  drawHeader(state);
  drawSeats(state, touchable);
  drawMiddle(state.table);
  drawNext(state.table, state.devices, state.faults, state.setup.follow);
}

export function ticked(steps) {
  const list = element("ol", "steps");
  for (const step of steps) {
    const item = element("li", step.done ? "done" : "", `${step.done ? "☑" : "☐"} ${step.text}`);
    item.setAttribute("aria-label", `${step.text}: ${step.done ? "done" : "to do"}`);
    list.append(item);
  }
  return list;
}

/* Calls `draw` with every publication, for ever; the page says so while there is no connection. */
export function connect(draw) {
  const source = new EventSource("/events");
  source.onopen = () => { document.body.dataset.link = "up"; };
  source.onmessage = (event) => { document.body.dataset.link = "up"; draw(JSON.parse(event.data)); };
  source.onerror = () => {
    document.body.dataset.link = "down";
    $("next").textContent = "No connection";
    $("next").className = "";
    $("then").textContent = "";
    if (source.readyState === EventSource.CLOSED) setTimeout(() => connect(draw), 1000);
  };
}
