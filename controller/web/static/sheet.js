/* The sheet that comes up when one touch is not enough: a title, keys or whatever else, and a way out. */
import { onContentChanged } from "./tap-guard.js";
import { $, makeCard, makeElement } from "./table.js";

let focusedBefore = null;
let staysOpen = false;

/* `keep`: the sheet stays when the table moves on. */
export function openSheet(title, body, keep = false) {
  staysOpen = keep;
  onContentChanged(`sheet ${title}`);
  $("sheet-title").textContent = title;
  $("sheet-body").replaceChildren(body);
  if (!$("sheet").open) {
    focusedBefore = document.activeElement;
    $("sheet").showModal();
  }
  (body.querySelector("button.main") || body.querySelector("button, select") || $("close")).focus();
}

export function closeSheet(byItself = false) {
  if (!$("sheet").open || (byItself && staysOpen)) return;
  $("sheet").close();
}

/* Keys: [text, act, letter, look]; without a letter they are lettered in order. */
export function openChoices(title, keys, look = "", keep = false) {
  const body = makeElement("div", keys.length > 20 ? "choices many" : `choices ${look}`);
  const letters = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const own = keys.some(([, , letter]) => letter);
  keys.forEach(([text, act, letter, className = ""], i) => {
    const made = makeElement("button", className, text);
    made.type = "button";
    const short = own ? letter : letters[i];
    if (short) { made.dataset.letter = short; made.append(makeElement("kbd", "", short)); }
    made.addEventListener("click", act);
    body.append(made);
  });
  openSheet(title, body, keep);
}

/* A pack of cards to touch; `done` gets `count` of them. */
export function openCardPicker(title, count, done) {
  const body = makeElement("div", "pack");
  const picked = [];
  for (const suit of "shdc") {
    for (const rank of "AKQJT98765432") {
      const made = makeElement("button", "pick");
      made.type = "button";
      made.append(makeCard(rank + suit));
      made.setAttribute("aria-label", rank + suit);
      made.addEventListener("click", () => {
        made.disabled = true;
        picked.push(rank + suit);
        if (picked.length === count) done(picked);
      });
      body.append(made);
    }
  }
  openSheet(title, body, true);
}

$("close").addEventListener("click", () => closeSheet());
$("sheet").addEventListener("close", () => { staysOpen = false; focusedBefore?.isConnected && focusedBefore.focus(); });
$("sheet").addEventListener("click", (event) => { if (event.target === $("sheet")) closeSheet(); });
