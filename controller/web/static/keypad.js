/* Figures and names by touch, or on the keyboard. */
import { openSheet } from "./sheet.js";
import { element } from "./table.js";

export function keypad(body, done, put) {
  const field = element("output", "typed", "");
  field.setAttribute("aria-label", "Amount");
  const pad = element("div", "pad");
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", done]) {
    const made = element("button", digit === done ? "main" : "", digit);
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

export function typed(title, put, done = "Enter") {
  const body = element("div", "amount");
  keypad(body, done, put);
  openSheet(title, body, true);
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÑ'-";

/* A name: the first letter of each word is a capital. `put` gets an empty one where nothing was touched. */
export function named(title, put) {
  const body = element("div", "amount");
  const field = element("output", "typed", "");
  field.setAttribute("aria-label", "Name");
  const pad = element("div", "letters");
  const add = (sign) => { field.textContent = (field.textContent + (/(^|[ -])$/.test(field.textContent) ? sign : sign.toLowerCase())).slice(0, 24); };
  const keys = [...[...LETTERS].map((sign) => [sign, sign, () => add(sign)]),
    ["space", " ", () => add(" ")], ["⌫", "Backspace", () => { field.textContent = field.textContent.slice(0, -1); }], ["Enter", "Enter", () => put(field.textContent.trim())]];
  for (const [text, letter, act] of keys) {
    const made = element("button", text === "Enter" ? "main" : "", text);
    made.type = "button";
    made.dataset.letter = letter;
    made.addEventListener("click", act);
    pad.append(made);
  }
  body.append(field, pad);
  openSheet(title, body, true);
}
