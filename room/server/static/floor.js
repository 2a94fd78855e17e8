/* All tables on one screen. */
import { showMenu } from "/room/menu.js";

showMenu();
