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
  const body = makeElement("div", `choices ${look || (keys.length > 20 ? "many" : "")}`);
  const letters = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const own = keys.some(([, , letter]) => letter);
  keys.forEach(([text, act, letter, className = ""], i) => {
    const button = makeElement("button", className, text);
    button.type = "button";
    const short = own ? letter : letters[i];
    if (short) { button.dataset.letter = short; button.append(makeElement("kbd", "", short)); }
    button.addEventListener("click", act);
    body.append(button);
  });
  openSheet(title, body, keep);
}

/* A pack of cards to touch; `onPicked` gets `count` of them. */
export function openCardPicker(title, count, onPicked) {
  const body = makeElement("div", "pack");
  const picked = [];
  for (const suit of "shdc") {
    for (const rank of "AKQJT98765432") {
      const button = makeElement("button", "pick");
      button.type = "button";
      button.append(makeCard(rank + suit));
      button.setAttribute("aria-label", rank + suit);
      button.addEventListener("click", () => {
        button.disabled = true;
        picked.push(rank + suit);
        if (picked.length === count) onPicked(picked);
      });
      body.append(button);
    }
  }
  openSheet(title, body, true);
}

$("close").addEventListener("click", () => closeSheet());
$("sheet").addEventListener("close", () => { staysOpen = false; focusedBefore?.isConnected && focusedBefore.focus(); });
$("sheet").addEventListener("click", (event) => { if (event.target === $("sheet")) closeSheet(); });
