import { computed } from '@preact/signals';
import { openAudio } from '@comanda/ui/audio.ts';
import { onDevice } from '../on-device.ts';

/** The tones of a bell, each as its frequency in Hz and its volume from 0 to 1. */
const overtones = [
  [880, 0.25],
  [1760, 0.12],
  [2640, 0.05],
] as const;

/** The bell for ready dishes. Browsers allow a page to play sounds only after a tap. */
export function openSound() {
  const isWanted = computed(() => onDevice.sound.signal.value === 'on');
  const audio = openAudio({ isWanted: () => isWanted.value });
  const isOn = computed(() => isWanted.value && audio.isRunning.value);

  /** Turns the bell on or off. Call this in a tap handler. */
  async function toggle(): Promise<void> {
    const turnsOn = !isOn.value;
    onDevice.sound.write(turnsOn ? 'on' : 'off');
    if (!turnsOn) return;
    await audio.resume();
    ring();
  }
  /** Plays one stroke of the bell, with a vibration of 200 ms. */
  function ring(): void {
    if ('vibrate' in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(200);
    const context = audio.context();
    if (!context || !isOn.value) return;
    for (const [frequency, loudness] of overtones) {
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(loudness, context.currentTime);
      volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 1.4);
      tone.connect(volume).connect(context.destination);
      tone.start();
      tone.stop(context.currentTime + 1.5);
    }
  }
  return { isOn, toggle, ring, close: audio.close };
}
