/* The technician's page: devices and faults always; lamps, decks and what devices say while the table is out of service. */
import { counted, reason, t } from "./language.js";
import { post, showWho, signInHere } from "./session.js";
import { $, capital, connect, drawHeader, drawNext, element, faultName, words } from "./table.js";

const OUT_OF_SERVICE = "fault:in-service";
const ASKED_EVERY_MS = 400;

let state = null;
let mine = null;
let work = null;
let refused = "";

function key(text, act, className = "") {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function refuse(message) {
  $("refusal").hidden = !message;
  $("refusal").querySelector(".message").textContent = message || "";
}

/* The table also refuses without an entry, so a refusal is told from the one before it by its words. */
function drawRefusal() {
  const now = state.refusal && state.refusal.source === "page" ? capital(state.refusal.message) : "";
  if (now !== refused) refuse(now);
  refused = now;
}

async function answered(answer) {
  if (answer.ok) return true;
  const why = await answer.json().catch(() => ({}));
  refuse(reason(why) || t("Not done ({status}).", { status: answer.status }));
  return false;
}

/* What was refused before goes before the table is asked: its refusal may be here sooner than the answer to the post. */
function forget() { refuse(refused = ""); }

async function enter(line) {
  forget();
  await answered(await post("/entry", { seen: state.entry, line }));
}

async function want(wish) {
  forget();
  await answered(await post("/workshop", wish));
  ask();
}

const may = () => Boolean(mine && mine.roles.includes("technician"));

function drawProgram() { $("program").textContent = `table-controller ${state.setup.program}`; }

function drawFaults() {
  const faults = state.faults || [];
  $("faults").hidden = !faults.length;
  $("faults").querySelector("ul").replaceChildren(...faults.map((fault) => {
    const item = element("li", "", `${capital(faultName(fault.code))}: ${fault.text} `);
    if (fault.technician) item.append(element("em", "", fault.technician), " ");
    if (fault.id && fault.id !== OUT_OF_SERVICE && mine && fault.clears.some((role) => mine.roles.includes(role))) {
      item.append(key(t("It is over"), () => enter({ ev: "device", id: fault.id, status: "back" })));
    }
    return item;
  }));
}

function drawDevices() {
  $("list").querySelector("tbody").replaceChildren(...state.devices.map((device) => {
    const row = element("tr", device.state);
    const mark = { ready: "✔", lost: "✖", waiting: "…" }[device.state] || "";
    row.append(
      element("th", "", device.name), element("td", "", device.driver), element("td", "", `${mark} ${words(device.state)}${device.why ? `: ${device.why}` : ""}`),
      element("td", "", device.noise ? counted("1 byte", "{n} bytes", device.noise) : ""),
    );
    row.firstChild.scope = "row";
    return row;
  }));
  const notices = state.notices.map((notice) => element("li", "", `${notice.device}: ${notice.text} ${notice.technician || ""}`));
  $("notices").querySelector("ul").replaceChildren(...(notices.length ? notices : [element("li", "none", t("None."))]));
}

function drawService() {
  const serving = Boolean(work && work.serving);
  const keys = [];
  if (!may()) keys.push(key(t("Sign in as technician"), signInHere, "main"));
  else if (serving) keys.push(key(t("Put back in service"), () => enter({ ev: "device", id: OUT_OF_SERVICE, status: "back" }), "main"));
  else keys.push(key(t("Take out of service"), () => enter({ ev: "device", id: OUT_OF_SERVICE, status: "lost" }), "main"));
  if (may()) keys.push(key(t("Self-check"), () => want({ do: "check" })));
  $("service").querySelector(".said").textContent = serving ? t("Out of service: the gate is shut, and what devices say goes to this page alone.") : t("In service.");
  $("service").querySelector(".choices").replaceChildren(...keys);
  $("service").querySelector(".checked").replaceChildren(...((work && work.checked) || []).map((each) => element("li", "", `${each.bad ? "✖" : "✔"} ${each.about}: ${each.text}`)));
  for (const id of ["lamps", "deck", "heard"]) $(id).hidden = !serving || !may();
  for (const id of ["staff", "table-file", "keep"]) $(id).hidden = !may();
  if (may() && !$("staff").querySelector("button")) drawStanding();
}

/* What stands as it is while a technician is signed in: codes for others, and the backup. */
function drawStanding() {
  $("staff").querySelector(".choices").replaceChildren(
    ...["dealer", "floor", "technician", "auditor"].map((role) => key(capital(t(role)), () => makeCode(role))),
  );
  $("keep").querySelector(".choices").replaceChildren(key(t("Download a backup"), download));
  drawCertificate();
}

async function drawCertificate() {
  const answer = await fetch("/certificate").catch(() => null);
  const { until, own } = answer && answer.ok ? await answer.json() : {};
  $("certificate").hidden = !until;
  if (!until) return;
  $("certificate").querySelector(".said").textContent = t("Good until {day}.", { day: until });
  $("certificate").querySelector(".choices").replaceChildren(...(own ? [key(t("Renew the certificate"), renew)] : []));
  $("authority").parentElement.hidden = !own;
}

async function renew() {
  forget();
  if (await answered(await post("/certificate", { do: "renew" }))) $("certificate").querySelector(".said").textContent = t("The table starts anew with it; sign in again in a moment.");
}

async function makeCode(role) {
  forget();
  const answer = await post("/code", { role });
  const said = $("staff").querySelector(".code");
  if (!await answered(answer.clone())) { said.textContent = ""; return; }
  said.replaceChildren(`${t("For one {role}:", { role: t(role) })} `, element("strong", "", (await answer.json()).code));
}

async function download() {
  const said = $("keep").querySelector(".said");
  said.textContent = t("Packing…");
  forget();
  const answer = await post("/backup", { keys: $("keys").checked });
  if (!await answered(answer.clone())) { said.textContent = ""; return; }
  const link = element("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = (answer.headers.get("content-disposition") || "").split('"')[1] || "table.tar";
  link.click();
  URL.revokeObjectURL(link.href);
  said.textContent = t("Downloaded {file}.", { file: link.download });
}

function drawLamps() {
  const { lit, walk } = work;
  $("lamps").querySelector(".lit").textContent = lit === null ? t("The table's own lamps.") : `${t("{n} of {most}", { n: lit + 1, most: walk.length })}: ${walk[lit]}`;
  $("lamps").querySelector(".choices").replaceChildren(
    key(lit === null ? t("Light the first") : t("Next lamp"), () => want({ do: "light", step: lit === null ? 0 : (lit + 1) % walk.length }), "main"),
    ...(lit ? [key(t("Back"), () => want({ do: "light", step: lit - 1 }))] : []),
    ...(lit === null ? [] : [key(t("Off"), () => want({ do: "light", step: null }))]),
  );
}

function drawDeck() {
  const at = work.registration;
  $("begin").hidden = Boolean(at);
  $("progress").hidden = !at;
  $("deck").querySelector(":scope > .said").textContent = work.said;
  if (!$("name").value && work.deck) $("name").value = work.deck;
  if (!at) return;
  const due = $("progress").querySelector(".due");
  const text = at.due === null ? t("All cards are taken.") : t("Show the {card}", { card: at.due });
  if (due.textContent !== text) due.textContent = text;
  const bar = $("progress").querySelector("progress");
  bar.max = at.of;
  bar.value = at.taken;
  $("progress").querySelector(".count").textContent = `${at.name}: ${t("{n} of {most}", { n: at.taken, most: at.of })}`;
  $("progress").querySelector(".choices").replaceChildren(
    ...(at.check ? [] : [key(t("Take the last one back"), () => want({ do: "take-back" }))]), key(t("Leave off"), () => want({ do: "leave-off" })),
  );
}

function drawHeard() {
  const list = $("heard").querySelector("ol"), newest = work.heard.at(-1)?.n || "";
  if (list.dataset.newest === newest) return;
  list.dataset.newest = newest;
  list.replaceChildren(...work.heard.map((each) => element("li", "", `${each.device}: ${each.text}`)));
  list.scrollTop = list.scrollHeight;
}

/* Keys are made anew only when something has changed, so that a touch never falls on one that is going away. */
let drawn = "";
function drawWork() {
  const now = JSON.stringify([work && { ...work, heard: 0 }, mine]);
  if (now !== drawn) {
    drawn = now;
    const focused = document.activeElement && document.activeElement.textContent;
    drawService();
    if (work && work.serving) { drawLamps(); drawDeck(); }
    if (focused) [...document.querySelectorAll("aside button")].find((each) => each.textContent === focused)?.focus();
  }
  if (work && work.serving) drawHeard();
}

async function ask() {
  if (!may()) { work = null; drawWork(); return; }
  const answer = await fetch("/workshop").catch(() => null);
  work = answer && answer.ok ? await answer.json() : null;
  drawWork();
}

$("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  want({ do: "register", name: $("name").value.trim(), jokers: Number($("jokers").value), printed: $("printed").checked, anew: $("anew").checked });
});

$("through").addEventListener("click", () => { if ($("begin").reportValidity()) want({ do: "deal-through", name: $("name").value.trim() }); });

connect((publication) => {
  const moved = !state || publication.entry !== state.entry;
  state = publication;
  drawHeader(state);
  drawNext(state.table, state.devices, state.faults);
  drawRefusal();
  drawFaults();
  drawProgram();
  drawDevices();
  if (moved) ask();
});
showWho($("who"), (who) => { mine = who; if (state) ask(); });  /* a key says which entry it was made for */
setInterval(() => { if (work && work.serving) ask(); }, ASKED_EVERY_MS);
