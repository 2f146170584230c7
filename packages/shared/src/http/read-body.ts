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
  return parseStrictJson(await readBody(req));
}

/** A client that goes on sending a body that was refused loses its connection after so many bytes. */
const maxDroppedBytes = maxBodyBytes * 64;

/**
 * The whole body, of at most 32 KB. The rest of a larger body is read and dropped, so that the client gets its answer and
 * can send its next request.
 * @throws 413 `body_too_large`; 400 `malformed_request` if the client closes the connection before the end
 */
export function readBody(req: IncomingMessage): Promise<Buffer> {
  const arrived = arrivedBody(req);
  if (arrived) return Promise.resolve(arrived);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      reject(problem('body_too_large'));
    }
    if (size > maxDroppedBytes) req.destroy();
  });
  const onBroken = (): void => reject(problem('malformed_request', { detail: 'The body is incomplete.' }));
  req.once('end', () => {
    req.off('error', onBroken).off('close', onBroken); // each request closes, and an error with its stack costs time
    resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  });
  req.once('error', onBroken).once('close', onBroken);
  if (req.destroyed) onBroken();
  return promise;
}

/** The whole body if it arrived together with the headers, as most do; else null. Needs no listener, which costs more. */
const arrivedBody = (req: IncomingMessage): Buffer | null =>
  req.complete && req.readableLength <= maxBodyBytes ? (req.read() as Buffer | null) : null;
