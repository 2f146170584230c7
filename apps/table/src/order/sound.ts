import { signal } from '@preact/signals';
import { isOneOf, stored } from '@comanda/ui/stored-setting.ts';

/** The overtones of a bell, in Hz, each with its loudness. */
const overtones = [
  [880, 0.25],
  [1760, 0.12],
  [2640, 0.05],
] as const;

const storedChoice = stored('sound', isOneOf('on', 'off'), 'on');

/** The bell for what is ready. A browser lets a page make sounds only after a tap in it. */
export function openSound() {
  const isOn = signal(false);
  let audio: AudioContext | null = null;

  function unlock(): void {
    if (audio || storedChoice.get() === 'off') return;
    try {
      audio = new AudioContext();
      isOn.value = true;
    } catch {
      // There is no sound on this device.
    }
  }
  addEventListener('pointerdown', unlock, { once: true });

  /** To be called in the handler of a tap. */
  function toggle(): void {
    const turnsOn = !isOn.value;
    storedChoice.write(turnsOn ? 'on' : 'off');
    if (turnsOn) unlock();
    isOn.value = turnsOn && audio !== null;
    if (isOn.value) ring();
  }
  /** One stroke of a bell, and a short vibration. */
  function ring(): void {
    if ('vibrate' in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(200);
    if (!audio || !isOn.value) return;
    void audio.resume();
    for (const [frequency, loudness] of overtones) {
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
  function close(): void {
    removeEventListener('pointerdown', unlock);
    void audio?.close();
  }
  return { isOn, toggle, ring, close };
}
