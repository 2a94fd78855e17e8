/* Who is signed in on this browser, and how a page asks the table for something. docs/web.md says the rest. */

import { makeElement } from "./elements.js";
import { t } from "./language.js";

let principalRequest = null;

/* What `GET /who` says; asked once, and again after `fresh`. */
export async function fetchPrincipal(fresh = false) {
  if (!principalRequest || fresh) {
    const request = fetch("/who").then((answer) => answer.json());
    principalRequest = request;
    request.catch(() => { if (principalRequest === request) principalRequest = null; });
  }
  return principalRequest;
}

export function goToSignIn() { location.assign("/sign-in"); }

/* Asks whoever is signed in for the PIN, over the page where it has a sheet; whether it was right. */
async function isPinTyped() {
  if (!document.getElementById("sheet")) { goToSignIn(); return false; }
  const { confirmPin } = await import("./pin-sheet.js");
  return confirmPin(await fetchPrincipal(true));
}

/* A POST of JSON with the token of this session, as `fetch` answers it. */
export async function post(path, content = {}) {
  const send = (principal) => fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(principal.token ? { "X-Table-Token": principal.token } : {}) },
    body: JSON.stringify(content),
  });
  let answer = await send(await fetchPrincipal());
  if (answer.status === 401 || answer.status === 403) {
    const refusal = await answer.clone().json().catch(() => ({}));
    if (refusal.code === "token-missing") answer = await send(await fetchPrincipal(true));
    else if (refusal.code === "pin-to-decide" && await isPinTyped()) answer = await send(await fetchPrincipal(true));
    else if (refusal.code === "sign-in-needed" && path !== "/sign-in") goToSignIn();
  }
  return answer;
}

/* A name with its roles behind, which a page may leave out. */
function makeName({ name, roles }) {
  const text = makeElement("span", "", name);
  text.append(makeElement("span", "roles", `, ${roles.map((role) => t(role)).join(", ")} `));
  return text;
}

/* Keeps name, role and a key to sign out in `place`, or a key to sign in; `onPrincipal` is told who it is, every time, as
   long as it `isWanted`. */
export async function showPrincipal(place, onPrincipal = () => {}, isWanted = () => true) {
  if (!isWanted()) return;
  const principal = await fetchPrincipal(true).catch(() => null);
  if (!principal) { setTimeout(() => showPrincipal(place, onPrincipal, isWanted), 3000); return; }
  onPrincipal(principal);
  if (principal.showroom) {
    place.replaceChildren(makeElement("span", "", t("no sign-in")));
    return;
  }
  const key = makeElement("button", "", principal.name ? t("Sign out") : t("Sign in"));
  key.type = "button";
  key.addEventListener("click", async () => {
    if (principal.name) { await post("/sign-out"); showPrincipal(place, onPrincipal, isWanted); } else goToSignIn();
  });
  place.replaceChildren(...(principal.name ? [makeName(principal)] : []), key);
  if (principal.name) setTimeout(() => showPrincipal(place, onPrincipal, isWanted), Math.min(Math.max(principal.seconds, 1) * 1000 + 500, 60000));
}
