/* Signing in, a new PIN every quarter, and enrolling with the one-time code: all by touch, or all by keyboard. */
import { counted, reason, t } from "./language.js";
import { post, signedIn } from "./session.js";

const $ = (id) => document.getElementById(id);
const ROLES = {
  dealer: t("deals, and enters what happens"), floor: t("decides and overrules"), technician: t("devices, decks, staff"), auditor: t("reads the record"),
};
const FORGET_SECONDS = 30;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ.'-";

let typing = null;      /* what digits and letters of the keyboard go to */
let wiping = 0;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function key(text, act, className = "") {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function say(text, good = false) {
  $("message").textContent = text;
  $("message").className = good ? "good" : "";
}

function show(title, ...parts) {
  $("title").textContent = title;
  $("stage").replaceChildren(...parts);
}

/* Keeps what is typed; secret digits are shown as dots, and forgotten when nobody goes on. */
class Typed {
  constructor({ most, secret = false, shape = (text) => text, done }) {
    Object.assign(this, { most, secret, shape, done, text: "" });
    this.field = element("output", secret ? "shown" : "shown plain");
    this.draw();
  }

  put(sign) { if (this.text.length < this.most) { this.text += sign; this.draw(); } }

  back() { this.text = this.text.slice(0, -1); this.draw(); }

  clear() { this.text = ""; this.draw(); }

  enter() { if (this.text) this.done(this.text); }

  draw() {
    this.field.textContent = this.secret ? "●".repeat(this.text.length) : this.shape(this.text);
    this.field.setAttribute("aria-label", this.secret ? counted("1 digit", "{n} digits", this.text.length) : this.text || t("nothing typed"));
    clearTimeout(wiping);
    if (this.secret && this.text) wiping = setTimeout(() => this.clear(), FORGET_SECONDS * 1000);
  }
}

function pad(typed, text, hint, alone = false) {
  typing = typed;
  const keys = element("div", "pad");
  for (const digit of "123456789") keys.append(key(digit, () => typed.put(digit)));
  const back = key("⌫", () => typed.back());
  back.setAttribute("aria-label", t("Delete"));
  keys.append(back, key("0", () => typed.put("0")), key(text, () => typed.enter(), "main"));
  const entry = element("section", alone ? "entry alone" : "entry");
  entry.append(element("p", "hint", hint), typed.field, keys);
  return entry;
}

/* What the table answers, or `null` when it says no; `refused` gets the code of why. */
async function answerOf(path, content, refused = () => {}) {
  say("");
  const answer = await post(path, content).catch(() => null);
  if (answer && answer.ok) return answer.status === 204 ? {} : answer.json();
  const why = answer ? await answer.json().catch(() => ({})) : {};
  refused(why.code);
  say(reason(why) || (answer ? t("Not done ({status}).", { status: answer.status }) : t("No connection to the table.")));
  return null;
}

async function goHome() {
  const who = await signedIn(true);
  location.assign(who.home || "/");
}

/* The names, and the pad beside them. */
async function names() {
  const answer = await fetch("/staff").catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  if (!answer || !answer.ok) { show(t("Sign in")); say(reason(content) || t("No connection to the table.")); return; }
  if (!content.staff.length) { show(t("Nobody is enrolled yet")); if (content.code) enrol(content); else say(t("Start the table anew for a one-time code, or make one: tablectl staff code")); return; }
  let chosen = content.staff.length === 1 ? content.staff[0] : null;
  const typed = new Typed({ most: content.pin[1], secret: true, done: async (pin) => {
    if (!chosen) { say(t("Touch your name first.")); return; }
    typed.clear();
    const in_ = await answerOf("/sign-in", { name: chosen.name, pin });
    if (in_ && in_.renew) renew(in_, pin, content);
    else if (in_) goHome();
  } });
  const list = element("div", "list");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", t("Names"));
  const choose = (person) => {
    chosen = person;
    typed.clear();
    say("");
    for (const made of list.children) made.setAttribute("aria-pressed", String(made.dataset.name === person.name));
    entry.querySelector(".hint").textContent = t("{name}: type your PIN", { name: person.name });
  };
  for (const person of content.staff) {
    const made = key("", () => choose(person));
    made.dataset.name = person.name;
    made.setAttribute("aria-pressed", "false");
    made.append(element("span", "name", person.name), element("span", "role", t(person.role)));
    list.append(made);
  }
  const left = element("section", "");
  left.id = "names";
  left.append(list);
  if (content.code) left.append(key(t("I have a one-time code"), () => enrol(content)));
  const entry = pad(typed, t("Sign in"), t("Touch your name, type your PIN"));
  show(t("Sign in"), left, entry);
  if (chosen) choose(chosen);
  (list.querySelector("button") || $("back")).focus();
}

/* A PIN is typed twice, so that a slip locks nobody out. */
function twice(title, limits, done) {
  const ask = (hint, next) => {
    const typed = new Typed({ most: limits[1], secret: true, done: (text) => next(text) });
    const entry = pad(typed, t("Next"), hint, true);
    show(title, entry);
  };
  const first = () => ask(t("{least} to {most} digits, not in a row", { least: limits[0], most: limits[1] }), (pin) => {
    if (pin.length < limits[0]) { say(t("A PIN has {least} to {most} digits.", { least: limits[0], most: limits[1] })); return; }
    say("");
    ask(t("The same once more"), (again) => {
      if (again === pin) done(pin, first);
      else { first(); say(t("The two are not the same. Begin again.")); }
    });
  });
  first();
}

function renew(who, old, content) {
  say(t("{name}, your PIN is a quarter of a year old. Choose another.", { name: who.name }), true);
  twice(t("A new PIN"), content.pin, async (pin, again) => {
    if (await answerOf("/pin", { old, new: pin }, again)) goHome();
  });
}

function enrol(content) {
  say("");
  const digits = new Typed({ most: 8, shape: (text) => text.replace(/^(....)(?=.)/, "$1-"), done: (code) => { say(""); askName(code); } });
  const askName = (code) => {
    const typed = new Typed({ most: 24, done: (text) => { say(""); role(code, text.trim()); } });
    typing = typed;
    const letters = element("div", "letters");
    for (const letter of LETTERS) letters.append(key(letter, () => typed.put(/[A-Z]/.test(letter) && /[\p{L}]$/u.test(typed.text) ? letter.toLowerCase() : letter)));
    const back = key("⌫", () => typed.back());
    back.setAttribute("aria-label", t("Delete"));
    letters.append(back, key(t("space"), () => typed.put(" "), "space"), key(t("Next"), () => typed.enter(), "main"));
    const wide = element("section", "wide");
    wide.append(element("p", "hint", t("The name under which you sign in")), typed.field, letters);
    show(t("Your name"), wide);
  };
  const role = (code, name) => {
    typing = null;
    const roles = element("div", "roles");
    for (const [word, does] of Object.entries(ROLES)) {
      const made = key("", () => twice(t("A PIN for {name}", { name }), content.pin, async (pin, again) => {
        const back = (why) => (why === "pin-unfit" ? again() : why?.startsWith("name-") ? askName(code) : enrol(content));
        if (await answerOf("/enrol", { code, name, role: word, pin }, back)) goHome();
      }));
      made.append(element("span", "name", t(word)), element("span", "role", does));
      roles.append(made);
    }
    show(t("What does {name} do?", { name }), roles);
    roles.querySelector("button").focus();
  };
  show(t("Enrol"), pad(digits, t("Next"), t("The one-time code"), true));
  if (/^#\d{8}$/.test(location.hash)) {  // from the code on the table's own screen
    for (const digit of location.hash.slice(1)) digits.put(digit);
    history.replaceState(null, "", location.pathname);
  }
}

function leave() { location.assign("/"); }

$("back").addEventListener("click", leave);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Escape") { leave(); return; }
  const onKey = event.target.tagName === "BUTTON";
  if (onKey && (event.key === "Enter" || event.key === " ") && !(event.key === "Enter" && typing && typing.text)) return;
  const list = [...document.querySelectorAll("#names .list button")];
  const letter = event.key.length === 1 && !/[0-9]/.test(event.key);
  if (list.length && letter) {
    const found = list.find((made) => made.dataset.name.toUpperCase().startsWith(event.key.toUpperCase()));
    if (found) { found.focus(); found.click(); }
  } else if (list.length && event.key.startsWith("Arrow")) {
    const at = list.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 2 : event.key === "ArrowRight" ? 1 : event.key === "ArrowUp" ? -2 : -1);
    list[Math.max(0, Math.min(list.length - 1, at))].focus();
  } else if (typing && event.key === "Backspace") typing.back();
  else if (typing && event.key === "Enter") typing.enter();
  else if (typing && event.key.length === 1 && (typing.most === 24 || /[0-9]/.test(event.key))) typing.put(event.key);
  else return;
  event.preventDefault();
});

const who = await signedIn();
$("mode").textContent = t(who.mode);
$("mode").dataset.mode = who.mode;
if (who.showroom) say(t("This is a showroom: every page is open, nobody signs in."), true);
else names();
