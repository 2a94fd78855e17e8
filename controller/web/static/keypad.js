/* Figures by touch, on the pad or the keyboard. */
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
