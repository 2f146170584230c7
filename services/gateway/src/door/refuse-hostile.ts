import { problem } from '@comanda/shared/contracts/problems';
import { refuseHostileHeaders } from '@comanda/shared/http/hostile-headers';
import type { Step } from '../passage.ts';
import { feedPath } from '../feed/live-feed.ts';

// Unreserved characters [RFC 3986] in segments that are neither empty nor dots; or the root.
const literalPath = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+)$/;

/**
 * Refuses what no honest client sends, and every target that is not written out plainly: whatever comes after this
 * step may compare paths as strings.
 */
export const refuseHostile: Step = (req, res, next) => {
  refuseHostileHeaders(req);
  const path = req.url.split('?', 1)[0] ?? '';
  if (path === feedPath) throw problem('upgrade_required');
  if (!literalPath.test(path)) throw problem('not_found');
  next();
};
