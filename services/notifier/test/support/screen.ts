import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { until } from '@comanda/testing/until';

type Event = { id: string; type: string; subject: string; time: string; data: Record<string, unknown> };
export type Notice = { status: string; cursor: string | null; time: string; since?: string };
type Refusal = { code: string; status: number; errors?: unknown };

/** A client of the feed, with everything that it was told, in order. */
export type Screen = {
  socket: Socket;
  events: Event[];
  cursors: string[];
  notices: Notice[];
  /** What it has been told in order: the ids of events, and statuses. */
  told: string[];
  refusals: Refusal[];
  /** The newest cursor. */
  cursor: () => string;
  is: (status: string, timeoutMs?: number) => Promise<Notice>;
  has: (count: number) => Promise<void>;
  refused: () => Promise<Refusal>;
  closed: () => Promise<string>;
  close: () => void;
};
type Auth = { token?: unknown; after?: unknown };

/** Connects; as `auth` says, and from its newest cursor when it connects again. */
export function openScreen(url: string, auth: Auth, options: Record<string, unknown> = {}): Screen {
  const events: Event[] = [];
  const cursors: string[] = [];
  const notices: Notice[] = [];
  const told: string[] = [];
  const refusals: Refusal[] = [];
  const closings: string[] = [];
  let newest = auth.after;
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 500,
    auth: (send) => send({ ...auth, ...(newest !== undefined && { after: newest }) }),
    ...options,
  });
  socket.on('event', (event: Event, cursor: string) => {
    events.push(event);
    cursors.push(cursor);
    told.push(event.id);
    newest = cursor;
  });
  socket.on('feed', (notice: Notice) => {
    notices.push(notice);
    told.push(notice.status);
    newest = notice.cursor ?? newest;
  });
  socket.on('connect_error', (error: Error & { data?: Refusal }) => {
    if (error.data) refusals.push(error.data);
  });
  socket.on('disconnect', (reason) => closings.push(reason));
  return {
    socket,
    events,
    cursors,
    notices,
    told,
    refusals,
    cursor: () => String(newest),
    is: (status, timeoutMs = 10_000) => {
      const last = (): Notice | null => notices.at(-1) ?? null;
      return until(() => (last()?.status === status ? last() : null), { what: `the status ${status}`, timeoutMs });
    },
    has: async (count) => {
      await until(() => events.length >= count, { what: `${count} events`, timeoutMs: 10_000 });
    },
    refused: () => until(() => refusals[0], { what: 'a refusal' }),
    closed: () => until(() => closings[0], { what: 'the connection to be closed', timeoutMs: 10_000 }),
    close: () => void socket.disconnect(),
  };
}
