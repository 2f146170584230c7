import type { IncomingMessage } from 'node:http';
import { problem } from '@comanda/contracts/problem';
import { maxBodyKilobytes } from '@comanda/contracts/rules';
import { parseStrictJson } from './strict-json.ts';

export const maxBodyBytes = maxBodyKilobytes * 1024;

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Checks the headers of a request with a JSON body.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`
 */
export function checkBodyHeaders(req: IncomingMessage): void {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = req.headers;
  if (!jsonType.test(type ?? '') || (encoding !== undefined && encoding !== 'identity'))
    throw problem('unsupported_media_type');
  if (Number(length ?? 0) > maxBodyBytes) throw problem('body_too_large');
}

/**
 * The request's JSON body.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`, 400 `malformed_json`
 */
export async function readJsonBody(req: IncomingMessage): Promise<unknown> {
  checkBodyHeaders(req);
  return parseStrictJson(await readAll(req));
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Data beyond the limit is read and dropped: leaving the loop would destroy the socket before the response is sent.
      if (size <= maxBodyBytes) chunks.push(chunk);
      if (size > maxBodyBytes * 64) break;
    }
  } catch (error) {
    // The client has closed the connection: not an error of the server.
    if (req.destroyed) throw problem('malformed_request', { detail: 'The body is incomplete.' });
    throw error;
  }
  if (size > maxBodyBytes) throw problem('body_too_large');
  return Buffer.concat(chunks);
}
