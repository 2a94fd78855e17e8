/* The board on the wall: clock, prizes, the moves of the last minutes, and who sits where, a screenful at a time. */
import { t } from "/static/language.js";
import { element } from "/room/menu.js";
import { follow } from "/room/feed.js";
import { chosen, leftOf, length, money, now, number, seat, setTime, stage, stakes, tablesOf, toBreak } from "/room/tournament-common.js";

const $ = (id) => document.getElementById(id);
const PAGE_SECONDS = 6, TABLES = 2, MOVES = 5, MOVE_SECONDS = 240, PRIZES = 9;

let keys = new Map();
/* Which of a long list is on the screen now: each part for six seconds. */
const part = (all, each) => {
  const first = Math.floor(Date.now() / 1000 / PAGE_SECONDS) % Math.max(1, Math.ceil(all.length / each)) * each;
  return all.slice(first, first + each);
};
const put = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

function tick() {
  const clock = keys.get("clock"), event = keys.get("event");
  if (!clock || !event) return;
  put("title", event.title);
  put("stage", stage(clock) + (clock.running || clock.stage === "waiting" || event.hand_for_hand ? "" : ` – ${t("the clock stands still")}`));
  put("left", length(leftOf(clock)));
  put("stakes", stakes(clock.stakes));
  put("then", clock.then ? t("then {stakes}", { stakes: stakes(clock.then) }) : "");
  const rest = toBreak(clock);
  put("break", rest == null ? "" : t("break in {time}", { time: length(rest) }));
  $("hold").hidden = !event.hand_for_hand;
  put("hold", event.hand_for_hand ? t("Hand for hand: hand {n}", { n: event.hand_for_hand }) : "");
  const fresh = (keys.get("moves") || { moves: [] }).moves.filter((move) => move.open || now() - move.at < MOVE_SECONDS);
  const moves = part(fresh.reverse(), MOVES);
  const drawn = JSON.stringify(moves);
  if ($("moves").dataset.drawn !== drawn) {
    $("moves").dataset.drawn = drawn;
    $("moves").replaceChildren(...moves.map((move) => {
      const row = element("li", move.open ? "open" : "");
      row.append(element("b", "", move.player), element("span", "", move.from ? `${seat(move.from)} → ${seat(move.to)}` : `→ ${seat(move.to)}`));
      return row;
    }));
  }
}

function facts() {
  const event = keys.get("event");
  if (!event) return;
  put("players", t("{left} of {all} players, {tables} tables", { left: event.players, all: event.entrants, tables: event.tables }));
  put("average", t("average {chips}", { chips: number(event.average) }));
  const won = new Map(event.places.filter((one) => one.prize).map((one) => [one.place, one.player]));
  const first = Math.max(0, Math.min(event.prizes.length - PRIZES, event.players - PRIZES + 2));
  const shown = event.players > event.prizes.length ? event.prizes.slice(0, PRIZES) : event.prizes.slice(first, first + PRIZES);
  const from = event.players > event.prizes.length ? 0 : first;
  $("prizes").replaceChildren(...shown.map((prize, index) => {
    const row = element("li");
    row.append(element("span", "place", `${from + index + 1}.`), element("span", "who", won.get(from + index + 1) || ""), element("b", "", money(prize)));
    return row;
  }));
}

function seats() {
  const here = part(tablesOf(keys), TABLES), drawn = JSON.stringify(here);
  if ($("seats").dataset.drawn === drawn) return;
  $("seats").dataset.drawn = drawn;
  $("seats").replaceChildren(...here.map(([name, table]) => {
    const card = element("div", "card");
    card.append(element("h2", "", name));
    const list = element("ul");
    for (const [chair, player] of Object.entries(table.seats)) {
      const row = element("li");
      row.append(element("span", "place", chair), element("span", "who", player));
      list.append(row);
    }
    card.append(list);
    return card;
  }));
}

const { event } = await chosen();
if (event) {
  follow(`/events/${event}/told`, (all, changed) => {
    keys = all;
    if (changed.has("time")) setTime(all.get("time"));
    facts(); seats(); tick();
  });
  setInterval(() => { tick(); seats(); }, 250);
} else {
  put("title", t("No tournament has been opened."));
}
