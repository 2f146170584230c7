import type { ServerResponse } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import type { AnyEndpoint, ResponseOf } from '@comanda/contracts/endpoint';
import type { ServiceCall } from './authenticate-service.ts';
import { signatureHeader } from './service-signature.ts';
import type { Consent } from './step-up.ts';

export type Reply<A> = {
  status: 200 | 201 | 204 | 304;
  body?: A;
  /** The file in the response, if the contract returns one. */
  file?: Buffer;
  headers?: Readonly<Record<string, string>>;
  /**
   * True if the reply repeats an earlier reply to a request with the same idempotency key. Adds the header `Idempotent-Replayed`.
   */
  replayed?: boolean;
};
/**
 * The part of a reply that an endpoint with a step-up token requires: proof that this request or the original request spent a
 * token, or `null` if a setting requires none.
 */
type WithConsent<S> =
  | { consent: Consent }
  | { replayed: true }
  | (S extends { demanded: 'by_setting' } ? { consent: null } : never);
export type ReplyTo<E> = Reply<ResponseOf<E>> &
  (E extends { stepUp?: infer S } ? ([S] extends [undefined] ? unknown : WithConsent<S>) : unknown);
/** A reply from any endpoint. */
export type AnyReply = Reply<unknown> & { consent?: Consent | null };

/**
 * Returns true if the user's authorization is proven: this request or the original request spent a token, or no token is
 * required.
 */
export function isConsented({ stepUp }: AnyEndpoint, { consent, replayed }: AnyReply): boolean {
  if (!stepUp || consent || replayed) return true;
  return consent === null && stepUp.demanded === 'by_setting';
}

type Sent = { reply: Reply<unknown>; contract: AnyEndpoint; service: ServiceCall | null };

/** Sends a reply. If a service signed the request, signs the reply for that `service`. */
export function sendReply(res: ServerResponse, { reply, contract, service }: Sent): void {
  res.statusCode = reply.status;
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  if (reply.replayed) res.setHeader('Idempotent-Replayed', 'true');
  const json = reply.body === undefined ? null : Buffer.from(JSON.stringify(reply.body));
  const plain = reply.file ?? json;
  if (plain === null) {
    res.end();
    return;
  }
  const body = json !== null && isCompressible(contract) ? compressed(res, json) : plain;
  res.setHeader('Content-Type', (reply.file && contract.responses[200]?.file) ?? 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  if (service) res.setHeader(signatureHeader, service.sign({ status: reply.status, body }));
  res.end(res.req.method === 'HEAD' ? undefined : body);
}

/**
 * Only lists that anyone may read are compressed, such as the menu: the length of a compressed response with secrets would tell an
 * attacker something about them.
 */
const isCompressible = ({ method, who }: AnyEndpoint): boolean => method === 'GET' && who === 'anyone';
/** Below this length, a response fits into the first packets anyway. */
const minCompressedBytes = 2048;

/** Returns the body, compressed if it is long and the client accepts that, and sets the headers that say so. */
function compressed(res: ServerResponse, body: Buffer): Buffer {
  if (body.length < minCompressedBytes) return body;
  res.appendHeader('Vary', 'Accept-Encoding');
  if (!/\bgzip\b(?!;\s*q=0(\.0*)?\s*(,|$))/i.test(res.req.headers['accept-encoding'] ?? '')) return body;
  res.setHeader('Content-Encoding', 'gzip');
  return gzipSync(body, { level: constants.Z_BEST_SPEED });
}
