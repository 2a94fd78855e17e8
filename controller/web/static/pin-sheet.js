/* Who somebody is, by touch, without leaving the page: their name, and their PIN on the pad. */
import { reason, t } from "./language.js";
import { secretPad } from "./keypad.js";
import { post, signedIn, signInHere } from "./session.js";
import { closeSheet, openSheet } from "./sheet.js";
import { element, words } from "./table.js";

/* Names of this role and a pad; `done` is called once one of them is signed in on this browser. */
export async function askWho(title, role, done) {
  const answer = await fetch("/staff").catch(() => null);
  const content = answer ? await answer.json().catch(() => ({})) : {};
  const people = (content.staff || []).filter((person) => person.role === role);
  const body = element("div", "amount");
  const said = element("p", "said", people.length ? t("Touch your name, type your PIN.") : reason(content) || t("Nobody is enrolled as {role}.", { role: words(role) }));
  said.setAttribute("role", "alert");
  const names = element("div", "people");
  let chosen = null;
  const choose = (person) => {
    chosen = person;
    for (const made of names.children) made.setAttribute("aria-pressed", String(made.dataset.name === person.name));
    said.textContent = t("{name}: type your PIN.", { name: person.name });
  };
  for (const person of people) {
    const made = element("button", "", person.name);
    made.type = "button";
    made.dataset.name = person.name;
    made.setAttribute("aria-pressed", "false");
    made.addEventListener("click", () => choose(person));
    names.append(made);
  }
  if (people.length === 1) choose(people[0]);
  const clear = secretPad(body, t("Enter"), async (pin) => {
    if (!chosen) { said.textContent = t("Touch your name first."); return; }
    clear();
    const taken = await post("/sign-in", { name: chosen.name, pin }).catch(() => null);
    if (taken && taken.ok && (await taken.clone().json().catch(() => ({}))).renew) { signInHere(); return; }
    if (taken && taken.ok) { await signedIn(true); closeSheet(); done(); return; }
    const why = taken ? await taken.json().catch(() => ({})) : {};
    said.textContent = reason(why) || t("No connection to the table.");
  });
  body.prepend(said, names);
  openSheet(title, body, true);
}
