import { problem, Problem } from '@comanda/contracts/problems';

/** The service did not answer within its time. */
export class UpstreamLate extends Error {
  override name = 'UpstreamLate';
}
/** No connection to the service within its time. */
export class UpstreamUnreachable extends Error {
  override name = 'UpstreamUnreachable';
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

/**
 * What the client is told of a failure between here and a service: 503 where nothing was sent, 504 late, 502 broken.
 * After the last two a write may have happened.
 */
export function upstreamProblem(error: NodeJS.ErrnoException, method: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UpstreamUnreachable || unreachable.has(error.code ?? ''))
    return problem('service_unavailable', {}, { 'Retry-After': '1' });
  const members = method === 'GET' || method === 'HEAD' ? {} : { outcome: 'unknown' as const };
  const late = error instanceof UpstreamLate || error.code === 'ERR_UPSTREAM_UPGRADE_TIMEOUT';
  return problem(late ? 'gateway_timeout' : 'bad_gateway', members);
}
