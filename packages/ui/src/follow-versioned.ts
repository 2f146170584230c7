import type { Client, FeedEvent } from '@comanda/client';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { createRetry } from './retry.ts';

type Versioned = { version: number };
export type Followed<T extends Versioned> = {
  state: ReadonlySignal<T>;
  /** True if the state has been fetched from the server. */
  isRead: ReadonlySignal<boolean>;
  /** Applies the response to a change before the feed delivers the change. */
  apply: (next: T) => void;
  read: () => Promise<void>;
  close: () => void;
};
type Source<T extends Versioned> = {
  /** The initial state before the first fetch, with version 0. */
  notRead: T;
  call: () => Promise<T>;
  /** Returns the state in an event, or null if the event is about something else. */
  takenFrom: (event: FeedEvent) => T | null;
};

/**
 * Follows a versioned resource that the whole restaurant shares, as the feed delivers its changes. A screen that shows the
 * resource calls `read` when it opens.
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
  /** Applies a state unless a higher version was already applied, because events and responses may arrive out of order. */
  function apply(next: T): void {
    if (next.version >= state.value.version) state.value = next;
  }
  async function read(): Promise<void> {
    isAsked = true;
    const gapsBefore = gaps;
    try {
      const response = await call();
      // If a gap has occurred since the request, this ignores the response, because there is a newer request.
      if (gaps === gapsBefore) apply(response);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      retry.fail(error); // Until a retry succeeds, the server rejects calls to stopped functions with the same message.
    }
  }
  const feed = client.feed({
    onEvent: (event) => {
      const next = takenFrom(event);
      if (next) apply(next);
    },
    onStanding: ({ status }) => {
      // After a database restore, the next response may have an older version.
      if (status === 'gap') {
        gaps++;
        state.value = { ...state.value, version: notRead.version };
      }
      // Changes between the first fetch and the moment when the feed is live cause no event.
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
