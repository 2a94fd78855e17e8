/* Gives the page one publication after the other, and says of each what is cut, lies over something else or contradicts the large
   line. */
(texts) => texts.map((text) => {
  window.tell(text);
  const { table } = JSON.parse(text), wrong = [];
  const $ = (place) => document.querySelector(place), all = (place) => [...document.querySelectorAll(place)];
  const across = (place) => place.scrollWidth > place.clientWidth + 1, down = (place) => place.scrollHeight > place.clientHeight + 1;
  const isSeen = (place) => place.getClientRects().length > 0;

  for (const place of all("#next, #then, #pots, body > header > *, .seat .who")) if (place.clientWidth > 1 && across(place) && !all(".name").some((name) => place.contains(name) && across(name))) wrong.push(`across: ${place.innerText}`);
  for (const place of all("body > header, #due, #board, #ruling .body, #felt, aside, #keys, #refusal, #notices, #keys button, #all button, #totals button, #answers button, #simulation button")) {
    if (isSeen(place) && place.clientWidth && (across(place) || down(place))) wrong.push(`${place.id || place.className || place.parentNode.id}: ${place.innerText}`);
  }
  const large = $("#next").innerText, first = $(".under-way .steps li:not(.done, .more)"), due = table.next[0];
  if ($("#next").offsetHeight + $("#then").offsetHeight > $("#due").clientHeight) wrong.push(`due: ${large}`);
  if ($("#next").scrollHeight > $("#next").clientHeight + 0.2 * parseFloat(getComputedStyle($("#next")).fontSize)) wrong.push(`low: ${large}`);
  if (!$("#game").innerText.trim()) wrong.push("no game");
  if (first && table.phase !== "halted" && first.innerText.replace("☐ ", "") !== large) wrong.push(`${first.innerText} is not ${large}`);
  if ($(".lamp.deal") && (!due || table.phase === "halted" || due.from === "all")) wrong.push(`CARD on: ${large}`);

  /* Every piece that says something or can be touched, over every other: empty seats, lamps, cards, keys and texts. A box that is
     part of another may lie on it, and a lamp on the edge of its own seat. */
  const hasText = (place) => [...place.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const pieces = all("body *").filter((place) => (place.matches("button, select, .seat, .card, .lamp, .up") || (hasText(place) && !place.matches(".up *"))) && isSeen(place));
  const boxes = pieces.map((place) => place.getBoundingClientRect());
  const name = (place) => `${place.id || place.className || place.tagName} ${place.innerText.slice(0, 40)}`.replaceAll("\n", " ");
  boxes.forEach((box, i) => {
    if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) wrong.push(`beyond: ${name(pieces[i])}`);
    for (let j = i + 1; j < boxes.length; j += 1) {
      const there = boxes[j];
      if (there.left >= box.right - 2 || there.right <= box.left + 2 || there.top >= box.bottom - 2 || there.bottom <= box.top + 2) continue;
      if (!pieces[i].contains(pieces[j]) && !pieces[j].contains(pieces[i])) wrong.push(`over: ${name(pieces[i])} and ${name(pieces[j])}`);
    }
  });
  for (const part of all(".seat :is(.chips, .up)")) {
    const range = document.createRange(), box = part.closest(".seat").getBoundingClientRect();
    range.selectNodeContents(part);
    const inner = range.getBoundingClientRect();
    if (inner.width && (inner.left < box.left || inner.right > box.right || inner.bottom > box.bottom + 1)) wrong.push(`seat: ${part.innerText}`);
  }
  return wrong;
})
