/* How this screen is set: what is heard on it, and whether it is mirrored, for a screen at the dealer's other hand. */
import { describeRefusal, language, languages, setLanguage, t } from "./language.js";
import { SOUNDS, isSoundOn, playSound, setSoundOn } from "./sound.js";
import { post } from "./session.js";
import { closeSheet, openChoices, openSheet } from "./sheet.js";
import { $, formatLabel, makeElement } from "./table.js";

const MIRRORED_KEY = "mirrored";

function mirror(on) {
  if (on) document.body.dataset.mirrored = ""; else delete document.body.dataset.mirrored;
  localStorage.setItem(MIRRORED_KEY, on ? "yes" : "");
}

function makeToggle(text, on, change) {
  const made = makeElement("button", "");
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
async function makeDeckButtons() {
  const answer = await fetch("/decks");
  const found = answer.ok ? await answer.json() : { decks: [] };
  if (found.decks.length < 2) return [];
  const made = makeElement("button", "", t("Deck in play: {deck}…", { deck: found.in_play }));
  made.type = "button";
  made.addEventListener("click", () => openChoices(t("Which deck is dealt from now on?"), found.decks.map((name) => [name, () => chooseDeck(name)])));
  return [made];
}

async function chooseDeck(name) {
  const answer = await post("/decks", { deck: name });
  if (answer.ok) closeSheet();
  else openSheet(t("Not taken"), makeElement("p", "why", describeRefusal(await answer.json())));
}

/* A key for each language, in its own words. */
const makeLanguageButtons = () => languages.map(([name, called]) => {
  const made = makeElement("button", "", called);
  made.type = "button";
  made.lang = name;
  made.setAttribute("aria-pressed", String(name === language));
  made.addEventListener("click", () => setLanguage(name));
  return made;
});

/* The key at the dealer's place opens the settings; `drawn` draws the table again. */
export function initScreenSettings(drawn) {
  mirror(localStorage.getItem(MIRRORED_KEY) === "yes");
  $("dealer").addEventListener("click", async () => {
    const body = makeElement("div", "choices");
    body.append(
      ...await makeDeckButtons(),
      ...SOUNDS.map((what) => makeToggle(t("Sound: {what}", { what: formatLabel(what) }), isSoundOn(what), (on) => { setSoundOn(what, on); if (on) playSound(what); })),
      makeToggle(t("Mirrored"), MIRRORED_KEY in document.body.dataset, (on) => { mirror(on); drawn(); }),
      ...makeLanguageButtons(),
    );
    openSheet(t("This screen"), body);
  });
}
