import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';

/** A browser lets a page make sounds only after a tap in it. */
export const isSoundOn = signal(false);
let audio: AudioContext | null = null;

/** To be called in the handler of a tap. */
export function unlockSound(): void {
  if (audio || readSetting('sound') === 'off') return;
  try {
    audio = new AudioContext();
    isSoundOn.value = true;
  } catch {
    // There is no sound on this device.
  }
}
export function toggleSound(): void {
  const isOn = !isSoundOn.value;
  writeSetting('sound', isOn ? 'on' : 'off');
  if (isOn) unlockSound();
  isSoundOn.value = isOn && audio !== null;
  if (isSoundOn.value) ringBell();
}

/** One stroke of a bell, and a short vibration. */
export function ringBell(): void {
  if ('vibrate' in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(200);
  if (!audio || !isSoundOn.value) return;
  void audio.resume();
  for (const [frequency, loudness] of [
    [880, 0.25],
    [1760, 0.12],
    [2640, 0.05],
  ] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(loudness, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 1.4);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 1.5);
  }
}
