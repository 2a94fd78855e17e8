/* The webhooks of the room: whether each is told, what it was not told and why, and the key to tell it again. */
import { counted, t } from "/static/language.js";
import { ask, key } from "/room/requests.js";
import { element, showMenu } from "/room/menu.js";
import { follow } from "/room/feed.js";

const shown = document.getElementById("shown");
let hooks = new Map();
let source = null;

const moment = (at) => new Date(at * 1000).toLocaleString([], { dateStyle: "short", timeStyle: "short", hour12: false });

function card(one) {
  const made = element("article", one.alarm ? "wanting" : "");
  const head = element("h1", "", one.name);
  const state = one.ended ? t("Ended: its receiver wants no more") : one.failing ? t("Not told") : t("Told");
  head.append(element("span", one.ended ? "flag alarm" : "flag", state));
  made.append(head, element("p", "none", t("to {host}", { host: one.host })));
  if (one.failing && !one.ended) made.append(element("p", "", one.failing));
  const list = element("ol");
  const row = (text, look = "") => { const line = element("li"); line.append(element("span", look, text)); list.append(line); };
  row(one.last === null ? t("It has taken no message yet") : t("Took a message last at {time}", { time: moment(one.last) }), "none");
  if (one.waiting) row(counted("1 message waits", "{n} messages wait", one.waiting));
  if (one.aside) row(counted("1 message was refused and is set aside", "{n} messages were refused and are set aside", one.aside));
  for (const [id, why] of one.refused) row(`${id}: ${why}`, "none");
  if (one.given_up) row(counted("1 message was given up, too old or too many", "{n} messages were given up, too old or too many", one.given_up));
  made.append(list);
  if (one.alarm) made.append(key(one.ended || one.aside ? t("Tell again") : t("Seen"), () => ask("/webhooks/again", { name: one.name }), "main"));
  made.append(element("p", "none", one.events.join(", ")));
  return made;
}

function draw() {
  const made = element("div", "board");
  made.append(...[...hooks.values()].sort((a, b) => a.name.localeCompare(b.name)).map(card));
  shown.replaceChildren(hooks.size ? made : element("p", "none", source ? t("The room's file names no webhook.") : t("Floor and technicians see the webhooks: sign in.")));
}

showMenu((who) => {
  const may = who.roles.some((role) => role === "floor" || role === "technician");
  if (!may) { source = null; hooks = new Map(); }
  if (may && !source) source = follow("/webhooks/events", (all) => { hooks = all; draw(); });
  draw();
});
