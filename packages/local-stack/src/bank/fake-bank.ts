import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createBankBooks, fakeReceiver, problem, type Answer, type NewPix } from './bank-books.ts';
import { payPage } from './pay-page.ts';

/**
 * What goes wrong with one request. `status`: the bank does nothing and answers with this status, and perhaps says for how long,
 * or until when, it wants to be left alone. `lost`: the bank does it, and its answer is lost. `hang`: nothing is answered, ever. `repeat`: the bank does it twice, and answers once.
 */
export type Fault = { status: number; retryAfter?: number | Date } | 'lost' | 'hang' | 'repeat';
export type FaultFor = (request: { method: string; path: string; query: string }) => Fault | null;

export type FakeBank = {
  url: string;
  /** The settings of transfers for this bank. */
  settings: Record<string, string>;
  /** Receives a Pix, and sends a hint if there is an address for hints. Returns its end-to-end id. */
  pay: (pix: NewPix) => string;
  /** Pays what a Pix code says. @throws Error if it is no code of this bank's customer */
  payCode: (code: string) => string;
  /** Returns money by itself, as the bank's app and its fraud desk do. By default, all of it. */
  returnByItself: (e2e: string, amount?: string) => void;
  /** Decides what goes wrong with each request; null for nothing. */
  setFault: (faultFor: FaultFor | null) => void;
  /** How refunds end: `DEVOLVIDO` (by default), `NAO_REALIZADO`, or `EM_PROCESSAMENTO` for not yet. */
  setRefundEnd: (status: string) => void;
  /** Ends all tokens, so that the next request with one is 401. */
  endTokens: () => void;
  setHintUrl: (url: string) => void;
  /** All requests so far, such as `GET /pix`. */
  requests: readonly string[];
  /** The query of each request. */
  queries: readonly string[];
  /** How much was returned for this Pix, in cents, by us or by the bank itself. */
  returned: (e2e: string) => number;
  close: () => Promise<void>;
};

type Options = {
  port?: number;
  clock?: () => number;
  /** The server's certificate and key, and the authority of the clients' certificates: then the bank insists on mTLS. */
  tls?: { cert: string; key: string; ca: string };
  /** False if charges have no `pixCopiaECola`. */
  sendsCodes?: boolean;
  /** False if the bank doesn't understand which page of the list is asked for. */
  hasPages?: boolean;
};

const client = { id: 'comanda', secret: 'demo-only-bank-secret' };

/**
 * Starts a small bank, which answers the calls of BACEN's Pix API 2.9.0 that transfers makes. It has a page on which the demo
 * pays. It keeps everything in memory, and is never part of a production image.
 */
export async function startFakeBank({
  port = 0,
  clock = Date.now,
  tls,
  sendsCodes = true,
  hasPages = true,
}: Options = {}): Promise<FakeBank> {
  const books = createBankBooks({ clock, sendsCodes, hasPages });
  const tokens = new Set<string>();
  const requests: string[] = [];
  const queries: string[] = [];
  let faultFor: FaultFor | null = null;
  let hintUrl: string | null = null;

  function pay(pix: NewPix): string {
    const e2e = books.pay(pix);
    if (hintUrl !== null) sendHint(hintUrl, e2e);
    return e2e;
  }
  function payCode(code: string): string {
    const e2e = books.payCode(code);
    if (hintUrl !== null) sendHint(hintUrl, e2e);
    return e2e;
  }

  function answerToken(body: string, authorization: string | undefined): Answer {
    const form = new URLSearchParams(body);
    const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    const isClient =
      authorization === basic || (form.get('client_id') === client.id && form.get('client_secret') === client.secret);
    if (!isClient || form.get('grant_type') !== 'client_credentials') return { status: 401, body: {} };
    const token = randomUUID();
    tokens.add(token);
    return {
      status: 200,
      body: { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: form.get('scope') },
    };
  }

  function answerApi(req: IncomingMessage, content: string): Answer {
    const url = new URL(req.url ?? '', 'http://bank');
    if (url.pathname === '/oauth/token') return answerToken(content, req.headers.authorization);
    if (!tokens.has((req.headers.authorization ?? '').replace('Bearer ', ''))) return { status: 401, body: {} };
    return books.answer({ method: req.method ?? '', url, content });
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const content = await read(req);
    const { pathname, search } = new URL(req.url ?? '', 'http://bank');
    if (pathname === '/' || pathname === '/pay') {
      return payPage(req, res, { content, payCode, pay: (txid) => pay({ txid }), open: books.open() });
    }
    requests.push(`${req.method} ${pathname}`);
    queries.push(search);
    const fault = faultFor?.({ method: req.method ?? '', path: pathname, query: search }) ?? null;
    if (fault === 'hang') return;
    const isRefused = fault !== null && typeof fault === 'object';
    const answer = isRefused ? problem(fault.status, 'ServicoIndisponivel') : answerApi(req, content);
    if (fault === 'repeat') answerApi(req, content);
    if (fault === 'lost') return void res.destroy();
    res.writeHead(answer.status, {
      'content-type': 'application/json',
      date: new Date(clock()).toUTCString(),
      ...(isRefused && fault.retryAfter !== undefined && { 'retry-after': retryAfterIn(fault.retryAfter) }),
    });
    res.end(JSON.stringify(answer.body));
  }

  const listener: RequestListener = (req, res) =>
    void handle(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
  const server: Server = tls
    ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, listener)
    : createServer(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    settings: {
      PIX_MODE: 'bank',
      PIX_KEY: fakeReceiver.key,
      PIX_NAME: fakeReceiver.name,
      PIX_CITY: fakeReceiver.city,
      PIX_BANK_URL: `${url}/v2`,
      PIX_BANK_TOKEN_URL: `${url}/oauth/token`,
      PIX_BANK_CLIENT_ID: client.id,
      PIX_BANK_CLIENT_SECRET: client.secret,
    },
    pay,
    payCode,
    returnByItself: books.returnByItself,
    setFault: (next) => {
      faultFor = next;
    },
    setRefundEnd: books.setRefundEnd,
    endTokens: () => tokens.clear(),
    setHintUrl: (next) => {
      hintUrl = next;
    },
    requests,
    queries,
    returned: books.returned,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const retryAfterIn = (when: number | Date): string => (typeof when === 'number' ? String(when) : when.toUTCString());

async function read(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Sends the hint that banks send. Its loss does no harm. */
function sendHint(url: string, endToEndId: string): void {
  const body = JSON.stringify({ pix: [{ endToEndId }] });
  fetch(`${url}/pix`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(() => undefined);
}
