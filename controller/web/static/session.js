/* Who is signed in on this browser, and how a page asks the table for something. docs/web.md says the rest. */

import { t } from "./language.js";

let known = null;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/* What `GET /who` says; asked once, and again after `fresh`. */
export async function signedIn(fresh = false) {
  if (!known || fresh) {
    const asked = fetch("/who").then((answer) => answer.json());
    known = asked;
    asked.catch(() => { if (known === asked) known = null; });
  }
  return known;
}

export function signInHere() { location.assign("/sign-in"); }

/* A POST of JSON with the token of this session, as `fetch` answers it. */
export async function post(path, content = {}) {
  const send = (who) => fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(who.token ? { "X-Table-Token": who.token } : {}) },
    body: JSON.stringify(content),
  });
  let answer = await send(await signedIn());
  if (answer.status === 401 || answer.status === 403) {
    const why = await answer.clone().json().catch(() => ({}));
    if (why.code === "token-missing") answer = await send(await signedIn(true));
    else if (why.code === "sign-in-needed" && path !== "/sign-in") signInHere();
  }
  return answer;
}

/* Keeps name, role and a key to sign out in `place`, or a key to sign in; `changed` is told who it is, every time, as
   long as it is `wanted`. */
export async function showWho(place, changed = () => {}, wanted = () => true) {
  if (!wanted()) return;
  const who = await signedIn(true).catch(() => null);
  if (!who) { setTimeout(() => showWho(place, changed, wanted), 3000); return; }
  changed(who);
  if (who.showroom) {
    place.replaceChildren(element("span", "", t("no sign-in")));
    return;
  }
  const key = element("button", "", who.name ? t("Sign out") : t("Sign in"));
  key.type = "button";
  key.addEventListener("click", async () => {
    if (who.name) { await post("/sign-out"); showWho(place, changed, wanted); } else signInHere();
  });
  place.replaceChildren(...(who.name ? [element("span", "", `${who.name}, ${who.roles.map((role) => t(role)).join(", ")} `)] : []), key);
  if (who.name) setTimeout(() => showWho(place, changed, wanted), Math.min(Math.max(who.seconds, 1) * 1000 + 500, 60000));
}
