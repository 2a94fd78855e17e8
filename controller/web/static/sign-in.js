/* Signing in, a new PIN every quarter, and enrolling with the one-time code: all by touch, or all by keyboard. */
import { describeRefusal, t, translatePlural } from "./language.js";
import { fetchPrincipal, post } from "./session.js";

const $ = (id) => document.getElementById(id);
const DESCRIPTION_BY_ROLE = {
  dealer: t("deals, and enters what happens"), floor: t("decides and overrules"), technician: t("devices, decks, staff"), auditor: t("reads the record"),
};
const FORGET_DELAY_S = 30;
const KEEP_PIN_S = 120;      /* how long a PIN is kept that the table has not taken for another reason */
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
  constructor({ maxLength, secret = false, text = "", shape = (typed) => typed, onSubmit }) {
    Object.assign(this, { maxLength, secret, shape, onSubmit, text });
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
  if (!content.staff.length) { showEnrolment(content); return; }
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
    entry.scrollIntoView({ block: "nearest" });
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
  left.append(makeButton(content.code ? t("I have a one-time code") : t("Here for the first time"), () => showEnrolment(content)));
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
  const askFirst = () => askPin(t("{least} to {most} digits; no sequence such as 123456", { least: limits[0], most: limits[1] }), (pin) => {
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

/* What somebody has typed who enrols: kept whatever the table says to it, the PIN for a short while. */
const draft = { code: "", role: "", name: "", pin: "" };

function keepPin(pin) {
  draft.pin = pin;
  setTimeout(() => { draft.pin = ""; }, KEEP_PIN_S * 1000);
}

function describeWhereCodeIs(content) {
  const isRoom = principal.mode === "room";
  if (content.staff.length) return isRoom ? t("A technician makes it, on the page Staff.") : t("A technician makes it, on the page Technician under Staff, or at the table's terminal: tablectl staff code");
  return isRoom ? t("The room's server says it in its log as it starts.") : t("It stands on the table's own screen and in its log since the start. At the table's terminal: tablectl staff code");
}

function showEnrolment(content) {
  showMessage("");
  const askCode = () => {
    const codeField = new TypedField({ maxLength: 8, text: draft.code, shape: (text) => text.replace(/^(....)(?=.)/, "$1-"), onSubmit: checkCode });
    const entry = makePad(codeField, t("Next"), t("The one-time code"), true);
    entry.insertBefore(makeElement("p", "where", describeWhereCodeIs(content)), codeField.field);
    showStage(t("Enrol"), entry);
    return codeField;
  };
  const checkCode = async (code) => {
    draft.code = code;
    const found = await postJson("/code/role", { code });
    if (!found) return;
    draft.role = found.role;
    if (draft.name && draft.pin) enrol(); else askName();
  };
  const askName = () => {
    const nameField = new TypedField({ maxLength: 24, text: draft.name, onSubmit: (text) => { showMessage(""); draft.name = text.trim(); if (draft.pin) enrol(); else askPin(); } });
    activeField = nameField;
    const letters = makeElement("div", "letters");
    for (const letter of LETTERS) letters.append(makeButton(letter, () => nameField.addSign(/[A-Z]/.test(letter) && /[\p{L}]$/u.test(nameField.text) ? letter.toLowerCase() : letter)));
    const back = makeButton("⌫", () => nameField.deleteLast());
    back.setAttribute("aria-label", t("Delete"));
    letters.append(back, makeButton(t("space"), () => nameField.addSign(" "), "space"), makeButton(t("Next"), () => nameField.submit(), "main"));
    const wide = makeElement("section", "wide");
    const whom = makeElement("p", "hint", t("This code enrols: {role} ({does}).", { role: t(draft.role), does: DESCRIPTION_BY_ROLE[draft.role] }));
    wide.append(whom, makeElement("p", "hint", t("The name under which you sign in")), nameField.field, letters);
    showStage(t("Your name"), wide);
  };
  const askPin = () => askPinTwice(t("A PIN for {name}", { name: draft.name }), content.pin, (pin) => { keepPin(pin); enrol(); });
  const askAgain = (refusalCode) => {
    if (refusalCode === "pin-unfit") { draft.pin = ""; askPin(); } else if (refusalCode?.startsWith("name-")) askName(); else if (refusalCode === "wrong-code") askCode(); else showTryAgain();
  };
  const showTryAgain = () => {
    const key = makeButton(t("Try again"), () => { if (draft.pin) enrol(); else { showMessage(""); askPin(); } }, "main");
    const wide = makeElement("section", "entry alone");
    wide.append(makeElement("p", "hint", t("{name}, {role}", { name: draft.name, role: t(draft.role) })), key);
    showStage(t("Enrol"), wide);
    key.focus();
  };
  const enrol = async () => {
    const { code, name, pin } = draft;
    if (!await postJson("/enrol", { code, name, pin }, askAgain)) return;
    Object.assign(draft, { code: "", role: "", name: "", pin: "" });
    goHome();
  };
  const codeField = askCode();
  if (/^#\d{8}$/.test(location.hash)) {  // from the code on the table's own screen
    codeField.clear();
    for (const digit of location.hash.slice(1)) codeField.addSign(digit);
    history.replaceState(null, "", location.pathname);
  }
  if (!content.code) showMessage(t("No one-time code is open now."), true);
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
if (principal.showroom) showStage(t("Sign in"), makeElement("p", "", t("This is a showroom: every page is open, nobody signs in.")));
else showNames();
