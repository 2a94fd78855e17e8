/* Rulings of all tables, found by clause, table, dealer, person and time; the hand step by step on one touch. */
import { counted, reason, t } from "/static/language.js";
import { signInHere } from "/static/session.js";
import { sentence, struckThrough } from "/static/entry-description.js";
import { element, showMenu, words } from "/room/menu.js";

const $ = (id) => document.getElementById(id);
let last = "";
let shown = 0;
const newest = { look: 0, hand: 0 };

const when = (at) => new Date(at).toLocaleString([], { dateStyle: "short", timeStyle: "short", hour12: false });

async function fetched(path) {
  const answer = await fetch(path).catch(() => null);
  if (answer && answer.status === 401) { signInHere(); return null; }
  if (answer && answer.ok) return answer.json();
  const why = answer ? await answer.json().catch(() => ({})) : {};
  $("count").textContent = reason(why) || t("No connection to the room.");
  return null;
}

/* What is looked for; a day is one of this browser's. */
function wanted() {
  const form = new FormData($("wanted"));
  const asked = new URLSearchParams();
  for (const key of ["ruling", "table", "dealer", "person"]) if (form.get(key).trim()) asked.set(key, form.get(key).trim());
  const day = (text, later) => { const [y, m, d] = text.split("-").map(Number); return new Date(y, m - 1, d + later).toISOString(); };
  if (form.get("since")) asked.set("since", day(form.get("since"), 0));
  if (form.get("until")) asked.set("until", day(form.get("until"), 1));
  return asked;
}

function line(ruling) {
  const made = element("li");
  const key = element("button");
  key.type = "button";
  const verdict = element("span", "verdict", `${words(ruling.finding)}: ${words(ruling.verdict)}`);
  verdict.append(...ruling.cites.map((cite) => element("span", "cite", cite)));
  const people = [ruling.player, ruling.by || ruling.dealer].filter(Boolean).join(", ");
  key.append(element("span", "people", `${ruling.table} ${when(ruling.at)}`), verdict, element("span", "people", people), element("span", "text", ruling.text));
  key.addEventListener("click", () => openHand(ruling));
  made.append(key);
  return made;
}

async function look(on = false) {
  const mine = ++newest.look, asked = wanted();
  if (on) asked.set("before", last);
  const answer = await fetched(`/rulings/list?${asked}`);
  if (!answer || mine !== newest.look) return; // or a later question is under way
  const lines = answer.rulings.map(line);
  if (on) $("found").append(...lines); else $("found").replaceChildren(...lines);
  shown = on ? shown + lines.length : lines.length;
  $("count").textContent = shown ? counted("1 ruling", "{n} rulings", shown) : t("No such ruling.");
  $("more").hidden = lines.length < 50;
  const end = answer.rulings.at(-1);
  if (end) last = [end.at, end.journal, end.entry, end.place].join("/");
}

async function openHand(ruling) {
  const mine = ++newest.hand;
  $("hand-title").textContent = t("{table}, hand {n}", { table: ruling.table, n: ruling.hand });
  $("steps").replaceChildren(element("li", "none", t("Being read…")));
  if (!$("hand").open) $("hand").showModal();
  const answer = await fetched(`/rulings/${ruling.journal}/${ruling.session}/${ruling.hand}`);
  if (mine !== newest.hand) return; // another hand has been opened meanwhile
  if (!answer) { $("hand").close(); return; }
  $("steps").replaceChildren(...answer.steps.map((step, i) => {
    const made = element("li", [step.error && "refused", step.entry === ruling.entry && "here"].filter(Boolean).join(" "));
    const told = step.struck ? struckThrough(step, answer.steps[i - 1]) : [sentence(step, answer.steps[i - 1])];
    made.append(...told, element("span", "when", ` ${new Date(step.wall).toLocaleTimeString([], { hour12: false })}${step.by ? `, ${step.by}` : ""}`));
    if (step.error) made.append(element("div", "", `${t("not taken")}: ${step.error}`));
    for (const each of step.table.rulings || []) {
      const verdict = element("div", "verdict", `§ ${words(each.finding)}: ${words(each.verdict)}`);
      verdict.append(...each.cite.map((cite) => element("span", "cite", cite)));
      made.append(verdict, element("div", "", each.text));
    }
    return made;
  }));
  $("steps").querySelector(".here")?.scrollIntoView({ block: "center" });
}

$("wanted").addEventListener("submit", (event) => { event.preventDefault(); look(); });
$("wanted").addEventListener("reset", () => setTimeout(look));
$("more").addEventListener("click", () => look(true));
$("close").addEventListener("click", () => $("hand").close());
showMenu();
look();
