import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { until } from './until.ts';

type Event = { id: string; type: string; subject: string; time: string; data: Record<string, unknown> };
export type Notice = {
  status: string;
  cursor: string | null;
  time: string;
  since?: string;
  oldest_waiting_ms?: number;
  database_epoch?: string;
};
type Refusal = { code: string; status: number; errors?: unknown };

/** A live feed client that records everything it receives, in order. */
export type FeedClient = {
  socket: Socket;
  events: Event[];
  /** The cursors of the received events, in the same order. */
  cursors: string[];
  notices: Notice[];
  /** Event ids and status changes, in order of arrival. A status that the notifier repeats every 15 s appears once. */
  received: string[];
  refusals: Refusal[];
  /** Returns the newest cursor. */
  cursor: () => string;
  /** Waits until the last notice has this status, for 20 seconds by default. */
  untilStatus: (status: string, timeoutMs?: number) => Promise<Notice>;
  untilEvents: (count: number) => Promise<void>;
  /** Waits for the first refusal. */
  untilRefused: () => Promise<Refusal>;
  /** Waits until the connection is closed for the first time, and returns the reason. */
  untilClosed: () => Promise<string>;
  close: () => void;
};
type FeedClientOptions = {
  /** A token, or a function that returns the newest token. */
  token?: unknown;
  after?: unknown;
  /** Reconnects even after a refusal, as the apps do. Without this, Socket.IO stays disconnected. */
  retryRefused?: true;
  socketOptions?: Partial<ManagerOptions & SocketOptions>;
};

const retryRefusedAfterMs = 200;

const isFunction = (value: unknown): value is () => unknown => typeof value === 'function';

/** Opens a feed client with the token. It reconnects after a lost connection and continues after its newest cursor. */
export function openFeedClient(url: string, options: FeedClientOptions): FeedClient {
  const { token, after, retryRefused, socketOptions } = options;
  const events: Event[] = [];
  const cursors: string[] = [];
  const notices: Notice[] = [];
  const received: string[] = [];
  const refusals: Refusal[] = [];
  const closeReasons: string[] = [];
  let newest = after;
  let retry: NodeJS.Timeout | undefined;
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 500,
    auth: (send) =>
      send({
        ...(token !== undefined && { token: isFunction(token) ? token() : token }),
        ...(newest !== undefined && { after: newest }),
      }),
    ...socketOptions,
  });
  socket.on('event', (event: Event, cursor: string) => {
    events.push(event);
    cursors.push(cursor);
    received.push(event.id);
    newest = cursor;
  });
  socket.on('feed', (notice: Notice) => {
    if (notice.status !== notices.at(-1)?.status) received.push(notice.status);
    notices.push(notice);
    newest = notice.cursor ?? newest;
  });
  socket.on('connect_error', (error: Error & { data?: Refusal }) => {
    if (error.data) refusals.push(error.data);
    if (retryRefused && !socket.active) retry = setTimeout(() => socket.connect(), retryRefusedAfterMs);
  });
  socket.on('disconnect', (reason) => closeReasons.push(reason));
  return {
    socket,
    events,
    cursors,
    notices,
    received,
    refusals,
    cursor: () => String(newest),
    untilStatus: (status, timeoutMs = 20_000) => {
      const last = (): Notice | null => notices.at(-1) ?? null;
      return until(() => (last()?.status === status ? last() : null), { what: `the status ${status}`, timeoutMs });
    },
    untilEvents: async (count) => {
      await until(() => events.length >= count, { what: `${count} events` });
    },
    untilRefused: () => until(() => refusals[0], { what: 'a refusal' }),
    untilClosed: () => until(() => closeReasons[0], { what: 'the connection to be closed' }),
    close: () => {
      clearTimeout(retry);
      socket.disconnect();
    },
  };
}
