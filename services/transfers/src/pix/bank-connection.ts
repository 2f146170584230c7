import type { Agent, ClientRequest } from 'node:http';
import https from 'node:https';
import { getCACertificates } from 'node:tls';
import { http } from '@comanda/shared/runtime/node-http';
import type { BankSettings } from './pix-settings.ts';

/** A request to the bank. `path` follows the path of `PIX_BANK_URL`. */
type BankRequest = {
  method: 'GET' | 'PUT';
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
};
/** The bank's response. `body` is `{}` unless it is a JSON object. */
type BankResponse = { status: number; body: Record<string, unknown> };

/** The bank did not answer, or asks to be left alone. */
export class BankUnavailable extends Error {
  /** How long the bank wants to be left alone, in milliseconds; null if it didn't say. */
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BankUnavailable';
    this.retryAfterMs = retryAfterMs;
  }
}

type Server = 'api' | 'token';
/** `call`: the short calls for one charge, Pix or refund. `list`: the question for all Pix, which must not wait for those. */
type Line = 'call' | 'list';
const timeoutMs: Record<Line, number> = { call: 1200, list: 5000 };
const maxConnections: Record<Line, number> = { call: 8, list: 1 };
/** How many calls may wait for a connection. */
const maxWaiting = 32;
/** The bank's largest page has a hundred Pix of about 2 KB. */
const maxBytes = 4 * 1024 * 1024;
const scope = 'cob.read cob.write pix.read pix.write';
/** How long before its end a token is no longer used, in milliseconds. */
const tokenMarginMs = 60_000;

export type BankConnection = {
  /**
   * Sends a request, with a token. Bodies are never logged: they name payers.
   * @throws BankUnavailable if there is no answer in time, or it is 401 (twice), 429 or 5xx
   */
  send: (request: BankRequest, line?: Line) => Promise<BankResponse>;
  /** Asks for a token if there is none, so that the bank's time is roughly known. @throws BankUnavailable */
  open: () => Promise<void>;
  /** The bank's time in milliseconds since the epoch. It may be up to a second behind, never ahead. */
  now: () => number;
  /** True unless the last call failed. */
  isUp: () => boolean;
  close: () => void;
};

/** Opens connections to the bank: a pool for calls, and one for the list. With certificates, the bank identifies us by TLS. */
export function createBankConnection(settings: BankSettings, clock: () => number): BankConnection {
  const tls = {
    ...(settings.cert !== undefined && { cert: settings.cert, key: settings.certKey }),
    ...(settings.ca !== undefined && { ca: [...getCACertificates('default'), settings.ca] }),
  };
  const agentsFor = (url: URL): Record<Line, Agent> => {
    const open = (line: Line): Agent => {
      const options = { keepAlive: true, maxSockets: maxConnections[line], timeout: 30_000 };
      return url.protocol === 'https:' ? new https.Agent({ ...options, ...tls }) : new http.Agent(options);
    };
    return { call: open('call'), list: open('list') };
  };
  const [agents, tokenAgents] = [agentsFor(settings.url), agentsFor(settings.tokenUrl)];
  let calls = 0;
  /** How far the bank's clock is ahead of ours. The token server's counts only until the API has answered. */
  const offsetMs: Record<Server, number | null> = { api: null, token: null };
  let isUp = true;
  let token: { value: string; until: number } | null = null;
  let asking: Promise<string> | null = null;

  /** Headers have whole seconds, so the highest offset seen is the nearest to the true one. */
  function noteTime(server: Server, date: string | undefined): void {
    const at = Date.parse(date ?? '');
    if (Number.isNaN(at)) return;
    const seen = at - clock();
    const known = offsetMs[server];
    if (known === null || seen > known || seen < known - 2000) offsetMs[server] = seen;
  }

  async function exchange(server: Server, options: Exchange): Promise<Raw> {
    try {
      const response = await sendOnce(options);
      noteTime(server, response.date);
      isUp = response.status < 500 && response.status !== 429;
      return response;
    } catch (error) {
      isUp = false;
      throw new BankUnavailable('the bank did not answer', null, { cause: error });
    }
  }

  async function askForToken(line: Line): Promise<string> {
    const { clientId, clientSecret, tokenAuth } = settings;
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope });
    if (tokenAuth === 'form') {
      form.set('client_id', clientId);
      form.set('client_secret', clientSecret);
    }
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await exchange('token', {
      url: settings.tokenUrl,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(tokenAuth === 'basic' && { authorization: `Basic ${basic}` }),
      },
      content: form.toString(),
      agent: tokenAgents[line],
      timeoutMs: timeoutMs[line],
    });
    const { access_token: value, expires_in: seconds = 0 } = response.body;
    if (response.status !== 200 || typeof value !== 'string')
      throw new BankUnavailable(
        `the bank answered ${response.status} when asked for a token`,
        retryAfterOf(response, clock()),
      );
    token = { value, until: clock() + Number(seconds) * 1000 - tokenMarginMs };
    return value;
  }
  const getToken = (line: Line): Promise<string> => {
    if (token && clock() < token.until) return Promise.resolve(token.value);
    return (asking ??= askForToken(line).finally(() => (asking = null)));
  };

  async function sendWithToken(request: BankRequest, line: Line): Promise<Raw> {
    const value = await getToken(line);
    const response = await exchange('api', {
      url: urlOf(settings.url, request),
      method: request.method,
      headers: {
        authorization: `Bearer ${value}`,
        ...(request.body && { 'content-type': 'application/json' }),
      },
      content: request.body ? JSON.stringify(request.body) : '',
      agent: agents[line],
      timeoutMs: timeoutMs[line],
    });
    if (response.status === 401 && token?.value === value) token = null;
    return response;
  }

  async function send(request: BankRequest, line: Line = 'call'): Promise<BankResponse> {
    if (line === 'call' && calls >= maxConnections.call + maxWaiting)
      throw new BankUnavailable('too many calls wait for the bank');
    if (line === 'call') calls++;
    try {
      const first = await sendWithToken(request, line);
      const response = first.status === 401 ? await sendWithToken(request, line) : first;
      const { status } = response;
      if (status === 401 || status === 429 || status >= 500)
        throw new BankUnavailable(
          `the bank answered ${request.method} ${request.path.split('/')[1]} with ${status}`,
          retryAfterOf(response, clock()),
        );
      return response;
    } finally {
      if (line === 'call') calls--;
    }
  }
  return {
    send,
    open: async () => void (await getToken('list')),
    now: () => clock() + (offsetMs.api ?? offsetMs.token ?? 0),
    isUp: () => isUp,
    close: () => [agents, tokenAgents].forEach(({ call, list }) => [call, list].forEach((agent) => agent.destroy())),
  };
}

/** Reads `Retry-After`: seconds, or a time [RFC 9110, 10.2.3], which is compared with the response's `Date`. */
function retryAfterOf({ retryAfter = '', date = '' }: Raw, now: number): number | null {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const [until, sentAt] = [Date.parse(retryAfter), Date.parse(date)];
  return Number.isNaN(until) ? null : Math.max(0, until - (Number.isNaN(sentAt) ? now : sentAt));
}

/** Adds path and query to the bank's URL, which may have a query of its own. */
function urlOf(base: URL, { path, query = {} }: BankRequest): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

type Exchange = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  content: string;
  agent: Agent;
  timeoutMs: number;
};
type Raw = BankResponse & { date?: string | undefined; retryAfter?: string | undefined };

async function sendOnce({ url, method, headers, content, agent, timeoutMs: limit }: Exchange): Promise<Raw> {
  const { request } = url.protocol === 'https:' ? https : http;
  const length = content === '' ? {} : { 'content-length': String(Buffer.byteLength(content)) };
  const sent = request(url, { method, agent, headers: { accept: 'application/json', ...headers, ...length } });
  const timer = setTimeout(() => void sent.destroy(new Error('no response in time')), limit);
  try {
    return await responseTo(sent, content);
  } finally {
    clearTimeout(timer);
  }
}

function responseTo(sent: ClientRequest, content: string): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>();
  sent.on('response', (res) => {
    const chunks: Buffer[] = [];
    let size = 0;
    res.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) sent.destroy(new Error('the response is too large'));
      else chunks.push(chunk);
    });
    res.on('error', reject);
    res.on('end', () => {
      const { date, 'retry-after': retryAfter } = res.headers;
      resolve({ status: res.statusCode ?? 0, body: parse(Buffer.concat(chunks)), date, retryAfter });
    });
  });
  sent.on('error', reject);
  sent.end(content);
  return promise;
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {}; // not JSON
  }
}
