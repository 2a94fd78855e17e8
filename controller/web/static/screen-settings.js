/* How this screen is set: what is heard on it, and whether it is mirrored, for a screen at the dealer's other hand. */
import { describeRefusal, language, languages, setLanguage, t } from "./language.js";
import { SOUNDS, isSoundOn, playSound, setSoundOn } from "./sound.js";
import { post } from "./session.js";
import { closeSheet, openChoices, openSheet } from "./sheet.js";
import { $, formatLabel, makeElement } from "./table.js";

const MIRRORED_KEY = "mirrored";

function mirror(isMirrored) {
  if (isMirrored) document.body.dataset.mirrored = ""; else delete document.body.dataset.mirrored;
  localStorage.setItem(MIRRORED_KEY, isMirrored ? "yes" : "");
}

function makeToggle(text, isOn, onChange) {
  const button = makeElement("button", "");
  button.type = "button";
  const showState = (isOnNow) => {
    button.setAttribute("aria-pressed", String(isOnNow));
    button.textContent = isOnNow ? t("{what}: on", { what: text }) : t("{what}: off", { what: text });
  };
  button.addEventListener("click", () => { const isOnNow = button.getAttribute("aria-pressed") !== "true"; showState(isOnNow); onChange(isOnNow); });
  showState(isOn);
  return button;
}

/* Which deck is dealt from, at a table that has several and a shoe that knows them; changed between hands. */
async function makeDeckButtons() {
  const answer = await fetch("/decks");
  const content = answer.ok ? await answer.json() : { decks: [] };
  if (content.decks.length < 2) return [];
  const button = makeElement("button", "", t("Deck in play: {deck}…", { deck: content.in_play }));
  button.type = "button";
  button.addEventListener("click", () => openChoices(t("Which deck is dealt from now on?"), content.decks.map((name) => [name, () => chooseDeck(name)])));
  return [button];
}

async function chooseDeck(name) {
  const answer = await post("/decks", { deck: name });
  if (answer.ok) closeSheet();
  else openSheet(t("Not taken"), makeElement("p", "why", describeRefusal(await answer.json())));
}

/* A key for each language, in its own words. */
const makeLanguageButtons = () => languages.map(([name, called]) => {
  const button = makeElement("button", "", called);
  button.type = "button";
  button.lang = name;
  button.setAttribute("aria-pressed", String(name === language));
  button.addEventListener("click", () => setLanguage(name));
  return button;
});

/* The key at the dealer's place opens the settings; `redraw` draws the table again. */
export function initScreenSettings(redraw) {
  mirror(localStorage.getItem(MIRRORED_KEY) === "yes");
  $("dealer").addEventListener("click", async () => {
    const body = makeElement("div", "choices");
    body.append(
      ...await makeDeckButtons(),
      ...SOUNDS.map((what) => makeToggle(t("Sound: {what}", { what: formatLabel(what) }), isSoundOn(what), (on) => { setSoundOn(what, on); if (on) playSound(what); })),
      makeToggle(t("Mirrored"), MIRRORED_KEY in document.body.dataset, (on) => { mirror(on); redraw(); }),
      ...makeLanguageButtons(),
    );
    openSheet(t("This screen"), body);
  });
}
