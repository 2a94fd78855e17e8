/* The sheet that comes up when one touch is not enough: a title, keys or whatever else, and a way out. */
import { changed } from "./tap-guard.js";
import { $, card, element } from "./table.js";

let returnTo = null;
let stays = false;

/* `keep`: the sheet stays when the table moves on. */
export function openSheet(title, body, keep = false) {
  stays = keep;
  changed(`sheet ${title}`);
  $("sheet-title").textContent = title;
  $("sheet-body").replaceChildren(body);
  if (!$("sheet").open) {
    returnTo = document.activeElement;
    $("sheet").showModal();
  }
  (body.querySelector("button.main") || body.querySelector("button, select") || $("close")).focus();
}

export function closeSheet(byItself = false) {
  if (!$("sheet").open || (byItself && stays)) return;
  $("sheet").close();
}

/* Keys: [text, act, letter, look]; without a letter they are lettered in order. */
export function choose(title, keys, look = "", keep = false) {
  const body = element("div", keys.length > 20 ? "choices many" : `choices ${look}`);
  const letters = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const own = keys.some(([, , letter]) => letter);
  keys.forEach(([text, act, letter, className = ""], i) => {
    const made = element("button", className, text);
    made.type = "button";
    const short = own ? letter : letters[i];
    if (short) { made.dataset.letter = short; made.append(element("kbd", "", short)); }
    made.addEventListener("click", act);
    body.append(made);
  });
  openSheet(title, body, keep);
}

/* A pack of cards to touch; `done` gets `count` of them. */
export function picksCards(title, count, done) {
  const body = element("div", "pack");
  const picked = [];
  for (const suit of "shdc") {
    for (const rank of "AKQJT98765432") {
      const made = element("button", "pick");
      made.type = "button";
      made.append(card(rank + suit));
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
$("sheet").addEventListener("close", () => { stays = false; returnTo?.isConnected && returnTo.focus(); });
$("sheet").addEventListener("click", (event) => { if (event.target === $("sheet")) closeSheet(); });
