/* The technician's page: devices and faults always; lamps, decks and what devices say while the table is out of service. */
import { describeRefusal, t, translatePlural } from "./language.js";
import { goToSignIn, post, showPrincipal } from "./session.js";
import { $, capitalize, connect, drawHeader, drawNext, formatFault, formatLabel, formatNoticeSource, formatPeople, makeElement } from "./table.js";

const OUT_OF_SERVICE = "fault:in-service";
const POLL_INTERVAL_MS = 400;

let state = null;
let principal = null;
let workshop = null;
let shownRefusal = "";

function makeButton(text, act, className = "") {
  const button = makeElement("button", className, text);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

function showRefusal(message) {
  $("refusal").hidden = !message;
  $("refusal").querySelector(".message").textContent = message || "";
}

/* The table also refuses without an entry, so a refusal is told from the one before it by its words. */
function drawRefusal() {
  const now = state.refusal && state.refusal.source === "page" ? capitalize(state.refusal.message) : "";
  if (now !== shownRefusal) showRefusal(now);
  shownRefusal = now;
}

async function checkResponse(answer) {
  if (answer.ok) return true;
  const refusal = await answer.json().catch(() => ({}));
  showRefusal(describeRefusal(refusal) || t("Not done ({status}).", { status: answer.status }));
  return false;
}

/* What was refused before goes before the table is asked: its refusal may be here sooner than the answer to the post. */
function clearRefusal() { showRefusal(shownRefusal = ""); }

async function enter(line) {
  clearRefusal();
  await checkResponse(await post("/entry", { seen: state.entry, line }));
}

async function postWork(wish) {
  clearRefusal();
  await checkResponse(await post("/workshop", wish));
  fetchWorkshop();
}

const isTechnician = () => Boolean(principal && principal.roles.includes("technician"));

function drawProgram() { $("program").textContent = `table-controller ${state.setup.program}`; }

function drawFaults() {
  const faults = state.faults || [];
  $("faults").hidden = !faults.length;
  $("faults").querySelector("ul").replaceChildren(...faults.map((fault) => {
    const item = makeElement("li", "", `${capitalize(formatFault(fault.code))}${formatPeople(fault.people)}: ${fault.text} `);
    if (fault.technician) item.append(makeElement("em", "", fault.technician), " ");
    if (fault.id && fault.id !== OUT_OF_SERVICE && principal && fault.clears.some((role) => principal.roles.includes(role))) {
      item.append(makeButton(t("It is over"), () => enter({ ev: "device", id: fault.id, status: "back" })));
    }
    return item;
  }));
}

function drawDevices() {
  $("list").querySelector("tbody").replaceChildren(...state.devices.map((device) => {
    const row = makeElement("tr", device.state);
    const mark = { ready: "✔", lost: "✖", waiting: "…" }[device.state] || "";
    row.append(
      makeElement("th", "", device.name), makeElement("td", "", device.driver), makeElement("td", "", `${mark} ${formatLabel(device.state)}${device.why ? `: ${device.why}` : ""}`),
      makeElement("td", "", device.noise ? translatePlural("1 byte", "{n} bytes", device.noise) : ""),
    );
    row.firstChild.scope = "row";
    return row;
  }));
  const notices = state.notices.map((notice) => makeElement("li", "", `${formatNoticeSource(notice)}: ${notice.text} ${notice.technician || ""}`));
  $("notices").querySelector("ul").replaceChildren(...(notices.length ? notices : [makeElement("li", "none", t("None."))]));
}

function drawService() {
  const serving = Boolean(workshop && workshop.serving);
  const keys = [];
  if (!isTechnician()) keys.push(makeButton(t("Sign in as technician"), goToSignIn, "main"));
  else if (serving) keys.push(makeButton(t("Put back in service"), () => enter({ ev: "device", id: OUT_OF_SERVICE, status: "back" }), "main"));
  else keys.push(makeButton(t("Take out of service"), () => enter({ ev: "device", id: OUT_OF_SERVICE, status: "lost" }), "main"));
  if (isTechnician()) keys.push(makeButton(t("Self-check"), () => postWork({ do: "check" })));
  $("service").querySelector(".said").textContent = serving ? t("Out of service: the gate is shut, and what devices say goes to this page alone.") : t("In service.");
  $("service").querySelector(".choices").replaceChildren(...keys);
  $("service").querySelector(".checked").replaceChildren(...((workshop && workshop.checked) || []).map((each) => makeElement("li", "", `${each.bad ? "✖" : "✔"} ${each.about}: ${each.text}`)));
  for (const id of ["lamps", "deck", "heard"]) $(id).hidden = !serving || !isTechnician();
  for (const id of ["staff", "table-file", "keep"]) $(id).hidden = !isTechnician();
  if (isTechnician() && !$("staff").querySelector("button")) drawCodesAndBackup();
}

/* What stands as it is while a technician is signed in: codes for others, and the backup. */
function drawCodesAndBackup() {
  $("staff").querySelector(".choices").replaceChildren(
    ...["dealer", "floor", "technician", "auditor"].map((role) => makeButton(capitalize(t(role)), () => makeCode(role))),
    makeButton(t("End all open codes"), endCodes),
  );
  $("keep").querySelector(".choices").replaceChildren(makeButton(t("Download a backup"), downloadBackup));
  drawCertificate();
}

async function drawCertificate() {
  const answer = await fetch("/certificate").catch(() => null);
  const { until, own } = answer && answer.ok ? await answer.json() : {};
  $("certificate").hidden = !until;
  if (!until) return;
  $("certificate").querySelector(".said").textContent = t("Good until {day}.", { day: until });
  $("certificate").querySelector(".choices").replaceChildren(...(own ? [makeButton(t("Renew the certificate"), renewCertificate)] : []));
  $("authority").parentElement.hidden = !own;
}

async function renewCertificate() {
  clearRefusal();
  if (await checkResponse(await post("/certificate", { do: "renew" }))) $("certificate").querySelector(".said").textContent = t("The table starts anew with it; sign in again in a moment.");
}

async function makeCode(role) {
  clearRefusal();
  const answer = await post("/code", { role });
  const messageElement = $("staff").querySelector(".code");
  if (!await checkResponse(answer.clone())) { messageElement.textContent = ""; return; }
  const { code, open: openRoles, voided } = await answer.json();
  const others = openRoles.slice(0, -1).map((each) => t(each)).join(", ");
  messageElement.replaceChildren(`${t("For one {role}:", { role: t(role) })} `, makeElement("strong", "", code), ...[
    voided ? t("The oldest code, for one {role}, is void now.", { role: t(voided) }) : "",
    others ? t("Open besides: {roles}.", { roles: others }) : "",
  ].filter(Boolean).map((text) => makeElement("small", "", ` ${text}`)));
}

async function endCodes() {
  clearRefusal();
  if (await checkResponse(await post("/code", { void: true }))) $("staff").querySelector(".code").textContent = t("No one-time code is open now.");
}

async function downloadBackup() {
  const messageElement = $("keep").querySelector(".said");
  messageElement.textContent = t("Packing…");
  clearRefusal();
  const answer = await post("/backup", { keys: $("keys").checked });
  if (!await checkResponse(answer.clone())) { messageElement.textContent = ""; return; }
  const link = makeElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = (answer.headers.get("content-disposition") || "").split('"')[1] || "table.tar";
  link.click();
  URL.revokeObjectURL(link.href);
  messageElement.textContent = t("Downloaded {file}.", { file: link.download });
}

function drawLamps() {
  const { lit, walk } = workshop;
  $("lamps").querySelector(".lit").textContent = lit === null ? t("The table's own lamps.") : `${t("{n} of {most}", { n: lit + 1, most: walk.length })}: ${walk[lit]}`;
  $("lamps").querySelector(".choices").replaceChildren(
    makeButton(lit === null ? t("Light the first") : t("Next lamp"), () => postWork({ do: "light", step: lit === null ? 0 : (lit + 1) % walk.length }), "main"),
    ...(lit ? [makeButton(t("Back"), () => postWork({ do: "light", step: lit - 1 }))] : []),
    ...(lit === null ? [] : [makeButton(t("Off"), () => postWork({ do: "light", step: null }))]),
  );
}

function drawDeck() {
  const at = workshop.registration;
  $("begin").hidden = Boolean(at);
  $("progress").hidden = !at;
  $("deck").querySelector(":scope > .said").textContent = workshop.said;
  if (!$("name").value && workshop.deck) $("name").value = workshop.deck;
  if (!at) return;
  const due = $("progress").querySelector(".due");
  const text = at.due === null ? t("All cards are taken.") : t("Show the {card}", { card: at.due });
  if (due.textContent !== text) due.textContent = text;
  const bar = $("progress").querySelector("progress");
  bar.max = at.of;
  bar.value = at.taken;
  $("progress").querySelector(".count").textContent = `${at.name}: ${t("{n} of {most}", { n: at.taken, most: at.of })}`;
  $("progress").querySelector(".choices").replaceChildren(
    ...(at.check ? [] : [makeButton(t("Take the last one back"), () => postWork({ do: "take-back" }))]), makeButton(t("Leave off"), () => postWork({ do: "leave-off" })),
  );
}

function drawDeviceEvents() {
  const list = $("heard").querySelector("ol"), newest = workshop.heard.at(-1)?.n || "";
  if (list.dataset.newest === newest) return;
  list.dataset.newest = newest;
  list.replaceChildren(...workshop.heard.map((each) => makeElement("li", "", `${each.device}: ${each.text}`)));
  list.scrollTop = list.scrollHeight;
}

/* Keys are made anew only when something has changed, so that a touch never falls on one that is going away. */
let drawnJson = "";
function drawWork() {
  const nowJson = JSON.stringify([workshop && { ...workshop, heard: 0 }, principal]);
  if (nowJson !== drawnJson) {
    drawnJson = nowJson;
    const focused = document.activeElement && document.activeElement.textContent;
    drawService();
    if (workshop && workshop.serving) { drawLamps(); drawDeck(); }
    if (focused) [...document.querySelectorAll("aside button")].find((each) => each.textContent === focused)?.focus();
  }
  if (workshop && workshop.serving) drawDeviceEvents();
}

async function fetchWorkshop() {
  if (!isTechnician()) { workshop = null; drawWork(); return; }
  const answer = await fetch("/workshop").catch(() => null);
  workshop = answer && answer.ok ? await answer.json() : null;
  drawWork();
}

$("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  postWork({ do: "register", name: $("name").value.trim(), jokers: Number($("jokers").value), printed: $("printed").checked, anew: $("anew").checked });
});

$("through").addEventListener("click", () => { if ($("begin").reportValidity()) postWork({ do: "deal-through", name: $("name").value.trim() }); });

connect((publication) => {
  const hasMoved = !state || publication.entry !== state.entry;
  state = publication;
  drawHeader(state);
  drawNext(state.table, state.devices, state.faults);
  drawRefusal();
  drawFaults();
  drawProgram();
  drawDevices();
  if (hasMoved) fetchWorkshop();
});
showPrincipal($("who"), (who) => { principal = who; if (state) fetchWorkshop(); });  /* a key says which entry it was made for */
setInterval(() => { if (workshop && workshop.serving) fetchWorkshop(); }, POLL_INTERVAL_MS);
