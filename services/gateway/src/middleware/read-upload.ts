import type { Upload } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { networkOf } from '@comanda/shared/http/client-address';
import { readBody } from '@comanda/shared/http/read-body';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';
import type { RequestState } from '../request-state.ts';

/**
 * Reads the file that a request brings. It is in memory until the request was answered, so that only some are read at once,
 * and of one user fewer: who sends slowly holds the places of nobody else.
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
    // The client has gone away while its token was verified: no `close` would free a place.
    if (res.closed) return readBody(req, contract);
    const sender = caller ? `user ${caller.userId}` : networkOf(client.address);
    // Neither is closed: who is still sending would lose the connection, and not read this. The rest of the file is dropped.
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
const tooManyOfYours = 'You are uploading other files. Repeat the request when one of them has arrived.';
