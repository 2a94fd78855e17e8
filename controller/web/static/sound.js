/* What is heard at the table, heard here too: Web Audio, no files. Each sound can be off; browsers are silent until a touch. */

/* Sound -> tones one after the other: hertz (0: a pause) and seconds. docs/devices.md says when each is heard. */
const TONES = {
  "due": [[880, 0.08]],
  "stop": [[220, 0.24], [0, 0.06], [220, 0.24]],
  "floor": [[660, 0.1], [880, 0.1], [660, 0.1], [0, 0.15], [660, 0.1], [880, 0.1], [660, 0.1]],
  "taken-back": [[520, 0.12], [0, 0.06], [390, 0.12]],
};
const LOUDNESS = 0.2;
const KEPT = "sounds.off";

export const SOUNDS = Object.keys(TONES);

const off = new Set(JSON.parse(localStorage.getItem(KEPT) || "[]"));
let audio = null;
let last = null;

export const isOn = (what) => !off.has(what);

export function setOn(what, on) {
  if (on) off.delete(what); else off.add(what);
  localStorage.setItem(KEPT, JSON.stringify([...off]));
}

export function play(what) {
  audio = audio || new AudioContext();
  audio.resume();
  let at = audio.currentTime;
  for (const [hertz, seconds] of TONES[what]) {
    if (hertz) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = hertz;
      volume.gain.value = LOUDNESS;
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + seconds);
    }
    at += seconds;
  }
}

/* Take what a publication says was to be heard last; what was heard before this page came is not heard again. */
export function hear(sound) {
  const number = sound ? sound.number : 0;
  const isNew = last !== null && number !== last && sound;
  last = number;
  if (!isNew || !isOn(sound.what)) return;
  document.body.dataset.heard = `${sound.what} ${number}`;
  play(sound.what);
}
