/* Who somebody is, by touch, without leaving the page: their name, and their PIN on the pad. */
import { describeRefusal, t } from "./language.js";
import { addSecretKeypad } from "./keypad.js";
import { fetchPrincipal, goToSignIn, post } from "./session.js";
import { closeSheet, openSheet } from "./sheet.js";
import { formatLabel, makeElement } from "./table.js";

/* Names of this role and a pad; `done` is called once one of them is signed in on this browser. */
export async function openPinSheet(title, role, done) {
  const answer = await fetch("/staff").catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  const people = (content.staff || []).filter((person) => person.role === role);
  const body = makeElement("div", "amount");
  const said = makeElement("p", "said", people.length ? t("Touch your name, type your PIN.") : describeRefusal(content) || t("Nobody is enrolled as {role}.", { role: formatLabel(role) }));
  said.setAttribute("role", "alert");
  const names = makeElement("div", "people");
  let chosen = null;
  const choose = (person) => {
    chosen = person;
    for (const made of names.children) made.setAttribute("aria-pressed", String(made.dataset.name === person.name));
    said.textContent = t("{name}: type your PIN.", { name: person.name });
  };
  for (const person of people) {
    const made = makeElement("button", "", person.name);
    made.type = "button";
    made.dataset.name = person.name;
    made.setAttribute("aria-pressed", "false");
    made.addEventListener("click", () => choose(person));
    names.append(made);
  }
  if (people.length === 1) choose(people[0]);
  const clear = addSecretKeypad(body, t("Enter"), async (pin) => {
    if (!chosen) { said.textContent = t("Touch your name first."); return; }
    clear();
    const taken = await post("/sign-in", { name: chosen.name, pin }).catch(() => null);
    if (taken && taken.ok && (await taken.clone().json().catch(() => ({}))).renew) { goToSignIn(); return; }
    if (taken && taken.ok) { await fetchPrincipal(true); closeSheet(); done(); return; }
    const why = taken ? await taken.json().catch(() => ({})) : {};
    said.textContent = describeRefusal(why) || t("No connection to the table.");
  });
  body.prepend(said, names);
  openSheet(title, body, true);
}
