/* What is said on a page, in its language; English is the key of every text. docs/languages.md */
import { games, language, languages, reasons, texts } from "/catalogue.js";

export { language, languages };

const fillPlaceholders = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? values[name] : place));
const findForms = (english) => (Object.hasOwn(texts, english) ? [texts[english]].flat() : null);

/* The text for an English one, its {places} filled. */
export const t = (english, values = {}) => fillPlaceholders((findForms(english) || [english])[0], values);

/* What is said of `n` things; `n` fills {n}. */
export function translatePlural(one, several, n, values = {}) {
  const forms = findForms(one) || [one, several];
  return fillPlaceholders(forms[n === 1 ? 0 : forms.length - 1], { n, ...values });
}

/* Why the table says no: in English its own words, which say more; elsewhere what the code stands for. */
export const describeRefusal = (answer) => (answer && (reasons[answer.code] || leaveOutCommands(answer.message))) || "";

/* What the table says, without the words of its commands in backticks: a page has keys for them. */
export const leaveOutCommands = (text) => (text || "").replace(/ \(`[a-z-]+`\)/g, "").replaceAll("`", "");

/* What people call a game, by its code; one that nobody knows is called by the words of its code. */
const nameGame = (code) => (Object.hasOwn(games, code) ? games[code] : code.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase()));

/* "stud-7 4/8 ante 1", as a rotation has it, is "7-card stud 4/8, ante 1"; a title of the house stays as it is. */
export function formatGameName(text) {
  const [, code, stakes] = /^([a-z0-9-]+)((?: [\d/].*)?)$/.exec(text || "") || [];
  return code ? nameGame(code) + stakes.replace(/ ante (\d+)/, (_, ante) => t(", ante {ante}", { ante })) : text || "";
}

/* For this browser, until it is chosen otherwise. */
export function setLanguage(name) {
  document.cookie = `language=${name}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
}
