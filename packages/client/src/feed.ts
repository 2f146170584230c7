import { Manager } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import type { CloudEvent, EventType } from '@comanda/contracts/events';
import type { FeedState, FeedStatus } from '@comanda/contracts/feed';
import { CallFailure } from './failure.ts';
import type { FailureCode } from './failure.ts';
import { jittered } from './random.ts';
import type { Session } from './session.ts';

/** One event of any type: `type` tells what `data` is. */
export type FeedEvent = { [T in EventType]: CloudEvent<T> }[EventType];
/**
 * How the feed stands: what the house says of it, or `connecting`; `signed_out`: nobody is signed in, it goes on when
 * somebody is; `refused` with the reason: it does not go on by itself.
 */
export type FeedStanding = {
  status: FeedStatus | 'connecting' | 'signed_out' | 'refused';
  since?: string;
  reason?: FailureCode;
};
export type FeedHandlers = {
  /** Every event once, in the order of the stream. Ignore types that you do not know: there may be more some day. */
  onEvent?: (event: FeedEvent, cursor: string) => void;
  /** After `gap` forget what was folded, and read it again. */
  onStanding?: (viewerRole: FeedStanding) => void;
  /** Where to go on: a cursor that came with an earlier event. */
  after?: string;
};
export type Feed = {
  viewerRole: () => FeedStanding;
  cursor: () => string | null;
  /** The time of the house, in milliseconds since the epoch: a screen's own clock may be wrong. */
  now: () => number;
  close: () => void;
};
type Options = { urls: readonly string[]; session: Session; handlers: FeedHandlers };

const firstDelayMs = 300;
const longestDelayMs = 8000;
/** How often it is looked whether the token has been renewed. */
const renewEveryMs = 5000;
/** So many ids are remembered: an event that the house sent twice is told once. */
const remembered = 2000;
/** Refusals that only the user can do something about. */
const forGood: ReadonlySet<string> = new Set(['forbidden', 'password_change_required']);

type Refusal = Error & { data?: { code?: FailureCode } };

/** A feed that is there as long as it is not closed: it connects again, with pauses, and is given what it missed. */
export function openFeed({ urls, session, handlers }: Options): Feed {
  const seen = new Set<string>();
  let socket: Socket | null = null;
  let viewerRole: FeedStanding = { status: 'connecting' };
  let cursor = handlers.after ?? null;
  let clockOffsetMs = 0;
  let wasLive = false;
  let sentToken: string | null = null;
  let staleToken: string | undefined;
  let failures = 0;
  let place = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  /** What an earlier connection still says is not heard any more. */
  let connection = 0;

  function stand(next: FeedStanding): void {
    viewerRole = next;
    handlers.onStanding?.(next);
  }
  function drop(): void {
    connection++;
    clearTimeout(timer);
    socket?.disconnect();
    socket = null;
  }
  function later(delayMs: number): void {
    drop();
    if (closed) return;
    if (viewerRole.status !== 'connecting') stand({ status: 'connecting' });
    timer = setTimeout(() => void connect(), delayMs);
  }
  const pauseMs = (): number => jittered(Math.min(longestDelayMs, firstDelayMs * 2 ** failures++));

  async function connect(): Promise<void> {
    drop();
    const mine = connection;
    try {
      const token = await session.token(staleToken);
      if (mine !== connection || closed) return;
      if (token === null) stand({ status: 'signed_out' });
      else listen(open(token), mine);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (mine === connection) later(pauseMs());
    }
  }
  function open(token: string): Socket {
    sentToken = token;
    const manager = new Manager(urls[place % urls.length] ?? '', {
      transports: ['websocket'],
      reconnection: false,
      timeout: 10_000,
    });
    socket = manager.socket('/', { auth: { token, ...(cursor !== null && { after: cursor }) } });
    return socket;
  }
  function listen(to: Socket, mine: number): void {
    const heard =
      <A extends unknown[]>(listener: (...args: A) => void) =>
      (...args: A): void => {
        if (mine === connection) listener(...args);
      };
    to.on('event', heard(onEvent));
    to.on('feed', heard(onFeed));
    to.on(
      'disconnect',
      heard(() => later(pauseMs())),
    );
    to.on('connect_error', heard(onRefusal));
    to.io.on('error', heard(onUnreachable));
    to.connect();
  }

  function onEvent(event: FeedEvent, at: string): void {
    cursor = at;
    if (seen.has(event.id)) return;
    seen.add(event.id);
    if (seen.size > remembered) seen.delete(seen.values().next().value ?? '');
    handlers.onEvent?.(event, at);
  }
  function onFeed(state: FeedState): void {
    failures = 0;
    clockOffsetMs = Date.parse(state.time) - Date.now();
    // Without a place to go on from, what came in between would be missing in silence.
    const lost = wasLive && cursor === null && state.status === 'live' && viewerRole.status !== 'live';
    if (state.cursor !== null) cursor = state.cursor;
    wasLive ||= state.status === 'live';
    if (lost) stand({ status: 'gap' });
    if (state.status !== viewerRole.status || state.status === 'gap')
      stand({ status: state.status, ...(state.since !== undefined && { since: state.since }) });
  }
  /** The house itself refuses: with a reason. */
  function onRefusal({ data }: Refusal): void {
    const { code } = data ?? {};
    if (code === undefined) return onUnreachable();
    if (forGood.has(code)) {
      drop();
      return stand({ status: 'refused', reason: code });
    }
    if (code === 'invalid_token') staleToken = sentToken ?? undefined;
    if (code === 'validation_failed') {
      cursor = null;
      stand({ status: 'gap' });
    }
    return later(pauseMs());
  }
  function onUnreachable(): void {
    place++;
    later(pauseMs());
  }

  async function renew(): Promise<void> {
    if (!socket?.connected) return;
    const mine = connection;
    try {
      const token = await session.token();
      if (mine !== connection || token === null || token === sentToken) return;
      sentToken = token;
      socket.emit('token', token);
    } catch (error) {
      // The socket is closed when its token ends, and connecting then says what is wrong.
      if (!(error instanceof CallFailure)) throw error;
    }
  }
  const renewing = setInterval(() => void renew(), renewEveryMs);
  const forgetWho = session.onChange(() => {
    if (wasLive) stand({ status: 'gap' });
    cursor = null;
    wasLive = false;
    later(0);
  });
  const onOnline = (): void => {
    if (viewerRole.status === 'connecting') later(0);
  };
  const page = 'document' in globalThis ? (globalThis as unknown as EventTarget) : null;
  page?.addEventListener('online', onOnline);
  void connect();

  return {
    viewerRole: () => viewerRole,
    cursor: () => cursor,
    now: () => Date.now() + clockOffsetMs,
    close: () => {
      closed = true;
      drop();
      clearInterval(renewing);
      forgetWho();
      page?.removeEventListener('online', onOnline);
    },
  };
}
