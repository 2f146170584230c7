import type { IncomingMessage } from 'node:http';
import type { Upload } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { maxBodyKilobytes } from '@comanda/contracts/rules';
import { parseStrictJson } from './strict-json.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** The part of a contract that says which bodies are accepted. Without `upload` and `anyBody`, the body must be JSON. */
type Takes = { upload?: Upload | undefined; anyBody?: true | undefined; maxBodyKilobytes?: number | undefined };
const kilobytesOf = ({ maxBodyKilobytes: own = maxBodyKilobytes }: Takes): number => own;
export const maxBytesOf = (contract: Takes): number =>
  contract.upload ? contract.upload.maxMegabytes * megabyte : kilobytesOf(contract) * kilobyte;

const parameters = /;\s*([^\s;="]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;"]*)/g;
const utf8 = /^"?utf-?8"?$/i;

/**
 * Returns true if a content type is JSON in UTF-8. Parameters other than `charset` have no meaning for JSON and are ignored [RFC
 * 8259, 11].
 */
function isJsonInUtf8(contentType: string): boolean {
  if (mediaTypeOf(contentType) !== 'application/json') return false;
  return [...contentType.matchAll(parameters)].every(
    ([, name = '', value = '']) => name.toLowerCase() !== 'charset' || utf8.test(value.trim()),
  );
}

/**
 * Checks the headers of a request with a body: the type must be JSON, unless the contract accepts a file.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`
 */
export function checkBodyHeaders(req: IncomingMessage, contract: Takes = {}): void {
  const {
    'content-type': type = '',
    'content-encoding': encoding = 'identity',
    'content-length': length,
  } = req.headers;
  const { upload, anyBody } = contract;
  const isTaken = upload ? upload.types.includes(mediaTypeOf(type)) : isJsonInUtf8(type);
  if (!anyBody && (!isTaken || encoding !== 'identity'))
    throw problem('unsupported_media_type', { detail: taken(contract) });
  if (Number(length ?? 0) > maxBytesOf(contract)) throw tooLarge(contract);
}

const mediaTypeOf = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();
const taken = ({ upload }: Takes): string =>
  `The body must be ${upload ? upload.types.join(', ').replace(/, ([^,]*)$/, ' or $1') : '`application/json` in UTF-8'}, without compression.`;
const tooLarge = (contract: Takes) =>
  problem('body_too_large', { detail: `The body is larger than the limit of ${limitOf(contract)}.` });
const limitOf = (contract: Takes): string =>
  contract.upload ? `${contract.upload.maxMegabytes} MB` : `${kilobytesOf(contract)} KB`;

/** Returns true if the headers announce a body [RFC 9112, 6]. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Reads the request's JSON body.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`, 400 `malformed_json`
 */
export async function readJsonBody(req: IncomingMessage, contract: Takes = {}): Promise<unknown> {
  checkBodyHeaders(req, contract);
  return parseStrictJson(await readBody(req, contract));
}

/**
 * Reads the file in the request's body.
 * @throws 415 `unsupported_media_type`, 413 `body_too_large`
 */
export async function readFileBody(req: IncomingMessage, contract: { upload: Upload }): Promise<Buffer> {
  checkBodyHeaders(req, contract);
  return readBody(req, contract);
}

/** How many more bytes a client may send after its body was rejected. After that, its connection is closed. */
const maxDroppedBytes = 2 * megabyte;

/**
 * Reads the complete body, of at most 32 KB unless the contract allows more or a file. The rest of a body that is too large is
 * read and dropped, so that the client gets the response and can send its next request on the same connection.
 * @throws 413 `body_too_large`; 400 `malformed_request` if the client closes the connection before the end
 */
export function readBody(req: IncomingMessage, contract: Takes = {}): Promise<Buffer> {
  const maxBytes = maxBytesOf(contract);
  const arrived = arrivedBody(req, maxBytes);
  if (arrived) return Promise.resolve(arrived);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      reject(tooLarge(contract));
    }
    if (size > maxBytes + maxDroppedBytes) req.destroy();
  });
  const onBroken = (): void => reject(problem('malformed_request', { detail: 'The body is incomplete.' }));
  req.once('end', () => {
    req.off('error', onBroken).off('close', onBroken); // every request ends with `close`, and an error with its stack trace is slow to create
    resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  });
  req.once('error', onBroken).once('close', onBroken);
  if (req.destroyed) onBroken();
  return promise;
}

/**
 * Returns the complete body if it arrived together with the headers, as most bodies do; otherwise null. This needs no listeners,
 * so it is faster.
 */
const arrivedBody = (req: IncomingMessage, maxBytes: number): Buffer | null =>
  req.complete && req.readableLength <= maxBytes ? (req.read() as Buffer | null) : null;
