/* The webhooks of the room: whether each is told, what it was not told and why, and the key to tell it again. */
import { t, translatePlural } from "/static/language.js";
import { makeButton, postRequest } from "/room/requests.js";
import { makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";

const contentElement = document.getElementById("shown");
let webhookByName = new Map();
let feed = null;

const formatTime = (at) => new Date(at * 1000).toLocaleString([], { dateStyle: "short", timeStyle: "short", hour12: false });

function makeWebhookCard(one) {
  const card = makeElement("article", one.alarm ? "wanting" : "");
  const head = makeElement("h1", "", one.name);
  const state = one.ended ? t("Ended: its receiver wants no more") : one.failing ? t("Not told") : t("Told");
  head.append(makeElement("span", one.ended ? "flag alarm" : "flag", state));
  card.append(head, makeElement("p", "none", t("to {host}", { host: one.host })));
  if (one.failing && !one.ended) card.append(makeElement("p", "", one.failing));
  const list = makeElement("ol");
  const addRow = (text, look = "") => { const line = makeElement("li"); line.append(makeElement("span", look, text)); list.append(line); };
  addRow(one.last === null ? t("It has taken no message yet") : t("Took a message last at {time}", { time: formatTime(one.last) }), "none");
  if (one.waiting) addRow(translatePlural("1 message waits", "{n} messages wait", one.waiting));
  if (one.aside) addRow(translatePlural("1 message was refused and is set aside", "{n} messages were refused and are set aside", one.aside));
  for (const [id, why] of one.refused) addRow(`${id}: ${why}`, "none");
  if (one.given_up) addRow(translatePlural("1 message was given up, too old or too many", "{n} messages were given up, too old or too many", one.given_up));
  card.append(list);
  if (one.alarm) card.append(makeButton(one.ended || one.aside ? t("Tell again") : t("Seen"), () => postRequest("/webhooks/again", { name: one.name }), "main"));
  card.append(makeElement("p", "none", one.events.join(", ")));
  return card;
}

function draw() {
  const box = makeElement("div", "board");
  box.append(...[...webhookByName.values()].sort((a, b) => a.name.localeCompare(b.name)).map(makeWebhookCard));
  contentElement.replaceChildren(webhookByName.size ? box : makeElement("p", "none", feed ? t("The room's file names no webhook.") : t("Floor and technicians see the webhooks: sign in.")));
}

showMenu((who) => {
  const may = who.roles.some((role) => role === "floor" || role === "technician");
  if (!may) { feed = null; webhookByName = new Map(); }
  if (may && !feed) feed = followFeed("/webhooks/events", (all) => { webhookByName = all; draw(); });
  draw();
});
