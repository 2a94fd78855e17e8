/* What the desk and the board of a tournament say alike: times, stakes, money, seats. */
import { t } from "/static/language.js";

let clockOffsetS = 0;   /* seconds that this screen's clock is ahead of the server's */
export const setServerTime = (time) => { if (time) clockOffsetS = Date.now() / 1000 - time.now; };
export const serverNow = () => Date.now() / 1000 - clockOffsetS;

export function formatDuration(seconds) {
  const s = Math.max(0, Math.ceil(seconds)), h = Math.floor(s / 3600);
  const rest = `${String(Math.floor(s / 60) % 60).padStart(h ? 2 : 1, "0")}:${String(s % 60).padStart(2, "0")}`;
  return h ? `${h}:${rest}` : rest;
}
export const secondsLeft = (clock) => (clock.running ? clock.ends - serverNow() : clock.left ?? 0);
export const secondsToBreak = (clock) => (clock.break_at ? clock.break_at - serverNow() : clock.to_break);
export const formatNumber = (value) => value.toLocaleString("en").replaceAll(",", "\u202f");
export const formatMoney = (cents) => formatNumber(cents / 100);
/* The blinds from the button on, and last the ante. */
export const formatStakes = (stakes) =>
  stakes ? `${stakes.slice(0, -1).map(formatNumber).join(" / ")}${stakes.at(-1) ? ` (${formatNumber(stakes.at(-1))})` : ""}` : "";
export const formatSeat = ([table, chair]) => t("{table}, seat {seat}", { table, seat: chair });
export const listTables = (keys) => [...keys].filter(([key]) => key.startsWith("table:")).map(([key, value]) => [key.slice(6), value])
  .sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }));

export function formatStage(clock) {
  if (clock.stage === "break") return t("Break");
  if (clock.stage === "waiting") return t("Not started");
  if (clock.stage === "over") return t("Last level");
  return t("Level {level}", { level: clock.level });
}

/* The event that the address names, none for a new one; or the newest that is open, or the newest. */
export async function fetchTournament() {
  const content = await (await fetch("/events/list")).json();
  const wantedId = new URLSearchParams(location.search).get("event");
  const event = wantedId === "new" ? null : content.events.find((one) => one.event === wantedId) || content.events.findLast((one) => !one.closed) || content.events.at(-1);
  return { ...content, event: event ? event.event : null };
}
