/* Posts what a key asks, and says on the page why it was not taken. */
import { post } from "/static/session.js";
import { makeElement } from "/room/menu.js";

const messageElement = document.getElementById("said");

export function showMessage(text) {
  messageElement.textContent = text;
  messageElement.hidden = !text;
}

export async function postRequest(path, content) {
  const answer = await post(path, content).catch(() => null);
  const told = answer && answer.status !== 204 ? await answer.json().catch(() => ({})) : {};
  showMessage(answer && answer.ok ? "" : told.message || "");
  return answer && answer.ok ? told : null;
}

export function makeButton(text, act, className = "") {
  const made = makeElement("button", className, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/* A form of one line: `fields` are [name, label, value], `act` is handed what was typed. */
export function makeForm(fields, text, act) {
  const form = makeElement("form");
  for (const [name, label, value] of fields) {
    const field = makeElement("label", "", label);
    const input = makeElement("input");
    input.name = name;
    input.autocomplete = "off";
    input.required = true;
    input.value = value || "";
    field.append(input);
    form.append(field);
  }
  const button = makeElement("button", "main", text);
  form.append(button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await act(Object.fromEntries(new FormData(form)))) form.reset();
  });
  return form;
}
