import { CallFailure, isFinal } from '../call-failure.ts';
import type { Answered, CallName, CallOptions, Input } from './call-types.ts';
import { routes } from './calls.ts';
import type { PendingCall, PendingCalls } from './pending-calls.ts';
import { randomId } from '../random.ts';
import type { AskConsent } from './request-step-up-token.ts';
import { retryDelayMs } from '../retry-delay.ts';
import type { Route } from './route.ts';
import { buildRequest, conditionalHeaders, sendRequest, type Request } from './send-request.ts';
import type { Session } from '../session/session.ts';
import { wait } from '../wait.ts';

export type Caller = <N extends CallName>(name: N, input?: Input<N>, options?: CallOptions) => Promise<Answered<N>>;
export type CallerDeps = {
  url: string;
  fetch: typeof fetch;
  session: Session;
  pendingCalls: PendingCalls;
  askConsent: AskConsent | undefined;
  /** How long to keep retrying a call that is safe to retry, in milliseconds. */
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

/**
 * Checks whether the server was too busy to start the call and said when to retry, for example because too many PINs came from
 * one address. In this case, the PIN was not checked, and the user loses no attempt.
 */
const isOnlyLate = ({ code, outcome, retryAfterMs }: CallFailure): boolean =>
  (code === 'service_unavailable' || code === 'transaction_password_busy') &&
  outcome === 'none' &&
  retryAfterMs !== undefined;
const isChallenge = ({ code }: CallFailure): boolean => code.startsWith('step_up_');

/**
 * The maximum time for retrying a read, or a call without a key, in milliseconds. Writes with a key are retried for longer,
 * because their results may be unknown until the server responds.
 */
const maxPatienceWithoutKeyMs = 8000;
const maxChallenges = 3;

/**
 * Creates the function that makes all calls. The function gets a valid token for each attempt, and stores the call's idempotency
 * key until the server responds. It asks the user if the server requires authorization, and retries after a pause if a retry is
 * safe.
 */
export function createCaller(deps: CallerDeps): Caller {
  const { url, pendingCalls } = deps;
  return async <N extends CallName>(
    name: N,
    input = {} as Input<N>,
    options: CallOptions = {},
  ): Promise<Answered<N>> => {
    const route = routes[name];
    const request = buildRequest(url, route, input);
    const call = { name, input, route, request, key: options.idempotencyKey, options };
    if (!route.idempotencyKey) return (await repeatUntilAnswered(deps, call)) as Answered<N>;

    const key = options.idempotencyKey ?? randomId();
    // An outbox stores its calls itself. If the user cancels an order, a second copy here would remain.
    if (options.repeat !== 'never' || route.stepUp) keepPending(deps, { ...call, key });
    let isAnswered = false;
    try {
      const response = await repeatUntilAnswered(deps, { ...call, key });
      isAnswered = true;
      return response as Answered<N>;
    } catch (error) {
      isAnswered = isFinal(error);
      throw error;
    } finally {
      pendingCalls.end(key, isAnswered ? 'answered' : 'unanswered');
    }
  };
}

/** Stores the call with its idempotency key until the server responds, so that the call can be retried after a reload. */
function keepPending({ pendingCalls, session }: CallerDeps, { key, name, input }: Call & { key: string }): void {
  pendingCalls.begin({ key, call: name, input, at: Date.now() } as PendingCall, userOf(session));
}

/**
 * Repeats the call until the server decides it, or the retry time is over. Replaces a rejected access token, and gets a step-up
 * token if the server demands one. Undecided calls are retried after increasing pauses, if a retry is safe.
 */
async function repeatUntilAnswered(deps: CallerDeps, call: Call) {
  const { route, request, key, options } = call;
  const isRead = request.method === 'GET';
  const isSafe = isRead || key !== undefined;
  const askConsent = options.consent === 'never' ? undefined : (options.consent ?? deps.askConsent);
  const patienceMs = key === undefined ? Math.min(maxPatienceWithoutKeyMs, deps.patienceMs) : deps.patienceMs;
  const deadline = performance.now() + patienceMs;
  const user = userOf(deps.session);
  const isAnothers = (): boolean => !route.isPublic && userOf(deps.session) !== user;
  const used = {
    rejectedToken: undefined as string | undefined,
    stepUpToken: undefined as string | undefined,
    repeats: 0,
    challenges: 0,
  };
  for (;;) {
    let token: string | null = null;
    try {
      if (!route.isPublic) token = await deps.session.token(used.rejectedToken);
      if (isAnothers()) throw anotherUser(used.repeats > 0 ? 'unknown' : 'none');
      return await sendCall(deps, call, { token, stepUpToken: used.stepUpToken });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'invalid_token' && token !== null && used.rejectedToken !== token) {
        used.rejectedToken = token;
      } else if (isChallenge(error) && askConsent && used.challenges < maxChallenges) {
        used.challenges++;
        used.stepUpToken = await answerChallenge({ ...deps, askConsent }, call, error);
        // Another tab may have found out that the call had no effect, and removed it from the storage.
        if (key !== undefined) keepPending(deps, { ...call, key });
      } else {
        if (error.isUndecided && isAnothers()) throw anotherUser(used.repeats > 0 ? 'unknown' : error.outcome);
        const delayMs = retryDelayMs(error, used.repeats);
        const mayRepeat = options.repeat !== 'never' && ((isSafe && error.isUndecided) || isOnlyLate(error));
        if (!mayRepeat || performance.now() + delayMs > deadline) throw error;
        used.repeats++;
        await wait(delayMs, options.signal);
      }
    }
  }
}

const userOf = (session: Session): number | null => session.who()?.userId ?? null;
/** Creates the failure for a call whose user has signed out. The next user's token must not be used for this call. */
const anotherUser = (outcome: CallFailure['outcome']): CallFailure =>
  new CallFailure('The user who made this call has signed out.', { code: 'authentication_required', outcome });

type Credentials = { token: string | null; stepUpToken: string | undefined };
const sendCall = (deps: CallerDeps, { request, key, options }: Call, { token, stepUpToken }: Credentials) =>
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

async function answerChallenge(deps: CallerDeps, call: Call, challenge: CallFailure): Promise<string> {
  const { askConsent } = deps;
  const { name, input, options } = call;
  if (!askConsent) throw challenge;
  const makeCall = createCaller(deps);
  const stepUp = async (body: Input<'stepUp'>): Promise<string> => {
    const response = await makeCall('stepUp', body, options.signal ? { signal: options.signal } : {});
    return response.body.step_up_token;
  };
  const { requestStepUpToken } = await loadStepUp();
  return requestStepUpToken(
    { askConsent, stepUp },
    { call: name, input: input as Readonly<Record<string, unknown>>, challenge },
  );
}

/**
 * Loads the code that asks for a PIN, which most pages never need.
 * @throws CallFailure if the code can't be loaded; the call then had no effect
 */
async function loadStepUp() {
  try {
    return await import('./request-step-up-token.ts');
  } catch (cause) {
    throw new CallFailure('The PIN cannot be asked for.', { code: 'unreachable', outcome: 'none' }, { cause });
  }
}
