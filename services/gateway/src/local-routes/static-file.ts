import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Request } from 'express';
import type { LocalCall } from './local-routes.ts';

/** A file that does not change, in memory with its compressed form. */
export type StaticFile = {
  readonly type: string;
  readonly body: Uint8Array;
  readonly gzipped: Uint8Array | null;
  readonly etag: string;
  readonly cacheControl: string;
};

const compressibleTypes = /^(text\/|application\/(json|javascript|manifest\+json|xml)|image\/svg)/;

export function createStaticFile(type: string, content: string | Buffer, cacheControl: string): StaticFile {
  const body = Buffer.from(content);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const gzipped = compressibleTypes.test(type) && body.length > 1024 ? gzipSync(body, { level: 9 }) : null;
  // A weak tag, because it is the same for both forms.
  return { type, body, gzipped, etag: `W/"${hash}"`, cacheControl };
}

/** A file that caches keep for five minutes. */
export const cachedFile = (type: string, content: string | Buffer): StaticFile =>
  createStaticFile(type, content, 'public, max-age=300');
export const jsonFile = (content: unknown): StaticFile =>
  cachedFile('application/json; charset=utf-8', JSON.stringify(content));

/** Sends `file`: 304 if the client has it [RFC 9110, 13], compressed if the client accepts gzip. */
export function sendStaticFile({ req, res }: LocalCall, file: StaticFile): void {
  res.setHeader('ETag', file.etag);
  res.setHeader('Cache-Control', file.cacheControl);
  if (file.gzipped) res.vary('Accept-Encoding');
  if (hasCurrentCopy(req, file)) {
    res.status(304).end();
    return;
  }
  const gzipped = file.gzipped && req.acceptsEncodings('gzip') === 'gzip' ? file.gzipped : null;
  if (gzipped) res.setHeader('Content-Encoding', 'gzip');
  const body = gzipped ?? file.body;
  res.setHeader('Content-Type', file.type);
  res.setHeader('Content-Length', body.length);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Ignores `Cache-Control: no-cache`, which Fetch sends with `If-None-Match`: the gateway is the origin server. */
function hasCurrentCopy(req: Request, { etag }: StaticFile): boolean {
  const tags = req.headers['if-none-match']?.split(',').map((tag) => tag.trim());
  return tags?.some((tag) => tag === '*' || tag === etag || `W/${tag}` === etag) ?? false;
}
