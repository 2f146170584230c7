/// <reference lib="dom" />
import { CallFailure } from '../../../client/src/call-failure.ts';
import { requestStepUpToken } from '../../../client/src/calls/request-step-up-token.ts';
import type {
  Client,
  ClientOptions,
  Consent,
  FeedEvent,
  FeedHandlers,
  FeedStanding,
  Who,
} from '../../../client/src/client.ts';
import type { Answered, CallName, CallOptions, CallsByName } from '../../../client/src/calls/call-types.ts';
import { routes } from '../../../client/src/calls/calls.ts';
import { reportFeedState } from '../../../client/src/feed/feed-state.ts';
import { createSeenReporter } from '../../../client/src/feed/seen-reporter.ts';
import { createCollections } from '../../../client/src/live/collections.ts';
import { randomId } from '../../../client/src/random.ts';
import type { Failed, MadeCall, Reply, State } from './state.ts';

export * from '../../../client/src/client.ts';

/** The functions with which a test controls the fake client in the page (see `openStand`). */
export type Remote = {
  calls: MadeCall[];
  answer: (answers: State['answers']) => void;
  emit: (event: FeedEvent) => void;
  stand: (standing: FeedStanding) => void;
  signIn: (who: Who | null) => void;
};
declare global {
  /** The page's state. A script that runs before all others sets it. */
  var standState: State;
  var standRemote: Remote;
}

const failureOf = ({ fails: code, status, outcome = 'none', members, retryAfterMs }: Failed): CallFailure => {
  const problem = { type: 'about:blank', title: code, status: 400, code, request_id: 'stand-request', ...members };
  const isOurs = code !== 'unreachable' && status === undefined;
  return new CallFailure(code, {
    code,
    outcome,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(status !== undefined && { status }),
    ...(isOurs && { problem: { ...problem, code } }),
  });
};

/**
 * Creates a client that needs no server. It responds to each call with data from the page's state. For lists and the feed, it
 * uses the real client's code.
 */
export function createClient({ onConsent }: ClientOptions): Client {
  const { answers: given, feed: firstStanding = { status: 'live' } } = globalThis.standState;
  const answers = new Map<string, Reply<CallName>>(Object.entries(given) as [string, Reply<CallName>][]);
  const made: MadeCall[] = [];
  const whoListeners = new Set<(who: Who | null) => void>();
  const feeds = new Set<FeedHandlers>();
  /** Calls for which the page is still waiting. */
  let held: { name: CallName; resolve: () => void }[] = [];
  let who = globalThis.standState.who ?? null;
  let standing = firstStanding;
  let cursor = 0;

  function setWho(next: Who | null): void {
    who = next;
    for (const listener of whoListeners) listener(who);
  }
  function nextReply(name: CallName): unknown {
    // If an order is placed while a list is loading, the list fetches that order by its id. Without a response for that, it gets
    // the order from `placeOrder`.
    const reply = answers.get(name) ?? (name === 'getOrder' ? answers.get('placeOrder') : undefined);
    if (reply === undefined || reply === null || typeof reply !== 'object' || !('turns' in reply)) return reply;
    const [first, ...others] = reply.turns as readonly unknown[];
    if (others.length > 0) answers.set(name, { turns: others });
    return first;
  }
  async function request<N extends CallName>(
    name: N,
    input: object = {},
    options: CallOptions = {},
  ): Promise<Answered<N>> {
    const { idempotencyKey: key, signal } = options;
    made.push({ call: name, input: { ...input }, ...(key !== undefined && { key }) });
    if (!answers.has(name)) console.error(`The state has no answer to ${name}.`);
    let reply = nextReply(name);
    await Promise.resolve();
    while (!answers.has(name) || isMarked(reply, 'never')) {
      await new Promise<void>((resolve, reject) => {
        held.push({ name, resolve });
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      reply = nextReply(name);
    }
    if (!isMarked(reply, 'fails')) return { status: 200, headers: new Headers(), body: reply } as Answered<N>;
    const failure = failureOf(reply as Failed);
    if (failure.code !== 'step_up_required' || options.consent === 'never') throw failure;
    await consentTo(name, { ...input }, { challenge: failure, ask: options.consent ?? onConsent });
    return request(name, input, options);
  }
  async function ask<N extends CallName>(name: N, input?: object, options?: CallOptions): Promise<Answered<N>> {
    const answered = await request(name, input, options);
    collections.takeResponse(name, input, answered.body);
    return answered;
  }
  type Challenge = { challenge: CallFailure; ask: ClientOptions['onConsent'] };
  async function consentTo(call: CallName, input: Record<string, unknown>, { challenge, ask: askConsent }: Challenge) {
    if (!askConsent) throw challenge;
    const exchange = async (body: Consent & { endpoint_key: string }): Promise<string> =>
      (await request('stepUp', body)).body.step_up_token;
    await requestStepUpToken({ askConsent, stepUp: exchange }, { call, input, challenge });
  }
  const callsBy = (make: typeof ask): CallsByName =>
    Object.fromEntries(
      Object.keys(routes).map((name) => [
        name,
        async (input: object, options?: CallOptions) => (await make(name as CallName, input, options)).body,
      ]),
    ) as unknown as CallsByName;
  const calls = callsBy(ask);
  const pages: Client['pages'] = async function* pages(name, input, options) {
    const rows = (await request(name, input, options)).body;
    const { limit = rows.length } = (input ?? {}) as { limit?: number };
    yield rows.slice(0, limit) as typeof rows;
    for (let at = limit; at < rows.length; at += limit) yield rows.slice(at, at + limit) as typeof rows;
  };
  const feed: Client['feed'] = (handlers) =>
    reportFeedState({
      now: Date.now,
      handlers,
      open: (own) => {
        feeds.add(own);
        queueMicrotask(() => own.onStanding?.(standing));
        return {
          standing: () => standing,
          cursor: () => null,
          checksums: () => null,
          now: Date.now,
          close: () => void feeds.delete(own),
        };
      },
    });
  const onWho: Client['onWho'] = (listener) => {
    whoListeners.add(listener);
    return () => void whoListeners.delete(listener);
  };
  async function begin(
    name: 'login' | 'createFirstManager' | 'beGuest' | 'signInOnTablet' | 'takeSeat',
    input: object,
  ): Promise<Who> {
    await ask(name, input);
    const { signsIn } = globalThis.standState;
    if (!signsIn) throw new Error('The state does not say who signs in.');
    setWho(signsIn);
    return signsIn;
  }
  const deps = { feed, calls, pages, who: () => who, onWho };
  const collections = createCollections({ ...deps, calls: callsBy(request), now: Date.now });
  globalThis.standRemote = {
    calls: made,
    answer: (more) => {
      for (const [name, reply] of Object.entries(more)) answers.set(name, reply);
      const waiting = held;
      held = [];
      for (const { resolve } of waiting) resolve();
    },
    emit: (event) => {
      const sent = { ...event, time: new Date().toISOString() };
      for (const each of feeds) each.onEvent?.(sent, String(++cursor));
    },
    stand: (next) => {
      standing = next;
      for (const each of feeds) each.onStanding?.(next);
    },
    signIn: setWho,
  };
  return {
    ...deps,
    ask,
    newKey: randomId,
    pendingCalls: () => [],
    askAgain: ({ call, input, key }, more) => ask(call, input, { ...more, idempotencyKey: key }),
    downloadReport: async (input) => new Blob([JSON.stringify((await request('getReport', input)).body)]),
    settlePendingCalls: async () => [],
    signIn: (input) => begin('login', input),
    signInAsFirstManager: (input) => begin('createFirstManager', input),
    signInAsGuest: (input) => begin('beGuest', input),
    signInOnTablet: (input) => begin('signInOnTablet', input),
    takeSeat: (input) => begin('takeSeat', input),
    signOut: async () => {
      setWho(null);
      return [];
    },
    renewTokens: async () => undefined,
    now: Date.now,
    collection: collections.open,
    seenReporter: (options) =>
      createSeenReporter(
        { markSeen: calls.markSeen, epoch: { take: () => undefined, onRestored: () => () => undefined } },
        options,
      ),
    close: () => feeds.clear(),
  };
}
const isMarked = (reply: unknown, mark: 'never' | 'fails'): boolean =>
  typeof reply === 'object' && reply !== null && mark in reply;
