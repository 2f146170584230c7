import { problem, Problem, unavailable } from '@comanda/contracts/problem';

/** The error for a service that was silent for too long. */
export class UpstreamTimeout extends Error {
  override name = 'UpstreamTimeout';
}
/** The error for a service that did not accept a connection in time. */
export class UpstreamUnreachable extends Error {
  override name = 'UpstreamUnreachable';
}

const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

/**
 * Returns the problem for a failed service: 503 if nothing was sent, 504 if the service was silent for too long, otherwise 502.
 * After a 504 or 502, a write may have been applied, so `outcome` is `unknown`.
 */
export function upstreamProblem(error: NodeJS.ErrnoException, method: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UpstreamUnreachable || unreachableCodes.has(error.code ?? '')) return unavailable();
  const members = method === 'GET' || method === 'HEAD' ? {} : { outcome: 'unknown' as const };
  const isTimeout = error instanceof UpstreamTimeout || error.code === 'ERR_UPSTREAM_UPGRADE_TIMEOUT';
  return problem(isTimeout ? 'gateway_timeout' : 'bad_gateway', members);
}
