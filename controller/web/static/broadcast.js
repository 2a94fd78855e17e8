/* The overlay of a broadcast: draws the picture that is on air. What may be seen, and when, the table has decided. */

import { reason, t } from "./language.js";
import { $, capital, card, element, words } from "./table.js";

const AGAIN = 3000;
/* Streaming software that is not let in must not knock so often that the table counts it among wrong tries. */
const REFUSED = 60000;

/* In the address behind `#`, which no browser sends and no log keeps. */
const token = decodeURIComponent(location.hash.slice(1));

const shown = (name) => (name === null ? element("div", "card back") : card(name));

function line(player) {
  const chips = element("div", "chips");
  if (player.stack !== null) chips.append(element("b", "", player.stack === 0 && player.all_in ? t("ALL-IN") : `${player.stack}`));
  if (player.won) chips.append(element("span", "did", t("wins {chips}", { chips: player.won })));
  else if (player.did) chips.append(element("span", "did", [words(player.did.do), player.did.to].filter(Boolean).join(" ")));
  else if (player.bet) chips.append(element("span", "did", t("bet {chips}", { chips: player.bet })));
  return chips;
}

function tile(player, button) {
  const classes = ["player"];
  if (player.acts) classes.push("acts");
  if (!player.in) classes.push("out");
  if (player.won) classes.push("won");
  if (player.cards.length > 3) classes.push("many");
  const made = element("div", classes.join(" "));
  const hole = element("div", "hole");
  hole.append(...player.cards.map(shown));
  const name = element("div", "name", player.name);
  if (player.seat === button) name.append(element("b", "dealer", "D"));
  made.append(hole, name, line(player));
  if (player.in && player.equity !== null) made.append(element("div", "equity", `${Math.round(player.equity * 100)} %`));
  return made;
}

export function draw(frame) {
  $("show").hidden = frame === null;
  if (frame === null) return;
  const half = Math.ceil(frame.players.length / 2);
  $("left").replaceChildren(...frame.players.slice(0, half).map((player) => tile(player, frame.button)));
  $("right").replaceChildren(...frame.players.slice(half).map((player) => tile(player, frame.button)));
  const boards = frame.boards.filter((board) => board.length).map((board) => {
    const made = element("div", "board");
    made.append(...board.map(shown));
    return made;
  });
  $("boards").className = boards.length > 1 ? "several" : "";
  $("boards").replaceChildren(...boards);
  $("hand").textContent = t("Hand {n}", { n: frame.hand });
  $("street").textContent = capital(words(frame.street));
  $("pot").textContent = frame.pot ? t("Pot {chips}", { chips: frame.pot }) : "";
}

function trouble(text) {
  $("trouble").hidden = !text;
  $("trouble").textContent = text;
}

/* Reads events as EventSource does; that one can send no token. */
async function read(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) if (part.startsWith("data: ")) draw(JSON.parse(part.slice(6)));
  }
}

async function watch() {
  let wait = AGAIN;
  try {
    const answer = await fetch("/broadcast/show", { headers: { Authorization: `Bearer ${token}` }, cache: "no-store" });
    if (answer.ok) {
      trouble("");
      await read(answer.body);
    } else {
      const why = await answer.json().catch(() => null);
      trouble(reason(why) || t("The table does not answer."));
      if (answer.status < 500) wait = REFUSED;
    }
  } catch {
    /* The table is away: the air stays empty rather than old. */
  }
  draw(null);
  setTimeout(watch, wait);
}

if (token) watch();
else trouble(t("Write the token behind the address: /broadcast#TOKEN"));
