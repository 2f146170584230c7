import type { MenuItem } from '@comanda/contracts/menu';
import type { Order } from '@comanda/contracts/order';
import type { TokenPair } from '@comanda/contracts/sessions';
import { CallFailure } from './call-failure.ts';
import { createCaller, type Caller } from './calls/call.ts';
import type { Answered, Arguments, CallName, CallOptions, CallsByName, Input } from './calls/call-types.ts';
import { routes } from './calls/calls.ts';
import { createCrossTabLock } from './session/cross-tab-lock.ts';
import { openFeed } from './feed/feed.ts';
import type { Feed, FeedHandlers } from './feed/feed-types.ts';
import { createCollections, type OpenCollection } from './live/collections.ts';
import { reportFeedState } from './feed/feed-state.ts';
import { createPendingCalls, type PendingCall } from './calls/pending-calls.ts';
import { randomId } from './random.ts';
import { createPageReader, type Pages } from './calls/read-pages.ts';
import type { AskConsent } from './calls/request-step-up-token.ts';
import { buildRequest, sendRequest } from './calls/send-request.ts';
import { createSeenReporter, type SeenOptions, type SeenReporter } from './feed/seen-reporter.ts';
import { createServerClock } from './server-clock.ts';
import { createDatabaseEpoch } from './database-epoch.ts';
import { createSession, type Who } from './session/session.ts';
import { createSharedFeed } from './feed/shared-feed.ts';
import { needsConsent, settlePendingCalls, type SettledCall } from './calls/settle-pending-calls.ts';
import { defaultStorage, neverFailing, type Storage } from './session/storage.ts';
import { takeOverCalls, takeOverSession, type OwnApp } from './take-over.ts';

export { CallFailure } from './call-failure.ts';
export type { CallFailureOf, FailureCode, ProblemBody } from './call-failure.ts';
export type { Answer, CallName, CallOptions, Input, SensitiveCall } from './calls/call-types.ts';
export type { Feed, FeedEvent, FeedHandlers, FeedStanding, FeedState } from './feed/feed-types.ts';
export { feedStateOf } from './feed/feed-state.ts';
export type LiveOrder = Order;
export type LiveItem = MenuItem;
export type { Changes, Collection, CollectionOptions, CollectionState } from './live/collection.ts';
export type { Change, ChangeSource } from './live/list.ts';
export type { Source } from './live/source.ts';
export type { PendingCall } from './calls/pending-calls.ts';
export type { AskConsent, Consent, ConsentRequest } from './calls/request-step-up-token.ts';
export type { SeenOptions, SeenReporter } from './feed/seen-reporter.ts';
export type { Who } from './session/session.ts';
export type { SettledCall } from './calls/settle-pending-calls.ts';
export type { Storage } from './session/storage.ts';
export type { OwnApp } from './take-over.ts';

export type ClientOptions = {
  /** The gateway's URL, for example `http://localhost:3000`. */
  url: string;
  /** URLs for the live feed, in the order to try them, or a promise for them. The default is the gateway's URL. */
  feedUrls?: readonly string[] | Promise<readonly string[]>;
  /** Where to store the session and calls without a response. By default `localStorage` if available, otherwise memory. */
  storage?: Storage;
  /** This app, if several apps share the origin but need separate sessions. By default, all programs share one session. */
  app?: OwnApp;
  /** Asks the user for the PIN when a call needs authorization. By default, such a call fails with `step_up_required`. */
  onConsent?: AskConsent;
  /** Called when the feed rejects this user, who must first replace a password that another user has set. */
  onPasswordChangeRequired?: () => void;
  /** How long to keep retrying a call that is safe to retry, in milliseconds. The default is 30,000. */
  patienceMs?: number;
  fetch?: typeof fetch;
};

export type Client = {
  /** All calls by name, for example `calls.placeOrder({ items: […] })`. Each returns a promise for the response body. */
  calls: CallsByName;
  /** Makes a call like the functions in `calls`, but also returns the response's status and headers. */
  ask: <N extends CallName>(name: N, ...args: Arguments<N>) => Promise<Answered<N>>;
  /** Creates an idempotency key for an action that must happen only once. Pass it as the call's `idempotencyKey`. */
  newKey: () => string;
  /**
   * Returns this user's pending calls, oldest first, without those that this page is making now. A call is pending until the
   * server responds.
   */
  pendingCalls: () => readonly PendingCall[];
  /** Retries a pending call with the same idempotency key. Repeated retries are safe, because the call takes effect only once. */
  askAgain: (pending: PendingCall, options?: Omit<CallOptions, 'idempotencyKey'>) => Promise<Answered<CallName>>;
  /** Fetches a list page by page: `for await (const page of pages('listOrders', { status: 'ready' }))`. */
  pages: Pages;
  /**
   * Finds out the results of this user's pending calls that need authorization, including those in progress. Takes at most 5 s,
   * and never carries out any of these calls.
   */
  settlePendingCalls: () => Promise<readonly SettledCall[]>;
  /** Fetches a report of closed days as a CSV file. */
  downloadReport: (input: Input<'getReport'>) => Promise<Blob>;
  signIn: (credentials: Input<'login'>) => Promise<Who>;
  /** Creates the first manager of a new restaurant, and signs in as that manager. */
  signInAsFirstManager: (manager: Input<'createFirstManager'>) => Promise<Who>;
  /** Signs in with the content of a table's QR code. */
  signInAsGuest: (guest: Input<'beGuest'>) => Promise<Who>;
  /** Signs in on a registered tablet with a tablet PIN. */
  signInOnTablet: (person: Input<'signInOnTablet'>) => Promise<Who>;
  /** Takes a seat for the signed-in user at the table whose QR code was scanned. The seat is theirs until the seating ends. */
  takeSeat: (seat: Pick<Input<'takeSeat'>, 'table_token'>) => Promise<Who>;
  /**
   * Ends the session on this device immediately, and on the server if the server can be reached. Before that, finds out the
   * results of pending calls that need authorization (see `settlePendingCalls`), and removes all of this user's pending calls.
   * Resolves to the results.
   */
  signOut: () => Promise<readonly SettledCall[]>;
  who: () => Who | null;
  /**
   * Renews the access token and the refresh token now. If the user's seating was moved to another table or joined with one, the
   * new tokens contain the new table.
   * @throws CallFailure
   */
  renewTokens: () => Promise<void>;
  /** Calls `listener` when a user signs in or out, or the user's seat changes. Returns a function that removes the listener. */
  onWho: (listener: (who: Who | null) => void) => () => void;
  /** Returns the server's time in milliseconds since the epoch, estimated from the feed and the responses' `Date` headers. */
  now: () => number;
  /**
   * Opens the live feed, which delivers individual events. All feeds and lists of one client share one connection, except feeds
   * that start at a given cursor.
   */
  feed: (handlers: FeedHandlers) => Feed;
  /**
   * Opens a collection of rows that stay up to date, as signals. The rows are loaded first, and then follow the feed's events.
   * The responses to this client's own calls are applied immediately. Each list has its own source, such as
   * `@comanda/client/collections/tables`.
   */
  collection: OpenCollection;
  /**
   * Creates a reporter that tells the server in batches which orders this screen has shown. Each report is retried until the
   * server has received it.
   */
  seenReporter: (options: SeenOptions) => SeenReporter;
  /** Closes all feeds that this client has opened. */
  close: () => void;
};

/** Creates a client for browsers and Node. All tabs that share its storage share one session. */
export function createClient(options: ClientOptions): Client {
  const { app, onConsent: askConsent, patienceMs = 30_000, onPasswordChangeRequired } = options;
  const storage = neverFailing(options.storage ?? defaultStorage());
  const url = options.url.replace(/\/+$/, '');
  const sharedKey = (name: string): string => `comanda.${name}@${url}`;
  const storageKey = (name: string): string => sharedKey(app ? `${app.name}.${name}` : name);
  const clock = createServerClock();
  const epoch = createDatabaseEpoch();
  // Browsers throw an error if `fetch` is called as a method of another object.
  const fetch: typeof globalThis.fetch = async (...args) => {
    const askedAt = performance.now();
    const response = await (options.fetch ?? globalThis.fetch)(...args);
    clock.takeDateHeader(response.headers.get('date'), performance.now() - askedAt);
    epoch.take(response.headers.get('database-epoch'));
    return response;
  };

  if (app) takeOverSession({ storage, from: sharedKey('session'), to: storageKey('session') }, app);
  const session = createSession({
    storage,
    storageKey: storageKey('session'),
    lock: createCrossTabLock(storageKey('refreshing'), storage),
    refresh: async (refreshToken) => {
      const built = buildRequest(url, routes.refresh, { refresh_token: refreshToken });
      const { body } = await sendRequest({ ...built, headers: {}, signal: undefined, fetch });
      return body as TokenPair;
    },
  });
  const pendingCalls = createPendingCalls(storage, storageKey('unanswered'));
  const takeOverCallsOf = (who: Who | null): void => {
    if (app && who) takeOverCalls(createPendingCalls(storage, sharedKey('unanswered')), pendingCalls, who);
  };
  takeOverCallsOf(session.who());
  session.onChange(takeOverCallsOf);
  const request = createCaller({ url, fetch, session, pendingCalls, patienceMs, askConsent });
  const ask: Caller = async (name, input, callOptions) => {
    const answered = await request(name, input, callOptions);
    collections.takeResponse(name, input, answered.body);
    return answered;
  };
  const calls = callsByName(ask);
  const pages = createPageReader(request);

  const userIdNow = (): number | null => session.who()?.userId ?? null;
  const toSettle = (): PendingCall[] => pendingCalls.all(userIdNow()).filter(needsConsent);
  function beginSession(pair: TokenPair): Who {
    session.begin(pair);
    return whoNow();
  }
  function whoNow(): Who {
    const who = session.who();
    if (!who) throw new Error('The access token of the sign-in cannot be read.');
    return who;
  }

  const openFeeds = new Set<{ close: () => void }>();
  function closeWithClient<T extends { close: () => void }>(opened: T): T {
    openFeeds.add(opened);
    return opened;
  }
  const sharedFeed = createSharedFeed((handlers) =>
    openFeed({
      urls: options.feedUrls ?? [url],
      session,
      clock,
      epoch,
      handlers: {
        ...handlers,
        onStanding: (standing) => {
          handlers.onStanding?.(standing);
          if (standing.reason === 'password_change_required') onPasswordChangeRequired?.();
        },
      },
    }),
  );
  const feed: Client['feed'] = (handlers) =>
    closeWithClient(reportFeedState({ open: sharedFeed, now: clock.now, handlers }));
  const collections = createCollections({
    feed,
    calls: callsByName(request),
    pages,
    who: session.who,
    onWho: session.onChange,
    now: clock.now,
  });
  return {
    calls,
    ask,
    newKey: randomId,
    pendingCalls: () => pendingCalls.list(userIdNow()),
    askAgain: ({ call, input, key }, more) => ask(call, input as Input<typeof call>, { ...more, idempotencyKey: key }),
    pages,
    downloadReport: async (input) =>
      (await request('getReport', input, { accept: 'text/csv' })).body as unknown as Blob,
    settlePendingCalls: () => settlePendingCalls(ask, toSettle()),
    signIn: async (credentials) => beginSession(await calls.login(credentials)),
    signInAsFirstManager: async (manager) => beginSession(await calls.createFirstManager(manager)),
    signInAsGuest: async (guest) => beginSession(await calls.beGuest(guest)),
    signInOnTablet: async (person) => beginSession(await calls.signInOnTablet(person)),
    takeSeat: async ({ table_token }) => {
      await session.exchange((refresh_token) => calls.takeSeat({ refresh_token, table_token }));
      return whoNow();
    },
    signOut: async () => {
      const userId = userIdNow();
      const settled = toSettle().length === 0 ? [] : await settlePendingCalls(ask, toSettle());
      pendingCalls.removeAllOf(userId);
      // Another user may have signed in while the calls were being settled.
      if (userIdNow() !== userId) return settled;
      const ended = session.end();
      if (ended) await calls.logout({ refresh_token: ended.refreshToken }).catch(ignoreFailure);
      return settled;
    },
    who: session.who,
    renewTokens: session.renew,
    onWho: session.onChange,
    now: clock.now,
    feed,
    collection: (...args) => closeWithClient(collections.open(...args)),
    seenReporter: (seenOptions) =>
      closeWithClient(createSeenReporter({ markSeen: calls.markSeen, epoch }, seenOptions)),
    close: () => {
      for (const opened of openFeeds) opened.close();
      openFeeds.clear();
      session.close();
    },
  };
}

/** Ignores a failed sign-out call. The session has already ended on this device, and will expire on the server. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof CallFailure)) throw error;
}

/** Creates a function for each call, which returns only the response body. */
const callsByName = (ask: Caller): CallsByName =>
  Object.fromEntries(
    Object.keys(routes).map((name) => [
      name,
      async (input: never, options?: CallOptions) => (await ask(name as CallName, input, options)).body,
    ]),
  ) as unknown as CallsByName;
