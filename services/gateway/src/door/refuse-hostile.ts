import type { IncomingMessage } from 'node:http';
import { problem } from '@comanda/contracts/problems';
import { refuseHostileHeaders } from '@comanda/shared/http/hostile-headers';
import { feedPath } from '../feed/live-feed.ts';

// Unreserved characters [RFC 3986] in segments that are neither empty nor dots; or the root.
const literalPath = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+)$/;
const plainQuery = /^[\u0021\u0022\u0024-\u007e]*$/;

/**
 * Refuses what no honest client sends, and every target that is not written out plainly: whatever comes after this
 * step may compare paths as strings, and pass the target on as it stands.
 */
export function refuseHostile(req: IncomingMessage): void {
  refuseHostileHeaders(req);
  const target = originForm(req);
  req.url = target;
  const question = target.indexOf('?');
  const path = question < 0 ? target : target.slice(0, question);
  if (path === feedPath) throw problem('upgrade_required');
  if (!literalPath.test(path)) throw problem('not_found');
  if (question >= 0 && !plainQuery.test(target.slice(question)))
    throw problem('malformed_request', { detail: 'The query has characters that must be escaped.' });
}

/** The target without `http://` and the host that the request is for anyway [RFC 9112, 3.2.2]. */
function originForm({ url = '', headers: { host } }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const own = `http://${host}/`;
  return url.slice(0, own.length).toLowerCase() === own.toLowerCase() ? url.slice(own.length - 1) : url;
}
