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
  const button = document.createElement(tag);
  if (className) button.className = className;
  if (text !== undefined) button.textContent = text;
  return button;
}

function makeButton(text, act, className = "") {
  const button = makeElement("button", className, text);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
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
  constructor({ maxLength, secret = false, shape = (text) => text, onSubmit }) {
    Object.assign(this, { maxLength, secret, shape, onSubmit, text: "" });
    this.field = makeElement("output", secret ? "shown" : "shown plain");
    this.draw();
  }

  addSign(sign) { if (this.text.length < this.maxLength) { this.text += sign; this.draw(); } }

  deleteLast() { this.text = this.text.slice(0, -1); this.draw(); }

  clear() { this.text = ""; this.draw(); }

  submit() { if (this.text) this.onSubmit(this.text); }

  draw() {
    this.field.textContent = this.secret ? "●".repeat(this.text.length) : this.shape(this.text);
    this.field.setAttribute("aria-label", this.secret ? translatePlural("1 digit", "{n} digits", this.text.length) : this.text || t("nothing typed"));
    clearTimeout(wipeTimer);
    if (this.secret && this.text) wipeTimer = setTimeout(() => this.clear(), FORGET_DELAY_S * 1000);
  }
}

function makePad(field, text, hint, alone = false) {
  activeField = field;
  const keys = makeElement("div", "pad");
  for (const digit of "123456789") keys.append(makeButton(digit, () => field.addSign(digit)));
  const back = makeButton("⌫", () => field.deleteLast());
  back.setAttribute("aria-label", t("Delete"));
  keys.append(back, makeButton("0", () => field.addSign("0")), makeButton(text, () => field.submit(), "main"));
  const entry = makeElement("section", alone ? "entry alone" : "entry");
  entry.append(makeElement("p", "hint", hint), field.field, keys);
  return entry;
}

/* What the table answers, or `null` when it says no; `onRefused` gets the code of why. */
async function postJson(path, content, onRefused = () => {}) {
  showMessage("");
  const answer = await post(path, content).catch(() => null);
  if (answer && answer.ok) return answer.status === 204 ? {} : answer.json();
  const refusal = answer ? await answer.json().catch(() => ({})) : {};
  onRefused(refusal.code);
  showMessage(describeRefusal(refusal) || (answer ? t("Not done ({status}).", { status: answer.status }) : t("No connection to the table.")));
  return null;
}

async function goHome() {
  const principal = await fetchPrincipal(true);
  location.assign(principal.home || "/");
}

/* The names, and the pad beside them. */
async function showNames() {
  const answer = await fetch("/staff").catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  if (!answer || !answer.ok) { showStage(t("Sign in")); showMessage(describeRefusal(content) || t("No connection to the table.")); return; }
  if (!content.staff.length) { showStage(t("Nobody is enrolled yet")); if (content.code) showEnrolment(content); else showMessage(t("Start the table anew for a one-time code, or make one: tablectl staff code")); return; }
  let chosenPerson = content.staff.length === 1 ? content.staff[0] : null;
  const pinField = new TypedField({ maxLength: content.pin[1], secret: true, onSubmit: async (pin) => {
    if (!chosenPerson) { showMessage(t("Touch your name first.")); return; }
    pinField.clear();
    const signedIn = await postJson("/sign-in", { name: chosenPerson.name, pin });
    if (signedIn && signedIn.renew) renewPin(signedIn, pin, content);
    else if (signedIn) goHome();
  } });
  const list = makeElement("div", "list");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", t("Names"));
  const choosePerson = (person) => {
    chosenPerson = person;
    pinField.clear();
    showMessage("");
    for (const button of list.children) button.setAttribute("aria-pressed", String(button.dataset.name === person.name));
    entry.querySelector(".hint").textContent = t("{name}: type your PIN", { name: person.name });
  };
  for (const person of content.staff) {
    const button = makeButton("", () => choosePerson(person));
    button.dataset.name = person.name;
    button.setAttribute("aria-pressed", "false");
    button.append(makeElement("span", "name", person.name), makeElement("span", "role", t(person.role)));
    list.append(button);
  }
  const left = makeElement("section", "");
  left.id = "names";
  left.append(list);
  if (content.code) left.append(makeButton(t("I have a one-time code"), () => showEnrolment(content)));
  const entry = makePad(pinField, t("Sign in"), t("Touch your name, type your PIN"));
  showStage(t("Sign in"), left, entry);
  if (chosenPerson) choosePerson(chosenPerson);
  (list.querySelector("button") || $("back")).focus();
}

/* A PIN is typed twice, so that a slip locks nobody out. */
function askPinTwice(title, limits, onPin) {
  const askPin = (hint, onTyped) => {
    const pinField = new TypedField({ maxLength: limits[1], secret: true, onSubmit: (text) => onTyped(text) });
    const entry = makePad(pinField, t("Next"), hint, true);
    showStage(title, entry);
  };
  const askFirst = () => askPin(t("{least} to {most} digits, not in a row", { least: limits[0], most: limits[1] }), (pin) => {
    if (pin.length < limits[0]) { showMessage(t("A PIN has {least} to {most} digits.", { least: limits[0], most: limits[1] })); return; }
    showMessage("");
    askPin(t("The same once more"), (askAgain) => {
      if (askAgain === pin) onPin(pin, askFirst);
      else { askFirst(); showMessage(t("The two are not the same. Begin again.")); }
    });
  });
  askFirst();
}

function renewPin(principal, old, content) {
  showMessage(t("{name}, your PIN is a quarter of a year old. Choose another.", { name: principal.name }), true);
  askPinTwice(t("A new PIN"), content.pin, async (pin, askAgain) => {
    if (await postJson("/pin", { old, new: pin }, askAgain)) goHome();
  });
}

function showEnrolment(content) {
  showMessage("");
  const codeField = new TypedField({ maxLength: 8, shape: (text) => text.replace(/^(....)(?=.)/, "$1-"), onSubmit: (code) => { showMessage(""); askName(code); } });
  const askName = (code) => {
    const nameField = new TypedField({ maxLength: 24, onSubmit: (text) => { showMessage(""); askRole(code, text.trim()); } });
    activeField = nameField;
    const letters = makeElement("div", "letters");
    for (const letter of LETTERS) letters.append(makeButton(letter, () => nameField.addSign(/[A-Z]/.test(letter) && /[\p{L}]$/u.test(nameField.text) ? letter.toLowerCase() : letter)));
    const back = makeButton("⌫", () => nameField.deleteLast());
    back.setAttribute("aria-label", t("Delete"));
    letters.append(back, makeButton(t("space"), () => nameField.addSign(" "), "space"), makeButton(t("Next"), () => nameField.submit(), "main"));
    const wide = makeElement("section", "wide");
    wide.append(makeElement("p", "hint", t("The name under which you sign in")), nameField.field, letters);
    showStage(t("Your name"), wide);
  };
  const askRole = (code, name) => {
    activeField = null;
    const roles = makeElement("div", "roles");
    for (const [word, does] of Object.entries(DESCRIPTION_BY_ROLE)) {
      const button = makeButton("", () => askPinTwice(t("A PIN for {name}", { name }), content.pin, async (pin, askAgain) => {
        const back = (refusalCode) => (refusalCode === "pin-unfit" ? askAgain() : refusalCode?.startsWith("name-") ? askName(code) : showEnrolment(content));
        if (await postJson("/enrol", { code, name, role: word, pin }, back)) goHome();
      }));
      button.append(makeElement("span", "name", t(word)), makeElement("span", "role", does));
      roles.append(button);
    }
    showStage(t("What does {name} do?", { name }), roles);
    roles.querySelector("button").focus();
  };
  showStage(t("Enrol"), makePad(codeField, t("Next"), t("The one-time code"), true));
  if (/^#\d{8}$/.test(location.hash)) {  // from the code on the table's own screen
    for (const digit of location.hash.slice(1)) codeField.addSign(digit);
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
    const found = list.find((button) => button.dataset.name.toUpperCase().startsWith(event.key.toUpperCase()));
    if (found) { found.focus(); found.click(); }
  } else if (list.length && event.key.startsWith("Arrow")) {
    const index = list.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 2 : event.key === "ArrowRight" ? 1 : event.key === "ArrowUp" ? -2 : -1);
    list[Math.max(0, Math.min(list.length - 1, index))].focus();
  } else if (activeField && event.key === "Backspace") activeField.deleteLast();
  else if (activeField && event.key === "Enter") activeField.submit();
  else if (activeField && event.key.length === 1 && (activeField.maxLength === 24 || /[0-9]/.test(event.key))) activeField.addSign(event.key);
  else return;
  event.preventDefault();
});

const principal = await fetchPrincipal();
$("mode").textContent = t(principal.mode);
$("mode").dataset.mode = principal.mode;
if (principal.showroom) showMessage(t("This is a showroom: every page is open, nobody signs in."), true);
else showNames();
