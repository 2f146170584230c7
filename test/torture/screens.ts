import type { Room } from '@comanda/contracts/audience';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import type { SignedIn } from './signed-in.ts';
import type { Received, ScreenRecord } from './judge-screens.ts';

/** Screens that have the same user and therefore must receive the same messages. */
export type ScreenKind = {
  name: string;
  user: Pick<SignedIn, 'token' | 'onToken'>;
  rooms: readonly Room[];
  count: number;
};
export type Screens = {
  records: readonly ScreenRecord[];
  /** Returns how many screens are live. */
  live: () => number;
  areLive: () => boolean;
  /** Returns the longest time that an accepted order took to reach a staff screen that was live all the time, in milliseconds. */
  longestDelayMs: () => number;
  /** Returns a sentence for each connected screen that received nothing for too long. */
  silent: () => string[];
  gaps: () => number;
  close: () => void;
};
type Options = {
  kinds: readonly ScreenKind[];
  /** Returns the time when an order was accepted; undefined if no caller has received the response yet. */
  acceptedAt: (order: number) => number | undefined;
  /** Returns the time in milliseconds. The clock excludes delays of this process itself. */
  now: () => number;
};

/** How long a connected screen may receive nothing, in milliseconds. The notifier sends the feed's status every 15 s. */
const maxSilenceMs = 25_000;

type Reader = (kind: Received['kind'], cursor: string) => Received;
/**
 * Returns a function that reads a message's cursor. All screens that receive the same message share one object, to save memory.
 */
function createReader(): Reader {
  const known = new Map<string, Received>();
  return (kind, cursor) => {
    const found = known.get(kind + cursor) ?? read(kind, cursor);
    known.set(kind + cursor, found);
    return found;
  };
}
function read(kind: Received['kind'], cursor: string): Received {
  const [offset, id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  return { kind, offset: offset === 'beginning' ? -1 : Number(offset), id };
}

/**
 * Opens screens on both notifiers. After a lost connection, each screen reconnects by itself and continues after its last cursor.
 */
export function openScreens(url: string, { kinds, acceptedAt, now }: Options): Screens {
  const readCursor = createReader();
  const screens = kinds.flatMap((kind) =>
    Array.from({ length: kind.count }, (_, index) => openScreen(kind, `${kind.name} ${index + 1}`)),
  );

  function openScreen({ user, rooms }: ScreenKind, name: string) {
    const client = openFeedClient(url, { token: user.token, retryRefused: true });
    const { socket, events, cursors, received: ids } = client;
    const received: Received[] = [];
    const state = { liveSince: Infinity, heardAt: now(), longestDelayMs: 0, longestSilenceMs: 0 };
    const isStaff = rooms.includes('staff');
    function hear(): void {
      if (socket.connected) state.longestSilenceMs = Math.max(state.longestSilenceMs, now() - state.heardAt);
      state.heardAt = now();
    }
    user.onToken((token) => socket.connected && socket.emit('token', token));
    socket.on('connect', () => (state.heardAt = now()));
    socket.on('disconnect', () => (state.liveSince = Infinity));
    socket.on('event', ({ type, subject }: { type: string; subject: string }, cursor: string) => {
      // Forgets the events: all events on 200 screens would fill the memory, and pauses of the garbage collector would look like
      // late responses.
      for (const kept of [events, cursors, ids]) kept.length = 0;
      hear();
      received.push(readCursor('event', cursor));
      const accepted = isStaff && type === 'order.created' ? acceptedAt(Number(subject)) : undefined;
      if (accepted !== undefined && state.liveSince < accepted)
        state.longestDelayMs = Math.max(state.longestDelayMs, now() - accepted);
    });
    socket.on('feed', ({ status, cursor }: { status: string; cursor: string | null }) => {
      hear();
      if (status !== 'live') state.liveSince = Infinity;
      else if (state.liveSince === Infinity) state.liveSince = now();
      if (cursor !== null) received.push(readCursor(status === 'gap' ? 'gap' : 'notice', cursor));
    });
    return { name, rooms, client, received, state, hear };
  }
  const isLive = ({ socket, notices }: FeedClient): boolean => socket.connected && notices.at(-1)?.status === 'live';
  return {
    records: screens,
    live: () => screens.filter(({ client }) => isLive(client)).length,
    areLive: () => screens.every(({ client }) => isLive(client)),
    longestDelayMs: () => Math.round(Math.max(0, ...screens.map(({ state }) => state.longestDelayMs))),
    silent: () =>
      screens.flatMap(({ name, client, state, hear }) => {
        if (client.socket.connected) hear();
        const { longestSilenceMs } = state;
        return longestSilenceMs > maxSilenceMs
          ? [`${name} was connected and heard nothing for ${Math.round(longestSilenceMs / 1_000)} s`]
          : [];
      }),
    gaps: () => screens.flatMap(({ received }) => received.filter(({ kind }) => kind === 'gap')).length,
    close: () => {
      for (const { client } of screens) client.close();
    },
  };
}
