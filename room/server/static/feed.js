/* What a topic of the room's hub shows, kept as it changes: `draw(keys, changed, now)` after each event, `linked(yes)` when the line comes or goes. */
export function followFeed(path, draw, linked = () => {}) {
  const keys = new Map();
  const source = new EventSource(path);
  source.addEventListener("open", () => linked(true));
  source.addEventListener("error", () => linked(false));
  source.addEventListener("message", (event) => {
    const told = JSON.parse(event.data);
    const changed = new Set(Object.keys(told.keys));
    if (told.whole) {
      for (const key of keys.keys()) changed.add(key);
      keys.clear();
    }
    for (const [key, value] of Object.entries(told.keys)) if (value === null) keys.delete(key); else keys.set(key, value);
    draw(keys, changed, told.now);
  });
  return keys;
}
