/* What the house takes, to be changed by the floor: its kind, and the keys of that kind. The table says what it refuses. */
import { makeElement } from "./elements.js";
import { describeRefusal, t } from "./language.js";
import { closeSheet, openSheet } from "./sheet.js";

const KINDS = [["rake", t("Rake of each pot")], ["hand", t("Fee per hand")], ["button", t("Fee of the button")], ["time", t("Time charge")], ["none", t("Nothing")]];
const KEYS_BY_KIND = { rake: ["percent", "cap", "caps", "step", "no_flop_no_drop"], hand: ["fee"], button: ["fee"], time: ["fee", "minutes"], none: [] };
const MAX_CAPS = 3;
let waiting = null;  /* what was entered and has no answer of the table yet: the entry that it was for, what shows a refusal */

function makeField(key, text, control) {
  const label = makeElement("label", "", text);
  label.dataset.key = key;
  label.append(control);
  return label;
}

function makeNumber(value, label, most = 1e9) {
  const input = makeElement("input");
  Object.assign(input, { type: "number", min: 0, max: most, step: 1, inputMode: "numeric", value: value ?? "" });
  input.setAttribute("aria-label", label);
  return input;
}

function makeSelect(choices, value, label) {
  const select = makeElement("select");
  select.setAttribute("aria-label", label);
  select.append(...choices.map(([each, text]) => new Option(text, each, false, String(each) === String(value))));
  return select;
}

/* By key: its field, and what it says now; nothing where it is left to the table. */
function makeFields(terms, leastPercent) {
  const percents = [0, ...Array.from({ length: 21 }, (_, n) => n / 2).filter((each) => each && each >= leastPercent)];
  const readNumber = (input) => (input.value === "" ? undefined : Number(input.value));
  const percent = makeSelect(percents.map((each) => [each, `${each} %`]), terms.percent ?? (leastPercent || 5), t("Percentage"));
  const flop = makeSelect([["", t("as the rulebook has it")], ["true", t("nothing")], ["false", t("the same")]], terms.no_flop_no_drop ?? "", t("Without a flop"));
  const numberByKey = { cap: t("At most a hand"), step: t("Multiples of"), fee: t("Fee"), minutes: t("Minutes") };
  const made = { percent: [makeField("percent", t("Percentage"), percent), () => Number(percent.value)] };
  for (const [key, text] of Object.entries(numberByKey)) {
    const input = makeNumber(terms[key], text);
    made[key] = [makeField(key, text, input), () => readNumber(input)];
  }
  const rows = Array.from({ length: MAX_CAPS }, (_, n) => (terms.caps || [])[n] || {}).map((row) => [makeNumber(row.dealt, t("Players"), 10), makeNumber(row.cap, t("At most a hand"))]);
  const caps = makeElement("span", "caps");
  caps.append(...rows.map(([dealt, cap]) => {
    const row = makeElement("span");
    row.append(dealt, makeElement("small", "", t("players: at most")), cap);
    return row;
  }));
  made.caps = [makeField("caps", t("With fewer players"), caps), () => {
    const said = rows.map(([dealt, cap]) => ({ dealt: readNumber(dealt), cap: readNumber(cap) })).filter((row) => row.dealt !== undefined || row.cap !== undefined);
    return said.length ? said : undefined;
  }];
  made.no_flop_no_drop = [makeField("no_flop_no_drop", t("Without a flop"), flop), () => (flop.value === "" ? undefined : flop.value === "true")];
  return made;
}

/* The sheet goes when the table has taken what was entered, and says why where it has not. */
export function followTerms(state) {
  if (!waiting) return;
  if (state.refusal && state.refusal.source === "page") waiting.refused.textContent = state.refusal.message;
  else if (state.entry !== waiting.seen) closeSheet();
  else return;
  waiting = null;
}

/* `notice` has the terms now; `ofFile`: those of the table's file, if any; `getEntry`: the number of the entry that is
   shown; `enterLine` sends a line, and answers whether the page may. */
export function openTermsSheet(notice, ofFile, getEntry, enterLine) {
  const body = makeElement("form", "terms"), refused = makeElement("p", "refused");
  refused.setAttribute("role", "alert");
  const kind = makeSelect(KINDS, notice.terms.kind, t("The house takes"));
  const fields = makeFields(notice.terms, notice.least_percent);
  const showFields = () => { for (const [key, [field]] of Object.entries(fields)) field.hidden = !KEYS_BY_KIND[kind.value].includes(key); };
  const change = async (terms) => {
    refused.textContent = "";
    waiting = { seen: getEntry(), refused };
    const answer = await enterLine({ ev: "collection", ...terms });
    if (answer.ok) return;
    waiting = null;
    const refusal = await answer.json().catch(() => ({ message: t("Not taken ({status}).", { status: answer.status }) }));
    refused.textContent = describeRefusal(refusal);
  };
  const done = makeElement("button", "main", t("From the next hand on"));
  done.type = "submit";
  const buttons = makeElement("div", "buttons");
  buttons.append(done);
  if (ofFile) {
    const back = makeElement("button", "", t("As in the table's file"));
    back.type = "button";
    back.addEventListener("click", () => change(ofFile));
    buttons.append(back);
  }
  body.append(makeField("kind", t("The house takes"), kind), ...Object.values(fields).map(([field]) => field), refused, buttons);
  body.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = KEYS_BY_KIND[kind.value].map((key) => [key, fields[key][1]()]).filter(([, value]) => value !== undefined);
    change({ kind: kind.value, ...Object.fromEntries(said) });
  });
  kind.addEventListener("change", showFields);
  showFields();
  openSheet(t("What the house takes"), body, true);
}
