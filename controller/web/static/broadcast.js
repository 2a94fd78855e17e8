/* The overlay of a broadcast: draws the picture that is on air. What may be seen, and when, the table has decided. */

import { describeRefusal, t } from "./language.js";
import { describeAwards, listPlayingCards, markPlayingCard } from "./showdown.js";
import { $, capitalize, formatLabel, makeCard, makeElement } from "./table.js";

const RETRY_DELAY_MS = 3000;
/* Streaming software that is not let in must not knock so often that the table counts it among wrong tries. */
const REFUSED_RETRY_DELAY_MS = 60000;

/* In the address behind `#`, which no browser sends and no log keeps. */
const token = decodeURIComponent(location.hash.slice(1));

const makeCardOrBack = (name) => (name === null ? makeElement("div", "card back") : makeCard(name));

function makeChipsLine(player) {
  const chips = makeElement("div", "chips");
  if (player.stack !== null) chips.append(makeElement("b", "", player.stack === 0 && player.all_in ? t("ALL-IN") : `${player.stack}`));
  if (player.won) chips.append(makeElement("span", "did", t("wins {chips}", { chips: player.won })));
  else if (player.did) chips.append(makeElement("span", "did", [formatLabel(player.did.do), player.did.to].filter(Boolean).join(" ")));
  else if (player.bet) chips.append(makeElement("span", "did", t("bet {chips}", { chips: player.bet })));
  return chips;
}

function makePlayerTile(player, { button, showdown }) {
  const playing = listPlayingCards(showdown, player.seat);
  const classes = ["player"];
  if (player.acts) classes.push("acts");
  if (!player.in) classes.push("out");
  if (player.won) classes.push("won");
  if (player.cards.length > 3) classes.push("many");
  const box = makeElement("div", classes.join(" "));
  const hole = makeElement("div", "hole");
  hole.append(...player.cards.map((card) => markPlayingCard(makeCardOrBack(card), card, playing)));
  const name = makeElement("div", "name", player.name);
  if (player.seat === button) name.append(makeElement("b", "dealer", "D"));
  box.append(hole, name, makeChipsLine(player));
  if (player.in && player.equity !== null) box.append(makeElement("div", "equity", `${Math.round(player.equity * 100)} %`));
  return box;
}

export function drawFrame(frame) {
  $("show").hidden = frame === null;
  if (frame === null) return;
  const half = Math.ceil(frame.players.length / 2);
  const playing = listPlayingCards(frame.showdown), makeTile = (player) => makePlayerTile(player, frame);
  $("left").replaceChildren(...frame.players.slice(0, half).map(makeTile));
  $("right").replaceChildren(...frame.players.slice(half).map(makeTile));
  const boards = frame.boards.filter((board) => board.length).map((board) => {
    const box = makeElement("div", "board");
    box.append(...board.map((card) => markPlayingCard(makeCardOrBack(card), card, playing)));
    return box;
  });
  $("boards").className = boards.length > 1 ? "several" : "";
  $("boards").replaceChildren(...boards);
  $("hand").textContent = t("Hand {n}", { n: frame.hand });
  $("street").textContent = capitalize(formatLabel(frame.street));
  $("wins").textContent = describeAwards(frame.showdown);
  $("pot").textContent = frame.pot ? t("Pot {chips}", { chips: frame.pot }) : "";
}

function showTrouble(text) {
  $("trouble").hidden = !text;
  $("trouble").textContent = text;
}

/* Reads events as EventSource does; that one can send no token. */
async function readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let remainder = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (remainder + value).split("\n\n");
    remainder = parts.pop();
    for (const part of parts) if (part.startsWith("data: ")) drawFrame(JSON.parse(part.slice(6)));
  }
}

async function watch() {
  let wait = RETRY_DELAY_MS;
  try {
    const answer = await fetch("/broadcast/show", { headers: { Authorization: `Bearer ${token}` }, cache: "no-store" });
    if (answer.ok) {
      showTrouble("");
      await readEvents(answer.body);
    } else {
      const refusal = await answer.json().catch(() => null);
      showTrouble(describeRefusal(refusal) || t("The table does not answer."));
      if (answer.status < 500) wait = REFUSED_RETRY_DELAY_MS;
    }
  } catch {
    /* The table is away: the air stays empty rather than old. */
  }
  drawFrame(null);
  setTimeout(watch, wait);
}

if (token) watch();
else showTrouble(t("Write the token behind the address: /broadcast#TOKEN"));
