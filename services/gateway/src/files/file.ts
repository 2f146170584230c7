import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PageRequest, PageResponse } from '../passage.ts';

/** Something to read that stays as it is, kept in memory with its compressed form. */
export type File = { type: string; body: Buffer; zipped: Buffer | null; etag: string; cacheControl: string };

const worthZipping = /^(text\/|application\/(json|javascript|manifest\+json|xml)|image\/svg)/;

export function makeFile(type: string, content: string | Buffer, cacheControl: string): File {
  const body = Buffer.from(content);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const zipped = worthZipping.test(type) && body.length > 1024 ? gzipSync(body) : null;
  // Weak, because it stands for both forms.
  return { type, body, zipped, etag: `W/"${hash}"`, cacheControl };
}

/** Answers with `file`: 304 where the client has it already [RFC 9110, 13], compressed where it takes that. */
export function sendFile(req: PageRequest, res: PageResponse, file: File): void {
  res.setHeader('ETag', file.etag);
  res.setHeader('Cache-Control', file.cacheControl);
  if (file.zipped) res.vary('Accept-Encoding');
  if (hasAlready(req, file)) {
    res.status(304).end();
    return;
  }
  const zipped = file.zipped && req.acceptsEncodings('gzip') === 'gzip' ? file.zipped : null;
  if (zipped) res.setHeader('Content-Encoding', 'gzip');
  const body = zipped ?? file.body;
  res.setHeader('Content-Type', file.type);
  res.setHeader('Content-Length', body.length);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** `Cache-Control: no-cache`, which Fetch adds beside `If-None-Match`, changes nothing: this is the origin. */
function hasAlready(req: PageRequest, { etag }: File): boolean {
  const known = req.headers['if-none-match']?.split(',').map((tag) => tag.trim());
  return known?.some((tag) => tag === '*' || tag === etag || `W/${tag}` === etag) ?? false;
}
