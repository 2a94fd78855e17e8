/* How this screen is set: what is heard on it, and whether it is mirrored, for a screen at the dealer's other hand. */
import { language, languages, reason, speak, t } from "./language.js";
import { SOUNDS, isOn, play, setOn } from "./sound.js";
import { post } from "./session.js";
import { choose, closeSheet, openSheet } from "./sheet.js";
import { $, element, words } from "./table.js";

const MIRRORED = "mirrored";

function mirror(on) {
  if (on) document.body.dataset.mirrored = ""; else delete document.body.dataset.mirrored;
  localStorage.setItem(MIRRORED, on ? "yes" : "");
}

function key(text, on, change) {
  const made = element("button", "");
  made.type = "button";
  const show = (now) => {
    made.setAttribute("aria-pressed", String(now));
    made.textContent = now ? t("{what}: on", { what: text }) : t("{what}: off", { what: text });
  };
  made.addEventListener("click", () => { const now = made.getAttribute("aria-pressed") !== "true"; show(now); change(now); });
  show(on);
  return made;
}

/* Which deck is dealt from, at a table that has several and a shoe that knows them; changed between hands. */
async function deckKey() {
  const answer = await fetch("/decks");
  const found = answer.ok ? await answer.json() : { decks: [] };
  if (found.decks.length < 2) return [];
  const made = element("button", "", t("Deck in play: {deck}…", { deck: found.in_play }));
  made.type = "button";
  made.addEventListener("click", () => choose(t("Which deck is dealt from now on?"), found.decks.map((name) => [name, () => deal(name)])));
  return [made];
}

async function deal(name) {
  const answer = await post("/decks", { deck: name });
  if (answer.ok) closeSheet();
  else openSheet(t("Not taken"), element("p", "why", reason(await answer.json())));
}

/* A key for each language, in its own words. */
const spoken = () => languages.map(([name, called]) => {
  const made = element("button", "", called);
  made.type = "button";
  made.lang = name;
  made.setAttribute("aria-pressed", String(name === language));
  made.addEventListener("click", () => speak(name));
  return made;
});

/* The key at the dealer's place opens the settings; `drawn` draws the table again. */
export function settings(drawn) {
  mirror(localStorage.getItem(MIRRORED) === "yes");
  $("dealer").addEventListener("click", async () => {
    const body = element("div", "choices");
    body.append(
      ...await deckKey(),
      ...SOUNDS.map((what) => key(t("Sound: {what}", { what: words(what) }), isOn(what), (on) => { setOn(what, on); if (on) play(what); })),
      key(t("Mirrored"), MIRRORED in document.body.dataset, (on) => { mirror(on); drawn(); }),
      ...spoken(),
    );
    openSheet(t("This screen"), body);
  });
}
