/* The board on the wall: clock, prizes, the moves of the last minutes, and who sits where, a screenful at a time. */
import { t } from "/static/language.js";
import { makeElement } from "/room/menu.js";
import { followFeed } from "/room/feed.js";
import { fetchTournament, formatDuration, formatMoney, formatNumber, formatSeat, formatStage, formatStakes, listTables, secondsLeft, secondsToBreak, serverNow, setServerTime } from "/room/tournament-common.js";

const $ = (id) => document.getElementById(id);
const PAGE_DURATION_S = 6, TABLES_PER_PAGE = 2, MOVES_PER_PAGE = 5, MOVE_DISPLAY_S = 240, MAX_SHOWN_PRIZES = 9;

let valueByKey = new Map();
/* Which of a long list is on the screen now: each part for six seconds. */
const currentPage = (items, pageSize) => {
  const first = Math.floor(Date.now() / 1000 / PAGE_DURATION_S) % Math.max(1, Math.ceil(items.length / pageSize)) * pageSize;
  return items.slice(first, first + pageSize);
};
const setText = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

function drawClock() {
  const clock = valueByKey.get("clock"), event = valueByKey.get("event");
  if (!clock || !event) return;
  setText("title", event.title);
  setText("stage", event.seating ? t("Players are being seated") : formatStage(clock) + (clock.running || clock.stage === "waiting" || event.hand_for_hand ? "" : ` – ${t("the clock stands still")}`));
  setText("left", formatDuration(secondsLeft(clock)));
  setText("stakes", formatStakes(clock.stakes));
  setText("then", clock.then ? t("then {stakes}", { stakes: formatStakes(clock.then) }) : "");
  const rest = secondsToBreak(clock);
  setText("break", rest == null ? "" : t("break in {time}", { time: formatDuration(rest) }));
  $("hold").hidden = !event.hand_for_hand;
  setText("hold", event.hand_for_hand ? t("Hand for hand: hand {n}", { n: event.hand_for_hand }) : "");
  const fresh = (valueByKey.get("moves") || { moves: [] }).moves.filter((move) => move.open || serverNow() - move.at < MOVE_DISPLAY_S);
  const moves = currentPage(fresh.reverse(), MOVES_PER_PAGE);
  const drawnJson = JSON.stringify(moves);
  if ($("moves").dataset.drawn !== drawnJson) {
    $("moves").dataset.drawn = drawnJson;
    $("moves").replaceChildren(...moves.map((move) => {
      const row = makeElement("li", move.open ? "open" : "");
      row.append(makeElement("b", "", move.player), makeElement("span", "", move.from ? `${formatSeat(move.from)} → ${formatSeat(move.to)}` : `→ ${formatSeat(move.to)}`));
      return row;
    }));
  }
}

function drawFacts() {
  const event = valueByKey.get("event");
  if (!event) return;
  setText("players", t("{left} of {all} players, {tables} tables", { left: event.players, all: event.entrants, tables: event.tables }));
  setText("average", t("average {chips}", { chips: formatNumber(event.average) }));
  const won = new Map(event.places.filter((one) => one.prize).map((one) => [one.place, one.player]));
  const first = Math.max(0, Math.min(event.prizes.length - MAX_SHOWN_PRIZES, event.players - MAX_SHOWN_PRIZES + 2));
  const shownPrizes = event.players > event.prizes.length ? event.prizes.slice(0, MAX_SHOWN_PRIZES) : event.prizes.slice(first, first + MAX_SHOWN_PRIZES);
  const from = event.players > event.prizes.length ? 0 : first;
  $("prizes").replaceChildren(...shownPrizes.map((prize, index) => {
    const row = makeElement("li");
    row.append(makeElement("span", "place", `${from + index + 1}.`), makeElement("span", "who", won.get(from + index + 1) || ""), makeElement("b", "", formatMoney(prize)));
    return row;
  }));
}

function drawSeats() {
  const here = currentPage(listTables(valueByKey), TABLES_PER_PAGE), drawnJson = JSON.stringify(here);
  if ($("seats").dataset.drawn === drawnJson) return;
  $("seats").dataset.drawn = drawnJson;
  $("seats").replaceChildren(...here.map(([name, table]) => {
    const card = makeElement("div", "card");
    card.append(makeElement("h2", "", name));
    const list = makeElement("ul");
    for (const [chair, player] of Object.entries(table.seats)) {
      const row = makeElement("li");
      row.append(makeElement("span", "place", chair), makeElement("span", "who", player));
      list.append(row);
    }
    card.append(list);
    return card;
  }));
}

const { event: tournamentId } = await fetchTournament();
if (tournamentId) {
  followFeed(`/events/${tournamentId}/told`, (all, changed) => {
    valueByKey = all;
    if (changed.has("time")) setServerTime(all.get("time"));
    drawFacts(); drawSeats(); drawClock();
  });
  setInterval(() => { drawClock(); drawSeats(); }, 250);
} else {
  setText("title", t("No tournament has been opened."));
}
