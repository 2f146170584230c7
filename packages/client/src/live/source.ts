import type { FeedChecksums } from '@comanda/contracts/feed';
import type { Answer, CallName, CallOptions, CallsByName, Input } from '../calls/call-types.ts';
import type { Pages } from '../calls/read-pages.ts';
import type { ResourceName } from '../calls/route.ts';
import type { FeedEvent } from '../feed/feed-types.ts';
import type { Who } from '../session/session.ts';

/** What sources need of their client. */
export type Server = {
  calls: CallsByName;
  pages: Pages;
  who: () => Who | null;
  /** Returns the server's time, in milliseconds. */
  now: () => number;
};

type Id = number | string;
/** How a collection is loaded, and which events and calls change it. */
export type Source<T> = {
  /** The name that responses with a row have (see `Route.row`). Absent if no response has one. */
  name?: ResourceName;
  /** Loads all rows, page by page. */
  load: (server: Server, options: CallOptions) => AsyncIterable<readonly T[]>;
  /** Loads one row; null if it no longer exists. Absent if the rows can only be loaded together. */
  loadOne?: (server: Server, id: number, options: CallOptions) => Promise<T | null>;
  /** The rows can be loaded without a user, and are the same for all users. */
  isPublic?: boolean;
  idOf: (row: T) => Id;
  /** Returns a row's version, which only grows. Absent if rows have no version: then the latest response counts. */
  versionOf?: (row: T) => number;
  /** Returns the row in an event; null if there is none. `find` returns the row that the collection has. */
  rowIn?: (event: FeedEvent, find: (id: Id) => T | undefined) => T | null;
  /** Returns the id of a row that an event has changed but does not contain; the row is then loaded. */
  changedBy?: (event: FeedEvent) => number | null;
  /** Calls that change a row but return something else: each returns the row's id, and the row is then loaded. */
  changedByCalls?: { readonly [N in CallName]?: (body: Answer<N>) => number };
  /** Calls that remove a row: each returns the row's id. */
  removedByCalls?: { readonly [N in CallName]?: (input: Input<N>) => Id };
  /** Returns the rows that belong to the collection, in their order. Others are forgotten. By default, all belong. */
  select?: (rows: readonly T[], server: Server) => T[];
  /** Returns a row as it is shown at this moment. By default, it is shown as it was received. */
  show?: (row: T, server: Server) => T;
  /** The server's checksum of these rows. Without one, all rows are loaded for each comparison with the server. */
  checksum?: { name: keyof FeedChecksums; includes: (row: T) => boolean };
  /** The interval between comparisons with the server, in milliseconds; by default 30,000, or 10,000 without a feed. */
  compareEveryMs?: number;
};
