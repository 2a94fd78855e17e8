/* The dealers' school: a hand step by step, at the pace of the person. The table's engine has judged all of it before. */
import { reason, t } from "./language.js";
import { signInHere } from "./session.js";
import { $, capital, drawTable, element, words } from "./table.js";

const POINTS = 3;
const KEPT = "school.score";

let course = null;
let at = -1;
let points = 0;
let spotted = false;

const score = JSON.parse(localStorage.getItem(KEPT) || "{}");

async function fetched(path) {
  const answer = await fetch(path);
  if (answer.status === 401) { signInHere(); return null; }
  if (answer.ok) return answer.json();
  const why = await answer.json().catch(() => ({}));
  tell(t("No lesson"), reason(why) || `(${answer.status})`);
  return null;
}

function tell(large, small = "") { $("next").textContent = large; $("then").textContent = small; }

function keys(...shown) { for (const id of ["on", "stop", "again", "another"]) $(id).hidden = !shown.includes(id); }

function draw(table) {
  const setup = { places: 4, betting: {}, rulebook: course.book, game: course.game, gate: false };
  const players = Object.fromEntries([1, 2, 3, 4].map((seat) => [seat, { player: `seat ${seat}` }]));
  drawTable({ table, setup, players, devices: [], mode: "record" }, false);
}

function begin() {
  [at, points, spotted] = [-1, 0, false];
  for (const id of ["question", "judged"]) $(id).hidden = true;
  goOn();
}

/* One thing more happens; behind the last of them the questions come. */
function goOn() {
  if (at === course.moments.length - 1) { askKind(); return; }
  at += 1;
  const moment = course.moments[at];
  /* What is amiss the table says when the dealer has: it would know by itself. */
  draw(course.moments[moment.wrong ? at - 1 : at].table);
  tell(moment.happens, t("{n} of what happens. Go on, or stop the table if something is amiss.", { n: at + 1 }));
  keys("on", "stop", "again");
}

function stop() {
  if (!course.moments[at].wrong) { $("then").textContent = t("Nothing is amiss; go on."); return; }
  spotted = true;
  askKind();
}

function askKind() {
  points += spotted ? 1 : 0;
  tell(course.kind.asked, spotted ? t("Right: something is amiss.") : t("You went on, and something was amiss."));
  ask(course.kind, () => ask(course.wants, judge));
}

function ask(question, then) {
  const place = $("question");
  place.hidden = false;
  keys("again");
  tell(question.asked, $("then").textContent);
  place.querySelector("h2").textContent = question.asked;
  place.querySelector(".choices").replaceChildren(...question.answers.map((answer, i) => {
    const key = element("button", "", answer);
    key.type = "button";
    key.addEventListener("click", () => {
      const right = i === question.right;
      points += right ? 1 : 0;
      $("then").textContent = right ? t("Right.") : t("No: {answer}", { answer: question.answers[question.right] });
      place.hidden = true;
      then();
    });
    return key;
  }));
}

function judge() {
  draw(course.moments.at(-1).table);
  const had = score[course.clause] || [0, 0];
  score[course.clause] = [had[0] + points, had[1] + POINTS];
  localStorage.setItem(KEPT, JSON.stringify(score));
  drawScore();
  tell(t("{n} of {most} points", { n: points, most: POINTS }), $("then").textContent);
  const place = $("judged");
  place.hidden = false;
  place.querySelector(".rulings").replaceChildren(...course.rulings.flatMap((ruling) => [
    element("p", "verdict", `${capital(words(ruling.finding))}: ${words(ruling.verdict)}`),
    element("p", "why", ruling.text), ...ruling.cite.map((cite) => element("span", "cite", cite)),
  ]));
  place.querySelector(".steps").replaceChildren(...course.then.map((step) => element("li", "", step)));
  keys("again", "another");
}

function drawScore() {
  $("score").querySelector("tbody").replaceChildren(...Object.keys(score).sort().map((clause) => {
    const row = element("tr");
    row.append(element("th", "", clause), element("td", "", t("{n} of {most}", { n: score[clause][0], most: score[clause][1] })));
    return row;
  }));
}

async function open(name) {
  const found = await fetched(`/train/lessons/${$("book").value}/${name}`);
  if (!found) return;
  course = found;
  begin();
}

async function contents(book) {
  const found = await fetched(`/train/lessons${book ? `?book=${encodeURIComponent(book)}` : ""}`);
  if (!found) return;
  const option = (value, text) => { const made = element("option", "", text); made.value = value; return made; };
  $("book").replaceChildren(...Object.entries(found.books).map(([name, title]) => option(name, title)));
  $("book").value = found.book;
  /* By number: a title would say beforehand what goes wrong. */
  $("lesson").replaceChildren(...found.lessons.map((lesson, i) => option(lesson.name, `${i + 1}`)));
  if (found.lessons.length) open($("lesson").value);
  else tell(t("No lesson by this book"));
}

$("book").addEventListener("change", () => contents($("book").value));
$("lesson").addEventListener("change", () => open($("lesson").value));
$("on").addEventListener("click", goOn);
$("stop").addEventListener("click", stop);
$("again").addEventListener("click", begin);
$("another").addEventListener("click", () => {
  const list = $("lesson");
  list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
  open(list.value);
});
document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLButtonElement) return;
  if (event.key === "Enter" && !$("on").hidden) goOn();
  if (event.key === "!" && !$("stop").hidden) stop();
});
drawScore();
contents("");
