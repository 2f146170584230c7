import type { Upload } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { readBody } from '@comanda/shared/http/read-body';
import type { RequestState } from '../request-state.ts';

/**
 * Reads the file that a request brings. It is in memory until the request was answered, so that only some are read at once.
 * @throws 503 `service_unavailable`; 413 `body_too_large`, 400 `malformed_request`
 */
export type ReadUpload = (state: RequestState, contract: { upload: Upload }) => Promise<Buffer>;

export function createUploadReader(maxAtOnce: number): ReadUpload {
  let open = 0;
  return async ({ req, res }, contract) => {
    if (open >= maxAtOnce)
      // Not closed: who is still sending would lose the connection, and not read this. The rest of the file is dropped.
      throw problem('service_unavailable', { detail: tooMany }, { 'Retry-After': '2' });
    open++;
    res.once('close', () => open--);
    return readBody(req, contract);
  };
}

const tooMany = 'Too many files are being uploaded. Repeat the request in two seconds.';
