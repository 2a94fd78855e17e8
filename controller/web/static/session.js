/* Who is signed in on this browser, and how a page asks the table for something. docs/web.md says the rest. */

import { t } from "./language.js";

let principalRequest = null;

function makeElement(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/* What `GET /who` says; asked once, and again after `fresh`. */
export async function fetchPrincipal(fresh = false) {
  if (!principalRequest || fresh) {
    const asked = fetch("/who").then((answer) => answer.json());
    principalRequest = asked;
    asked.catch(() => { if (principalRequest === asked) principalRequest = null; });
  }
  return principalRequest;
}

export function goToSignIn() { location.assign("/sign-in"); }

/* A POST of JSON with the token of this session, as `fetch` answers it. */
export async function post(path, content = {}) {
  const send = (who) => fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(who.token ? { "X-Table-Token": who.token } : {}) },
    body: JSON.stringify(content),
  });
  let answer = await send(await fetchPrincipal());
  if (answer.status === 401 || answer.status === 403) {
    const why = await answer.clone().json().catch(() => ({}));
    if (why.code === "token-missing") answer = await send(await fetchPrincipal(true));
    else if (why.code === "sign-in-needed" && path !== "/sign-in") goToSignIn();
  }
  return answer;
}

/* Keeps name, role and a key to sign out in `place`, or a key to sign in; `changed` is told who it is, every time, as
   long as it is `wanted`. */
export async function showPrincipal(place, changed = () => {}, wanted = () => true) {
  if (!wanted()) return;
  const who = await fetchPrincipal(true).catch(() => null);
  if (!who) { setTimeout(() => showPrincipal(place, changed, wanted), 3000); return; }
  changed(who);
  if (who.showroom) {
    place.replaceChildren(makeElement("span", "", t("no sign-in")));
    return;
  }
  const key = makeElement("button", "", who.name ? t("Sign out") : t("Sign in"));
  key.type = "button";
  key.addEventListener("click", async () => {
    if (who.name) { await post("/sign-out"); showPrincipal(place, changed, wanted); } else goToSignIn();
  });
  place.replaceChildren(...(who.name ? [makeElement("span", "", `${who.name}, ${who.roles.map((role) => t(role)).join(", ")} `)] : []), key);
  if (who.name) setTimeout(() => showPrincipal(place, changed, wanted), Math.min(Math.max(who.seconds, 1) * 1000 + 500, 60000));
}
