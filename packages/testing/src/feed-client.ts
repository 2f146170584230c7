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
  /** The cursors of all received events, in the order of `events`. */
  cursors: string[];
  notices: Notice[];
  /**
   * The ids of events and the feed's statuses, in the order in which they arrived. The notifier repeats the status every 15 s;
   * repetitions are left out.
   */
  received: string[];
  refusals: Refusal[];
  /** Returns the cursor of the last event. */
  cursor: () => string;
  /** Waits until the last status message has this status, by default for up to 20 seconds. */
  untilStatus: (status: string, timeoutMs?: number) => Promise<Notice>;
  untilEvents: (count: number) => Promise<void>;
  /** Waits until the server first rejects a connection, and returns the reason. */
  untilRefused: () => Promise<Refusal>;
  /** Waits until the connection is closed for the first time, and returns the reason. */
  untilClosed: () => Promise<string>;
  close: () => void;
};
type FeedClientOptions = {
  /** An access token, or a function that returns the newest one. */
  token?: unknown;
  after?: unknown;
  /** Reconnects even after the server has rejected a connection, as the apps do. Socket.IO itself would stay disconnected. */
  retryRefused?: true;
  socketOptions?: Partial<ManagerOptions & SocketOptions>;
};

const retryRefusedAfterMs = 200;

const isFunction = (value: unknown): value is () => unknown => typeof value === 'function';

/** Opens a feed client with the given token. After a lost connection, it reconnects and continues after its last cursor. */
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
