// The one sound of the board: two soft notes when a turn begins. It is computed, not loaded.

import { pause } from "./api.js";

const NOTES = [587.33, 880],
  LENGTH = 0.5,
  APART = 0.16,
  LOUDNESS = 0.12,
  STARTING = 1_000,
  QUIET = 3_000;

/** Play it in one tab. A browser that does not let a page sound before somebody has used it stays silent. */
export async function ring() {
  const audio = new AudioContext();
  // Some browsers begin with a delay, even if they let the page sound.
  await Promise.race([audio.resume(), pause(STARTING)]);
  if (audio.state !== "running") return audio.close();
  if (!("locks" in navigator)) return play(audio);
  await navigator.locks.request("condottiere.sound", { ifAvailable: true }, async (lock) => {
    if (!lock) return audio.close();
    play(audio);
    // The other tabs hear of the turn a little later.
    await pause(QUIET);
  });
}

/** @param {AudioContext} audio closed after the last note */
function play(audio) {
  for (const [n, note] of NOTES.entries()) {
    const from = audio.currentTime + n * APART;
    const tone = new OscillatorNode(audio, { type: "sine", frequency: note });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.linearRampToValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUDNESS, from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + LENGTH);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + LENGTH);
    if (n === NOTES.length - 1) tone.onended = () => audio.close();
  }
}
