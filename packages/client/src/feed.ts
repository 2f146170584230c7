import type { CloudEvent, EventType } from '@comanda/contracts/events';
import type { FeedState, FeedStatus } from '@comanda/contracts/feed';
import { CallFailure, unreachable } from './call-failure.ts';
import type { FailureCode } from './call-failure.ts';
import { createFeedProgress } from './feed-progress.ts';
import type { FeedSocket } from './feed-socket.ts';
import { jittered } from './random.ts';
import type { ServerClock } from './server-clock.ts';
import type { Session } from './session.ts';

/** One event of any type: `type` tells what `data` is. */
export type FeedEvent = { [T in EventType]: CloudEvent<T> }[EventType];
/**
 * The status of the feed: what the server says of it, or `connecting`. `signed_out`: nobody is signed in; the feed goes
 * on after a sign-in. `refused`, with the reason: it goes on when the
 * user has another token, as after a change of the password.
 */
export type FeedStanding = {
  status: FeedStatus | 'connecting' | 'signed_out' | 'refused';
  /** Since when the feed has not been live, by the server's clock; missing while it is. */
  since?: string;
  /** While `replaying`: how many events are still to come, at most. Counted down in `standing()`. */
  behind?: number;
  reason?: FailureCode;
};
export type FeedHandlers = {
  /** Every event once, in the order of the stream. Ignore types that you do not know: new ones may be added. */
  onEvent?: (event: FeedEvent, cursor: string) => void;
  /** Called at first, and when the status changes. After `gap`, forget what you built from events, and read it again. */
  onStanding?: (standing: FeedStanding) => void;
  /** Where to continue: a cursor that came with an earlier event. */
  after?: string;
};
export type Feed = {
  standing: () => FeedStanding;
  cursor: () => string | null;
  /** The server's time, in milliseconds since the epoch. The clock of a device may be wrong. */
  now: () => number;
  close: () => void;
};
type Options = { urls: readonly string[]; session: Session; clock: ServerClock; handlers: FeedHandlers };

const firstDelayMs = 300;
const maxDelayMs = 8000;
/** How often the feed checks whether the session has a new token. */
const checkTokenEveryMs = 5000;
/** Refusals that only the user can resolve. */
const finalRefusals: ReadonlySet<string> = new Set(['forbidden', 'password_change_required']);

/** Socket.IO is loaded when it is needed: a page shows its lists without it. */
const loadFeedSocket = (): Promise<typeof import('./feed-socket.ts')> =>
  import('./feed-socket.ts').catch((error: unknown) => {
    throw unreachable(error);
  });

/** A feed that stays until it is closed: it connects again after pauses, and receives what it missed. */
export function openFeed({ urls, session, clock, handlers }: Options): Feed {
  const progress = createFeedProgress(handlers.after ?? null);
  let standing: FeedStanding = { status: 'connecting' };
  let socket: FeedSocket | null = null;
  /** Counts attempts to connect; an earlier one that is still waiting for its token has no effect. */
  let attempt = 0;
  let failures = 0;
  let urlIndex = 0;
  let rejectedToken: string | undefined;
  let behind = 0;
  let lastHeardAt = Date.now();
  /** By this device's clock, as the server's may not be known yet. */
  let notLiveSince: number | null = Date.now();
  /** The token of a user whom the server refuses, until there is another one. */
  let refusedToken: string | undefined;
  /** How many addresses in a row have refused this page. */
  let forbiddenCount = 0;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function setStanding(status: FeedStanding['status'], reason?: FailureCode): void {
    notLiveSince = status === 'live' ? null : (notLiveSince ?? Date.now());
    standing = { status, ...(reason !== undefined && { reason }) };
    handlers.onStanding?.(currentStanding());
  }
  const currentStanding = (): FeedStanding => ({
    ...standing,
    ...(notLiveSince !== null && { since: new Date(notLiveSince + clock.offsetMs()).toISOString() }),
    ...(standing.status === 'replaying' && { behind }),
  });
  function disconnect(): void {
    attempt++;
    clearTimeout(reconnectTimer);
    socket?.close();
    socket = null;
  }
  function reconnectAfter(delayMs: number): void {
    disconnect();
    if (isClosed) return;
    if (standing.status !== 'connecting') setStanding('connecting');
    reconnectTimer = setTimeout(() => void connect(), delayMs);
  }
  const reconnect = (): void => reconnectAfter(jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** failures++)));

  async function connect(): Promise<void> {
    disconnect();
    const ownAttempt = attempt;
    try {
      const token = await session.token(rejectedToken);
      if (ownAttempt !== attempt || isClosed) return;
      if (token === null) {
        setStanding('signed_out');
        return;
      }
      const { openFeedSocket } = await loadFeedSocket();
      if (ownAttempt !== attempt || isClosed) return;
      socket = openFeedSocket({
        url: urls[urlIndex % urls.length] ?? '',
        token,
        after: progress.cursor(),
        listeners,
      });
    } catch (error) {
      // Whatever it was, the feed goes on.
      if (ownAttempt === attempt) reconnect();
      if (!(error instanceof CallFailure)) throw error;
    }
  }
  const listeners = {
    onHeard: (): void => {
      lastHeardAt = Date.now();
    },
    onEvent: (event: CloudEvent, cursor: string): void => {
      behind = Math.max(0, behind - 1);
      if (progress.takeEvent(event.id, cursor)) handlers.onEvent?.(event as FeedEvent, cursor);
    },
    onState: (state: FeedState): void => {
      failures = 0;
      forbiddenCount = 0;
      clock.takeTime(state.time);
      behind = state.behind ?? 0;
      if (progress.takeState(state, standing.status)) setStanding('gap');
      if (state.since !== undefined) {
        const since = Date.parse(state.since) - clock.offsetMs();
        notLiveSince = Math.min(notLiveSince ?? since, since);
      }
      if (state.status !== standing.status || state.status === 'gap') setStanding(state.status);
    },
    onDisconnect: (how: 'closed' | 'silent'): void => {
      if (how === 'silent') notLiveSince ??= lastHeardAt;
      reconnect();
    },
    onRefused: (code: FailureCode): void => {
      // The notifier may refuse this page where the gateway does not.
      if (code === 'forbidden') forbiddenCount++;
      const hasAnotherAddress = code === 'forbidden' && forbiddenCount < urls.length;
      if (finalRefusals.has(code) && !hasAnotherAddress) {
        refusedToken = socket?.token();
        disconnect();
        setStanding('refused', code);
        return;
      }
      if (hasAnotherAddress || code === 'service_unavailable') urlIndex++;
      if (code === 'invalid_token') rejectedToken = socket?.token();
      if (code === 'validation_failed') {
        progress.dropCursor();
        setStanding('gap');
      }
      reconnect();
    },
    onUnreachable: (): void => {
      urlIndex++;
      reconnect();
    },
  };

  const stopRenewing = renewTokens(session, () => socket);
  /** Somebody who has changed the password that others had set has a new token. */
  async function retryRefused(): Promise<void> {
    if (standing.status !== 'refused') return;
    const token = await session.token().catch(() => refusedToken);
    if (standing.status === 'refused' && token !== refusedToken) reconnectAfter(0);
  }
  const refusedTimer = setInterval(() => void retryRefused(), checkTokenEveryMs);
  const stopListening = session.onChange(() => {
    forbiddenCount = 0;
    rejectedToken = undefined;
    if (progress.reset()) setStanding('gap');
    reconnectAfter(0);
  });
  const onOnline = (): void => {
    if (standing.status === 'connecting') reconnectAfter(0);
  };
  const page = 'document' in globalThis ? (globalThis as unknown as EventTarget) : null;
  page?.addEventListener('online', onOnline);
  void connect();

  return {
    standing: currentStanding,
    cursor: progress.cursor,
    now: clock.now,
    close: () => {
      isClosed = true;
      disconnect();
      stopRenewing();
      clearInterval(refusedTimer);
      stopListening();
      page?.removeEventListener('online', onOnline);
    },
  };
}

/** Sends the notifier each new token of the session before the old one expires. Returns a function that ends this. */
function renewTokens(session: Session, currentSocket: () => FeedSocket | null): () => void {
  async function renew(): Promise<void> {
    const socket = currentSocket();
    if (!socket?.isConnected()) return;
    try {
      const token = await session.token();
      if (socket === currentSocket() && token !== null && token !== socket.token()) socket.renewToken(token);
    } catch (error) {
      // The notifier closes the socket when its token expires. The next attempt to connect reports what is wrong.
      if (!(error instanceof CallFailure)) throw error;
    }
  }
  const timer = setInterval(() => void renew(), checkTokenEveryMs);
  return () => clearInterval(timer);
}
