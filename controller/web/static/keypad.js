/* Figures and names by touch, or on the keyboard. */
import { t, translatePlural } from "./language.js";
import { openSheet } from "./sheet.js";
import { makeElement } from "./table.js";

export function addKeypad(body, done, put) {
  const field = makeElement("output", "typed", "");
  field.setAttribute("aria-label", t("Amount"));
  const pad = makeElement("div", "pad");
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", done]) {
    const made = makeElement("button", digit === done ? "main" : "", digit);
    made.type = "button";
    made.dataset.letter = { "⌫": "Backspace", [done]: "Enter" }[digit] || digit;
    made.addEventListener("click", () => {
      if (digit === done) { if (field.textContent) put(Number(field.textContent)); return; }
      field.textContent = digit === "⌫" ? field.textContent.slice(0, -1) : (field.textContent + digit).slice(0, 9);
    });
    pad.append(made);
  }
  body.append(field, pad);
}

/* Figures that are shown as dots and forgotten after half a minute; returns what forgets them. */
export function addSecretKeypad(body, done, put) {
  const field = makeElement("output", "typed", "");
  const pad = makeElement("div", "pad");
  let secret = "", wiping = 0;
  const draw = () => {
    field.textContent = "●".repeat(secret.length);
    field.setAttribute("aria-label", translatePlural("1 digit", "{n} digits", secret.length));
    clearTimeout(wiping);
    if (secret) wiping = setTimeout(clear, 30000);
  };
  const clear = () => { secret = ""; draw(); };
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", done]) {
    const made = makeElement("button", digit === done ? "main" : "", digit);
    made.type = "button";
    made.dataset.letter = { "⌫": "Backspace", [done]: "Enter" }[digit] || digit;
    made.addEventListener("click", () => {
      if (digit === done) { if (secret) put(secret); return; }
      secret = digit === "⌫" ? secret.slice(0, -1) : (secret + digit).slice(0, 12);
      draw();
    });
    pad.append(made);
  }
  body.append(field, pad);
  draw();
  return clear;
}

export function openAmountSheet(title, put, done = t("Enter")) {
  const body = makeElement("div", "amount");
  addKeypad(body, done, put);
  openSheet(title, body, true);
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÑ'-";

/* A name: the first letter of each word is a capital. `put` gets an empty one where nothing was touched. */
export function openNameSheet(title, put, longest = 24) {
  const body = makeElement("div", "amount");
  const field = makeElement("output", "typed", "");
  field.setAttribute("aria-label", t("Name"));
  const pad = makeElement("div", "letters");
  const add = (sign) => { field.textContent = (field.textContent + (/(^|[ -])$/.test(field.textContent) ? sign : sign.toLowerCase())).slice(0, longest); };
  const keys = [...[...LETTERS].map((sign) => [sign, sign, () => add(sign)]),
    [t("space"), " ", () => add(" ")], ["⌫", "Backspace", () => { field.textContent = field.textContent.slice(0, -1); }], [t("Enter"), "Enter", () => put(field.textContent.trim())]];
  for (const [text, letter, act] of keys) {
    const made = makeElement("button", letter === "Enter" ? "main" : "", text);
    made.type = "button";
    made.dataset.letter = letter;
    made.addEventListener("click", act);
    pad.append(made);
  }
  body.append(field, pad);
  openSheet(title, body, true);
}
