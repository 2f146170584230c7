import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isUnchanged } from '@comanda/shared/http/entity-tag';
import type { Request } from 'express';
import type { LocalCall } from './local-routes.ts';

/**
 * A file that never changes. It is stored in memory together with its compressed forms. `brotli` exists only if the app's build
 * created it [RFC 7932].
 */
export type StaticFile = {
  readonly type: string;
  readonly body: Uint8Array;
  readonly gzipped: Uint8Array | null;
  readonly brotli?: Uint8Array;
  readonly etag: string;
  readonly cacheControl: string;
};

const compressibleTypes = /^(text\/|application\/(json|javascript|manifest\+json|xml)|image\/svg)/;

export function createStaticFile(type: string, content: string | Buffer, cacheControl: string): StaticFile {
  const body = Buffer.from(content);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const gzipped = compressibleTypes.test(type) && body.length > 1024 ? gzipSync(body, { level: 9 }) : null;
  // The ETag is weak, because the file's compressed and uncompressed forms share it.
  return { type, body, gzipped, etag: `W/"${hash}"`, cacheControl };
}

/** Creates a file that caches keep for five minutes. */
export const cachedFile = (type: string, content: string | Buffer): StaticFile =>
  createStaticFile(type, content, 'public, max-age=300');
export const jsonFile = (content: unknown): StaticFile =>
  cachedFile('application/json; charset=utf-8', JSON.stringify(content));

/**
 * Sends `file`, or a 304 if the client already has it [RFC 9110, 13]. Sends the file compressed if the client accepts a
 * compression.
 */
export function sendStaticFile({ req, res }: LocalCall, file: StaticFile): void {
  res.setHeader('ETag', file.etag);
  res.setHeader('Cache-Control', file.cacheControl);
  if (file.gzipped ?? file.brotli) res.vary('Accept-Encoding');
  // Ignores `Cache-Control: no-cache`, which Fetch sends with `If-None-Match`, because the gateway is the origin server.
  if (isUnchanged(req.headers['if-none-match'], file.etag)) {
    res.status(304).end();
    return;
  }
  const [encoding, body] = compressedFor(req, file) ?? [null, file.body];
  if (encoding) res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Type', file.type);
  res.setHeader('Content-Length', body.length);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/**
 * Picks the best compression that the client accepts; null for none. Brotli is a tenth smaller than gzip, and browsers accept it
 * over TLS and from this machine.
 */
function compressedFor(req: Request, { brotli, gzipped }: StaticFile): [encoding: string, body: Uint8Array] | null {
  if (brotli && req.acceptsEncodings('br')) return ['br', brotli];
  return gzipped && req.acceptsEncodings('gzip') ? ['gzip', gzipped] : null;
}
