import { signal, type ReadonlySignal } from '@preact/signals';

export type Audio = {
  /** The audio context for sounds. Null before the first touch, or on a device without sound. */
  context: () => AudioContext | null;
  /** True while a sound would be heard, according to the browser. A phone call or another app may stop sounds at any time. */
  isRunning: ReadonlySignal<boolean>;
  /**
   * Turns sounds on again. Call it in a handler for a tap or a key, because the browser allows sounds only there. Never rejects.
   */
  resume: () => Promise<void>;
  close: () => void;
};
type Options = {
  /** Returns true if touches and keys should turn sounds on again. */
  isWanted: () => boolean;
  /** True to play sounds even on an iPhone or iPad in silent mode. This stops music from other apps. */
  isEvenIfMuted?: boolean;
};

/** An attribute for the button that turns the sound on and off. Without it, touching the button would turn the sound on first. */
export const turnsSound = { 'data-turns-sound': '' };
const gestures = ['pointerup', 'keydown'] as const;

/**
 * Returns true if the context must be replaced. After a phone call or Siri, Safari may resume an `interrupted` context that
 * reports running but plays nothing.
 */
const isOver = ({ state }: AudioContext): boolean => state === 'closed' || (state as string) === 'interrupted';

/** Opens this page's audio. If the browser stops it, any touch or key turns it on again. */
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
      // If this failed, the next touch tries again.
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
