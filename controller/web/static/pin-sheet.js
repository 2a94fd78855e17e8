/* Who somebody is, by touch, without leaving the page: their name, and their PIN on the pad. */
import { describeRefusal, t } from "./language.js";
import { addSecretKeypad } from "./keypad.js";
import { fetchPrincipal, goToSignIn, post } from "./session.js";
import { closeSheet, openSheet } from "./sheet.js";
import { formatLabel, makeElement } from "./table.js";

/* The PIN of whoever is signed in, once more: whether it was typed, or the sheet was closed. */
export function confirmPin(principal) {
  return new Promise((resolve) => {
    const sheet = document.getElementById("sheet");
    const onClosed = () => resolve(false);
    openPinSheet(t("Your PIN, to decide"), principal.roles[0], () => { sheet.removeEventListener("close", onClosed); resolve(true); }, principal.name)
      .then(() => sheet.addEventListener("close", onClosed, { once: true }));
  });
}

/* Names of this role and a pad, or `only` this one; `onSignedIn` is called once one of them is signed in on this browser. */
export async function openPinSheet(title, role, onSignedIn, only = null) {
  const answer = await fetch("/staff").catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  const people = (content.staff || []).filter((person) => person.role === role && (only === null || person.name === only));
  const body = makeElement("div", "amount");
  const messageElement = makeElement("p", "said", people.length ? t("Touch your name, type your PIN.") : describeRefusal(content) || t("Nobody is enrolled as {role}.", { role: formatLabel(role) }));
  messageElement.setAttribute("role", "alert");
  const names = makeElement("div", "people");
  let chosenPerson = null;
  const choosePerson = (person) => {
    chosenPerson = person;
    for (const button of names.children) button.setAttribute("aria-pressed", String(button.dataset.name === person.name));
    messageElement.textContent = t("{name}: type your PIN.", { name: person.name });
  };
  for (const person of people) {
    const button = makeElement("button", "", person.name);
    button.type = "button";
    button.dataset.name = person.name;
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => choosePerson(person));
    names.append(button);
  }
  if (people.length === 1) choosePerson(people[0]);
  const clear = addSecretKeypad(body, t("Enter"), async (pin) => {
    if (!chosenPerson) { messageElement.textContent = t("Touch your name first."); return; }
    clear();
    const response = await post("/sign-in", { name: chosenPerson.name, pin }).catch(() => null);
    if (response && response.ok && (await response.clone().json().catch(() => ({}))).renew) { goToSignIn(); return; }
    if (response && response.ok) { await fetchPrincipal(true); closeSheet(); onSignedIn(); return; }
    const refusal = response ? await response.json().catch(() => ({})) : {};
    messageElement.textContent = describeRefusal(refusal) || t("No connection to the table.");
  });
  body.prepend(messageElement, names);
  openSheet(title, body, true);
}
