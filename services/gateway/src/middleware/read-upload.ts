import type { Upload } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { networkOf } from '@comanda/shared/http/client-address';
import { readBody } from '@comanda/shared/http/read-body';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';
import type { RequestState } from '../request-state.ts';

/**
 * Reads an uploaded file. The file stays in memory until the response, so only a few files are read at the same time, and even
 * fewer from one user. So a slow sender cannot use up other users' places.
 * @throws 429 `rate_limited`; 503 `service_unavailable`; 413 `body_too_large`, 400 `malformed_request`
 */
export type ReadUpload = (
  state: Pick<RequestState, 'req' | 'res' | 'client' | 'caller'>,
  contract: { upload: Upload },
) => Promise<Buffer>;
type Options = { maxAtOnce: number; maxOfUser: number };

export function createUploadReader({ maxAtOnce, maxOfUser }: Options): ReadUpload {
  let open = 0;
  const openOf = createOpenCounter(maxOfUser);
  return async ({ req, res, client, caller }, contract) => {
    // The client left while its token was being verified. No `close` event would free a place, so no place is taken.
    if (res.closed) return readBody(req, contract);
    const sender = caller ? `user ${caller.userId}` : networkOf(client.address);
    // The connection stays open for both problems: otherwise, a client that is still sending would lose the connection before
    // reading the response. The rest of the file is dropped.
    if (open >= maxAtOnce) throw problem('service_unavailable', { detail: tooMany }, { 'Retry-After': '2' });
    if (!openOf.tryAdd(sender)) throw problem('rate_limited', { detail: tooManyOfYours }, { 'Retry-After': '2' });
    open++;
    res.once('close', () => {
      open--;
      openOf.remove(sender);
    });
    return readBody(req, contract);
  };
}

const tooMany = 'Too many files are being uploaded. Repeat the request in two seconds.';
const tooManyOfYours = 'You are already uploading other files. Repeat the request when one of them has finished.';
