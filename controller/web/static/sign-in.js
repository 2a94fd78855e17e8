/* Signing in, a new PIN every quarter, and enrolling with the one-time code: all by touch, or all by keyboard. */
import { describeRefusal, t, translatePlural } from "./language.js";
import { fetchPrincipal, post } from "./session.js";

const $ = (id) => document.getElementById(id);
const DESCRIPTION_BY_ROLE = {
  dealer: t("deals, and enters what happens"), floor: t("decides and overrules"), technician: t("devices, decks, staff"), auditor: t("reads the record"),
};
const FORGET_DELAY_S = 30;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ.'-";

let activeField = null;      /* what digits and letters of the keyboard go to */
let wipeTimer = 0;

function makeElement(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function makeButton(text, act, className = "") {
  const made = makeElement("button", className, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function showMessage(text, good = false) {
  $("message").textContent = text;
  $("message").className = good ? "good" : "";
}

function showStage(title, ...parts) {
  $("title").textContent = title;
  $("stage").replaceChildren(...parts);
}

/* Keeps what is typed; secret digits are shown as dots, and forgotten when nobody goes on. */
class TypedField {
  constructor({ most, secret = false, shape = (text) => text, done }) {
    Object.assign(this, { most, secret, shape, done, text: "" });
    this.field = makeElement("output", secret ? "shown" : "shown plain");
    this.draw();
  }

  addSign(sign) { if (this.text.length < this.most) { this.text += sign; this.draw(); } }

  deleteLast() { this.text = this.text.slice(0, -1); this.draw(); }

  clear() { this.text = ""; this.draw(); }

  submit() { if (this.text) this.done(this.text); }

  draw() {
    this.field.textContent = this.secret ? "●".repeat(this.text.length) : this.shape(this.text);
    this.field.setAttribute("aria-label", this.secret ? translatePlural("1 digit", "{n} digits", this.text.length) : this.text || t("nothing typed"));
    clearTimeout(wipeTimer);
    if (this.secret && this.text) wipeTimer = setTimeout(() => this.clear(), FORGET_DELAY_S * 1000);
  }
}

function makePad(typed, text, hint, alone = false) {
  activeField = typed;
  const keys = makeElement("div", "pad");
  for (const digit of "123456789") keys.append(makeButton(digit, () => typed.addSign(digit)));
  const back = makeButton("⌫", () => typed.deleteLast());
  back.setAttribute("aria-label", t("Delete"));
  keys.append(back, makeButton("0", () => typed.addSign("0")), makeButton(text, () => typed.submit(), "main"));
  const entry = makeElement("section", alone ? "entry alone" : "entry");
  entry.append(makeElement("p", "hint", hint), typed.field, keys);
  return entry;
}

/* What the table answers, or `null` when it says no; `refused` gets the code of why. */
async function postJson(path, content, refused = () => {}) {
  showMessage("");
  const answer = await post(path, content).catch(() => null);
  if (answer && answer.ok) return answer.status === 204 ? {} : answer.json();
  const why = answer ? await answer.json().catch(() => ({})) : {};
  refused(why.code);
  showMessage(describeRefusal(why) || (answer ? t("Not done ({status}).", { status: answer.status }) : t("No connection to the table.")));
  return null;
}

async function goHome() {
  const who = await fetchPrincipal(true);
  location.assign(who.home || "/");
}

/* The names, and the pad beside them. */
async function showNames() {
  const answer = await fetch("/staff").catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  if (!answer || !answer.ok) { showStage(t("Sign in")); showMessage(describeRefusal(content) || t("No connection to the table.")); return; }
  if (!content.staff.length) { showStage(t("Nobody is enrolled yet")); if (content.code) showEnrolment(content); else showMessage(t("Start the table anew for a one-time code, or make one: tablectl staff code")); return; }
  let chosen = content.staff.length === 1 ? content.staff[0] : null;
  const typed = new TypedField({ most: content.pin[1], secret: true, done: async (pin) => {
    if (!chosen) { showMessage(t("Touch your name first.")); return; }
    typed.clear();
    const in_ = await postJson("/sign-in", { name: chosen.name, pin });
    if (in_ && in_.renew) renewPin(in_, pin, content);
    else if (in_) goHome();
  } });
  const list = makeElement("div", "list");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", t("Names"));
  const choose = (person) => {
    chosen = person;
    typed.clear();
    showMessage("");
    for (const made of list.children) made.setAttribute("aria-pressed", String(made.dataset.name === person.name));
    entry.querySelector(".hint").textContent = t("{name}: type your PIN", { name: person.name });
  };
  for (const person of content.staff) {
    const made = makeButton("", () => choose(person));
    made.dataset.name = person.name;
    made.setAttribute("aria-pressed", "false");
    made.append(makeElement("span", "name", person.name), makeElement("span", "role", t(person.role)));
    list.append(made);
  }
  const left = makeElement("section", "");
  left.id = "names";
  left.append(list);
  if (content.code) left.append(makeButton(t("I have a one-time code"), () => showEnrolment(content)));
  const entry = makePad(typed, t("Sign in"), t("Touch your name, type your PIN"));
  showStage(t("Sign in"), left, entry);
  if (chosen) choose(chosen);
  (list.querySelector("button") || $("back")).focus();
}

/* A PIN is typed twice, so that a slip locks nobody out. */
function askPinTwice(title, limits, done) {
  const ask = (hint, next) => {
    const typed = new TypedField({ most: limits[1], secret: true, done: (text) => next(text) });
    const entry = makePad(typed, t("Next"), hint, true);
    showStage(title, entry);
  };
  const first = () => ask(t("{least} to {most} digits, not in a row", { least: limits[0], most: limits[1] }), (pin) => {
    if (pin.length < limits[0]) { showMessage(t("A PIN has {least} to {most} digits.", { least: limits[0], most: limits[1] })); return; }
    showMessage("");
    ask(t("The same once more"), (again) => {
      if (again === pin) done(pin, first);
      else { first(); showMessage(t("The two are not the same. Begin again.")); }
    });
  });
  first();
}

function renewPin(who, old, content) {
  showMessage(t("{name}, your PIN is a quarter of a year old. Choose another.", { name: who.name }), true);
  askPinTwice(t("A new PIN"), content.pin, async (pin, again) => {
    if (await postJson("/pin", { old, new: pin }, again)) goHome();
  });
}

function showEnrolment(content) {
  showMessage("");
  const digits = new TypedField({ most: 8, shape: (text) => text.replace(/^(....)(?=.)/, "$1-"), done: (code) => { showMessage(""); askName(code); } });
  const askName = (code) => {
    const typed = new TypedField({ most: 24, done: (text) => { showMessage(""); role(code, text.trim()); } });
    activeField = typed;
    const letters = makeElement("div", "letters");
    for (const letter of LETTERS) letters.append(makeButton(letter, () => typed.addSign(/[A-Z]/.test(letter) && /[\p{L}]$/u.test(typed.text) ? letter.toLowerCase() : letter)));
    const back = makeButton("⌫", () => typed.deleteLast());
    back.setAttribute("aria-label", t("Delete"));
    letters.append(back, makeButton(t("space"), () => typed.addSign(" "), "space"), makeButton(t("Next"), () => typed.submit(), "main"));
    const wide = makeElement("section", "wide");
    wide.append(makeElement("p", "hint", t("The name under which you sign in")), typed.field, letters);
    showStage(t("Your name"), wide);
  };
  const role = (code, name) => {
    activeField = null;
    const roles = makeElement("div", "roles");
    for (const [word, does] of Object.entries(DESCRIPTION_BY_ROLE)) {
      const made = makeButton("", () => askPinTwice(t("A PIN for {name}", { name }), content.pin, async (pin, again) => {
        const back = (why) => (why === "pin-unfit" ? again() : why?.startsWith("name-") ? askName(code) : showEnrolment(content));
        if (await postJson("/enrol", { code, name, role: word, pin }, back)) goHome();
      }));
      made.append(makeElement("span", "name", t(word)), makeElement("span", "role", does));
      roles.append(made);
    }
    showStage(t("What does {name} do?", { name }), roles);
    roles.querySelector("button").focus();
  };
  showStage(t("Enrol"), makePad(digits, t("Next"), t("The one-time code"), true));
  if (/^#\d{8}$/.test(location.hash)) {  // from the code on the table's own screen
    for (const digit of location.hash.slice(1)) digits.addSign(digit);
    history.replaceState(null, "", location.pathname);
  }
}

function leave() { location.assign("/"); }

$("back").addEventListener("click", leave);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Escape") { leave(); return; }
  const onKey = event.target.tagName === "BUTTON";
  if (onKey && (event.key === "Enter" || event.key === " ") && !(event.key === "Enter" && activeField && activeField.text)) return;
  const list = [...document.querySelectorAll("#names .list button")];
  const letter = event.key.length === 1 && !/[0-9]/.test(event.key);
  if (list.length && letter) {
    const found = list.find((made) => made.dataset.name.toUpperCase().startsWith(event.key.toUpperCase()));
    if (found) { found.focus(); found.click(); }
  } else if (list.length && event.key.startsWith("Arrow")) {
    const at = list.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 2 : event.key === "ArrowRight" ? 1 : event.key === "ArrowUp" ? -2 : -1);
    list[Math.max(0, Math.min(list.length - 1, at))].focus();
  } else if (activeField && event.key === "Backspace") activeField.deleteLast();
  else if (activeField && event.key === "Enter") activeField.submit();
  else if (activeField && event.key.length === 1 && (activeField.most === 24 || /[0-9]/.test(event.key))) activeField.addSign(event.key);
  else return;
  event.preventDefault();
});

const principal = await fetchPrincipal();
$("mode").textContent = t(principal.mode);
$("mode").dataset.mode = principal.mode;
if (principal.showroom) showMessage(t("This is a showroom: every page is open, nobody signs in."), true);
else showNames();
