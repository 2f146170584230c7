import type { CloudEvent, EventType } from '@comanda/contracts/events';
import type { FeedState, FeedStatus } from '@comanda/contracts/feed';
import { CallFailure } from './call-failure.ts';
import type { FailureCode } from './call-failure.ts';
import { createFeedProgress } from './feed-progress.ts';
import { openFeedSocket } from './feed-socket.ts';
import type { FeedSocket } from './feed-socket.ts';
import { jittered } from './random.ts';
import type { Session } from './session.ts';

/** One event of any type: `type` tells what `data` is. */
export type FeedEvent = { [T in EventType]: CloudEvent<T> }[EventType];
/**
 * The status of the feed: what the server says of it, or `connecting`. `signed_out`: nobody is signed in; the feed goes
 * on after a sign-in. `refused`, with the reason: it does not go on by itself.
 */
export type FeedStanding = {
  status: FeedStatus | 'connecting' | 'signed_out' | 'refused';
  since?: string;
  reason?: FailureCode;
};
export type FeedHandlers = {
  /** Every event once, in the order of the stream. Ignore types that you do not know: new ones may be added. */
  onEvent?: (event: FeedEvent, cursor: string) => void;
  /** After `gap`, forget what you built from events, and read it again. */
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
type Options = { urls: readonly string[]; session: Session; handlers: FeedHandlers };

const firstDelayMs = 300;
const maxDelayMs = 8000;
/** How often the feed checks whether the session has a new token. */
const checkTokenEveryMs = 5000;
/** Refusals that only the user can resolve. */
const finalRefusals: ReadonlySet<string> = new Set(['forbidden', 'password_change_required']);

/** A feed that stays until it is closed: it connects again after pauses, and receives what it missed. */
export function openFeed({ urls, session, handlers }: Options): Feed {
  const progress = createFeedProgress(handlers.after ?? null);
  let standing: FeedStanding = { status: 'connecting' };
  let socket: FeedSocket | null = null;
  /** Counts attempts to connect; an earlier one that is still waiting for its token has no effect. */
  let attempt = 0;
  let failures = 0;
  let urlIndex = 0;
  let rejectedToken: string | undefined;
  let clockOffsetMs = 0;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function setStanding(next: FeedStanding): void {
    standing = next;
    handlers.onStanding?.(next);
  }
  function disconnect(): void {
    attempt++;
    clearTimeout(reconnectTimer);
    socket?.close();
    socket = null;
  }
  function reconnectAfter(delayMs: number): void {
    disconnect();
    if (isClosed) return;
    if (standing.status !== 'connecting') setStanding({ status: 'connecting' });
    reconnectTimer = setTimeout(() => void connect(), delayMs);
  }
  const reconnect = (): void => reconnectAfter(jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** failures++)));

  async function connect(): Promise<void> {
    disconnect();
    const ownAttempt = attempt;
    try {
      const token = await session.token(rejectedToken);
      if (ownAttempt !== attempt || isClosed) return;
      if (token === null) setStanding({ status: 'signed_out' });
      else
        socket = openFeedSocket({
          url: urls[urlIndex % urls.length] ?? '',
          token,
          after: progress.cursor(),
          listeners,
        });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (ownAttempt === attempt) reconnect();
    }
  }
  const listeners = {
    onEvent: (event: CloudEvent, cursor: string): void => {
      if (progress.takeEvent(event.id, cursor)) handlers.onEvent?.(event as FeedEvent, cursor);
    },
    onState: (state: FeedState): void => {
      failures = 0;
      clockOffsetMs = Date.parse(state.time) - Date.now();
      if (progress.takeState(state, standing.status)) setStanding({ status: 'gap' });
      if (state.status !== standing.status || state.status === 'gap')
        setStanding({ status: state.status, ...(state.since !== undefined && { since: state.since }) });
    },
    onDisconnect: reconnect,
    onRefused: (code: FailureCode): void => {
      if (finalRefusals.has(code)) {
        disconnect();
        setStanding({ status: 'refused', reason: code });
        return;
      }
      if (code === 'invalid_token') rejectedToken = socket?.token();
      if (code === 'validation_failed') {
        progress.dropCursor();
        setStanding({ status: 'gap' });
      }
      reconnect();
    },
    onUnreachable: (): void => {
      urlIndex++;
      reconnect();
    },
  };

  const stopRenewing = renewTokens(session, () => socket);
  const stopListening = session.onChange(() => {
    if (progress.reset()) setStanding({ status: 'gap' });
    reconnectAfter(0);
  });
  const onOnline = (): void => {
    if (standing.status === 'connecting') reconnectAfter(0);
  };
  const page = 'document' in globalThis ? (globalThis as unknown as EventTarget) : null;
  page?.addEventListener('online', onOnline);
  void connect();

  return {
    standing: () => standing,
    cursor: progress.cursor,
    now: () => Date.now() + clockOffsetMs,
    close: () => {
      isClosed = true;
      disconnect();
      stopRenewing();
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
