import type { CloudEvent } from '@comanda/contracts/event-data';
import type { FeedChecksums, FeedState as ServerState } from '@comanda/contracts/feed';
import { CallFailure, unreachable, type FailureCode } from '../call-failure.ts';
import type { DatabaseEpoch } from '../database-epoch.ts';
import { jittered } from '../random.ts';
import type { ServerClock } from '../server-clock.ts';
import type { Session } from '../session/session.ts';
import { createFeedProgress } from './feed-progress.ts';
import type { FeedSocket, FeedSocketListeners } from './feed-socket.ts';
import { createStanding } from './feed-standing.ts';
import type { Feed, FeedEvent, FeedHandlers } from './feed-types.ts';
import { whenAwake } from './wake.ts';

type Options = {
  urls: readonly string[] | Promise<readonly string[]>;
  session: Session;
  clock: ServerClock;
  epoch: DatabaseEpoch;
  handlers: FeedHandlers;
};

const firstDelayMs = 300;
const maxDelayMs = 8000;
/** How often to check whether the session has a new token, in milliseconds. */
const checkTokenEveryMs = 5000;
/** Rejection codes that a reconnect can't resolve. The user must act first. */
const finalRefusals: ReadonlySet<string> = new Set(['forbidden', 'password_change_required']);

/** Loads the feed's connection only when a feed connects, because a page can show its lists without it. */
const loadFeedSocket = (): Promise<typeof import('./feed-socket.ts')> =>
  import('./feed-socket.ts').catch((error: unknown) => {
    throw unreachable(error);
  });

/** Opens a feed that reconnects after pauses and fetches the events that it missed. It runs until the caller closes it. */
export function openFeed({ urls, session, clock, epoch, handlers }: Options): Feed {
  const progress = createFeedProgress(handlers.after ?? null);
  const standing = createStanding({ clock, onStanding: handlers.onStanding });
  const addresses = createAddresses(urls);
  let socket: FeedSocket | null = null;
  let checksums: FeedChecksums | null = null;
  /** The number of the current connection attempt. If an earlier attempt is still waiting for a token, its result is ignored. */
  let attempt = 0;
  let failures = 0;
  let lastHeardAt = Date.now();
  let rejectedToken: string | undefined;
  /** The token with which the server refused the user. The feed reconnects as soon as the session has another token. */
  let refusedToken: string | undefined;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function disconnect(): void {
    attempt++;
    clearTimeout(reconnectTimer);
    socket?.close();
    socket = null;
    checksums = null;
  }
  function reconnectAfter(delayMs: number): void {
    disconnect();
    if (isClosed) return;
    if (standing.current().status !== 'connecting') standing.set('connecting');
    reconnectTimer = setTimeout(() => void connect(), delayMs);
  }
  const reconnect = (): void => reconnectAfter(jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** failures++)));

  async function connect(): Promise<void> {
    disconnect();
    const ownAttempt = attempt;
    const isOutdated = (): boolean => ownAttempt !== attempt || isClosed;
    try {
      const token = await session.token(rejectedToken);
      if (isOutdated()) return;
      if (token === null) {
        standing.set('signed_out');
        return;
      }
      const [{ openFeedSocket }, url] = await Promise.all([loadFeedSocket(), addresses.current()]);
      if (isOutdated()) return;
      try {
        socket = openFeedSocket({ url, token, after: progress.cursor(), listeners });
      } catch (error) {
        // Browsers reject some URLs at once, for example an insecure one on a secure page.
        addresses.next();
        throw unreachable(error);
      }
    } catch (error) {
      // The feed reconnects after any error. An unexpected error is then thrown.
      if (ownAttempt === attempt) reconnect();
      if (!(error instanceof CallFailure)) throw error;
    }
  }
  function onState(state: ServerState): void {
    failures = 0;
    addresses.accept();
    clock.takeTime(state.time);
    epoch.take(state.database_epoch ?? null);
    checksums = state.checksums ?? null;
    if (progress.takeState(state, standing.current().status)) standing.set('gap');
    standing.takeState(state);
    if (state.status !== standing.current().status || state.status === 'gap') standing.set(state.status);
  }
  function onRefused(code: FailureCode): void {
    const hasAnotherAddress = code === 'forbidden' && addresses.refuse();
    if (finalRefusals.has(code) && !hasAnotherAddress) {
      refusedToken = socket?.token();
      disconnect();
      standing.set('refused', code);
      return;
    }
    if (code === 'service_unavailable') addresses.next();
    if (code === 'invalid_token') rejectedToken = socket?.token();
    if (code === 'validation_failed') {
      progress.dropCursor();
      standing.set('gap');
    }
    reconnect();
  }
  const listeners: FeedSocketListeners = {
    onHeard: () => (lastHeardAt = Date.now()),
    onEvent: (event: CloudEvent, cursor: string) => {
      standing.countDown();
      if (progress.takeEvent(event.id, cursor)) handlers.onEvent?.(event as FeedEvent, cursor);
    },
    onState,
    onDisconnect: (how) => {
      if (how === 'silent') standing.lostAt(lastHeardAt);
      reconnect();
    },
    onRefused,
    onUnreachable: () => {
      addresses.next();
      reconnect();
    },
  };

  /** Reports a gap, because the app may have data from after the backup that the restored database no longer contains. */
  function onRestored(): void {
    const { status, reason } = standing.current();
    standing.set('gap');
    standing.set(status, reason);
  }
  function startForAnotherUser(): void {
    addresses.accept();
    rejectedToken = undefined;
    if (progress.reset()) standing.set('gap');
    reconnectAfter(0);
  }
  function onAwake(): void {
    const { status } = standing.current();
    if (isClosed || status === 'signed_out' || status === 'refused') return;
    reconnectAfter(0);
    handlers.onAwake?.();
  }
  const isRefused = (): boolean => standing.current().status === 'refused';
  const stopListeners = [
    every(checkTokenEveryMs, () => renewToken(session, () => socket)),
    every(checkTokenEveryMs, async () => {
      if (!isRefused()) return;
      // The session has a new token after the user has replaced a password that another user had set.
      const token = await session.token().catch(() => refusedToken);
      if (isRefused() && token !== refusedToken) reconnectAfter(0);
    }),
    session.onChange(startForAnotherUser),
    epoch.onRestored(onRestored),
    whenAwake(onAwake),
    whenOnline(() => {
      if (standing.current().status === 'connecting') reconnectAfter(0);
    }),
  ];
  void connect();

  return {
    standing: standing.current,
    cursor: progress.cursor,
    checksums: () => checksums,
    now: clock.now,
    close: () => {
      isClosed = true;
      disconnect();
      for (const stop of stopListeners) stop();
    },
  };
}

/** Creates the list of feed URLs, which are tried in turn. One URL may reject a page that another URL accepts. */
function createAddresses(urls: Options['urls']) {
  let known: readonly string[] = [];
  let index = 0;
  let refusals = 0;
  return {
    current: async (): Promise<string> => {
      known = await urls;
      return known[index % known.length] ?? '';
    },
    next: (): void => void index++,
    /**
     * Records that the server at this URL rejects the page. Moves to the next URL and returns true, or returns false if all
     * URLs have rejected the page.
     */
    refuse: (): boolean => {
      refusals++;
      if (refusals >= known.length) return false;
      index++;
      return true;
    },
    accept: (): void => {
      refusals = 0;
    },
  };
}

/** Sends the session's new token to the notifier before the old one expires. */
async function renewToken(session: Session, currentSocket: () => FeedSocket | null): Promise<void> {
  const socket = currentSocket();
  if (!socket?.isConnected()) return;
  try {
    const token = await session.token();
    if (socket === currentSocket() && token !== null && token !== socket.token()) socket.renewToken(token);
  } catch (error) {
    // The notifier closes the socket when its token expires. The next connection attempt will report why there is no new token.
    if (!(error instanceof CallFailure)) throw error;
  }
}

/** Calls `work` every `ms` milliseconds. Returns a function that stops these calls. */
function every(ms: number, work: () => Promise<void>): () => void {
  const timer = setInterval(() => void work(), ms);
  return () => clearInterval(timer);
}
function whenOnline(listener: () => void): () => void {
  const page = 'document' in globalThis ? (globalThis as unknown as EventTarget) : null;
  page?.addEventListener('online', listener);
  return () => page?.removeEventListener('online', listener);
}
