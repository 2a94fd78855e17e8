/* Pieces of a page. */
export function makeElement(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/* Whether something has more to show than it has room for. */
export const isOverflowing = (place) => place.scrollWidth > place.clientWidth + 1 || place.scrollHeight > place.clientHeight + 1;

/* Calls `showVariant` with the first of these after which nothing is cut, or with the last. */
export function showFitting(variants, showVariant, isCut) {
  for (const variant of variants) {
    showVariant(variant);
    if (!isCut()) return;
  }
}
