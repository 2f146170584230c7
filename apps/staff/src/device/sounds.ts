import { computed, signal } from '@preact/signals';
import { openAudio } from '@comanda/ui/audio.ts';
import { onDevice } from '../on-device.ts';

export type Sound = 'new' | 'ready' | 'changed' | 'lost' | 'caughtUp';
type Tone = { hz: number; atS: number; lengthS: number; gain?: number };

const tones: Readonly<Record<Sound, readonly Tone[]>> = {
  new: [
    { hz: 660, atS: 0, lengthS: 0.16 },
    { hz: 990, atS: 0.18, lengthS: 0.24 },
  ],
  ready: [{ hz: 1_320, atS: 0, lengthS: 0.6 }],
  changed: [0, 0.16, 0.32].map((atS) => ({ hz: 740, atS, lengthS: 0.09 })),
  lost: [{ hz: 180, atS: 0, lengthS: 0.4, gain: 0.5 }],
  caughtUp: [
    { hz: 520, atS: 0, lengthS: 0.12 },
    { hz: 780, atS: 0.14, lengthS: 0.12 },
  ],
};
const soundNames = Object.keys(tones) as readonly Sound[];

/** Sounds are at least 1,000 ms apart, so that each can be recognized. Waiting sounds are played in this list's order. */
const minPauseMs = 1_000;
const byUrgency: readonly Sound[] = ['new', 'changed', 'ready', 'caughtUp', 'lost'];

/** How long the board is mute after a tap: nobody turns its sounds on again. */
const muteMs = 600_000;

export type Sounds = ReturnType<typeof createSounds>;

/** The device's sounds. */
export function createSounds() {
  /** When sounds come back, by the device's clock; null while they are on. */
  const mutedUntilMs = signal<number | null>(null);
  /** True on a board. On other pages, a touch doesn't turn sounds on. */
  let isBoard = false;
  const audio = openAudio({ isWanted: () => isBoard && mutedUntilMs.value === null, isEvenIfMuted: true });
  /** `blocked`: the browser plays no sound until someone touches the page. */
  const state = computed<'on' | 'off' | 'blocked'>(() =>
    mutedUntilMs.value !== null ? 'off' : audio.isRunning.value ? 'on' : 'blocked',
  );
  const waiting = new Set<Sound>();
  let playedAt = -minPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  let comeBack: ReturnType<typeof setTimeout> | undefined;
  function setMuted(untilMs: number | null): void {
    clearTimeout(comeBack);
    const leftMs = untilMs === null ? 0 : untilMs - Date.now();
    // A clock that was set back must not keep the board mute.
    const isMuted = leftMs > 0 && leftMs <= muteMs;
    mutedUntilMs.value = isMuted ? untilMs : null;
    onDevice.mutedUntilMs.write(mutedUntilMs.value);
    if (isMuted) comeBack = setTimeout(() => setMuted(null), leftMs);
  }
  setMuted(onDevice.mutedUntilMs.get());

  function unlock(): Promise<void> {
    isBoard = true;
    return audio.resume();
  }
  function playNext(): void {
    timer = undefined;
    const sound = byUrgency.find((each) => waiting.has(each));
    if (sound === undefined) return;
    waiting.delete(sound);
    const context = audio.context();
    if (state.value !== 'on' || !context) return;
    playedAt = performance.now();
    schedule(context, tones[sound], context.currentTime);
    if (waiting.size > 0) timer = setTimeout(playNext, minPauseMs);
  }
  return {
    state,
    /** Allows sounds. Call this in a handler for taps or keys, because browsers allow sounds only then. */
    unlock,
    mutedUntilMs,
    /** Mutes the board for ten minutes, or turns its sounds on again. */
    toggle: (): void => {
      setMuted(mutedUntilMs.peek() === null ? Date.now() + muteMs : null);
      if (mutedUntilMs.peek() === null) void unlock();
    },
    play: (sound: Sound): void => {
      if (state.value !== 'on') return;
      waiting.add(sound);
      timer ??= setTimeout(playNext, Math.max(0, playedAt + minPauseMs - performance.now()));
    },
    /** Plays every sound once, so that people get to know them. */
    playAll: async (): Promise<void> => {
      await unlock();
      const context = audio.context();
      if (state.value !== 'on' || !context) return;
      for (const [at, sound] of soundNames.entries()) schedule(context, tones[sound], context.currentTime + at * 0.9);
    },
  };
}

function schedule(audio: AudioContext, sequence: readonly Tone[], startS: number): void {
  for (const { hz, atS, lengthS, gain = 0.35 } of sequence) {
    const [oscillator, volume] = [audio.createOscillator(), audio.createGain()];
    const [from, to] = [startS + atS, startS + atS + lengthS];
    oscillator.frequency.value = hz;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(gain, from + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, to);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(from);
    oscillator.stop(to);
  }
}
