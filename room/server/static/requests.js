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
  const reply = answer && answer.status !== 204 ? await answer.json().catch(() => ({})) : {};
  showMessage(answer && answer.ok ? "" : reply.message || "");
  return answer && answer.ok ? reply : null;
}

export function makeButton(text, act, className = "") {
  const button = makeElement("button", className, text);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

/* A form of one line: `fields` are [name, label, value], `onSubmit` is handed what was typed. */
export function makeForm(fields, text, onSubmit) {
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
    if (await onSubmit(Object.fromEntries(new FormData(form)))) form.reset();
  });
  return form;
}
