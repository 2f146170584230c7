import type { TokenPair } from '@comanda/contracts/users';
import { createCaller } from './call.ts';
import { routes } from './calls.ts';
import type { AskConsent } from './consent.ts';
import { createDeviceLock } from './device-lock.ts';
import { exchange, toRequest } from './exchange.ts';
import { openFeed } from './feed.ts';
import type { Feed, FeedHandlers } from './feed.ts';
import { followLiveMenu, followLiveOrders } from './live.ts';
import type { Live, LiveHandlers } from './live.ts';
import { createPages } from './pages.ts';
import type { Pages } from './pages.ts';
import { createSession } from './session.ts';
import type { Who } from './session.ts';
import { defaultStorage } from './storage.ts';
import type { Storage } from './storage.ts';
import type { Answered, CallName, CallOptions, CallsByName, Input } from './typing.ts';
import { createUnanswered } from './unanswered.ts';

export { allowedTransitions } from './allowed-transitions.ts';
export type { AskConsent, Consent, ConsentRequest } from './consent.ts';
export { CallFailure } from './failure.ts';
export type { FailureCode, ProblemBody } from './failure.ts';
export type { Feed, FeedEvent, FeedHandlers, FeedStanding } from './feed.ts';
export type { Live, LiveHandlers, LiveItem, LiveOrder } from './live.ts';
export type { Who } from './session.ts';
export type { Storage } from './storage.ts';
export type { Answer, CallName, CallOptions, Input } from './typing.ts';

export type ClientOptions = {
  /** Where the gateway is, e.g. `http://localhost:3000`. */
  url: string;
  /** Where the live feed is, in the order of trying; the gateway by default. */
  feedUrls?: readonly string[];
  /** Where the session and the keys of unanswered calls are kept: by default `localStorage`, or memory where there is none. */
  storage?: Storage;
  /** Asks the user for the PIN when a call needs consent. Without it such a call fails with `step_up_required`. */
  onConsent?: AskConsent;
  /** How long a call that may be repeated is tried again, in milliseconds; 30,000 by default. */
  patienceMs?: number;
  fetch?: typeof fetch;
};

export type Client = {
  /** Every call of the house by its name, e.g. `calls.placeOrder({ items: […] })`: resolves to the answer's body. */
  calls: CallsByName;
  /** The same, with status and headers. */
  ask: <N extends CallName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Answered<N>>;
  /** Lists, page after page: `for await (const page of pages('listOrders', { status: 'ready' }))`. */
  pages: Pages;
  signIn: (credentials: Input<'login'>) => Promise<Who>;
  /** With what the QR code of a table holds. */
  signInAsGuest: (guest: Input<'beGuest'>) => Promise<Who>;
  /** Forgets the session here at once; the house is told as far as it can be reached. */
  signOut: () => Promise<void>;
  who: () => Who | null;
  onWho: (listener: (who: Who | null) => void) => () => void;
  /** The live feed, as it comes. */
  feed: (handlers: FeedHandlers) => Feed;
  /** Orders, kept up to date by the feed. */
  liveOrders: (handlers: LiveHandlers<'order'>) => Live<'order'>;
  /** The menu, kept up to date by the feed. */
  liveMenu: (handlers: LiveHandlers<'item'>) => Live<'item'>;
  /** Closes every feed that this client opened. */
  close: () => void;
};

/** A client of one house: for browsers and Node, with one session for all tabs that share its storage. */
export function createClient(options: ClientOptions): Client {
  const { storage = defaultStorage(), onConsent: askConsent, patienceMs = 30_000, fetch = globalThis.fetch } = options;
  const url = options.url.replace(/\/+$/, '');
  const at = (what: string): string => `comanda.${what}@${url}`;
  const boundFetch: typeof fetch = (...args) => fetch(...args);
  const refresh = async (refreshToken: string): Promise<TokenPair> => {
    const request = toRequest(url, routes.refresh, { refresh_token: refreshToken });
    const { body } = await exchange({ ...request, headers: {}, signal: undefined, fetch: boundFetch });
    return body as TokenPair;
  };
  const session = createSession({
    storage,
    name: at('session'),
    lock: createDeviceLock(at('refreshing'), storage),
    refresh,
  });
  const unanswered = createUnanswered(storage, at('unanswered'));
  const ask = createCaller({ url, fetch: boundFetch, session, unanswered, askConsent, patienceMs });
  const calls = Object.fromEntries(
    Object.keys(routes).map((name) => [
      name,
      async (input: never, callOptions?: CallOptions) =>
        (await ask(name as CallName, input ?? ({} as never), callOptions)).body,
    ]),
  ) as unknown as CallsByName;

  const open = new Set<{ close: () => void }>();
  const opened = <T extends { close: () => void }>(one: T): T => {
    open.add(one);
    return one;
  };
  const begin = (pair: TokenPair): Who => {
    session.begin(pair);
    const who = session.who();
    if (!who) throw new Error('The house answered a token that says nobody.');
    return who;
  };
  const feed: Client['feed'] = (handlers) => opened(openFeed({ urls: options.feedUrls ?? [url], session, handlers }));
  const live = { feed, calls, pages: createPages(ask), who: session.who };
  return {
    calls,
    ask,
    pages: live.pages,
    signIn: async (credentials) => begin(await calls.login(credentials)),
    signInAsGuest: async (guest) => begin(await calls.beGuest(guest)),
    signOut: async () => {
      const ended = session.end();
      if (ended) await calls.logout({ refresh_token: ended.refreshToken });
    },
    who: session.who,
    onWho: session.onChange,
    feed,
    liveOrders: (handlers) => opened(followLiveOrders(live, handlers)),
    liveMenu: (handlers) => opened(followLiveMenu(live, handlers)),
    close: () => {
      for (const each of open) each.close();
      open.clear();
      session.close();
    },
  };
}
