/* What is heard at the table, heard here too: Web Audio, no files. Each sound can be off; browsers are silent until a touch. */

/* Sound -> tones one after the other: hertz (0: a pause) and seconds. docs/devices.md says when each is heard. */
const TONES_BY_SOUND = {
  "due": [[880, 0.08]],
  "stop": [[220, 0.24], [0, 0.06], [220, 0.24]],
  "floor": [[660, 0.1], [880, 0.1], [660, 0.1], [0, 0.15], [660, 0.1], [880, 0.1], [660, 0.1]],
  "taken-back": [[520, 0.12], [0, 0.06], [390, 0.12]],
};
const LOUDNESS = 0.2;
const STORAGE_KEY = "sounds.off";

export const SOUNDS = Object.keys(TONES_BY_SOUND);

const mutedSounds = new Set(JSON.parse(localStorage.getItem(STORAGE_KEY) || "[]"));
let audioContext = null;
let lastNumber = null;

export const isSoundOn = (sound) => !mutedSounds.has(sound);

export function setSoundOn(sound, isOn) {
  if (isOn) mutedSounds.delete(sound); else mutedSounds.add(sound);
  localStorage.setItem(STORAGE_KEY, JSON.stringify([...mutedSounds]));
}

export function playSound(sound) {
  audioContext = audioContext || new AudioContext();
  audioContext.resume();
  let startTime = audioContext.currentTime;
  for (const [hertz, seconds] of TONES_BY_SOUND[sound]) {
    if (hertz) {
      const tone = audioContext.createOscillator();
      const volume = audioContext.createGain();
      tone.frequency.value = hertz;
      volume.gain.value = LOUDNESS;
      tone.connect(volume).connect(audioContext.destination);
      tone.start(startTime);
      tone.stop(startTime + seconds);
    }
    startTime += seconds;
  }
}

/* Take what a publication says was to be heard last; what was heard before this page came is not heard again. */
export function playNewSound(sound) {
  const number = sound ? sound.number : 0;
  const isNew = lastNumber !== null && number !== lastNumber && sound;
  lastNumber = number;
  if (!isNew || !isSoundOn(sound.what)) return;
  document.body.dataset.heard = `${sound.what} ${number}`;
  playSound(sound.what);
}
