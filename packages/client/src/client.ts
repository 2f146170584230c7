import type { TokenPair } from '@comanda/contracts/users';
import { createCaller } from './call.ts';
import type { Caller } from './call.ts';
import type { Answered, CallName, CallOptions, CallsByName, Input } from './call-types.ts';
import { routes } from './calls.ts';
import { createCrossTabLock } from './cross-tab-lock.ts';
import { openFeed } from './feed.ts';
import type { Feed, FeedHandlers } from './feed.ts';
import { followLiveMenu } from './live-menu.ts';
import { followLiveOrders } from './live-orders.ts';
import type { Live, LiveHandlers } from './live-types.ts';
import { createPendingRequests } from './pending-requests.ts';
import { createPageReader } from './read-pages.ts';
import type { Pages } from './read-pages.ts';
import type { AskConsent } from './request-step-up-token.ts';
import { buildRequest, sendRequest } from './send-request.ts';
import { createSession } from './session.ts';
import type { Who } from './session.ts';
import { defaultStorage } from './storage.ts';
import type { Storage } from './storage.ts';

export { allowedTransitions } from './allowed-transitions.ts';
export { CallFailure } from './call-failure.ts';
export type { FailureCode, ProblemBody } from './call-failure.ts';
export type { Answer, CallName, CallOptions, Input } from './call-types.ts';
export type { Feed, FeedEvent, FeedHandlers, FeedStanding } from './feed.ts';
export type { Live, LiveHandlers, LiveItem, LiveOrder } from './live-types.ts';
export type { AskConsent, Consent, ConsentRequest } from './request-step-up-token.ts';
export type { Who } from './session.ts';
export type { Storage } from './storage.ts';

export type ClientOptions = {
  /** The gateway, for example `http://localhost:3000`. */
  url: string;
  /** Where the live feed is, in the order in which to try; the gateway by default. */
  feedUrls?: readonly string[];
  /** Where the session and the keys of unanswered calls are kept: by default `localStorage` if there is one, else memory. */
  storage?: Storage;
  /** Asks the user for the PIN when a call needs consent. Without it such a call fails with `step_up_required`. */
  onConsent?: AskConsent;
  /** For how long a call that may be repeated is repeated, in milliseconds; 30,000 by default. */
  patienceMs?: number;
  fetch?: typeof fetch;
};

export type Client = {
  /** Every call by its name, for example `calls.placeOrder({ items: […] })`: resolves to the body of the answer. */
  calls: CallsByName;
  /** The same with status and headers. */
  ask: <N extends CallName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Answered<N>>;
  /** Lists, page after page: `for await (const page of pages('listOrders', { status: 'ready' }))`. */
  pages: Pages;
  signIn: (credentials: Input<'login'>) => Promise<Who>;
  /** Signs in with the content of a table's QR code. */
  signInAsGuest: (guest: Input<'beGuest'>) => Promise<Who>;
  /** Ends the session on this device at once, and on the server if it can be reached. */
  signOut: () => Promise<void>;
  who: () => Who | null;
  /** Calls `listener` when another user signs in or out. Returns a function that removes it. */
  onWho: (listener: (who: Who | null) => void) => () => void;
  /** The live feed, event by event. */
  feed: (handlers: FeedHandlers) => Feed;
  /** Orders, kept up to date by the feed. */
  liveOrders: (handlers: LiveHandlers<'order'>) => Live<'order'>;
  /** The menu, kept up to date by the feed. */
  liveMenu: (handlers: LiveHandlers<'item'>) => Live<'item'>;
  /** Closes every feed that this client has opened. */
  close: () => void;
};

/** A client for browsers and Node, with one session for all tabs that share its storage. */
export function createClient(options: ClientOptions): Client {
  const { storage = defaultStorage(), onConsent: askConsent, patienceMs = 30_000 } = options;
  const url = options.url.replace(/\/+$/, '');
  const storageKey = (name: string): string => `comanda.${name}@${url}`;
  // A browser's `fetch` must not be called as a method of another object.
  const fetch: typeof globalThis.fetch = (...args) => (options.fetch ?? globalThis.fetch)(...args);

  const session = createSession({
    storage,
    storageKey: storageKey('session'),
    lock: createCrossTabLock(storageKey('refreshing'), storage),
    refresh: async (refreshToken) => {
      const request = buildRequest(url, routes.refresh, { refresh_token: refreshToken });
      const { body } = await sendRequest({ ...request, headers: {}, signal: undefined, fetch });
      return body as TokenPair;
    },
  });
  const pendingRequests = createPendingRequests(storage, storageKey('unanswered'));
  const ask = createCaller({ url, fetch, session, pendingRequests, askConsent, patienceMs });
  const calls = callsByName(ask);
  const pages = createPageReader(ask);

  function beginSession(pair: TokenPair): Who {
    session.begin(pair);
    const who = session.who();
    if (!who) throw new Error('The access token of the sign-in cannot be read.');
    return who;
  }

  const openFeeds = new Set<{ close: () => void }>();
  function closeWithClient<T extends { close: () => void }>(opened: T): T {
    openFeeds.add(opened);
    return opened;
  }
  const feed: Client['feed'] = (handlers) =>
    closeWithClient(openFeed({ urls: options.feedUrls ?? [url], session, handlers }));
  const liveDeps = { feed, calls, pages, who: session.who };
  return {
    calls,
    ask,
    pages,
    signIn: async (credentials) => beginSession(await calls.login(credentials)),
    signInAsGuest: async (guest) => beginSession(await calls.beGuest(guest)),
    signOut: async () => {
      const ended = session.end();
      if (ended) await calls.logout({ refresh_token: ended.refreshToken });
    },
    who: session.who,
    onWho: session.onChange,
    feed,
    liveOrders: (handlers) => closeWithClient(followLiveOrders(liveDeps, handlers)),
    liveMenu: (handlers) => closeWithClient(followLiveMenu(liveDeps, handlers)),
    close: () => {
      for (const opened of openFeeds) opened.close();
      openFeeds.clear();
      session.close();
    },
  };
}

/** A function for each call, which returns the body of the answer. */
const callsByName = (ask: Caller): CallsByName =>
  Object.fromEntries(
    Object.keys(routes).map((name) => [
      name,
      async (input: never, options?: CallOptions) =>
        (await ask(name as CallName, input ?? ({} as never), options)).body,
    ]),
  ) as unknown as CallsByName;
