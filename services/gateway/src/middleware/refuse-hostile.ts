import { feedIsWebSocketOnly } from '@comanda/contracts/feed';
import { problem } from '@comanda/contracts/problem';
import { feedPath } from '@comanda/shared/http/feed-handshake';
import { refuseHostileHeaders } from '@comanda/shared/http/hostile-headers';
import type { RequestState } from '../request-state.ts';

// Matches paths made of segments with unreserved characters [RFC 3986], none of them empty or only dots. Also matches the root,
// and the paths of the staff app and the API documentation with a slash at the end.
const literalPath = /^(?:\/|\/(?:kitchen|docs)\/|(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+)$/;
const literalQuery = /^[\u0021\u0022\u0024-\u007e]*$/;

/**
 * Rejects headers that no honest client sends, and every target with escapes, empty segments or dot segments. So later steps can
 * compare paths as strings and send the target to a service unchanged.
 * @throws 400 `malformed_request`, `upgrade_required`; 404 `not_found`
 */
export function refuseHostileRequest({ req, target, path }: RequestState): void {
  refuseHostileHeaders(req);
  // Only an ordinary request gets here: WebSocket handshakes at this path go to the live feed.
  if (path === feedPath) throw problem('upgrade_required', { detail: feedIsWebSocketOnly });
  if (!literalPath.test(path)) throw problem('not_found');
  if (!literalQuery.test(target.slice(path.length)))
    throw problem('malformed_request', { detail: 'The query contains characters that must be percent-encoded.' });
}
