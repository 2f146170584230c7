import { CallFailure } from './call-failure.ts';
import type { FailureCode } from './call-failure.ts';
import type { Answered, CallName, CallOptions, Input } from './call-types.ts';
import { routes } from './calls.ts';
import type { PendingRequests } from './pending-requests.ts';
import { jittered } from './random.ts';
import { requestStepUpToken } from './request-step-up-token.ts';
import type { AskConsent } from './request-step-up-token.ts';
import type { Route } from './route.ts';
import { buildRequest, conditionalHeaders, sendRequest } from './send-request.ts';
import type { Request } from './send-request.ts';
import type { Session } from './session.ts';
import { wait } from './wait.ts';

export type Caller = <N extends CallName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Answered<N>>;
type Deps = {
  url: string;
  fetch: typeof fetch;
  session: Session;
  pendingRequests: PendingRequests;
  askConsent: AskConsent | undefined;
  /** For how long a call that may be repeated is repeated, in milliseconds. */
  patienceMs: number;
};
type Call = {
  name: CallName;
  input: unknown;
  route: Route;
  request: Request;
  key: string | undefined;
  options: CallOptions;
};

/** Nothing was decided: the same call can be made again with the same key, and should be. */
const undecidedCodes: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'unreachable',
  'service_unavailable',
  'bad_gateway',
  'gateway_timeout',
  'request_in_progress',
  'rate_limited',
]);
/** Nothing was decided, and the user must sign in before the call can be made again. */
const signInCodes: ReadonlySet<FailureCode> = new Set<FailureCode>(['authentication_required', 'invalid_token']);
const isChallenge = ({ code }: CallFailure): boolean => code.startsWith('step_up_');
const isUndecided = ({ code, outcome }: CallFailure): boolean => undecidedCodes.has(code) || outcome === 'unknown';
const isFinal = (error: unknown): boolean =>
  error instanceof CallFailure && !isUndecided(error) && !signInCodes.has(error.code) && !isChallenge(error);

const firstDelayMs = 250;
const maxDelayMs = 4000;
/** A user waits for what is read: a failure is reported sooner than that of a write. */
const maxReadPatienceMs = 8000;
const maxChallenges = 3;

/**
 * Makes calls as the contracts want them: with a fresh token; with an idempotency key, which stays the same until there
 * is an answer; with consent if the server asks for it; again after a pause if that cannot do harm.
 */
export function createCaller(deps: Deps): Caller {
  const { url, session, pendingRequests } = deps;
  return async <N extends CallName>(name: N, input: Input<N>, options: CallOptions = {}): Promise<Answered<N>> => {
    const route = routes[name];
    const request = buildRequest(url, route, input);
    const makesKey = route.idempotencyKey !== undefined && options.idempotencyKey === undefined;
    const { method, url: requestUrl, body } = request;
    const pending = makesKey
      ? pendingRequests.begin(JSON.stringify([session.who()?.userId, method, requestUrl, body]))
      : null;
    const key = pending?.key ?? options.idempotencyKey;
    try {
      const answer = await repeatUntilAnswered(deps, { name, input, route, request, key, options });
      pending?.end('answered');
      return answer as Answered<N>;
    } catch (error) {
      pending?.end(isFinal(error) ? 'answered' : 'unanswered');
      throw error;
    }
  };
}

/**
 * Repeats the call until there is an answer that decides. An expired token is renewed once, a challenge is answered with
 * a step-up token, and what is undecided is repeated after growing pauses.
 */
async function repeatUntilAnswered(deps: Deps, call: Call) {
  const { route, request, key, options } = call;
  const isRead = request.method === 'GET';
  const mayRepeat = isRead || key !== undefined;
  const deadline = performance.now() + (isRead ? Math.min(maxReadPatienceMs, deps.patienceMs) : deps.patienceMs);
  const used = {
    rejectedToken: undefined as string | undefined,
    stepUpToken: undefined as string | undefined,
    repeats: 0,
    challenges: 0,
  };
  for (;;) {
    let token: string | null = null;
    try {
      if (route.requires) token = await deps.session.token(used.rejectedToken);
      return await sendCall(deps, call, { token, stepUpToken: used.stepUpToken });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'invalid_token' && token !== null && used.rejectedToken !== token) {
        used.rejectedToken = token;
      } else if (isChallenge(error) && deps.askConsent && used.challenges < maxChallenges) {
        used.challenges++;
        used.stepUpToken = await answerChallenge(deps, call, error);
      } else {
        const delayMs = error.retryAfterMs ?? jittered(Math.min(maxDelayMs, firstDelayMs * 2 ** used.repeats));
        if (!mayRepeat || !isUndecided(error) || performance.now() + delayMs > deadline) throw error;
        used.repeats++;
        await wait(delayMs, options.signal);
      }
    }
  }
}

type Credentials = { token: string | null; stepUpToken: string | undefined };
const sendCall = (deps: Deps, { request, key, options }: Call, { token, stepUpToken }: Credentials) =>
  sendRequest({
    ...request,
    fetch: deps.fetch,
    signal: options.signal,
    headers: {
      ...conditionalHeaders(options),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(stepUpToken !== undefined && { 'x-step-up-token': stepUpToken }),
    },
  });

function answerChallenge(deps: Deps, call: Call, challenge: CallFailure): Promise<string> {
  const { askConsent } = deps;
  const { name, input, route, options } = call;
  if (route.stepUp === undefined || !askConsent) throw challenge;
  const makeCall = createCaller(deps);
  const stepUp = async (body: Input<'stepUp'>): Promise<string> => {
    const answer = await makeCall('stepUp', body, options.signal ? { signal: options.signal } : {});
    return answer.body.step_up_token;
  };
  const request = { call: name, input, endpointKey: route.stepUp };
  return requestStepUpToken({ askConsent, stepUp }, { request, challenge });
}
