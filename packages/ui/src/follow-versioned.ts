import type { Client, FeedEvent } from '@comanda/client';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { createRetry } from './retry.ts';

type Versioned = { version: number };
export type Followed<T extends Versioned> = {
  state: ReadonlySignal<T>;
  /** Whether the state is what the server has said. */
  isRead: ReadonlySignal<boolean>;
  /** Takes the answer to a change, before the feed brings it. */
  apply: (next: T) => void;
  read: () => Promise<void>;
  close: () => void;
};
type Source<T extends Versioned> = {
  /** Until it was read; version 0. */
  notRead: T;
  call: () => Promise<T>;
  /** What an event says of it; null if it is about something else. */
  takenFrom: (event: FeedEvent) => T | null;
};

/** Something of the whole restaurant that has versions. The feed tells changes; a screen that shows it reads it when it is opened. */
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
  /** Events and reads overtake each other: the highest version counts. */
  function apply(next: T): void {
    if (next.version >= state.value.version) state.value = next;
  }
  async function read(): Promise<void> {
    isAsked = true;
    const gapsBefore = gaps;
    try {
      const response = await call();
      // Of before the gap: another read has begun.
      if (gaps === gapsBefore) apply(response);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      retry.fail(error); // in the meantime the server refuses what is stopped, with the same words
    }
  }
  const feed = client.feed({
    onEvent: (event) => {
      const next = takenFrom(event);
      if (next) apply(next);
    },
    onStanding: ({ status }) => {
      // What is read next may be older: a database was restored.
      if (status === 'gap') {
        gaps++;
        state.value = { ...state.value, version: notRead.version };
      }
      // Of what changed between the first read and the first moment of the feed, no event comes.
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
