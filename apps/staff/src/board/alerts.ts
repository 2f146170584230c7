import type { FeedState } from '@comanda/client/core';
import { createAnnouncer } from '@comanda/ui/announcer.ts';
import { signal, type ReadonlySignal } from '@preact/signals';
import type { Sounds } from '../device/sounds.ts';
import { messages } from '../messages.ts';
import type { Difference } from './card.ts';

const announceAfterMs = 1_500;
const repeatNewMs = 10_000;
/** The sound of a remake comes twice. */
const againAfterMs = 1_500;
const repeatLostMs = 5_000;

type Deps = { sounds: Pick<Sounds, 'play'>; feedState: ReadonlySignal<FeedState> };

/**
 * Alerts staff to new orders and other changes: with sounds that repeat until someone touches the screen, and with texts for
 * screen readers.
 */
export function openAlerts({ sounds, feedState }: Deps) {
  /** The ids of orders that arrived while this page was open, since the screen was last touched. */
  const untouched = signal<ReadonlySet<number>>(new Set());
  const { announcement, announce } = createAnnouncer();
  const state = { newOrders: 0, newSoundAt: 0, lostSoundAt: 0, before: feedState.peek() };
  /**
   * Returns true while this screen loads what it missed: only one sound is played, at the end. If only the server is behind, new
   * orders still arrive one by one, so this returns false.
   */
  function isQuiet(): boolean {
    const feed = feedState.peek();
    return feed.kind === 'catching_up' && feed.waitingSinceMs === undefined;
  }

  /** Announces several new orders together instead of one by one. */
  function announceNew(): void {
    announce(messages().feed.newOrders(state.newOrders));
    state.newOrders = 0;
  }
  function playNew(): void {
    state.newSoundAt = performance.now();
    sounds.play('new');
  }
  function repeatSounds(): void {
    const at = performance.now();
    const { kind } = feedState.peek();
    if (kind === 'not_live' && at - state.lostSoundAt >= repeatLostMs) {
      state.lostSoundAt = at;
      sounds.play('lost');
    }
    if (untouched.value.size > 0 && !isQuiet() && at - state.newSoundAt >= repeatNewMs) playNew();
  }
  const stopListening = feedState.subscribe((next) => {
    const wasBehind = state.before.kind === 'not_live' || state.before.kind === 'catching_up';
    if (next.kind === 'live' && wasBehind) sounds.play('caughtUp');
    state.before = next;
  });
  const timer = setInterval(repeatSounds, 1_000);
  let announcing: ReturnType<typeof setTimeout> | undefined;
  return {
    untouched,
    announcement,
    /** Announces changes that other people have made. */
    tell: ({ added, ready, changed, hasRemake }: Difference): void => {
      if (added.length > 0) {
        untouched.value = new Set([...untouched.value, ...added]);
        if (state.newOrders === 0) announcing = setTimeout(announceNew, announceAfterMs);
        state.newOrders += added.length;
      }
      if (isQuiet()) return;
      if (added.length > 0) playNew();
      if (hasRemake) state.newSoundAt -= repeatNewMs - againAfterMs;
      if (changed.length > 0) sounds.play('changed');
      if (ready.length > 0) sounds.play('ready');
    },
    /** Stops the sound for new orders. Call this when someone touches the screen. */
    touch: (): void => {
      if (untouched.value.size > 0) untouched.value = new Set();
    },
    close: (): void => {
      stopListening();
      clearInterval(timer);
      clearTimeout(announcing);
    },
  };
}
