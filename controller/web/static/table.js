/* Draws what the controller publishes: the same table for the dealer and for spectators. Every publication is whole. */

import { isOverflowing, makeElement, showFitting } from "./elements.js";
import { keepHeaderFitting } from "./header-fit.js";
import { formatLabel } from "./labels.js";
import { formatGameName, t, translatePlural } from "./language.js";
import { describeAwards, findTabledHand, isWinner, listPlayingCards, makeOpenCards, markPlayingCard } from "./showdown.js";

export { formatLabel, isOverflowing, makeElement, showFitting };

export const $ = (id) => document.getElementById(id);
const SYMBOL_BY_SUIT = { s: "♠", h: "♥", d: "♦", c: "♣" };
const TEXT_BY_RANK = { T: "10" };
const LAMP_LABELS = [
  ["attention", t("! LOOK")], ["act", t("▶ ACTS")], ["deal", t("▼ CARD")], ["button", "D"], ["small_blind", t("SB")], ["middle_blind", t("MB")],
  ["big_blind", t("BB")],
  ["winner_button", t("WIN")], ["kill", t("KILL")], ["choice", t("CHOICE")],
];
export const formatSeat = (seat) => t("seat {seat}", { seat });
export const formatSeatTitle = (seat) => t("Seat {seat}", { seat });
/* Something that may be about a seat. */
export const appendSeat = (what, seat) => (seat === undefined ? what : t("{what}, seat {seat}", { what, seat }));

export const capitalize = (text) => text.replace(/^./, (c) => c.toUpperCase());

/* Level and next break of a tournament; the minutes that are left, begun ones counted. */
function formatTournament(timer) {
  if (!timer) return "";
  const formatBlinds = (stakes) => {
    const [blinds, big, ante] = [stakes.slice(0, -2).join("/"), ...stakes.slice(-2)];
    return ante ? t("{small}/{big} ante {ante}", { small: blinds, big, ante }) : `${blinds}/${big}`;
  };
  const formatMinutes = (seconds) => t("{n} min", { n: Math.ceil(seconds / 60) });
  const nextLevelText = timer.then ? `, ${t("then {what}", { what: formatBlinds(timer.then) })}` : "";
  const stoppedText = timer.running ? "" : ` ${t("(timer stands still)")}`;
  if (timer.stage === "break") return ` · ${t("break, {left}", { left: formatMinutes(timer.left) })}${nextLevelText}${stoppedText}`;
  const level = ` · ${t("level {n}: {blinds}", { n: timer.level, blinds: formatBlinds(timer.stakes) })}`;
  if (timer.stage === "over") return level;
  const breakText = timer.to_break === null ? "" : `, ${t("break in {left}", { left: formatMinutes(timer.to_break) })}`;
  return `${level}, ${formatMinutes(timer.left)}${nextLevelText}${breakText}${stoppedText}`;
}

function formatAmounts(step, wager) {
  if (step.step !== "act") return "";
  const parts = [];
  if (step.to_call && (step.options.includes("call") || step.options.includes("fold"))) parts.push(t("{chips} to call", { chips: step.to_call }));
  const textByAction = { raise: t("raise to"), bet: t("bet"), complete: t("complete to") };
  const word = textByAction[Object.keys(textByAction).find((each) => step.options.includes(each))] || t("all-in");
  const range = wager && !wager.any ? t("{least} or {most}", { least: step.min_to, most: step.max_to }) : `${step.min_to} – ${step.max_to}`;
  if (step.min_to !== undefined) parts.push(`${word} ${step.min_to === step.max_to ? step.min_to : range}`);
  return parts.join(" · ");
}

/* The fault `in-service` is the technician's work, for which the table is out of service. */
export const formatFault = (code) => (code === "in-service" ? t("out of service") : formatLabel(code));

/* Where a notice comes from, or who brought it about, and whose seat it is about where its text does not say. */
export function formatNoticeSource(notice) {
  const seat = notice.seat && !/\d/.test(notice.text) ? formatSeatTitle(notice.seat) : "";
  return [notice.device, seat].filter(Boolean).join(", ");
}

/* Who brought a fault about, in brackets; nothing where people did not. */
export function formatPeople(people) {
  if (!people || !people.length) return "";
  const names = people.map(([name, role]) => (name ? `${name}, ${formatLabel(role)}` : t("nobody signed in")));
  return ` (${names.join("; ")})`;
}

/* The large line and what follows it: as large as there is room for, and of what follows as much as there is room for.
   `whole` says all of it, and stands there alone where it can be read. */
export function showNext(large, thens, whole = "") {
  if (whole && whole !== large && showWhole(whole)) return;
  const next = $("next"), thenElement = $("then"), due = $("due");
  if (next.textContent !== large) next.textContent = large;
  thenElement.textContent = "";
  const isCut = () => next.scrollWidth > next.clientWidth + 1 || thenElement.scrollWidth > thenElement.clientWidth + 1 || next.offsetHeight + thenElement.offsetHeight > due.clientHeight;
  showFitting(["", "long", "longer", "longest", "least", "tiny"], (size) => { next.className = size; }, isCut);
  showFitting([...thens, ""], (text) => { thenElement.textContent = text; }, isCut);
}

function showWhole(whole) {
  const next = $("next"), due = $("due");
  if (next.textContent !== whole) next.textContent = whole;
  $("then").textContent = "";
  const isCut = () => next.scrollWidth > next.clientWidth + 1 || next.scrollHeight > due.clientHeight;
  showFitting(["", "long", "longer", "longest"], (size) => { next.className = size; }, isCut);
  return !isCut();
}

export function drawNext(table, devices, faults = [], follow = "acts", showdown = null, wagers = {}) {
  const steps = table.next;
  const footer = document.querySelector("footer");
  let large = table.phase === "idle" ? t("Shuffle, then start") : t("Wait");
  let thens = [];
  if (steps.length) {
    large = steps[0].text;
    const rest = steps.slice(1).map((step) => step.short);
    const first = (n) => t("then {what}", { what: rest.slice(0, n).join(", ") }) + (rest.length > n ? ` … ${t("({n} more)", { n: rest.length - n })}` : "");
    const amounts = formatAmounts(steps[0], wagers[steps[0].seat]);
    thens = amounts ? [amounts] : [7, 6, 5, 4, 3, 2, 1].filter((n) => n <= Math.max(rest.length, 1) && rest.length).map(first);
  }
  if (steps.length && steps[0].step === "show" && follow === "rounds") {
    large = t("Showdown");
    thens = [t("seats {seats}", { seats: steps.filter((step) => step.step === "show").map((step) => step.seat).join(", ") })];
  }
  let whole = "";
  if (steps.length && steps.every((step) => step.step === "award")) whole = describeAwards(showdown);
  else if (!steps.length && showdown && table.phase === "idle") thens = [describeAwards(showdown)];
  const kind = { remedy: "remedy", floor: "alarm", halted: "alarm" }[table.phase] || "";
  if (table.phase === "halted") {
    const lost = devices.filter((device) => device.state === "lost").map((device) => `${device.name}: ${device.why}`);
    const texts = faults.map((fault) => fault.text), resumeText = t("when all is well: {large}", { large });
    thens = [[...texts, ...lost, resumeText], [...texts, resumeText], texts, texts.slice(0, 1)].map((parts) => parts.join(" · "));
    whole = "";
    large = t("Stop: {faults}", { faults: faults.map((fault) => formatFault(fault.code)).join(", ") });
  }
  footer.dataset.kind = kind;
  footer.dataset.halted = String(table.phase === "halted");
  showNext(large, thens, whole);
  document.title = t("{large} – hand {hand}", { large, hand: table.hand });
}

export function makeCard(name) {
  if (name === null) {
    const box = makeElement("div", "card unread");
    box.append(makeElement("b", "", "?"));
    box.title = t("not read");
    return box;
  }
  if (name === "joker") return makeElement("div", "card", "★");
  const box = makeElement("div", "hd".includes(name[1]) ? "card red" : "card");
  box.append(makeElement("span", "", TEXT_BY_RANK[name[0]] || name[0]), makeElement("span", "", SYMBOL_BY_SUIT[name[1]]));
  return box;
}

/* A bet in five signs where that is exact: 12500 is 12.5k. */
const abbreviateChips = (chips) => (chips >= 10000 && chips % 100 === 0 ? `${chips / 1000}k` : `${chips}`);

/* Where seats stand, clockwise from the dealer's left hand: two columns at the sides and two rows between them, so that none lies on
   another and none on what is in the middle. */
const LEFT = 11.4, TOP = 13, BOTTOM = 83, NEAR = [34.5, BOTTOM], FAR = [34.5, TOP];
const mirrorSpots = (spots) => spots.map(([x, y]) => [100 - x, y]).reverse();
const placeAround = (left, isOneOpposite) => [...left, ...(isOneOpposite ? [[50, TOP]] : []), ...mirrorSpots(left)];
const SPOTS_BY_PLACES = [
  [], placeAround([], true), placeAround([[LEFT, 48]]), placeAround([[LEFT, 48]], true), placeAround([NEAR, [LEFT, 34]]), placeAround([NEAR, [LEFT, 40]], true),
  placeAround([NEAR, [LEFT, 48], FAR]), placeAround([NEAR, [LEFT, 69], [LEFT, 27]], true), placeAround([NEAR, [LEFT, 69], [LEFT, 27], FAR]),
  placeAround([NEAR, [LEFT, 82], [LEFT, 49], [LEFT, 16]], true), placeAround([NEAR, [LEFT, 82], [LEFT, 49], [LEFT, 16], FAR]),
];

/* More than ten stand around an oval. */
function computeSpot(index, count) {
  if (count < SPOTS_BY_PLACES.length) return SPOTS_BY_PLACES[count][index];
  const angle = ((122 + (index * 296) / (count - 1)) * Math.PI) / 180;
  return [50 + 38 * Math.cos(angle), 47 + 37 * Math.sin(angle)];
}

/* A bare number is read with what it counts. */
function labelImage(element, label) {
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", label);
}

/* The cards that a seat holds, face down. */
function makeBacks(count) {
  const backs = makeElement("span", "backs", count > 5 ? `▮×${count}` : "▮".repeat(count));
  backs.setAttribute("role", "img");
  backs.setAttribute("aria-label", translatePlural("1 card", "{n} cards", count));
  return backs;
}

/* `touchable` makes each seat a key. */
function drawSeats(state, touchable) {
  const table = state.table, seats = $("seats"), count = state.setup.places;
  const isDealt = Object.keys(table.piles.seats).length > 0, isDueCards = (seat) => table.next.some((step) => step.step === "deal" && step.seat === seat);
  const focused = document.activeElement && document.activeElement.dataset.seat;
  const isDue = table.phase !== "halted";
  const tiles = [];
  for (let seat = 1; seat <= count; seat += 1) {
    const player = state.players[seat];
    const litLamps = LAMP_LABELS.filter(([role]) => table.lamps[role]?.includes(seat) && (isDue || !["act", "deal"].includes(role)));
    const classes = ["seat", ...litLamps.map(([role]) => role)];
    if (!player) classes.push("empty");
    else if (player.away || player.waits || (isDealt && !table.piles.seats[seat] && !isDueCards(seat))) classes.push("out");
    if (isWinner(state.showdown, seat)) classes.push("wins");
    const tile = makeElement(touchable ? "button" : "div", classes.join(" "));
    if (touchable) { tile.type = "button"; tile.dataset.seat = seat; }
    const [x, y] = computeSpot(seat - 1, count);
    tile.style.left = `${"mirrored" in document.body.dataset ? 100 - x : x}%`;
    tile.style.top = `${y}%`;
    const line = makeElement("span", "who");
    const heldCount = table.piles.seats[seat] || 0;
    const tabledCards = findTabledHand(state.showdown, seat);
    const bet = (player && table.bets && table.bets[seat]) || 0, upCards = tabledCards || (table.up && table.up[seat]) || [];
    const name = !player ? t("empty") : player.player === `seat ${seat}` ? "" : player.player;
    const stack = player && table.stacks ? table.stacks[seat] : null;
    const isAllIn = stack === 0 && heldCount > 0;
    const has = isAllIn ? t("ALL-IN") : stack === undefined || stack === null ? "" : `${stack}`;
    const numberElement = makeElement("span", "number", seat);
    labelImage(numberElement, formatSeatTitle(seat));
    line.append(numberElement, makeElement("span", "name", name));
    tile.append(line);
    if (player) {
      const chips = makeElement("span", "chips");
      const standing = player.misses ? t("penalty {n}", { n: player.misses }) : [player.away ? t("away") : player.waits ? t("waits") : "", has].filter(Boolean).join(" · ");
      if (bet) {
        const betElement = makeElement("b", abbreviateChips(bet).length > 5 ? "many" : "", abbreviateChips(bet));
        labelImage(betElement, t("bet {chips}", { chips: bet }));
        const stackElement = makeElement("span", "stack", isAllIn ? "" : standing);
        if (stack) labelImage(stackElement, standing.replace(new RegExp(`${stack}$`), t("{chips} chips", { chips: stack })));
        chips.append(betElement, stackElement);
      } else {
        chips.textContent = standing;
        if (stack) labelImage(chips, standing.replace(new RegExp(`${stack}$`), t("{chips} chips", { chips: stack })));
      }
      tile.append(chips);
      if (upCards.length) tile.append(makeOpenCards(upCards, listPlayingCards(state.showdown, seat), Boolean(tabledCards)));
    }
    const lamps = makeElement("span", "lamps");
    if (heldCount && !tabledCards) lamps.append(makeBacks(heldCount));
    for (const [role, text] of litLamps) lamps.append(makeElement("span", `lamp ${role}`, text));
    if (isAllIn && bet) lamps.append(makeElement("span", "lamp", t("ALL-IN")));
    if (player || litLamps.length) tile.append(lamps);
    tiles.push(tile);
  }
  seats.replaceChildren(...tiles);
  /* Beside a bet stands the stack, where there is room for it. */
  const crowded = tiles.map((tile) => tile.querySelector(".chips:has(b)")).filter((chips) => chips && chips.scrollWidth > chips.clientWidth);
  for (const chips of crowded) chips.querySelector(".stack").remove();
  /* Many lamps leave no room for the cards. */
  const overfull = tiles.map((tile) => tile.querySelector(".lamps")).filter((lamps) => lamps && lamps.scrollWidth > lamps.clientWidth);
  for (const lamps of overfull) {
    lamps.querySelector(".backs")?.remove();
    lamps.classList.toggle("close", lamps.scrollWidth > lamps.clientWidth);
  }
  if (focused) seats.querySelector(`[data-seat="${focused}"]`)?.focus();
}

/* What of the rounds that are over is the house's: it lies on the drop slide as play progresses (AU 8.2). What no pot
   gives after all (AU 8.6, 8.8) goes back before the pot is pushed. */
function makeSlide(due, step) {
  const taken = { award: 0, collect: step.amount }[step.step] ?? due;
  const slide = makeElement("div", "", taken < due ? t("Back to the pot: {chips}", { chips: due - taken }) : t("Drop slide {chips}", { chips: due }));
  slide.id = "slide";
  return slide;
}

/* Where the rest is dealt more than once, each board by itself, with its number. */
function makeBoardRow(cards, number) {
  const row = makeElement("div", "row");
  row.append(makeElement("span", "which", t("Board {n}", { n: number })), ...cards);
  return row;
}

function drawBoards(table, showdown) {
  const boards = table.boards || [], due = table.next.filter((step) => step.step === "board").reduce((sum, step) => sum + step.n, 0);
  const playing = listPlayingCards(showdown), makeBoardCard = (name) => markPlayingCard(makeCard(name), name, playing);
  const isOne = boards.length < 2;
  const cards = isOne ? table.board.map(makeBoardCard) : boards.map((board, i) => makeBoardRow(board.map(makeBoardCard), i + 1));
  for (let i = 0; isOne && i < due && cards.length < 5; i += 1) cards.push(makeElement("div", "card space"));
  $("board").replaceChildren(...cards);
  $("board").className = isOne ? "" : "rows";
}

/* All pots as large as there is room for; of many side pots the last together. */
function drawPots(table) {
  const place = $("pots"), amounts = (table.pots || []).map((pot) => pot.amount);
  const bets = Object.values(table.bets || {}).reduce((sum, bet) => sum + bet, 0);
  const texts = amounts.map((chips, n) => (n ? t("Side pot {n}: {chips}", { n, chips }) : t("Pot {chips}", { chips })));
  if (!amounts.length && bets) texts.push(t("Bets {chips}", { chips: bets }));
  const showPots = ([look, shown]) => {
    const rest = amounts.slice(shown), sum = rest.reduce((total, chips) => total + chips, 0);
    const parts = [...texts.slice(0, shown), ...(rest.length ? [t("{n} more pots: {chips}", { n: rest.length, chips: sum })] : [])];
    place.className = look;
    place.replaceChildren(...parts.map((text) => makeElement("div", "", text)));
    if (table.collection) place.append(makeSlide(table.collection.due, table.next[0]));
  };
  const fewer = [...texts.keys()].slice(0, -1).map((n) => ["several", texts.length - n]);
  showFitting([["", texts.length], ...fewer, ["several", Math.min(texts.length, 1)]], showPots, () => isOverflowing($("felt")) || place.scrollWidth > place.clientWidth + 1);
}

function drawMiddle({ table, showdown }) {
  drawBoards(table, showdown);
  const piles = table.piles, counts = [[t("stub"), piles.stub], [t("burn"), piles.burn], [t("muck"), piles.muck]];
  if (piles.aside) counts.push([t("aside"), piles.aside]);
  $("piles").replaceChildren(...counts.flatMap(([name, n], i) => [i ? " · " : "", `${name} `, makeElement("b", "", n)]));
  /* How many cards lie where is the first to go. */
  $("piles").hidden = true;
  drawPots(table);
  $("piles").hidden = false;
  $("piles").hidden = isOverflowing($("felt"));
}

/* Draw the middle anew where what stands beside or below the table has taken room from it since. */
export function refitMiddle(state) { if (isOverflowing($("felt"))) drawMiddle(state); }

export function drawHeader(state) {
  const table = state.table;
  $("mode").textContent = formatLabel(state.mode);
  $("mode").dataset.mode = state.mode;
  $("phase").textContent = formatLabel(table.phase);
  $("phase").dataset.phase = table.phase;
  $("hand").textContent = (table.hand ? t("Hand {n}", { n: table.hand }) : t("No hand yet")) + formatTournament(table.timer);
  $("street").textContent = table.street ? formatLabel(table.street) : "";
  drawBroadcast(state.broadcast);
  $("gate").hidden = state.setup.gate === false;
  drawGate(table.gate === "open" ? t("◇ gate open") : t("▣ gate locked"));
  $("gate").dataset.gate = table.gate;
  const lost = state.devices.filter((device) => device.state === "lost");
  $("devices").textContent = lost.length ? `✖ ${lost.map((device) => device.name).join(", ")}` : t("✔ devices");
  $("devices").className = lost.length ? "lost" : "";
  $("devices").title = state.devices.map((device) => `${device.name}: ${formatLabel(device.state)}${device.why ? ` (${device.why})` : ""}`).join("\n");
  const game = formatGameName(table.game || state.setup.game), rotation = formatRotation(table), { rulebook } = state.setup;
  const bookElement = makeElement("span", "rulebook", ` · ${rulebook}`);
  $("game").replaceChildren(game, makeElement("span", "rotation", rotation), bookElement);
  $("game").title = `${game}${rotation} · ${rulebook}`;
  keepHeaderFitting();
}

/* The mark says how the gate stands where there is no room for the words. */
function drawGate(text) {
  const [mark, ...words] = text.split(" ");
  $("gate").replaceChildren(mark, makeElement("span", "words", ` ${words.join(" ")}`));
  $("gate").title = text;
}

/* Whoever sits at the table is told that their cards will be seen, and when. */
function drawBroadcast(broadcast) {
  let flag = $("broadcast");
  if (!broadcast && !flag) return;
  if (!flag) {
    flag = makeElement("span", "flag");
    flag.id = "broadcast";
    $("street").after(flag);
  }
  const long = broadcast && (broadcast.delay === null ? t("Hole cards are broadcast after the hand.") : t("Hole cards are broadcast {n} seconds later.", { n: broadcast.delay }));
  flag.textContent = broadcast ? (broadcast.delay === null ? t("● on air") : t("● on air +{n} s", { n: broadcast.delay })) : "";
  flag.title = long || "";
}

/* The game; in a rotation how many hands of it are still to begin, and what comes then. */
function formatRotation(table) {
  const { left, then: nextGame } = table.rotation || {};
  const more = [left === undefined ? "" : translatePlural("1 hand left", "{n} hands left", left), nextGame ? t("then {what}", { what: formatGameName(nextGame) }) : ""].filter(Boolean);
  return more.length ? ` (${more.join(", ")})` : "";
}

/* Whether the steps of a ruling of this hand are still carried out. */
export const isRulingUnderWay = ({ remedy, ruled_in: ruledIn, table }) => ruledIn === table.hand && !remedy.taken_back && remedy.steps.some((step) => !step.done);

export function drawTable(state, touchable) {
  drawHeader(state);
  drawSeats(state, touchable);
  drawMiddle(state);
  drawNext(state.table, state.devices, state.faults, state.setup.follow, state.showdown, state.wagers);
}

/* The steps of a ruling; with `count` those that are done are counted, and so many of the others are shown. Of a ruling that was
   taken back nothing is to do. */
export function makeStepList(steps, count = null, isTakenBack = false) {
  const list = makeElement("ol", isTakenBack ? "steps taken-back" : "steps");
  if (isTakenBack) {
    list.append(...steps.map((step) => {
      const item = makeElement("li", "", step.text);
      item.setAttribute("aria-label", `${step.text}: ${t("taken back")}`);
      return item;
    }));
    return list;
  }
  const due = steps.filter((step) => !step.done), done = steps.length - due.length;
  if (count !== null && done) list.append(makeElement("li", "done", `☑ ${t("{n} done", { n: done })}`));
  for (const step of count === null ? steps : due.slice(0, count)) {
    const item = makeElement("li", step.done ? "done" : "", `${step.done ? "☑" : "☐"} ${step.text}`);
    item.setAttribute("aria-label", `${step.text}: ${step.done ? t("done") : t("to do")}`);
    list.append(item);
  }
  if (count !== null && due.length > count) list.append(makeElement("li", "more", t("… and {n} more", { n: due.length - count })));
  return list;
}

/* A table that cannot start has a page of its own at every address, which comes back here when it can. */
async function showStartTrouble() {
  const answer = await fetch("/state").catch(() => null);
  if (answer?.status === 503 && answer.headers.has("Retry-After")) location.reload();
}

/* Calls `draw` with every publication, for ever; the page says so while there is no connection. */
export function connect(draw) {
  const source = new EventSource("/events");
  source.onopen = () => { document.body.dataset.link = "up"; };
  source.onmessage = (event) => { document.body.dataset.link = "up"; draw(JSON.parse(event.data)); };
  source.onerror = () => {
    document.body.dataset.link = "down";
    $("next").textContent = t("No connection");
    $("next").className = "";
    $("then").textContent = "";
    if (source.readyState === EventSource.CLOSED) setTimeout(() => { showStartTrouble(); connect(draw); }, 1000);
  };
}
