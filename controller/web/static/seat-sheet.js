/* What may be said of one seat: touch the seat, then the key. First what is done at that moment, then all else of it. */
import { chooseAmount, describeFoldsAndChecks, getWagerOffer } from "./act-buttons.js";
import { t } from "./language.js";
import { fetchOffers, isOffered } from "./report-sheet.js";
import { openChoices, openCardPicker } from "./sheet.js";
import { formatSeatTitle } from "./table.js";

const TEXT_BY_EARLY_ACT = {
  fold: t("Folds out of turn"), check: t("Checks out of turn"), call: t("Calls out of turn"), bet: t("Bets out of turn"), raise: t("Raises out of turn"),
  complete: t("Completes out of turn"), "bring-in": t("Brings it in out of turn"), "all-in": t("All-in out of turn"), open: t("Opens out of turn"),
};
const WAGERS = ["bet", "raise", "complete"];

/* How a seat acted before its turn: a key an act, with its amount where there is but one. */
function makeEarlyActKeys(seat, state, offers, enter) {
  return (offers ? offers.lines : []).filter((line) => line.ev === "act").flatMap(({ do: word }) => {
    const { min_to: least, max_to: most } = offers.act, text = TEXT_BY_EARLY_ACT[word], act = (more) => enter({ ev: "act", seat, do: word, ...more });
    if (!WAGERS.includes(word) || least === null) return [[text, () => act({})]];
    const offer = getWagerOffer(seat, state), ends = least === most ? [least] : [least, most];
    if (least === most || !offer.any) return ends.map((to) => [`${text}: ${to}`, () => act({ to })]);
    const totals = offer.totals.filter((to) => to >= least && to <= most);
    return [[`${text}…`, () => chooseAmount({ seat, min_to: least, max_to: most }, word, (to) => act({ to }), totals)]];
  });
}

/* Where a seat further on is touched because all before it are out: a key of its own, which says whom it folds. */
function makeFoldBeforeKeys(seat, state, offers, enter) {
  const lines = offers ? offers.before : [];
  if (!lines.length) return [];
  const left = Object.keys(state.table.piles.seats).length - lines.filter((line) => line.do === "fold").length;
  const text = describeFoldsAndChecks(lines);
  return [[left === 1 ? t("{what}: the pot is seat {seat}'s", { what: text, seat }) : text, () => enter(lines), "", "before"]];
}

/* What is amiss with the cards of the seat, or that it got some, or none: [words, line]. */
function listCardReports(seat, state) {
  const report = (what, more = {}) => ({ ev: "report", what, seat, ...more }), count = Math.min(state.table.piles.seats[seat] || 0, 7);
  const exposed = Array.from({ length: count }, (_, i) => [count === 1 ? t("Card exposed") : t("Card {n} exposed", { n: i + 1 }), report("exposed", { nth: i + 1 })]);
  const own = [
    [t("Player showed a card"), report("exposed", { by: "player" })],
    [t("1 card too many"), report("extra-card", { count: 1 })], [t("2 too many"), report("extra-card", { count: 2 })],
    [t("1 card too few"), report("short-hand", { count: 1 })], [t("2 too few"), report("short-hand", { count: 2 })],
    [t("Not entitled to cards"), report("not-entitled")], [t("Looked at the cards"), report("looked")],
    [t("Duplicate in hand"), report("duplicate", { where: "hand" })], [t("Joker in hand"), report("joker", { where: "hand" })],
    [t("Foreign card in hand"), report("foreign-back", { where: "hand" })],
  ];
  return {
    dealt: [...exposed, [t("Last card went here"), report("wrong-seat")], [t("Skipped: got no cards"), report("skipped")]],
    other: [...(count ? own : []), [t("Owes a blind"), report("owes-blind")], [t("Call time"), { ev: "clock", seat }]],
  };
}

/* A player comes back, goes away, or leaves for good: [words, line]. */
function listAttendance(seat, occupant) {
  if (!occupant) return [];
  const leave = [t("Leaves"), { ev: "leave", seat }];
  if (!occupant.away) return [[t("Sits out hands"), { ev: "away", seat }], leave];
  return occupant.unpaid ? [leave] : [[t("Is back"), { ev: "back", seat }], [t("Is back and posts"), { ev: "back", seat, post: true }], leave];
}

/* `ofPeople`: the dealer's keys for who sits there, its chips and charges; `enter` takes a line, or several. */
export async function openSeatSheet(seat, getState, enter, ofPeople) {
  const entry = getState().entry, offers = await fetchOffers(seat), state = getState();
  if (state.entry !== entry) return;
  const { table } = state, occupant = state.players[seat], heldCount = table.piles.seats[seat] || 0, [step] = table.next;
  const isTaken = ([, line]) => isOffered(offers && offers.lines, line), makeKeys = (rows, look = "") => rows.filter(isTaken).map(([text, line]) => [text, () => enter(line), "", look]);
  const cards = step ? listCardReports(seat, state) : { dealt: [], other: [] }, isDealing = step && ["deal", "burn", "board"].includes(step.step);
  const isTold = step && step.step === "bet" && step.seats.includes(seat);
  const told = isTold ? [[t("Folds"), "fold"], [t("Is all-in"), "all-in"], [t("Bets or raises"), "bet"]].map(([text, word]) => [text, () => enter({ ev: "act", seat, do: word })]) : [];
  const early = makeEarlyActKeys(seat, state, offers, enter);
  const shows = heldCount && table.phase === "showdown" ? [
    [t("Shows, cards…"), () => openCardPicker(t("Seat {seat} shows…", { seat }), heldCount, (shown) => enter({ ev: "show", seat, cards: shown }))],
    ...makeKeys([[t("Mucks"), { ev: "muck", seat }]]),
  ] : [];
  const first = [
    ...told, ...early, ...makeFoldBeforeKeys(seat, state, offers, enter), ...shows, ...makeKeys(isDealing ? cards.dealt : []),
    ...ofPeople.first, ...(isTaken(["", { ev: "sit", seat }]) ? ofPeople.sits : []), ...makeKeys(listAttendance(seat, occupant)),
  ];
  const rest = [...makeKeys([...(isDealing ? [] : cards.dealt), ...cards.other]), ...ofPeople.rest];
  const name = occupant && occupant.player !== `seat ${seat}` ? `, ${occupant.player}` : "";
  const title = early.length ? t("{who}, out of turn", { who: formatSeatTitle(seat) + name }) : formatSeatTitle(seat) + name;
  openChoices(title, [...first.map(([text, act, letter = "", look = ""]) => [text, act, letter, `did ${look}`.trim()]), ...rest], "one-seat");
}
