import { signal, type ReadonlySignal } from '@preact/signals';

export type Audio = {
  /** The page's audio context. Null before the first touch or key press, or on a device that can't play sounds. */
  context: () => AudioContext | null;
  /** True if the browser reports that sounds can be heard. A phone call or another app may stop them at any time. */
  isRunning: ReadonlySignal<boolean>;
  /** Turns sounds on again. Call it in a tap or key handler, because browsers allow sounds only there. Never rejects. */
  resume: () => Promise<void>;
  close: () => void;
};
type Options = {
  /** Returns true if any touch or key press should turn sounds on again. */
  isWanted: () => boolean;
  /** True to play sounds even on an iPhone or iPad in silent mode. This stops music from other apps. */
  isEvenIfMuted?: boolean;
};

/** Marks the button that turns sounds on and off. Without this mark, touching the button would already turn sounds on. */
export const turnsSound = { 'data-turns-sound': '' };
const gestures = ['pointerup', 'keydown'] as const;

/**
 * Returns true if the audio context must be replaced. After a phone call or Siri, Safari may resume an `interrupted` context that
 * then reports `running` but plays nothing.
 */
const isOver = ({ state }: AudioContext): boolean => state === 'closed' || (state as string) === 'interrupted';

/** Opens the page's audio. If the browser stops sounds, the next touch or key press turns them on again. */
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
      // The next touch or key press tries again.
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
