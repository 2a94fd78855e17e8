/* A call for the floor rings on the floor's own phone: sound and vibration, again until somebody says that they come.
   Browsers are silent until a touch, so the key that turns it on is that touch; after a load of the page any other is. */
import { t } from "./language.js";
import { playSound } from "./sound.js";

const RING_INTERVAL_MS = 8000;
const VIBRATION_MS = [400, 200, 400, 200, 400];
const STORAGE_KEY = "floor.rings";

let isOn = localStorage.getItem(STORAGE_KEY) === "yes";
let isCalled = false;
let timer = 0;

function ring() {
  if (!isOn || !isCalled) return;
  document.body.dataset.rung = String(Number(document.body.dataset.rung || 0) + 1);
  playSound("floor");
  navigator.vibrate?.(VIBRATION_MS);
}

function follow() {
  const shouldRing = isOn && isCalled;
  if (shouldRing && !timer) { ring(); timer = setInterval(ring, RING_INTERVAL_MS); }
  if (!shouldRing && timer) { clearInterval(timer); timer = 0; navigator.vibrate?.(0); }
}

/* Make `key` turn it on and off. */
export function makeRingKey(key) {
  const draw = () => {
    key.setAttribute("aria-pressed", String(isOn));
    key.textContent = isOn ? t("Calls ring here") : t("Calls are silent here: let them ring");
  };
  key.addEventListener("click", () => {
    isOn = !isOn;
    localStorage.setItem(STORAGE_KEY, isOn ? "yes" : "no");
    if (isOn && !isCalled) { playSound("due"); navigator.vibrate?.(VIBRATION_MS[0]); }
    draw();
    follow();
  });
  draw();
}

/* Whether the floor is called now. */
export function followCall(called) {
  isCalled = called;
  follow();
}
