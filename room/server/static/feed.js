/* What a topic of the room's hub shows, kept as it changes: `draw(keys, changed, now)` after each event, `onLinkChange(isOpen)` when the line comes or goes. */
export function followFeed(path, draw, onLinkChange = () => {}) {
  const keys = new Map();
  const source = new EventSource(path);
  source.addEventListener("open", () => onLinkChange(true));
  source.addEventListener("error", () => onLinkChange(false));
  source.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    const changed = new Set(Object.keys(message.keys));
    if (message.whole) {
      for (const key of keys.keys()) changed.add(key);
      keys.clear();
    }
    for (const [key, value] of Object.entries(message.keys)) if (value === null) keys.delete(key); else keys.set(key, value);
    draw(keys, changed, message.now);
  });
  return keys;
}
