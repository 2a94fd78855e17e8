/* Gives the page one publication after the other, and says of each what is cut or contradicts the large line. */
(texts) => texts.map((text) => {
  window.tell(text);
  const { table } = JSON.parse(text), wrong = [];
  const $ = (place) => document.querySelector(place), all = (place) => [...document.querySelectorAll(place)];
  const across = (place) => place.scrollWidth > place.clientWidth + 1, down = (place) => place.scrollHeight > place.clientHeight + 1;

  for (const place of all("#next, #then, .seat .who")) if (across(place) && !all(".name").some((name) => place.contains(name) && across(name))) wrong.push(`across: ${place.innerText}`);
  for (const place of all("#due, #game, #hand, #street, #pots, #board, #ruling .body, #felt, aside, #keys, #refusal, #notices, #keys button, #all button, #totals button, #answers button")) {
    if (across(place) || down(place)) wrong.push(`${place.id || place.className || place.parentNode.id}: ${place.innerText}`);
  }
  const large = $("#next").innerText, first = $(".under-way .steps li:not(.done, .more)"), due = table.next[0];
  if ($("#next").offsetHeight + $("#then").offsetHeight > $("#due").clientHeight) wrong.push(`due: ${large}`);
  if (first && table.phase !== "halted" && first.innerText.replace("☐ ", "") !== large) wrong.push(`${first.innerText} is not ${large}`);
  if ($(".lamp.deal") && (!due || table.phase === "halted" || due.from === "all")) wrong.push(`CARD on: ${large}`);

  const taken = all(".seat:not(.empty)"), end = $("footer").getBoundingClientRect().top + 1;
  const boxes = taken.map((tile) => tile.getBoundingClientRect());
  taken.forEach((tile, i) => {
    const box = boxes[i];
    if (box.left < 0 || box.top < 0 || box.bottom > end) wrong.push(`beyond: ${tile.innerText}`);
    for (const part of tile.querySelectorAll(".chips, .chips b, .up")) {
      const range = document.createRange();
      range.selectNodeContents(part);
      const inner = range.getBoundingClientRect();
      if (inner.width && (inner.left < box.left || inner.right > box.right || inner.bottom > box.bottom + 1)) wrong.push(`seat: ${part.innerText}`);
    }
    boxes.slice(i + 1).forEach((there, more) => {
      const apart = there.left >= box.right - 2 || there.right <= box.left + 2 || there.top >= box.bottom - 2 || there.bottom <= box.top + 2;
      if (!apart) wrong.push(`over: ${tile.innerText} and ${taken[i + 1 + more].innerText}`);
    });
  });
  return wrong;
})
