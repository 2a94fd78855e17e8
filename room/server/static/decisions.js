/* Decides at a table from the room: what the table would take now, looked at before it is sent, and what the table answers. */
import { reason, t } from "/static/language.js";
import { sentence } from "/static/entry-description.js";
import { post, signInHere } from "/static/session.js";
import { element } from "/room/menu.js";

const MEANING = {
  misdeal: t("all cards and all money back, the same button deals again"), void: t("the hand never was: all money back"),
  "play-on": t("the cards stand and the hand goes on"), "dead-hand": t("one hand is out; its bets stay in the pot"),
  bind: t("what was done out of turn counts when its turn comes"), release: t("what was done out of turn is taken back"),
};

const place = document.getElementById("decide");
let shown = { table: "", entry: 0 };  /* what the case on the screen is of */
let offered = null;                   /* what the table said that it would take, and at which entry */
let asking = false;
let chosen = null;                    /* the line that is being looked at, and the entry at which it was chosen */
let result = "";

function button(text, act, look = "") {
  const made = element("button", look, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function inWords(line) {
  try { return sentence({ told: line }).replace(/^./, (letter) => letter.toUpperCase()); } catch { return line.ev; }  // the table says what is wrong with it
}
const moved = () => chosen && chosen.entry !== shown.entry;

/* Shows a table's decisions in the case that is open; `floor`: whether whoever is signed in may decide. */
export function showDecisions(table, entry, floor) {
  const other = table !== shown.table;
  shown = { table, entry };
  if (other) { offered = null; chosen = null; result = ""; }
  place.hidden = false;
  if (!floor) {
    place.replaceChildren(element("h2", "", t("Decide")), element("p", "", t("deciding needs the floor's own sign-in")), button(t("Sign in as floor"), signInHere, "main"));
    return;
  }
  if (other) draw();
  if (chosen) drawMoved(); else if (!offered || offered.entry !== entry) look();
}

export function hideDecisions() { shown = { table: "", entry: 0 }; chosen = null; offered = null; result = ""; }

/* One question at a time, and once more where the table went on meanwhile. */
async function look() {
  if (asking) return;
  asking = true;
  const { table, entry } = shown;
  const answer = await fetch(`/decide/${encodeURIComponent(table)}`).catch(() => null);
  const told = answer ? await answer.json().catch(() => ({})) : {};
  asking = false;
  if (!shown.table) return;
  if (table !== shown.table) { look(); return; }
  offered = answer && answer.ok ? told : { entry, refused: reason(told) || t("No connection to the room.") };
  if (!chosen && !place.contains(document.activeElement)) draw(); else if (!chosen) drawOffers();
  if (shown.entry !== entry && shown.entry !== offered.entry) look();
}

function offers() {
  if (!offered) return [element("p", "none", t("The table is asked…"))];
  if (offered.refused) return [element("p", "refused", offered.refused)];
  const key = (offer) => {
    const made = button(inWords(offer.line), () => choose(offer.line, offer.why), offer.asked ? "main" : "");
    made.dataset.line = JSON.stringify(offer.line);
    return made;
  };
  const keys = (some) => { const made = element("div", "keys"); made.append(...some.map(key)); return made; };
  const asked = offered.offers.filter((offer) => offer.asked), besides = offered.offers.filter((offer) => !offer.asked);
  const made = [asked.length ? keys(asked) : element("p", "none", t("The table waits for no decision."))];
  if (besides.length) {
    const more = element("details");
    more.append(element("summary", "", t("Unasked")), keys(besides));
    made.push(more);
  }
  return made;
}

function drawOffers() {
  const open = Boolean(place.querySelector("details[open]"));
  place.querySelector(".offers")?.replaceChildren(...offers());
  if (open) place.querySelector("details")?.setAttribute("open", "");
}

function draw() {
  const kept = element("div", "offers");
  const said = element("p", "result", result);
  said.setAttribute("role", "status");
  said.hidden = !result;
  place.replaceChildren(element("h2", "", t("Decide")), said, kept);
  drawOffers();
  if (!offered || offered.refused) return;
  place.append(
    form("script", t("A line of the table script"), '{"ev": "…"}', t("Look at it"), script),
    form("say", t("Say to the dealer"), "", t("Say it"), say),
  );
}

function form(name, label, hint, text, act) {
  const made = element("form"), field = element("label", "", label), input = element("input");
  Object.assign(input, { name, autocomplete: "off", required: true, placeholder: hint, maxLength: name === "say" ? 200 : 2000, spellcheck: name === "say" });
  field.append(input);
  made.append(field, element("button", "", text));
  made.addEventListener("submit", (event) => { event.preventDefault(); act(input.value.trim()); });
  return made;
}

function tell(text) { result = text; chosen = null; draw(); }

function script(text) {
  let line = null;
  try { line = JSON.parse(text); } catch { /* said below */ }
  if (line && typeof line === "object" && !Array.isArray(line) && typeof line.ev === "string") choose(line, false);
  else tell(t("That is no line of the table script; one is {example}.", { example: '{"ev": "floor", "decide": "misdeal"}' }));
}

/* What will be entered, to be looked at before it is sent. */
function choose(line, why) {
  chosen = { line, entry: shown.entry };
  result = "";
  const sure = element("form", "sure");
  sure.append(
    element("p", "", t("This will be entered at {table}, after entry {n}:", { table: shown.table, n: chosen.entry })),
    element("p", "verdict", inWords(line)), ...(MEANING[line.decide] ? [element("p", "", MEANING[line.decide])] : []), element("code", "", JSON.stringify(line)),
  );
  const input = element("input");
  if (why) {
    const field = element("label", "", t("Why?"));
    Object.assign(input, { name: "why", required: true, maxLength: 200, autocomplete: "off" });
    field.append(input);
    sure.append(field);
  }
  const keys = element("div", "keys");
  keys.append(element("button", "main", t("Enter it")), button(t("Not this"), () => { tell(""); look(); }));
  sure.append(element("p", "moved refused", t("The table has moved on since; look again.")), keys);
  sure.addEventListener("submit", (event) => { event.preventDefault(); enter(why ? { ...line, why: input.value.trim() } : line); });
  place.replaceChildren(element("h2", "", t("Decide")), sure);
  drawMoved();
  place.scrollIntoView({ block: "nearest" });
}

function drawMoved() {
  const sure = place.querySelector(".sure");
  if (!sure) return;
  sure.querySelector(".moved").hidden = !moved();
  sure.querySelector("button.main").disabled = Boolean(moved());
}

async function enter(line) {
  if (!chosen || moved()) return;
  const { entry } = chosen, { table } = shown;
  place.querySelector(".sure button.main").disabled = true;
  const answer = await post("/decide", { table, seen: entry, line }).catch(() => null);
  const told = answer ? await answer.json().catch(() => ({})) : {};
  if (table !== shown.table) return;
  tell(told.taken ? t("Entered as entry {n}.", { n: told.entry }) : t("Not entered: {why}", { why: reason(told) || t("No connection to the room.") }));
  look();
}

async function say(text) {
  const { table } = shown;
  const answer = await post("/decide", { table, say: text }).catch(() => null);
  const told = answer ? await answer.json().catch(() => ({})) : {};
  if (table !== shown.table) return;
  tell(answer && answer.ok ? t("Said at {table}.", { table }) : t("Not said: {why}", { why: reason(told) || t("No connection to the room.") }));
}
