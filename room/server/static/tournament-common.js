/* What the desk and the board of a tournament say alike: times, stakes, money, seats. */
import { t } from "/static/language.js";

let ahead = 0;   /* seconds that this screen's clock is ahead of the server's */
export const setTime = (time) => { if (time) ahead = Date.now() / 1000 - time.now; };
export const now = () => Date.now() / 1000 - ahead;

export function length(seconds) {
  const s = Math.max(0, Math.ceil(seconds)), h = Math.floor(s / 3600);
  const rest = `${String(Math.floor(s / 60) % 60).padStart(h ? 2 : 1, "0")}:${String(s % 60).padStart(2, "0")}`;
  return h ? `${h}:${rest}` : rest;
}
export const leftOf = (clock) => (clock.running ? clock.ends - now() : clock.left ?? 0);
export const toBreak = (clock) => (clock.break_at ? clock.break_at - now() : clock.to_break);
export const number = (value) => value.toLocaleString("en").replaceAll(",", "\u202f");
export const money = (cents) => number(cents / 100);
export const stakes = (found) => (found ? `${number(found[0])} / ${number(found[1])}${found[2] ? ` (${number(found[2])})` : ""}` : "");
export const seat = ([table, chair]) => t("{table}, seat {seat}", { table, seat: chair });
export const tablesOf = (keys) => [...keys].filter(([key]) => key.startsWith("table:")).map(([key, value]) => [key.slice(6), value])
  .sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }));

export function stage(clock) {
  if (clock.stage === "break") return t("Break");
  if (clock.stage === "waiting") return t("Not started");
  if (clock.stage === "over") return t("Last level");
  return t("Level {level}", { level: clock.level });
}

/* The event that the address names, none for a new one; or the newest that is open, or the newest. */
export async function chosen() {
  const found = await (await fetch("/events/list")).json();
  const wanted = new URLSearchParams(location.search).get("event");
  const event = wanted === "new" ? null : found.events.find((one) => one.event === wanted) || found.events.findLast((one) => !one.closed) || found.events.at(-1);
  return { ...found, event: event ? event.event : null };
}
