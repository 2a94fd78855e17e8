/* Figures and names by touch, or on the keyboard. */
import { t, translatePlural } from "./language.js";
import { openSheet } from "./sheet.js";
import { makeElement } from "./table.js";

/* Ten figures, one that takes back and one that is done; `onKey` gets the figure, "Backspace" or "Enter". */
function makePad(doneText, onKey) {
  const pad = makeElement("div", "pad");
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", doneText]) {
    const button = makeElement("button", digit === doneText ? "main" : "", digit);
    button.type = "button";
    button.dataset.letter = { "⌫": "Backspace", [doneText]: "Enter" }[digit] || digit;
    button.addEventListener("click", () => onKey(button.dataset.letter));
    pad.append(button);
  }
  return pad;
}

export function addKeypad(body, doneText, onAmount) {
  const field = makeElement("output", "typed", "");
  field.setAttribute("aria-label", t("Amount"));
  body.append(field, makePad(doneText, (key) => {
    if (key === "Enter") { if (field.textContent) onAmount(Number(field.textContent)); return; }
    field.textContent = key === "Backspace" ? field.textContent.slice(0, -1) : (field.textContent + key).slice(0, 9);
  }));
}

/* Figures that are shown as dots and forgotten after half a minute; returns what forgets them. */
export function addSecretKeypad(body, doneText, onSecret) {
  const field = makeElement("output", "typed", "");
  let secret = "", wipeTimer = 0;
  const draw = () => {
    field.textContent = "●".repeat(secret.length);
    field.setAttribute("aria-label", translatePlural("1 digit", "{n} digits", secret.length));
    clearTimeout(wipeTimer);
    if (secret) wipeTimer = setTimeout(clear, 30000);
  };
  const clear = () => { secret = ""; draw(); };
  body.append(field, makePad(doneText, (key) => {
    if (key === "Enter") { if (secret) onSecret(secret); return; }
    secret = key === "Backspace" ? secret.slice(0, -1) : (secret + key).slice(0, 12);
    draw();
  }));
  draw();
  return clear;
}

export function openAmountSheet(title, onAmount, doneText = t("Enter")) {
  const body = makeElement("div", "amount");
  addKeypad(body, doneText, onAmount);
  openSheet(title, body, true);
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÑ'-";

/* A name: the first letter of each word is a capital. `onName` gets an empty one where nothing was touched. */
export function openNameSheet(title, onName, maxLength = 24) {
  const body = makeElement("div", "amount");
  const field = makeElement("output", "typed", "");
  field.setAttribute("aria-label", t("Name"));
  const pad = makeElement("div", "letters");
  const addSign = (sign) => { field.textContent = (field.textContent + (/(^|[ -])$/.test(field.textContent) ? sign : sign.toLowerCase())).slice(0, maxLength); };
  const keys = [...[...LETTERS].map((sign) => [sign, sign, () => addSign(sign)]),
    [t("space"), " ", () => addSign(" ")], ["⌫", "Backspace", () => { field.textContent = field.textContent.slice(0, -1); }], [t("Enter"), "Enter", () => onName(field.textContent.trim())]];
  for (const [text, letter, act] of keys) {
    const button = makeElement("button", letter === "Enter" ? "main" : "", text);
    button.type = "button";
    button.dataset.letter = letter;
    button.addEventListener("click", act);
    pad.append(button);
  }
  body.append(field, pad);
  openSheet(title, body, true);
}
