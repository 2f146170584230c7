import { routes } from './calls.ts';
import { obtainConsent } from './consent.ts';
import type { AskConsent } from './consent.ts';
import { exchange, headersOf, toRequest } from './exchange.ts';
import type { Request } from './exchange.ts';
import { CallFailure } from './failure.ts';
import type { FailureCode } from './failure.ts';
import { jittered, wait } from './random.ts';
import type { Session } from './session.ts';
import type { Route } from './route.ts';
import type { Answered, CallName, CallOptions, Input } from './typing.ts';
import type { Unanswered } from './unanswered.ts';

export type Caller = <N extends CallName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Answered<N>>;
type Options = {
  url: string;
  fetch: typeof fetch;
  session: Session;
  unanswered: Unanswered;
  askConsent: AskConsent | undefined;
  /** How long a call that may be repeated is tried again, in milliseconds. */
  patienceMs: number;
};

/** Nothing was decided: the same call may be made again with the same key, and should be. */
const undecided: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'unreachable',
  'service_unavailable',
  'bad_gateway',
  'gateway_timeout',
  'request_in_progress',
  'rate_limited',
]);
/** Nothing was decided, but it takes more than time. */
const beforeDecision: ReadonlySet<FailureCode> = new Set<FailureCode>(['authentication_required', 'invalid_token']);
const isChallenge = ({ code }: CallFailure): boolean => code.startsWith('step_up_');
const isUndecided = (failure: CallFailure): boolean => undecided.has(failure.code) || failure.outcome === 'unknown';
const isFinal = (error: unknown): boolean =>
  error instanceof CallFailure && !isUndecided(error) && !beforeDecision.has(error.code) && !isChallenge(error);

const firstDelayMs = 250;
const longestDelayMs = 4000;
/** Somebody waits and looks at what cannot be read: that is told sooner than a write is given up. */
const readPatienceMs = 8000;
const mostChallenges = 3;

type Attempt = {
  name: CallName;
  input: unknown;
  route: Route;
  request: Request;
  key: string | undefined;
  options: CallOptions;
};

/**
 * Makes calls as the contracts want them: with a fresh token; with an idempotency key, the same one until there is an
 * answer; with consent where it is asked for; again, after a pause, where that can do no harm.
 */
export function createCaller(to: Options): Caller {
  const keep = (request: Request): ReturnType<Unanswered['keep']> =>
    to.unanswered.keep(JSON.stringify([to.session.who()?.userId, request.method, request.url, request.body]));

  return async <N extends CallName>(name: N, input: Input<N>, options: CallOptions = {}): Promise<Answered<N>> => {
    const route = routes[name];
    const request = toRequest(to.url, route, input);
    const keeping = route.idempotencyKey && options.idempotencyKey === undefined ? keep(request) : null;
    const key = keeping?.key ?? options.idempotencyKey;
    try {
      const answer = await untilAnswered({ name, input, route, request, key, options }, to);
      keeping?.release('answered');
      return answer as Answered<N>;
    } catch (error) {
      keeping?.release(isFinal(error) ? 'answered' : 'unanswered');
      throw error;
    }
  };
}

async function untilAnswered(attempt: Attempt, to: Options) {
  const { route, request, options } = attempt;
  const repeatable = request.method === 'GET' || attempt.key !== undefined;
  const patienceMs = request.method === 'GET' ? Math.min(readPatienceMs, to.patienceMs) : to.patienceMs;
  const until = Date.now() + patienceMs;
  const so = {
    stale: undefined as string | undefined,
    stepUpToken: undefined as string | undefined,
    tries: 0,
    challenges: 0,
  };
  for (;;) {
    let token: string | null = null;
    try {
      if (route.needs) token = await to.session.token(so.stale);
      return await send(attempt, to, { token, stepUpToken: so.stepUpToken });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'invalid_token' && token !== null && so.stale !== token) {
        so.stale = token;
      } else if (isChallenge(error) && to.askConsent && so.challenges < mostChallenges) {
        so.challenges++;
        so.stepUpToken = await consentTo(attempt, to, error);
      } else {
        const delayMs = error.retryAfterMs ?? jittered(Math.min(longestDelayMs, firstDelayMs * 2 ** so.tries));
        if (!repeatable || !isUndecided(error) || Date.now() + delayMs > until) throw error;
        so.tries++;
        await wait(delayMs, options.signal);
      }
    }
  }
}

type Credentials = { token: string | null; stepUpToken: string | undefined };
const send = ({ request, key, options }: Attempt, to: Options, { token, stepUpToken }: Credentials) =>
  exchange({
    ...request,
    fetch: to.fetch,
    signal: options.signal,
    headers: {
      ...headersOf(options),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(stepUpToken !== undefined && { 'x-step-up-token': stepUpToken }),
    },
  });

/** Asks the user for what the answer `refusal` demands. */
function consentTo({ name, input, route, options }: Attempt, to: Options, refusal: CallFailure): Promise<string> {
  const { stepUp: endpointKey } = route;
  if (endpointKey === undefined || !to.askConsent) throw refusal;
  const ask = to.askConsent;
  const call = createCaller(to);
  const prove = async (body: Input<'stepUp'>): Promise<string> => {
    const answer = await call('stepUp', body, options.signal ? { signal: options.signal } : {});
    return answer.body.step_up_token;
  };
  return obtainConsent({ call: name, input, endpointKey }, { ask, prove, refusal });
}
