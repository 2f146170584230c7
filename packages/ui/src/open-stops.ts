import { CallFailure, type Client } from '@comanda/client';
import type { Stops } from '@comanda/contracts/stops';
import { computed, signal, type ReadonlySignal } from '@preact/signals';

export type FollowedStops = {
  /** Nothing is stopped until it was read: the server refuses all the same. */
  state: ReadonlySignal<Stops>;
  /** Whether the state is what the server has said. */
  isRead: ReadonlySignal<boolean>;
  /** Takes the answer to a change, before the feed brings it. */
  apply: (next: Stops) => void;
  read: () => Promise<void>;
  close: () => void;
};

const notRead: Stops = { transfers: null, sign_ups: null, version: 0 };

/** What the restaurant has stopped. The feed tells changes; a screen that shows it reads it when it is opened. */
export function openStops(client: Pick<Client, 'calls' | 'feed'>): FollowedStops {
  const state = signal(notRead);
  const isRead = computed(() => state.value.version > notRead.version);
  let hasFailed = false;
  /** Events and reads overtake each other: the highest version counts. */
  function apply(next: Stops): void {
    if (next.version >= state.value.version) state.value = next;
  }
  async function read(): Promise<void> {
    try {
      apply(await client.calls.getStops());
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      if (!(error instanceof CallFailure)) throw error; // the server refuses what is stopped, with the same words
    }
  }
  const feed = client.feed({
    onEvent: (event) => {
      if (event.type === 'stops.changed') apply(event.data);
    },
    onStanding: ({ status }) => {
      // What is read next may be older: a database was restored.
      if (status === 'gap') state.value = { ...state.value, version: notRead.version };
      if (status === 'gap' || (status === 'live' && hasFailed)) void read();
    },
  });
  return { state, isRead, apply, read, close: feed.close };
}
