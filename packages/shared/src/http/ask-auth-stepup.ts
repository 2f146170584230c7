import http from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { problem, type Problem } from '@comanda/contracts/problem';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import { maxBodyKilobytes, stepUpLists } from '@comanda/contracts/rules';
import { consumeStepUp, consumeStepUpList } from '@comanda/contracts/internal';
import { maxIdleMs } from './idle-connections.ts';
import { signatureHeader, signRequest, type ServiceIdentity } from './service-signature.ts';
import type { AskConsent, Spent } from './step-up.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { createCallTracer, recordResponse } from './trace-call.ts';

/**
 * The time limit for a call in milliseconds. It lets the client get 503 within 2 s. A token is not spent after the service has
 * closed its connection.
 */
const timeoutMs = 1500;
/**
 * While a call runs, waiting requests are collected for the next one, because a call costs as much as several of its tokens.
 * After this time in milliseconds, the next call starts anyway, so that a call that hangs holds up no others.
 */
const slowMs = 100;

/** The maximum number of requests and bytes in one list. */
type ListLimit = { requests: number; bytes: number };
const listLimit: ListLimit = { requests: stepUpLists.maxTokens, bytes: stepUpLists.maxKilobytes * 1024 };
/** The limits of auth-stepup 1.0.0. */
const earlierLimit: ListLimit = { requests: 32, bytes: maxBodyKilobytes * 1024 };
/** The status for a list that is too large. The response is not signed, because the length is checked before the signature. */
const tooLarge = 413;

/** Creates a 503, because the state of the token is unknown. `cause` is logged. */
function consentUnavailable(cause: string): Problem {
  const failure = problem(
    'service_unavailable',
    { detail: "Step-up tokens can't be checked right now. Repeat the request in a second." },
    { 'Retry-After': '1' },
  );
  failure.cause = new Error(cause);
  return failure;
}

/** A request that waits for its token to be spent. */
type Waiting = {
  accessToken: string;
  /** The body of the request to auth-stepup, in JSON. */
  body: string;
  requestId: string;
  traceparent: string;
  /** The trace of this request in a list, if traces are recorded. */
  listedTrace?: string;
  /** The time when the client stops waiting, in milliseconds of `performance.now()`. */
  deadline: number;
  resolve: (spent: Spent) => void;
  reject: (error: unknown) => void;
};
type HttpResponse = { status: number; body: Record<string, unknown> };

/**
 * Creates a client that spends step-up tokens at auth-stepup (`url`) on behalf of `service`, over connections that stay open.
 * Requests that wait at the same time share one call, and each gets its own result. A response that is not signed with the secret
 * of `service` is rejected.
 */
export function askAuthStepup(
  url: string,
  { service, tracer }: { service: ServiceIdentity; tracer: Tracer },
): AskConsent & { close: () => void } {
  const post = createPoster(url, service);
  const traceCall = createCallTracer(tracer, url);
  const waiting: Waiting[] = [];
  const listedTrace = (traceparent: string) => (tracer.isOn ? { listedTrace: traceparent } : {});
  let isAsking = false;

  /** Sends a list. If the whole list is rejected, because of its size or because of one request, sends smaller lists. */
  async function askForAll(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    if (batch.length === 1) return settle(first, askForOne(first));
    const list = await askForList(batch, first);
    if (list.status >= 400 && list.status < 500) await Promise.all(smallerLists(batch).map(askForAll));
    else await Promise.all(batch.map((each, index) => settle(each, responseOf(list, index))));
  }
  async function askForOne(one: Waiting): Promise<HttpResponse> {
    const { traceparent, end } = traceCall(one.traceparent, consumeStepUp);
    return recordResponse(end, post(consumeStepUp.path, { ...one, traceparent }, `Bearer ${one.accessToken}`));
  }
  /** Sends one list. Each request records a span in its own trace, and the list passes these spans on to auth-stepup. */
  async function askForList(batch: readonly Waiting[], { requestId, traceparent }: Waiting): Promise<HttpResponse> {
    const calls = batch.map((each) => traceCall(each.traceparent, consumeStepUpList));
    const items = batch.map((each, index) => ({ ...each, ...listedTrace(calls[index]?.traceparent ?? '') }));
    return recordResponse(
      (result) => calls.forEach(({ end }) => end(result)),
      post(consumeStepUpList.path, {
        requestId,
        traceparent: calls[0]?.traceparent ?? traceparent,
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
      const settled = askForAll(list).catch((error: unknown) => list.forEach(({ reject }) => reject(error)));
      await within(slowMs, settled);
    }
    isAsking = false;
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
    if (!isAsking) {
      isAsking = true;
      void work();
    }
    return promise;
  };
  return Object.assign(ask, { close: post.close });
}

/** Waits for `settled`, for at most `ms` milliseconds. */
async function within(ms: number, settled: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([settled, late]);
  clearTimeout(timer);
}

/** Removes the longest-waiting requests from `waiting`, as many as fit into one list. */
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
/** Returns smaller lists for an auth-stepup that rejected this one: as large as its first release accepts, or single requests. */
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

function responseOf({ status, body }: HttpResponse, index: number): HttpResponse {
  if (status !== 200) return { status, body };
  const result = (body['results'] as HttpResponse[])[index];
  if (!result) throw new Error('auth-stepup gave no answer for a token of a list');
  return result;
}

async function settle({ resolve, reject }: Waiting, response: HttpResponse | Promise<HttpResponse>): Promise<void> {
  try {
    resolve(readResponse(await response));
  } catch (error) {
    reject(error);
  }
}

function readResponse({ status, body }: HttpResponse): Spent {
  if (status >= 500 || status === tooLarge) throw consentUnavailable(`auth-stepup answered ${status}`);
  if (status === 200) {
    const { jti, pin_version: pinVersion, first, consent: jws } = body;
    if (typeof jws !== 'string') throw consentUnavailable('auth-stepup of an earlier version signs no consent');
    return { jti: String(jti), pinVersion: Number(pinVersion), first: first === true, jws };
  }
  const code = body['code'] as ProblemCode;
  if (code in problems && code.startsWith('step_up_')) throw problem(code as ProblemCode & `step_up_${string}`);
  // The access token has expired since it was verified, or the user has no permission: the problem is passed on unchanged.
  if (code in problems && (status === 401 || status === 403)) throw problem(code);
  // A newer release rejected the request. It has spent nothing and says why.
  if ((status === 401 || status === 403) && typeof code === 'string' && !(code in problems)) {
    const { detail } = body;
    throw problem('step_up_invalid', typeof detail === 'string' ? { detail } : {});
  }
  throw new Error(`auth-stepup rejected the request to spend a token: ${status} ${code}`);
}

type Question = Pick<Waiting, 'body' | 'requestId' | 'traceparent' | 'deadline'>;

function createPoster(url: string, service: ServiceIdentity) {
  const target = new URL(url);
  const { Agent, request } = target.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 128, maxFreeSockets: 32, timeout: maxIdleMs });
  // The URL is parsed once, and a timer replaces `AbortSignal.timeout` below: together they took a fifth of a call's time.
  const { hostname, port } = urlToHttpOptions(target);

  /**
   * Posts a request to auth-stepup.
   * @throws 503 `service_unavailable` if auth-stepup does not respond before the deadline, or another server responds
   */
  async function post(path: string, question: Question, authorization?: string): Promise<HttpResponse> {
    const content = Buffer.from(question.body);
    const signed = signRequest(service, { method: 'POST', target: path, body: content });
    const headers = {
      [signatureHeader]: signed.header,
      ...(authorization !== undefined && { authorization }),
      'content-type': 'application/json',
      'content-length': content.length,
      'x-request-id': question.requestId,
      traceparent: question.traceparent,
    };
    const sent = request({ hostname, port, path, method: 'POST', agent, headers });
    const response = await responseTo(sent, { content, deadline: question.deadline }).catch((error: Error) => {
      throw consentUnavailable(`auth-stepup did not answer: ${error.message}`);
    });
    const { status, body } = response;
    if (status >= 500 || status === tooLarge) return { status, body: {} };
    if (!signed.isGenuine(response))
      throw consentUnavailable(`the answer of auth-stepup, ${status}, is not signed with SERVICE_SECRET`);
    return { status, body: JSON.parse(body.toString()) as HttpResponse['body'] };
  }
  return Object.assign(post, { close: () => agent.destroy() });
}

type RawResponse = { status: number; body: Buffer; header: string | undefined };

async function responseTo(
  request: http.ClientRequest,
  { content, deadline }: { content: Buffer; deadline: number },
): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  request.on('response', (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => void chunks.push(chunk));
    const header = res.headers[signatureHeader.toLowerCase()] as string | undefined;
    res.on('end', () => resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks), header }));
    res.on('error', reject);
  });
  request.on('error', reject);
  request.end(content);
  const onTimeout = (): void => void request.destroy(new Error('no response in time'));
  const timer = setTimeout(onTimeout, Math.max(0, deadline - performance.now()));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
