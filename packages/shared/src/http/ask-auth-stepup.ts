import { problem, type Problem, unavailable } from '@comanda/contracts/problem';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import { maxBodyKilobytes, stepUpLists } from '@comanda/contracts/rules';
import { consumeStepUp, consumeStepUpList } from '@comanda/contracts/internal';
import type { Tracer } from '../tracing/tracer.ts';
import { createServiceConnection, type ServiceRequest, type ServiceResponse } from './service-connection.ts';
import type { ServiceIdentity } from './service-signature.ts';
import type { AskConsent, Spent } from './step-up.ts';
import { createCallTracer, recordResponse } from './trace-call.ts';

/**
 * The time limit for a call, in milliseconds. It is short enough for the client to get a 503 within 2 s. Once this service has
 * closed the connection, auth-stepup does not spend the token.
 */
const timeoutMs = 1500;
/**
 * While a call runs, new requests are collected for the next call, because one call costs as much as several of its tokens. If
 * the call takes longer than this, in milliseconds, the next call starts anyway, so that a call without a response does not delay
 * other requests.
 */
const slowMs = 100;

/** The maximum number of requests and bytes in one list. */
type ListLimit = { requests: number; bytes: number };
const listLimit: ListLimit = { requests: stepUpLists.maxTokens, bytes: stepUpLists.maxKilobytes * 1024 };
/** The limits of auth-stepup 1.0.0, in requests and bytes. */
const earlierLimit: ListLimit = { requests: 32, bytes: maxBodyKilobytes * 1024 };
const tooLarge = 413;

/** Creates a 503, for when it is unknown whether the token was spent. `cause` is logged. */
const consentUnavailable = (cause: Error): Problem =>
  unavailable({ detail: "Step-up tokens can't be checked right now. Repeat the request in a second." }, cause);

/** A request that waits for its token to be spent. */
type Waiting = {
  accessToken: string;
  /** The body of the request to auth-stepup, in JSON. */
  body: string;
  requestId: string;
  traceparent: string;
  /** The `traceparent` that the list contains for this request; absent if its trace isn't recorded. */
  listedTrace?: string;
  /** The time when the caller stops waiting, in milliseconds of `performance.now()`. */
  deadline: number;
  resolve: (spent: Spent) => void;
  reject: (error: unknown) => void;
};

/**
 * Creates a client that spends step-up tokens at auth-stepup (`url`) on behalf of `service`. Requests that arrive at about the
 * same time share one call, and each gets its own result. A response that is not signed with the secret of `service` is rejected.
 */
export function askAuthStepup(
  url: string,
  { service, tracer }: { service: ServiceIdentity; tracer: Tracer },
): AskConsent & { close: () => void } {
  const connection = createServiceConnection(url, service);
  const traceCall = createCallTracer(tracer, url);
  const waiting: Waiting[] = [];
  const listedTrace = (traceparent: string) => (tracer.isOn ? { listedTrace: traceparent } : {});
  let isSending = false;

  const post = (request: Omit<ServiceRequest, 'method'>): Promise<ServiceResponse> =>
    connection.send({ method: 'POST', ...request }).catch((error: Error) => {
      throw consentUnavailable(error);
    });
  /**
   * Sends a list. If auth-stepup rejects the whole list, because of its size or because of one of its requests, sends smaller
   * lists.
   */
  async function spendAll(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    if (batch.length === 1) return settle(first, sendOne(first));
    const list = await sendList(batch, first);
    if (list.status >= 400 && list.status < 500) await Promise.all(smallerLists(batch).map(spendAll));
    else await Promise.all(batch.map((each, index) => settle(each, responseIn(list, index))));
  }
  async function sendOne({ accessToken, body, requestId, deadline, ...one }: Waiting): Promise<ServiceResponse> {
    const { traceparent, end } = traceCall(one.traceparent, consumeStepUp);
    const headers = { authorization: `Bearer ${accessToken}`, 'x-request-id': requestId, traceparent };
    return recordResponse(end, post({ target: consumeStepUp.path, headers, body, deadline }));
  }
  /**
   * Sends one list. Records a span for each request in the request's own trace, and passes these spans' ids on to auth-stepup.
   */
  async function sendList(batch: readonly Waiting[], first: Waiting): Promise<ServiceResponse> {
    const calls = batch.map((each) => traceCall(each.traceparent, consumeStepUpList));
    const items = batch.map((each, index) => ({ ...each, ...listedTrace(calls[index]?.traceparent ?? '') }));
    const traceparent = calls[0]?.traceparent ?? first.traceparent;
    return recordResponse(
      (result) => calls.forEach(({ end }) => end(result)),
      post({
        target: consumeStepUpList.path,
        headers: { 'x-request-id': first.requestId, traceparent },
        body: listBody(items),
        deadline: earliest(batch),
      }),
    );
  }
  async function work(): Promise<void> {
    // Waits one turn of the event loop, so that requests from the same turn go into the same call.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const list = takeList(waiting, listLimit);
      const settled = spendAll(list).catch((error: unknown) => list.forEach(({ reject }) => reject(error)));
      await within(slowMs, settled);
    }
    isSending = false;
  }

  const ask: AskConsent = (body, { header, context }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Spent>();
    const { requestId, traceparent } = context;
    const accessToken = (header('authorization') ?? '').replace(/^Bearer +/i, '');
    const deadline = performance.now() + timeoutMs;
    waiting.push({
      accessToken,
      body: JSON.stringify(body),
      requestId,
      traceparent,
      ...listedTrace(traceparent),
      deadline,
      resolve,
      reject,
    });
    if (!isSending) {
      isSending = true;
      void work();
    }
    return promise;
  };
  return Object.assign(ask, { close: connection.close });
}

/** Waits for `settled`, for at most `ms` milliseconds. */
async function within(ms: number, settled: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([settled, late]);
  clearTimeout(timer);
}

/** Removes and returns the requests that have waited longest, as many as fit into one list. */
function takeList(waiting: Waiting[], limit: ListLimit): Waiting[] {
  let bytes = listBody([]).length;
  let length = 0;
  for (const each of waiting) {
    bytes += Buffer.byteLength(listItem(each)) + 1;
    if (length === limit.requests || (length > 0 && bytes > limit.bytes)) break;
    length++;
  }
  return waiting.splice(0, length);
}
/**
 * Splits a list that auth-stepup rejected: into lists that the first release accepts, or, if it is already that small, into
 * single requests.
 */
function smallerLists(list: readonly Waiting[]): Waiting[][] {
  const rest = [...list];
  const lists: Waiting[][] = [];
  while (rest.length > 0) lists.push(takeList(rest, earlierLimit));
  return lists.length > 1 ? lists : list.map((each) => [each]);
}
function listItem({ accessToken, body, listedTrace }: Waiting): string {
  const trace = listedTrace === undefined ? '' : `"traceparent":"${listedTrace}",`;
  return `{"access_token":${JSON.stringify(accessToken)},${trace}${body.slice(1)}`;
}
const listBody = (batch: readonly Waiting[]): string => `{"requests":[${batch.map(listItem).join(',')}]}`;
const earliest = (batch: readonly Waiting[]): number => Math.min(...batch.map(({ deadline }) => deadline));

/** Returns the response for the request at `index` in a list. If the whole list failed, every request gets that failure. */
function responseIn({ status, body }: ServiceResponse, index: number): ServiceResponse {
  if (status !== 200) return { status, body };
  const result = (body['results'] as ServiceResponse[])[index];
  if (!result) throw new Error('auth-stepup returned no result for a token of a list');
  return result;
}

async function settle(
  { resolve, reject }: Waiting,
  response: ServiceResponse | Promise<ServiceResponse>,
): Promise<void> {
  try {
    resolve(readResponse(await response));
  } catch (error) {
    reject(error);
  }
}

function readResponse({ status, body }: ServiceResponse): Spent {
  if (status >= 500 || status === tooLarge) throw consentUnavailable(new Error(`auth-stepup responded with ${status}`));
  if (status === 200) {
    const { jti, pin_version: pinVersion, first, consent: jws } = body;
    if (typeof jws !== 'string')
      throw consentUnavailable(new Error('auth-stepup of an earlier version signs no consent'));
    return { jti: String(jti), pinVersion: Number(pinVersion), first: first === true, jws };
  }
  const code = body['code'] as ProblemCode;
  if (code in problems && code.startsWith('step_up_')) throw problem(code as ProblemCode & `step_up_${string}`);
  // The access token has expired since it was verified, or the user has no permission. The client gets the same problem.
  if (code in problems && (status === 401 || status === 403)) throw problem(code);
  // A newer release of auth-stepup rejected the request with a problem that this release doesn't know. The token is not spent,
  // and `detail` says why.
  if ((status === 401 || status === 403) && typeof code === 'string' && !(code in problems)) {
    const { detail } = body;
    throw problem('step_up_invalid', typeof detail === 'string' ? { detail } : {});
  }
  throw new Error(`auth-stepup rejected the request to spend a token: ${status} ${code}`);
}
