/* The webhooks of the room: whether each is told, what it was not told and why, and the key to tell it again. */
import { t, translatePlural } from "/static/language.js";
import { makeButton, postRequest } from "/room/requests.js";
import { makeElement, showMenu } from "/room/menu.js";
import { followFeed } from "/room/feed.js";

const contentElement = document.getElementById("shown");
let webhookByName = new Map();
let feed = null;

const formatTime = (at) => new Date(at * 1000).toLocaleString([], { dateStyle: "short", timeStyle: "short", hour12: false });

function makeWebhookCard(webhook) {
  const card = makeElement("article", webhook.alarm ? "wanting" : "");
  const head = makeElement("h2", "title", webhook.name);
  const state = webhook.ended ? t("Ended: its receiver wants no more") : webhook.failing ? t("Not told") : t("Told");
  head.append(makeElement("span", webhook.ended ? "flag alarm" : "flag", state));
  card.append(head, makeElement("p", "none", t("to {host}", { host: webhook.host })));
  if (webhook.failing && !webhook.ended) card.append(makeElement("p", "", webhook.failing));
  const list = makeElement("ol");
  const addRow = (text, look = "") => { const line = makeElement("li"); line.append(makeElement("span", look, text)); list.append(line); };
  addRow(webhook.last === null ? t("It has taken no message yet") : t("Took a message last at {time}", { time: formatTime(webhook.last) }), "none");
  if (webhook.waiting) addRow(translatePlural("1 message waits", "{n} messages wait", webhook.waiting));
  if (webhook.aside) addRow(translatePlural("1 message was refused and is set aside", "{n} messages were refused and are set aside", webhook.aside));
  for (const [id, why] of webhook.refused) addRow(`${id}: ${why}`, "none");
  if (webhook.given_up) addRow(translatePlural("1 message was given up, too old or too many", "{n} messages were given up, too old or too many", webhook.given_up));
  card.append(list);
  if (webhook.alarm) card.append(makeButton(webhook.ended || webhook.aside ? t("Tell again") : t("Seen"), () => postRequest("/webhooks/again", { name: webhook.name }), "main"));
  card.append(makeElement("p", "none", webhook.events.join(", ")));
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
