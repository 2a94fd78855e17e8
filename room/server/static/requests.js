/* Posts what a key asks, and says on the page why it was not taken. */
import { post } from "/static/session.js";
import { element } from "/room/menu.js";

const said = document.getElementById("said");

export function say(text) {
  said.textContent = text;
  said.hidden = !text;
}

export async function ask(path, content) {
  const answer = await post(path, content).catch(() => null);
  const told = answer && answer.status !== 204 ? await answer.json().catch(() => ({})) : {};
  say(answer && answer.ok ? "" : told.message || "");
  return answer && answer.ok ? told : null;
}

export function key(text, act, className = "") {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/* A form of one line: `fields` are [name, label, value], `act` is handed what was typed. */
export function line(fields, text, act) {
  const form = element("form");
  for (const [name, label, value] of fields) {
    const field = element("label", "", label);
    const input = element("input");
    input.name = name;
    input.autocomplete = "off";
    input.required = true;
    input.value = value || "";
    field.append(input);
    form.append(field);
  }
  const button = element("button", "main", text);
  form.append(button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await act(Object.fromEntries(new FormData(form)))) form.reset();
  });
  return form;
}
