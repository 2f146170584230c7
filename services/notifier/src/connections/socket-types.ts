import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { ClientToServerEvents, ServerToClientEvents } from '@comanda/contracts/feed';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Cursor } from '../feed/cursor.ts';

/** A connection's caller, and the cursor to start from; null if the client sent none. */
export type ConnectionData = { caller: Caller; token: string; after: Cursor | null };

export type FeedSocketServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, ConnectionData>;
export type FeedSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, ConnectionData>;
export type EngineSocket = FeedSocket['conn'];
