import type { FeedState } from '@comanda/client/core';
import { language } from '@comanda/ui/language.ts';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Sounds } from '../device/sounds.ts';
import { messages } from '../messages.ts';
import type { Difference } from './card.ts';

const announceAfterMs = 1_500;
const repeatNewMs = 10_000;
const repeatLostMs = 5_000;

type Deps = { sounds: Pick<Sounds, 'play'>; feedState: ReadonlySignal<FeedState> };

/** Alerts people to news: with sounds, which repeat until the screen is touched, and for screen readers. */
export function openAlerts({ sounds, feedState }: Deps) {
  /** Orders that arrived while this page was open and the screen has not been touched since. */
  const untouched = signal<ReadonlySet<number>>(new Set());
  /** The text for screen readers. It announces several new orders together instead of one by one. */
  const said = signal({ text: '', lang: language.peek() });
  /** After a language change there is nothing to read, because it was already read. */
  const announcement = computed(() => (said.value.lang === language.value ? said.value.text : ''));
  const state = { newOrders: 0, newSoundAt: 0, lostSoundAt: 0, before: feedState.peek() };
  /**
   * Returns true while this screen receives what it missed, which plays one sound at the end. If only the server is behind, new
   * orders still arrive.
   */
  function isQuiet(): boolean {
    const feed = feedState.peek();
    return feed.kind === 'catching_up' && feed.waitingSinceMs === undefined;
  }

  function announce(): void {
    said.value = { text: messages().feed.newOrders(state.newOrders), lang: language.peek() };
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
  return {
    untouched,
    announcement,
    /** Announces what other people have changed. */
    tell: ({ added, ready, changed }: Difference): void => {
      if (added.length > 0) {
        untouched.value = new Set([...untouched.value, ...added]);
        if (state.newOrders === 0) setTimeout(announce, announceAfterMs);
        state.newOrders += added.length;
      }
      if (isQuiet()) return;
      if (added.length > 0) playNew();
      if (changed.length > 0) sounds.play('changed');
      if (ready.length > 0) sounds.play('ready');
    },
    /** Stops the sound for new orders, because someone has looked. */
    touch: (): void => {
      if (untouched.value.size > 0) untouched.value = new Set();
    },
    close: (): void => {
      stopListening();
      clearInterval(timer);
    },
  };
}
