import type { CloudEvent } from '@comanda/contracts/events';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Cursor } from '../feed/cursor.ts';

/** How a client stands to the stream; `time` is the server's. */
type FeedNotice = {
  status: 'live' | 'replaying' | 'stalled' | 'gap';
  /** Of the newest that this client was sent; null where that is not known yet. */
  cursor: string | null;
  time: string;
  /** Since when nothing new can come. */
  since?: string;
};
type ServerEvents = {
  event: (event: CloudEvent, cursor: string) => void;
  feed: (notice: FeedNotice) => void;
};
type ClientEvents = {
  /** A new token of the same user, before the old one expires; `answer` gets null, or the problem. */
  token: (token: unknown, answer?: (problem: Record<string, unknown> | null) => void) => void;
};
/** What was found out about a connection when it was let in. */
export type Admission = { caller: Caller; after: Cursor | null };

export type Sockets = Server<ClientEvents, ServerEvents, DefaultEventsMap, Admission>;
export type FeedSocket = Socket<ClientEvents, ServerEvents, DefaultEventsMap, Admission>;

/** Ends the connection without waiting for a client that does not read; it may connect again. */
export const cutOff = ({ conn }: FeedSocket): void => void conn.request.socket.destroy();
