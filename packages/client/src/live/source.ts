import type { FeedChecksums } from '@comanda/contracts/feed';
import type { Answer, CallName, CallOptions, CallsByName, Input } from '../calls/call-types.ts';
import type { Pages } from '../calls/read-pages.ts';
import type { ResourceName } from '../calls/route.ts';
import type { FeedEvent } from '../feed/feed-types.ts';
import type { Who } from '../session/session.ts';

/** The parts of the client that sources use. */
export type Server = {
  calls: CallsByName;
  pages: Pages;
  who: () => Who | null;
  /** Returns the server's time, in milliseconds since the epoch. */
  now: () => number;
};

type Id = number | string;
/** Describes how to load a collection, and which events and calls change it. */
export type Source<T> = {
  /** The collection's name in `Route.row`, which marks calls that return one of its rows. Absent if there are no such calls. */
  name?: ResourceName;
  /** Loads all rows, page by page. */
  load: (server: Server, options: CallOptions) => AsyncIterable<readonly T[]>;
  /** Loads one row. Returns null if the row no longer exists. Absent if only all rows can be loaded together. */
  loadOne?: (server: Server, id: number, options: CallOptions) => Promise<T | null>;
  /** True if the rows can be loaded without signing in, and are the same for all users. */
  isPublic?: boolean;
  idOf: (row: T) => Id;
  /** Returns a row's version, which never gets lower. Absent if rows have no version. The newest response then replaces a row. */
  versionOf?: (row: T) => number;
  /** Returns the row in an event, or null if the event contains none. `find` returns the collection's current row with an id. */
  rowIn?: (event: FeedEvent, find: (id: Id) => T | undefined) => T | null;
  /** Returns the id of a row that the event changed but does not contain, so that the row is loaded. Otherwise returns null. */
  changedBy?: (event: FeedEvent) => number | null;
  /**
   * For each call that changes a row without returning it, a function that returns the row's id, or null if there is no such row.
   * The row is then loaded.
   */
  changedByCalls?: { readonly [N in CallName]?: (body: Answer<N>, input: Input<N>) => number | null };
  /** For each call that returns several rows, a function that returns them. */
  rowsInCalls?: { readonly [N in CallName]?: (body: Answer<N>) => readonly T[] };
  /** For each call that removes a row, a function that returns the row's id. */
  removedByCalls?: { readonly [N in CallName]?: (input: Input<N>) => Id };
  /** Returns the rows that belong in the collection, sorted. All other rows are removed. By default, all rows belong. */
  select?: (rows: readonly T[], server: Server) => T[];
  /** Converts a row to the form in which it is shown at this moment. By default, rows are shown as they were received. */
  show?: (row: T, server: Server) => T;
  /**
   * The server's checksum for these rows, and which rows it covers. Without a checksum, all rows are loaded for each comparison
   * with the server.
   */
  checksum?: { name: keyof FeedChecksums; includes: (row: T) => boolean };
  /**
   * The interval between comparisons with the server, in milliseconds. The default is 30,000, or 10,000 while the feed is not
   * live. While no user is signed in, public rows are loaded every 60,000 ms.
   */
  compareEveryMs?: number;
};
