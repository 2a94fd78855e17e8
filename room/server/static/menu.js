/* The links of every page of the room, and who is signed in. A page that is added adds its line. */
import { makeElement } from "/static/elements.js";
import { t } from "/static/language.js";
import { showPrincipal } from "/static/session.js";

export { makeElement };

const PAGES = [
  ["/", t("Floor")],
  ["/rulings", t("Rulings")],
  ["/shift", t("Shift")],
  ["/drop", t("The drop")],
  ["/events", t("Tournament")],
  ["/lists", t("Waiting lists")],
  ["/dealers", t("Dealers")],
  ["/high-hands", t("High hands")],
  ["/people", t("Staff")],
  ["/fleet", t("Tables and programs")],
  ["/webhooks", t("Webhooks")],
];

/* A code of the table script as people write it. */
export { formatLabel as formatCode } from "/static/labels.js";

let drawnFor = "";   /* name and roles of whoever this page was drawn for; nobody: "" */

/* Fills `#menu` and `#who` of the page; `onPrincipal` is told who is signed in, whenever that may have changed. A page that was
   drawn for somebody who is signed in no more is loaded anew, so that nothing which they were told stays on the screen. */
export function showMenu(onPrincipal = () => {}) {
  const menu = document.getElementById("menu");
  menu.replaceChildren(...PAGES.map(([path, name]) => {
    const link = makeElement("a", "", name);
    link.href = path;
    if (location.pathname === path) link.setAttribute("aria-current", "page");
    return link;
  }));
  const currentLink = menu.querySelector("[aria-current]");
  if (currentLink) menu.scrollLeft = currentLink.offsetLeft - menu.offsetLeft - (menu.clientWidth - currentLink.offsetWidth) / 2;
  showPrincipal(document.getElementById("who"), (who) => {
    const nameAndRoles = who.name ? [who.name, ...who.roles].join() : "";
    if (drawnFor && nameAndRoles !== drawnFor) {
      document.body.hidden = true;
      location.reload();
      return;
    }
    drawnFor = nameAndRoles;
    onPrincipal(who);
  });
}

addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });  // a page that the browser kept
