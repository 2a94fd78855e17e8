/* The dealers' school: a hand step by step, at the pace of the person. The table's engine has judged all of it before. */
import { describeRefusal, leaveOutCommands, t } from "./language.js";
import { goToSignIn } from "./session.js";
import { $, capitalize, drawTable, formatLabel, makeCard, makeElement, showNext } from "./table.js";

const MAX_POINTS = 3;
const STORAGE_KEY = "school.score";

let currentLesson = null;
let momentIndex = -1;
let points = 0;
let hasSpotted = false;

const score = JSON.parse(localStorage.getItem(STORAGE_KEY) || "{}");

async function fetchJson(path) {
  const answer = await fetch(path);
  if (answer.status === 401) { goToSignIn(); return null; }
  if (answer.ok) return answer.json();
  const refusal = await answer.json().catch(() => ({}));
  showText(t("No lesson"), describeRefusal(refusal) || `(${answer.status})`);
  return null;
}

function showText(large, ...smalls) { showNext(large, smalls.filter(Boolean)); }

/* What lies in no place of the table: a card at the mouth of the shoe, in the stub, on the floor. */
const TEXT_BY_PLACE = { shoe: t("from the shoe"), stub: t("in the stub"), floor: t("on the ground") };

function drawBeside(cards) {
  $("beside").replaceChildren(...cards.map(({ at, card }) => {
    const item = makeElement("figure"), isBack = ["down", "other-back"].includes(card), face = isBack ? makeElement("div", `card ${card}`) : makeCard(card);
    if (isBack) { face.setAttribute("role", "img"); face.setAttribute("aria-label", card === "down" ? t("a card, face down") : t("a card with another back")); }
    item.append(face, makeElement("figcaption", "", TEXT_BY_PLACE[at]));
    return item;
  }));
}

function showButtons(...shownIds) { for (const id of ["on", "stop", "again", "another"]) $(id).hidden = !shownIds.includes(id); }

function drawMoment(table, beside = []) {
  const setup = { places: 4, betting: {}, rulebook: currentLesson.book, game: currentLesson.game, gate: false };
  const players = Object.fromEntries([1, 2, 3, 4].map((seat) => [seat, { player: `seat ${seat}` }]));
  drawTable({ table, setup, players, devices: [], mode: "record" }, false);
  drawBeside(beside);
}

function begin() {
  [momentIndex, points, hasSpotted] = [-1, 0, false];
  for (const id of ["question", "judged"]) $(id).hidden = true;
  showNextMoment();
}

/* One thing more happens; behind the last of them the questions come. */
function showNextMoment() {
  if (momentIndex === currentLesson.moments.length - 1) { askKind(); return; }
  momentIndex += 1;
  const moment = currentLesson.moments[momentIndex];
  /* What is amiss the table says when the dealer has: it would know by itself. Until then it is seen, and not told. */
  drawMoment(moment.scene || moment.table, moment.beside);
  showText(moment.happens, t("Event {n}. Go on, or stop the table if something is wrong.", { n: momentIndex + 1 }), t("Go on, or stop the table."));
  showButtons("on", "stop", "again");
}

function stop() {
  if (!currentLesson.moments[momentIndex].wrong) { $("then").textContent = t("Nothing is amiss; go on."); return; }
  hasSpotted = true;
  askKind();
}

function askKind() {
  points += hasSpotted ? 1 : 0;
  showText(currentLesson.kind.asked, hasSpotted ? t("Right: something is amiss.") : t("You went on, and something was amiss."));
  ask(currentLesson.kind, () => ask(currentLesson.wants, judge));
}

function ask(question, onAnswered) {
  const place = $("question");
  place.hidden = false;
  showButtons("again", "another");
  showText(question.asked, $("then").textContent);
  place.querySelector("h2").textContent = question.asked;
  place.querySelector(".choices").replaceChildren(...question.answers.map((answer, i) => {
    const key = makeElement("button", "", answer);
    key.type = "button";
    key.addEventListener("click", () => {
      const right = i === question.right;
      points += right ? 1 : 0;
      $("then").textContent = right ? t("Right.") : t("No: {answer}", { answer: question.answers[question.right] });
      place.hidden = true;
      onAnswered();
    });
    return key;
  }));
}

function judge() {
  drawMoment(currentLesson.moments.at(-1).table);
  const had = score[currentLesson.clause] || [0, 0];
  score[currentLesson.clause] = [had[0] + points, had[1] + MAX_POINTS];
  localStorage.setItem(STORAGE_KEY, JSON.stringify(score));
  drawScore();
  showText(t("{n} of {most} points", { n: points, most: MAX_POINTS }), $("then").textContent);
  const place = $("judged");
  place.hidden = false;
  place.querySelector(".seen").textContent = currentLesson.moments.at(-1).seen;
  place.querySelector(".rulings").replaceChildren(...currentLesson.rulings.flatMap((ruling) => [
    makeElement("p", "verdict", `${capitalize(formatLabel(ruling.finding))}: ${formatLabel(ruling.verdict)}`),
    makeElement("p", "why", capitalize(leaveOutCommands(ruling.text))), ...ruling.cite.map((cite) => makeElement("span", "cite", cite)),
  ]));
  place.querySelector(".steps").replaceChildren(...currentLesson.then.map((step) => makeElement("li", "", step)));
  showButtons("again", "another");
}

function drawScore() {
  $("score").querySelector("tbody").replaceChildren(...Object.keys(score).sort().map((clause) => {
    const row = makeElement("tr");
    row.append(makeElement("th", "", clause), makeElement("td", "", t("{n} of {most}", { n: score[clause][0], most: score[clause][1] })));
    return row;
  }));
}

async function openLesson(name) {
  const lesson = await fetchJson(`/train/lessons/${$("book").value}/${name}`);
  if (!lesson) return;
  currentLesson = lesson;
  begin();
}

async function loadContents(book) {
  const content = await fetchJson(`/train/lessons${book ? `?book=${encodeURIComponent(book)}` : ""}`);
  if (!content) return;
  const makeOption = (value, text) => { const option = makeElement("option", "", text); option.value = value; return option; };
  $("book").replaceChildren(...Object.entries(content.books).map(([name, title]) => makeOption(name, title)));
  $("book").value = content.book;
  /* By number: a title would say beforehand what goes wrong. */
  $("lesson").replaceChildren(...content.lessons.map((lesson, i) => makeOption(lesson.name, `${i + 1}`)));
  if (content.lessons.length) openLesson($("lesson").value);
  else showText(t("No lesson by this book"));
}

$("book").addEventListener("change", () => loadContents($("book").value));
$("lesson").addEventListener("change", () => openLesson($("lesson").value));
$("on").addEventListener("click", showNextMoment);
$("stop").addEventListener("click", stop);
$("again").addEventListener("click", begin);
$("another").addEventListener("click", () => {
  const list = $("lesson");
  list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
  openLesson(list.value);
});
document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLButtonElement) return;
  if (event.key === "Enter" && !$("on").hidden) showNextMoment();
  if (event.key === "!" && !$("stop").hidden) stop();
});
drawScore();
loadContents("");
