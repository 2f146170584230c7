import type { Client, FeedEvent } from '@comanda/client';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { createRetry } from './retry.ts';

type Versioned = { version: number };
export type Followed<T extends Versioned> = {
  state: ReadonlySignal<T>;
  /** Whether the state is the server's. */
  isRead: ReadonlySignal<boolean>;
  /** Applies the response to a change, before the feed brings it. */
  apply: (next: T) => void;
  read: () => Promise<void>;
  close: () => void;
};
type Source<T extends Versioned> = {
  /** The state before it was read, with version 0. */
  notRead: T;
  call: () => Promise<T>;
  /** The state in an event; null if the event is about something else. */
  takenFrom: (event: FeedEvent) => T | null;
};

/**
 * Follows a versioned, restaurant-wide resource. The feed brings its changes; a screen that shows it reads it when
 * opened.
 */
export function followVersioned<T extends Versioned>(
  client: Pick<Client, 'feed'>,
  { notRead, call, takenFrom }: Source<T>,
): Followed<T> {
  const state = signal(notRead);
  const isRead = computed(() => state.value.version > notRead.version);
  let isAsked = false;
  let hasFailed = false;
  let wasLive = false;
  let gaps = 0;
  const retry = createRetry(() => void read());
  /** Events and reads may arrive out of order: the highest version counts. */
  function apply(next: T): void {
    if (next.version >= state.value.version) state.value = next;
  }
  async function read(): Promise<void> {
    isAsked = true;
    const gapsBefore = gaps;
    try {
      const response = await call();
      // A response to a read from before the gap is ignored: another read has started.
      if (gaps === gapsBefore) apply(response);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      retry.fail(error); // in the meantime the server rejects what is stopped, with the same message
    }
  }
  const feed = client.feed({
    onEvent: (event) => {
      const next = takenFrom(event);
      if (next) apply(next);
    },
    onStanding: ({ status }) => {
      // The next read may have an older version, because a database was restored.
      if (status === 'gap') {
        gaps++;
        state.value = { ...state.value, version: notRead.version };
      }
      // No event comes for changes between the first read and the first moment of the feed.
      const isFirst = status === 'live' && !wasLive;
      wasLive ||= status === 'live';
      if (status === 'gap' || (isFirst && isAsked) || (status === 'live' && hasFailed)) void read();
    },
  });
  return {
    state,
    isRead,
    apply,
    read,
    close: (): void => {
      retry.close();
      feed.close();
    },
  };
}
