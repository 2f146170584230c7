import { signal, type ReadonlySignal } from '@preact/signals';

export type Audio = {
  /** The audio context that plays sounds; null before the first touch, or on a device without sound. */
  context: () => AudioContext | null;
  /** True while a sound would be heard, as the browser reports it: a phone call or another app may stop sounds at any time. */
  isRunning: ReadonlySignal<boolean>;
  /** Turns sounds on again. Call it in the handler of a tap or a key: only then does the browser allow sounds. Never rejects. */
  resume: () => Promise<void>;
  close: () => void;
};
type Options = {
  /** Returns true if touches and keys should turn sounds on again. */
  isWanted: () => boolean;
  /** True if sounds should play even on an iPhone or iPad in silent mode; this stops music from other apps. */
  isEvenIfMuted?: boolean;
};

/** An attribute for a button that turns the sound on and off: touching it must not turn the sound on first. */
export const turnsSound = { 'data-turns-sound': '' };
const gestures = ['pointerup', 'keydown'] as const;

/**
 * Returns true if the context must be replaced. After a phone call or Siri, Safari's `interrupted` context may resume to a state
 * that reports running and plays nothing.
 */
const isOver = ({ state }: AudioContext): boolean => state === 'closed' || (state as string) === 'interrupted';

/** Opens the sounds for this page. Any touch or key turns them on again after the browser has stopped them. */
export function openAudio({ isWanted, isEvenIfMuted = false }: Options): Audio {
  const isRunning = signal(false);
  let context: AudioContext | null = null;
  const note = (): void => void (isRunning.value = context?.state === 'running');

  function create(): AudioContext {
    const { audioSession } = navigator as { audioSession?: { type: string } };
    if (audioSession && isEvenIfMuted) audioSession.type = 'playback';
    const created = new AudioContext();
    created.addEventListener('statechange', note);
    return created;
  }
  async function resume(): Promise<void> {
    try {
      if (context === null || isOver(context)) {
        void context?.close().catch(() => undefined);
        context = create();
      }
      if (context.state !== 'running') await context.resume();
    } catch {
      // The next touch tries again; the state shows if that worked.
    }
    note();
  }
  const onGesture = (event: Event): void => {
    const isPress = !(event instanceof KeyboardEvent) || event.key === 'Enter' || event.key === ' ';
    const isOfButton =
      isPress && event.target instanceof Element && event.target.closest('[data-turns-sound]') !== null;
    if (!isOfButton && !isRunning.value && isWanted()) void resume();
  };
  for (const gesture of gestures) addEventListener(gesture, onGesture, { capture: true });
  return {
    context: () => context,
    isRunning,
    resume,
    close: () => {
      for (const gesture of gestures) removeEventListener(gesture, onGesture, { capture: true });
      void context?.close().catch(() => undefined);
    },
  };
}
